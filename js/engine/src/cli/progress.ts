import type { Sink } from './terminal.js';
import { durationWords } from './text/duration.js';

/** A line on the terminal that says how far a simulation has come. */
export interface Progress {
  /** Says that so much has been played. */
  report: (playedMs: number) => void;
  /** Takes the line away. */
  done: () => void;
}

/** What is over sooner than this is not worth a line. */
const PATIENCE_MS = 500;
/** A line that changes more often cannot be read. */
const REDRAW_MS = 100;

/** Shows on a terminal how much of a simulation has been played, from when one begins to wonder. */
export function showProgress(durationMs: number, err: Sink, now: () => number = Date.now): Progress {
  const begun = now();
  let drawn: number | undefined;
  return {
    report(playedMs) {
      const time = now();
      if (!err.isTerminal || time - begun < PATIENCE_MS || (drawn !== undefined && time - drawn < REDRAW_MS)) return;
      drawn = time;
      const share = Math.floor((100 * playedMs) / durationMs);
      err.raw(`\r\u001b[Kplayed ${durationWords(playedMs)} of ${durationWords(durationMs)}, ${share} %`);
    },
    done() {
      if (drawn !== undefined) err.raw('\r\u001b[K');
    },
  };
}
