import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';

import { EngineError } from '../errors.js';
import { readNamed, statNamed } from './cluster.js';
import type { Catalog } from '../catalog.js';
import type { Engine } from '../engine.js';
import type { Behavior } from '../types.js';
import { Problem } from './problem.js';
import { suggestion } from './suggest.js';
import { placeWords } from './text/findings.js';

const DEFAULT = '4.22';
const METADATA = 'active/metadata.yaml';
const MAX_FILES = 10_000;

/** The catalog that an argument names: a built-in one, a folder in a release's own format, or a bundle. */
export async function openCatalog(engine: Engine, name = DEFAULT, behavior?: Behavior): Promise<Catalog> {
  const options = behavior === undefined ? {} : { behavior };
  const builtin = engine.catalogs();
  if (builtin.includes(name)) return engine.loadCatalog(name, options);
  if ((await stat(name).catch(() => undefined)) === undefined) {
    const near = suggestion(name, builtin);
    throw new Problem(`no catalog \`${name}\`: it is not built in, and there is no such folder or file`, near);
  }
  try {
    if (!(await statNamed(name)).isDirectory()) return engine.loadCatalog({ bundle: await readNamed(name) }, options);
    return engine.loadCatalog(await catalogFiles(name), { name: basename(resolve(name)), ...options });
  } catch (error) {
    throw error instanceof EngineError ? unusable(name, error) : error;
  }
}

/** A catalog's folder as paths and contents. */
export async function catalogFiles(folder: string): Promise<Record<string, Uint8Array>> {
  if (!(await isFile(join(folder, METADATA)))) throw await noCatalog(folder);
  const files: Record<string, Uint8Array> = {};
  let number = 0;
  for (const part of ['active', 'tombstones']) {
    const root = join(folder, part);
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (!(await isFile(path))) continue;
      number += 1;
      if (number > MAX_FILES) throw new Problem(`${folder} has more than ${MAX_FILES} files`, 'name the folder of one catalog');
      files[relative(folder, path).split(sep).join('/')] = await readFile(path);
    }
  }
  return files;
}

async function noCatalog(folder: string): Promise<Problem> {
  const help = [`a catalog has the file ${METADATA}, and what it names, in the folders active and tombstones`];
  for (const nested of ['assets', 'catalog']) {
    if (await isFile(join(folder, nested, METADATA))) help.unshift(`did you mean \`${join(folder, nested)}\`?`);
  }
  if (await isFile(join(folder, 'metadata.yaml'))) help.unshift(`did you mean \`${join(folder, '..')}\`?`);
  return new Problem(`${folder} is no catalog: it has no ${METADATA}`, help);
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

/** A catalog that the engine refuses, with all that is wrong with it. */
function unusable(name: string, error: EngineError): Problem {
  const help = error.problems.map(({ message, source, help: next }) => {
    const place = source === undefined ? '' : placeWords(source, () => undefined);
    return `${place === '' ? '' : `${place}: `}${message}${next === undefined ? '' : ` (${next})`}`;
  });
  return new Problem(`the catalog ${name} cannot be used${help.length === 0 ? `: ${error.message}` : ''}`, help, error.problems);
}
