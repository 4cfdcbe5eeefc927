import type { Arguments, CommandSpec } from './args.js';
import { openCatalog } from './catalogs.js';
import { objectsOf, readCluster, readObjects, reading, type Found, type Reading } from './cluster.js';
import type { Behavior, CatalogInput, Engine } from './contract.js';
import { images } from './edits.js';
import { Problem } from './problem.js';
import { suggestion } from './suggest.js';
import type { Terminal } from './terminal.js';

/** What a command works on: the engine, the catalog, and the cluster. */
export interface Session {
  engine: Engine;
  input: CatalogInput;
  fileOf: Reading['fileOf'];
}

/** The engine, started. */
export async function startEngine(): Promise<Engine> {
  const { init } = await import('../node.js');
  return init();
}

/** Starts the engine and reads what the arguments name. */
export async function openSession(spec: CommandSpec, args: Arguments, io: Terminal): Promise<Session> {
  checkSources(spec, args);
  const engine = await startEngine();
  const catalog = await openCatalog(engine, args.one('catalog'), args.one('behavior') as Behavior | undefined);
  const cluster = await readSources(engine, args);
  for (const warning of cluster.warnings) io.err.line(`${io.err.style.yellow('warning:')} ${warning}`);
  const namespace = args.one('namespace');
  return {
    engine,
    fileOf: cluster.fileOf,
    input: { catalog, objects: cluster.objects, images: images(spec, args), ...(namespace === undefined ? {} : { namespace }) },
  };
}

/** Refuses arguments that name no cluster. */
function checkSources(spec: CommandSpec, args: Arguments): void {
  if (args.has('situation') && !args.has('demo')) {
    throw new Problem('`--situation` is a situation of the demo cluster', [`add --demo: virt-autopilot ${spec.name} --demo --situation ${args.one('situation') ?? 'NAME'}`]);
  }
  if (args.has('demo') || args.has('cluster') || args.has('hco-file')) return;
  throw new Problem('no cluster to look at', [
    `name its objects: virt-autopilot ${spec.name} --cluster must-gather/`,
    `or try it on the demo cluster: virt-autopilot ${spec.name} --demo`,
  ]);
}

/** The objects of all sources, the more particular ones last. */
async function readSources(engine: Engine, args: Arguments): Promise<Reading> {
  const demo = args.has('demo') ? demoObjects(engine, args.one('situation')) : [];
  const { found, warnings } = await readCluster(engine, args.all('cluster'));
  const file = args.one('hco-file');
  const hco = file === undefined ? [] : (await readObjects(engine, file)).map((object) => ({ object, file }));
  if (file !== undefined && !hco.some(({ object }) => object.kind === 'HyperConverged')) {
    throw new Problem(`no HyperConverged in ${file}`, `for example: oc get hyperconverged kubevirt-hyperconverged -n openshift-cnv -o yaml > ${file}`);
  }
  return reading([...demo, ...found, ...hco], warnings);
}

function demoObjects(engine: Engine, situation: string | undefined): Found[] {
  const demo = engine.demo();
  const found = objectsOf(engine, demo.cluster, 'demo cluster').map((object) => ({ object, file: 'demo cluster' }));
  if (situation === undefined) return found;
  const chosen = demo.situations.find(({ name }) => name === situation);
  if (chosen === undefined) {
    const names = demo.situations.map(({ name }) => name);
    const near = suggestion(situation, names);
    throw new Problem(`no situation \`${situation}\``, [...near, 'there are:', ...demo.situations.map(({ name, title }) => `  ${name}: ${title}`)]);
  }
  return [...found, ...objectsOf(engine, chosen.yaml, `situation ${situation}`).map((object) => ({ object, file: `situation ${situation}` }))];
}
