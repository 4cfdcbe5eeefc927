import type { CommandSpec } from '../args.js';
import type { AssetPlan, Json } from '../../types.js';
import { planOptions } from '../edits.js';
import { HELP, INPUT, WHAT_IF } from '../options.js';
import { EXIT, Problem } from '../problem.js';
import type { Command } from '../run.js';
import { openSession } from '../session.js';
import { assetOf } from '../single-asset.js';
import { suggestion } from '../suggest.js';

import { printFindings, sortFindings } from '../text/findings.js';
import { printLadder } from '../text/ladder.js';
import { pointerParts, valueAt } from '../text/owners.js';
import { printHeadline } from '../text/plan-summary.js';
import { printOwnership } from '../text/ownership.js';
import { printValueOrigin } from '../text/value-origin.js';
import { poolsOf } from '../text/words.js';

const spec: CommandSpec = {
  name: 'explain',
  operands: [
    { name: 'ASSET', required: true, help: 'an asset of the catalog' },
    { name: 'POINTER', help: 'a field of its object as a JSON pointer: where does its value come from, and who owns it?' },
  ],
  about: "Says why an asset's outcome is what it is: what the controller looks at, one thing after the other. With a pointer it says where one value comes from.",
  options: [...INPUT, ...WHAT_IF, ...HELP],
  examples: [
    { what: 'Why is this not applied?', run: 'virt-autopilot explain mtv-operator --demo' },
    { what: 'Where does this value come from?', run: 'virt-autopilot explain descheduler-loadaware /spec/mode --demo' },
    { what: 'And with another HyperConverged?', run: 'virt-autopilot explain swap-enable --cluster must-gather/ --hco-file hco.yaml' },
  ],
  exit: '0 done; 2 wrong use or unusable input',
};

export const explain: Command = {
  spec,
  async run(args, io) {
    const [name = '', pointer] = args.operands;
    if (pointer !== undefined) checkPointer(pointer);
    const { engine, input, places, judge } = await openSession(spec, args, io);
    const plan = engine.plan({ ...input, options: planOptions(spec, args) });
    plan.diagnostics = judge(plan.diagnostics);
    const asset = assetOf(plan.assets, name);
    const { out } = io;
    if (pointer !== undefined) {
      checkField(asset, pointer);
      printValueOrigin(asset, pointer, out);
      return EXIT.done;
    }
    printHeadline(plan, out);
    out.line();
    printLadder(asset, plan, out);
    if (asset.live !== null && asset.ownership.length > 0) {
      out.line();
      printOwnership(asset.ownership, out);
    }
    const pools = poolsOf(asset.asset, plan.impact.pools);
    if (pools !== '') {
      out.line();
      out.line(`  ${out.style.bold('Reboots')} ${out.style.red(pools)}`);
    }
    if (asset.diagnostics.length > 0) {
      out.line();
      printFindings(sortFindings(asset.diagnostics), out, places);
    }
    return EXIT.done;
  },
};

function checkPointer(pointer: string): void {
  if (pointer === '' || pointer.startsWith('/')) return;
  const parts = pointer.replace(/^[$.]+/, '').split('.');
  throw new Problem(`\`${pointer}\` is no JSON pointer: it must begin with a slash`, `did you mean \`/${parts.join('/')}\`?`);
}

/** Refuses a pointer to what none of the asset's objects has, naming what there is. */
function checkField(asset: AssetPlan, pointer: string): void {
  const objects = [asset.predicted, asset.live, asset.desired, asset.baseline].filter((object) => object !== null);
  if (objects.length === 0 || objects.some((object) => valueAt(object, pointer) !== undefined)) return;
  const parts = pointerParts(pointer);
  for (let length = parts.length - 1; length >= 0; length--) {
    const parent = parts.slice(0, length).map((part) => `/${escape(part)}`).join('');
    const names = [...new Set(objects.flatMap((object) => keysOf(valueAt(object, parent))))];
    if (names.length === 0) continue;
    const known = names.map((name) => `${parent}/${escape(name)}`);
    const wanted = `${parent}/${escape(parts[length] ?? '')}`;
    throw new Problem(`${asset.asset} has nothing at \`${wanted}\``, suggestion(wanted, known));
  }
  throw new Problem(`${asset.asset} has nothing at \`${pointer}\``);
}

function keysOf(value: Json | undefined): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
