/** What happens to a field's owners, in one shape for a table. */

import type { ListedAsset, Owner, OwnershipChange } from './types.js';

export interface OwnershipRow {
  field: string;
  change: OwnershipChange['change'];
  /** The other managers. Empty where there is none. */
  others: string[];
}

/** In the order in which a reader wants to see them: what someone loses comes first. */
const ORDER: readonly OwnershipChange['change'][] = ['taken', 'lost', 'removed', 'shared', 'givenUp', 'claimed', 'foreign'];

export function ownershipRows(changes: readonly OwnershipChange[]): OwnershipRow[] {
  return changes
    .map((change) => ({
      field: change.field.pointer ?? change.field.path,
      change: change.change,
      others: [...new Set(othersOf(change).map(({ manager }) => manager))],
    }))
    .sort((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
}

/** How many fields each other manager loses by the apply. */
export function lossesOf({ ownership }: Pick<ListedAsset, 'ownership'>): Map<string, number> {
  const losses = new Map<string, number>();
  for (const { change, others } of ownershipRows(ownership)) {
    if (change !== 'taken' && change !== 'lost') continue;
    for (const manager of others) losses.set(manager, (losses.get(manager) ?? 0) + 1);
  }
  return losses;
}

function othersOf(change: OwnershipChange): readonly Owner[] {
  switch (change.change) {
    case 'taken':
      return change.from;
    case 'shared':
      return change.with;
    case 'claimed':
      return [];
    default:
      return change.owners ?? [];
  }
}
