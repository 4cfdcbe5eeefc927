import type { AssetPlan, Plan } from '../../types.js';
import type { Sink } from '../terminal.js';
import { printFindings, sortFindings, type Places } from './findings.js';
import { losers } from './ownership.js';
import { table } from './table.js';
import { columns, hang, padEnd } from './width.js';
import { activationWords, count, fewOf, objectName, paint, poolsOf, tell, type Told } from './words.js';

/** Prints a whole plan so that a person sees what would happen: changes first, then what does not happen, and why. */
export function printPlanSummary(plan: Plan, out: Sink, places: Places, withNotes = false): void {
  printHeadline(plan, out);
  const told = plan.assets.map((asset) => ({ asset, told: tell(asset.outcome) }));
  const of = (...tones: Told['tone'][]) => told.filter((entry) => tones.includes(entry.told.tone));
  printChanges(of('change'), plan, out);
  printTroubles(of('bad'), out);
  printQuiet(of('good', 'held', 'off'), out);
  printPools(plan, out);
  printTombstones(plan, out);
  printLeftBehind(plan, out);
  printAllFindings(plan, out, places, withNotes);
  out.line();
  out.line(totals(plan, out));
}

type Entry = { asset: AssetPlan; told: Told };

/** Prints which catalog a plan is of, under which behaviour, and what is turned on. */
export function printHeadline(plan: { catalog: string; behavior: string; activation: Plan['activation'] }, out: Sink): void {
  const { bold, dim } = out.style;
  const behavior = plan.behavior === plan.catalog ? '' : dim(` as ${plan.behavior} behaves`);
  out.line(hang('', `${bold(`Catalog ${plan.catalog}`)}${behavior}${dim(' · ')}${activationWords(plan.activation)}`, out.prose));
}

function heading(title: string, out: Sink): void {
  out.line();
  out.line(out.style.bold(title));
}

function printChanges(entries: readonly Entry[], plan: Plan, out: Sink): void {
  if (entries.length === 0) return;
  heading('Changes', out);
  const rows = entries.map(({ asset, told }) => {
    return [
      `  ${asset.asset}`,
      asset.outcome.kind === 'create' ? out.style.green(told.words) : out.style.yellow(told.words),
      asset.outcome.kind === 'create' ? 'all' : String(asset.changes.length),
      losers(asset.ownership).join(', '),
      out.style.red(poolsOf(asset.asset, plan.impact.pools)),
    ];
  });
  const columns = [
    { title: '  ASSET', least: 30 },
    { title: 'OUTCOME' },
    { title: 'FIELDS', align: 'right' as const },
    { title: 'TAKES FROM', least: 10 },
    { title: 'REBOOTS', least: 10 },
  ];
  for (const line of table(columns, rows, out.width, out.style.dim)) out.line(line);
}

function printTroubles(entries: readonly Entry[], out: Sink): void {
  if (entries.length === 0) return;
  heading('Failures', out);
  for (const { asset, told } of entries) {
    out.line(`  ${asset.asset}  ${out.style.red(told.words)}`);
    out.line(hang('    ', told.reason, out.prose));
  }
}

/** What stays as it is, by outcome and by reason. */
function printQuiet(entries: readonly Entry[], out: Sink): void {
  if (entries.length === 0) return;
  heading('Unchanged', out);
  const groups = groupBy(entries, ({ told }) => told.words);
  const label = Math.max(...Array.from(groups.keys(), (words) => words.length));
  const indent = ' '.repeat(label + 4);
  for (const [words, group] of groups) {
    let start = `  ${paint(group[0]?.told.tone ?? 'off', out.style)(padEnd(words, label))}  `;
    const names = Math.max(...group.map(({ asset }) => asset.asset.length));
    for (const [reason, alike] of groupBy(group, ({ told }) => told.reason)) {
      const list = alike.map(({ asset }) => asset.asset).join(', ');
      const told = out.style.enabled ? out.style.dim(reason) : `(${reason})`;
      const oneLine = `${padEnd(list, names)}  ${told}`;
      if (group[0]?.told.tone === 'good') {
        out.line(hang(start, list, out.prose, indent));
      } else if (columns(oneLine) + columns(indent) <= out.prose) {
        out.line(start + oneLine);
      } else {
        out.line(hang(start, list, out.prose, indent));
        out.line(hang(`${indent}  `, told, out.prose));
      }
      start = indent;
    }
  }
}

