import { Handle, freeing } from './handle.js';
import { call } from './instance.js';
import type { Diagnostic } from './types.js';

/** A cluster that the engine keeps, so that only what is edited crosses to it again. Made by `Engine.cluster`. */
export class Cluster extends Handle {
  /** @internal */
  constructor(number: number) {
    super('cluster', number, freeing((abi, number) => { abi.cluster_free(number); }));
  }

  /** What was wrong with its objects. */
  get diagnostics(): readonly Diagnostic[] {
    return call((abi) => abi.cluster_diagnostics(this.number) as Diagnostic[]);
  }
}
