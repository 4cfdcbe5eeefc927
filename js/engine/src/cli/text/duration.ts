const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration like `90s` or `1h30m`; `undefined` where it is none. */
export function durationOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) sum += Number(number) * UNITS[unit as keyof typeof UNITS];
  return sum > 0 ? Math.round(sum) : undefined;
}

/** A duration as a person says it, by its two largest units: `1h 30m`, `2.5s`. */
export function durationWords(milliseconds: number): string {
  if (milliseconds < 60_000) return `${Number((milliseconds / 1_000).toFixed(1))}s`;
  const parts: string[] = [];
  let rest = Math.round(milliseconds / 1_000) * 1_000;
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const number = Math.floor(rest / UNITS[unit]);
    rest -= number * UNITS[unit];
    if (number > 0) parts.push(`${number}${unit}`);
  }
  return parts.slice(0, 2).join(' ');
}

/** A point in time since the start, so that those of one list stand under each other: `0:02.5`, `1:04:10.0`. */
export function clock(milliseconds: number): string {
  const tenths = Math.floor(milliseconds / 100);
  const [hours, minutes, seconds] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, Math.floor(tenths / 10) % 60];
  const end = `${String(seconds).padStart(2, '0')}.${tenths % 10}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${end}` : `${minutes}:${end}`;
}
