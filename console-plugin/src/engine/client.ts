/** Reaches the engine: in a worker, or on the page's own thread where a worker may not be. */

import { type Answer, type Ask, EngineFault, type Operation, READY, type ReplyMessage, type RequestMessage } from './protocol';

export interface EngineClient {
  place: 'worker' | 'page';
  catalogs: readonly string[];
  call: <O extends Operation>(operation: O, ask: Ask<O>) => Promise<Answer<O>>;
}

interface EngineHost {
  place: 'worker' | 'page';
  catalogs: readonly string[];
  call: Call;
  /** Ends it, and with it every session. */
  end: () => void;
}

type Call = <O extends Operation>(session: number, operation: O, ask: Ask<O>) => Promise<Answer<O>>;
type Place = Pick<EngineHost, 'call' | 'end' | 'place'>;

/** How long a worker may take to say that it listens. */
const WORKER_PATIENCE_MS = 10_000;

let running: Promise<EngineHost> | undefined;
let lastSession = 0;

/** A session with the one engine of the page, which is loaded when it is first asked for. */
export async function openEngine(): Promise<EngineClient> {
  running ??= start().catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  const { place, catalogs, call } = await running;
  lastSession += 1;
  const session = lastSession;
  return { place, catalogs, call: (operation, ask) => call(session, operation, ask) };
}

/** Throws the engine away, for example after a crash. The next session starts a new one. */
export async function endEngine(): Promise<void> {
  const ended = running;
  running = undefined;
  await ended?.then(({ end }) => { end(); }, () => undefined);
}

async function start(): Promise<EngineHost> {
  const place = await inWorker().catch(onPage);
  try {
    const { catalogs } = await place.call(0, 'start', {});
    return { ...place, catalogs };
  } catch (error) {
    place.end();
    throw error;
  }
}

async function inWorker(): Promise<Place> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { name: 'virt-autopilot-engine' });
  const pending = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let last = 0;

  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => { reject(new Error('the worker does not answer')); }, WORKER_PATIENCE_MS);
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data !== READY) return;
      clearTimeout(timer);
      resolve();
    });
    worker.addEventListener('error', () => {
      clearTimeout(timer);
      reject(new Error('the worker cannot be loaded'));
      // Whoever still waits would wait for ever.
      for (const { reject: fail } of pending.values()) fail(new EngineFault({ kind: 'crashed', message: 'the worker broke down', problems: [] }));
      pending.clear();
    });
  }).catch((error: unknown) => {
    worker.terminate();
    throw error;
  });

  worker.addEventListener('message', ({ data }: MessageEvent<ReplyMessage | typeof READY>) => {
    if (data === READY) return;
    const waiting = pending.get(data.id);
    pending.delete(data.id);
    if ('fault' in data) waiting?.reject(new EngineFault(data.fault));
    else waiting?.resolve(data.answer as never);
  });

  return {
    place: 'worker',
    call: (session, operation, ask) =>
      new Promise((resolve, reject) => {
        last += 1;
        pending.set(last, { resolve, reject });
        worker.postMessage({ id: last, session, operation, ask } satisfies RequestMessage);
      }),
    end: () => { worker.terminate(); },
  };
}

async function onPage(): Promise<Place> {
  const { faultFrom, serve } = await import('./serve');
  return {
    place: 'page',
    call: (session, operation, ask) =>
      serve(session, operation, ask).catch((thrown: unknown) => {
        throw new EngineFault(faultFrom(thrown));
      }),
    end: () => undefined,
  };
}
