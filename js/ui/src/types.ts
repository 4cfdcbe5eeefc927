/** What the views show: the engine's results. Nothing of the engine but its types is used here. */

import type { AssetPlan } from 'virt-autopilot';

/** An asset of a plan without its objects, which are what weighs: all that a list needs. */
export type ListedAsset = Omit<AssetPlan, 'baseline' | 'patched' | 'desired' | 'live' | 'predicted'>;

export type {
  Activation,
  Actor,
  AnnotationEdit,
  AssetPlan,
  Behavior,
  Change,
  ChangeKind,
  ConditionVerdict,
  Diagnostic,
  EventRecord,
  Fix,
  Impact,
  Json,
  KubeObject,
  LeftBehind,
  ObjectRef,
  ObjectVerdict,
  Outcome,
  Owner,
  OwnershipChange,
  PayloadChange,
  PayloadContent,
  Place,
  Plan,
  PoolImpact,
  Severity,
  Simulation,
  Source,
  Span,
  Step,
  TimelineEntry,
  TombstonePlan,
} from 'virt-autopilot';
