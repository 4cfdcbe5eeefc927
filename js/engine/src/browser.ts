/** The package in a browser, a worker or a bundle. */

import { Engine } from './engine.js';
import { type WasmSource, compile, start } from './instance.js';

export * from './index.js';

/**
 * Makes the engine ready. It may be called again, and twice at once: there is one instance.
 *
 * @param source where the wasm is; by default beside this module, where bundlers find it
 */
export async function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<Engine> {
  await start(async () => compile((await source) ?? new URL('./engine.wasm', import.meta.url)));
  return new Engine();
}
