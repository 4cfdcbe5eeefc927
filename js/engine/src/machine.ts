import { Handle, freeing } from './handle.js';
import { call } from './instance.js';
import type { ApiAnswer, ApiRequest, Effect, Json, KubeObject, MachineEvent } from './types.js';

/**
 * The controller's loop without a clock or a cluster: it is told what happens, and says what is to be done. Made by
 * `Engine.machine`.
 *
 * Carry out its effects in their order, answer those with an `id` by a `done` event, and wake it at `nextWakeup()`.
 */
export class Machine extends Handle {
  /** @internal */
  constructor(number: number) {
    super('machine', number, freeing((abi, number) => { abi.machine_free(number); }));
  }

  /** Takes in what happened. `now` is in milliseconds, of a clock that only goes forward. */
  handle(now: number, event: MachineEvent): Effect[] {
    return call((abi) => abi.machine_handle(this.number, now, event) as Effect[]);
  }

  /** When it wants a `tick`, in milliseconds; `null`: only when something happens. */
  nextWakeup(): number | null {
    return call((abi) => abi.machine_next_wakeup(this.number)) ?? null;
  }

  /** What it remembers besides the snapshot; `Engine.machine` goes on from it. */
  state(): Json {
    return call((abi) => abi.machine_state(this.number) as Json);
  }

  /** The metrics, as Prometheus reads them. */
  metrics(): string {
    return call((abi) => abi.machine_metrics(this.number));
  }
}

/** A Kubernetes API server in memory, as much of it as the loop needs. Made by `Engine.apiServer`. */
export class ApiServer extends Handle {
  /** @internal */
  constructor(number: number) {
    super('server', number, freeing((abi, number) => { abi.server_free(number); }));
  }

  /** The objects as they are. */
  objects(): KubeObject[] {
    return call((abi) => abi.server_objects(this.number) as KubeObject[]);
  }

  /** Carries out a request. */
  request(request: ApiRequest): ApiAnswer {
    return call((abi) => abi.server_call(this.number, request) as ApiAnswer);
  }
}
