import { Catalog } from './catalog.js';
import { Cluster } from './cluster.js';
import { call } from './instance.js';
import { ApiServer, Machine } from './machine.js';
import { Tools } from './tools.js';
import type {
  Behavior,
  CatalogFiles,
  Change,
  ClusterInput,
  Demo,
  DiffOptions,
  Json,
  MachineInput,
  ObjectsInput,
  Plan,
  PlanInput,
  RenderInput,
  RenderText,
  Rendering,
  Simulation,
  SimulationInput,
  UnifiedOptions,
} from './types.js';

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
 * The engine: what the autopilot would do to a cluster. It has no state of its own; all engines of a page share one
 * instance of the wasm.
 *
 * Integers beyond 2^53 are `bigint` in results, and may be in arguments.
 */
export class Engine {
  readonly #builtin = new Map<string, Catalog>();

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

  /** The parts of the engine one by one, for who makes tools of their own. */
  readonly tools = new Tools();

  /** The names of the built-in catalogs, the newest last. */
  catalogs(): string[] {
    return call((abi) => abi.catalog_names() as string[]);
  }

  /**
   * Loads a catalog: a built-in one by its name, the files of a release's folder, or a one-file bundle.
   *
   * Throws an `EngineError` that has everything that is wrong with it as `problems`.
   *
   * @param options for files: the catalog's name, and how the controller behaves that it is for
   */
  loadCatalog(
    source: string | CatalogFiles | { bundle: string | Uint8Array },
    options: { name?: string; behavior?: Behavior } = {},
  ): Catalog {
    const { name = 'custom', behavior } = options;
    if (typeof source === 'string' || isBundle(source)) {
      const loaded = new Catalog(
        call((abi) => (typeof source === 'string' ? abi.catalog_builtin(source) : abi.catalog_from_bundle(bytes(source.bundle)))),
      );
      return behavior === undefined || behavior === loaded.behavior ? loaded : loaded.withBehavior(behavior);
    }
    return new Catalog(call((abi) => abi.catalog_from_files(source, name, behavior ?? '4.23')));
  }

  /**
   * Keeps a cluster, for who asks about it again and again: a request that has it as its `cluster` need only have the
   * objects that are others by now.
   */
  cluster(input: ClusterInput): Cluster {
    return new Cluster(call((abi) => abi.cluster_new(request(input))));
  }

  /** Says for every asset whether the controller would render it, why or why not, and what it renders. */
  render(input: RenderInput): Rendering {
    const { number } = this.#catalog(input.catalog);
    return call((abi) => abi.render(number, request(input)) as Rendering);
  }

  /** A rendering in one of the controller's own formats. */
  renderText(input: RenderInput, format: RenderText): string {
    const { number } = this.#catalog(input.catalog);
    return call((abi) => abi.render_text(number, request(input), format));
  }

  /** Says what one pass of the controller would do: what would change, on which fields, taken from whom. */
  plan(input: PlanInput): Plan {
    const { number } = this.#catalog(input.catalog);
    const { objectsOf } = input;
    return call((abi) => abi.plan(number, { ...request(input), objectsOf: objectsOf && [...objectsOf] }) as Plan);
  }

  /** The metrics after the pass, in Prometheus' text format. */
  metricsText(input: PlanInput): string {
    const { number } = this.#catalog(input.catalog);
    return call((abi) => abi.plan_text(number, request(input), 'metrics'));
  }

  /** Plays the autopilot against others who write to the same objects, on a virtual clock. */
  simulate(input: SimulationInput): Simulation {
    const { number } = this.#catalog(input.catalog);
    const { actors, durationMs, maxEntries, onProgress } = input;
    const played = { ...request(input), actors: actors as unknown as Json[], durationMs, maxEntries };
    return call((abi) => abi.simulate(number, played, onProgress) as Simulation);
  }

  /**
   * Makes the controller's loop without a clock or a cluster.
   *
   * @param input with `state`, the loop goes on from there on these objects; with `liveSnapshot`, it is told of every
   * change at once, and takes objects from its snapshot rather than asking for them
   */
  machine(input: MachineInput): Machine {
    const { number } = this.#catalog(input.catalog);
    const { state, liveSnapshot = false } = input;
    const snapshot = { ...request(input), state };
    return new Machine(call((abi) => abi.machine_new(number, snapshot, liveSnapshot)));
  }

  /**
   * Makes a Kubernetes API server in memory that holds these objects.
   *
   * @param input with `schemaless`, it knows no kind's schema: lists are atomic, and whatever is written fits
   */
  apiServer(input: ClusterInput & { schemaless?: boolean }): ApiServer {
    const { schemaless } = input;
    return new ApiServer(call((abi) => abi.server_new({ ...request(input), schemaless })));
  }

  /** The fields that differ; `null` is an object that is not there. */
  diff(before: Json, after: Json, options?: DiffOptions): Change[] {
    return call((abi) => abi.diff_changes(before, after, options) as Change[]);
  }

  /** The difference as text, in the format of `diff -u`; empty where nothing differs. */
  unified(before: Json, after: Json, options?: UnifiedOptions): string {
    return call((abi) => abi.diff_unified(before, after, options));
  }

  /** The JSON Patch (RFC 6902) that makes one value of the other. */
  toPatch(before: Json, after: Json): Json {
    return call((abi) => abi.diff_patch(before, after) as Json);
  }

  /** The demo cluster, and the situations that it can be in. */
  demo(): Demo {
    return call((abi) => abi.demo() as Demo);
  }

  /** A catalog that is named is loaded once. */
  #catalog(catalog: Catalog | string): Catalog {
    if (typeof catalog !== 'string') return catalog;
    const known = this.#builtin.get(catalog);
    if (known?.isUsable === true) return known;
    const loaded = this.loadCatalog(catalog);
    this.#builtin.set(catalog, loaded);
    return loaded;
  }
}

function isBundle(source: CatalogFiles | { bundle: string | Uint8Array }): source is { bundle: string | Uint8Array } {
  return 'bundle' in source && Object.keys(source).length === 1;
}

function bytes(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

function request(input: ClusterInput & { options?: object }): Record<string, Json | undefined> {
  const { objects = [], cluster, options, images, namespace } = input;
  return { objects: list(objects), cluster: cluster?.number, options: options as Json | undefined, images, namespace };
}

/** The objects and texts as a list. */
function list(objects: ObjectsInput): Json[] {
  return (Array.isArray(objects) ? objects : [objects]) as Json[];
}
