import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { readCatalog, readManifests } from '../src/files/dropped';
import { TooLarge, deflate, inflate } from '../src/files/inflate';
import { isTar, readTar } from '../src/files/tar';
import { readZip } from '../src/files/zip';
import { tarEntry, tarOf, zipOf } from './archives';

const dropped = (path: string, content: string | Buffer) => ({ path, file: new Blob([content as BlobPart]) });
const named = (entries: readonly { path: string; bytes: Uint8Array }[]) =>
  Object.fromEntries(entries.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));

const LONG = `must-gather/${'deep/'.repeat(30)}nodes.yaml`;
const FILES = { 'must-gather/hco.yaml': 'kind: A\n', [LONG]: 'kind: B\n', 'must-gather/pod.log': 'noise' };

describe('readTar', () => {
  it('reads files with short and long names', () => { expect(named(readTar(tarOf(FILES)))).toEqual(FILES); });
  it('reads the path of a PAX header', () => {
    const pax = tarEntry('PaxHeader', Buffer.from('24 path=a/long/one.yaml\n'), 'x');
    const archive = Buffer.concat([...pax, ...tarEntry('short', Buffer.from('x'), '0'), Buffer.alloc(1024)]);
    expect(named(readTar(archive))).toEqual({ 'a/long/one.yaml': 'x' });
  });
  it('leaves folders and links out', () => {
    const archive = Buffer.concat([...tarEntry('folder/', Buffer.alloc(0), '5'), ...tarEntry('link', Buffer.alloc(0), '2'), Buffer.alloc(1024)]);
    expect(readTar(archive)).toEqual([]);
  });
  it('says when it is cut off', () => {
    const archive = tarOf({ 'a.yaml': 'x'.repeat(2000) });
    expect(isTar(archive)).toBe(true);
    expect(() => readTar(archive.subarray(0, 1024))).toThrow('cut off');
  });
});

describe('readZip', () => {
  it('reads stored and deflated files', async () => {
    expect(named(await readZip(zipOf(FILES), (path) => path.endsWith('.yaml'), 1000))).toEqual({
      'must-gather/hco.yaml': 'kind: A\n',
      [LONG]: 'kind: B\n',
    });
  });
  it('stops at the limit', async () => {
    const bomb = zipOf({ 'a.yaml': '0'.repeat(1_000_000) });
    await expect(readZip(bomb, () => true, 1000)).rejects.toThrow(TooLarge);
  });
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['noise', Buffer.from('PK this is no zip at all')],
    ['a cut', zipOf(FILES).subarray(0, 100)],
  ])('says that %s is no zip', async (_name, bytes) => {
    await expect(readZip(bytes, () => true, 1000)).rejects.toThrow('no zip');
  });
});

describe('inflate', () => {
  it('is the inverse of deflate', async () => {
    const bytes = new TextEncoder().encode('kind: A\n'.repeat(1000));
    const packed = await deflate(bytes);
    expect(packed.length).toBeLessThan(200);
    expect(await inflate(packed, 'deflate-raw', bytes.length)).toEqual(bytes);
    await expect(inflate(packed, 'deflate-raw', bytes.length - 1)).rejects.toThrow(TooLarge);
  });
});

describe('readManifests', () => {
  it.each([
    ['files', [dropped('a.yaml', 'kind: A\n'), dropped('notes.txt', 'x')], ['a.yaml'], 1],
    ['an archive', [dropped('m.tar', tarOf(FILES))], Object.keys(FILES).slice(0, 2), 1],
    ['a packed archive', [dropped('m.tgz', gzipSync(tarOf(FILES)))], Object.keys(FILES).slice(0, 2), 1],
    ['a zip', [dropped('m.zip', zipOf(FILES))], Object.keys(FILES).slice(0, 2), 1],
    ['a packed file', [dropped('a.yaml.gz', gzipSync('kind: A\n'))], ['a.yaml'], 0],
    ['what macOS adds', [dropped('x/._a.yaml', 'x')], [], 1],
  ])('reads %s', async (_name, files, names, skipped) => {
    const reading = await readManifests(files);
    expect(reading.files.map(({ name }) => name)).toEqual(names);
    expect(reading.skipped).toBe(skipped);
  });
  it.each(['m.zip', 'm.tar', 'm.tgz'])('says that %s with something else in it is no archive', async (name) => {
    await expect(readManifests([dropped(name, 'kind: A\n')])).rejects.toThrow('is no archive');
  });
});

describe('readCatalog', () => {
  it('takes what is below the folder of the release', async () => {
    const files = ['r/4.22/active/metadata.yaml', 'r/4.22/active/a.yaml.tpl', 'r/4.22/tombstones/t.yaml', 'r/README.md'];
    const reading = await readCatalog(files.map((path) => dropped(path, 'x')));
    expect(reading.files.map(({ name }) => name)).toEqual(['active/metadata.yaml', 'active/a.yaml.tpl', 'tombstones/t.yaml']);
  });
});
