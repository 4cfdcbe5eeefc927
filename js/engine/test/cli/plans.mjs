/** A plan as the engine gives it, with as many assets as are wanted, in every outcome that there is. */

const REF = (kind, namespace, name, group = 'operator.openshift.io/v1') => ({ apiVersion: group, kind, namespace, name });

const VERDICT = {
  type: 'annotation',
  key: 'platform.kubevirt.io/enable-kubelet-performance-settings',
  value: 'true',
  holds: false,
  expected: 'annotation platform.kubevirt.io/enable-kubelet-performance-settings = true',
  found: 'no such annotation',
};

const OUTCOMES = [
  { kind: 'create' },
  { kind: 'update' },
  { kind: 'inSync' },
  { kind: 'inSync' },
  { kind: 'paused' },
  { kind: 'unmanaged' },
  { kind: 'notListed' },
  { kind: 'notListed' },
  { kind: 'crdMissing', crd: 'forkliftcontrollers.forklift.konveyor.io', gate: false },
  { kind: 'crdMissing', crd: 'metallbs.metallb.io', gate: false },
  { kind: 'conditionsNotMet', conditions: [VERDICT] },
  { kind: 'rendersEmpty' },
  { kind: 'renderFailed', error: { message: 'no function is called `lookup`', path: 'active/x.yaml.tpl', line: 4, column: 9, sourceLine: '  a: {{ lookup }}', stage: 'parse' } },
  { kind: 'excludedByRule', rule: { kind: 'MachineConfig', name: '90-worker-*' } },
  { kind: 'maskFailed', message: '`/spec/groups/0` goes into a list' },
  { kind: 'applyRefused', message: '.spec.thing: field not declared in schema' },
  { kind: 'namespaceMissing', namespace: 'openshift-mtv' },
];

export function samplePlan(size) {
  const assets = Array.from({ length: size }, (_, at) => asset(at));
  const written = assets.filter(({ outcome }) => outcome.kind === 'create' || outcome.kind === 'update');
  const pool = (name, nodes, paused, causes) => ({
    pool: name,
    nodes,
    paused,
    causes: causes.map(({ asset, object }) => ({ asset, object, change: 'is changed' })),
  });
  return {
    catalog: 'sample',
    behavior: '4.23',
    activation: { kind: 'all' },
    error: null,
    assets,
    tombstones: [
      { path: 'tombstones/a.yaml', object: REF('UIPlugin', '', 'kubevirt-plugin'), outcome: 'delete' },
      { path: 'tombstones/b.yaml', object: REF('NodeHealthCheck', 'openshift-operators', 'virt-node-health-check'), outcome: 'skip' },
      { path: 'tombstones/c.yaml', object: REF('ConfigMap', 'x', 'gone', 'v1'), outcome: 'absent' },
    ],
    leftBehind: [
      { object: REF('MachineConfig', '', '50-virt-pci-passthrough'), asset: 'pci-passthrough', note: 'keeps its effect on the nodes until it is deleted and its pool has drained and rebooted' },
    ],
    impact: {
      pools: [pool('worker', ['worker-0', 'worker-1', 'worker-2'], false, written.slice(0, 2)), pool('master', ['master-0'], true, written.slice(1, 2))],
      withoutReboot: [],
      diagnostics: [],
    },
    diagnostics: [{ code: 'scope.unknown-name', severity: 'info', message: 'a note' }],
    events: [{ type: 'Warning', reason: 'DriftDetected', action: 'x', note: 'Drift detected for KubeDescheduler/openshift-kube-descheduler-operator/cluster', object: REF('KubeDescheduler', 'openshift-kube-descheduler-operator', 'cluster') }],
    metrics: [],
  };
}

function asset(at) {
  const outcome = OUTCOMES[at % OUTCOMES.length];
  const writes = outcome.kind === 'create' || outcome.kind === 'update';
  const name = `${['descheduler-loadaware', 'kubelet-perf-settings', 'a', 'metrics-servicemonitor'][at % 4]}-${at}`;
  const object = REF('KubeDescheduler', 'openshift-kube-descheduler-operator', name);
  const body = (interval) => ({ apiVersion: object.apiVersion, kind: object.kind, metadata: { name, namespace: object.namespace, managedFields: [{ manager: 'argocd-controller', operation: 'Apply', time: '2026-06-02T09:30:07Z', fieldsV1: { 'f:spec': { 'f:interval': {} } } }] }, spec: { interval, mode: 'Automatic' } });
  const live = outcome.kind === 'update' ? body(300) : null;
  return {
    asset: name,
    group: at % 3 === 0 ? 'descheduler' : null,
    path: `active/${name}.yaml.tpl`,
    component: 'KubeDescheduler',
    features: ['Load-Aware Descheduler'],
    object: writes ? object : null,
    outcome,
    conditions: outcome.kind === 'conditionsNotMet' ? [VERDICT] : [],
    baseline: writes ? body(30) : null,
    patched: writes ? body(30) : null,
    desired: writes ? body(30) : null,
    live,
    predicted: writes ? body(30) : null,
    steps: writes
      ? [
          { stage: 'baseline', note: `active/${name}.yaml.tpl is rendered`, changes: [] },
          { stage: 'patch', note: '1 operation is put on the baseline', changes: [{ pointer: '/spec/interval', kind: 'replaced', before: 60, after: 30 }] },
        ]
      : [],
    changes: writes
      ? [
          { pointer: '/spec/interval', kind: 'replaced', before: 300, after: 30 },
          { pointer: '/spec/flag', kind: 'typeOnly', before: 'true', after: true },
          { pointer: '/metadata/labels/platform.kubevirt.io~1managed-by', kind: 'added', after: 'virt-platform-autopilot' },
          { pointer: '/spec/payload', kind: 'replaced', before: `data:,${'a'.repeat(300)}`, after: `data:,${'b'.repeat(300)}`, payload: { path: '/etc/x.conf', before: { mode: 420, text: 'a' }, after: { mode: 420, text: 'b' }, sameContent: false } },
        ]
      : [],
    ownership: outcome.kind === 'update' ? [
          { change: 'taken', field: { path: '.spec.interval', pointer: '/spec/interval' }, from: [{ manager: 'argocd-controller', operation: 'Apply', apiVersion: 'x/v1' }] },
          { change: 'foreign', field: { path: '.spec.mode', pointer: '/spec/mode' }, owners: [{ manager: 'kubectl-edit', operation: 'Update', apiVersion: 'x/v1' }] },
          { change: 'foreign', field: { path: '.status.x', pointer: '/status/x' }, owners: [{ manager: 'operator', operation: 'Update', apiVersion: 'x/v1', subresource: 'status' }] },
        ] : [],
    customizations: outcome.kind === 'update' ? ['patch'] : [],
    diagnostics:
      outcome.kind === 'maskFailed'
        ? [
            {
              code: 'mask.into-list',
              severity: 'error',
              message: '`/spec/groups/0` goes into a list, which stops the whole object',
              help: 'mask the whole list: `/spec/groups`',
              source: { object, annotation: 'platform.kubevirt.io/ignore-fields', span: { line: 1, column: 5, start: 4, end: 9 } },
              fixes: [{ title: 'mask the whole list', object, annotation: 'platform.kubevirt.io/ignore-fields', value: '/spec/groups' }],
            },
          ]
        : [],
  };
}
