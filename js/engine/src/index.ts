export { Engine } from './engine.js';
export { EngineCrashed, EngineError, NotInitialized } from './errors.js';
export type { WasmSource } from './instance.js';
export type * from './types.js';
