import { Handle, freeing } from './handle.js';
import { call } from './instance.js';
import type { Behavior, CatalogAsset, CatalogContent, Diagnostic, Features, Tombstone } from './types.js';

/** What the autopilot applies, and when: a release's assets, features and tombstones. Made by `Engine.loadCatalog`. */
export class Catalog extends Handle {
  #content: CatalogContent | undefined;

  /** @internal */
  constructor(number: number) {
    super('catalog', number, freeing((abi, number) => { abi.catalog_free(number); }));
  }

  get #described(): CatalogContent {
    this.#content ??= call((abi) => abi.catalog_describe(this.number) as CatalogContent);
    return this.#content;
  }

  /** The release's name, or the one that was given. */
  get name(): string {
    return this.#described.name;
  }

  /** How the release's controller behaves. */
  get behavior(): Behavior {
    return this.#described.behavior;
  }

  /** The assets, in the order in which they are reconciled. */
  get assets(): readonly CatalogAsset[] {
    return this.#described.assets;
  }

  /** The objects that the controller deletes. */
  get tombstones(): readonly Tombstone[] {
    return this.#described.tombstones;
  }

  /** What is suspicious but no obstacle. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#described.diagnostics;
  }

  /** The features, as the controller lists them. */
  features(): Features {
    return this.#described.features;
  }

  /** The features as a table, for a terminal. */
  featuresText(): string {
    return call((abi) => abi.catalog_features_text(this.number));
  }

  /** The text of one of its files. */
  file(path: string): string | undefined {
    return call((abi) => abi.catalog_file(this.number, path));
  }

  /** The catalog as one file, which `Engine.loadCatalog` reads. */
  bundle(): string {
    return call((abi) => abi.catalog_bundle(this.number));
  }

  /** The same catalog as another release's controller would follow it. */
  withBehavior(behavior: Behavior): Catalog {
    return new Catalog(call((abi) => abi.catalog_with_behavior(this.number, behavior)));
  }
}
