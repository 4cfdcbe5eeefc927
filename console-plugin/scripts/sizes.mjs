/** Says what a console user loads, and fails where the part that everyone loads is too large. */

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';

/** In bytes, after gzip. */
const ENTRY_LIMIT = 60 * 1024;
const DIST = 'dist';

const manifest = JSON.parse(readFileSync(join(DIST, 'plugin-manifest.json'), 'utf8'));
const files = readdirSync(DIST).filter((name) => /\.(js|wasm|json|css)$/.test(name));
const sizes = files
  .map((name) => {
    const content = readFileSync(join(DIST, name));
    return { name, raw: content.length, gzip: gzipSync(content, { level: 9 }).length };
  })
  .sort((a, b) => b.gzip - a.gzip);
const eager = new Set(['plugin-manifest.json', ...manifest.loadScripts]);
const total = sizes.filter(({ name }) => eager.has(name)).reduce((sum, { gzip }) => sum + gzip, 0);

for (const { name, raw, gzip } of sizes) {
  console.log(`${kib(gzip)} gzip ${kib(raw)}  ${eager.has(name) ? 'everyone ' : 'on demand'}  ${name}`);
}
console.log(`every user of the console loads ${kib(total).trim()} (gzip), at most ${kib(ENTRY_LIMIT).trim()}`);
if (total > ENTRY_LIMIT) process.exitCode = 1;

function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`.padStart(11);
}
