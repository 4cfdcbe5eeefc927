import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { EngineError } from '../errors.js';
import type { Engine, Json, KubeObject, ObjectRef } from './contract.js';
import { Problem } from './problem.js';

/** What was read of a cluster. */
export interface Reading {
  objects: KubeObject[];
  /** Which file an object is from. */
  fileOf(object: ObjectRef): string | undefined;
  /** Files that were passed over although they look as if they belonged. */
  warnings: string[];
}

/** An object and the file that it is from. */
export interface Found {
  object: KubeObject;
  file: string;
}

/** How much of a text the engine reads at once. */
const ENGINE_BYTES = 10 << 20;
const MAX_FILE_BYTES = 256 << 20;
const MAX_FILES = 200_000;
const READABLE = /\.(ya?ml|json)$/i;

/** Kinds that fill a must-gather and that neither the controller nor a catalog ever looks at. */
const BULKY = /^(Event|Pod|PodNetworkConnectivityCheck|ReplicaSet|Endpoints|EndpointSlice|ControllerRevision|PackageManifest|ClusterServiceVersion|Lease)(List)?$/;

/** Reads objects from files, folders, and standard input (`-`). */
export async function readCluster(engine: Engine, paths: readonly string[]): Promise<{ found: Found[]; warnings: string[] }> {
  const found: Found[] = [];
  const warnings: string[] = [];
  for (const path of paths) {
    const before = found.length;
    let objects: KubeObject[] = [];
    if (path === '-') {
      objects = objectsOf(engine, await readStandardInput(), 'standard input');
    } else if ((await statNamed(path)).isDirectory()) {
      const folder = await readFolder(engine, path);
      found.push(...folder.found);
      warnings.push(...folder.warnings);
    } else {
      objects = await readObjects(engine, path);
    }
    found.push(...objects.map((object) => ({ object, file: path })));
    if (found.length === before) throw new Problem(`no Kubernetes object in ${path === '-' ? 'standard input' : path}`);
  }
  return { found, warnings };
}

