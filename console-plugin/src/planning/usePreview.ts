/** The preview of a cluster: reads, plans, and plans again as the cluster changes. */

import { useEffect, useMemo, useRef, useState } from 'react';
import { sameObject } from 'virt-autopilot-ui';

import { type CatalogChoice, behaviorOf, builtinChoices, choiceFor, operatorVersionOf, type ServerChoices, serverChoices, sourceOf } from '../catalogs/sources';
import { HYPERCONVERGED_V1, HYPERCONVERGED_V1BETA1, apiVersionOf } from '../cluster/kinds';
import type { FindModel } from '../cluster/models';
import { type Missing, onlyHyperConverged } from '../cluster/snapshot';
import { type Cluster, useCluster } from '../cluster/useCluster';
import { baseWishes, catalogWishes, renderedWishes } from '../cluster/wishes';
import type { EngineClient } from '../engine/client';
import type { CatalogSummary, EngineFault, PlanQuestion } from '../engine/protocol';
import { faultOf, useEngine } from '../engine/useEngine';
import type { Behavior, KubeObject, ObjectRef, Plan } from '../types';
import type { Choices } from './choices';
import { type Latest, latest } from './latest';

/** How long changes of the cluster are gathered, and how long at most. */
const SETTLE_MS = 100;
const PATIENCE_MS = 1000;

export interface ReadyPreview {
  kind: 'ready';
  client: EngineClient;
  plan: Plan;
  question: PlanQuestion;
  hyperConverged: KubeObject;
  operatorVersion: string | null;
  /** Whether the behaviour follows the operator's version, rather than a choice or the catalog. */
  behaviorFrom: 'choice' | 'operator' | 'catalog';
  catalogs: readonly CatalogChoice[];
  /** Why those of the plugin's server are not among them. */
  catalogsProblem: string | null;
  catalog: CatalogChoice;
  summary: CatalogSummary;
  objects: readonly KubeObject[];
  missing: readonly Missing[];
  findModel: FindModel;
  isReplanning: boolean;
}

export type Preview =
  | { kind: 'starting' | 'reading' | 'planning' }
  /** No HyperConverged: none there, or its kind is not served. */
  | { kind: 'none' }
  | { kind: 'unreadable'; missing: readonly Missing[] }
  | { kind: 'fault'; at: 'engine' | 'catalog' | 'plan'; fault: EngineFault; retry: (() => void) | null; catalogs: readonly CatalogChoice[]; catalog: CatalogChoice | undefined }
  | ReadyPreview;

