/** What the views show: the engine's results, as they cross from Rust. */

export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json | undefined };
export type KubeObject = { apiVersion: string; kind: string; metadata?: { name?: string; namespace?: string; [k: string]: Json | undefined }; [k: string]: Json | undefined };
export interface ObjectRef { apiVersion: string; kind: string; namespace: string /* '' = cluster-scoped */; name: string }
export type Behavior = '4.22' | '4.23' | 'ga';
export type Severity = 'info' | 'warning' | 'error';
export interface Span { line: number; column: number; start: number; end: number } // offsets in UTF-16 units of the annotation's or file's text
export interface Source { file?: string; asset?: string; object?: ObjectRef; annotation?: string /* key */; pointer?: string; span?: Span }
export interface Fix { title: string; object: ObjectRef; annotation: string; value: string | null /* null removes */ }
export interface Diagnostic { code: string; severity: Severity; message: string; help?: string; source?: Source; related?: { message: string; source: Source }[]; fixes?: Fix[] }
export type Condition =
  | { type: 'annotation'; key: string; value?: string } | { type: 'feature-gate'; value: string }
  | { type: 'hardware-detection'; detector: string } | { type: 'image'; key: string }
  | { type: 'hco-field-unconfigured'; path: string } | { type: 'topology'; field: string; value?: string };
export interface ConditionVerdict { condition: Condition; holds: boolean; expected: string; found: string }
export type Activation = { kind: 'idle' } | { kind: 'all' } | { kind: 'only'; names: string[] };
export interface Rule { kind: string; name: string; namespace?: string }
export interface RenderError { message: string; path: string; line: number | null; column: number | null; sourceLine: string | null; stage: 'static' | 'parse' | 'execute' | 'output' }
export type Skip =
  | { kind: 'noHyperConverged' } | { kind: 'notEnabled'; annotation: string | null } | { kind: 'notListed' }
  | { kind: 'crdMissing'; crd: string; gate: boolean } | { kind: 'conditionsNotMet'; conditions: ConditionVerdict[] }
  | { kind: 'rendersEmpty' } | { kind: 'renderFailed'; error: RenderError } | { kind: 'excludedByRule'; rule: Rule } | { kind: 'neverReconciled' };
export type Status = 'INCLUDED' | 'EXCLUDED' | 'FILTERED' | 'ERROR';
export interface AssetRendering { asset: string; path: string; component: string; status: Status; reason: string | null; skip: Skip | null; conditions: ConditionVerdict[]; object: KubeObject | null }
export interface Rendering { catalog: string; behavior: Behavior; activation: Activation | null; assets: AssetRendering[]; diagnostics: Diagnostic[] }
export interface RenderOptions { asset?: string; showExcluded?: boolean; onlyInstalled?: boolean; ignoreActivation?: boolean }

export type ChangeKind = 'added' | 'removed' | 'replaced' | 'typeOnly';
export interface PayloadContent { mode?: number; size?: number; text?: string; problem?: string }
export interface PayloadChange { path: string; before?: PayloadContent; after?: PayloadContent; sameContent: boolean }
export interface Change { pointer: string; kind: ChangeKind; before: Json | null /* absent when added */; after: Json | null; payload?: PayloadChange }
// ownership (module ssa): tagged on `kind`
export type OwnershipChange =
  | { kind: 'taken'; path: string; pointer: string | null; from: string /* manager */ } // by force
  | { kind: 'shared'; path: string; pointer: string | null; with: string[] }
  | { kind: 'removed'; path: string; pointer: string | null }       // owned by us, no longer applied: the field goes
  | { kind: 'givenUp'; path: string; pointer: string | null; to: string[] } // we no longer apply it, others keep it
  | { kind: 'foreign'; path: string; pointer: string | null; owners: string[] }; // left alone
export type Outcome = Skip
  | { kind: 'notReached'; by: string } // the golden config failed, which ends the pass
  | { kind: 'paused' } | { kind: 'unmanaged' }
  | { kind: 'maskFailed'; message: string }
  | { kind: 'patchCrashed'; message: string } // the controller's patch library panics
  | { kind: 'applyRefused'; message: string }
  | { kind: 'namespaceMissing'; namespace: string }
  | { kind: 'inSync' } | { kind: 'create' } | { kind: 'update' };
export interface Step { stage: 'baseline' | 'patch' | 'mask' | 'label' | 'payload' | 'apply'; note: string; changes: Change[] }
export interface AssetPlan {
  asset: string; group: string | null; path: string; component: string; features: string[];
  object: ObjectRef | null; outcome: Outcome; conditions: ConditionVerdict[];
  baseline: KubeObject | null; patched: KubeObject | null; desired: KubeObject | null; live: KubeObject | null; predicted: KubeObject | null;
  steps: Step[]; changes: Change[] /* live -> predicted */; ownership: OwnershipChange[];
  customizations: ('patch' | 'ignore' | 'unmanaged')[]; diagnostics: Diagnostic[];
}
export type TombstoneOutcome = 'delete' | 'skip' /* not labelled */ | 'absent' | 'notEnabled';
export interface TombstonePlan { path: string; object: ObjectRef; outcome: TombstoneOutcome }
export interface LeftBehind { object: ObjectRef; asset: string | null /* the asset that once applied it, if the catalog knows */; note: string }
export interface PoolImpact { pool: string; nodes: string[]; paused: boolean; causes: { asset: string | null /* null: a tombstone */; object: ObjectRef; change: string /* in words */ }[] }
export interface Impact { pools: PoolImpact[]; withoutReboot: string[] /* assets that change and reboot nothing */; diagnostics: Diagnostic[] }
export interface EventRecord { type: 'Normal' | 'Warning'; reason: string; action: string; note: string; object: ObjectRef | null }
export interface Plan {
  catalog: string; behavior: Behavior; activation: Activation | null; assets: AssetPlan[]; tombstones: TombstonePlan[];
  leftBehind: LeftBehind[]; impact: Impact; diagnostics: Diagnostic[]; events: EventRecord[]; metrics: string /* Prometheus text */; error: string | null /* why the pass would end with an error */;
}
export interface AnnotationEdit { kind: string; namespace: string; name: string; key: string; value: string | null }
export interface PlanOptions { activation?: string; annotations?: AnnotationEdit[]; images?: Record<string, string>; behavior?: Behavior; allowRefusedKinds?: boolean }

// simulate (issue 4)
export type Actor =
  | { kind: 'argocd'; manager?: string; object: ObjectRef; fields: Json /* the manifest in Git, partial object */; periodMs?: number; backoff?: { initialMs: number; factor: number; capMs: number }; serverSideApply?: boolean; respectIgnoreDifferences?: boolean; ignore?: string[] }
  | { kind: 'person'; atMs: number; object: ObjectRef; patch: Json /* merge patch */; manager?: string }
  | { kind: 'webhook'; object: ObjectRef; defaults: Json }
  | { kind: 'controller'; manager: string; object: ObjectRef; fields: Json; periodMs: number };
export interface TimelineEntry { atMs: number; actor: string; action: 'apply' | 'update' | 'delete' | 'throttled' | 'pause' | 'conflict'; object: ObjectRef; fields: string[]; note: string }
export interface Simulation {
  durationMs: number; failedPasses: number; timeline: TimelineEntry[]; truncated: number;
  verdicts: { object: ObjectRef; writes: Record<string, number>; throttles: number; pausedAtMs: number | null; reason: string; owners: Record<string, string[]> /* by pointer */; rollouts: number }[];
}
