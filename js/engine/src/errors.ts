import type { Diagnostic } from './types.js';

/** A request that the engine cannot serve. What is wrong with the *content* of a cluster is told by diagnostics instead. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
  /** Stable, dotted name of what is wrong, for example `catalog.invalid`. */
  readonly code: string;
  /** Everything that is wrong, where the engine knows more than the message says. */
  readonly problems: readonly Diagnostic[];

  constructor(code: string, message: string, problems: readonly Diagnostic[] = [], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.problems = problems;
  }
}

/** The engine was used before `await init()`. */
export class NotInitialized extends EngineError {
  override readonly name = 'NotInitialized';

  constructor() {
    super('engine.not-initialized', 'the engine is not ready; call `await init()` first');
  }
}

/** The engine trapped, which is a bug of ours. The instance is gone; `await init()` starts a new one. */
export class EngineCrashed extends EngineError {
  override readonly name = 'EngineCrashed';

  constructor(cause: unknown) {
    super('engine.crashed', 'the engine crashed and was thrown away; `await init()` starts it anew', [], { cause });
  }
}
