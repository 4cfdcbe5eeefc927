/** What crosses between the engine, the views and the cluster. */

export type {
  AnnotationEdit,
  AssetPlan,
  Behavior,
  Change,
  Diagnostic,
  Fix,
  Json,
  KubeObject,
  ObjectRef,
  Plan,
} from 'virt-autopilot-ui';
