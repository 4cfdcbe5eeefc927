/** Overrides as text: the manifest for Git and the command that annotates. */

import type { KubeObject, ObjectRef } from './types.js';

export const PREFIX = 'platform.kubevirt.io/';
export const PATCH = `${PREFIX}patch`;
export const IGNORE_FIELDS = `${PREFIX}ignore-fields`;
export const MODE = `${PREFIX}mode`;
export const RECONCILE_PAUSED = `${PREFIX}reconcile-paused`;
export const DISABLED_RESOURCES = `${PREFIX}disabled-resources`;
export const AUTOPILOT = `${PREFIX}autopilot`;

/** One annotation to write, or to remove where `value` is null. */
export interface Override {
  object: ObjectRef;
  annotation: string;
  value: string | null;
}

/** The object with the annotation and nothing else, as it is committed to Git and applied server-side. */
export function manifestOf({ object, annotation, value }: Override): KubeObject {
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name: object.name,
      ...(object.namespace && { namespace: object.namespace }),
      annotations: { [annotation]: value },
    },
  };
}

/** The `oc annotate` command, to be pasted into a POSIX shell. */
export function commandOf({ object, annotation, value }: Override): string {
  const kind = object.kind.toLowerCase();
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : undefined;
  const resource = group ? `${kind}.${object.apiVersion.split('/')[1] ?? ''}.${group}` : kind;
  const namespace = object.namespace ? ['-n', quote(object.namespace)] : [];
  const change = value === null ? [`${annotation}-`] : ['--overwrite', quote(`${annotation}=${value}`)];
  return ['oc', 'annotate', resource, quote(object.name), ...namespace, ...change].join(' ');
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
