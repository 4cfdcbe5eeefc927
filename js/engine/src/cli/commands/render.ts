import type { CommandSpec } from '../args.js';
import type { RenderOptions, RenderText } from '../../types.js';
import { HELP, INPUT } from '../options.js';
import { EXIT } from '../problem.js';
import type { Command } from '../run.js';
import { openSession } from '../session.js';
import { unknownAsset } from '../single-asset.js';
import { printFindings, sortFindings } from '../text/findings.js';
import { printStatus } from '../text/status.js';

const spec: CommandSpec = {
  name: 'render',
  about:
    'Prints what the controller would render for a cluster, before any override of a live object. The YAML has comment lines that say where ' +
    'each object is from, and oc apply -f - accepts it.',
  options: [
    ...INPUT,
    { name: 'asset', value: 'NAME', help: 'only this asset' },
    { name: 'show-excluded', help: 'also the assets that are not rendered, with the reason; the status table always has them' },
    { name: 'only-installed', help: 'leave out assets whose CRD is not installed' },
    { name: 'ignore-activation', help: 'as if the HyperConverged turned on every asset' },
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['yaml', 'json', 'status'], help: 'how to print it (default: yaml)' },
    ...HELP,
  ],
  examples: [
    { what: 'Which assets are rendered, and why not the others', run: 'virt-autopilot render --demo -o status' },
    { what: 'One asset of this cluster', run: 'virt-autopilot render --cluster must-gather/ --asset swap-enable' },
    { what: "A release's own catalog on a HyperConverged alone", run: 'virt-autopilot render --catalog assets/ --hco-file hco.yaml --ignore-activation' },
  ],
  exit: '0 done; 1 an asset fails to render; 2 wrong use or unusable input',
};

export const render: Command = {
  spec,
  async run(args, io) {
    const { engine, input, places, judge } = await openSession(spec, args, io);
    const format = (args.one('output') ?? 'yaml') as RenderText;
    const asset = args.one('asset');
    const known = input.catalog.assets.map(({ name }) => name);
    if (asset !== undefined && !known.includes(asset)) throw unknownAsset(asset, known);
    const options: RenderOptions = {
      ...(asset === undefined ? {} : { asset }),
      showExcluded: args.has('show-excluded') || format === 'status',
      onlyInstalled: args.has('only-installed'),
      ignoreActivation: args.has('ignore-activation'),
    };
    const rendering = engine.render({ ...input, options });
    const findings = sortFindings(judge(rendering.diagnostics)).filter(({ severity }) => severity !== 'info');
    if (format === 'status' && io.out.isTerminal) printStatus(rendering, io.out);
    else io.out.raw(engine.renderText({ ...input, options }, format));
    if (findings.length > 0 && io.out.isTerminal) io.err.line();
    printFindings(findings, io.err, places);
    return rendering.assets.some(({ status }) => status === 'ERROR') ? EXIT.findings : EXIT.done;
  },
};
