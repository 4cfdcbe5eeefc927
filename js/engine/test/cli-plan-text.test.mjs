// How plans read, on plans that have everything that a plan can have.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { style } from '../dist/cli/style.js';
import { harmless } from '../dist/cli/terminal.js';
import { printAssetDetails } from '../dist/cli/text/asset-details.js';
import { printLadder } from '../dist/cli/text/ladder.js';
import { ownersAt, valueAt } from '../dist/cli/text/owners.js';
import { printPlanSummary } from '../dist/cli/text/plan-summary.js';
import { printSimulation } from '../dist/cli/text/simulation.js';
import { printValueOrigin } from '../dist/cli/text/value-origin.js';
import { samplePlan } from './cli/plans.mjs';
import { widest } from './cli/run.mjs';

const engine = { unified: () => '--- live\n+++ autopilot\n@@ -1 +1 @@\n-  interval: 300\n+  interval: 30\n' };
const nowhere = () => undefined;

/** What is printed on a terminal of that width. */
function printed(width, print) {
  const lines = [];
  const out = { style: style(false), isTerminal: true, width, prose: Math.min(width, 100), line: (text = '') => lines.push(harmless(text, false)) };
  print(out);
  return `${lines.join('\n')}\n`;
}

for (const width of [80, 200]) {
  test(`a plan of 100 assets on ${width} columns`, () => {
    const plan = samplePlan(100);
    const texts = [
      printed(width, (out) => printPlanSummary(plan, out, nowhere)),
      ...plan.assets.map((asset) => printed(width, (out) => printAssetDetails(asset, plan, engine, out, nowhere))),
      ...plan.assets.map((asset) => printed(width, (out) => printLadder(asset, plan, out))),
    ];
    for (const text of texts) assert.ok(widest(text) <= width, text);
    // Every asset is named once, and none is cut.
    for (const { asset } of plan.assets) assert.ok(texts[0].includes(asset), asset);
  });
}

test('a summary has the changes, who loses, and what reboots', () => {
  const text = printed(80, (out) => printPlanSummary(samplePlan(17), out, nowhere));
  assert.match(text, /^Catalog sample as 4\.23 behaves · autopilot on for everything\n/);
  assert.match(text, /^ {2}kubelet-perf-settings-1 +update +4 {2}argocd-controller +worker \(3\), ma/m);
  assert.match(text, /^ {2}render failed|render failed$/m);
  assert.match(text, /^ {2}CRD missing +descheduler-loadaware-8\n +\(forkliftcontrollers\.forklift\.konveyor\.io\)\n +kubelet-perf-settings-9 {2}\(metallbs\.metallb\.io\)$/m);
  assert.match(text, /^ {2}worker {2}3 nodes: worker-0, worker-1, worker-2$/m);
  assert.match(text, /^ {2}master {2}paused, so only once it is resumed; 1 node: master-0$/m);
  assert.match(text, /^ {2}UIPlugin kubevirt-plugin: deleted$/m);
  assert.match(text, /^ {2}at KubeDescheduler .*\/a-14, annotation\n {5}ignore-fields \(line 1, column 5\)$/m);
  assert.match(text, /^ {2}help: mask the whole list: `\/spec\/groups`$/m);
  assert.match(text, /\nPlan: 1 to create, 1 to update, 2 in sync, 10 not applied, 3 failed, 3 nodes\nreboot\.\n$/);
});

test('the details of an asset', () => {
  const plan = samplePlan(17);
  const text = printed(80, (out) => printAssetDetails(plan.assets[1], plan, engine, out, nowhere));
  assert.match(text, /^kubelet-perf-settings-1 {2}update$/m);
  assert.match(text, /^ {4}~ \/spec\/interval {2}300 → 30$/m);
  assert.match(text, /^ {4}~ \/spec\/flag {2}"true" → true {2}only its type$/m);
  assert.match(text, /^ {8}content of \/etc\/x\.conf, mode 0644 \(420\)$/m);
  assert.match(text, /^ {4}takes by force from argocd-controller\n {6}\/spec\/interval$/m);
  assert.match(text, /^ {4}\+ {2}interval: 30$/m);
});

test('where a value comes from', () => {
  const { assets } = samplePlan(17);
  const text = printed(80, (out) => printValueOrigin(assets[1], '/spec/interval', out));
  assert.match(text, /^ {2}live +300\n +owned by argocd-controller \(Apply, 2026-06-02T09:30:07Z\)$/m);
  assert.match(text, /It comes from the patch in the annotation of the live object\.\n {2}The autopilot takes it by force from argocd-controller\.\n$/);
});

test('why an asset is not applied, and how to see it applied', () => {
  const plan = samplePlan(17);
  const text = printed(80, (out) => printLadder(plan.assets[10], plan, out));
  assert.match(text, /✓ the CRDs that it needs are installed\n {2}✗ its conditions do not all hold\n {6}✗ annotation enable/);
  assert.match(text, /--what-if\n? *enable-kubelet-performance-settings=true/);
});

test('owners by managed fields', () => {
  const object = {
    metadata: {
      managedFields: [
        { manager: 'a', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:ports': { 'k:{"port":80}': { '.': {}, 'f:name': {} } } } } },
        { manager: 'b', operation: 'Update', time: 't', fieldsV1: { 'f:spec': { 'f:atomic': {}, 'f:set': { 'v:"x"': {} } } } },
      ],
    },
    spec: { ports: [{ port: 81 }, { port: 80, name: 'web' }], atomic: { deep: 1 }, set: ['x'] },
  };
  const owners = (pointer) => ownersAt(object, pointer).map(({ manager }) => manager).join();
  assert.equal(owners('/spec/ports/1/name'), 'a');
  assert.equal(owners('/spec/ports/0/name'), '');
  assert.equal(owners('/spec/atomic/deep'), 'b');
  assert.equal(owners('/spec/set/0'), 'b');
  assert.equal(owners('/spec'), 'a,b');
  assert.equal(valueAt(object, '/spec/ports/1/name'), 'web');
  assert.equal(valueAt(object, '/spec/ports/x'), undefined);
});

test('a simulation that was cut short', () => {
  const simulation = { durationMs: 90_000, complete: false, timeline: [], truncated: 0, failedPasses: 0, verdicts: [] };
  const text = (complete) => printed(80, (out) => printSimulation({ ...simulation, complete }, out));
  assert.match(text(false), /^1m 30s of virtual time\nCut short: more happens than one simulation plays\.\n/);
  assert.doesNotMatch(text(true), /Cut short/);
});
