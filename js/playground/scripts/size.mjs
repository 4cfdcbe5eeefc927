// Says what the first load weighs, and fails where it is above the ceiling. The editor is no part of it: the page shows
// the first plan without it, and fetches it afterwards.
import { readFile, readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const CEILING = 900_000;
const dist = new URL('../dist/', import.meta.url);

const files = await readdir(dist, { recursive: true });
const rows = [];
for (const file of files.filter((name) => /\.(js|css|wasm|html|woff2)$/.test(name))) {
  const bytes = await readFile(new URL(file, dist));
  rows.push({ file, raw: bytes.length, gzip: file.endsWith('.woff2') ? bytes.length : gzipSync(bytes, { level: 9 }).length });
}
rows.sort((a, b) => b.gzip - a.gzip);

const isLater = ({ file }) => /\/codemirror-/.test(file);
const texts = rows.filter(({ file }) => !file.endsWith('.woff2'));
const loaded = texts.filter((row) => !isLater(row));
const total = loaded.reduce((sum, { gzip }) => sum + gzip, 0);
const width = Math.max(...rows.map(({ file }) => file.length)) + 7;
const line = (name, raw, gzip) => console.log(`${name.padEnd(width)}  ${String(raw).padStart(9)}  ${String(gzip).padStart(9)}`);

line('file', 'bytes', 'gzip');
for (const { file, raw, gzip } of loaded) line(file, raw, gzip);
line('first load', loaded.reduce((sum, { raw }) => sum + raw, 0), total);
for (const { file, raw, gzip } of texts.filter(isLater)) line(`later: ${file}`, raw, gzip);
console.log(`fonts: ${rows.filter(({ file }) => file.endsWith('.woff2')).length} files, of which a page loads those that it uses`);
if (total > CEILING) {
  console.error(`the first load is above its ceiling of ${CEILING} bytes`);
  process.exitCode = 1;
}
