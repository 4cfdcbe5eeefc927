/** Writes one annotation: the only thing that this plugin ever writes, and only once it was confirmed. */

import { type K8sModel, consoleFetch } from '@openshift-console/dynamic-plugin-sdk';

import { pathOf } from '../cluster/models';
import type { KubeObject } from '../types';
import { type Refusal, refusalFrom } from './refusal';

export interface AnnotationChange {
  annotation: string;
  /** `null` where there is none. */
  before: string | null;
  /** `null` removes it. */
  after: string | null;
}

export function changeOn(live: KubeObject, annotation: string, after: string | null): AnnotationChange {
  const annotations = live.metadata?.annotations as Record<string, string> | undefined;
  return { annotation, before: annotations?.[annotation] ?? null, after };
}

/**
 * Sends the change for the state of the object that was shown: if someone else has written it since, the server answers
 * with a conflict. With `isRehearsal` the server only says whether it would take it.
 */
export async function annotate(
  model: K8sModel,
  live: KubeObject,
  { annotation, after }: AnnotationChange,
  { isRehearsal }: { isRehearsal: boolean },
): Promise<Refusal | null> {
  const { name = '', namespace = '' } = live.metadata ?? {};
  const query = new URLSearchParams({ ...(isRehearsal && { dryRun: 'All' }), fieldManager: 'virt-autopilot-console-plugin' });
  try {
    await consoleFetch(`${pathOf(model, { namespace, name })}?${query.toString()}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/merge-patch+json', Accept: 'application/json' },
      body: JSON.stringify({
        metadata: { resourceVersion: live.metadata?.resourceVersion, annotations: { [annotation]: after } },
      }),
    });
    return null;
  } catch (thrown) {
    return refusalFrom(thrown);
  }
}
