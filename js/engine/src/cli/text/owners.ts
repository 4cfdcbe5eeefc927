import type { Json, KubeObject } from '../../types.js';

/** Who owns a field of an object, by its managed fields. */
export interface Owner {
  manager: string;
  operation: string;
  /** When it wrote last, as the API server noted it. */
  time: string | undefined;
}

type Fields = Record<string, Json | undefined>;

/** The owners of the field at a pointer; of a field within an atomic value, the owners of that value. */
export function ownersAt(object: KubeObject, pointer: string): Owner[] {
  const entries = object.metadata?.['managedFields'];
  if (!Array.isArray(entries)) return [];
  const path = pointerParts(pointer);
  return entries.flatMap((entry) => {
    if (!isMap(entry) || !owns(entry['fieldsV1'], object, path)) return [];
    const { manager, operation, time } = entry;
    return [{ manager: text(manager), operation: text(operation), time: typeof time === 'string' ? time : undefined }];
  });
}

/** The value at a pointer; `undefined` where there is none. */
export function valueAt(object: Json | undefined, pointer: string): Json | undefined {
  let value = object;
  for (const part of pointerParts(pointer)) value = child(value, part);
  return value;
}

/** The names that a JSON pointer (RFC 6901) goes through. */
export function pointerParts(pointer: string): string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function owns(fields: Json | undefined, value: Json | undefined, path: readonly string[]): boolean {
  if (!isMap(fields)) return false;
  const [part, ...rest] = path;
  if (part === undefined) return true;
  // An empty set owns the value as a whole, whatever is in it.
  if (Object.keys(fields).length === 0) return true;
  const below = child(value, part);
  const key = Array.isArray(value) ? itemKey(fields, value, part) : `f:${part}`;
  return key !== undefined && key in fields && owns(fields[key], below, rest);
}

/** The key of a list's item in a set of fields: by the item's own keys, its value, or its index. */
function itemKey(fields: Fields, list: readonly Json[], part: string): string | undefined {
  const item = list[Number(part)];
  return Object.keys(fields).find((key) => {
    if (key === `i:${part}`) return true;
    try {
      if (key.startsWith('v:')) return JSON.stringify(JSON.parse(key.slice(2))) === JSON.stringify(item);
      if (!key.startsWith('k:') || !isMap(item)) return false;
      const keys = JSON.parse(key.slice(2)) as Fields;
      return Object.entries(keys).every(([name, wanted]) => JSON.stringify(item[name]) === JSON.stringify(wanted));
    } catch {
      return false;
    }
  });
}

function child(value: Json | undefined, part: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(part) ? value[Number(part)] : undefined;
  return isMap(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

function isMap(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : 'unknown';
}
