import type { CommandSpec } from '../args.js';
import { HELP, INPUT } from '../options.js';
import { EXIT } from '../problem.js';
import type { Command } from '../run.js';
import { openSession } from '../session.js';
import { printFindings, sortFindings } from '../text/findings.js';
import { json } from '../text/words.js';

const spec: CommandSpec = {
  name: 'exclusions',
  about: 'Lists the rules of the annotation platform.kubevirt.io/disabled-resources, and which assets each of them leaves out.',
  options: [
    ...INPUT,
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['table', 'json'], help: 'how to print it (default: table)' },
    ...HELP,
  ],
  examples: [
    { what: 'On the demo cluster, with two rules', run: 'virt-autopilot exclusions --demo --situation disabled-resources' },
    { what: 'Rules that one is about to annotate', run: 'virt-autopilot exclusions --cluster must-gather/ --hco-file hco.yaml' },
  ],
  exit: '0 done; 2 wrong use or unusable input',
};

export const exclusions: Command = {
  spec,
  async run(args, io) {
    const { engine, input, places, judge } = await openSession(spec, args, io);
    // A rule leaves an asset out whether it is turned on or not.
    const request = { ...input, options: { showExcluded: true, ignoreActivation: true } };
    const rendering = engine.render(request);
    const findings = sortFindings(judge(rendering.diagnostics)).filter(({ source }) => source?.annotation?.endsWith('/disabled-resources'));
    if (args.one('output') === 'json') {
      const excluded = rendering.assets.flatMap(({ asset, skip }) => (skip?.kind === 'excludedByRule' ? [{ asset, rule: skip.rule }] : []));
      io.out.raw(`${json(excluded, 2)}\n`);
    } else {
      io.out.raw(engine.renderText(request, 'exclusions'));
    }
    printFindings(findings, io.err, places);
    return EXIT.done;
  },
};
