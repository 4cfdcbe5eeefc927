import type { EventRecord } from '../../types.js';
import type { Sink } from '../terminal.js';
import { table } from './table.js';
import { objectName } from './words.js';

/** Prints the events that the controller would emit, in their order. */
export function printEvents(events: readonly EventRecord[], out: Sink): void {
  if (events.length === 0) {
    out.line('No events.');
    return;
  }
  const { yellow } = out.style;
  const rows = events.map(({ type, reason, object, note }) => [
    type === 'Warning' ? yellow(type) : type,
    reason,
    object === null ? '' : objectName(object),
    note,
  ]);
  const columns = [{ title: 'TYPE' }, { title: 'REASON' }, { title: 'OBJECT', least: 16, wraps: true }, { title: 'NOTE', least: 24, wraps: true }];
  for (const line of table(columns, rows, out.width, out.style.dim)) out.line(line);
}
