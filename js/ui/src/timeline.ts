/** Where the entries of a timeline stand on a chart. */

import type { Simulation, TimelineEntry } from './types.js';

export interface Mark {
  action: TimelineEntry['action'];
  /** From 0 to 1 along the axis. */
  at: number;
  /** How many entries of this action are drawn as one, since they stand too near. */
  count: number;
  first: TimelineEntry;
}

export interface Lane {
  actor: string;
  marks: Mark[];
}

export interface Chart {
  lanes: Lane[];
  ticks: { at: number; atMs: number }[];
  /** Spans in which an object is paused, from 0 to 1. */
  pauses: { from: number; to: number }[];
}

/** Places on the axis that marks of one action are gathered into. */
const SLOTS = 240;

/** The chart of the time from `fromMs` to `toMs`. */
export function chartOf(simulation: Simulation, fromMs: number, toMs: number, maxTicks = 6): Chart {
  const span = Math.max(1, toMs - fromMs);
  const place = (atMs: number) => Math.min(1, Math.max(0, (atMs - fromMs) / span));
  const lanes = new Map<string, Map<string, Mark>>();
  for (const entry of simulation.timeline) {
    const marks = lanes.get(entry.actor) ?? new Map<string, Mark>();
    lanes.set(entry.actor, marks);
    if (entry.atMs < fromMs || entry.atMs > toMs) continue;
    const key = `${entry.action} ${Math.round(place(entry.atMs) * SLOTS)}`;
    const mark = marks.get(key);
    if (mark) mark.count += 1;
    else marks.set(key, { action: entry.action, at: place(entry.atMs), count: 1, first: entry });
  }
  const pauses = simulation.verdicts.flatMap(({ pausedAtMs }) =>
    pausedAtMs === null || pausedAtMs > toMs ? [] : [{ from: place(pausedAtMs), to: 1 }],
  );
  return {
    lanes: [...lanes].map(([actor, marks]) => ({ actor, marks: [...marks.values()] })),
    ticks: ticksOf(fromMs, toMs, maxTicks).map((atMs) => ({ at: place(atMs), atMs })),
    pauses,
  };
}

/** The time that is worth looking at: until a little after the last entry. */
export function interestingEnd(simulation: Simulation): number {
  const last = simulation.timeline.at(-1)?.atMs ?? simulation.durationMs;
  return Math.min(simulation.durationMs, Math.max(1000, last * 1.15));
}

const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400].map((seconds) => seconds * 1000);

function ticksOf(fromMs: number, toMs: number, most: number): number[] {
  const step = STEPS.find((candidate) => (toMs - fromMs) / candidate <= most) ?? (toMs - fromMs) / most;
  const ticks: number[] = [];
  for (let atMs = Math.ceil(fromMs / step) * step; atMs <= toMs; atMs += step) ticks.push(atMs);
  return ticks;
}

/** A time as `1 h 05 min`, `2 min 10 s` or `4.5 s`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds % 60);
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
