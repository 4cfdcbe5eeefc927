/** The methods of the worker, over the engine. */

import type { Catalog, Cluster, Engine } from 'virt-autopilot';
import {
  type AnnotationEdit,
  type AssetPlan,
  type Json,
  type KubeObject,
  type ObjectTexts,
  type Override,
  type PayloadChange,
  type Plan,
  manifestOf,
  stringify,
  withoutNoise,
} from 'virt-autopilot-ui';

import type { TextFile } from '../files/dropped';
import { type CatalogChoice, GIT_PREFIX, HCO_FILE, OVERRIDES_FILE, keyOf } from '../session';
import { annotates, editsOf, objectsWith } from './edits';
import { gitFindings } from './git';
import { Listing } from './listing';
import { fieldsOf, opponentFields } from './opponent';
import { overrideFor, verdictOf } from './overrides';
import type { Answer, Intent, Methods, Overridable, PlanInput, SimulationInput, Started, Tried } from './protocol';
import { Readings, filesAsReadings, keyOfObject, mergeFiles } from './snapshot';

/** The newest input, read. */
interface Known {
  cluster: readonly TextFile[];
  git: readonly TextFile[];
  objects: KubeObject[];
  gitObjects: { file: string; object: KubeObject }[];
  edits: AnnotationEdit[];
  behavior: PlanInput['behavior'];
  plan: Plan | undefined;
}

export class EngineHost {
  readonly #engine: Engine;
  readonly #readings: Readings;
  #catalog: Catalog | undefined;
  /** The same under another behaviour. */
  #variant: Catalog | undefined;
  /** What is not being typed, kept by the engine so that it does not cross to it with each keystroke. */
  #kept: { objects: ReadonlySet<KubeObject>; cluster: Cluster } | undefined;
  /** The asset that was looked at last, whose objects come with the next plan. */
  #looked: string | undefined;
  readonly #listing = new Listing();
  readonly #known: Known = { cluster: [], git: [], objects: [], gitObjects: [], edits: [], behavior: null, plan: undefined };

