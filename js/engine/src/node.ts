/** The package in Node, where the wasm is read from the file beside. */

import { readFile } from 'node:fs/promises';

import { Engine } from './engine.js';
import { type WasmSource, compile, start } from './instance.js';

export * from './index.js';

/**
 * Makes the engine ready. It may be called again, and twice at once: there is one instance.
 *
 * @param source where the wasm is; by default the file beside this module
 */
export async function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<Engine> {
  await start(async () => compile((await source) ?? (await readFile(new URL('./engine.wasm', import.meta.url)))));
  return new Engine();
}
