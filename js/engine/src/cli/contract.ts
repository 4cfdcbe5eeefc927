/** What the commands use of the engine. */

import type { Behavior, Diagnostic, Json, KubeObject, ObjectRef } from '../types.js';

export type { Behavior, Diagnostic, Json, KubeObject, ObjectRef, Source, Severity } from '../types.js';

export type Condition =
  | { type: 'annotation'; key: string; value?: string }
  | { type: 'feature-gate'; value: string }
  | { type: 'hardware-detection'; detector: string }
  | { type: 'image'; key: string }
  | { type: 'hco-field-unconfigured'; path: string }
  | { type: 'topology'; field: string; value?: string };
export type ConditionVerdict = Condition & { holds: boolean; expected: string; found: string };
export type Activation = { kind: 'idle' } | { kind: 'all' } | { kind: 'only'; names: string[] };
export interface Rule {
  kind: string;
  name: string;
  namespace?: string;
}
export interface RenderError {
  message: string;
  path: string;
  line: number | null;
  column: number | null;
  sourceLine: string | null;
  stage: 'static' | 'parse' | 'execute' | 'output';
}
export type Skip =
  | { kind: 'noHyperConverged' }
  | { kind: 'notEnabled'; annotation: string | null }
  | { kind: 'notListed' }
  | { kind: 'neverReconciled' }
  | { kind: 'crdMissing'; crd: string; gate: boolean }
  | { kind: 'conditionsNotMet'; conditions: ConditionVerdict[] }
  | { kind: 'rendersEmpty' }
  | { kind: 'renderFailed'; error: RenderError }
  | { kind: 'excludedByRule'; rule: Rule };
export type Status = 'INCLUDED' | 'EXCLUDED' | 'FILTERED' | 'ERROR';
export interface AssetRendering {
  asset: string;
  path: string;
  component: string;
  status: Status;
  reason: string | null;
  skip: Skip | null;
  conditions: ConditionVerdict[];
  object: KubeObject | null;
}
export interface Rendering {
  catalog: string;
  behavior: Behavior;
  activation: Activation | null;
  assets: AssetRendering[];
  diagnostics: Diagnostic[];
}
export interface RenderOptions {
  asset?: string;
  showExcluded?: boolean;
  onlyInstalled?: boolean;
  ignoreActivation?: boolean;
}
export interface PayloadChange {
  path: string | null;
  mode: number | null;
  before: string | null;
  after: string | null;
}
export interface Change {
  pointer: string;
  kind: 'added' | 'removed' | 'replaced' | 'typeOnly';
  before?: Json;
  after?: Json;
  payload?: PayloadChange;
}
export type OwnershipChange =
  | { kind: 'taken'; path: string; pointer: string | null; from: string }
  | { kind: 'shared'; path: string; pointer: string | null; with: string[] }
  | { kind: 'removed'; path: string; pointer: string | null }
  | { kind: 'givenUp'; path: string; pointer: string | null; to: string[] }
  | { kind: 'foreign'; path: string; pointer: string | null; owners: string[] };
export type Outcome =
  | Skip
  | { kind: 'notReached'; by: string }
  | { kind: 'paused' }
  | { kind: 'unmanaged' }
  | { kind: 'maskFailed'; message: string; pointer: string | null }
  | { kind: 'applyRefused'; message: string }
  | { kind: 'namespaceMissing'; namespace: string }
  | { kind: 'inSync' }
  | { kind: 'create' }
  | { kind: 'update' };
export interface Step {
  stage: 'baseline' | 'patch' | 'mask' | 'label' | 'payload' | 'apply';
  note: string;
  changes: Change[];
}
export interface AssetPlan {
  asset: string;
  group: string | null;
  path: string;
  component: string;
  features: string[];
  object: ObjectRef | null;
  outcome: Outcome;
  conditions: ConditionVerdict[];
  baseline: KubeObject | null;
  patched: KubeObject | null;
  desired: KubeObject | null;
  live: KubeObject | null;
  predicted: KubeObject | null;
  steps: Step[];
  changes: Change[];
  ownership: OwnershipChange[];
  customizations: ('patch' | 'ignore' | 'unmanaged')[];
  diagnostics: Diagnostic[];
}
export interface TombstonePlan {
  path: string;
  object: ObjectRef;
  outcome: 'delete' | 'skip' | 'absent';
}
export interface LeftBehind {
  object: ObjectRef;
  asset: string | null;
  note: string;
}
export interface PoolImpact {
  pool: string;
  nodes: string[];
  paused: boolean;
  causes: { asset: string; object: ObjectRef; change: string }[];
}
export interface Impact {
  pools: PoolImpact[];
  withoutReboot: string[];
  diagnostics: Diagnostic[];
}
export interface EventRecord {
  type: 'Normal' | 'Warning';
  reason: string;
  action: string;
  note: string;
  object: ObjectRef | null;
  asset: string | null;
}
export interface Plan {
  catalog: string;
  behavior: Behavior;
  activation: Activation | null;
  error: string | null;
  assets: AssetPlan[];
  tombstones: TombstonePlan[];
  leftBehind: LeftBehind[];
  impact: Impact;
  diagnostics: Diagnostic[];
  events: EventRecord[];
  metrics: { metric: string; labels: [string, string][]; value: number }[];
}
export interface AnnotationEdit {
  kind: string;
  namespace: string;
  name: string;
  key: string;
  value: string | null;
}
export interface PlanOptions {
  activation?: string;
  annotations?: AnnotationEdit[];
  images?: Record<string, string>;
  behavior?: Behavior;
  allowRefusedKinds?: boolean;
}

export interface CatalogContent {
  name: string;
  behavior: Behavior;
  features: { features: Json[] };
  assets: {
    name: string;
    group: string | null;
    path: string;
    component: string;
    reconcileOrder: number;
    install: 'always' | 'opt-in';
    conditions: Condition[];
    requiredCrd: string | null;
    gateCrd: string | null;
  }[];
  tombstones: { object: ObjectRef }[];
  diagnostics: Diagnostic[];
}
export interface Catalog {
  readonly name: string;
  readonly behavior: Behavior;
  features(): unknown;
  featuresText(): string;
  describe(): CatalogContent;
  bundle(): string;
}
export type RenderFormat = 'yaml' | 'json' | 'status' | 'exclusions';
export interface CatalogInput {
  catalog: Catalog;
  objects: ({ file: string; text: string } | KubeObject)[];
  images?: Record<string, string>;
  namespace?: string;
}
export interface Engine {
  readonly version: string;
  catalogs(): string[];
  loadCatalog(source: string | Record<string, Uint8Array> | { bundle: string }, options?: { name?: string; behavior?: Behavior }): Catalog;
  render(input: CatalogInput & { options?: RenderOptions }): Rendering;
  renderText(input: CatalogInput & { options?: RenderOptions }, format: RenderFormat): string;
  plan(input: CatalogInput & { options?: PlanOptions }): Plan;
  unified(before: Json, after: Json, options?: { context?: number; from?: string; to?: string }): string;
  toPatch(before: Json, after: Json): Json;
  readonly yaml: { parseAll(text: string): Json[]; write(value: Json): string };
  demo(): { cluster: string; situations: { name: string; title: string; yaml: string }[] };
}
