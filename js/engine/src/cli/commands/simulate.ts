import { wrongUse, type CommandSpec } from '../args.js';
import { actorsFromFile, argocdFromPlan } from '../actors.js';
import type { Actor } from '../../types.js';
import { showProgress } from '../progress.js';
import { HELP, INPUT } from '../options.js';
import { EXIT } from '../problem.js';
import type { Command } from '../run.js';
import { openSession } from '../session.js';
import { durationOf } from '../text/duration.js';
import { printSimulation } from '../text/simulation.js';
import { json } from '../text/words.js';

/** Entries that a person reads through, and that a program gets. */
const ENTRIES = { table: 2_000, json: 100_000 };

const spec: CommandSpec = {
  name: 'simulate',
  about:
    'Plays the autopilot against somebody who writes to the same fields, on a cluster in memory and a virtual clock: who writes how often, ' +
    'when the autopilot is throttled, whether it pauses, and who holds the fields in the end.',
  options: [
    ...INPUT,
    {
      name: 'against',
      value: 'argocd|FILE',
      repeats: true,
      help:
        'the opponent: argocd heals the fields that the autopilot takes from others; a file has manifests as they are in Git, which Argo CD heals, ' +
        'or actors: documents of the kind argocd, person, webhook or controller',
    },
    { name: 'asset', value: 'NAME', help: 'with --against argocd: only this asset' },
    { name: 'for', value: 'DURATION', help: 'how long to play, as 90s, 10m, 24h or 7d (default: 1h)' },
    { name: 'every', value: 'DURATION', help: 'Argo CD heals after this time, without its back-off' },
    { name: 'server-side-apply', help: 'Argo CD applies on the server' },
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['table', 'json'], help: 'how to print it (default: table)' },
    ...HELP,
  ],
  examples: [
    { what: "Argo CD's self-heal with its default back-off", run: 'virt-autopilot simulate --demo --against argocd' },
    { what: 'And if it healed every 2 seconds', run: 'virt-autopilot simulate --demo --against argocd --every 2s --for 10m' },
    { what: 'Against what is in Git', run: 'virt-autopilot simulate --cluster must-gather/ --against git/descheduler.yaml --for 24h' },
  ],
  exit: '0 done, 2 wrong use or unusable input',
};

export const simulate: Command = {
  spec,
  async run(args, io) {
    const opponents = args.all('against');
    if (opponents.length === 0) throw wrongUse(spec, '`--against` is missing', ['for example: --against argocd']);
    const durationMs = duration(args.one('for') ?? '1h', '--for');
    const every = args.one('every');
    const habits = {
      ...(every === undefined ? {} : { periodMs: duration(every, '--every') }),
      ...(args.has('server-side-apply') ? { serverSideApply: true } : {}),
    };
    const { engine, input, judge } = await openSession(spec, args, io);
    const plan = engine.plan(input);
    judge(plan.diagnostics);
    const actors: Actor[] = [];
    for (const opponent of opponents) {
      if (opponent === 'argocd') {
        actors.push(...argocdFromPlan(plan, args.one('asset'), habits));
      } else {
        actors.push(...(await actorsFromFile(engine, opponent, habits)));
      }
    }
    const format = args.one('output') === 'json' ? 'json' : 'table';
    const progress = showProgress(durationMs, io.err);
    const simulation = engine.simulate({ ...input, actors, durationMs, maxEntries: ENTRIES[format], onProgress: progress.report });
    progress.done();
    if (format === 'json') io.out.raw(`${json(simulation, 2)}\n`);
    else printSimulation(simulation, io.out);
    return EXIT.done;
  },
};

function duration(text: string, option: string): number {
  const milliseconds = durationOf(text);
  if (milliseconds === undefined) throw wrongUse(spec, `\`${option} ${text}\` is no duration`, ['a duration is a number and ms, s, m, h or d: 90s, 10m, 1h30m']);
  return milliseconds;
}
