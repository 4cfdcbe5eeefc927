/** Runs one job at a time, on the newest input. */

export interface Latest<Input> {
  /** Asks for a run with this input. It replaces one that waits; a run that is under way ends first. */
  ask: (input: Input) => void;
  /** Nothing is told any more. */
  stop: () => void;
}

export interface LatestOptions<Input, Output> {
  run: (input: Input) => Promise<Output>;
  onResult: (output: Output, input: Input) => void;
  onError: (error: unknown, input: Input) => void;
  /** How long changes are gathered before a run, in milliseconds. */
  settleMs: number;
  /** How long a run can be put off by changes that keep coming, in milliseconds. */
  patienceMs: number;
}

export function latest<Input, Output>({ run, onResult, onError, settleMs, patienceMs }: LatestOptions<Input, Output>): Latest<Input> {
  let waiting: { input: Input } | undefined;
  let since: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isStopped = false;

  const begin = () => {
    timer = undefined;
    if (isRunning || isStopped || waiting === undefined) return;
    const { input } = waiting;
    waiting = undefined;
    since = undefined;
    isRunning = true;
    run(input)
      .then(
        (output) => { if (!isStopped) onResult(output, input); },
        (error: unknown) => { if (!isStopped) onError(error, input); },
      )
      .finally(() => {
        isRunning = false;
        begin();
      });
  };

  return {
    ask: (input) => {
      if (isStopped) return;
      waiting = { input };
      since ??= Date.now();
      clearTimeout(timer);
      timer = setTimeout(begin, Math.max(0, Math.min(settleMs, since + patienceMs - Date.now())));
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
