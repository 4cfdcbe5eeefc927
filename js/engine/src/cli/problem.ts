/** What ends the command: one sentence on what is wrong, and what to do next. */
export class Problem extends Error {
  readonly help: readonly string[];
  readonly exitCode: number;

  constructor(message: string, help: string | readonly string[] = [], exitCode: number = EXIT.unusable) {
    super(message);
    this.name = 'Problem';
    this.help = typeof help === 'string' ? [help] : help;
    this.exitCode = exitCode;
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
