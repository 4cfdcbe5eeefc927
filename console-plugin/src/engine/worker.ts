/** The engine in a worker, so that the page never waits for it. */

import { READY, type ReplyMessage, type RequestMessage } from './protocol';
import { faultFrom, serve } from './serve';

/** The part of a worker's global scope that is used. The page's own library is loaded for types, not a worker's. */
interface WorkerScope {
  addEventListener: (type: 'message', listener: (event: MessageEvent<RequestMessage>) => void) => void;
  postMessage: (message: ReplyMessage | typeof READY) => void;
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener('message', ({ data: { id, session, operation, ask } }) => {
  serve(session, operation, ask as never).then(
    (answer) => { scope.postMessage({ id, answer }); },
    (thrown: unknown) => { scope.postMessage({ id, fault: faultFrom(thrown) }); },
  );
});
scope.postMessage(READY);
