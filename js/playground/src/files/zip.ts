/** Reads zip archives by their directory at the end. Files are stored or deflated; anything else is refused. */

import { inflate } from './inflate';
import type { Entry } from './tar';

const END = 0x06054b50;
const FILE = 0x02014b50;
const END_LENGTH = 22;

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** The files that `wanted` says yes to. `limit` bounds what all of them unpack to, in bytes. */
export async function readZip(archive: Uint8Array, wanted: (path: string) => boolean, limit: number): Promise<Entry[]> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  if (end === undefined) throw new Error('the archive is cut off or is no zip');
  const entries: Entry[] = [];
  let rest = limit;
  let offset = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    if (offset + 46 > view.byteLength || view.getUint32(offset, true) !== FILE) throw new Error('the directory of the zip is damaged');
    const method = view.getUint16(offset + 10, true);
    const packed = view.getUint32(offset + 20, true);
    const nameLength = view.getUint16(offset + 28, true);
    const path = new TextDecoder().decode(archive.subarray(offset + 46, offset + 46 + nameLength));
    const local = view.getUint32(offset + 42, true);
    offset += 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
    if (path.endsWith('/') || !wanted(path)) continue;
    if (local + 30 > view.byteLength) throw new Error('the directory of the zip is damaged');
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const data = archive.subarray(start, start + packed);
    if (method !== 0 && method !== 8) throw new Error(`\`${path}\` is packed in a way that is not supported`);
    const bytes = method === 0 ? data : await inflate(data, 'deflate-raw', rest);
    rest -= bytes.length;
    entries.push({ path, bytes });
  }
  return entries;
}

/** The end record lies before a comment of at most 64 KB. */
function endOf(view: DataView): number | undefined {
  for (let at = view.byteLength - END_LENGTH; at >= Math.max(0, view.byteLength - END_LENGTH - 0xffff); at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  return undefined;
}
