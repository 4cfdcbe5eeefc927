/** How outcomes are ordered, grouped and coloured. */

import type { Outcome } from './types.js';

export type OutcomeKind = Outcome['kind'];
/** `change`: something is written; `fail`: nothing is, by mistake; `held`: nothing is, by someone's will. */
export type Tone = 'change' | 'fail' | 'held' | 'settled' | 'off';

/** In the order in which a reader wants to see them. */
export const OUTCOME_KINDS = [
  'create', 'update', 'maskFailed', 'patchCrashed', 'applyRefused', 'renderFailed', 'notReached', 'paused', 'unmanaged', 'excludedByRule',
  'namespaceMissing', 'inSync', 'crdMissing', 'conditionsNotMet', 'rendersEmpty', 'notListed', 'notEnabled',
  'neverReconciled', 'noHyperConverged',
] as const satisfies readonly OutcomeKind[];

const TONES: Record<OutcomeKind, Tone> = {
  create: 'change',
  update: 'change',
  maskFailed: 'fail',
  patchCrashed: 'fail',
  applyRefused: 'fail',
  renderFailed: 'fail',
  notReached: 'fail',
  paused: 'held',
  unmanaged: 'held',
  excludedByRule: 'held',
  namespaceMissing: 'held',
  inSync: 'settled',
  crdMissing: 'off',
  conditionsNotMet: 'off',
  rendersEmpty: 'off',
  notListed: 'off',
  notEnabled: 'off',
  neverReconciled: 'off',
  noHyperConverged: 'off',
};

export function toneOf(kind: OutcomeKind): Tone {
  return TONES[kind];
}

export function rankOf(kind: OutcomeKind): number {
  return OUTCOME_KINDS.indexOf(kind);
}

/** How many assets come out how, most interesting first, without the zeros. */
export function countOutcomes(assets: readonly { outcome: Outcome }[]): { kind: OutcomeKind; count: number }[] {
  return OUTCOME_KINDS.map((kind) => ({ kind, count: assets.filter((asset) => asset.outcome.kind === kind).length })).filter(
    ({ count }) => count > 0,
  );
}
