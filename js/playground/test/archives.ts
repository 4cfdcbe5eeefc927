/** Archives for tests, written by hand so that no reader of ours is tested with a writer of ours. */

import { deflateRawSync } from 'node:zlib';

export function tarOf(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    if (name.length > 100) parts.push(...tarEntry('././@LongLink', Buffer.from(`${name}\0`), 'L'));
    parts.push(...tarEntry(name.slice(0, 100), Buffer.from(text), '0'));
  }
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

export function tarEntry(name: string, body: Buffer, type: string): Buffer[] {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write(body.length.toString(8).padStart(11, '0'), 124);
  header.write(type, 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
}

export function zipOf(files: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [index, [name, text]] of Object.entries(files).entries()) {
    // Every other file is stored.
    const method = index % 2 === 0 ? 8 : 0;
    const body = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(body.length, 18);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(body.length, 20);
    entry.writeUInt32LE(text.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), body);
    directory.push(entry, Buffer.from(name));
    offset += local.length + name.length + body.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
