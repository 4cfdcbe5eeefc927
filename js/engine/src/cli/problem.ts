import type { Diagnostic } from '../types.js';

/** What ends the command: one sentence on what is wrong, and what to do next. */
export class Problem extends Error {
  readonly help: readonly string[];
  /** Everything that is wrong, where there is more than the message says. */
  readonly findings: readonly Diagnostic[];

  constructor(message: string, help: string | readonly string[] = [], findings: readonly Diagnostic[] = []) {
    super(message);
    this.name = 'Problem';
    this.help = typeof help === 'string' ? [help] : help;
    this.findings = findings;
  }
}

/** What the process ends with. */
export const EXIT = {
  /** Everything asked for was done. */
  done: 0,
  /** The answer is not all good: some asset has an error, or there are differences. */
  findings: 1,
  /** Wrong use, or input that cannot be used. */
  unusable: 2,
} as const;
