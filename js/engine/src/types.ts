import type { Catalog } from './catalog.js';
import type { Cluster } from './cluster.js';

/** What the engine takes and gives, as it crosses from Rust: unions are tagged on `kind`. */

/** A JSON value. Integers beyond 2^53 are `bigint`; a field that is `undefined` is absent. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json | undefined };

/** An object as the Kubernetes API has it. */
export type KubeObject = {
  apiVersion: string;
  kind: string;
  metadata?: { name?: string; namespace?: string; [key: string]: Json | undefined };
  [key: string]: Json | undefined;
};

/** Which object: what kind it is of, where it lives and what it is called. */
export interface ObjectRef {
  apiVersion: string;
  kind: string;
  /** Empty for a cluster-scoped object. */
  namespace: string;
  name: string;
}

/** A release of the controller, as far as its behaviour differs. */
export type Behavior = '4.22' | '4.23' | 'ga';

export type Severity = 'info' | 'warning' | 'error';

/** A range of a text. */
export interface Span {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
  /** In UTF-16 units, as JavaScript's strings count. */
  start: number;
  end: number;
}

/** A place in the input. What is not known is absent. */
export interface Source {
  file?: string;
  asset?: string;
  object?: ObjectRef;
  /** The key of the annotation in whose text it is. */
  annotation?: string;
  /** A JSON pointer (RFC 6901) into the object. */
  pointer?: string;
  /** The place in the text of the file or the annotation. */
  span?: Span;
}

/** A change of an annotation that would mend a diagnostic. */
export interface Fix {
  title: string;
  object: ObjectRef;
  annotation: string;
  /** `null` removes the annotation. */
  value: string | null;
}

/** What is wrong or surprising in the input, where, and what to do next. */
export interface Diagnostic {
  /** Stable, dotted name of the finding. */
  code: string;
  severity: Severity;
  /** May change between versions. */
  message: string;
  help?: string;
  source?: Source;
  related?: { message: string; source: Source }[];
  fixes?: Fix[];
}

// ---- Catalogs

/** The files of a release's folder, by their path in it. */
export type CatalogFiles = Record<string, string | Uint8Array>;

/** Something that has to hold for an asset to be applied. */
export type Condition =
  | { type: 'annotation'; key: string; value?: string }
  | { type: 'feature-gate'; value: string }
  | { type: 'hardware-detection'; detector: string }
  | { type: 'image'; key: string }
  | { type: 'hco-field-unconfigured'; path: string }
  | { type: 'topology'; field: string; value?: string };

/** Something that the autopilot applies: one object, from one file. */
export interface CatalogAsset {
  name: string;
  /** A name that it shares with others, and by which the activation list can name it too. */
  group: string | null;
  path: string;
  /** As far as the file tells before it is rendered. */
  apiVersion: string | null;
  kind: string | null;
  /** A kind, for display. */
  component: string;
  phase: number;
  reconcileOrder: number;
  install: 'always' | 'opt-in';
  conditions: Condition[];
  /** The names of the features that it belongs to. */
  features: string[];
  /** The CRD of its own kind; `null` where the kind is built in. */
  requiredCrd: string | null;
  /** A CRD that has to be installed besides. */
  gateCrd: string | null;
}

/** One feature, with what follows from its assets. */
export interface Feature {
  name: string;
  description: string;
  /** `GA`, `TP`, `DP` or a word of the catalog's own. */
  maturity: string;
  install: 'always' | 'opt-in';
  /** How one asks for it; `null` where nothing has to be done. */
  opt_in: string | null;
  requires?: string[];
  recommended?: string[];
}

/** The features as the controller lists them, with the controller's own names. */
export interface Features {
  framework: { maturity: string; opt_in: string };
  features: Feature[];
}

/** An object that an earlier release applied, and that is deleted. */
export interface Tombstone {
  /** The file that lists it. */
  path: string;
  object: ObjectRef;
}

