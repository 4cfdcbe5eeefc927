/** A small Kubernetes API in memory: objects, rights, faults, and a log of what it was asked. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

export interface Obj {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    [key: string]: unknown;
  };
  [key: string]: unknown;
}

export interface Model {
  kind: string;
  plural: string;
  apiGroup?: string;
  apiVersion: string;
  namespaced: boolean;
  abbr: string;
  label: string;
  labelPlural: string;
}

export interface Attributes {
  verb: string;
  group: string;
  resource: string;
  namespace: string;
  name: string;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** The repository's root, wherever the tests are started from. */
export const ROOT = join(import.meta.dirname, '../../..');

const NAMESPACED = new Set([
  'HyperConverged', 'Service', 'ServiceMonitor', 'PrometheusRule', 'KubeDescheduler', 'ForkliftController', 'MetalLB', 'ConfigMap',
  'NodeHealthCheck', 'ClusterServiceVersion', 'Widget',
]);
const PLURALS: Record<string, string> = { HyperConverged: 'hyperconvergeds', NodeHealthCheck: 'nodehealthchecks', MetalLB: 'metallbs', Infrastructure: 'infrastructures' };

export class FakeCluster {
  readonly models: Model[] = [];
  /** Whether the user may do something. */
  rights: (attributes: Attributes) => boolean = () => true;
  /** What the server makes of an apply; by default it merges it into what is there. */
  onApply: ((applied: Obj, live: Obj | undefined) => Answer) | undefined;
  readonly #objects = new Map<string, Obj>();
  readonly #watchers = new Set<(type: string, object: Obj) => void>();
  #version = 100_000;

  constructor(objects: readonly Obj[]) {
    for (const kind of ['v1 Service', 'v1 ConfigMap', 'machineconfiguration.openshift.io/v1 KubeletConfig', 'machineconfiguration.openshift.io/v1 MachineConfig', 'apiextensions.k8s.io/v1 CustomResourceDefinition', 'operators.coreos.com/v1alpha1 ClusterServiceVersion']) {
      this.#serve(kind.split(' ')[0] ?? '', kind.split(' ')[1] ?? '');
    }
    for (const object of objects) this.put(object);
  }

