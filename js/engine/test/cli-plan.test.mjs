// The commands that plan, on the demo cluster and its situations.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { cli, folder } from './cli/run.mjs';

test('plan: changes, who loses, what reboots', async () => {
  const { code, out, err } = await cli(['plan', '--demo']);
  assert.equal(err, '');
  assert.equal(code, 0);
  assert.match(out, /^ {2}descheduler-loadaware +update +4 {2}argocd-controller$/m);
  assert.match(out, /^ {2}psi-enable +create +all +worker \(3\)$/m);
  assert.match(out, /^ {2}UIPlugin kubevirt-plugin: deleted$/m);
  assert.match(out, /\nPlan: 4 to create, 2 to update, 1 in sync, 7 not applied, 3 nodes reboot\.\n$/);
});

test('plan: a failing asset is told by the exit code', async () => {
  const { code, out } = await cli(['plan', '--demo', '--situation', 'mask-stops-everything']);
  assert.equal(code, 1);
  assert.match(out, /^ {2}hco-golden-config {2}mask failed$/m);
  assert.match(out, /^ {2}at situation mask-stops-everything:\d+, HyperConverged/m);
  assert.match(out, /^ {7}oc annotate -n openshift-cnv [^]*ignore-fields=\/spec\/infra\/nodePlacement\/tolerations$/m);
});

test('plan: JSON and YAML are the plan', async () => {
  const plan = JSON.parse((await cli(['plan', '--demo', '-o', 'json'])).out);
  assert.equal(plan.assets.length, 14);
  const asset = JSON.parse((await cli(['plan', '--demo', '-o', 'json', '--asset', 'swap-enable'])).out);
  assert.deepEqual(asset, plan.assets.find((each) => each.asset === 'swap-enable'));
  assert.match((await cli(['plan', '--demo', '-o', 'yaml', '--asset', 'swap-enable'])).out, /^asset: swap-enable$/m);
});

test('plan: events and metrics', async () => {
  const events = await cli(['plan', '--demo', '-o', 'events']);
  assert.match(events.out, /^Warning {2}DriftDetected +HyperConverged openshift-cnv\/kubevirt-hyperconverged {2}/m);
  const metrics = await cli(['plan', '--demo', '-o', 'metrics']);
  assert.match(metrics.out, /^kubevirt_autopilot_compliance_status\{kind="HyperConverged",.*\} 1$/m);
});

test('plan: what if', async () => {
  const outcome = async (asset, ...args) => JSON.parse((await cli(['plan', '--demo', '-o', 'json', '--asset', asset, ...args])).out).outcome.kind;
  assert.equal(await outcome('kubelet-perf-settings'), 'conditionsNotMet');
  assert.equal(await outcome('kubelet-perf-settings', '--what-if', 'enable-kubelet-performance-settings=true'), 'create');
  assert.equal(await outcome('swap-enable', '--what-if', 'autopilot-'), 'notEnabled');
  assert.equal(await outcome('swap-enable', '--activation', 'psi-enable'), 'notListed');
  const descheduler = 'KubeDescheduler/openshift-kube-descheduler-operator/cluster';
  assert.equal(await outcome('descheduler-loadaware', '--annotate', `${descheduler}:mode=unmanaged`), 'unmanaged');
});

test('plan: the details of every asset', async () => {
  const { out } = await cli(['plan', '--demo', '--details']);
  assert.match(out, /^ {4}takes by force from argocd-controller\n {6}\/spec\/deschedulingIntervalSeconds$/m);
  assert.match(out, /^ {4}-[ ]+deschedulingIntervalSeconds: 300$/m);
});

