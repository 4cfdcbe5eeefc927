/** Which kinds the cluster serves, and under which path. */

import type { K8sModel } from '@openshift-console/dynamic-plugin-sdk';

import { type Kind, apiVersionOf } from './kinds';

export type FindModel = (kind: Kind) => K8sModel | undefined;

/** The console's models by group, version and kind, under whatever keys it keeps them. */
export function findModelIn(models: Record<string, K8sModel>): FindModel {
  const byKind = new Map<string, K8sModel>();
  for (const model of Object.values(models)) {
    byKind.set(nameOf({ group: model.apiGroup ?? '', version: model.apiVersion, kind: model.kind }), model);
  }
  return (kind) => byKind.get(nameOf(kind));
}

/** Whether the cluster serves a resource of a CRD's name, `plural.group`, in any version. */
export function servesCrd(models: Record<string, K8sModel>, crd: string): boolean {
  return Object.values(models).some((model) => `${model.plural}.${model.apiGroup ?? ''}` === crd);
}

/** The path of an object behind the console's proxy. */
export function pathOf(model: K8sModel, object: { namespace: string; name: string }): string {
  const { apiGroup = '', apiVersion, plural } = model;
  const root = apiGroup === '' ? `/api/${apiVersion}` : `/apis/${apiGroup}/${apiVersion}`;
  const scope = model.namespaced === true ? `/namespaces/${encodeURIComponent(object.namespace)}` : '';
  return `/api/kubernetes${root}${scope}/${plural}/${encodeURIComponent(object.name)}`;
}

function nameOf(kind: Kind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}
