import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { Problem } from './problem.js';

/** A text with Kubernetes objects, and where it is from. */
export interface ClusterText {
  file: string;
  text: string;
  /** It was named itself, rather than found in a folder: what is wrong with it is an error. */
  named: boolean;
}

/** YAML that is longer is read in pieces: the engine takes at most 10 MiB, and a million nodes, at once. */
const PIECE_LENGTH = 4 << 20;
const MAX_FILE_BYTES = 256 << 20;
const MAX_FILES = 200_000;
const READABLE = /\.(ya?ml|json)$/i;
const OBJECT = /apiVersion["']?\s*:/;

/** Kinds that fill a must-gather and that neither the controller nor a catalog ever looks at. */
const BULKY =
  /^(Event|Pod|PodNetworkConnectivityCheck|ReplicaSet|Endpoints|EndpointSlice|ControllerRevision|PackageManifest|Lease)(List)?$/;

/** Reads the texts of files, folders, and standard input (`-`). */
export async function readCluster(paths: readonly string[], warn: (message: string) => void): Promise<ClusterText[]> {
  const texts: ClusterText[] = [];
  for (const path of paths) {
    if (path === '-') texts.push(...named('standard input', await readStandardInput()));
    else if ((await statNamed(path)).isDirectory()) texts.push(...(await readFolder(path, warn)));
    else texts.push(...named(path, await readNamed(path)));
  }
  return texts;
}

/** The text of a source that was named, which must have an object. */
export function named(file: string, text: string): ClusterText[] {
  if (text.trim() === '') throw new Problem(`${file} is empty`, 'it must have Kubernetes objects, as `oc get … -o yaml` prints them');
  if (!OBJECT.test(text)) throw new Problem(`no Kubernetes object in ${file}`, 'an object has `apiVersion`, `kind` and `metadata.name`');
  return pieces({ file, text, named: true });
}

/** Reads a text file that was named. */
export async function readNamed(path: string): Promise<string> {
  try {
    return await textOf(createReadStream(path));
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

/** Reads the files in a folder and below that may matter. What it cannot read it passes over. */
async function readFolder(root: string, warn: (message: string) => void): Promise<ClusterText[]> {
  const texts: ClusterText[] = [];
  let files = 0;
  for await (const path of filesBelow(root, warn)) {
    files += 1;
    if (files > MAX_FILES) throw new Problem(`${root} has more than ${MAX_FILES} files`, 'name a folder further down');
    try {
      const text = await textOf(createReadStream(path));
      if (mayMatter(text)) texts.push(...pieces({ file: path, text, named: false }));
    } catch (error) {
      warn(`passed over ${path}: ${reason(error)}`);
    }
  }
  if (texts.length === 0) {
    throw new Problem(`no Kubernetes object in ${root}`, [
      `of the files in it, ${files} end in .yaml, .yml or .json, and none has an object that matters`,
      'a must-gather has its objects in folders named `cluster-scoped-resources` and `namespaces`',
    ]);
  }
  return texts;
}

/** The YAML and JSON files in a folder and below, in order of their names, so that two runs on one folder say the same. */
async function* filesBelow(root: string, warn: (message: string) => void): AsyncGenerator<string> {
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
      warn(`passed over ${folder}: ${reason(error)}`);
    }
  }
}

/** Whether a file of a folder may have an object that counts, told without parsing it. */
function mayMatter(text: string): boolean {
  if (!OBJECT.test(text)) return false;
  if (text.includes('platform.kubevirt.io/')) return true;
  const kinds = Array.from(text.matchAll(/^kind: *([A-Za-z]+) *\r?$/gm), (kind) => kind[1] ?? '');
  return kinds.length === 0 || !kinds.every((kind) => BULKY.test(kind));
}

/** A YAML text that is too long for the engine to read at once, by its documents and the items of its lists. */
function pieces(whole: ClusterText): ClusterText[] {
  const { file, text } = whole;
  // JSON has no such limit.
  if (text.length <= PIECE_LENGTH || /^\s*[{[]/.test(text)) return [whole];
  const parts: ClusterText[] = [];
  let line = 1;
  for (const document of text.split(/^---(?=\s)/m)) {
    for (const { start, part } of document.length <= PIECE_LENGTH ? [{ start: 0, part: document }] : listPieces(document)) {
      parts.push({ ...whole, file: `${file} (from line ${line + start})`, text: part });
    }
    line += document.split('\n').length - 1;
  }
  return parts;
}

/** The items of a list as `oc get -o yaml` writes it, a part of them at a time, each as a list of the same kind. */
function listPieces(document: string): { start: number; part: string }[] {
  const lines = document.split('\n');
  const first = lines.indexOf('items:') + 1;
  const end = lines.findIndex((line, at) => at >= first && !/^( |-|$)/.test(line));
  if (first === 0) return [{ start: 0, part: document }];
  const last = end === -1 ? lines.length : end;
  const head = [...lines.slice(0, first - 1), ...lines.slice(last)].filter((line) => line.trim() !== '...').join('\n');
  const parts: { start: number; part: string }[] = [];
  let start = first;
  let length = 0;
  for (let at = first; at <= last; at++) {
    const line = lines[at] ?? '';
    if (at === last || (line.startsWith('-') && length > PIECE_LENGTH / 2)) {
      parts.push({ start, part: `${head}\nitems:\n${lines.slice(start, at).join('\n')}\n` });
      start = at;
      length = 0;
    }
    length += line.length;
  }
  return parts;
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
  const text = Buffer.concat(parts).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function unreadable(path: string, error: unknown): Problem {
  return new Problem(`cannot read ${path}: ${reason(error)}`);
}

/** Why a file could not be read, in words. */
function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const words: Record<string, string> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is no folder',
    ELOOP: 'its links go in a circle',
  };
  return words[code] ?? (error instanceof Error ? error.message : String(error));
}