/** What is in a catalog. */
export interface CatalogContent {
  name: string;
  behavior: Behavior;
  assets: CatalogAsset[];
  features: Features;
  tombstones: Tombstone[];
  diagnostics: Diagnostic[];
}

// ---- Rendering

/** A text of YAML or JSON with the name that diagnostics call it. */
export interface NamedText {
  file: string;
  text: string;
}

/**
 * The objects of a cluster, in any mix and order: values, or texts of YAML documents or JSON as `oc get` writes them,
 * lists among them.
 */
export type ObjectsInput = string | NamedText | readonly (KubeObject | string | NamedText)[];

/** What is known of a cluster. */
export interface ClusterInput {
  /** Its objects; with `cluster`, those that take the place of that one's, or join them. */
  objects?: ObjectsInput;
  /** A cluster that the engine keeps. */
  cluster?: Cluster;
  /** The images that the controller was started with, by name (`foo-bar`) or variable (`RELATED_IMAGE_FOO_BAR`). */
  images?: Record<string, string>;
  /** Where the autopilot runs; `openshift-cnv` by default. */
  namespace?: string;
}

export interface RenderOptions {
  /** Only this asset. */
  asset?: string;
  /** Keep assets that are not rendered in the result, with the reason. */
  showExcluded?: boolean;
  /** Leave out assets whose CRD is not installed. */
  onlyInstalled?: boolean;
  /** Render as if the HyperConverged activated every asset. */
  ignoreActivation?: boolean;
}

export interface RenderInput extends ClusterInput {
  /** A loaded catalog, or the name of a built-in one. */
  catalog: Catalog | string;
  options?: RenderOptions;
}

/** A format of a rendering: documents, a list, a table, or the rules of `disabled-resources` and what they leave out. */
export type RenderText = 'yaml' | 'json' | 'status' | 'exclusions';

/** What the activation annotation means. */
export type Activation = { kind: 'idle' } | { kind: 'all' } | { kind: 'only'; names: string[] };

/** Whether a condition holds, and why. */
export type ConditionVerdict = Condition & {
  holds: boolean;
  /** In words. */
  expected: string;
  /** In words. */
  found: string;
};

/** One entry of `disabled-resources`. */
export interface Rule {
  kind: string;
  /** A glob. */
  name: string;
  /** A glob; absent where any namespace matches. */
  namespace?: string;
}

export interface RenderError {
  message: string;
  path: string;
  /** In the file, or in the output where the stage is `output`; from 1. */
  line: number | null;
  column: number | null;
  sourceLine: string | null;
  stage: 'static' | 'parse' | 'execute' | 'output';
}

/** Why an asset is not applied. */
export type Skip =
  | { kind: 'noHyperConverged' }
  | { kind: 'notEnabled'; annotation: string | null }
  | { kind: 'notListed' }
  | { kind: 'crdMissing'; crd: string; gate: boolean }
  | { kind: 'conditionsNotMet'; conditions: ConditionVerdict[] }
  | { kind: 'rendersEmpty' }
  | { kind: 'renderFailed'; error: RenderError }
  | { kind: 'excludedByRule'; rule: Rule }
  | { kind: 'neverReconciled' };

/** The controller's word for how rendering an asset went. */
export type Status = 'INCLUDED' | 'EXCLUDED' | 'FILTERED' | 'ERROR';

export interface AssetRendering {
  asset: string;
  path: string;
  component: string;
  status: Status;
  /** The controller's words for why, or ours where it has none. */
  reason: string | null;
  skip: Skip | null;
  conditions: ConditionVerdict[];
  /** What it comes to. An asset that a rule leaves out is rendered, but not applied. */
  object: KubeObject | null;
}

export interface Rendering {
  /** The catalog's name. */
  catalog: string;
  behavior: Behavior;
  /** `null` where there is no HyperConverged. */
  activation: Activation | null;
  /** In the order in which they are reconciled. */
  assets: AssetRendering[];
  diagnostics: Diagnostic[];
}

// ---- Differences

