/** Overrides as the engine takes them: annotations on objects. */

import type { AnnotationEdit, Json, KubeObject } from 'virt-autopilot-ui';

/** The annotations of the manifests. One that is null is removed. */
export function editsOf(manifests: readonly KubeObject[]): AnnotationEdit[] {
  return manifests.flatMap(({ kind, metadata }) => {
    const annotations = metadata?.['annotations'];
    if (metadata?.name === undefined || !isMap(annotations)) return [];
    const { name, namespace = '' } = metadata;
    return Object.entries(annotations).map(([key, value]) => ({
      kind,
      namespace,
      name,
      key,
      value: value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value),
    }));
  });
}

/** Whether the edit is of this object. */
export function annotates({ kind, namespace = '', name }: AnnotationEdit, object: KubeObject): boolean {
  return kind === object.kind && name === object.metadata?.name && namespace === (object.metadata.namespace ?? '');
}

/** The objects with the annotations on them. */
export function objectsWith(objects: readonly KubeObject[], edits: readonly AnnotationEdit[]): KubeObject[] {
  return objects.map((object) => {
    const own = edits.filter((edit) => annotates(edit, object));
    if (own.length === 0) return object;
    const before = object.metadata?.['annotations'];
    const annotations: Record<string, Json | undefined> = isMap(before) ? { ...before } : {};
    for (const { key, value } of own) annotations[key] = value ?? undefined;
    return { ...object, metadata: { ...object.metadata, annotations } };
  });
}

function isMap(value: Json | undefined): value is Record<string, Json | undefined> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
