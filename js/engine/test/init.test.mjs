import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { Engine, EngineCrashed, NotInitialized, init } from 'virt-autopilot';

// Each file of tests has a process and so an instance of its own; the order within this one counts.

test('use before init is refused', () => {
  assert.throws(() => new Engine().version, NotInitialized);
  assert.throws(() => new Engine().yaml.parse('a: 1'), { code: 'engine.not-initialized' });
});

test('a load that fails may be repeated', async () => {
  await assert.rejects(init(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
});

test('init twice at once makes one instance', async () => {
  let loads = 0;
  const bytes = async () => {
    loads += 1;
    return readFile(new URL('../dist/engine.wasm', import.meta.url));
  };
  const source = { then: (...listeners) => bytes().then(...listeners) };
  const engines = await Promise.all([init(source), init(source), init()]);
  assert.equal(loads, 1);
  for (const engine of [...engines, await init()]) assert.match(engine.version, /^\d+\.\d+\.\d+$/);
});

test('an instance that crashed is thrown away, and another one started', async () => {
  const engine = await init();
  const catalog = engine.loadCatalog('4.22');
  // An exception of the host's that unwinds the wasm's frames leaves its memory in an unknown state, as a trap does.
  const hostile = {
    big: 9007199254740993n,
    get field() {
      throw new Error('of the host');
    },
  };
  assert.throws(() => engine.yaml.write(hostile), EngineCrashed);
  assert.throws(() => engine.version, NotInitialized);
  assert.equal(await init().then(({ version }) => version), engine.version);
  assert.throws(() => catalog.bundle(), { code: 'handle.lost' });
  catalog.free();
  assert.equal(engine.render({ catalog: '4.22', objects: [] }).activation, null);
});