export function usePreview(namespace: string, choices: Choices): Preview {
  const [engine, restartEngine] = useEngine();
  const client = engine.kind === 'ready' ? engine.client : undefined;
  const served = useServerChoices();
  const catalogs = useMemo(
    () => (client && served ? [...builtinChoices(client.catalogs), ...served.choices] : undefined),
    [client, served],
  );

  // What is read decides on the catalog, and the catalog on what else is read: each is known a render later.
  const [summary, setSummary] = useState<CatalogSummary>();
  const [rendered, setRendered] = useState<readonly ObjectRef[]>();
  const cluster = useCluster(
    useMemo(() => baseWishes(namespace), [namespace]),
    useMemo(() => (summary ? catalogWishes(summary) : []), [summary]),
    useMemo(() => renderedWishes(rendered ?? []), [rendered]),
  );
  const found = useMemo(() => hyperConvergedIn(cluster, namespace), [cluster, namespace]);

  const operatorVersion = found.kind === 'found' ? operatorVersionOf(found.object.status) : null;
  const isFound = found.kind === 'found';
  const catalog = useMemo(() => {
    if (!catalogs || !isFound) return undefined;
    return catalogs.find(({ id }) => id === choices.catalog) ?? choiceFor(catalogs, operatorVersion);
  }, [catalogs, isFound, choices.catalog, operatorVersion]);
  const loading = useCatalog(client, catalog);
  const loaded = loading.kind === 'loaded' && loading.id === catalog?.id ? loading.summary : undefined;
  if (summary !== loaded) {
    setSummary(loaded);
    setRendered(undefined);
  }

  const byOperator = behaviorOf(operatorVersion);
  const behavior = choices.behavior ?? byOperator ?? summary?.behavior;
  const question = useMemo<PlanQuestion>(
    () => ({
      namespace,
      ...(behavior !== undefined && { behavior }),
      ...(choices.activation !== null && { activation: choices.activation }),
    }),
    [namespace, behavior, choices.activation],
  );
  const objects = useObjects(cluster, behavior);
  const isReady = client !== undefined && summary !== undefined && summary === loaded && cluster.isComplete && isFound;
  const planning = usePlan(isReady ? client : undefined, objects, question, summary);
  const planned = planning.kind === 'planned' && planning.summary === summary ? planning : undefined;
  if (planned && !(rendered && sameRefs(rendered, planned.rendered))) setRendered(planned.rendered);

  // Until everything that the plan is about has been read, it would call what is there a creation. Later it stays
  // while it is made anew.
  const isTrue =
    planned !== undefined &&
    rendered !== undefined &&
    cluster.isComplete &&
    sameRefs(rendered, planned.rendered) &&
    planned.objects === objects &&
    planned.question === question;
  const [shown, setShown] = useState<Planned>();
  if (isTrue && shown !== planned) setShown(planned);
  const last = shown?.summary === summary ? shown : undefined;

  if (engine.kind === 'fault') return { kind: 'fault', at: 'engine', fault: engine.fault, retry: restartEngine, catalogs: [], catalog };
  if (found.kind === 'none') return { kind: 'none' };
  if (found.kind === 'unreadable') return { kind: 'unreadable', missing: cluster.missing.filter(({ purpose }) => purpose === 'hyperConverged') };
  if (engine.kind === 'starting') return { kind: 'starting' };
  if (loading.kind === 'fault' && loading.id === catalog?.id) {
    return { kind: 'fault', at: 'catalog', fault: loading.fault, retry: loading.retry, catalogs: catalogs ?? [], catalog };
  }
  if (planning.kind === 'fault' && planning.summary === summary) {
    const retry = planning.fault.kind === 'crashed' ? restartEngine : planning.retry;
    return { kind: 'fault', at: 'plan', fault: planning.fault, retry, catalogs: catalogs ?? [], catalog };
  }
  if (found.kind !== 'found' || !catalogs || !catalog || !client || !last) return { kind: isReady ? 'planning' : 'reading' };
  return {
    kind: 'ready',
    client,
    plan: last.plan,
    question: last.question,
    hyperConverged: found.object,
    operatorVersion,
    behaviorFrom: choices.behavior !== null ? 'choice' : byOperator !== null ? 'operator' : 'catalog',
    catalogs,
    catalogsProblem: served?.problem ?? null,
    catalog,
    summary: last.summary,
    objects: last.objects,
    missing: cluster.missing,
    findModel: cluster.findModel,
    isReplanning: !isTrue,
  };
}

type Found = { kind: 'pending' } | { kind: 'none' } | { kind: 'unreadable' } | { kind: 'found'; object: KubeObject };

function hyperConvergedIn(cluster: Cluster, namespace: string): Found {
  const readings = baseWishes(namespace)
    .filter(({ purpose }) => purpose === 'hyperConverged')
    .map((wish) => cluster.readingOf(wish));
  for (const reading of readings) {
    const object = reading.state === 'read' ? reading.objects[0] : undefined;
    if (object) return { kind: 'found', object };
  }
  if (cluster.isDiscovering || readings.some(({ state }) => state === 'pending')) return { kind: 'pending' };
  const isRefused = readings.some(({ state }) => state === 'forbidden' || state === 'failed');
  return { kind: isRefused ? 'unreadable' : 'none' };
}

