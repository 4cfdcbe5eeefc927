/** What happens to a field's owners, in one shape for a table. */

import type { OwnershipChange } from './types.js';

export interface OwnershipRow {
  field: string;
  kind: OwnershipChange['kind'];
  /** The other managers. Empty where there is none. */
  others: string[];
}

export function ownershipRows(changes: readonly OwnershipChange[]): OwnershipRow[] {
  return changes.map((change) => ({ field: change.pointer ?? change.path, kind: change.kind, others: othersOf(change) }));
}

function othersOf(change: OwnershipChange): string[] {
  switch (change.kind) {
    case 'taken':
      return [change.from];
    case 'shared':
      return change.with;
    case 'removed':
      return [];
    case 'givenUp':
      return change.to;
    case 'foreign':
      return change.owners;
  }
}