/** What a comparison looks at. */
export interface DiffOptions {
  /** Also what the API server writes by itself into `metadata`: managed fields, versions, times. */
  noise?: boolean;
  /** Also the status. */
  status?: boolean;
}

export interface UnifiedOptions {
  /** Equal lines around what differs; 3 by default. */
  context?: number;
  beforeLabel?: string;
  afterLabel?: string;
  fields?: DiffOptions;
  /** Whether long payloads are written as a summary in the YAML, with their decoded contents below; by default they are. */
  foldPayloads?: boolean;
}

export type ChangeKind = 'added' | 'removed' | 'replaced' | 'typeOnly';

/** A file or unit of a MachineConfig on one side of a change. */
export interface PayloadContent {
  /** Permission bits. */
  mode?: number;
  /** Length of the decoded contents in bytes. */
  size?: number;
  /** The decoded contents, where they are text. */
  text?: string;
  /** Why they could not be decoded. */
  problem?: string;
}

export interface PayloadChange {
  /** Path of the file, name of the unit, or `UNIT.d/NAME` of a drop-in. */
  path: string;
  before?: PayloadContent;
  after?: PayloadContent;
  /** Only the encoding differs. */
  sameContent: boolean;
}

/** One field that differs. */
export interface Change {
  /** A JSON pointer; empty for the whole object. */
  pointer: string;
  kind: ChangeKind;
  /** Absent for what is added. */
  before?: Json;
  /** Absent for what is removed. */
  after?: Json;
  payload?: PayloadChange;
}

// ---- Plans

/** Somebody who owns a field. */
export interface Owner {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  subresource?: string;
}

/** A field of an object. */
export interface Place {
  /** As the API server prints it, for example `.spec.ports[port=80,protocol="TCP"].name`. */
  path: string;
  /** As a JSON pointer; absent for an item that is not there. */
  pointer?: string;
}

/** What became of a field's ownership, as the autopilot sees it. */
export type OwnershipChange =
  | { change: 'taken'; field: Place; from: Owner[] }
  | { change: 'shared'; field: Place; with: Owner[] }
  | { change: 'claimed'; field: Place }
  | { change: 'removed'; field: Place; owners?: Owner[] }
  | { change: 'givenUp'; field: Place; owners?: Owner[] }
  | { change: 'lost'; field: Place; owners: Owner[] }
  | { change: 'foreign'; field: Place; owners: Owner[] };

/** How an asset goes. */
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

/** One step from the file to the prediction. */
export interface Step {
  stage: 'baseline' | 'patch' | 'mask' | 'label' | 'payload' | 'apply';
  /** What it is, in a sentence. */
  note: string;
  changes: Change[];
}

/** What one pass does with an asset. */
export interface AssetPlan {
  asset: string;
  group: string | null;
  path: string;
  component: string;
  features: string[];
  /** The object that it comes to; `null` where it was not rendered. */
  object: ObjectRef | null;
  outcome: Outcome;
  conditions: ConditionVerdict[];
  /** What the file comes to. */
  baseline: KubeObject | null;
  /** With the patch on it, where one applies. */
  patched: KubeObject | null;
  /** What is applied. */
  desired: KubeObject | null;
  live: KubeObject | null;
  /** What will be there, with its managed fields. */
  predicted: KubeObject | null;
  steps: Step[];
  /** From live to the prediction. */
  changes: Change[];
  ownership: OwnershipChange[];
  customizations: ('patch' | 'ignore' | 'unmanaged')[];
  diagnostics: Diagnostic[];
}

export interface TombstonePlan {
  path: string;
  object: ObjectRef;
  /** `notEnabled`: tombstones are not looked at, for the autopilot is off. */
  outcome: 'absent' | 'delete' | 'skip' | 'notEnabled';
}

/** An object labelled as managed that no asset of this pass manages any more. */
export interface LeftBehind {
  object: ObjectRef;
  /** The asset that applied it once, if the catalog knows. */
  asset: string | null;
  note: string;
}

