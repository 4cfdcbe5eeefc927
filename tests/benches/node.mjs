// The engine through wasm, in Node: medians, and as ratios to reading the YAML that the synthetic catalog comes to.
// The only argument is the synthetic catalog's bundle.

import { readFile } from 'node:fs/promises';

import { init } from '../../js/engine/dist/node.js';

const engine = await init();
const bundle = await readFile(process.argv[2]);
const large = engine.loadCatalog({ bundle });
const builtin = engine.loadCatalog('4.22');
const demo = engine.demo().cluster;

const meta = (name, more) => ({ metadata: { name, ...more } });
const hco = {
  apiVersion: 'hco.kubevirt.io/v1',
  kind: 'HyperConverged',
  ...meta('kubevirt-hyperconverged', { namespace: 'openshift-cnv', annotations: { 'platform.kubevirt.io/autopilot': 'true' } }),
  spec: { virtualization: { liveMigrationConfig: { parallelMigrationsPerCluster: 7 } } },
};
const node = (_, index) => ({
  apiVersion: 'v1',
  kind: 'Node',
  ...meta(`node-${index}`, { labels: { [`node-role.kubernetes.io/${index < 3 ? 'master' : 'worker'}`]: '' } }),
  status: { capacity: { cpu: '16', memory: '64Gi', pods: '250' } },
});
const empty = [hco, { apiVersion: 'v1', kind: 'Namespace', ...meta('openshift-cnv') }, ...Array.from({ length: 12 }, node)];
const written = engine.plan({ catalog: large, objects: empty }).assets.flatMap(({ predicted }) => (predicted ? [predicted] : []));
const live = [...empty.slice(1), ...written];
const text = written.map((object) => engine.yaml.write(object)).join('---\n');

/** The median of some runs, in milliseconds. */
function median(run) {
  const times = [];
  for (let round = 0; round < 25; round += 1) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[12];
}

/** Each run asks something new, so that nothing remembered fits. */
let round = 0;
const asked = () => ({ allowRefusedKinds: (round += 1) % 2 === 0 });
const cluster = engine.cluster({ objects: live });
const edited = live.find(({ kind }) => kind === 'HyperConverged');
const edit = () => ({ ...edited, metadata: { ...edited.metadata, annotations: { ...edited.metadata.annotations, edit: `${(round += 1)}` } } });

const unit = median(() => engine.yaml.parseAll(text));
const rows = [
  ['unit: read the YAML of 100 assets', unit],
  ['load 100 assets', median(() => { engine.loadCatalog({ bundle }).free(); })],
  ['render the built-in catalog', median(() => engine.render({ catalog: builtin, objects: demo }))],
  ['render 100 assets', median(() => engine.render({ catalog: large, objects: empty }))],
  ['plan 100 assets in sync, all new', median(() => engine.plan({ catalog: large, objects: live, options: asked() }))],
  ['plan 100 assets in sync, all again', median(() => engine.plan({ catalog: large, objects: live }))],
  ['… of a kept cluster', median(() => engine.plan({ catalog: large, cluster }))],
  ['… without their objects', median(() => engine.plan({ catalog: large, cluster, objectsOf: [] }))],
  ['… after an edit', median(() => engine.plan({ catalog: large, cluster, objects: [edit()], objectsOf: [] }))],
];
for (const [name, time] of rows) {
  console.log(`${name.padEnd(36)} ${time.toFixed(2).padStart(8)} ms ${(time / unit).toFixed(2).padStart(6)}`);
}
