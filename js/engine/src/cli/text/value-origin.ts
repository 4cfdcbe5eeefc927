import type { AssetPlan, Json, KubeObject } from '../../types.js';
import type { Sink } from '../terminal.js';
import { ownersAt, pointerParts, valueAt } from './owners.js';
import { sentenceOf } from './ownership.js';
import { hang, padEnd } from './width.js';
import { json, objectName, valueWords } from './words.js';

/** Prints where the value at a pointer comes from: through which stages it went, and who owns it. */
export function printValueOrigin(asset: AssetPlan, pointer: string, out: Sink): void {
  const { bold, dim } = out.style;
  const subject = asset.object === null ? asset.asset : objectName(asset.object);
  out.line(hang('', `${bold(pointer === '' ? 'the whole object' : pointer)} of ${subject}`, out.prose, '  '));
  out.line();
  const anchor = asset.predicted ?? asset.live ?? asset.desired ?? asset.baseline;
  const at = (object: KubeObject | null): Json | undefined =>
    object === null ? undefined : valueAt(object, anchor === null ? pointer : translate(pointer, anchor, object));
  const stages: [string, KubeObject | null, string][] = [
    ['baseline', asset.baseline, asset.path],
    ['patched', asset.patched, ''],
    ['desired', asset.desired, ''],
    ['live', asset.live, ownerWords(asset.live, anchor, pointer)],
    ['after', asset.predicted, ownerWords(asset.predicted, anchor, pointer)],
  ];
  const room = (Number.isFinite(out.width) ? out.width : 200) - 16;
  for (const [name, object, note] of stages) {
    if (object === null) continue;
    out.line(`  ${dim(padEnd(name, 10))}  ${valueWords(at(object), room)}`);
    if (note !== '') out.line(hang('              ', dim(note), out.prose));
  }
  out.line();
  for (const sentence of [origin(asset, pointer, at), ...ownership(asset, pointer)]) out.line(hang('  ', sentence, out.prose, '  '));
}

/** The stage that decided the value, in a sentence. */
function origin(asset: AssetPlan, pointer: string, at: (object: KubeObject | null) => Json | undefined): string {
  const [baseline, desired, live, after] = [at(asset.baseline), at(asset.desired), at(asset.live), at(asset.predicted)];
  if (asset.predicted === null) {
    return asset.live === null ? 'It is not applied, and there is no live object.' : 'It is not applied, so the live value stays.';
  }
  if (after === undefined) {
    return live === undefined ? 'It is absent before and after.' : 'It goes: the autopilot owned it and no longer applies it.';
  }
  if (!same(after, desired)) {
    if (desired === undefined) return 'It comes from the live object: the autopilot does not apply this field.';
    return 'The autopilot applies a part of it; the rest comes from the live object and its other owners.';
  }
  const touched = (stage: string) => asset.steps.some((step) => step.stage === stage && step.changes.some((change) => within(change.pointer, pointer)));
  if (touched('mask')) return 'It comes from the live object, by the annotation ignore-fields: the autopilot applies what it found there, and so co-owns it.';
  if (touched('payload')) return 'It comes from the live object: its content is that of the baseline, in other bytes.';
  if (touched('patch')) return 'It comes from the patch in the annotation of the live object.';
  if (touched('label') && !same(baseline, desired)) return 'It is the label that the autopilot sets on everything that it manages.';
  const same_ = live === undefined ? '' : same(live, after) ? ', and live has the same value' : ', in place of the live value';
  return `It comes from the baseline, ${asset.path}${same_}.`;
}

/** What happens to the owners of a field, in sentences. */
function ownership(asset: AssetPlan, pointer: string): string[] {
  const hits = asset.ownership.filter(({ field: { pointer: field } }) => field !== undefined && (within(field, pointer) || within(pointer, field)));
  // What holds for the field itself counts, else what holds within it, else what holds for what contains it.
  const exact = hits.filter(({ field }) => field.pointer === pointer);
  const inner = hits.filter(({ field }) => field.pointer !== undefined && within(pointer, field.pointer));
  const chosen = exact.length > 0 ? exact : inner.length > 0 ? inner : hits.slice(-1);
  return [...new Set(chosen.map(sentenceOf))];
}

function ownerWords(object: KubeObject | null, anchor: KubeObject | null, pointer: string): string {
  if (object === null) return '';
  const here = anchor === null ? pointer : translate(pointer, anchor, object);
  if (valueAt(object, here) === undefined) return '';
  const owners = ownersAt(object, here);
  if (owners.length === 0) return 'no owner';
  const words = owners.map(({ manager, operation, time }) => `${manager} (${operation}${time === undefined ? '' : `, ${time}`})`);
  return `owned by ${[...new Set(words)].join(', ')}`;
}

/** Whether one pointer is the other or leads to something within it. */
function within(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

function same(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && json(sorted(left)) === json(sorted(right)));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, item === undefined ? null : sorted(item)]));
}

/** The pointer to the same thing in another object: an item of a list is found there by its name, or by its value. */
function translate(pointer: string, from: KubeObject, to: KubeObject): string {
  if (from === to) return pointer;
  let here: Json | undefined = from;
  let there: Json | undefined = to;
  let out = '';
  for (const part of pointerParts(pointer)) {
    let name = part;
    const item: Json | undefined = valueAt(here, `/${escape(part)}`);
    if (Array.isArray(here) && Array.isArray(there)) {
      const found = there.findIndex((other) => isSameItem(item, other));
      if (found !== -1) name = String(found);
    }
    out += `/${escape(name)}`;
    here = item;
    there = valueAt(there, `/${escape(name)}`);
  }
  return out;
}

function isSameItem(left: Json | undefined, right: Json): boolean {
  const name = (item: Json | undefined) => (typeof item === 'object' && item !== null && !Array.isArray(item) ? (item['name'] ?? item['key']) : item);
  const [one, other] = [name(left), name(right)];
  return one !== undefined && typeof one !== 'object' && one === other;
}

function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
