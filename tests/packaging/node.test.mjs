// The packed package, installed by itself in the project that PROJECT names, used from Node.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const project = process.env.PROJECT;
const run = (...command) => execFileSync(command[0], command.slice(1), { cwd: project, encoding: 'utf8' });
const tsc = fileURLToPath(new URL('../../js/node_modules/typescript/bin/tsc', import.meta.url));
const typeCheck = (file, ...options) => {
  const all = [tsc, '--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom', ...options, file];
  const { status, stdout } = spawnSync('node', all, { cwd: project, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
};
cpSync(new URL('app', import.meta.url), join(project, 'app'), { recursive: true });

test('an ESM project imports it', () => {
  const script = "import { check } from './app/check.js'; console.log(JSON.stringify(await check()));";
  const result = JSON.parse(run('node', '--input-type=module', '--eval', script));
  assert.equal(result.before, 'NotInitialized');
  assert.deepEqual(result.activation, { kind: 'all' });
  assert.equal(result.big, '9007199254740993');
  assert.ok(result.rendered.includes('hco-golden-config'), result.rendered);
});

test('its command line is installed', () => {
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/virt-autopilot/package.json')));
  assert.equal(run('node_modules/.bin/virt-autopilot', '--version').trim(), `virt-autopilot ${manifest.version}`);
});

test('the wasm can be asked for by name', () => {
  const script = "console.log(import.meta.resolve('virt-autopilot/engine.wasm'));";
  const url = run('node', '--input-type=module', '--eval', script).trim();
  assert.ok(existsSync(fileURLToPath(url)), url);
});

test('it has no dependencies, one wasm, and no sources', () => {
  const packed = join(project, 'node_modules/virt-autopilot');
  const files = run('find', packed, '-type', 'f').trim().split('\n');
  assert.equal(files.filter((file) => file.endsWith('.wasm')).length, 1);
  assert.deepEqual(files.filter((file) => /(?<!\.d)\.ts$|\.map$|node_modules\/.*\/node_modules/.test(file)), []);
});

test('its types are found, by Node and by bundlers', () => {
  writeFileSync(
    join(project, 'typed.ts'),
    `import { init, type Rendering, type KubeObject } from 'virt-autopilot';
     const engine = await init();
     const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
     const rendering: Rendering = engine.render({ catalog: '4.22', objects: [object, 'kind: List'] });
     for (const asset of rendering.assets) if (asset.skip?.kind === 'crdMissing') console.log(asset.skip.crd);
     // @ts-expect-error a union's other members have no such field
     for (const asset of rendering.assets) if (asset.skip?.kind === 'notListed') console.log(asset.skip.crd);
    `,
  );
  typeCheck('typed.ts', '--module', 'nodenext', '--moduleResolution', 'nodenext');
  typeCheck('typed.ts', '--module', 'esnext', '--moduleResolution', 'bundler');
});

test('its types say what it gives, on every golden input', async () => {
  const golden = fileURLToPath(new URL('../golden/render', import.meta.url));
  const { source } = await import(join(project, 'app/outputs.js'));
  writeFileSync(join(project, 'outputs.ts'), source(golden));
  typeCheck('outputs.ts', '--module', 'nodenext', '--moduleResolution', 'nodenext');
});
