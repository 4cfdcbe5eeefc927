/** What people drop or choose, as texts: files, folders and archives. */

import { TooLarge, inflate } from './inflate';
import { isTar, readTar } from './tar';
import { isZip, readZip } from './zip';

export interface TextFile {
  name: string;
  text: string;
}

/** What all the texts together may come to, in bytes. */
export const MAX_INPUT = 64_000_000;

/** What was read, and what was passed over because it is no manifest. */
export interface Reading {
  files: TextFile[];
  skipped: number;
}

/** Manifests of a cluster, as a must-gather has them beside logs and binaries. */
const MANIFEST = /\.(ya?ml|json)$/i;
/** A catalog has templates besides, and files that its templates read. */
const CATALOG = /(^|\/)(active|tombstones)\//;

/** Manifests among the files. Archives are opened wherever they are. */
export async function readManifests(files: readonly PathFile[]): Promise<Reading> {
  return read(files, (path) => MANIFEST.test(path) && !isHidden(path));
}

/** A catalog's folder: everything below the folder that holds `active/metadata.yaml`, by path. */
export async function readCatalog(files: readonly PathFile[]): Promise<Reading> {
  const { files: all, skipped } = await read(files, (path) => CATALOG.test(path) && !isHidden(path));
  const root = all.find(({ name }) => name.endsWith('active/metadata.yaml'))?.name.slice(0, -'active/metadata.yaml'.length) ?? '';
  const below = all.filter(({ name }) => name.startsWith(root)).map(({ name, text }) => ({ name: name.slice(root.length), text }));
  return { files: below, skipped: skipped + all.length - below.length };
}

/** A file with the path that it has in the folder that was dropped. */
export interface PathFile {
  path: string;
  file: Blob;
}

/** What a drop holds, folders included. It must be called before the event is over. */
export async function filesOfDrop(transfer: DataTransfer): Promise<PathFile[]> {
  const roots = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (roots.length === 0) return filesOfList(transfer.files);
  return (await Promise.all(roots.map(filesOfEntry))).flat();
}

export function filesOfList(list: Iterable<File>): PathFile[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function filesOfEntry(entry: FileSystemEntry): Promise<PathFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => { (entry as FileSystemFileEntry).file(resolve, reject); });
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PathFile[] = [];
  // A reader gives at most a hundred entries at a time.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => { reader.readEntries(resolve, reject); });
    if (entries.length === 0) return found;
    for (const inner of entries) found.push(...(await filesOfEntry(inner)));
  }
}

async function read(files: readonly PathFile[], wanted: (path: string) => boolean): Promise<Reading> {
  const reading: Reading = { files: [], skipped: 0 };
  let rest = MAX_INPUT;
  const take = (path: string, bytes: Uint8Array) => {
    rest -= bytes.length;
    if (rest < 0) throw new TooLarge(MAX_INPUT);
    reading.files.push({ name: path, text: new TextDecoder().decode(bytes) });
  };
  const choose = (path: string) => {
    if (wanted(path)) return true;
    reading.skipped += 1;
    return false;
  };
  for (const { path, file } of files) {
    const archive = /\.(tar|tgz|tar\.gz|zip|gz)$/i.test(path);
    if (!archive && !choose(path)) continue;
    if (file.size > MAX_INPUT * (archive ? 8 : 1)) throw new TooLarge(MAX_INPUT);
    let bytes: Uint8Array = new Uint8Array(await file.arrayBuffer());
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = await inflate(bytes, 'gzip', MAX_INPUT * 8);
    if (isZip(bytes)) {
      for (const entry of await readZip(bytes, choose, MAX_INPUT)) take(entry.path, entry.bytes);
    } else if (isTar(bytes)) {
      for (const entry of readTar(bytes)) {
        if (choose(entry.path)) take(entry.path, entry.bytes);
      }
    } else if (/\.(tar|tgz|tar\.gz|zip)$/i.test(path)) {
      throw new Error(`\`${path}\` is no archive, or one that is not known`);
    } else take(path.replace(/\.gz$/i, ''), bytes);
  }
  return reading;
}

/** macOS puts files such as `._name` beside each file of an archive. */
function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('._') || part === '__MACOSX');
}
