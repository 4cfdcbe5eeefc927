/** Asks the API server what it would make of an asset, without anything being written. */

import { type K8sModel, consoleFetch } from '@openshift-console/dynamic-plugin-sdk';
import { stringify } from 'virt-autopilot-ui';

import { pathOf } from '../cluster/models';
import type { AssetPlan, Change, Json, KubeObject } from '../types';
import { type Refusal, refusalFrom } from './refusal';

/** The controller's field manager. The dry run is asked in its name, since what is owned depends on it. */
const FIELD_MANAGER = 'virt-platform-autopilot';

export type DryRun = { kind: 'accepted'; object: KubeObject } | { kind: 'refused'; refusal: Refusal };

export async function dryRun(model: K8sModel, desired: KubeObject): Promise<DryRun> {
  const { name = '', namespace = '' } = desired.metadata ?? {};
  const query = new URLSearchParams({ dryRun: 'All', fieldManager: FIELD_MANAGER, force: 'true' });
  try {
    const response = await consoleFetch(`${pathOf(model, { namespace, name })}?${query.toString()}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/apply-patch+yaml', Accept: 'application/json' },
      // JSON is YAML.
      body: stringify(desired),
    });
    return { kind: 'accepted', object: (await response.json()) as KubeObject };
  } catch (thrown) {
    return { kind: 'refused', refusal: refusalFrom(thrown) };
  }
}

/** How the server's answer stands to our prediction. */
export type Comparison =
  | { kind: 'agrees' }
  | { kind: 'differs'; changes: Change[] }
  /** Predicted to be accepted, but refused, or the other way round. */
  | { kind: 'contradicts'; refusal: Refusal | null }
  /** The server did not get as far as to judge the object. */
  | { kind: 'unanswered'; refusal: Refusal };

export async function compare(
  asset: AssetPlan,
  answer: DryRun,
  diff: (before: Json, after: Json) => Promise<Change[]>,
): Promise<Comparison> {
  const isRefusalPredicted = asset.outcome.kind === 'applyRefused';
  if (answer.kind === 'refused') {
    const { refusal } = answer;
    if (refusal.kind !== 'invalid' && refusal.kind !== 'conflict') return { kind: 'unanswered', refusal };
    return isRefusalPredicted && refusal.kind === 'invalid' ? { kind: 'agrees' } : { kind: 'contradicts', refusal };
  }
  if (isRefusalPredicted || asset.predicted === null) return { kind: 'contradicts', refusal: null };
  const changes = await diff(compared(asset.predicted), compared(answer.object));
  return changes.length === 0 ? { kind: 'agrees' } : { kind: 'differs', changes };
}

/** Whether the controller would get as far as to apply the asset, so that there is something to ask the server. */
export function isApplied({ desired, outcome }: Pick<AssetPlan, 'desired' | 'outcome'>): boolean {
  return desired !== null && ['create', 'update', 'inSync', 'applyRefused'].includes(outcome.kind);
}

const KEPT_METADATA = new Set(['name', 'namespace', 'labels', 'annotations']);

/** What the controller compares: everything but the status and the server's own metadata. */
export function compared(object: KubeObject): Json {
  const metadata = Object.fromEntries(Object.entries(object.metadata ?? {}).filter(([key]) => KEPT_METADATA.has(key)));
  const rest = Object.fromEntries(Object.entries(object).filter(([key]) => key !== 'status'));
  return { ...rest, metadata };
}
