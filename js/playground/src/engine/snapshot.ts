/** The objects of all input texts, read once per text. */

import type { Diagnostic, Json, KubeObject } from 'virt-autopilot-ui';

import type { TextFile } from '../files/dropped';
import { keyOf } from '../session';

interface Reading {
  text: string;
  objects: KubeObject[];
  problems: Diagnostic[];
}

/** Reads the documents of a text; what it throws has the place. */
export type Parse = (text: string) => Json[];

export class Readings {
  readonly #parse: Parse;
  readonly #known = new Map<string, Reading>();

  constructor(parse: Parse) {
    this.#parse = parse;
  }

  /**
   * The objects of a text. Its mistakes become findings that name the file; while it cannot be read, its objects are
   * those of the last text that could, so that a half-typed line does not empty the plan.
   */
  read(file: string, text: string): Reading {
    const known = this.#known.get(file);
    if (known?.text === text) return known;
    const reading: Reading = { text, objects: known?.objects ?? [], problems: [] };
    try {
      reading.objects = this.#parse(text).flatMap(objectsOf);
    } catch (thrown) {
      reading.problems = problemsOf(thrown, file);
    }
    this.#known.set(file, reading);
    return reading;
  }

  /** Forgets the texts of files that are gone. */
  keep(files: ReadonlySet<string>): void {
    for (const file of this.#known.keys()) if (!files.has(file)) this.#known.delete(file);
  }
}

/** Later files win over earlier ones; inside of a file the engine judges. */
export function mergeFiles(files: readonly { objects: readonly KubeObject[] }[]): KubeObject[] {
  const fileOf = new Map<string, number>();
  files.forEach(({ objects }, index) => {
    for (const object of objects) fileOf.set(keyOfObject(object), index);
  });
  return files.flatMap(({ objects }, index) => objects.filter((object) => fileOf.get(keyOfObject(object)) === index));
}

export function filesAsReadings(readings: Readings, files: readonly TextFile[]): Reading[] {
  return files.map(({ name, text }) => readings.read(name, text));
}

export function keyOfObject({ apiVersion, kind, metadata }: KubeObject): string {
  return keyOf({ apiVersion, kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' });
}

/** Lists are taken apart, and what is no object is left to the engine to complain about. */
function objectsOf(value: Json): KubeObject[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const items = value['items'];
  if (Array.isArray(items) && typeof value['kind'] === 'string' && value['kind'].endsWith('List')) return items.flatMap(objectsOf);
  return typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string' ? [value as KubeObject] : [];
}

function problemsOf(thrown: unknown, file: string): Diagnostic[] {
  const problems = (thrown as { problems?: readonly Diagnostic[] }).problems ?? [];
  if (problems.length > 0) return problems.map((problem) => ({ ...problem, source: { ...problem.source, file } }));
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return [{ code: 'input.unreadable', severity: 'error', message, source: { file } }];
}
