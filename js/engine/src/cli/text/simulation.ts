import type { ObjectVerdict, Simulation, TimelineEntry } from '../../types.js';
import type { Sink } from '../terminal.js';
import { clock, durationWords } from './duration.js';
import { table } from './table.js';
import { hang } from './width.js';
import { count, fewOf, objectName } from './words.js';

/** Lines of the timeline at its beginning and its end that are printed. */
const FIRST = 24;
const LAST = 8;
/** The longest round of writes that is told once when it goes on and on. */
const LONGEST_ROUND = 4;

/** Prints what happened, and what it comes to for each object. */
export function printSimulation(simulation: Simulation, out: Sink): void {
  const { bold, dim } = out.style;
  const { timeline, durationMs, complete, truncated, failedPasses } = simulation;
  const failed = failedPasses === 0 ? '' : `; ${count(failedPasses, 'pass', 'passes')} of the controller failed`;
  out.line(`${bold(`${durationWords(durationMs)} of virtual time`)}${dim(failed)}`);
  if (!complete) out.line(out.style.red('Cut short: more happens than one simulation plays.'));
  out.line();
  if (timeline.length === 0) {
    out.line('Nothing happened.');
    return;
  }
  printTimeline(timeline, truncated, out);
  const fights = simulation.verdicts.filter(isFight);
  for (const verdict of fights) {
    out.line();
    printVerdict(verdict, out);
  }
  const calm = simulation.verdicts.filter((verdict) => !isFight(verdict));
  if (calm.length === 0) return;
  out.line();
  out.line(bold('Without a fight'));
  for (const { object, rollouts } of calm) {
    const note = rollouts === 0 ? '' : out.style.red(` (${count(rollouts, 'rollout')})`);
    out.line(hang('  ', `${objectName(object)}${note}`, out.prose, '    '));
  }
}

function isFight({ writes, throttles, pausedAtMs }: ObjectVerdict): boolean {
  return Object.keys(writes).length > 1 || throttles > 0 || pausedAtMs !== null;
}

function printTimeline(timeline: readonly TimelineEntry[], truncated: number, out: Sink): void {
  const { dim } = out.style;
  const objects = new Set(timeline.map(({ object }) => objectName(object)));
  const rounds = foldRounds(timeline);
  const rows = rounds.map(({ entry, again }) =>
    again === undefined
      ? [
          clock(entry.atMs),
          entry.actor,
          action(entry, out),
          objects.size > 1 ? `${entry.object.kind} ${entry.object.name}` : '',
          whatOf(entry),
        ]
      : [clock(entry.atMs), dim(`the same ${count(again.times, 'time')} more, ${again.rhythm}`)],
  );
  const columns = [
    { title: 'TIME', align: 'right' as const },
    { title: 'WHO', least: 23 },
    { title: 'DOES' },
    { title: 'OBJECT', least: 14 },
    { title: 'WHAT', least: 14 },
  ];
  // What is told of a round that is repeated may run on over the columns.
  const widths = rows.map((row) => (row.length > 2 ? row : [row[0] ?? '', '']));
  const lines = table(columns, widths, out.width, dim);
  const skipped = rows.length > FIRST + LAST ? rows.length - FIRST - LAST : 0;
  for (const [at, line] of lines.entries()) {
    const row = at - 1;
    if (skipped > 0 && row === FIRST) out.line(dim(`${' '.repeat(8)} … ${count(skipped, 'line')} more; -o json has everything`));
    if (skipped > 0 && row >= FIRST && row < FIRST + skipped) continue;
    const told = rows[row];
    out.line(told?.length === 2 ? `${line}  ${told[1] ?? ''}` : line);
  }
  if (truncated > 0) out.line(dim(`${' '.repeat(8)} … and ${truncated} writes after that`));
}

/** The timeline with rounds that are repeated three times or more told once. */
function foldRounds(timeline: readonly TimelineEntry[]): { entry: TimelineEntry; again?: { times: number; rhythm: string } }[] {
  const keys = timeline.map(({ actor, action, object, fields }) => JSON.stringify([actor, action, object, fields]));
  const folded: { entry: TimelineEntry; again?: { times: number; rhythm: string } }[] = [];
  let at = 0;
  while (at < timeline.length) {
    let length = 1;
    let times = 1;
    for (let round = 1; round <= LONGEST_ROUND; round++) {
      let end = at + round;
      while (end < timeline.length && keys[end] === keys[end - round]) end += 1;
      const found = Math.floor((end - at) / round);
      if (found >= 3 && found * round > length * times) [length, times] = [round, found];
    }
    const next = timeline[at + length];
    for (let each = 0; each < length; each++) {
      const entry = timeline[at + each];
      if (entry !== undefined) folded.push({ entry });
    }
    if (times > 1 && next !== undefined) {
      const starts = Array.from({ length: times }, (_, each) => timeline[at + each * length]?.atMs ?? 0);
      folded.push({ entry: next, again: { times: times - 1, rhythm: rhythm(starts) } });
    }
    at += length * times;
  }
  return folded;
}

/** How often rounds that begin at these times come. */
function rhythm(starts: readonly number[]): string {
  const gaps = starts.slice(1).map((start, at) => start - (starts[at] ?? 0));
  const [shortest, longest] = [Math.min(...gaps), Math.max(...gaps)];
  return shortest === longest ? `every ${durationWords(shortest)}` : `${durationWords(shortest)} to ${durationWords(longest)} apart`;
}

function whatOf({ fields, note }: TimelineEntry): string {
  const [first] = fields;
  if (first === undefined) return note;
  if (first === '') return 'the whole object';
  return fields.length === 1 ? first : `${fields.length} fields: ${fewOf(fields, 2)}`;
}

function action({ action: what }: TimelineEntry, out: Sink): string {
  const { yellow, red, cyan } = out.style;
  switch (what) {
    case 'throttled':
      return yellow('is throttled');
    case 'paused':
      return red('pauses');
    case 'conflict':
      return red('is refused');
    case 'apply':
      return cyan('applies');
    case 'update':
      return 'updates';
    case 'delete':
      return red('deletes');
  }
}

function printVerdict({ object, writes, throttles, pausedAtMs, reason, owners, rollouts }: ObjectVerdict, out: Sink): void {
  const { bold, dim, red, green } = out.style;
  const state = pausedAtMs === null ? green('not paused') : red(`paused at ${clock(pausedAtMs)}`);
  out.line(hang('', `${bold(objectName(object))}  ${state}`, out.prose, '  '));
  out.line(hang('  ', reason, out.prose));
  const pairs = Object.entries(writes).map(([who, number]) => `${who} ${count(number, 'time')}`);
  out.line(hang(`  ${dim('writes   ')}  `, pairs.length === 0 ? 'none' : pairs.join(', '), out.prose));
  if (throttles > 0) out.line(`  ${dim('throttled')}  ${count(throttles, 'time')}`);
  if (rollouts > 0) out.line(hang(`  ${dim('rollouts ')}  `, red(`${count(rollouts, 'write')}, each of which drains and reboots nodes`), out.prose));
  const held = Object.entries(owners);
  for (const [at, [pointer, managers]] of held.slice(0, 8).entries()) {
    const who = managers.length === 0 ? 'nobody' : managers.join(', ');
    out.line(hang(`  ${dim(at === 0 ? 'held by  ' : '         ')}  `, `${pointer}: ${who}`, out.prose));
  }
  if (held.length > 8) out.line(`             and ${count(held.length - 8, 'field')} more`);
}