function groupBy(entries: readonly Entry[], key: (entry: Entry) => string): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(key(entry), [...(groups.get(key(entry)) ?? []), entry]);
  return groups;
}

function printPools({ impact }: Plan, out: Sink): void {
  const hit = impact.pools.filter(({ causes }) => causes.length > 0);
  if (hit.length === 0) return;
  heading('Nodes that drain and reboot', out);
  for (const { pool, nodes, paused, causes } of hit) {
    const which = nodes.length === 0 ? 'no nodes in the input' : `${count(nodes.length, 'node')}: ${fewOf(nodes, 6)}`;
    const state = paused ? out.style.cyan('paused, so only once it is resumed; ') : '';
    out.line(hang(`  ${out.style.red(pool)}  `, `${state}${which}`, out.prose, '    '));
    for (const { object, change } of causes) out.line(hang('    ', `${objectName(object)}: ${change}`, out.prose, '      '));
  }
}

function printTombstones({ tombstones }: Plan, out: Sink): void {
  const present = tombstones.filter(({ outcome }) => outcome === 'delete' || outcome === 'skip');
  if (present.length === 0) return;
  heading('Tombstones', out);
  for (const { object, outcome } of present) {
    const what = outcome === 'delete' ? out.style.red('deleted') : `${out.style.cyan('left alone')}, for it is not labelled as managed`;
    out.line(hang('  ', `${objectName(object)}: ${what}`, out.prose, '    '));
  }
}

function printLeftBehind({ leftBehind }: Plan, out: Sink): void {
  if (leftBehind.length === 0) return;
  heading('Left behind', out);
  for (const { object, asset, note } of leftBehind) {
    out.line(hang('  ', `${objectName(object)}${asset === null ? '' : ` (${asset})`}: ${note}`, out.prose, '    '));
  }
}

/** Everything that was found, wherever in the plan it stands. */
export function findingsOf(plan: Plan): AssetPlan['diagnostics'] {
  return sortFindings([...plan.diagnostics, ...plan.assets.flatMap(({ diagnostics }) => diagnostics), ...plan.impact.diagnostics]);
}

function printAllFindings(plan: Plan, out: Sink, places: Places, withNotes: boolean): void {
  const all = findingsOf(plan);
  const shown = all.filter(({ severity }) => withNotes || severity !== 'info');
  if (shown.length > 0) {
    heading('Findings', out);
    printFindings(shown, out, places);
  }
  const notes = all.length - shown.length;
  if (notes > 0) {
    if (shown.length === 0) out.line();
    out.line(out.style.dim(`${count(notes, 'note')} more with --details`));
  }
}

function totals(plan: Plan, out: Sink): string {
  const { bold } = out.style;
  const number = (kind: AssetPlan['outcome']['kind']) => plan.assets.filter(({ outcome }) => outcome.kind === kind).length;
  const failed = plan.assets.filter(({ outcome }) => tell(outcome).tone === 'bad').length;
  const [created, updated, same] = [number('create'), number('update'), number('inSync')];
  const parts = [`${created} to create`, `${updated} to update`, `${same} in sync`];
  const rest = plan.assets.length - created - updated - same - failed;
  if (rest > 0) parts.push(`${rest} not applied`);
  if (failed > 0) parts.push(out.style.red(`${failed} failed`));
  const nodes = new Set(plan.impact.pools.filter(({ paused, causes }) => !paused && causes.length > 0).flatMap((pool) => pool.nodes));
  if (nodes.size > 0) parts.push(out.style.red(`${count(nodes.size, 'node')} reboot${nodes.size === 1 ? 's' : ''}`));
  return hang('', `${bold('Plan:')} ${parts.join(', ')}.`, out.prose);
}
