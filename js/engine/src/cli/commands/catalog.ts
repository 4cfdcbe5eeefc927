import { writeFile } from 'node:fs/promises';

import { wrongUse, type Arguments, type CommandSpec } from '../args.js';
import { openCatalog } from '../catalogs.js';
import type { Catalog } from '../../catalog.js';
import type { Behavior, Condition, Json } from '../../types.js';
import { HELP, INPUT } from '../options.js';
import { EXIT, Problem } from '../problem.js';
import type { Command } from '../run.js';
import { startEngine } from '../session.js';
import { suggestion } from '../suggest.js';
import type { Terminal } from '../terminal.js';
import { printFindings, sortFindings } from '../text/findings.js';
import { table } from '../text/table.js';
import { count, json, objectName, shortKey } from '../text/words.js';

const ACTIONS = ['show', 'check', 'bundle'];

const spec: CommandSpec = {
  name: 'catalog',
  operands: [
    { name: 'ACTION', required: true, help: 'show lists the assets; check tells everything that is wrong; bundle makes one file of a folder' },
    { name: 'CATALOG', help: "a built-in release, a release's own folder, or a bundle (default: 4.22)" },
  ],
  about: 'Shows, checks or bundles a catalog: what a release of the autopilot can apply.',
  options: [
    ...INPUT.filter(({ name }) => name === 'behavior'),
    { name: 'output', short: 'o', value: 'FORMAT|FILE', help: 'of show: table, yaml or json (default: table); of bundle: the file to write (default: standard output)' },
    ...HELP,
  ],
  examples: [
    { what: 'What the built-in release has', run: 'virt-autopilot catalog show' },
    { what: "Is this release's folder sound?", run: 'virt-autopilot catalog check assets/' },
    { what: 'One file of a folder', run: 'virt-autopilot catalog bundle assets/ --behavior 4.23 -o 4.23.json' },
  ],
  exit: '0 done; 1 check found something wrong; 2 wrong use or unusable input',
};

export const catalog: Command = {
  spec,
  async run(args, io) {
    const [action = '', name] = args.operands;
    if (!ACTIONS.includes(action)) throw wrongUse(spec, `unknown action \`${action}\``, suggestion(action, ACTIONS));
    const engine = await startEngine();
    const open = () => openCatalog(engine, name, args.one('behavior') as Behavior | undefined);
    if (action === 'check') return check(open, io);
    const opened = await open();
    if (action === 'bundle') return bundle(opened, args, io);
    const { name: release, behavior, assets, tombstones } = opened;
    const content = { name: release, behavior, assets, tombstones, features: opened.features().features };
    switch (args.one('output') ?? 'table') {
      case 'json':
        io.out.raw(`${json(content, 2)}\n`);
        break;
      case 'yaml':
        io.out.raw(engine.yaml.write(content as unknown as Json));
        break;
      case 'table':
        show(opened, io);
        break;
      default:
        throw wrongUse(spec, `\`--output\` cannot be \`${args.one('output') ?? ''}\``, ['known: `table`, `yaml`, `json`']);
    }
    return EXIT.done;
  },
};

function show(opened: Catalog, { out }: Terminal): void {
  const { bold, dim } = out.style;
  const { name, behavior, assets, tombstones } = opened;
  const { features } = opened.features();
  out.line(`${bold(`Catalog ${name}`)}${dim(' · ')}behaviour ${behavior}${dim(' · ')}${count(assets.length, 'asset')}, ${count(features.length, 'feature')}, ${count(tombstones.length, 'tombstone')}`);
  out.line();
  const rows = assets.map((asset) => [
    asset.name,
    String(asset.reconcileOrder),
    asset.component,
    asset.install,
    asset.conditions.map(conditionWords).join(', '),
    asset.group ?? '',
    [asset.requiredCrd, asset.gateCrd].filter((crd) => crd !== null).join(', '),
  ]);
  const columns = [
    { title: 'ASSET', least: 28 },
    { title: 'ORDER', align: 'right' as const },
    { title: 'COMPONENT', least: 10 },
    { title: 'INSTALL' },
    { title: 'CONDITIONS', least: 12, wraps: true },
    { title: 'GROUP', least: 10 },
    { title: 'NEEDS CRD', least: 14 },
  ];
  // The last columns are the least telling ones: a narrow terminal goes without them.
  const shown = out.width < 100 ? 5 : out.width < 140 ? 6 : 7;
  for (const line of table(columns.slice(0, shown), rows, out.width, dim)) out.line(line);
  if (tombstones.length === 0) return;
  out.line();
  out.line(bold('Tombstones'));
  for (const { object } of tombstones) out.line(`  ${objectName(object)}`);
}

/** What a condition asks for. */
function conditionWords(condition: Condition): string {
  switch (condition.type) {
    case 'annotation':
      return condition.value === undefined ? shortKey(condition.key) : `${shortKey(condition.key)}=${condition.value}`;
    case 'feature-gate':
      return `gate ${condition.value}`;
    case 'hardware-detection':
      return condition.detector;
    case 'image':
      return `image ${condition.key}`;
    case 'hco-field-unconfigured':
      return `no ${condition.path}`;
    case 'topology':
      return condition.value === 'false' ? `not ${condition.field}` : condition.field;
  }
}

async function check(open: () => Promise<Catalog>, { out, err }: Terminal): Promise<number> {
  let opened: Catalog;
  try {
    opened = await open();
  } catch (error) {
    // What the engine refuses is what a check is for; it is told with all problems, as a finding.
    if (error instanceof Problem && error.findings.length > 0) {
      printFindings(sortFindings(error.findings), out, () => undefined);
      out.line();
      out.line(`${out.style.bold(out.style.red('Unusable:'))} ${count(error.findings.length, 'problem')}.`);
      return EXIT.findings;
    }
    throw error;
  }
  const { assets, diagnostics, name, behavior } = opened;
  printFindings(sortFindings(diagnostics), out, () => undefined);
  if (diagnostics.length > 0) out.line();
  const wrong = diagnostics.filter(({ severity }) => severity !== 'info').length;
  if (wrong === 0) out.line(`${out.style.green('Sound:')} catalog ${name} with ${count(assets.length, 'asset')}, behaviour ${behavior}.`);
  else err.line(count(wrong, 'problem'));
  return wrong === 0 ? EXIT.done : EXIT.findings;
}

async function bundle(opened: Catalog, args: Arguments, { out, err }: Terminal): Promise<number> {
  const text = opened.bundle();
  const file = args.one('output');
  if (file === undefined) {
    out.raw(text);
    return EXIT.done;
  }
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new Problem(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  err.line(`wrote ${file}, ${Math.ceil(Buffer.byteLength(text) / 1024)} KiB`);
  return EXIT.done;
}
