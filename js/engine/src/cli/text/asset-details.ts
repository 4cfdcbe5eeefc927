import type { Engine } from '../../engine.js';
import type { AssetPlan, Change, ConditionVerdict, PayloadChange, Plan } from '../../types.js';
import type { Sink } from '../terminal.js';
import { printFindings, sortFindings, type Places } from './findings.js';
import { printOwnership } from './ownership.js';
import { columns, hang, padEnd } from './width.js';
import { objectName, paint, poolsOf, tell, valueWords, verdictWords } from './words.js';

/** Prints everything about one asset of a plan. */
export function printAssetDetails(asset: AssetPlan, plan: Plan, engine: Engine, out: Sink, places: Places): void {
  printAssetHead(asset, plan, out);
  printConditions(asset.conditions, out);
  printSteps(asset, out);
  printChanges(asset, out);
  // All fields of an object that is new belong to the autopilot, which goes without saying.
  if (asset.live !== null) printOwnership(asset.ownership, out);
  if (asset.changes.length > 0) {
    section('Diff', out);
    printUnified(unifiedOf(engine, asset), out, '    ');
  }
  if (asset.diagnostics.length > 0) {
    section('Findings', out);
    printFindings(sortFindings(asset.diagnostics), out, places);
  }
}

/** Prints what an asset is and what becomes of it. */
export function printAssetHead(asset: AssetPlan, plan: Plan, out: Sink): void {
  const { bold, dim, red } = out.style;
  const told = tell(asset.outcome);
  out.line(`${bold(asset.asset)}  ${paint(told.tone, out.style)(told.words)}`);
  const pairs: [string, string][] = [];
  if (told.reason !== '') pairs.push(['why', told.reason]);
  if (asset.object !== null) pairs.push(['object', `${objectName(asset.object)} (${asset.object.apiVersion})`]);
  pairs.push(['file', asset.path]);
  if (asset.features.length > 0) pairs.push(['feature', asset.features.join(', ')]);
  if (asset.group !== null) pairs.push(['group', asset.group]);
  if (asset.customizations.length > 0) pairs.push(['overridden', asset.customizations.join(', ')]);
  const pools = poolsOf(asset.asset, plan.impact.pools);
  if (pools !== '') pairs.push(['reboots', red(pools)]);
  for (const [name, text] of pairs) out.line(hang(`  ${dim(padEnd(name, 10))}  `, text, out.prose));
}

function section(title: string, out: Sink): void {
  out.line(`  ${out.style.bold(title)}`);
}

/** Prints each condition with whether it holds. */
export function printConditions(conditions: readonly ConditionVerdict[], out: Sink): void {
  if (conditions.length === 0) return;
  section('Conditions', out);
  for (const verdict of conditions) {
    const mark = verdict.holds ? out.style.green('✓') : out.style.red('✗');
    out.line(hang(`    ${mark} `, verdictWords(verdict), out.prose, '      '));
  }
}

function printSteps({ steps }: AssetPlan, out: Sink): void {
  if (steps.length === 0) return;
  section('Steps', out);
  for (const step of steps) {
    out.line(hang(`    ${out.style.cyan(padEnd(step.stage, 8))}  `, step.note, out.prose));
    // The last step's changes are the changes of the whole, which follow.
    if (step.stage === 'patch' || step.stage === 'mask') {
      for (const change of step.changes) out.line(changeLine(change, out, '              '));
    }
  }
}

function printChanges({ changes, live }: AssetPlan, out: Sink): void {
  if (changes.length === 0 || live === null) return;
  section('Fields, live → after the pass', out);
  for (const change of changes) {
    out.line(changeLine(change, out, '    '));
    if (change.payload !== undefined) out.line(hang('        ', payloadWords(change.payload), out.prose));
  }
}

function payloadWords({ path, before, after, sameContent }: PayloadChange): string {
  const mode = after?.mode ?? before?.mode;
  const words = mode === undefined ? path : `${path}, mode ${mode.toString(8).padStart(4, '0')} (${mode})`;
  if (sameContent) return `${words}: the same content in other bytes`;
  const problem = after?.problem ?? before?.problem;
  return problem === undefined ? `content of ${words}` : `${words}: ${problem}`;
}

/** One field's change on one line. */
export function changeLine(change: Change, out: Sink, indent: string): string {
  const { green, red, yellow, dim } = out.style;
  const pointer = change.pointer === '' ? '(the whole object)' : change.pointer;
  const room = (Number.isFinite(out.width) ? out.width : 200) - columns(indent) - 2 - columns(pointer) - 2;
  switch (change.kind) {
    case 'added':
      return `${indent}${green('+')} ${pointer}  ${green(valueWords(change.after, room))}`;
    case 'removed':
      return `${indent}${red('-')} ${pointer}  ${red(valueWords(change.before, room))}`;
    default: {
      const half = Math.floor((room - 3) / 2);
      const after = valueWords(change.after, Math.max(half, room - 3 - columns(valueWords(change.before, half))));
      const note = change.kind === 'typeOnly' ? dim('  only its type') : '';
      return `${indent}${yellow('~')} ${pointer}  ${red(valueWords(change.before, half))} ${dim('→')} ${green(after)}${note}`;
    }
  }
}

/** The unified diff from live to what the pass makes of it. */
export function unifiedOf(engine: Engine, { live, predicted, object }: AssetPlan): string {
  const name = object === null ? 'object' : [object.kind, ...(object.namespace === '' ? [] : [object.namespace]), object.name].join('/');
  return engine.unified(live, predicted, { beforeLabel: `live/${name}`, afterLabel: `autopilot/${name}` });
}

/** Prints a unified diff, coloured by its lines. */
export function printUnified(text: string, out: Sink, indent = ''): void {
  const { bold, cyan, green, red } = out.style;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const color = /^(---|\+\+\+) /.test(line) ? bold : line.startsWith('@@') ? cyan : line.startsWith('+') ? green : line.startsWith('-') ? red : undefined;
    out.line(indent + (color === undefined ? line : color(line)));
  }
}
