// The core alone, compiled to wasm: it asks nothing of its host, so it has no clock, no files, no network, no chance.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('the core imports nothing', () => {
  const module = new WebAssembly.Module(readFileSync(process.env.PROBE));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  assert.ok(WebAssembly.Module.exports(module).some(({ name }) => name === 'probe'));
});

test('the core runs without a host', () => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.env.PROBE)));
  assert.ok(exports.probe() > 0);
});
