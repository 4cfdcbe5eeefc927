/** What an opponent would hold on to, where no manifest in Git says so. */

import type { AssetPlan, Json, KubeObject } from 'virt-autopilot-ui';

/** A partial object with the live values of what the autopilot would change, or with one value of its own. */
export function opponentFields(asset: AssetPlan): KubeObject | undefined {
  const { object, live, predicted } = asset;
  if (object === null) return undefined;
  const fields: KubeObject = {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { name: object.name, ...(object.namespace && { namespace: object.namespace }) },
  };
  const contested = asset.changes.filter(({ kind, pointer }) => kind === 'replaced' && !pointer.startsWith('/metadata'));
  for (const { pointer, before } of contested) put(fields, pointer, before ?? null, live);
  if (contested.length === 0) {
    const field = firstScalar(predicted?.['spec'], ['spec']);
    if (field) put(fields, field.path.map((part) => `/${part}`).join(''), other(field.value), null);
  }
  return fields;
}

/** What a manifest says of its object, without what says which object it is: that is how the engine takes it. */
export function fieldsOf(manifest: Json): Json {
  if (!isMap(manifest)) return manifest;
  const { apiVersion, kind, metadata, ...fields } = manifest;
  if (!isMap(metadata)) return fields;
  const { name, namespace, ...rest } = metadata;
  return Object.keys(rest).length > 0 ? { metadata: rest, ...fields } : fields;
}

/** Sets the value at a pointer; a list on the way is taken from live as a whole. */
function put(target: KubeObject, pointer: string, value: Json, live: KubeObject | null): void {
  const path = pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  let into = target as Record<string, Json | undefined>;
  let from: Json | undefined = live;
  for (const [index, part] of path.entries()) {
    from = isMap(from) ? from[part] : undefined;
    if (index === path.length - 1 || Array.isArray(from)) {
      into[part] = Array.isArray(from) ? from : value;
      return;
    }
    const next = into[part];
    into = isMap(next) ? next : ((into[part] = {}));
  }
}

function firstScalar(value: Json | undefined, path: string[]): { path: string[]; value: Json } | undefined {
  if (!isMap(value)) return undefined;
  const entries = Object.entries(value);
  const scalar = entries.find(([, item]) => typeof item === 'number') ?? entries.find(([, item]) => typeof item === 'string' || typeof item === 'boolean');
  if (scalar) return { path: [...path, scalar[0]], value: scalar[1] ?? null };
  for (const [key, item] of entries) {
    const found = firstScalar(item, [...path, key]);
    if (found) return found;
  }
  return undefined;
}

function other(value: Json): Json {
  if (typeof value === 'number') return value * 2 + 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? `${value}-from-git` : 'from-git';
}

function isMap(value: Json | undefined): value is Record<string, Json | undefined> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
