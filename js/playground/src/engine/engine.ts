/** The engine as the worker uses it. */

import type {
  Actor,
  AnnotationEdit,
  AssetPlan,
  Behavior,
  Change,
  Json,
  KubeObject,
  Plan,
  Simulation,
} from 'virt-autopilot-ui';

import type { Demo } from '../session';

export interface Catalog {
  readonly name: string;
  readonly behavior: Behavior;
  withBehavior(behavior: Behavior): Catalog;
  free(): void;
}

interface Input {
  catalog: Catalog;
  objects: KubeObject[];
  options?: { annotations?: AnnotationEdit[] };
}

export interface Engine {
  readonly version: string;
  readonly yaml: { parse(text: string): Json; parseAll(text: string): Json[]; write(value: Json): string };
  catalogs(): string[];
  demo(): Demo;
  loadCatalog(
    source: string | Record<string, string> | { bundle: string },
    options?: { name?: string; behavior?: Behavior },
  ): Catalog;
  plan(input: Input): Plan;
  simulate(input: Input & { actors: Actor[]; durationMs: number }): Simulation;
  diff(before: Json, after: Json): Change[];
  toPatch(before: Json, after: Json): Json;
}

export type { AssetPlan, Json, KubeObject, Plan };
