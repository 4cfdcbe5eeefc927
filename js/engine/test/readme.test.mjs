// The examples of the README print what it says that they print.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const examples = Array.from(readme.matchAll(/```js\n([^]*?)```/g), ([, code]) => code);

test('there are examples', () => {
  assert.equal(examples.length, 4);
});

for (const [at, code] of examples.entries()) {
  test(`example ${at + 1}`, () => {
    const cwd = fileURLToPath(new URL('..', import.meta.url));
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { cwd, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.deepEqual(
      stdout.trimEnd().split('\n'),
      Array.from(code.matchAll(/^\/\/ prints (.*)$/gm), ([, line]) => line),
    );
  });
}
