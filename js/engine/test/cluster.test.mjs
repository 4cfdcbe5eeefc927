// A cluster that the engine keeps, and how little needs to cross for a plan of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { init } from 'virt-autopilot';

const engine = await init();
const { cluster: text } = engine.demo();
const objects = engine.yaml.parseAll(text);
const hco = objects.find(({ kind }) => kind === 'HyperConverged');
const OBJECTS = ['baseline', 'patched', 'desired', 'live', 'predicted'];

/** The HyperConverged with an annotation more. */
const annotated = (key, value) => ({ ...hco, metadata: { ...hco.metadata, annotations: { ...hco.metadata.annotations, [key]: value } } });

test('a kept cluster plans as its objects do', () => {
  const cluster = engine.cluster({ objects: text });
  assert.deepEqual(engine.plan({ catalog: '4.22', cluster }), engine.plan({ catalog: '4.22', objects: text }));
  assert.deepEqual(engine.render({ catalog: '4.22', cluster }), engine.render({ catalog: '4.22', objects: text }));
});

test('objects beside a kept cluster take the place of its own, for that request alone', () => {
  const cluster = engine.cluster({ objects });
  const before = engine.plan({ catalog: '4.22', cluster });
  const off = annotated('platform.kubevirt.io/autopilot', 'false');
  const edited = engine.plan({ catalog: '4.22', cluster, objects: [off] });
  assert.deepEqual(edited, engine.plan({ catalog: '4.22', objects: [...objects.filter((object) => object !== hco), off] }));
  assert.notDeepEqual(edited.activation, before.activation);
  assert.deepEqual(engine.plan({ catalog: '4.22', cluster }), before);
});

test('what is wrong with the objects of a kept cluster is told by it and by each plan', () => {
  const cluster = engine.cluster({ objects: [{ file: 'broken.yaml', text: 'a: [' }, ...objects] });
  const isBroken = ({ source }) => source?.file === 'broken.yaml';
  assert.equal(cluster.diagnostics.filter(isBroken).length, 1);
  assert.equal(engine.plan({ catalog: '4.22', cluster }).diagnostics.filter(isBroken).length, 1);
});

test('a freed cluster is refused', () => {
  const cluster = engine.cluster({ objects });
  cluster.free();
  assert.throws(() => engine.plan({ catalog: '4.22', cluster }), { code: 'handle.freed' });
});

test('a plan without objects is the plan but for them', () => {
  const whole = engine.plan({ catalog: '4.22', objects });
  const wanted = 'descheduler-loadaware';
  const brief = engine.plan({ catalog: '4.22', objects, objectsOf: [wanted] });
  const bare = (asset) => (asset.asset === wanted ? asset : { ...asset, ...Object.fromEntries(OBJECTS.map((name) => [name, null])) });
  assert.ok(whole.assets.some(({ asset, predicted }) => asset === wanted && predicted));
  assert.deepEqual(brief, { ...whole, assets: whole.assets.map(bare) });
});

test('a simulation says how far it has come', () => {
  const { object } = engine.plan({ catalog: '4.22', objects }).assets.find(({ asset }) => asset === 'descheduler-loadaware');
  const durationMs = 3_600_000;
  const input = {
    catalog: '4.22',
    objects,
    actors: [{ kind: 'argocd', object, fields: { spec: { deschedulingIntervalSeconds: 300 } }, periodMs: 60_000, name: 'argocd' }],
    durationMs: durationMs * 24 * 7,
  };
  const told = [];
  const simulation = engine.simulate({ ...input, onProgress: (playedMs) => told.push(playedMs) });
  assert.ok(told.length > 1);
  assert.deepEqual(told, told.toSorted((a, b) => a - b));
  assert.ok(told.every((playedMs) => playedMs > 0 && playedMs <= input.durationMs));
  assert.deepEqual(engine.simulate(input), simulation);
});
