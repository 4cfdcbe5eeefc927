// What people get wrong: each is answered by what is wrong, what to do next, and exit code 2.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cli, folder } from './cli/run.mjs';

const WRONG = [
  [['rendr'], 'error: unknown command `rendr`', 'did you mean `render`?'],
  [['frobnicate'], 'error: unknown command `frobnicate`', 'see `virt-autopilot --help`'],
  [['--cluster', 'x'], 'error: unknown option `--cluster`', 'a command comes first'],
  [['render', '--demo', '--aset', 'x'], 'error: unknown option `--aset`', 'did you mean `--asset`?'],
  [['render', '--demo', '-x'], 'error: unknown option `-x`', 'see `virt-autopilot render --help`'],
  [['render', '--demo', '-o', 'yml'], 'error: `-o` cannot be `yml`', 'did you mean `yaml`?'],
  [['render', '--demo', '--output'], 'error: `--output` needs a value', '--output FORMAT'],
  [['render', '--catalog', '--demo'], 'error: `--catalog` needs a value', '`--catalog=--demo`'],
  [['render', '--demo=yes'], 'error: `--demo` takes no value'],
  [['render', '--demo', '--asset', 'a', '--asset', 'b'], 'error: `--asset` is given twice'],
  [['render', '--demo', 'swap-enable'], 'error: unexpected `swap-enable`', 'usage: virt-autopilot render'],
  [['render'], 'error: no cluster to look at', 'virt-autopilot render --demo'],
  [['render', '--situation', 'paused'], 'error: `--situation` is a situation of the demo cluster', '--demo --situation paused'],
  [['render', '--demo', '--situation', 'pause'], 'error: no situation `pause`', 'did you mean `paused`?'],
  [['render', '--demo', '--situation', 'zzzzzzzzzz'], 'error: no situation `zzzzzzzzzz`', 'patch-works: A patch that fits'],
  [['render', '--demo', '--asset', 'swap'], 'error: the catalog has no asset `swap`', 'did you mean `swap-enable`?'],
  [['render', '--demo', '--image', 'x'], 'error: `--image x` is not NAME=REF', 'for example'],
  [['render', '--demo', '--catalog', '4.32'], 'error: no catalog `4.32`', 'did you mean `4.22`?'],
  [['render', '--demo', '--catalog', 'tests'], 'error: tests is no catalog', 'active/metadata.yaml'],
  [['render', '--demo', '--catalog', 'Cargo.toml'], 'error: the catalog Cargo.toml cannot be used'],
  [['render', '--cluster', 'no/such/path'], 'error: cannot read no/such/path: there is no such file or folder'],
  [['render', '--cluster', 'Cargo.toml'], 'error: no Kubernetes object in Cargo.toml', 'an object has `apiVersion`'],
  [['render', '--demo', '--hco-file', 'js/package.json'], 'error: no HyperConverged in js/package.json', 'oc get hyperconverged'],
  [['render', '--cluster', '-'], 'error: standard input is empty'],
  [['catalog'], 'error: ACTION is missing', 'usage: virt-autopilot catalog ACTION [CATALOG]'],
  [['catalog', 'chek'], 'error: unknown action `chek`', 'did you mean `check`?'],
];

for (const [args, ...messages] of WRONG) {
  test(`virt-autopilot ${args.join(' ')}`, async () => {
    const { code, out, err } = await cli(args);
    assert.equal(code, 2, err);
    assert.equal(out, '');
    for (const message of messages) assert.ok(err.includes(message), err);
  });
}

test('a named file that is not YAML is refused with its line', async (context) => {
  const root = await folder(context, { 'bad.yaml': 'apiVersion: v1\nkind: [\nx' });
  const { code, err } = await cli(['render', '--cluster', `${root}/bad.yaml`]);
  assert.equal(code, 2);
  assert.match(err, /^error: .*bad\.yaml:3:2: /);
  assert.match(err, /\n {2}3 \| x\n/);
});

test('every command has a help with examples that it understands', async () => {
  const { code, out } = await cli(['--help']);
  assert.equal(code, 0);
  const commands = Array.from(out.matchAll(/^ {2}([a-z]+) {2,}/gm), ([, name]) => name);
  assert.ok(commands.length >= 7, out);
  for (const command of commands) {
    const help = await cli([command, '--help']);
    assert.equal(help.code, 0);
    assert.deepEqual(await cli(['help', command]), help);
    assert.match(help.out, /^Usage: virt-autopilot/m);
    const examples = help.out.slice(help.out.indexOf('Examples:')).replaceAll('\\\n', '').split('\n');
    const runnable = examples.filter((line) => /^ {2}virt-autopilot .*--demo/.test(line) || /^ {2}virt-autopilot (features|catalog show)$/.test(line));
    assert.ok(runnable.length > 0, help.out);
    for (const line of runnable) {
      const run = await cli(line.trim().split(/\s+/).slice(1));
      assert.ok(run.code === 0 || run.code === 1, `${line}: ${run.err}`);
      assert.notEqual(run.out, '');
    }
  }
});

test('the version is the package\'s', async () => {
  const { out } = await cli(['--version']);
  assert.match(out, /^virt-autopilot \d+\.\d+\.\d+\n$/);
});
