/** What the page asks of the engine, wherever that runs. */

import type { AnnotationEdit, Behavior, Change, Json, KubeObject, ObjectRef, Plan } from '../types';

export type CatalogSource = { kind: 'builtin'; name: string } | { kind: 'bundle'; name: string; text: string };

/** What the templates of a catalog look at besides the objects that they render. */
export interface Lookups {
  objects: ObjectRef[];
  configMaps: { namespace: string; name: string }[];
  crds: string[];
  storageProfiles: boolean;
  /** Templates that look something up whose name cannot be known beforehand. */
  unknown: string[];
}

export interface CatalogSummary {
  name: string;
  behavior: Behavior;
  assets: { name: string; requiredCrd: string | null; gateCrd: string | null }[];
  tombstones: ObjectRef[];
  lookups: Lookups;
}

/** How a plan is asked for, apart from the objects. */
export interface PlanQuestion {
  namespace: string;
  behavior?: Behavior;
  /** The activation to preview in place of the annotation. */
  activation?: string;
  annotations?: AnnotationEdit[];
}

/** Each request with its answer. */
export interface Calls {
  start: { ask: object; answer: { catalogs: string[] } };
  load: { ask: { source: CatalogSource }; answer: CatalogSummary };
  /** The objects stay with the engine until they are replaced. */
  observe: { ask: { objects: KubeObject[] }; answer: object };
  /** The objects that the catalog comes to on this cluster, whatever is activated. */
  render: { ask: { question: PlanQuestion }; answer: ObjectRef[] };
  plan: { ask: { question: PlanQuestion }; answer: Plan };
  write: { ask: { objects: (KubeObject | null)[] }; answer: (string | null)[] };
  /** The patch that makes one object another, which is given as YAML. */
  patch: { ask: { before: KubeObject; after: string }; answer: Json };
  diff: { ask: { before: Json; after: Json }; answer: Change[] };
  /** The session is over, and what it holds can go. */
  close: { ask: object; answer: object };
}

export type Operation = keyof Calls;
export type Ask<O extends Operation> = Calls[O]['ask'];
export type Answer<O extends Operation> = Calls[O]['answer'];

/** Why the engine cannot serve. `blocked`: the page's policy does not let WebAssembly compile. */
export type FaultKind = 'blocked' | 'unreachable' | 'request' | 'crashed';

export interface FaultMessage {
  kind: FaultKind;
  message: string;
  /** Everything that is wrong with a catalog. */
  problems: string[];
}

export class EngineFault extends Error {
  override readonly name = 'EngineFault';
  readonly kind: FaultKind;
  readonly problems: readonly string[];

  constructor({ kind, message, problems }: FaultMessage) {
    super(message);
    this.kind = kind;
    this.problems = problems;
  }
}

/** Each view has a session of its own, with its catalog and its objects. */
export interface RequestMessage {
  id: number;
  session: number;
  operation: Operation;
  ask: unknown;
}

export type ReplyMessage = { id: number; answer: unknown } | { id: number; fault: FaultMessage };

/** A worker says so once it listens. */
export const READY = 'ready';
