/** The one instance of the wasm: loading it, and throwing it away when it traps. */

import * as abi from './abi/abi.js';
import { EngineCrashed, EngineError, NotInitialized } from './errors.js';
import type { Diagnostic } from './types.js';

/** Where the wasm comes from: compiled, its bytes, a response of `fetch`, or an address. */
export type WasmSource = WebAssembly.Module | BufferSource | Response | URL | string;

let compiled: WebAssembly.Module | undefined;
let compiling: Promise<WebAssembly.Module> | undefined;
let alive = false;
let count = 0;

/** The exports of the wasm, with glue around them. */
export type Abi = typeof abi;

/** Which instance this is, from 1. What belongs to an earlier one is gone. */
export function generation(): number {
  return count;
}

/** Starts the instance unless it runs. `load` is called once, however many wait for it; a failed load may be repeated. */
export async function start(load: () => Promise<WebAssembly.Module>): Promise<void> {
  if (alive) return;
  if (compiled === undefined) {
    compiling ??= load();
    try {
      compiled = await compiling;
    } finally {
      compiling = undefined;
    }
  }
  // Another caller may have started it while this one waited.
  if (!isAlive()) {
    abi.initSync({ module: compiled });
    alive = true;
    count += 1;
  }
}

/** A function, for TypeScript would take `alive` to be as it was before an `await`. */
function isAlive(): boolean {
  return alive;
}

/** Calls into the wasm. */
export function call<T>(use: (exports: Abi) => T): T {
  if (!alive) throw new NotInitialized();
  try {
    return use(abi);
  } catch (thrown) {
    if (thrown instanceof EngineError) throw thrown;
    if (isRefusal(thrown)) throw new EngineError(thrown.code, thrown.message, thrown.problems);
    // A trap, a stack overflow, or an exception of the host's that unwound the wasm's frames: its memory is not to be
    // trusted any more.
    alive = false;
    throw new EngineCrashed(thrown);
  }
}

type Refusal = { code: string; message: string; problems?: Diagnostic[] };

function isRefusal(thrown: unknown): thrown is Refusal {
  return typeof thrown === 'object' && thrown !== null && !(thrown instanceof Error) && 'code' in thrown;
}

/** Compiles the wasm from wherever it is. */
export async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) return compileResponse(await fetch(source));
  if (typeof Response === 'function' && source instanceof Response) return compileResponse(source);
  return WebAssembly.compile(source as BufferSource);
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) {
    throw new EngineError('engine.unavailable', `the wasm cannot be loaded: ${response.status} from ${response.url}`);
  }
  // Streaming is refused unless the server names the type, which many do not.
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/wasm\b/i.test(type)) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
