/** Plans for tests, each field with an honest default. */

import type { AssetPlan, Change, Diagnostic, Json, KubeObject, Owner, Plan, Simulation } from '../src/index.js';

export function change(pointer: string, before?: Json, after?: Json, more: Partial<Change> = {}): Change {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'replaced';
  return { pointer, kind, ...(before !== undefined && { before }), ...(after !== undefined && { after }), ...more };
}

export function owner(manager: string): Owner {
  return { manager, operation: 'Apply', apiVersion: 'operator.openshift.io/v1' };
}

export function object(kind: string, name: string, spec: KubeObject['spec'] = {}): KubeObject {
  return { apiVersion: 'operator.openshift.io/v1', kind, metadata: { name, namespace: 'openshift-x' }, spec };
}

export function asset(name: string, more: Partial<AssetPlan> = {}): AssetPlan {
  return {
    asset: name,
    group: null,
    path: `active/${name}.yaml`,
    component: 'KubeDescheduler',
    features: ['Load-Aware Descheduler'],
    object: { apiVersion: 'operator.openshift.io/v1', kind: 'KubeDescheduler', namespace: 'openshift-x', name },
    outcome: { kind: 'inSync' },
    conditions: [],
    baseline: null,
    patched: null,
    desired: null,
    live: null,
    predicted: null,
    steps: [],
    changes: [],
    ownership: [],
    customizations: [],
    diagnostics: [],
    ...more,
  };
}

export function plan(assets: AssetPlan[], more: Partial<Plan> = {}): Plan {
  return {
    catalog: '4.22',
    behavior: '4.22',
    activation: { kind: 'all' },
    assets,
    tombstones: [],
    leftBehind: [],
    impact: { pools: [], withoutReboot: [], diagnostics: [] },
    diagnostics: [],
    events: [],
    metrics: [],
    error: null,
    ...more,
  };
}

export function diagnostic(more: Partial<Diagnostic> = {}): Diagnostic {
  return { code: 'patch.refused.kind', severity: 'error', message: 'a `MachineConfig` cannot be patched', ...more };
}

export function simulation(more: Partial<Simulation> = {}): Simulation {
  const ref = { apiVersion: 'operator.openshift.io/v1', kind: 'KubeDescheduler', namespace: 'openshift-x', name: 'cluster' };
  return {
    durationMs: 60_000,
    truncated: 0,
    complete: true,
    failedPasses: 0,
    timeline: [
      { atMs: 0, actor: 'virt-platform-autopilot', action: 'apply', object: ref, fields: ['/spec/mode'], note: '' },
      { atMs: 2000, actor: 'argocd', action: 'apply', object: ref, fields: ['/spec/mode'], note: '' },
      { atMs: 30_000, actor: 'virt-platform-autopilot', action: 'paused', object: ref, fields: [], note: 'thrashing' },
    ],
    verdicts: [
      {
        object: ref,
        writes: { 'virt-platform-autopilot': 11, argocd: 12 },
        throttles: 3,
        pausedAtMs: 30_000,
        reason: 'three throttles in a row',
        owners: { '/spec/mode': ['argocd'] },
        rollouts: 0,
      },
    ],
    ...more,
  };
}
