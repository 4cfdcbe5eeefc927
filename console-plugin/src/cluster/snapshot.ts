/** What was read of a cluster, and what was not and why. */

import type { KubeObject, ObjectRef } from '../types';
import { CRD, NAMESPACE, NODE, apiVersionOf } from './kinds';
import { type Purpose, type Wish, keyOf } from './wishes';

/** How it went with one wish. `absent` is an answer: the object, or its kind, is not there. */
export type Reading =
  | { state: 'pending' }
  | { state: 'read'; objects: readonly KubeObject[] }
  | { state: 'absent' }
  | { state: 'notServed' }
  | { state: 'forbidden' }
  | { state: 'failed'; status: number | null; message: string };

export interface Missing {
  purpose: Purpose;
  state: 'forbidden' | 'failed';
  /** What could not be read, by kind. Without names it is the kind as a whole. */
  what: { kind: string; names: string[] }[];
  /** The server's words, where there are some. */
  messages: string[];
  /** Where something else stands in for it. */
  assumed: boolean;
}

export interface Snapshot {
  /** Everything that was asked for has been answered. */
  isComplete: boolean;
  objects: KubeObject[];
  missing: Missing[];
  /** Equal for snapshots that give equal plans. */
  digest: string;
}

/** What the snapshot holds, with stand-ins for what may not be read but is known to be there. */
export function snapshotFrom(
  wishes: readonly Wish[],
  readingOf: (key: string) => Reading,
  isServed: (crd: string) => boolean,
): Snapshot {
  const objects = new Map<string, KubeObject>();
  const missing = new Map<string, Missing>();
  let isComplete = true;
  for (const wish of wishes) {
    const reading = readingOf(keyOf(wish));
    if (reading.state === 'pending') isComplete = false;
    if (reading.state === 'read') {
      for (const object of reading.objects) objects.set(identityOf(object), object);
    }
    if (reading.state === 'forbidden' || reading.state === 'failed') {
      const standIn = standInFor(wish, isServed);
      if (standIn) objects.set(identityOf(standIn), standIn);
      note(missing, wish, reading, standIn !== undefined);
    }
  }
  const sorted = [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    isComplete,
    objects: sorted.map(([, object]) => object),
    missing: [...missing.values()],
    digest: sorted.map(([identity, object]) => `${identity}@${versionOf(object)}`).join('\n'),
  };
}

/**
 * The HyperConverged is watched in each version that is served; one of them goes into the plan, the one that the
 * controller of that release reads.
 */
export function onlyHyperConverged(objects: readonly KubeObject[], apiVersion: string): KubeObject[] {
  const all = objects.filter(({ kind }) => kind === 'HyperConverged');
  const kept = all.find((object) => object.apiVersion === apiVersion) ?? all[0];
  return objects.filter((object) => object.kind !== 'HyperConverged' || object === kept);
}

/** Whether one object is among what could not be read. */
export function isMissing(missing: readonly Missing[], { kind, namespace, name }: ObjectRef): boolean {
  return missing.some(({ purpose, what }) => purpose === 'live' && what.some((some) => some.kind === kind && some.names.includes(pathName(namespace, name))));
}

function note(missing: Map<string, Missing>, wish: Wish, reading: Reading & { state: 'forbidden' | 'failed' }, assumed: boolean) {
  const group = `${wish.purpose} ${reading.state} ${assumed}`;
  const entry = missing.get(group) ?? { purpose: wish.purpose, state: reading.state, what: [], messages: [], assumed };
  missing.set(group, entry);
  let ofKind = entry.what.find(({ kind }) => kind === wish.kind.kind);
  if (!ofKind) entry.what.push((ofKind = { kind: wish.kind.kind, names: [] }));
  if (wish.name !== undefined) ofKind.names.push(pathName(wish.namespace ?? '', wish.name));
  if (reading.state === 'failed') {
    const message = reading.status === null ? reading.message : `${reading.status}: ${reading.message}`;
    if (!entry.messages.includes(message)) entry.messages.push(message);
  }
}

function pathName(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** That a CRD is installed shows in what the cluster serves; that a namespace is there is more likely than not. */
function standInFor({ purpose, kind, name }: Wish, isServed: (crd: string) => boolean): KubeObject | undefined {
  if (name === undefined) return undefined;
  const isKnown = (purpose === 'crds' && isServed(name)) || purpose === 'namespaces';
  return isKnown ? { apiVersion: apiVersionOf(purpose === 'crds' ? CRD : NAMESPACE), kind: kind.kind, metadata: { name } } : undefined;
}

function identityOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion} ${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

/** A node's heartbeat changes its version every few seconds, but nothing that a plan looks at. */
function versionOf(object: KubeObject): string {
  const { metadata } = object;
  if (object.kind === NODE.kind) {
    const status = object.status as { capacity?: Record<string, string> } | undefined;
    return JSON.stringify([metadata?.labels, metadata?.annotations, status?.capacity]);
  }
  return JSON.stringify([metadata?.uid, metadata?.resourceVersion]);
}
