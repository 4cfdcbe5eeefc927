import { readFile } from 'node:fs/promises';

import { parse, type Arguments, type CommandSpec } from './args.js';
import { printCommandHelp, printHelp } from './help.js';
import { EXIT, Problem } from './problem.js';
import { nearest } from './suggest.js';
import { terminal, type Sink, type Terminal } from './terminal.js';
import { hang } from './text/width.js';

/** A command: what it takes, and what it does; the answer is the exit code. */
export interface Command {
  spec: CommandSpec;
  run(args: Arguments, io: Terminal): Promise<number>;
}

/** The commands, each loaded only when it is used. */
const COMMANDS: Record<string, { about: string; load: () => Promise<Command> }> = {
  plan: { about: 'what would be created and changed, taken from whom, and what reboots', load: async () => (await import('./commands/plan.js')).plan },
  diff: { about: 'the same as unified diffs, like oc diff', load: async () => (await import('./commands/diff.js')).diff },
  explain: { about: "why an asset's outcome is what it is, and where a value comes from", load: async () => (await import('./commands/explain.js')).explain },
  simulate: { about: 'a fight with a GitOps tool over time: who writes how often, and does it pause', load: async () => (await import('./commands/simulate.js')).simulate },
  render: { about: 'which assets are rendered, why or why not, and to what', load: async () => (await import('./commands/render.js')).render },
  features: { about: "a catalog's features and how each is turned on", load: async () => (await import('./commands/features.js')).features },
  exclusions: { about: 'the rules of disabled-resources and what each leaves out', load: async () => (await import('./commands/exclusions.js')).exclusions },
  catalog: { about: 'show, check or bundle a catalog', load: async () => (await import('./commands/catalog.js')).catalog },
};

/** Runs the command line; the answer is the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  const io = terminal();
  try {
    return await dispatch(words, io);
  } catch (error) {
    if (error instanceof Problem) {
      printProblem(error, io.err);
      return EXIT.unusable;
    }
    if (isEngineError(error)) {
      printProblem(new Problem(error.message, error.problems.map(({ message }) => message)), io.err);
      return EXIT.unusable;
    }
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    printProblem(new Problem(`this is a bug in virt-autopilot: ${message}`, ['please report it, with the input if you may', stack]), io.err);
    return EXIT.unusable;
  }
}

async function dispatch([first, ...rest]: readonly string[], io: Terminal): Promise<number> {
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) {
    printHelp(Object.entries(COMMANDS).map(([name, { about }]) => [name, about]), io.out);
    return EXIT.done;
  }
  if (first === '--version' || first === '-V' || first === 'version') {
    io.out.line(`virt-autopilot ${await version()}`);
    return EXIT.done;
  }
  if (first === 'help') return dispatch([...rest, '--help'], io);
  const known = COMMANDS[first];
  if (known === undefined) throw unknownCommand(first);
  const command = await known.load();
  const args = parse(command.spec, rest);
  if (args.has('help')) {
    printCommandHelp(command.spec, io.out);
    return EXIT.done;
  }
  return command.run(args, io);
}

function unknownCommand(name: string): Problem {
  if (name.startsWith('-')) return new Problem(`unknown option \`${name}\``, ['a command comes first: virt-autopilot plan --demo', 'see `virt-autopilot --help`']);
  const near = nearest(name, Object.keys(COMMANDS));
  return new Problem(`unknown command \`${name}\``, [...(near === undefined ? [] : [`did you mean \`${near}\`?`]), 'see `virt-autopilot --help`']);
}

function printProblem({ message, help }: Problem, err: Sink): void {
  err.line(hang(`${err.style.bold(err.style.red('error:'))} `, message, err.prose, '  '));
  for (const line of help) err.line(hang('  ', line, err.prose, '    '));
}

/** Told by its shape, so that a wrong option is refused without loading the engine. */
function isEngineError(error: unknown): error is Error & { problems: { message: string }[] } {
  return error instanceof Error && 'code' in error && 'problems' in error && Array.isArray(error.problems);
}

async function version(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
