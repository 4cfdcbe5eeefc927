/** Answers requests with the engine. It is the same in a worker and on the page itself. */

import { type Catalog, type Cluster, type Engine, EngineCrashed, EngineError, init } from 'virt-autopilot';

import type { KubeObject, ObjectRef } from '../types';
import { lookupsOf } from './lookups';
import type { Answer, Ask, CatalogSource, CatalogSummary, FaultMessage, Operation, PlanQuestion } from './protocol';

interface Session {
  catalog: Catalog | undefined;
  /** The catalog as another release follows it, made when it is first asked for. */
  variant: Catalog | undefined;
  /** What was observed last, kept by the engine: the overrides that are tried are made on one and the same cluster. */
  cluster: Cluster | undefined;
}

let engine: Engine | undefined;
const sessions = new Map<number, Session>();

type Operations = { [O in Operation]: (session: Session, ask: Ask<O>) => Promise<Answer<O>> | Answer<O> };

const operations: Operations = {
  start: async () => {
    engine = await init();
    return { catalogs: engine.catalogs() };
  },
  load: (session, { source }) => {
    const catalog = loadCatalog(source);
    free(session);
    session.catalog = catalog;
    return summaryOf(catalog);
  },
  observe: (session, { objects }) => {
    session.cluster?.free();
    session.cluster = started().cluster({ objects });
    return {};
  },
  render: (session, { question }) => {
    const { assets } = started().render({
      catalog: followed(session, question),
      ...observed(session),
      namespace: question.namespace,
      options: { ignoreActivation: true, showExcluded: true },
    });
    return assets.flatMap(({ object }) => (object === null ? [] : [refOf(object)]));
  },
  plan: (session, { question }) => {
    const { namespace, activation, annotations } = question;
    return started().plan({
      catalog: followed(session, question),
      ...observed(session),
      namespace,
      options: { ...(activation !== undefined && { activation }), ...(annotations && { annotations }) },
    });
  },
  write: (_session, { objects }) => objects.map((object) => object && started().yaml.write(object)),
  patch: (_session, { before, after }) => started().toPatch(before, started().yaml.parse(after)),
  diff: (_session, { before, after }) => started().diff(before, after),
  close: (session) => {
    free(session);
    session.cluster?.free();
    return {};
  },
};

export async function serve<O extends Operation>(number: number, operation: O, ask: Ask<O>): Promise<Answer<O>> {
  const session = sessions.get(number) ?? { catalog: undefined, variant: undefined, cluster: undefined };
  sessions.set(number, session);
  if (operation === 'close') sessions.delete(number);
  return operations[operation](session, ask);
}

export function faultFrom(thrown: unknown): FaultMessage {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof EngineCrashed) return { kind: 'crashed', message, problems: [] };
  if (thrown instanceof EngineError) {
    const kind = thrown.code === 'engine.unavailable' ? 'unreachable' : 'request';
    return { kind, message, problems: thrown.problems.map((problem) => problem.message) };
  }
  if (isRefusedByPolicy(thrown)) return { kind: 'blocked', message, problems: [] };
  return { kind: thrown instanceof TypeError ? 'unreachable' : 'request', message, problems: [] };
}

/** Browsers call the error of a policy by the same name as that of a broken file; only the message tells. */
function isRefusedByPolicy(thrown: unknown): boolean {
  if (typeof WebAssembly === 'undefined') return true;
  return thrown instanceof Error && /content security policy|unsafe-eval|blocked by csp/i.test(thrown.message);
}

function started(): Engine {
  if (engine === undefined) throw new EngineError('engine.not-initialized', 'the engine was not started');
  return engine;
}

function loadCatalog(source: CatalogSource): Catalog {
  return started().loadCatalog(source.kind === 'builtin' ? source.name : { bundle: source.text });
}

/** The session's catalog as the release in question follows it. */
function followed(session: Session, { behavior }: PlanQuestion): Catalog {
  const { catalog } = session;
  if (catalog === undefined) throw new EngineError('catalog.missing', 'no catalog was loaded');
  if (behavior === undefined || behavior === catalog.behavior) return catalog;
  if (session.variant?.behavior !== behavior) {
    session.variant?.free();
    session.variant = catalog.withBehavior(behavior);
  }
  return session.variant;
}

function observed({ cluster }: Session): { cluster?: Cluster } {
  return cluster === undefined ? {} : { cluster };
}

function free(session: Session): void {
  session.variant?.free();
  session.catalog?.free();
  session.variant = undefined;
  session.catalog = undefined;
}

function summaryOf(catalog: Catalog): CatalogSummary {
  const paths = new Set(catalog.assets.map(({ path }) => path));
  const templates = [...paths].map((path) => [path, catalog.file(path) ?? catalog.file(`active/${path}`) ?? ''] as const);
  return {
    name: catalog.name,
    behavior: catalog.behavior,
    assets: catalog.assets.map(({ name, requiredCrd, gateCrd }) => ({ name, requiredCrd, gateCrd })),
    tombstones: catalog.tombstones.map(({ object }) => object),
    lookups: lookupsOf(templates, 'openshift-cnv'),
  };
}

function refOf({ apiVersion, kind, metadata }: KubeObject): ObjectRef {
  return { apiVersion, kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}
