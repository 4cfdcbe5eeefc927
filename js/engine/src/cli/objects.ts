import type { ClusterText } from './cluster.js';
import type { Engine } from '../engine.js';
import type { Json, KubeObject, ObjectRef } from '../types.js';
import { refOf } from './text/words.js';

/** The objects of a text, those of a list one by one. Throws where the text cannot be read. */
export function objectsOf(engine: Engine, text: string): KubeObject[] {
  const objects: KubeObject[] = [];
  for (const document of engine.yaml.parseAll(text)) collect(document, objects, undefined);
  return objects;
}

/** The cluster's texts with some objects put in the place of those of the same name, whatever the version of either. */
export function overlay(engine: Engine, texts: readonly ClusterText[], objects: readonly KubeObject[]): (ClusterText | KubeObject)[] {
  const replaced = new Set(objects.map((object) => nameOf(refOf(object))));
  const names = objects.map(({ metadata }) => metadata?.name ?? '');
  const rest = texts.flatMap((source): (ClusterText | KubeObject)[] => {
    // Most texts do not even mention one of the names, and need not be taken apart.
    if (!names.some((name) => source.text.includes(name))) return [source];
    const found = tryObjectsOf(engine, source.text);
    const kept = found?.filter((object) => !replaced.has(nameOf(refOf(object))));
    return found === undefined || kept === undefined || kept.length === found.length ? [source] : kept;
  });
  return [...rest, ...objects];
}

/** Where an object is, and the line of one of its annotations where that is certain. */
export function locate(engine: Engine, texts: readonly ClusterText[], wanted: ObjectRef, annotation?: string): string | undefined {
  const source = texts.find(
    ({ text }) =>
      text.includes(wanted.name) && tryObjectsOf(engine, text)?.some((object) => nameOf(refOf(object)) === nameOf(wanted)) === true,
  );
  if (source === undefined || annotation === undefined) return source?.file;
  const lines = source.text.split('\n');
  const hits = lines.flatMap((line, at) => (/^\s*["']?([^"'\s]+)["']?:/.exec(line)?.[1] === annotation ? [at + 1] : []));
  return hits.length === 1 ? `${source.file}:${hits[0] ?? ''}` : source.file;
}

function tryObjectsOf(engine: Engine, text: string): KubeObject[] | undefined {
  try {
    return objectsOf(engine, text);
  } catch {
    return undefined;
  }
}

/** What tells objects apart: the version of an API does not. */
function nameOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return JSON.stringify([group, kind, namespace, name]);
}

function collect(value: Json | undefined, into: KubeObject[], list: { apiVersion: string; kind: string } | undefined): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  // The items of a list of one kind may leave out what the list says already.
  const { apiVersion = list?.apiVersion, kind = list?.kind } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return;
  if (kind.endsWith('List') && Array.isArray(value['items'])) {
    for (const item of value['items']) collect(item, into, { apiVersion, kind: kind.slice(0, -'List'.length) });
  } else {
    into.push({ ...value, apiVersion, kind });
  }
}
