/** What the commands use of the engine. */

import type { Engine as Rendering } from '../engine.js';
import type { Activation, Behavior, ConditionVerdict, Diagnostic, Json, KubeObject, ObjectRef, RenderInput, Skip } from '../types.js';

export type * from '../types.js';
export type { Catalog } from '../catalog.js';

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
  | { kind: 'maskFailed'; message: string }
  | { kind: 'patchCrashed'; message: string }
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
  outcome: 'delete' | 'skip' | 'absent' | 'notEnabled';
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
  causes: { asset: string | null; object: ObjectRef; change: string }[];
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


export type Actor =
  | {
      kind: 'argocd';
      object: ObjectRef;
      fields: Json;
      manager?: string;
      periodMs?: number;
      serverSideApply?: boolean;
      respectIgnoreDifferences?: boolean;
      ignore?: string[];
    }
  | { kind: 'person'; atMs: number; object: ObjectRef; patch: Json; manager?: string }
  | { kind: 'webhook'; object: ObjectRef; defaults: Json }
  | { kind: 'controller'; manager: string; object: ObjectRef; fields: Json; periodMs: number };
export interface TimelineEntry {
  atMs: number;
  actor: string;
  action: 'apply' | 'update' | 'throttled' | 'pause' | 'delete' | 'conflict';
  object: ObjectRef;
  fields: string[];
  note: string;
}
export interface ObjectVerdict {
  object: ObjectRef;
  writes: Record<string, number>;
  throttles: number;
  pausedAtMs: number | null;
  reason: string;
  owners: Record<string, string[]>;
  rollouts: number;
}
export interface Simulation {
  durationMs: number;
  timeline: TimelineEntry[];
  truncated: number;
  failedPasses: number;
  verdicts: ObjectVerdict[];
}
export interface Engine extends Rendering {
  plan(input: Omit<RenderInput, 'options'> & { options?: PlanOptions }): Plan;
  simulate(input: Omit<RenderInput, 'options'> & { actors: Actor[]; durationMs: number; maxEntries?: number }): Simulation;
  unified(before: Json, after: Json, options?: { context?: number; from?: string; to?: string }): string;
}
