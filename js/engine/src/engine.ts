import { call } from './instance.js';
import type { Json } from './types.js';

/** Kubernetes YAML, read and written as the controller does. */
export interface Yaml {
  /** The first document of a text. Throws an `EngineError` with the place where the text is not YAML. */
  parse(text: string): Json;
  /** All documents of a text that say something. */
  parseAll(text: string): Json[];
  /** A value as the controller writes it, byte for byte. */
  write(value: Json): string;
}

/**
 * The engine. It has no state of its own: all engines of a page share one instance of the wasm.
 *
 * Integers beyond 2^53 are `bigint` in results, and may be in arguments.
 */
export class Engine {
  /** The version of the engine, which is the package's. */
  get version(): string {
    return call((abi) => abi.version());
  }

  /** Kubernetes YAML. */
  readonly yaml: Yaml = {
    parse: (text) => call((abi) => abi.yaml_parse(text) as Json),
    parseAll: (text) => call((abi) => abi.yaml_parse_all(text) as Json[]),
    write: (value) => call((abi) => abi.yaml_write(value)),
  };
}
