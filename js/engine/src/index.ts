export { Catalog } from './catalog.js';
export { Cluster } from './cluster.js';
export { Engine } from './engine.js';
export { EngineCrashed, EngineError, NotInitialized } from './errors.js';
export type { WasmSource } from './instance.js';
export { ApiServer, Machine } from './machine.js';
export type { Tools } from './tools.js';
export type * from './types.js';
