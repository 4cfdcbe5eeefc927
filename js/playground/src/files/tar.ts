/** Reads tar archives: ustar, GNU long names and PAX paths, which is what `tar` and must-gather write. */

export interface Entry {
  path: string;
  bytes: Uint8Array;
}

const BLOCK = 512;
const text = new TextDecoder();

export function readTar(archive: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  let longName: string | undefined;
  for (let offset = 0; offset + BLOCK <= archive.length; ) {
    const header = archive.subarray(offset, offset + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const size = numberAt(header, 124, 12);
    const start = offset + BLOCK;
    if (!Number.isSafeInteger(size) || size < 0 || start + size > archive.length) throw new Error('the archive is cut off or is no tar');
    const bytes = archive.subarray(start, start + size);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'L') longName = textAt(bytes, 0, size);
    else if (type === 'x') longName = paxPath(text.decode(bytes)) ?? longName;
    else if (type !== 'g') {
      if (type === '0' || type === '\0') entries.push({ path: longName ?? nameOf(header), bytes });
      longName = undefined;
    }
    offset = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK && textAt(bytes, 257, 5) === 'ustar';
}

function nameOf(header: Uint8Array): string {
  const prefix = textAt(header, 345, 155);
  const name = textAt(header, 0, 100);
  return prefix && textAt(header, 257, 6) === 'ustar' ? `${prefix}/${name}` : name;
}

/** Records are `LENGTH KEY=VALUE\n`. */
function paxPath(records: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1];
}

function numberAt(header: Uint8Array, offset: number, length: number): number {
  return parseInt(textAt(header, offset, length).trim() || '0', 8);
}

function textAt(bytes: Uint8Array, offset: number, length: number): string {
  const field = bytes.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return text.decode(end < 0 ? field : field.subarray(0, end));
}
