import type { CommandSpec } from '../args.js';
import type { Json, Plan } from '../../types.js';
import { planOptions } from '../edits.js';
import { HELP, INPUT, WHAT_IF } from '../options.js';
import { EXIT } from '../problem.js';
import type { Command } from '../run.js';
import { openSession } from '../session.js';
import { assetOf } from '../single-asset.js';
import { printAssetDetails } from '../text/asset-details.js';
import { printEvents } from '../text/events.js';
import { printHeadline, printPlanSummary } from '../text/plan-summary.js';
import { json, tell } from '../text/words.js';

const spec: CommandSpec = {
  name: 'plan',
  about:
    "Runs the controller's whole pass on the objects of a cluster, without touching the cluster: which assets would be created or " +
    'changed, which owner loses which field, which nodes reboot, and which overrides do not work.',
  options: [
    ...INPUT,
    ...WHAT_IF,
    { name: 'asset', value: 'NAME', help: 'only this asset, in detail' },
    { name: 'details', help: 'every asset in detail: steps, fields, owners, diff' },
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['table', 'yaml', 'json', 'metrics', 'events'], help: 'how to print it (default: table)' },
    ...HELP,
  ],
  examples: [
    { what: 'Look at the demo cluster', run: 'virt-autopilot plan --demo' },
    { what: 'What would happen to this cluster if the autopilot were turned on', run: 'virt-autopilot plan --cluster must-gather/ --what-if autopilot=true' },
    {
      what: 'Straight from a cluster',
      run: 'oc get hyperconverged,nodes,crd,infrastructure,scheduler,mcp,machineconfig,kubeletconfig,namespace \\\n    -A -o yaml | virt-autopilot plan --cluster -',
    },
    {
      what: 'Try an annotation on a live object before setting it',
      run: 'virt-autopilot plan --demo --asset descheduler-loadaware \\\n    --annotate KubeDescheduler/openshift-kube-descheduler-operator/cluster:mode=unmanaged',
    },
  ],
  exit: '0 done; 1 an asset fails; 2 wrong use or unusable input',
};

export const plan: Command = {
  spec,
  async run(args, io) {
    const { engine, input, places, judge } = await openSession(spec, args, io);
    const options = planOptions(spec, args);
    const plan = engine.plan({ ...input, options });
    plan.diagnostics = judge(plan.diagnostics);
    const name = args.one('asset');
    const asset = name === undefined ? undefined : assetOf(plan.assets, name);
    const { out } = io;
    switch (args.one('output') ?? 'table') {
      case 'json':
        out.raw(`${json(asset ?? plan, 2)}\n`);
        break;
      case 'yaml':
        out.raw(engine.yaml.write((asset ?? plan) as unknown as Json));
        break;
      case 'metrics':
        out.raw(engine.metricsText({ ...input, options }));
        break;
      case 'events':
        printEvents(asset === undefined ? plan.events : plan.events.filter(({ object }) => json(object) === json(asset.object)), out);
        break;
      default:
        if (asset !== undefined) {
          printHeadline(plan, out);
          out.line();
          printAssetDetails(asset, plan, engine, out, places);
        } else {
          if (args.has('details')) {
            for (const each of plan.assets) {
              printAssetDetails(each, plan, engine, out, places);
              out.line();
            }
          }
          printPlanSummary(plan, out, places, args.has('details'));
        }
    }
    return exitCode(plan, name);
  },
};

/** A failing asset is told by the exit code; of one asset that was asked for, its own failure. */
function exitCode(plan: Plan, asset: string | undefined): number {
  const judged = asset === undefined ? plan.assets : plan.assets.filter((each) => each.asset === asset);
  const failed = plan.error !== null || judged.some(({ outcome }) => tell(outcome).tone === 'bad');
  return failed ? EXIT.findings : EXIT.done;
}
