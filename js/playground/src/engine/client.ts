/** The worker as the page sees it: calls that answer later, of which the newest plan wins. */

import type { Diagnostic } from 'virt-autopilot-ui';

import type { Failure, Method, Methods, Request, Response, Result } from './protocol';

/** What the engine said no to. */
export class EngineFailure extends Error {
  readonly code: string;
  readonly problems: readonly Diagnostic[];

  constructor({ code, message, problems }: Failure) {
    super(message);
    this.code = code;
    this.problems = problems;
  }
}

/** After this long the engine counts as hung, and is started anew. */
const PATIENCE = 30_000;

interface Waiting {
  resolve: (result: never) => void;
  reject: (reason: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

export class EngineClient {
  #worker: Worker | undefined;
  #id = 0;
  readonly #waiting = new Map<number, Waiting>();
  /** Counts the workers, so that a caller knows when it must send everything again. */
  generation = 0;

  call<M extends Method>(method: M, ...args: Parameters<Methods[M]>): Promise<Result<M>> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#id;
    return new Promise<Result<M>>((resolve, reject) => {
      const timer = setTimeout(() => { this.#abandon('engine.timeout'); }, PATIENCE);
      this.#waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ id, method, args } satisfies Request);
    });
  }

  #start(): Worker {
    this.generation += 1;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'engine' });
    worker.onmessage = ({ data }: MessageEvent<Response>) => {
      const waiting = this.#waiting.get(data.id);
      if (waiting === undefined) return;
      clearTimeout(waiting.timer);
      this.#waiting.delete(data.id);
      if ('failure' in data) waiting.reject(new EngineFailure(data.failure));
      else waiting.resolve(data.result as never);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#abandon('engine.unavailable', event.message);
    };
    return worker;
  }

  #abandon(code: string, message = code): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new EngineFailure({ code, message, problems: [] }));
    }
    this.#waiting.clear();
  }
}

/** Runs one job at a time; of those that come meanwhile only the newest is run. */
export function newestWins<Input>(job: (input: Input) => Promise<void>): (input: Input) => void {
  let running = false;
  let next: { input: Input } | undefined;
  const run = async (input: Input) => {
    running = true;
    for (let current: { input: Input } | undefined = { input }; current; ) {
      await job(current.input);
      current = next;
      next = undefined;
    }
    running = false;
  };
  return (input) => {
    if (running) next = { input };
    else void run(input);
  };
}
