// What is printed, and how it fits.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { test } from 'node:test';

import { columns, cut, hang, wrap } from '../dist/cli/text/width.js';
import { harmless } from '../dist/cli/terminal.js';
import { nearest } from '../dist/cli/suggest.js';
import { table } from '../dist/cli/text/table.js';
import { cli, widest } from './cli/run.mjs';

// eslint-disable-next-line no-control-regex -- what colours text
const COLOR = /\u001b\[/;

test('colours only where they are wanted', async () => {
  const run = async (env) => (await cli(['plan', '--demo'], { env })).out;
  assert.doesNotMatch(await run({}), COLOR);
  assert.doesNotMatch(await run({ NO_COLOR: '1' }), COLOR);
  assert.match(await run({ FORCE_COLOR: '1' }), COLOR);
  assert.match(await run({ FORCE_COLOR: '1', NO_COLOR: '1' }), COLOR);
  assert.doesNotMatch(await run({ FORCE_COLOR: '0' }), COLOR);
});

for (const width of [80, 200]) {
  test(`nothing is wider than ${width} columns`, async () => {
    const env = { COLUMNS: String(width) };
    for (const args of [['plan', '--demo'], ['catalog', 'show'], ['--help'], ['explain', 'swap-enable', '--demo'], ['plan', '--demo', '-o', 'events']]) {
      const { out } = await cli(args, { env });
      assert.ok(widest(out) <= width, `${args.join(' ')}\n${out}`);
    }
  });
}

test('a pipe that is closed early is no failure', async () => {
  const main = new URL('../dist/cli/main.js', import.meta.url).pathname;
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${main}" plan --demo -o json | head -n 1`]);
  const err = [];
  shell.stderr.on('data', (part) => err.push(part));
  await new Promise((resolve) => shell.on('close', resolve));
  assert.equal(Buffer.concat(err).toString(), '');
});

test('text of the input cannot command the terminal', () => {
  assert.equal(harmless('a\u001b]0;title\u0007b', true), 'a\\u001b]0;title\\u0007b');
  assert.equal(harmless('\u001b[31mred\u001b[39m', true), '\u001b[31mred\u001b[39m');
  assert.equal(harmless('\u001b[31mred', false), '\\u001b[31mred');
  assert.equal(harmless('\u202egnp.exe', true), '\\u202egnp.exe');
});

test('columns, cutting and wrapping', () => {
  assert.equal(columns('日本 \u001b[1mé\u001b[22m'), 6);
  assert.equal(cut('\u001b[31mabcdef\u001b[39m', 4), '\u001b[31mabc…\u001b[39m');
  assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
  assert.deepEqual(wrap('forkliftcontrollers.forklift.konveyor.io', 30), ['forkliftcontrollers.forklift.', 'konveyor.io']);
  assert.equal(hang('> ', `${'word '.repeat(6)}end`, 20), '> word word word word\n  word word end');
});

test('a table keeps to its width', () => {
  const lines = table(
    [{ title: 'A', least: 4 }, { title: 'N', align: 'right' }, { title: 'EMPTY' }, { title: 'WHY', least: 6, wraps: true }],
    [['abcdefghij', '1', '', 'for some reason'], ['b', '22', '', '']],
    20,
    (text) => text,
  );
  assert.deepEqual(lines, ['A         N  WHY', 'abcdef…   1  for', '             some', '             reason', 'b        22']);
});

test('the nearest name', () => {
  const names = ['render', 'features', 'explain', 'plan'];
  const check = (name, expect) => assert.equal(nearest(name, names), expect, name);
  check('rendre', 'render');
  check('feat', 'features');
  check('paln', 'plan');
  check('xyzzy', undefined);
});
