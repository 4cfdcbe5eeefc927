/** Which fields of an asset can be marked to be left alone. */

import type { AssetPlan, Change, Json } from './types.js';

/**
 * The fields that the plan would change, as an ignore-fields annotation may name them: a pointer into a list stops the
 * whole asset, so that the list itself stands for what changes in it.
 */
export function maskableFields(asset: Pick<AssetPlan, 'changes' | 'live' | 'predicted'>): Change[] {
  const fields = new Map<string, Change>();
  for (const change of asset.changes) {
    const pointer = beforeList(change.pointer, asset.predicted) ?? beforeList(change.pointer, asset.live) ?? change.pointer;
    if (pointer === '' || pointer.startsWith('/metadata/name') || fields.has(pointer)) continue;
    fields.set(pointer, pointer === change.pointer ? change : listChange(pointer, asset));
  }
  return [...fields.values()];
}

/** The change of a list as a whole. */
function listChange(pointer: string, { live, predicted }: Pick<AssetPlan, 'live' | 'predicted'>): Change {
  const [before, after] = [valueAt(pointer, live), valueAt(pointer, predicted)];
  if (before === undefined) return { pointer, kind: 'added', ...(after !== undefined && { after }) };
  return after === undefined ? { pointer, kind: 'removed', before } : { pointer, kind: 'replaced', before, after };
}

/** The part of the pointer before it enters a list; `undefined` where it enters none. */
function beforeList(pointer: string, root: Json | null | undefined): string | undefined {
  let value: Json | undefined = root ?? null;
  const path: string[] = [];
  for (const token of pointer.split('/').slice(1)) {
    if (Array.isArray(value)) return path.map((part) => `/${part}`).join('');
    path.push(token);
    value = memberOf(value, token);
  }
  return undefined;
}

function valueAt(pointer: string, root: Json | null | undefined): Json | undefined {
  let value: Json | undefined = root ?? undefined;
  for (const token of pointer.split('/').slice(1)) value = memberOf(value, token);
  return value;
}

function memberOf(value: Json | undefined, token: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value[token.replaceAll('~1', '/').replaceAll('~0', '~')];
}