test('diff: the exit code tells', async () => {
  const differs = await cli(['diff', '--demo', '--asset', 'descheduler-loadaware']);
  assert.equal(differs.code, 1);
  assert.match(differs.out, /^--- live\/KubeDescheduler\/openshift-kube-descheduler-operator\/cluster\n\+\+\+ autopilot\//);
  assert.match(differs.out, /^\+ {2}deschedulingIntervalSeconds: 60$/m);
  const same = await cli(['diff', '--demo', '--asset', 'prometheus-alerts']);
  assert.deepEqual([same.code, same.out], [0, '']);
  const failed = await cli(['diff', '--demo', '--situation', 'mask-stops-everything']);
  assert.equal(failed.code, 2);
  assert.match(failed.err, /^error: hco-golden-config: mask failed: /);
});

test('explain: why, and where a value comes from', async () => {
  const why = await cli(['explain', 'pci-passthrough', '--demo']);
  assert.equal(why.code, 0);
  assert.match(why.out, /✗ annotation openshift = true \(missing\)\n {6}✓ hardware pciDevicesPresent\n/);
  assert.match(why.out, /→ to see what it would do: --what-if openshift=true --what-if enable-pci-passthrough=true\n/);
  const from = async (situation, expect) => {
    const { out } = await cli(['explain', 'descheduler-loadaware', '/spec/deschedulingIntervalSeconds', '--demo', '--situation', situation]);
    assert.ok(out.replace(/\s+/g, ' ').includes(expect), out);
  };
  await from('patch-works', 'It comes from the patch');
  await from('mask-works', 'It comes from the live object, by the annotation ignore-fields');
  await from('gitops-owns-fields', 'The autopilot takes it by force from argocd-controller.');
});

test('explain: a pointer to nothing is refused, with what there is', async () => {
  const check = async (pointer, ...messages) => {
    const { code, err } = await cli(['explain', 'descheduler-loadaware', pointer, '--demo']);
    assert.equal(code, 2);
    for (const message of messages) assert.ok(err.includes(message), err);
  };
  await check('/spec/modes', 'has nothing at `/spec/modes`', 'did you mean `/spec/mode`?');
  await check('spec.mode', 'is no JSON pointer', 'did you mean `/spec/mode`?');
});

test('simulate: a slow fight goes on, a fast one is paused', async () => {
  const slow = await cli(['simulate', '--demo', '--against', 'argocd']);
  assert.equal(slow.code, 0);
  assert.match(slow.out, /^KubeDescheduler .*\/cluster {2}not paused\n {2}never paused: /m);
  const fast = await cli(['simulate', '--demo', '--against', 'argocd', '--every', '1s', '--for', '10m']);
  assert.match(fast.out, /^KubeDescheduler .*\/cluster {2}paused at \d:\d\d\.\d\n {2}paused after /m);
  assert.match(fast.out, /virt-platform-autopilot +pauses +KubeDescheduler cluster/);
});

test('simulate: against a manifest, and against nobody', async (context) => {
  const root = await folder(context, {
    'git.yaml':
      'apiVersion: operator.openshift.io/v1\nkind: KubeDescheduler\nmetadata:\n  name: cluster\n  namespace: openshift-kube-descheduler-operator\nspec:\n  mode: Predictive\n',
  });
  const run = await cli(['simulate', '--demo', '--against', `${root}/git.yaml`, '--for', '5m', '-o', 'json']);
  assert.equal(run.code, 0);
  const simulation = JSON.parse(run.out);
  assert.ok(simulation.timeline.some(({ actor, fields }) => actor === 'argocd-controller' && fields.includes('/spec/mode')));
  const nobody = await cli(['simulate', '--demo', '--against', 'argocd', '--asset', 'swap-enable']);
  assert.equal(nobody.code, 2);
  assert.match(nobody.err, /nothing to fight about/);
  assert.equal((await cli(['simulate', '--demo'])).code, 2);
  assert.match((await cli(['simulate', '--demo', '--against', 'argocd', '--for', '1y'])).err, /`--for 1y` is no duration/);
});

test('the examples of the README work', async () => {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => /^\$ (npx )?virt-autopilot .*--demo/.test(line));
  assert.ok(lines.length > 0);
  for (const line of lines) {
    const words = line.replace(/ +#.*/, '').split(' ');
    const { code, err } = await cli(words.slice(words.indexOf('virt-autopilot') + 1));
    assert.equal(code, 0, err);
  }
});
