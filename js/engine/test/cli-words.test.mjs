// The small languages of the command line: annotations, durations, actors.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { init } from 'virt-autopilot';

import { actorsFromFile, argocdFromPlan } from '../dist/cli/actors.js';
import { parse } from '../dist/cli/args.js';
import { planOptions } from '../dist/cli/edits.js';
import { locate, overlay } from '../dist/cli/objects.js';
import { WHAT_IF } from '../dist/cli/options.js';
import { clock, durationOf, durationWords } from '../dist/cli/text/duration.js';
import { json } from '../dist/cli/text/words.js';
import { samplePlan } from './cli/plans.mjs';
import { folder } from './cli/run.mjs';

const engine = await init();
const spec = { name: 'plan', about: '', exit: '', options: WHAT_IF, examples: [] };
const edits = (...args) => planOptions(spec, parse(spec, args));

test('annotations to pretend', () => {
  const hco = { kind: 'HyperConverged', namespace: 'openshift-cnv', name: 'kubevirt-hyperconverged' };
  const check = (args, expect) => assert.deepEqual(edits(...args), expect);
  check([], {});
  check(['--what-if', 'autopilot=true'], { annotations: [{ ...hco, key: 'platform.kubevirt.io/autopilot', value: 'true' }] });
  check(['--what-if=other.io/x=a=b'], { annotations: [{ ...hco, key: 'other.io/x', value: 'a=b' }] });
  check(['--what-if', 'autopilot-'], { annotations: [{ ...hco, key: 'platform.kubevirt.io/autopilot', value: null }] });
  check(['--annotate', 'ConfigMap/ns/name:mode=unmanaged'], {
    annotations: [{ kind: 'ConfigMap', namespace: 'ns', name: 'name', key: 'platform.kubevirt.io/mode', value: 'unmanaged' }],
  });
  check(['--annotate', 'ClusterRole/system:x:platform.kubevirt.io/patch=[{"op":"add","path":"/a","value":":/="}]'], {
    annotations: [{ kind: 'ClusterRole', namespace: '', name: 'system:x', key: 'platform.kubevirt.io/patch', value: '[{"op":"add","path":"/a","value":":/="}]' }],
  });
  check(['--annotate', 'KubeletConfig//virt-perf:patch-'], {
    annotations: [{ kind: 'KubeletConfig', namespace: '', name: 'virt-perf', key: 'platform.kubevirt.io/patch', value: null }],
  });
  check(['--activation', 'a,b', '--allow-refused-kinds'], { activation: 'a,b', allowRefusedKinds: true });
  for (const wrong of [['--what-if', 'autopilot'], ['--what-if', '=x'], ['--annotate', 'ConfigMap:mode=x'], ['--annotate', 'ConfigMap/ns/name']]) {
    assert.throws(() => edits(...wrong), { name: 'Problem' });
  }
});

test('durations', () => {
  const check = (text, expect) => assert.equal(durationOf(text), expect, text);
  check('90s', 90_000);
  check('1h30m', 5_400_000);
  check('0.5s', 500);
  check('250ms', 250);
  for (const wrong of ['', '10', 'h', '-1s', '1 h', '0s', '1w']) check(wrong, undefined);
  assert.deepEqual([500, 90_000, 86_400_000, 3_661_000].map(durationWords), ['0.5s', '1m 30s', '1d', '1h 1m']);
  assert.deepEqual([0, 62_500, 3_850_000].map(clock), ['0:00.0', '1:02.5', '1:04:10.0']);
});

test('big integers keep their digits', () => {
  assert.equal(json({ a: 9007199254740993n, b: -1n, c: '1' }), '{"a":9007199254740993,"b":-1,"c":"1"}');
});

test('objects that take the place of others, whatever the version', () => {
  const text = 'apiVersion: a.io/v1\nkind: A\nmetadata: {name: x}\n---\napiVersion: v1\nkind: B\nmetadata: {name: web}\n';
  const texts = [{ file: 'one.yaml', text, named: true }, { file: 'two.yaml', text: 'apiVersion: v1\nkind: C\nmetadata: {name: z}\n', named: true }];
  const over = { apiVersion: 'a.io/v2', kind: 'A', metadata: { name: 'x' } };
  assert.deepEqual(overlay(engine, texts, [over]), [{ apiVersion: 'v1', kind: 'B', metadata: { name: 'web' } }, texts[1], over]);
});

test('where an object and its annotation are', () => {
  const text = 'apiVersion: v1\nkind: B\nmetadata:\n  name: web\n  annotations:\n    "p/patch": x\n  managedFields:\n    - f:p/patch: {}\n';
  const at = (name, annotation) => locate(engine, [{ file: 'b.yaml', text }], { apiVersion: 'v1', kind: 'B', namespace: '', name }, annotation);
  assert.equal(at('web'), 'b.yaml');
  assert.equal(at('web', 'p/patch'), 'b.yaml:6');
  assert.equal(at('web', 'p/other'), 'b.yaml');
  assert.equal(at('z'), undefined);
});

test('actors from a file and from a plan', async (context) => {
  const root = await folder(context, {
    'git.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b, labels: {x: z}}\ndata: {k: v}\n---\nkind: person\natMs: 5\n',
    'nothing.yaml': 'a: 1\n',
    'bad.yaml': 'a: [',
  });
  assert.deepEqual(await actorsFromFile(engine, join(root, 'git.yaml'), { periodMs: 9 }), [
    { kind: 'argocd', object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'b', name: 'a' }, fields: { data: { k: 'v' }, metadata: { labels: { x: 'z' } } }, periodMs: 9 },
    { kind: 'person', atMs: 5 },
  ]);
  await assert.rejects(actorsFromFile(engine, join(root, 'nothing.yaml'), {}), { name: 'Problem', message: /neither a manifest nor an actor/ });
  await assert.rejects(actorsFromFile(engine, join(root, 'bad.yaml'), {}), { name: 'Problem' });
  const [actor] = argocdFromPlan(samplePlan(17), 'kubelet-perf-settings-1', {});
  assert.deepEqual(actor.fields, { spec: { interval: 300 } });
  assert.throws(() => argocdFromPlan(samplePlan(1), undefined, {}), { name: 'Problem', message: /nothing to fight about/ });
});
