import { usage, type CommandSpec, type OptionSpec } from './args.js';
import type { Sink } from './terminal.js';
import { columns, hang, padEnd, wrap } from './text/width.js';

/** Prints the help of one command. */
export function printCommandHelp(spec: CommandSpec, out: Sink): void {
  const { bold, dim } = out.style;
  const width = Math.min(out.prose, 100);
  for (const line of wrap(spec.about, width)) out.line(line);
  out.line();
  out.line(`${bold('Usage:')} ${usage(spec)}`);
  if (spec.operands !== undefined && spec.operands.length > 0) {
    out.line();
    printPairs(spec.operands.map(({ name, help }) => [name, help]), width, out);
  }
  out.line();
  out.line(bold('Options:'));
  printPairs(spec.options.map((option) => [optionTitle(option), option.help]), width, out);
  out.line();
  out.line(bold('Examples:'));
  for (const [at, example] of spec.examples.entries()) {
    if (at > 0) out.line();
    for (const line of wrap(example.what, width - 4)) out.line(`  ${dim(`# ${line}`)}`);
    for (const line of example.run.split('\n')) out.line(`  ${line}`);
  }
  out.line();
  out.line(hang(`${bold('Exit code:')} `, spec.exit, width));
}

/** Prints what the program is and which commands it has. */
export function printHelp(commands: readonly (readonly [string, string])[], out: Sink): void {
  const { bold } = out.style;
  const width = out.prose;
  const about =
    "Says what OpenShift Virtualization's platform autopilot would do to a cluster: to which fields, against whom, " +
    'and why. It works on files; it never talks to a cluster.';
  for (const line of wrap(about, width)) out.line(line);
  out.line();
  out.line(`${bold('Usage:')} virt-autopilot COMMAND [options]`);
  out.line();
  out.line(bold('Commands:'));
  printPairs(commands, width, out);
  out.line();
  out.line(bold('Options:'));
  printPairs([['-h, --help', 'show this, or the help of a command'], ['--version', 'show the version']], width, out);
  out.line();
  out.line(bold('Start here:'));
  out.line('  virt-autopilot plan --demo');
  out.line('  virt-autopilot plan --cluster must-gather/ --what-if autopilot=true');
  out.line();
  out.line(hang(`${bold('Exit code:')} `, '0 done; 1 an asset has an error, or there are differences; 2 wrong use or unusable input', width));
}

function optionTitle(option: OptionSpec): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  const value = option.choices?.join('|') ?? option.value;
  return `${short}--${option.name}${value === undefined ? '' : ` ${value}${option.greedy === true ? '…' : ''}`}`;
}

/** Two columns; a left side that is too long for its column has its line alone. */
function printPairs(pairs: readonly (readonly [string, string])[], width: number, out: Sink): void {
  const left = Math.min(28, Math.max(...pairs.map(([name]) => columns(name))));
  const indent = ' '.repeat(left + 4);
  for (const [name, help] of pairs) {
    if (columns(name) <= left) {
      out.line(hang(`  ${padEnd(name, left)}  `, help, width));
    } else {
      out.line(`  ${name}`);
      out.line(hang(indent, help, width));
    }
  }
}
