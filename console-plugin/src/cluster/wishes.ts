/** What a preview wants to read of a cluster. */

import type { CatalogSummary } from '../engine/protocol';
import type { ObjectRef } from '../types';
import {
  CONFIG_MAP,
  CRD,
  HYPERCONVERGED_NAME,
  HYPERCONVERGED_V1,
  HYPERCONVERGED_V1BETA1,
  INFRASTRUCTURE,
  KUBELET_CONFIG,
  type Kind,
  MANAGED_BY,
  NAMESPACE,
  NODE,
  OPERATOR,
  POOL,
  SCHEDULER,
  STORAGE_PROFILE,
  apiVersionOf,
  kindFrom,
} from './kinds';

/** What something is read for, and so what the preview lacks without it. */
export type Purpose =
  | 'hyperConverged'
  | 'nodes'
  | 'pools'
  | 'topology'
  | 'crds'
  | 'namespaces'
  | 'live'
  | 'labelled'
  | 'tombstones'
  | 'kubeletConfigs'
  | 'operators'
  | 'lookups';

/** One object by its name, or a list where there is no name. */
export interface Wish {
  purpose: Purpose;
  kind: Kind;
  name?: string;
  namespace?: string;
  labels?: Record<string, string>;
  /** Only objects that do not carry this label. */
  withoutLabel?: string;
}

/** Names a wish, so that it is the same watch as long as it is the same wish. */
export function keyOf({ kind, name, namespace, labels }: Wish): string {
  return [apiVersionOf(kind), kind.kind, namespace ?? '', name ?? '', labels ? 'labelled' : ''].join('|');
}

/** What every preview reads, whatever the catalog. */
export function baseWishes(namespace: string): Wish[] {
  return [
    { purpose: 'hyperConverged', kind: HYPERCONVERGED_V1, name: HYPERCONVERGED_NAME, namespace },
    { purpose: 'hyperConverged', kind: HYPERCONVERGED_V1BETA1, name: HYPERCONVERGED_NAME, namespace },
    { purpose: 'nodes', kind: NODE },
    { purpose: 'pools', kind: POOL },
    { purpose: 'topology', kind: INFRASTRUCTURE, name: 'cluster' },
    { purpose: 'topology', kind: SCHEDULER, name: 'cluster' },
    { purpose: 'kubeletConfigs', kind: KUBELET_CONFIG },
    // An operator is copied into each namespace that it serves.
    { purpose: 'operators', kind: OPERATOR, withoutLabel: 'olm.copiedFrom' },
  ];
}

/** What the catalog's conditions, templates and tombstones look at. */
export function catalogWishes({ assets, tombstones, lookups }: CatalogSummary): Wish[] {
  const crds = new Set(assets.flatMap(({ requiredCrd, gateCrd }) => [requiredCrd, gateCrd]).filter((name) => name !== null));
  for (const crd of lookups.crds) crds.add(crd);
  return distinct([
    ...[...crds].map((name): Wish => ({ purpose: 'crds', kind: CRD, name })),
    ...tombstones.map((object) => named('tombstones', object)),
    ...lookups.objects.map((object) => named('lookups', object)),
    ...lookups.configMaps.map((object): Wish => ({ purpose: 'lookups', kind: CONFIG_MAP, ...object })),
    ...(lookups.storageProfiles ? [{ purpose: 'lookups', kind: STORAGE_PROFILE } satisfies Wish] : []),
  ]);
}

/** The objects that the catalog renders here, where they live, and what else of their kinds carries the label. */
export function renderedWishes(rendered: readonly ObjectRef[]): Wish[] {
  const namespaces = new Set(rendered.map(({ namespace }) => namespace).filter((name) => name !== ''));
  return distinct([
    // The HyperConverged is watched anyway.
    ...rendered.filter(({ kind }) => kind !== 'HyperConverged').map((object) => named('live', object)),
    ...[...namespaces].map((name): Wish => ({ purpose: 'namespaces', kind: NAMESPACE, name })),
    ...rendered.map((object): Wish => ({ purpose: 'labelled', kind: kindFrom(object), labels: MANAGED_BY })),
  ]);
}

/** Without what is wished for twice; the first purpose stays. */
export function distinct(wishes: readonly Wish[]): Wish[] {
  const byKey = new Map<string, Wish>();
  for (const wish of wishes) {
    const key = keyOf(wish);
    if (!byKey.has(key)) byKey.set(key, wish);
  }
  return [...byKey.values()];
}

function named(purpose: Purpose, object: ObjectRef): Wish {
  const { name, namespace } = object;
  return { purpose, kind: kindFrom(object), name, ...(namespace !== '' && { namespace }) };
}
