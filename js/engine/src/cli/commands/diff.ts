import type { CommandSpec } from '../args.js';
import { planOptions } from '../edits.js';
import { HELP, INPUT, WHAT_IF } from '../options.js';
import { EXIT } from '../problem.js';
import type { Command } from '../run.js';
import { openSession } from '../session.js';
import { assetOf } from '../single-asset.js';
import { printUnified, unifiedOf } from '../text/asset-details.js';
import { printFindings } from '../text/findings.js';
import { findingsOf } from '../text/plan-summary.js';
import { json, tell } from '../text/words.js';

const spec: CommandSpec = {
  name: 'diff',
  about: 'Shows what the autopilot would change on the cluster as unified diffs, like oc diff: from each live object to what it would be after the pass.',
  options: [
    ...INPUT,
    ...WHAT_IF,
    { name: 'asset', value: 'NAME', help: 'only this asset' },
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['unified', 'json'], help: 'unified diffs, or the changed fields as JSON (default: unified)' },
    ...HELP,
  ],
  examples: [
    { what: 'Everything that would change on the demo cluster', run: 'virt-autopilot diff --demo' },
    { what: 'One asset, whose live object has a patch', run: 'virt-autopilot diff --demo --situation patch-works --asset descheduler-loadaware' },
    { what: 'In a script: does anything differ?', run: 'virt-autopilot diff --cluster must-gather/ > /dev/null; echo $?' },
  ],
  exit: '0 no differences; 1 differences; 2 an asset fails, wrong use, or unusable input',
};

export const diff: Command = {
  spec,
  async run(args, io) {
    const { engine, input, places, judge } = await openSession(spec, args, io);
    const plan = engine.plan({ ...input, options: planOptions(spec, args) });
    plan.diagnostics = judge(plan.diagnostics);
    const name = args.one('asset');
    const assets = name === undefined ? plan.assets : [assetOf(plan.assets, name)];
    const changed = assets.filter(({ changes }) => changes.length > 0);
    if (args.one('output') === 'json') {
      io.out.raw(`${json(changed.map(({ asset, object, changes }) => ({ asset, object, changes })), 2)}\n`);
    } else {
      for (const asset of changed) printUnified(unifiedOf(engine, asset), io.out);
    }
    const failed = assets.filter(({ outcome }) => tell(outcome).tone === 'bad');
    for (const { asset, outcome } of failed) {
      const { words, reason } = tell(outcome);
      io.err.line(`${io.err.style.red('error:')} ${asset}: ${words}: ${reason}`);
    }
    printFindings(findingsOf({ ...plan, assets }).filter(({ severity }) => severity === 'error'), io.err, places);
    if (failed.length > 0 || plan.error !== null) return EXIT.unusable;
    return changed.length > 0 ? EXIT.findings : EXIT.done;
  },
};
