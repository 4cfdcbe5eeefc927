/** Values and objects as people read them. */

import type { Json, KubeObject, ObjectRef } from './types.js';

/** `Kind namespace/name`, the way `oc` writes it. */
export function nameOf(ref: { kind: string; namespace?: string; name: string }): string {
  return `${ref.kind} ${ref.namespace ? `${ref.namespace}/` : ''}${ref.name}`;
}

export function sameObject(a: ObjectRef, b: ObjectRef): boolean {
  return groupOf(a.apiVersion) === groupOf(b.apiVersion) && a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}

/** One value on one line, shortened where it is long. */
export function inline(value: Json | undefined, limit = 120): string {
  const text = typeof value === 'string' && value !== '' && !/^[\s\d"'{[]|^(true|false|null|yes|no)$/.test(value) ? value : stringify(value ?? null);
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** JSON with integers beyond 2^53 as they are. */
export function stringify(value: unknown, indent?: number): string {
  const big = new Map<string, string>();
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => {
      if (typeof item !== 'bigint') return item;
      const mark = `\u0000bigint:${item}`;
      big.set(JSON.stringify(mark), item.toString());
      return mark;
    },
    indent,
  );
  let result = text;
  for (const [mark, digits] of big) result = result.replaceAll(mark, digits);
  return result;
}

/** Fields of the metadata that the API server keeps and nobody compares. */
const NOISE = new Set(['managedFields', 'resourceVersion', 'uid', 'generation', 'creationTimestamp', 'selfLink']);

/** The object without what only the API server cares for. */
export function withoutNoise(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, status, ...fields } = object;
  const kept = Object.entries(metadata ?? {}).filter(([key]) => !NOISE.has(key));
  return { apiVersion, kind, metadata: Object.fromEntries(kept), ...fields };
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

/** The engine's messages begin in lower case and have no full stop. */
export function sentence(text: string): string {
  const begun = /^[a-z]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?:]$/.test(begun) ? begun : `${begun}.`;
}