/** The objects for the plan; the same list as long as nothing in it matters anew. */
function useObjects(cluster: Cluster, behavior: Behavior | undefined): readonly KubeObject[] {
  const [kept, setKept] = useState<{ digest: string; objects: readonly KubeObject[] }>({ digest: '', objects: [] });
  const apiVersion = apiVersionOf(behavior === '4.22' ? HYPERCONVERGED_V1BETA1 : HYPERCONVERGED_V1);
  const digest = `${apiVersion}\n${cluster.digest}`;
  if (kept.digest !== digest) setKept({ digest, objects: onlyHyperConverged(cluster.objects, apiVersion) });
  return kept.objects;
}

function useServerChoices(): ServerChoices | undefined {
  const [choices, setChoices] = useState<ServerChoices>();
  useEffect(() => {
    let isCurrent = true;
    void serverChoices().then((found) => { if (isCurrent) setChoices(found); });
    return () => {
      isCurrent = false;
    };
  }, []);
  return choices;
}

type Loading = { kind: 'pending' } | { kind: 'loaded'; id: string; summary: CatalogSummary } | { kind: 'fault'; id: string; fault: EngineFault; retry: () => void };

function useCatalog(client: EngineClient | undefined, choice: CatalogChoice | undefined): Loading {
  const [loading, setLoading] = useState<Loading>({ kind: 'pending' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!client || !choice) return undefined;
    let isCurrent = true;
    const { id } = choice;
    sourceOf(choice)
      .then((source) => client.call('load', { source }))
      .then(
        (summary) => { if (isCurrent) setLoading({ kind: 'loaded', id, summary }); },
        (thrown: unknown) => {
          const retry = () => { setAttempt((last) => last + 1); };
          if (isCurrent) setLoading({ kind: 'fault', id, fault: faultOf(thrown), retry });
        },
      );
    return () => {
      isCurrent = false;
    };
  }, [client, choice, attempt]);
  return loading;
}

interface Planned {
  kind: 'planned';
  plan: Plan;
  rendered: readonly ObjectRef[];
  objects: readonly KubeObject[];
  question: PlanQuestion;
  summary: CatalogSummary;
}

type Planning =
  | { kind: 'idle' }
  | Planned
  | { kind: 'fault'; fault: EngineFault; summary: CatalogSummary; retry: () => void };

interface Job {
  client: EngineClient;
  objects: readonly KubeObject[];
  question: PlanQuestion;
  summary: CatalogSummary;
}

function usePlan(
  client: EngineClient | undefined,
  objects: readonly KubeObject[],
  question: PlanQuestion,
  summary: CatalogSummary | undefined,
): Planning {
  const [planning, setPlanning] = useState<Planning>({ kind: 'idle' });
  const [attempt, setAttempt] = useState(0);
  const planner = useRef<Latest<Job>>(undefined);
  useEffect(() => {
    const started = latest<Job, Planning>({
      run: runJob,
      onResult: setPlanning,
      onError: (thrown, job) => {
        const retry = () => { setAttempt((last) => last + 1); };
        setPlanning({ kind: 'fault', fault: faultOf(thrown), summary: job.summary, retry });
      },
      settleMs: SETTLE_MS,
      patienceMs: PATIENCE_MS,
    });
    planner.current = started;
    return () => { started.stop(); };
  }, []);
  useEffect(() => {
    if (client && summary) planner.current?.ask({ client, objects, question, summary });
  }, [client, objects, question, summary, attempt]);
  return planning;
}

async function runJob({ client, objects, question, summary }: Job): Promise<Planning> {
  await client.call('observe', { objects: [...objects] });
  const rendered = await client.call('render', { question });
  const plan = await client.call('plan', { question });
  return { kind: 'planned', plan, rendered, objects, question, summary };
}

function sameRefs(a: readonly ObjectRef[], b: readonly ObjectRef[]): boolean {
  return (
    a.length === b.length &&
    a.every((ref, index) => {
      const other = b[index];
      return other !== undefined && sameObject(ref, other);
    })
  );
}