/** A MachineConfigPool whose nodes would be updated. */
export interface PoolImpact {
  pool: string;
  nodes: string[];
  /** The nodes are updated once it is resumed. */
  paused: boolean;
  /** The asset is `null` for a tombstone. */
  causes: { asset: string | null; object: ObjectRef; change: string }[];
}

/** What a plan costs. */
export interface Impact {
  pools: PoolImpact[];
  /** The assets that are written and reboot nothing. */
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

/** A metric's value, without the prefix of its name. */
export interface Sample {
  metric: string;
  labels: [string, string][];
  value: number;
}

/** What the controller would do to a cluster in one pass. */
export interface Plan {
  catalog: string;
  behavior: Behavior;
  /** `null` where there is no HyperConverged. */
  activation: Activation | null;
  /** In the order in which they are reconciled. */
  assets: AssetPlan[];
  tombstones: TombstonePlan[];
  leftBehind: LeftBehind[];
  impact: Impact;
  /** About the input as a whole; each asset has its own. */
  diagnostics: Diagnostic[];
  /** That would be emitted, in order. */
  events: EventRecord[];
  /** After the pass. */
  metrics: Sample[];
  /** Why the pass would end with an error, in the controller's words. */
  error: string | null;
}

/** An annotation to set, or with `null` to take away. */
export interface AnnotationEdit {
  kind: string;
  /** Absent or empty for a cluster-scoped object. */
  namespace?: string;
  name: string;
  key: string;
  value: string | null;
}

/** Questions of the kind "what if". */
export interface PlanOptions {
  /** Another value of the activation annotation. */
  activation?: string;
  annotations?: AnnotationEdit[];
  /** More images. */
  images?: Record<string, string>;
  /** Another behaviour than the catalog's. */
  behavior?: Behavior;
  /** Show patches on kinds where the controller refuses them, as if it allowed them. */
  allowRefusedKinds?: boolean;
  /** Keep changes of managed fields, times and versions among the changes. */
  noise?: boolean;
}

export interface PlanInput extends ClusterInput {
  /** A loaded catalog, or the name of a built-in one. */
  catalog: Catalog | string;
  options?: PlanOptions;
  /** The assets that come with their objects, `baseline` to `predicted`, which are most of a plan; all without it. */
  objectsOf?: readonly string[];
}

// ---- Simulation

/** Somebody who writes to an object of the autopilot's. Times are in milliseconds. */
export type Actor =
  | {
      /** A GitOps tool that heals what differs from Git. */
      kind: 'argocd';
      manager?: string;
      object: ObjectRef;
      /** What Git has, without apiVersion, kind, name and namespace. */
      fields: Json;
      /** A fixed wait before it heals; absent: by the back-off. */
      periodMs?: number;
      backoff?: { initialMs: number; factor: number; capMs: number };
      serverSideApply?: boolean;
      /** Pointers of ignoreDifferences. */
      ignore?: string[];
      respectIgnoreDifferences?: boolean;
    }
  | {
      /** A person who edits once, by a JSON merge patch. */
      kind: 'person';
      atMs: number;
      object: ObjectRef;
      patch: Json;
      manager?: string;
    }
  | {
      /** A webhook that sets fields where they are absent. */
      kind: 'webhook';
      object: ObjectRef;
      defaults: Json;
    }
  | {
      /** Another controller that writes fields again and again. */
      kind: 'controller';
      manager: string;
      object: ObjectRef;
      fields: Json;
      periodMs: number;
    };

export interface SimulationInput extends ClusterInput {
  /** A loaded catalog, or the name of a built-in one. */
  catalog: Catalog | string;
  actors: Actor[];
  durationMs: number;
  /** Most entries that the timeline keeps; 2,000 by default. */
  maxEntries?: number;
  /** Is told now and then how far it has come, in milliseconds of its own clock. */
  onProgress?: (playedMs: number) => void;
}

export interface TimelineEntry {
  atMs: number;
  /** The field manager. */
  actor: string;
  action: 'apply' | 'update' | 'throttled' | 'paused' | 'delete' | 'conflict';
  object: ObjectRef;
  /** The fields that changed, as JSON pointers. */
  fields: string[];
  note: string;
}

/** What a simulation comes to for one object. */
export interface ObjectVerdict {
  object: ObjectRef;
  /** Writes that changed something, by field manager. */
  writes: Record<string, number>;
  throttles: number;
  /** `null`: never. */
  pausedAtMs: number | null;
  /** How it ended and why, in a sentence. */
  reason: string;
  /** Who holds each contested field in the end, by JSON pointer. */
  owners: Record<string, string[]>;
  /** Writes that would each have started a rollout. */
  rollouts: number;
}

export interface Simulation {
  /** How long was played. */
  durationMs: number;
  /** Whether it was played to the end: a script in which too much happens is cut short. */
  complete: boolean;
  timeline: TimelineEntry[];
  /** Entries beyond those that are kept. */
  truncated: number;
  failedPasses: number;
  verdicts: ObjectVerdict[];
}

// ---- Demo

/** A small cluster to try things on, as YAML documents. */
export interface Demo {
  cluster: string;
  situations: DemoSituation[];
}

/** A situation of the demo cluster. */
export interface DemoSituation {
  name: string;
  /** What to notice. */
  title: string;
  /** The objects that take the place of those of the same name, or join the others. */
  yaml: string;
}

// ---- Tools

/** What a template sees. */
export interface Scene {
  /** The HyperConverged, as a value or as JSON text. */
  hco?: KubeObject | string;
  hardware?: Partial<Hardware>;
  topology?: Partial<Topology>;
  images?: Record<string, string>;
  params?: Record<string, string>;
  /** What the look-up functions find. */
  objects?: readonly (KubeObject | string)[];
  behavior?: Behavior;
}

export interface Hardware {
  pciDevicesPresent: boolean;
  numaNodesPresent: boolean;
  vfioCapable: boolean;
  usbDevicesPresent: boolean;
  gpuPresent: boolean;
}

export interface Topology {
  masterCount: number;
  workerCount: number;
  totalNodeCount: number;
  isCompact: boolean;
  controlPlaneTopology: string;
  isHCP: boolean;
  cloudProvider: string;
  isAWS: boolean;
  isAzure: boolean;
  isGCP: boolean;
  isBareMetal: boolean;
  isVSphere: boolean;
  isOpenStack: boolean;
  hasSchedulableMasters: boolean;
}

export type TemplateOutcome =
  | { output: string }
  | { error: { stage: 'parse' | 'execute'; line: number; column: number; sourceLine: string; message: string } };

export interface Exclusions {
  /** Why the annotation as a whole is ignored. */
  error: string | null;
  rules: Rule[];
  /** For each object the rule that leaves it out. */
  excluded: (Rule | null)[];
  diagnostics: Diagnostic[];
}

export interface PatchOptions {
  /** Show the effect of a patch on a kind where the controller refuses patches. */
  allowRefusedKinds?: boolean;
}

export type PatchRefusal =
  | { kind: 'notJson' | 'notAList' | 'notAnOperation' | 'unknownOperation' }
  | { kind: 'missingMember' | 'badMember'; member: string }
  | { kind: 'kind'; name: string }
  | { kind: 'path'; path: string; protected: string }
  | { kind: 'annotation'; key: string };

export type PatchFailure =
  | 'missingParent'
  | 'missingTarget'
  | 'index'
  | 'test'
  | 'rootValue'
  | 'number'
  | 'crash'
  | 'limit';

/** The controller's verdict on a patch annotation. */
export type PatchVerdict =
  | { verdict: 'absent' }
  | { verdict: 'applied'; operations: number }
  | { verdict: 'refused'; reason: PatchRefusal; operation?: number; error: string }
  | { verdict: 'failed'; reason: PatchFailure; operation?: number; error: string };

export interface PatchOutcome {
  verdict: PatchVerdict;
  /** The object with which the controller goes on. */
  desired: KubeObject;
  /** The verdict of RFC 6902, where it is another. */
  rfc6902?: { verdict: 'applied'; result: Json } | { verdict: 'failed'; error: string };
  diagnostics?: Diagnostic[];
}

/** The controller's verdict on an ignore-fields annotation. */
export type MaskVerdict =
  | { verdict: 'masked'; desired: KubeObject }
  | {
      verdict: 'failed';
      pointer: string;
      reason: 'noLeadingSlash' | 'intoList' | 'throughScalar' | 'blocked' | 'limit';
      error: string;
    };

export interface MaskOutcome {
  verdict: MaskVerdict;
  /** The pointers in order, up to the one that fails, with what each did. */
  pointers: { pointer: string; effect: 'copied' | 'same' | 'removed' | 'nothing' }[];
  diagnostics?: Diagnostic[];
}

export interface AnnotationsVerdict {
  /** Why the controller's validation calls them invalid. */
  invalid: string | null;
  paused: boolean;
  mode: 'managed' | 'unmanaged';
  diagnostics: Diagnostic[];
}

// ---- Server-side apply

/** A write to an object, as the API server takes it. */
export interface WriteRequest {
  /** The object as it is; `null` or absent: it is not there. */
  live?: KubeObject | null;
  /** What is applied, or the whole new object of an update. */
  object: KubeObject;
  /** The field manager. */
  manager: string;
  /** Takes fields from other managers instead of failing. */
  force?: boolean;
  /** A plain update instead of an apply. */
  update?: boolean;
  /** The kind's schema in OpenAPI v3; absent: none, and lists are atomic. */
  schema?: Json;
  /** The time of the write in RFC 3339, for the managed fields. */
  time?: string;
}

/** What came of a write. */
export type WriteOutcome = { object: KubeObject; changed: boolean } | { error: string };

// ---- The loop

/** The objects are what the machine knows before its first event; they are needed only with `state`. */
export interface MachineInput extends ClusterInput {
  /** A loaded catalog, or the name of a built-in one. */
  catalog: Catalog | string;
  /** Go on from what another machine remembered. */
  state?: Json;
  /** The driver tells of every change at once, so that the machine need not ask for objects. */
  liveSnapshot?: boolean;
}

/** Something that happened. */
export type MachineEvent =
  | ({ kind: 'snapshot' } & Omit<ClusterInput, 'objects'> & { objects: readonly (KubeObject | string | NamedText)[] })
  | { kind: 'changed'; object: KubeObject }
  | { kind: 'deleted'; object: ObjectRef }
  | ({ kind: 'done'; id: number } & ApiAnswer)
  | { kind: 'tick' };

/** Something that is to be done. What has an `id` is answered. */
export type Effect =
  | { kind: 'get'; id: number; object: ObjectRef }
  | { kind: 'dryRun'; id: number; object: KubeObject }
  | { kind: 'apply'; id: number; object: KubeObject }
  | { kind: 'annotate'; id: number; object: ObjectRef; key: string; value: string }
  | { kind: 'delete'; id: number; object: ObjectRef }
  | { kind: 'event'; event: EventRecord }
  | { kind: 'metric'; change: { metric: string; labels: [string, string][]; value: number | null } }
  | { kind: 'finished'; error: string | null };

/** How a request to the API server went: the object as it is then, `null` where it is not there, or the error. */
export type ApiAnswer =
  | { object: KubeObject | null }
  | { error: { kind: 'namespaceNotFound' | 'notFound' | 'conflict' | 'invalid' | 'unknown'; message: string } };

/** A request to the API server in memory. */
export type ApiRequest =
  | { kind: 'get' | 'delete'; object: ObjectRef }
  | { kind: 'put'; object: KubeObject }
  | { kind: 'dryRun' | 'update'; object: KubeObject; manager: string }
  | { kind: 'apply'; object: KubeObject; manager: string; force?: boolean }
  | { kind: 'merge'; object: ObjectRef; patch: Json; manager: string }
  | { kind: 'annotate'; object: ObjectRef; key: string; value: string; manager: string };
