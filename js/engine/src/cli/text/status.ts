import type { Rendering } from '../../types.js';
import type { Sink } from '../terminal.js';
import { table } from './table.js';
import { tellSkip } from './words.js';

/** Prints a rendering's status table for a person: as wide as the terminal, with each reason in detail. */
export function printStatus({ assets }: Rendering, out: Sink): void {
  const { green, red, cyan, dim } = out.style;
  const color = { INCLUDED: green, EXCLUDED: dim, FILTERED: cyan, ERROR: red };
  const rows = assets.map(({ asset, status, component, skip, reason }) => {
    const told = skip === null ? undefined : tellSkip(skip);
    const why = told === undefined ? (reason ?? '') : skip?.kind === 'crdMissing' ? `${told.words}: ${told.reason}` : told.reason;
    return [asset, color[status](status), component, why];
  });
  const columns = [
    { title: 'ASSET', least: 28 },
    { title: 'STATUS' },
    { title: 'COMPONENT', least: 12 },
    { title: 'REASON', least: 24, wraps: true },
  ];
  for (const line of table(columns, rows, out.width, dim)) out.line(line);
}
