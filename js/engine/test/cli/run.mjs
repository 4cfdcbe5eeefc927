/** Runs the built command line as people do. */

import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The root of the sources. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Runs the command line; the answer is `{code, out, err}`. */
export function cli(args, { input = '', env = {}, cwd = ROOT } = {}) {
  const clean = { PATH: process.env.PATH, HOME: process.env.HOME, ...env };
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: clean });
  const out = [];
  const err = [];
  child.stdout.on('data', (part) => out.push(part));
  child.stderr.on('data', (part) => err.push(part));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ code: code ?? signal, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
    });
  });
}

/** A folder with these files, which goes when the test ends. */
export async function folder(context, files) {
  const root = await mkdtemp(join(tmpdir(), 'virt-autopilot-'));
  context.after(() => rm(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** The longest line of a text. */
export function widest(text) {
  return Math.max(...text.split('\n').map((line) => Array.from(line).length));
}
