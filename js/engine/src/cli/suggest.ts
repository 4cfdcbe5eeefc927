/** The known name that was probably meant, if one is near enough. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 0.5;
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    // What was typed is often the beginning of a long name.
    const distance = wanted.length >= 3 && other.startsWith(wanted) ? 1.5 : editDistance(wanted, other);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `did you mean …?`, or the list of what is known when that is short. */
export function suggestion(name: string, known: readonly string[], show: (name: string) => string = quoted): string[] {
  const near = nearest(name, known);
  if (near !== undefined) return [`did you mean ${show(near)}?`];
  return known.length > 0 && known.length <= 12 ? [`known: ${known.map(show).join(', ')}`] : [];
}

function quoted(name: string): string {
  return `\`${name}\``;
}

/** Insertions, deletions, replacements and swaps of neighbours between two short names. */
function editDistance(left: string, right: string): number {
  const columns = right.length + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: columns }, (_, at) => at);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column < columns; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
