/** From a wish to the annotation that says it, and whether the controller would follow it. */

import type { Engine } from 'virt-autopilot';
import {
  type AssetPlan,
  DISABLED_RESOURCES,
  type Diagnostic,
  IGNORE_FIELDS,
  type Json,
  type KubeObject,
  MODE,
  type Override,
  type OverrideVerdict,
  PATCH,
} from 'virt-autopilot-ui';

import type { Intent } from './protocol';

interface Surroundings {
  engine: Pick<Engine, 'toPatch' | 'yaml'>;
  hco: KubeObject | undefined;
}

/** `null` where nothing is to be overridden. */
export function overrideFor(asset: AssetPlan, intent: Intent, { engine, hco }: Surroundings): Override | null {
  const { object, baseline } = asset;
  if (object === null) return null;
  const current = (annotation: string) => annotationOf(asset.live, annotation);
  switch (intent.kind) {
    case 'edit': {
      const operations = engine.toPatch(baseline, engine.yaml.parse(intent.text));
      const none = !Array.isArray(operations) || operations.length === 0;
      if (none) return current(PATCH) === undefined ? null : { object, annotation: PATCH, value: null };
      return { object, annotation: PATCH, value: JSON.stringify(operations) };
    }
    case 'mask': {
      if (intent.pointers.length === 0) {
        return current(IGNORE_FIELDS) === undefined ? null : { object, annotation: IGNORE_FIELDS, value: null };
      }
      return { object, annotation: IGNORE_FIELDS, value: intent.pointers.join(',') };
    }
    case 'unmanage':
      return { object, annotation: MODE, value: 'unmanaged' };
    case 'exclude': {
      if (hco?.metadata?.name === undefined) return null;
      const { name, namespace = '' } = hco.metadata;
      const rule = { kind: object.kind, name: object.name, ...(object.namespace && { namespace: object.namespace }) };
      const rules = [...rulesOf(annotationOf(hco, DISABLED_RESOURCES), engine), rule];
      return {
        object: { apiVersion: hco.apiVersion, kind: hco.kind, namespace, name },
        annotation: DISABLED_RESOURCES,
        value: engine.yaml.write(rules),
      };
    }
  }
}

/** Whether the controller follows the override: what the plan with it says. */
export function verdictOf(
  after: AssetPlan,
  override: Override,
  diagnostics: readonly Diagnostic[],
  intent: Intent,
): OverrideVerdict {
  const about = [...after.diagnostics, ...diagnostics].filter(({ source }) => source?.annotation === override.annotation);
  return { accepted: isFollowed(after, override, intent), outcome: after.outcome.kind, diagnostics: about };
}

function isFollowed(after: AssetPlan, { value }: Override, intent: Intent): boolean {
  switch (intent.kind) {
    case 'edit':
      return after.customizations.includes('patch') === (value !== null) && after.outcome.kind !== 'applyRefused' && !isRefused(after);
    case 'mask':
      return after.outcome.kind !== 'maskFailed' && after.customizations.includes('ignore') === (value !== null);
    case 'unmanage':
      return after.outcome.kind === 'unmanaged';
    case 'exclude':
      return after.outcome.kind === 'excludedByRule';
  }
}

/** A refused patch still counts as a customization. */
function isRefused(asset: AssetPlan): boolean {
  return asset.diagnostics.some(({ severity, source }) => severity === 'error' && source?.annotation === PATCH);
}

function rulesOf(annotation: string | undefined, engine: Pick<Engine, 'yaml'>): Json[] {
  if (annotation === undefined) return [];
  try {
    const rules = engine.yaml.parse(annotation);
    return Array.isArray(rules) ? rules : [];
  } catch {
    // The controller ignores the whole annotation, so nothing is lost with it.
    return [];
  }
}

export function annotationOf(object: KubeObject | null | undefined, annotation: string): string | undefined {
  const annotations = object?.metadata?.['annotations'] as Record<string, Json | undefined> | undefined;
  const value = annotations?.[annotation];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
