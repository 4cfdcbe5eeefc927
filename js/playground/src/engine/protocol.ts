/** What the page and the worker say to each other. */

import type { Demo } from 'virt-autopilot';
import type {
  Actor,
  AssetPlan,
  Behavior,
  Diagnostic,
  ObjectTexts,
  Override,
  OverrideVerdict,
  Simulation,
} from 'virt-autopilot-ui';

import type { TextFile } from '../files/dropped';
import type { CatalogChoice } from '../session';
import type { ListedPlan, PlanChanges } from './listing';

/** Texts that do not change while one types are sent once, and are the same as before where they are `undefined`. */
export interface PlanInput {
  hco: string;
  overrides: string;
  behavior: Behavior | null;
  cluster: readonly TextFile[] | undefined;
  git: readonly TextFile[] | undefined;
  catalog: CatalogChoice | undefined;
}

export interface Started {
  version: string;
  catalogs: string[];
  demo: Demo;
}

export interface Planned {
  plan: ListedPlan;
  /** What is wrong with the input itself, before the plan. */
  problems: Diagnostic[];
  /** How many objects the cluster has. */
  objects: number;
  /** What the engine took, in milliseconds. */
  took: number;
}

/** A plan as the worker answers it. */
export interface Answer extends Omit<Planned, 'plan'> {
  plan: PlanChanges;
}

/** An asset as it is overridden by hand. */
export interface Overridable {
  asset: AssetPlan;
  /** The object to edit as YAML, with the patch that is there already. `null` where nothing is rendered. */
  text: string | null;
}

/** A way to override, as it is chosen by hand. */
export type Intent =
  /** The object as it should be, as YAML. */
  | { kind: 'edit'; text: string }
  | { kind: 'mask'; pointers: string[] }
  | { kind: 'unmanage' }
  | { kind: 'exclude' };

export interface Tried {
  override: Override;
  manifest: string;
  verdict: OverrideVerdict;
}

export interface SimulationInput {
  actors: Actor[];
  durationMs: number;
}

export interface Methods {
  start: () => Started;
  plan: (input: PlanInput) => Answer;
  /** The objects of an asset of the newest plan as YAML. */
  texts: (asset: string) => ObjectTexts;
  overridable: (asset: string) => Overridable;
  /** What an override would do, and how it is written. `null` where it would change nothing. */
  tryOverride: (asset: string, intent: Intent) => Tried | null;
  /** The overrides with one more in them. */
  addOverride: (overrides: string, override: Override) => string;
  /** A manifest that an opponent may hold on to: from Git where it is there, else what is live. */
  opponentManifest: (asset: string) => string;
  /** `manifest` is YAML and becomes the fields of the actors that have none. */
  simulate: (input: SimulationInput, manifest: string) => Simulation;
  /** The metrics after the newest plan, as Prometheus reads them. */
  metrics: () => string;
  /** The newest plan as a whole. */
  planText: (format: 'json' | 'yaml') => string;
}

export type Method = keyof Methods;
export type Result<M extends Method> = ReturnType<Methods[M]>;

export interface Request {
  id: number;
  method: Method;
  args: unknown[];
}

export interface Failure {
  code: string;
  message: string;
  problems: Diagnostic[];
}

export type Response = { id: number; result: unknown } | { id: number; failure: Failure };
