import { call } from './instance.js';
import type {
  Activation,
  AnnotationsVerdict,
  Behavior,
  Exclusions,
  Json,
  KubeObject,
  MaskOutcome,
  ObjectRef,
  PatchOptions,
  PatchOutcome,
  Scene,
  TemplateOutcome,
  WriteOutcome,
  WriteRequest,
} from './types.js';

/** The parts of the engine one by one. */
export class Tools {
  /** Renders a template as the controller does, in a scene of your making. */
  renderTemplate(text: string, scene: Scene = {}): TemplateOutcome {
    return call((abi) => abi.tools_render_template(text, scene) as TemplateOutcome);
  }

  /** Whether a name matches a glob as `disabled-resources` has them. A malformed one matches nothing. */
  matchGlob(pattern: string, name: string): { matches: boolean; badPattern: boolean } {
    return call((abi) => abi.tools_match_glob(pattern, name) as { matches: boolean; badPattern: boolean });
  }

  /** What a value of the activation annotation means; `null` is an absent one. */
  parseActivation(annotation: string | null, behavior: Behavior = '4.23'): Activation {
    return call((abi) => abi.tools_parse_activation(annotation, behavior) as Activation);
  }

  /** Which objects a value of the annotation `disabled-resources` leaves out. */
  disabledResources(rules: string, references: readonly ObjectRef[]): Exclusions {
    return call((abi) => abi.tools_disabled_resources(rules, references) as Exclusions);
  }

  /** What becomes of a patch annotation on a baseline. With `live`, diagnostics know what is there. */
  applyPatch(baseline: KubeObject, patch: string, live?: KubeObject, options?: PatchOptions): PatchOutcome {
    return call((abi) => abi.tools_apply_patch(baseline, patch, live, options) as PatchOutcome);
  }

  /** What becomes of an ignore-fields annotation of `live` on a desired object. */
  applyMask(desired: KubeObject, live: KubeObject, pointers: string): MaskOutcome {
    return call((abi) => abi.tools_apply_mask(desired, live, pointers) as MaskOutcome);
  }

  /** What the annotations of an object mean, and what is wrong with them. */
  validateAnnotations(object: KubeObject): AnnotationsVerdict {
    return call((abi) => abi.tools_validate_annotations(object) as AnnotationsVerdict);
  }

  /** A JSON Patch as RFC 6902 has it, which is not quite how the controller applies it. */
  jsonPatch(document: Json, patch: Json): { result: Json } | { error: string } {
    return call((abi) => abi.tools_json_patch(document, patch) as { result: Json } | { error: string });
  }

  /** What a server-side apply or an update leads to, with managed fields, or why the API server refuses it. */
  serverSideApply(request: WriteRequest): WriteOutcome {
    return call((abi) => abi.tools_server_side_apply(request) as WriteOutcome);
  }
}
