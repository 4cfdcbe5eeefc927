/** Overrides: from what the reader wants to the annotation, and what comes of it. */

import { DISABLED_RESOURCES, IGNORE_FIELDS, MODE, type Override, type OverrideVerdict, PATCH } from 'virt-autopilot-ui';

import type { AnnotationEdit, AssetPlan, Json, KubeObject, ObjectRef, Plan } from '../types';

/** The ways to have it otherwise. */
export type OverrideWay = 'fields' | 'edit' | 'unmanaged' | 'exclude';

export function ignoreFields(object: ObjectRef, pointers: readonly string[]): Override {
  return { object, annotation: IGNORE_FIELDS, value: pointers.length === 0 ? null : pointers.join(', ') };
}

export function patch(object: ObjectRef, operations: Json): Override {
  const isEmpty = Array.isArray(operations) && operations.length === 0;
  return { object, annotation: PATCH, value: isEmpty ? null : JSON.stringify(operations) };
}

export function unmanaged(object: ObjectRef): Override {
  return { object, annotation: MODE, value: 'unmanaged' };
}

/** Adds a rule for one object to those that the HyperConverged carries. */
export function exclude(hyperConverged: KubeObject, { kind, name, namespace }: ObjectRef): Override {
  const { name: owner = '', namespace: home = '' } = hyperConverged.metadata ?? {};
  const annotations = hyperConverged.metadata?.annotations as Record<string, string> | undefined;
  const present = annotations?.[DISABLED_RESOURCES]?.trimEnd() ?? '';
  const rule = [`- kind: ${kind}`, `  name: ${quoted(name)}`, ...(namespace === '' ? [] : [`  namespace: ${quoted(namespace)}`])].join('\n');
  return {
    object: { apiVersion: hyperConverged.apiVersion, kind: hyperConverged.kind, namespace: home, name: owner },
    annotation: DISABLED_RESOURCES,
    value: `${present === '' ? '' : `${present}\n`}${rule}\n`,
  };
}

export function editOf({ object, annotation, value }: Override): AnnotationEdit {
  return { kind: object.kind, namespace: object.namespace, name: object.name, key: annotation, value };
}

/** What the controller would make of it, read off the plan with the annotation. */
export function verdictFrom(plan: Plan, asset: string): { verdict: OverrideVerdict; after: AssetPlan } | undefined {
  const after = plan.assets.find((other) => other.asset === asset);
  if (!after) return undefined;
  const diagnostics = after.diagnostics;
  const isRefused = after.outcome.kind === 'maskFailed' || after.outcome.kind === 'applyRefused' || diagnostics.some(({ severity }) => severity === 'error');
  return { verdict: { accepted: !isRefused, outcome: after.outcome.kind, diagnostics }, after };
}

/** As YAML 1.1 reads it: what looks like something other than a name is quoted. */
function quoted(text: string): string {
  return /^[a-z][a-z0-9-]*$/.test(text) && !/^(y|n|yes|no|on|off|true|false|null)$/.test(text) ? text : JSON.stringify(text);
}
