// What the engine gives on every golden input, as TypeScript that says which type each result is of.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { init } from 'virt-autopilot';

const engine = await init();
const catalog = '4.22';

/** Writes a source file; `golden` is the folder of the golden clusters. */
export function source(golden) {
  const results = [...demo(), ...plans(), ...renderings(golden), ...loops(), ...differences()];
  const types = [...new Set(results.map(([type]) => type.replace('[]', '')))];
  const lines = results.map(([type, value], at) => `export const r${at}: ${type} = ${literal(value)};`);
  const wrong = "// @ts-expect-error what the types do not know is found\nexport const wrong: Demo = { ...r0, more: 1 };";
  return [`import type { ${types.join(', ')} } from 'virt-autopilot';`, ...lines, wrong, ''].join('\n');
}

function* demo() {
  yield ['Demo', engine.demo()];
}

function* plans() {
  const { cluster, situations } = engine.demo();
  const demo = engine.cluster({ objects: cluster });
  const plan = (objects, options) => ['Plan', engine.plan({ catalog, cluster: demo, objects, options, objectsOf: [] })];
  yield ['Plan', engine.plan({ catalog, cluster: demo })];
  yield plan([], { activation: 'swap-enable' });
  for (const { yaml } of situations) {
    yield plan(yaml);
    yield plan(yaml, { behavior: '4.23', allowRefusedKinds: true, noise: true });
  }
}

function* renderings(golden) {
  const sample = engine.loadCatalog(folder(join(golden, '../../catalogs/sample')), { name: 'sample' });
  for (const loaded of [sample, engine.loadCatalog(catalog)]) {
    const { name, behavior, assets, tombstones, diagnostics } = loaded;
    yield ['CatalogContent', { name, behavior, assets, features: loaded.features(), tombstones, diagnostics }];
  }
  for (const name of readdirSync(golden)) {
    const objects = readFileSync(join(golden, name, 'cluster.yaml'), 'utf8');
    for (const of of [catalog, sample]) {
      yield ['Rendering', engine.render({ catalog: of, objects, options: { showExcluded: true } })];
    }
  }
}

/** A fight that ends with a pause, and one pass of the loop against a server in memory. */
function* loops() {
  const objects = engine.demo().cluster;
  const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'openshift-cnv', name: 'absent' };
  const actors = [{ kind: 'controller', manager: 'other', object, fields: { data: {} }, periodMs: 500 }];
  yield ['Simulation', engine.simulate({ catalog, objects, actors, durationMs: 60_000 })];
  const [machine, server] = [engine.machine({ catalog }), engine.apiServer({ objects })];
  const queue = [{ kind: 'snapshot', objects: server.objects() }];
  const manager = 'virt-platform-autopilot';
  for (let now = 0; queue.length > 0; now += 1) {
    const effects = machine.handle(now, queue.shift());
    yield ['Effect[]', effects];
    for (const { id, ...request } of effects.filter((effect) => 'id' in effect)) {
      const answer = server.request({ ...request, manager, force: true });
      yield ['ApiAnswer', answer];
      queue.push({ kind: 'done', id, ...answer });
    }
  }
}

function* differences() {
  const [before, after] = [{ a: { b: 1 }, c: 'true' }, { a: { b: 2n ** 62n }, c: true }];
  yield ['Change[]', engine.diff(before, after)];
}

function folder(root) {
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path)];
    }),
  );
}

/** A value as source text. */
function literal(value) {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{ ${members.map(([key, member]) => `${JSON.stringify(key)}: ${literal(member)}`).join(', ')} }`;
}