  /** Adds an object or replaces it, and tells who watches. */
  put(object: Obj): Obj {
    if (object.kind === 'CustomResourceDefinition') this.#serveCrd(object);
    this.#serve(object.apiVersion, object.kind);
    this.#version += 1;
    const key = keyOf(object);
    const known = this.#objects.get(key);
    const stored = {
      ...object,
      metadata: { ...object.metadata, uid: object.metadata.uid ?? known?.metadata.uid ?? `uid-${this.#version}`, resourceVersion: String(this.#version) },
    };
    this.#objects.set(key, stored);
    this.#tell(known ? 'MODIFIED' : 'ADDED', stored);
    return stored;
  }

  remove(kind: string, name: string): void {
    for (const [key, object] of this.#objects) {
      if (object.kind !== kind || object.metadata.name !== name) continue;
      this.#objects.delete(key);
      this.#tell('DELETED', object);
    }
  }

  /** Who watches an object in another version is told as well. */
  #tell(type: string, object: Obj): void {
    const { kind, metadata } = object;
    const others = this.models.filter((model) => kind === 'HyperConverged' && model.kind === kind && apiVersionOf(model) !== object.apiVersion);
    const all = [object, ...others.flatMap((model) => (type === 'DELETED' ? { ...object, apiVersion: apiVersionOf(model) } : (this.get(model, metadata.namespace ?? '', metadata.name) ?? [])))];
    for (const tell of this.#watchers) for (const told of all) tell(type, told);
  }

  find(kind: string, name: string): Obj | undefined {
    return [...this.#objects.values()].find((object) => object.kind === kind && object.metadata.name === name);
  }

  get(model: Model, namespace: string, name: string): Obj | undefined {
    const object = this.#objects.get([apiVersionOf(model), model.kind, namespace, name].join('|'));
    return object ?? this.#converted(model, namespace, name);
  }

  /** A HyperConverged is served in both versions. Of what moves between them, only the feature gates are converted. */
  #converted(model: Model, namespace: string, name: string): Obj | undefined {
    if (model.kind !== 'HyperConverged') return undefined;
    const stored = [...this.#objects.values()].find(({ kind, metadata }) => kind === model.kind && metadata.name === name && metadata.namespace === namespace);
    if (!stored) return undefined;
    const spec = stored.spec as { featureGates?: unknown } | undefined;
    return { ...stored, apiVersion: apiVersionOf(model), spec: { ...spec, ...(spec?.featureGates !== undefined && { featureGates: convertedGates(spec.featureGates) }) } };
  }

  list(model: Model, labelSelector: string | null): Obj[] {
    const [label, value] = labelSelector?.split('=') ?? [];
    return [...this.#objects.values()].filter(
      (object) =>
        object.apiVersion === apiVersionOf(model) && object.kind === model.kind && (label === undefined || (label.startsWith('!') ? object.metadata.labels?.[label.slice(1)] === undefined : object.metadata.labels?.[label] === value)),
    );
  }

  watch(tell: (type: string, object: Obj) => void): () => void {
    this.#watchers.add(tell);
    return () => this.#watchers.delete(tell);
  }

  modelOf(group: string, version: string, plural: string): Model | undefined {
    return this.models.find((model) => (model.apiGroup ?? '') === group && model.apiVersion === version && model.plural === plural);
  }

  /** The console's models under the keys that it keeps them by. */
  consoleModels(): Record<string, Model> {
    return Object.fromEntries(this.models.map((model) => [model.apiGroup ? `${model.apiGroup}~${model.apiVersion}~${model.kind}` : model.kind, model]));
  }

  dropKind(kind: string): void {
    for (let index = this.models.length - 1; index >= 0; index -= 1) {
      if (this.models[index]?.kind === kind) this.models.splice(index, 1);
    }
  }

  #serve(apiVersion: string, kind: string): void {
    const [first = '', second] = apiVersion.split('/');
    const [group, version] = second === undefined ? ['', first] : [first, second];
    const plural = PLURALS[kind] ?? (/(s|x|ch)$/.test(kind) ? `${kind.toLowerCase()}es` : `${kind.toLowerCase()}s`);
    this.#addModel({ kind, plural, ...(group && { apiGroup: group }), apiVersion: version, namespaced: NAMESPACED.has(kind), abbr: kind.slice(0, 2), label: kind, labelPlural: plural });
  }

  #serveCrd({ spec }: Obj): void {
    const { group, names, scope, versions } = spec as {
      group: string;
      names: { kind: string; plural: string };
      scope: string;
      versions: { name: string; served?: boolean }[];
    };
    for (const { name, served } of versions) {
      if (served === false) continue;
      this.#addModel({ kind: names.kind, plural: names.plural, apiGroup: group, apiVersion: name, namespaced: scope === 'Namespaced', abbr: '', label: names.kind, labelPlural: names.plural });
    }
  }

  #addModel(model: Model): void {
    if (!this.models.some((other) => other.kind === model.kind && other.apiGroup === model.apiGroup && other.apiVersion === model.apiVersion)) this.models.push(model);
  }
}

function convertedGates(gates: unknown): unknown {
  if (Array.isArray(gates)) {
    return Object.fromEntries((gates as { name: string; state?: string }[]).map(({ name, state }) => [name, state !== 'Disabled']));
  }
  return Object.entries(gates as Record<string, boolean>).map(([name, isOn]) => ({ name, state: isOn ? 'Enabled' : 'Disabled' }));
}

/** The demo cluster of the repository, with a situation laid over it. */
export function demoObjects(situation?: string): Obj[] {
  const base = [...documentsOf('core/demo/cluster.yaml'), ...documentsOf('core/demo/crds.yaml')];
  const over = situation === undefined ? [] : documentsOf(`core/demo/situations/${situation}.yaml`);
  const changed = new Set(over.map(nameOf));
  return [...base.filter((object) => !changed.has(nameOf(object))), ...over];
}

export function documentsOf(path: string): Obj[] {
  return parseAllDocuments(readFileSync(join(ROOT, path), 'utf8'))
    .map((document) => document.toJS() as Obj | null)
    .filter((object) => object !== null);
}

export function apiVersionOf({ apiGroup, apiVersion }: Model): string {
  return apiGroup ? `${apiGroup}/${apiVersion}` : apiVersion;
}

function keyOf({ apiVersion, kind, metadata }: Obj): string {
  return [apiVersion, kind, metadata.namespace ?? '', metadata.name].join('|');
}

/** Regardless of the version, for a situation may bring an object in another one. */
function nameOf({ kind, metadata }: Obj): string {
  return [kind, metadata.namespace ?? '', metadata.name].join('|');
}

/** A stand-in for server-side apply where only maps meet. */
export function mergeInto(live: unknown, applied: unknown): unknown {
  if (typeof live !== 'object' || typeof applied !== 'object' || live === null || applied === null || Array.isArray(live) || Array.isArray(applied)) return applied;
  const result: Record<string, unknown> = { ...live };
  for (const [key, value] of Object.entries(applied)) result[key] = mergeInto(result[key], value);
  return result;
}
