import type { CommandSpec } from '../args.js';
import { openCatalog } from '../catalogs.js';
import type { Behavior, Json } from '../../types.js';
import { HELP, INPUT } from '../options.js';
import { EXIT } from '../problem.js';
import type { Command } from '../run.js';
import { startEngine } from '../session.js';
import { json } from '../text/words.js';

const spec: CommandSpec = {
  name: 'features',
  about: "Lists a catalog's features: how mature each is, and what turns it on.",
  options: [
    ...INPUT.filter(({ name }) => name === 'catalog' || name === 'behavior'),
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['table', 'yaml', 'json'], help: 'how to print it (default: table)' },
    ...HELP,
  ],
  examples: [
    { what: 'The features of the built-in release', run: 'virt-autopilot features' },
    { what: "Those of a release's own folder, for a program", run: 'virt-autopilot features --catalog assets/ -o json' },
  ],
  exit: '0 done; 2 wrong use or unusable input',
};

export const features: Command = {
  spec,
  async run(args, { out }) {
    const engine = await startEngine();
    const catalog = await openCatalog(engine, args.one('catalog'), args.one('behavior') as Behavior | undefined);
    const format = args.one('output');
    if (format === 'json') out.raw(`${json(catalog.features(), 2)}\n`);
    else if (format === 'yaml') out.raw(engine.yaml.write(catalog.features() as unknown as Json));
    else out.raw(catalog.featuresText());
    return EXIT.done;
  },
};
