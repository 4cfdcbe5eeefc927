import type { Activation, ConditionVerdict, Json, KubeObject, ObjectRef, Outcome, PoolImpact, Rule, Skip } from '../../types.js';
import type { Style } from '../style.js';
import { cut } from './width.js';

/** How an outcome is told: a few words, their colour, and the reason where there is one to tell. */
export interface Told {
  words: string;
  tone: 'change' | 'good' | 'held' | 'off' | 'bad';
  reason: string;
}

const PREFIX = 'platform.kubevirt.io/';

/** An outcome in words. */
export function tell(outcome: Outcome): Told {
  switch (outcome.kind) {
    case 'create':
      return { words: 'create', tone: 'change', reason: '' };
    case 'update':
      return { words: 'update', tone: 'change', reason: '' };
    case 'inSync':
      return { words: 'in sync', tone: 'good', reason: 'what would be applied is on the cluster already' };
    case 'paused':
      return { words: 'paused', tone: 'held', reason: 'the live object is annotated `platform.kubevirt.io/reconcile-paused: "true"`' };
    case 'unmanaged':
      return { words: 'unmanaged', tone: 'held', reason: 'the live object is annotated `platform.kubevirt.io/mode: unmanaged`' };
    case 'excludedByRule':
      return { words: 'excluded', tone: 'held', reason: `rule ${ruleWords(outcome.rule)} of \`platform.kubevirt.io/disabled-resources\`` };
    case 'namespaceMissing':
      return { words: 'no namespace', tone: 'held', reason: `namespace ${outcome.namespace} does not exist` };
    case 'maskFailed':
      return { words: 'mask failed', tone: 'bad', reason: outcome.message };
    case 'patchCrashed':
      return { words: 'patch crashed', tone: 'bad', reason: outcome.message };
    case 'applyRefused':
      return { words: 'apply refused', tone: 'bad', reason: outcome.message };
    case 'notReached':
      return { words: 'not reached', tone: 'held', reason: `${outcome.by} failed, which ends the pass` };
    default:
      return tellSkip(outcome);
  }
}

/** Why an asset is not rendered, in words. */
export function tellSkip(skip: Skip): Told {
  switch (skip.kind) {
    case 'noHyperConverged':
      return { words: 'no HyperConverged', tone: 'off', reason: 'the HyperConverged is not in the input' };
    case 'notEnabled':
      return {
        words: 'not enabled',
        tone: 'off',
        reason: skip.annotation === null ? 'the autopilot is off: the HyperConverged has no annotation `platform.kubevirt.io/autopilot`' : `the autopilot is off: \`platform.kubevirt.io/autopilot\` is \`${skip.annotation}\``,
      };
    case 'notListed':
      return { words: 'not listed', tone: 'off', reason: 'neither its name nor its group is in `platform.kubevirt.io/autopilot`' };
    case 'neverReconciled':
      return { words: 'never applied', tone: 'off', reason: "its reconcile order is 0, which is the golden config's alone" };
    case 'crdMissing':
      return { words: skip.gate ? 'gate CRD missing' : 'CRD missing', tone: 'off', reason: skip.crd };
    case 'conditionsNotMet':
      return { words: 'conditions', tone: 'off', reason: failing(skip.conditions) };
    case 'rendersEmpty':
      return { words: 'renders empty', tone: 'off', reason: 'its template comes to nothing on this cluster' };
    case 'renderFailed': {
      const { path, line, column, message } = skip.error;
      const place = line === null ? path : column === null ? `${path}:${line}` : `${path}:${line}:${column}`;
      return { words: 'render failed', tone: 'bad', reason: `${place}: ${message}` };
    }
    case 'excludedByRule':
      return tell(skip);
  }
}

/** The colour of a tone. */
export function paint(tone: Told['tone'], style: Style): (text: string) => string {
  return { change: style.yellow, good: style.green, held: style.cyan, off: style.dim, bad: style.red }[tone];
}

function failing(conditions: readonly ConditionVerdict[]): string {
  const failed = conditions.filter(({ holds }) => !holds);
  return failed.length === 0 ? 'opt-in, and it has no condition that could turn it on' : `needs ${failed.map(verdictWords).join('; ')}`;
}

/** What a condition asks for, and what was found. */
export function verdictWords({ expected, found, holds }: ConditionVerdict): string {
  const wanted = expected.replaceAll(PREFIX, '');
  if (holds) return wanted;
  if (found === 'no such annotation' || found === 'no such image') return `${wanted} (missing)`;
  return /^(no|a|some) /.test(found) ? `${wanted} (${found})` : `${wanted} (is ${found})`;
}

/** A rule of disabled-resources. */
export function ruleWords(rule: Rule): string {
  return [rule.kind, ...(rule.namespace === undefined || rule.namespace === '' ? [] : [rule.namespace]), rule.name].join('/');
}

/** The activation, as a headline says it. */
export function activationWords(activation: Activation | null): string {
  if (activation === null) return 'no HyperConverged in the input';
  switch (activation.kind) {
    case 'idle':
      return 'autopilot off';
    case 'all':
      return 'autopilot on for everything';
    case 'only':
      return `autopilot on for ${activation.names.join(', ')}`;
  }
}

/** An annotation's key without the prefix that all of the controller's share. */
export function shortKey(key: string): string {
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
}

/** An annotation's key in full. */
export function fullKey(key: string): string {
  return key.includes('/') ? key : PREFIX + key;
}

/** An object by kind, namespace and name. */
export function objectName({ kind, namespace, name }: ObjectRef): string {
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** What an object is called. */
export function refOf(object: KubeObject): ObjectRef {
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

/** A value on one line. */
export function valueWords(value: Json | undefined, room: number): string {
  return cut(value === undefined ? 'absent' : json(value), Math.max(12, Math.min(room, 400)));
}

/** JSON text of a value; integers keep all their digits. */
export function json(value: unknown, indent?: number): string {
  // JSON has no word for a `bigint`; a mark that no text of the value can know stands around its digits meanwhile.
  const mark = `integer-${Math.random()}-`;
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? mark + String(item) : item), indent);
  return text.includes(mark) ? text.replaceAll(new RegExp(`"${mark.replace('.', '\\.')}(-?\\d+)"`, 'g'), '$1') : text;
}

/** `1 node`, `3 nodes`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A few names, and how many more there are. */
export function fewOf(names: readonly string[], most: number): string {
  return names.length <= most + 1 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

/** The pools that an asset's change reaches, with the number of their nodes. */
export function poolsOf(asset: string, pools: readonly PoolImpact[]): string {
  return pools
    .filter(({ causes }) => causes.some((cause) => cause.asset === asset))
    .map(({ pool, nodes, paused }) => `${pool} (${paused ? 'paused' : nodes.length})`)
    .join(', ');
}
