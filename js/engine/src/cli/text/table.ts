import { columns, cut, padEnd, padStart, wrap } from './width.js';

/** A column of a table. */
export interface Column {
  title: string;
  align?: 'right';
  /** Columns that it keeps when the terminal is narrow; without it the column never shrinks. */
  least?: number;
  /** What does not fit goes on in the next line instead of being cut. */
  wraps?: boolean;
}

const GAP = '  ';

/** The lines of a table that fits into a width, with its titles first; a column without any content is left out. */
export function table(all: readonly Column[], rows: readonly (readonly string[])[], width: number, title: (text: string) => string): string[] {
  const shown = all.map((column, index) => ({ column, index })).filter(({ index }) => rows.some((row) => cell(row, index) !== ''));
  const widths = fit(
    shown.map(({ column, index }) => ({
      natural: Math.max(columns(column.title), ...rows.map((row) => columns(cell(row, index)))),
      least: column.least,
    })),
    width,
  );
  const line = (cells: readonly string[]) =>
    shown
      .map(({ column }, at) => (column.align === 'right' ? padStart : padEnd)(cells[at] ?? '', widths[at] ?? 0))
      .join(GAP)
      .trimEnd();
  const lines = [title(line(shown.map(({ column }, at) => cut(column.title, widths[at] ?? 0))))];
  for (const row of rows) {
    const cells = shown.map(({ column, index }, at) => {
      const room = widths[at] ?? 0;
      return column.wraps === true ? wrap(cell(row, index), room) : [cut(cell(row, index), room)];
    });
    const height = Math.max(...cells.map((lines) => lines.length));
    for (let at = 0; at < height; at++) lines.push(line(cells.map((lines) => lines[at] ?? '')));
  }
  return lines;
}

function cell(row: readonly string[], index: number): string {
  return row[index] ?? '';
}

/** Takes room from the widest column that may shrink until all fit. */
function fit(wanted: readonly { natural: number; least: number | undefined }[], width: number): number[] {
  const widths = wanted.map(({ natural }) => natural);
  let over = widths.reduce((sum, next) => sum + next, 0) + GAP.length * (widths.length - 1) - width;
  while (over > 0) {
    let widest = -1;
    for (const [index, { least }] of wanted.entries()) {
      const now = widths[index] ?? 0;
      if (least !== undefined && now > least && now > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}
