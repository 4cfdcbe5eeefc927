/** A line diff for display: Myers' greedy algorithm, bounded so that two unlike texts cannot hold the page up. */

export type LineKind = 'same' | 'removed' | 'added';

export interface DiffLine {
  kind: LineKind;
  text: string;
  /** From 1; absent on the side where the line is not. */
  before?: number;
  after?: number;
}

/** A run of lines to show, or one to leave out because nothing changed near it. */
export interface Hunk {
  hidden: boolean;
  lines: DiffLine[];
}

/** Edits up to which the shortest script is looked for; beyond, the middle counts as replaced. */
const MAX_EDITS = 2000;

export function diffLines(before: string, after: string): DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const kinds: LineKind[] = [
    ...Array<LineKind>(start).fill('same'),
    ...script(a.slice(start, endA), b.slice(start, endB)),
    ...Array<LineKind>(a.length - endA).fill('same'),
  ];
  let i = 0;
  let j = 0;
  return kinds.map((kind) => {
    if (kind === 'removed') return { kind, text: a[i++] ?? '', before: i };
    if (kind === 'added') return { kind, text: b[j++] ?? '', after: j };
    j += 1;
    return { kind, text: a[i++] ?? '', before: i, after: j };
  });
}

/** The lines in runs: `context` lines stay visible around each change. */
export function hunksOf(lines: readonly DiffLine[], context: number): Hunk[] {
  const near = lines.map(() => false);
  lines.forEach((line, index) => {
    if (line.kind !== 'same') near.fill(true, Math.max(0, index - context), index + context + 1);
  });
  const hunks: Hunk[] = [];
  lines.forEach((line, index) => {
    const hidden = !near[index];
    const last = hunks.at(-1);
    if (last?.hidden === hidden) last.lines.push(line);
    else hunks.push({ hidden, lines: [line] });
  });
  return hunks;
}

/** The lines in two columns: removed lines stand beside the added ones that follow them. */
export function pairLines(lines: readonly DiffLine[]): [DiffLine | undefined, DiffLine | undefined][] {
  const rows: [DiffLine | undefined, DiffLine | undefined][] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) rows.push([removed[index], added[index]]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') removed.push(line);
    else if (line.kind === 'added') added.push(line);
    else {
      flush();
      rows.push([line, line]);
    }
  }
  flush();
  return rows;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function script(a: readonly string[], b: readonly string[]): LineKind[] {
  const trace = furthest(a, b);
  if (trace === undefined) return [...a.map((): LineKind => 'removed'), ...b.map((): LineKind => 'added')];
  const kinds: LineKind[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits > 0; edits -= 1) {
    const reach = trace[edits - 1] ?? new Map<number, number>();
    const diagonal = x - y;
    const left = reach.get(diagonal - 1) ?? -1;
    const right = reach.get(diagonal + 1) ?? -1;
    const down = diagonal === -edits || (diagonal !== edits && left < right);
    const fromX = down ? right : left;
    const fromY = fromX - (down ? diagonal + 1 : diagonal - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0 && a[x - 1] === b[y - 1]) {
      kinds.push('same');
      x -= 1;
      y -= 1;
    }
    kinds.push(down ? 'added' : 'removed');
    x = fromX;
    y = fromY;
  }
  while (x > 0 && y > 0) {
    kinds.push('same');
    x -= 1;
    y -= 1;
  }
  return kinds.reverse();
}

/** For each number of edits, how far along `a` each diagonal can be followed; the last one reaches the end. */
function furthest(a: readonly string[], b: readonly string[]): Map<number, number>[] | undefined {
  const trace: Map<number, number>[] = [];
  let previous = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(a.length + b.length, MAX_EDITS); edits += 1) {
    const reach = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const left = previous.get(diagonal - 1) ?? -1;
      const right = previous.get(diagonal + 1) ?? -1;
      let x = diagonal === -edits || (diagonal !== edits && left < right) ? right : left + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reach.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) {
        trace.push(reach);
        return trace;
      }
    }
    trace.push(reach);
    previous = reach;
  }
  return undefined;
}