/** The objects of several sources together; of two of one name the later one. */
export function reading(found: readonly Found[], warnings: string[]): Reading {
  const byName = new Map<string, Found>();
  for (const next of found) {
    const { apiVersion, kind, metadata } = next.object;
    const name = nameOf({ apiVersion, kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' });
    byName.delete(name);
    byName.set(name, next);
  }
  return {
    objects: Array.from(byName.values(), ({ object }) => object),
    fileOf: (object) => byName.get(nameOf(object))?.file,
    warnings,
  };
}

/** What tells objects apart: the version of an API does not. */
function nameOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return JSON.stringify([group, kind, namespace, name]);
}

/** Reads the objects of one file that was named, and refuses whatever is wrong with it. */
export async function readObjects(engine: Engine, path: string): Promise<KubeObject[]> {
  const objects = objectsOf(engine, await readNamed(path), path);
  if (objects.length > 0) return objects;
  throw new Problem(`no Kubernetes object in ${path}`, 'an object has `apiVersion`, `kind` and `metadata.name`');
}

/** Reads a text file that was named. */
export async function readNamed(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** What is at a path that was named. */
export async function statNamed(path: string): ReturnType<typeof stat> {
  try {
    return await stat(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Reads the objects of the files in a folder and below. What it cannot read it passes over. */
async function readFolder(engine: Engine, root: string): Promise<{ found: Found[]; warnings: string[] }> {
  const found: Found[] = [];
  const warnings: string[] = [];
  let files = 0;
  for await (const path of filesBelow(root, warnings)) {
    files += 1;
    if (files > MAX_FILES) throw new Problem(`${root} has more than ${MAX_FILES} files`, 'name a folder further down');
    try {
      const text = await readText(path);
      if (!mayMatter(text)) continue;
      found.push(...objectsOf(engine, text, path).map((object) => ({ object, file: path })));
    } catch (error) {
      warnings.push(`passed over ${error instanceof Problem ? error.message : `${path}: ${reason(error)}`}`);
    }
  }
  if (found.length === 0) {
    throw new Problem(`no Kubernetes object in ${root}`, [
      `${files} of its files end in .yaml, .yml or .json, and none has an object`,
      'a must-gather has its objects in folders named `cluster-scoped-resources` and `namespaces`',
    ]);
  }
  return { found, warnings };
}

/** The YAML and JSON files in a folder and below, in order of their names, so that two runs on one folder say the same. */
async function* filesBelow(root: string, warnings: string[]): AsyncGenerator<string> {
  const visited = new Set<string>();
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    try {
      // A link back to a folder above leads to one that was visited already.
      const real = await realpath(folder);
      if (visited.has(real)) continue;
      visited.add(real);
      const below: string[] = [];
      for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = join(folder, entry.name);
        const what = entry.isSymbolicLink() ? await stat(path).catch(() => entry) : entry;
        if (what.isDirectory()) below.push(path);
        else if (what.isFile() && READABLE.test(entry.name)) yield path;
      }
      waiting.push(...below.reverse());
    } catch (error) {
      if (folder === root) throw unreadable(root, error);
      warnings.push(`passed over ${folder}: ${reason(error)}`);
    }
  }
}

/** Whether a file of a folder may have an object that counts, told without parsing it. */
function mayMatter(text: string): boolean {
  if (!/apiVersion["']?\s*:/.test(text)) return false;
  if (text.includes('platform.kubevirt.io/')) return true;
  const kinds = Array.from(text.matchAll(/^kind: *([A-Za-z]+) *\r?$/gm), (kind) => kind[1] ?? '');
  return kinds.length === 0 || !kinds.every((kind) => BULKY.test(kind));
}

/** The objects of a text; those of a list one by one. */
export function objectsOf(engine: Engine, text: string, name: string): KubeObject[] {
  const objects: KubeObject[] = [];
  for (const document of documentsOf(engine, text, name)) collect(document, objects, undefined);
  return objects;
}

function collect(value: Json | undefined, into: KubeObject[], list: { apiVersion: string; kind: string } | undefined): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  // The items of a list of one kind may leave out what the list says already.
  const { apiVersion = list?.apiVersion, kind = list?.kind } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || kind === '') return;
  if (kind.endsWith('List') && Array.isArray(value['items'])) {
    for (const item of value['items']) collect(item, into, { apiVersion, kind: kind.slice(0, -'List'.length) });
    return;
  }
  const metadata = value['metadata'];
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return;
  if (typeof metadata['name'] === 'string') into.push({ ...value, apiVersion, kind } as KubeObject);
}

function documentsOf(engine: Engine, text: string, name: string): Json[] {
  const content = text.startsWith('\ufeff') ? text.slice(1) : text;
  const isJson = /^\s*[{[]/.test(content);
  try {
    if (content.length < ENGINE_BYTES / 3 || Buffer.byteLength(content) <= ENGINE_BYTES) return engine.yaml.parseAll(content);
    // Beyond what the engine reads at once, Node reads JSON itself, and a stream of YAML is read by its documents.
    if (isJson) return [JSON.parse(content) as Json];
    return content.split(/^---(?=\s)/m).flatMap((document) => engine.yaml.parseAll(document));
  } catch (error) {
    throw unparsable(name, content, error);
  }
}

/** A file that is no YAML or JSON: where, why, and the line itself. */
function unparsable(name: string, text: string, error: unknown): Problem {
  const problem = error instanceof EngineError ? error.problems[0] : undefined;
  const span = problem?.source?.span;
  const place = span === undefined ? name : `${name}:${span.line}:${span.column}`;
  const message = problem?.message ?? reason(error);
  const help: string[] = [];
  const line = span === undefined ? undefined : text.split('\n', span.line)[span.line - 1]?.trimEnd();
  if (span !== undefined && line !== undefined && line.length <= 200) help.push(`${span.line} | ${line}`);
  if (problem?.help !== undefined) help.push(problem.help);
  return new Problem(`${place}: ${message}`, help);
}

async function readText(path: string): Promise<string> {
  return textOf(createReadStream(path));
}

async function readStandardInput(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('reading objects from the terminal; end them with Ctrl-D\n');
  try {
    return await textOf(process.stdin);
  } catch (error) {
    throw new Problem(`cannot read standard input: ${reason(error)}`);
  }
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    size += part.length;
    // A stream has no size beforehand, and some never end.
    if (size > MAX_FILE_BYTES) throw new Error(`it has more than ${MAX_FILE_BYTES >> 20} MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function unreadable(path: string, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const help = code === 'ENOENT' ? ['check the path'] : code === 'EACCES' ? ['check who may read it'] : [];
  return new Problem(`cannot read ${path}: ${reason(error)}`, help);
}

/** Why a file could not be read, in words. */
function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const words: Record<string, string> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is no folder',
    ELOOP: 'its links go in a circle',
  };
  const known = typeof code === 'string' ? words[code] : undefined;
  return known ?? (error instanceof Error ? error.message : String(error));
}
