import type { ObjectVerdict, Simulation, TimelineEntry } from '../contract.js';
import type { Sink } from '../terminal.js';
import { clock, durationWords } from './duration.js';
import { table } from './table.js';
import { hang } from './width.js';
import { count, fewOf, objectName } from './words.js';

/** Lines of the timeline at its beginning and its end that are printed. */
const FIRST = 24;
const LAST = 8;

/** Prints what happened, and what it comes to for each object. */
export function printSimulation(simulation: Simulation, out: Sink): void {
  const { bold, dim } = out.style;
  const { timeline, durationMs, truncated, failedPasses } = simulation;
  const failed = failedPasses === 0 ? '' : `; ${count(failedPasses, 'pass', 'passes')} of the controller failed`;
  out.line(`${bold(`${durationWords(durationMs)} of virtual time`)}${dim(failed)}`);
  out.line();
  if (timeline.length === 0) {
    out.line('Nothing happened.');
    return;
  }
  printTimeline(timeline, truncated, out);
  for (const verdict of simulation.verdicts) {
    out.line();
    printVerdict(verdict, out);
  }
}

function printTimeline(timeline: readonly TimelineEntry[], truncated: number, out: Sink): void {
  const { dim } = out.style;
  const all = timeline.length <= FIRST + LAST;
  const shown = all ? timeline : [...timeline.slice(0, FIRST), ...timeline.slice(-LAST)];
  const objects = new Set(timeline.map(({ object }) => objectName(object)));
  const rows = shown.map((entry) => [
    clock(entry.atMs),
    entry.actor,
    action(entry, out),
    objects.size > 1 ? objectName(entry.object) : '',
    entry.fields.length > 0 ? fewOf(entry.fields, 2) : entry.note,
  ]);
  const columns = [
    { title: 'TIME', align: 'right' as const },
    { title: 'WHO', least: 14 },
    { title: 'DOES' },
    { title: 'OBJECT', least: 16 },
    { title: 'WHAT', least: 20 },
  ];
  const lines = table(columns, rows, out.width, dim);
  const hidden = timeline.length - shown.length + truncated;
  for (const [at, line] of lines.entries()) {
    out.line(line);
    if (!all && at === FIRST) out.line(dim(`    … ${hidden} more, all of them with -o json`));
  }
  if (all && truncated > 0) out.line(dim(`    … ${truncated} more`));
}

function action({ action: what }: TimelineEntry, out: Sink): string {
  const { yellow, red, cyan } = out.style;
  switch (what) {
    case 'throttled':
      return yellow('is throttled');
    case 'pause':
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
  if (rollouts > 0) out.line(hang(`  ${dim('rollouts ')}  `, red(`${count(rollouts, 'write')} that would each start to drain and reboot nodes`), out.prose));
  const held = Object.entries(owners);
  for (const [at, [pointer, managers]] of held.slice(0, 8).entries()) {
    const who = managers.length === 0 ? 'nobody' : managers.join(', ');
    out.line(hang(`  ${dim(at === 0 ? 'held by  ' : '         ')}  `, `${who}: ${pointer}`, out.prose));
  }
  if (held.length > 8) out.line(`             and ${count(held.length - 8, 'field')} more`);
}
