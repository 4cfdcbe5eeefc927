import { EngineError } from './errors.js';
import { call, generation } from './instance.js';
import type { Behavior, CatalogAsset, CatalogContent, Diagnostic, Features, Tombstone } from './types.js';

/** Frees what JavaScript no longer holds, unless its instance is gone. */
const forgotten = new FinalizationRegistry<{ number: number; born: number }>(({ number, born }) => {
  if (born === generation()) call((abi) => { abi.catalog_free(number); });
});

/** What the autopilot applies, and when: a release's assets, features and tombstones. Made by `Engine.loadCatalog`. */
export class Catalog {
  readonly #number: number;
  readonly #born = generation();
  #freed = false;
  #content: CatalogContent | undefined;

  /** @internal */
  constructor(number: number) {
    this.#number = number;
    forgotten.register(this, { number, born: this.#born }, this);
  }

  /**
   * The number by which the wasm knows it.
   *
   * @internal
   */
  get number(): number {
    if (this.#freed) throw new EngineError('catalog.freed', 'the catalog was freed');
    if (this.#born !== generation()) {
      throw new EngineError('catalog.lost', 'the catalog was lost when the engine crashed; load it again');
    }
    return this.#number;
  }

  /**
   * Whether it was neither freed nor lost.
   *
   * @internal
   */
  get isUsable(): boolean {
    return !this.#freed && this.#born === generation();
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

  /** Frees its memory at once rather than when JavaScript forgets it. */
  free(): void {
    if (this.#freed) return;
    forgotten.unregister(this);
    if (this.#born === generation()) call((abi) => { abi.catalog_free(this.#number); });
    this.#freed = true;
  }
}
