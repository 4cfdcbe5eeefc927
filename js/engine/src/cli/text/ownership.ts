import type { Owner, OwnershipChange } from '../../types.js';
import type { Sink } from '../terminal.js';
import { hang } from './width.js';

/** Fields of one kind that are printed; a plan has far more that are left alone than anybody reads. */
const MOST = 12;

/** The managers that lose a field. */
export function losers(ownership: readonly OwnershipChange[]): string[] {
  const owners = ownership.flatMap((change) => (change.change === 'taken' ? change.from : change.change === 'lost' ? change.owners : []));
  return managers(owners);
}

/** Prints who gains and who loses which fields, by what becomes of them and whose they are. */
export function printOwnership(ownership: readonly OwnershipChange[], out: Sink): void {
  const { bold, yellow, dim } = out.style;
  const groups = new Map<string, OwnershipChange[]>();
  for (const change of ownership) {
    // Nobody expects the autopilot to own the status.
    if (change.change === 'foreign' && change.owners.every(({ subresource }) => subresource === 'status')) continue;
    const title = titleOf(change);
    groups.set(title, [...(groups.get(title) ?? []), change]);
  }
  if (groups.size === 0) return;
  out.line(`  ${bold('Owners')}`);
  // What the autopilot takes comes first, what it leaves alone last.
  const order = ['taken', 'lost', 'removed', 'givenUp', 'shared', 'claimed', 'foreign'];
  const sorted = [...groups].sort(([, [left]], [, [right]]) => order.indexOf(left?.change ?? '') - order.indexOf(right?.change ?? ''));
  for (const [title, changes] of sorted) {
    const contested = changes[0]?.change === 'taken' || changes[0]?.change === 'lost';
    out.line(hang('    ', contested ? yellow(title) : title, out.prose));
    const fields = leaves(changes.map(({ field }) => field.pointer ?? field.path));
    for (const field of fields.slice(0, MOST)) out.line(`      ${field}`);
    if (fields.length > MOST) out.line(dim(`      and ${fields.length - MOST} more, with -o json`));
  }
}

/** What becomes of a field, in a sentence of its own. */
export function sentenceOf(change: OwnershipChange): string {
  switch (change.change) {
    case 'taken':
      return `The autopilot takes it by force from ${named(change.from)}.`;
    case 'shared':
      return `The autopilot owns it together with ${named(change.with)}.`;
    case 'claimed':
      return 'The autopilot owns it alone.';
    case 'removed':
      return 'The autopilot owned it and no longer applies it, so it is removed.';
    case 'givenUp':
      return `The autopilot gives it up; it stays with ${named(change.owners)}.`;
    case 'lost':
      return `It is lost to ${named(change.owners)}.`;
    case 'foreign':
      return `It belongs to ${named(change.owners)}, and the autopilot leaves it alone.`;
  }
}

function titleOf(change: OwnershipChange): string {
  switch (change.change) {
    case 'taken':
      return `takes by force from ${named(change.from)}`;
    case 'shared':
      return `owns together with ${named(change.with)}`;
    case 'claimed':
      return 'owns alone';
    case 'removed':
      return 'removes, for the autopilot owned it and no longer applies it';
    case 'givenUp':
      return `gives up; it stays with ${named(change.owners)}`;
    case 'lost':
      return `goes with what the autopilot writes, though it is owned by ${named(change.owners)}`;
    case 'foreign':
      return `leaves alone, for it is owned by ${named(change.owners)}`;
  }
}

function named(owners: readonly Owner[] | undefined): string {
  const names = managers(owners ?? []);
  return names.length === 0 ? 'nobody' : names.join(', ');
}

function managers(owners: readonly Owner[]): string[] {
  return [...new Set(owners.map(({ manager, subresource }) => (subresource === undefined ? manager : `${manager} (${subresource})`)))];
}

/** The fields without those that only contain others of them. */
function leaves(fields: readonly string[]): string[] {
  return fields.filter((field) => !fields.some((other) => other.startsWith(`${field}/`)));
}