  readonly methods: Methods = {
    start: () => this.#start(),
    plan: (input) => this.#plan(input),
    texts: (asset) => this.#texts(this.#asset(asset)),
    overridable: (asset) => this.#overridable(this.#asset(asset)),
    tryOverride: (asset, intent) => this.#tryOverride(this.#asset(asset), intent),
    addOverride: (overrides, override) => this.#addOverride(overrides, override),
    opponentManifest: (asset) => this.#opponentManifest(this.#asset(asset)),
    simulate: (input, manifest) => this.#simulate(input, manifest),
    metrics: () => this.#engine.metricsText(this.#request(this.#known.edits)),
    planText: (format) => this.#planText(format),
  };

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#readings = new Readings((text) => engine.yaml.parseAll(text));
  }

  #start(): Started {
    return { version: this.#engine.version, catalogs: this.#engine.catalogs(), demo: this.#engine.demo() };
  }

  #plan(input: PlanInput): Answer {
    const begun = performance.now();
    const known = this.#known;
    if (input.cluster) known.cluster = input.cluster;
    if (input.git) known.git = input.git.map(({ name, text }) => ({ name: `${GIT_PREFIX}${name}`, text }));
    if (input.catalog) this.#load(input.catalog);
    known.behavior = input.behavior;

    const hco = this.#readings.read(HCO_FILE, input.hco);
    const overrides = this.#readings.read(OVERRIDES_FILE, input.overrides);
    const cluster = filesAsReadings(this.#readings, known.cluster);
    const git = filesAsReadings(this.#readings, known.git);
    this.#readings.keep(new Set([HCO_FILE, OVERRIDES_FILE, ...[...known.cluster, ...known.git].map(({ name }) => name)]));

    known.objects = mergeFiles([...cluster, hco]);
    this.#keep(known.objects.filter((object) => !hco.objects.includes(object)));
    known.edits = editsOf(overrides.objects);
    known.gitObjects = git.flatMap(({ objects }, index) =>
      objects.map((object) => ({ file: known.git[index]?.name ?? '', object })),
    );
    const problems = [hco, overrides, ...cluster, ...git].flatMap((reading) => reading.problems);
    // What Git wants is compared with the objects of any asset.
    const plan = this.#planWith(known.edits, git.length > 0 ? undefined : [this.#looked ?? []].flat());
    known.plan = plan;
    problems.push(...gitFindings(plan, known.gitObjects, (before, after) => this.#engine.diff(before, after)));
    const took = performance.now() - begun;
    return { plan: this.#listing.changesOf(plan), problems, objects: known.objects.length, took };
  }

  #keep(objects: readonly KubeObject[]): void {
    if (this.#kept?.objects.size === objects.length && objects.every((object) => this.#kept?.objects.has(object))) return;
    this.#kept?.cluster.free();
    this.#kept = { objects: new Set(objects), cluster: this.#engine.cluster({ objects: [...objects] }) };
  }

  /** The plan with the objects of these assets, or of all. */
  #planWith(edits: AnnotationEdit[], objectsOf?: readonly string[]): Plan {
    return this.#engine.plan({ ...this.#request(edits), ...(objectsOf && { objectsOf }) });
  }

  /**
   * The objects with the annotations on them: then the engine knows their texts, and where in them something is wrong.
   * What annotates an object that is not there is left to the engine to complain about.
   */
  #request(edits: AnnotationEdit[]) {
    const { objects } = this.#known;
    const annotations = edits.filter((edit) => !objects.some((object) => annotates(edit, object)));
    const changed = objectsWith(objects, edits).filter((object) => !this.#kept?.objects.has(object));
    return { catalog: this.#usable(), ...(this.#kept && { cluster: this.#kept.cluster }), objects: changed, options: { annotations } };
  }

  /** The catalog under the chosen behaviour. */
  #usable(): Catalog {
    const { behavior } = this.#known;
    const own = (this.#catalog ??= this.#engine.loadCatalog('4.22'));
    if (behavior === null || behavior === own.behavior) return own;
    if (this.#variant?.behavior !== behavior) {
      this.#variant?.free();
      this.#variant = own.withBehavior(behavior);
    }
    return this.#variant;
  }

  /** Takes another catalog; one that cannot be read leaves the one before. */
  #load(choice: CatalogChoice): void {
    const catalog = this.#read(choice);
    this.#catalog?.free();
    this.#variant?.free();
    this.#catalog = catalog;
    this.#variant = undefined;
  }

  #read(choice: CatalogChoice): Catalog {
    if (choice.kind === 'builtIn') return this.#engine.loadCatalog(choice.name);
    const only = choice.files.length === 1 ? choice.files[0] : undefined;
    if (only && !only.name.includes('/')) return this.#engine.loadCatalog({ bundle: only.text });
    return this.#engine.loadCatalog(Object.fromEntries(choice.files.map(({ name, text }) => [name, text])), { name: choice.name });
  }

  /** An asset with its objects. */
  #asset(name: string): AssetPlan {
    const known = this.#known;
    const find = () => known.plan?.assets.find((other) => other.asset === name);
    if (find() && name !== this.#looked) {
      this.#looked = name;
      known.plan = this.#planWith(known.edits, [name]);
    }
    const asset = find();
    if (asset === undefined) throw new Error(`there is no asset \`${name}\` in the plan`);
    return asset;
  }

  #texts(asset: AssetPlan): ObjectTexts {
    const write = (object: KubeObject | null) => (object ? this.#engine.yaml.write(withoutNoise(object)) : null);
    return {
      live: write(asset.live),
      predicted: write(asset.predicted),
      desired: write(asset.desired),
      baseline: write(asset.baseline),
      payloads: asset.outcome.kind === 'create' && asset.predicted ? this.#payloads(asset.predicted) : [],
    };
  }

  /** What a new MachineConfig carries: the difference to one without files and units. */
  #payloads(created: KubeObject): PayloadChange[] {
    const bare = { config: { storage: { files: [] }, systemd: { units: [] } } };
    return this.#engine.diff({ ...created, spec: bare }, created).flatMap(({ payload }) => payload ?? []);
  }

  #overridable(asset: AssetPlan): Overridable {
    const object = asset.patched ?? asset.baseline;
    return { asset, text: object && this.#engine.yaml.write(object) };
  }

  #planText(format: 'json' | 'yaml'): string {
    const plan = (this.#known.plan ? this.#planWith(this.#known.edits) : null) as unknown as Json;
    return format === 'json' ? stringify(plan, 2) : this.#engine.yaml.write(plan);
  }

  #tryOverride(asset: AssetPlan, intent: Intent): Tried | null {
    const override = overrideFor(asset, intent, {
      engine: this.#engine,
      hco: objectsWith(this.#known.objects, this.#known.edits).find(({ kind }) => kind === 'HyperConverged'),
    });
    if (override === null) return null;
    const plan = this.#planWith([...this.#known.edits, ...editsOf([manifestOf(override)])], []);
    const after = plan.assets.find((other) => other.asset === asset.asset) ?? asset;
    return {
      override,
      manifest: this.#engine.yaml.write(manifestOf(override)),
      verdict: verdictOf(after, override, plan.diagnostics, intent),
    };
  }

  #addOverride(overrides: string, override: Override): string {
    const addition = manifestOf(override);
    const objects = this.#engine.yaml.parseAll(overrides) as KubeObject[];
    const same = objects.find((object) => keyOfObject(object) === keyOf(override.object));
    if (same?.metadata) {
      const annotations = same.metadata['annotations'];
      same.metadata['annotations'] = { ...(annotations as object | undefined), [override.annotation]: override.value };
    } else objects.push(addition);
    return objects.map((object) => this.#engine.yaml.write(object as Json)).join('---\n');
  }

  #opponentManifest(asset: AssetPlan): string {
    const inGit = asset.object && this.#known.gitObjects.find(({ object }) => asset.object && keyOfObject(object) === keyOf(asset.object));
    const fields = inGit ? inGit.object : opponentFields(asset);
    return fields ? this.#engine.yaml.write(fields) : '';
  }

  #simulate({ actors, durationMs }: SimulationInput, manifest: string) {
    const fields = fieldsOf(this.#engine.yaml.parse(manifest));
    const { options: _, ...request } = this.#request(this.#known.edits);
    return this.#engine.simulate({
      ...request,
      actors: actors.map((actor) => {
        if (actor.kind === 'person') return { ...actor, patch: fields };
        return actor.kind === 'webhook' ? { ...actor, defaults: fields } : { ...actor, fields };
      }),
      durationMs,
    });
  }
}
