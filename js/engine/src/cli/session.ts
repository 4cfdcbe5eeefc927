import type { Arguments, CommandSpec } from './args.js';
import { openCatalog } from './catalogs.js';
import { named, readCluster, readNamed, type ClusterText } from './cluster.js';
import type { Catalog } from '../catalog.js';
import type { Engine } from '../engine.js';
import type { Behavior, ClusterInput, Diagnostic, KubeObject } from '../types.js';
import { images } from './edits.js';
import { locate, objectsOf, overlay } from './objects.js';
import { Problem } from './problem.js';
import { nearest } from './suggest.js';
import type { Terminal } from './terminal.js';
import type { Places } from './text/findings.js';

/** What a command works on: the engine, the catalog, and the cluster. */
export interface Session {
  engine: Engine;
  input: ClusterInput & { catalog: Catalog };
  places: Places;
  /** Sorts out what is wrong with the input's texts: throws for one that was named, warns of others, and gives the rest. */
  judge: (findings: readonly Diagnostic[]) => Diagnostic[];
}

/** The engine, started. */
export async function startEngine(): Promise<Engine> {
  const { init } = await import('../node.js');
  return init();
}

/** Starts the engine and reads what the arguments name. */
export async function openSession(spec: CommandSpec, args: Arguments, io: Terminal): Promise<Session> {
  checkSources(spec, args);
  const pictures = images(spec, args);
  const engine = await startEngine();
  const catalog = await openCatalog(engine, args.one('catalog'), args.one('behavior') as Behavior | undefined);
  const warn = (message: string) => {
    io.err.line(`${io.err.style.yellow('warning:')} ${message}`);
  };
  const { texts, over, overFile } = await readSources(engine, args, warn);
  const namespace = args.one('namespace');
  return {
    engine,
    input: {
      catalog,
      objects: over.length === 0 ? texts : overlay(engine, texts, over),
      images: pictures,
      ...(namespace === undefined ? {} : { namespace }),
    },
    places: (object, annotation) => locate(engine, [...overFile, ...texts], object, annotation),
    judge: (findings) => judge(findings, texts, warn),
  };
}

/** Refuses arguments that name no cluster. */
function checkSources(spec: CommandSpec, args: Arguments): void {
  if (args.has('situation') && !args.has('demo')) {
    throw new Problem(
      '`--situation` is a situation of the demo cluster',
      `add --demo: virt-autopilot ${spec.name} --demo --situation ${args.one('situation') ?? 'NAME'}`,
    );
  }
  if (args.has('demo') || args.has('cluster') || args.has('hco-file')) return;
  throw new Problem('no cluster to look at', [
    `name its objects: virt-autopilot ${spec.name} --cluster must-gather/`,
    `or try it on the demo cluster: virt-autopilot ${spec.name} --demo`,
  ]);
}

/** The texts of all sources, and the objects that go before them. */
async function readSources(
  engine: Engine,
  args: Arguments,
  warn: (message: string) => void,
): Promise<{ texts: ClusterText[]; over: KubeObject[]; overFile: ClusterText[] }> {
  const texts: ClusterText[] = [];
  const overFile: ClusterText[] = [];
  if (args.has('demo')) {
    const { cluster, situation } = demo(engine, args.one('situation'));
    texts.push(cluster);
    if (situation !== undefined) overFile.push(situation);
  }
  texts.push(...(await readCluster(args.all('cluster'), warn)));
  const file = args.one('hco-file');
  if (file !== undefined) {
    const text = await readNamed(file);
    if (!/\bHyperConverged\b/.test(text)) {
      throw new Problem(`no HyperConverged in ${file}`, `for example: oc get hyperconverged kubevirt-hyperconverged -n openshift-cnv -o yaml > ${file}`);
    }
    overFile.unshift(...named(file, text));
  }
  const over = overFile.flatMap((source) => {
    try {
      return objectsOf(engine, source.text);
    } catch (error) {
      throw unparsable(source, error);
    }
  });
  return { texts, over, overFile };
}

function demo(engine: Engine, name: string | undefined): { cluster: ClusterText; situation?: ClusterText } {
  const { cluster: text, situations } = engine.demo();
  const cluster = { file: 'demo cluster', text, named: true };
  if (name === undefined) return { cluster };
  const chosen = situations.find((situation) => situation.name === name);
  if (chosen === undefined) {
    const near = nearest(name, situations.map((situation) => situation.name));
    const known = ['there are:', ...situations.map((situation) => `${situation.name}: ${situation.title}`)];
    throw new Problem(`no situation \`${name}\``, near === undefined ? known : `did you mean \`${near}\`?`);
  }
  return { cluster, situation: { file: `situation ${name}`, text: chosen.yaml, named: true } };
}

function judge(findings: readonly Diagnostic[], texts: readonly ClusterText[], warn: (message: string) => void): Diagnostic[] {
  return findings.filter((finding) => {
    const source = texts.find(({ file }) => file === finding.source?.file);
    if (source === undefined) return true;
    const problem = unparsable(source, { problems: [finding] });
    if (source.named) throw problem;
    warn(`passed over ${problem.message}`);
    return false;
  });
}

/** A text that is no YAML or JSON: where, why, and the line itself. */
function unparsable({ file, text }: ClusterText, error: unknown): Problem {
  const finding = (error as { problems?: readonly Diagnostic[] }).problems?.[0];
  if (finding === undefined) throw error;
  const span = finding.source?.span;
  const help: string[] = [];
  if (span !== undefined) {
    const line = text.split('\n', span.line)[span.line - 1]?.trimEnd() ?? '';
    if (line !== '' && line.length <= 200) help.push(`${span.line} | ${line}`);
  }
  if (finding.help !== undefined) help.push(finding.help);
  return new Problem(`${file}${span === undefined ? '' : `:${span.line}:${span.column}`}: ${finding.message}`, help);
}
