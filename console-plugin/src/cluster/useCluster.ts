/** Watches what a preview wants to read, as far as the user may. */

import {
  type K8sModel,
  type K8sResourceCommon,
  type WatchK8sResource,
  useK8sModels,
  useK8sWatchResources,
} from '@openshift-console/dynamic-plugin-sdk';
import { useEffect, useMemo, useState } from 'react';

import type { KubeObject } from '../types';
import { isAllowed } from './access';
import { apiVersionOf } from './kinds';
import { type FindModel, findModelIn, servesCrd } from './models';
import { type Reading, type Snapshot, snapshotFrom } from './snapshot';
import { type Wish, keyOf } from './wishes';

export interface Cluster extends Snapshot {
  findModel: FindModel;
  /** The models themselves are still being read. */
  isDiscovering: boolean;
  readingOf: (wish: Wish) => Reading;
}

/**
 * Watches in groups, each of which follows from what the one before brought: what every preview reads, what the catalog
 * looks at, what it renders. A group that changes starts its watches anew, and leaves those of the others alone.
 */
export function useCluster(base: readonly Wish[], catalog: readonly Wish[], rendered: readonly Wish[]): Cluster {
  const [models, isDiscovering] = useK8sModels();
  const findModel = useMemo(() => findModelIn(models), [models]);
  const groups = useMemo(() => withoutRepeats([base, catalog, rendered]), [base, catalog, rendered]);
  const first = useReadings(groups[0] ?? NONE, findModel, isDiscovering);
  const second = useReadings(groups[1] ?? NONE, findModel, isDiscovering);
  const third = useReadings(groups[2] ?? NONE, findModel, isDiscovering);

  return useMemo(() => {
    const readings = new Map([...first, ...second, ...third]);
    const readingOf = (key: string): Reading => readings.get(key) ?? { state: 'pending' };
    return {
      ...snapshotFrom(groups.flat(), readingOf, (crd) => servesCrd(models, crd)),
      findModel,
      isDiscovering,
      readingOf: (wish: Wish) => readingOf(keyOf(wish)),
    };
  }, [groups, first, second, third, findModel, models, isDiscovering]);
}

const NONE: readonly Wish[] = [];

/** Each wish in the first group that has it. */
function withoutRepeats(groups: readonly (readonly Wish[])[]): (readonly Wish[])[] {
  const seen = new Set<string>();
  return groups.map((wishes) =>
    wishes.filter((wish) => {
      const key = keyOf(wish);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    }),
  );
}

function useReadings(wishes: readonly Wish[], findModel: FindModel, isDiscovering: boolean): ReadonlyMap<string, Reading> {
  const access = useReadAccess(wishes, findModel, isDiscovering);
  const watched = useMemo(
    () => Object.fromEntries(wishes.flatMap((wish) => (access.get(keyOf(wish)) === 'allowed' ? [[keyOf(wish), watchOf(wish)]] : []))),
    [wishes, access],
  );
  const results = useK8sWatchResources<Record<string, K8sResourceCommon | K8sResourceCommon[]>>(watched);
  return useMemo(
    () =>
      new Map(
        wishes.map((wish) => {
          const key = keyOf(wish);
          const verdict = access.get(key);
          if (verdict === 'forbidden' || verdict === 'notServed') return [key, { state: verdict }];
          return [key, verdict === undefined ? { state: 'pending' } : readingFrom(wish, results[key])];
        }),
      ),
    [wishes, access, results],
  );
}

type Verdict = 'allowed' | 'forbidden' | 'notServed';

function useReadAccess(wishes: readonly Wish[], findModel: FindModel, isDiscovering: boolean): ReadonlyMap<string, Verdict> {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Verdict>>(new Map());
  useEffect(() => {
    if (isDiscovering) return undefined;
    let isCurrent = true;
    void Promise.all(wishes.map(async (wish) => [keyOf(wish), await verdictOn(wish, findModel(wish.kind))] as const)).then((pairs) => {
      if (isCurrent) setAnswers(new Map(pairs));
    });
    return () => {
      isCurrent = false;
    };
  }, [wishes, findModel, isDiscovering]);
  return answers;
}

async function verdictOn(wish: Wish, model: K8sModel | undefined): Promise<Verdict> {
  if (model === undefined) return 'notServed';
  const verb = wish.name === undefined ? 'list' : 'get';
  return (await isAllowed(model, verb, { namespace: wish.namespace, name: wish.name })) ? 'allowed' : 'forbidden';
}

function watchOf({ kind, name, namespace, labels, withoutLabel }: Wish): WatchK8sResource {
  return {
    groupVersionKind: kind,
    isList: name === undefined,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace, namespaced: true }),
    ...(labels && { selector: { matchLabels: labels } }),
    ...(withoutLabel !== undefined && { selector: { matchExpressions: [{ key: withoutLabel, operator: 'DoesNotExist' }] } }),
  };
}

interface Watched {
  data: K8sResourceCommon | K8sResourceCommon[] | null | undefined;
  loaded: boolean;
  loadError: unknown;
}

/** What the console tells of a watch. It keeps the last data when a watch drops, and goes on. */
export function readingFrom(wish: Wish, result: Watched | undefined): Reading {
  if (result === undefined) return { state: 'pending' };
  const status = statusOf(result.loadError);
  if (status === 404) return { state: 'absent' };
  if (status === 403) return { state: 'forbidden' };
  if (isFailure(result.loadError)) return { state: 'failed', status, message: messageOf(result.loadError) };
  if (!result.loaded) return { state: 'pending' };
  const items = [result.data].flat().filter((item): item is K8sResourceCommon => item?.metadata !== undefined);
  if (items.length === 0 && wish.name !== undefined) return { state: 'absent' };
  return { state: 'read', objects: items.map((item) => typed(wish, item)) };
}

/** The items of a list lack their kind on the wire. */
function typed({ kind }: Wish, item: K8sResourceCommon): KubeObject {
  return { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind } as unknown as KubeObject;
}

function isFailure(error: unknown): boolean {
  return error !== undefined && error !== null && error !== '';
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, response } = error as { code?: unknown; response?: { status?: unknown } };
  if (typeof code === 'number') return code;
  return typeof response?.status === 'number' ? response.status : null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
