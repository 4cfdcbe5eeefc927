import type { Catalog } from './catalog.js';

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
  objects: ObjectsInput;
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
