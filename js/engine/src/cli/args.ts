import { parseArgs } from 'node:util';
import { Problem } from './problem.js';
import { suggestion } from './suggest.js';

/** An option of a command. */
export interface OptionSpec {
  name: string;
  short?: string;
  /** What stands for the value in the help; an option without one is a switch. */
  value?: string;
  /** The only values that it takes. */
  choices?: readonly string[];
  /** May be given more than once. */
  repeats?: boolean;
  /** Takes every following word up to the next option. */
  greedy?: boolean;
  help: string;
}

/** A command, as its help tells it and as its arguments are read. */
export interface CommandSpec {
  name: string;
  /** What may follow the command's name besides options. */
  operands?: readonly { name: string; required?: boolean; help: string }[];
  /** What it does, in a sentence or two. */
  about: string;
  options: readonly OptionSpec[];
  examples: readonly { what: string; run: string }[];
  /** What the exit codes mean. */
  exit: string;
}

/** The arguments of a command, checked against its specification. */
export interface Arguments {
  operands: readonly string[];
  has(option: string): boolean;
  one(option: string): string | undefined;
  all(option: string): readonly string[];
}

/** Reads the arguments that follow a command's name. */
export function parse(spec: CommandSpec, words: readonly string[]): Arguments {
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(spec.options.map((option) => [option.name, nodeOption(option)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  let greedy: string[] | undefined;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') {
      greedy = undefined;
    } else if (token.kind === 'positional') {
      (greedy ?? operands).push(token.value);
    } else {
      const option = spec.options.find(({ name }) => name === token.name);
      if (option === undefined) throw unknownOption(spec, token.rawName);
      const given = values.get(option.name) ?? [];
      if (given.length > 0 && option.repeats !== true && option.value !== undefined) {
        throw wrongUse(spec, `\`${token.rawName}\` is given twice`);
      }
      given.push(valueOf(spec, option, token));
      values.set(option.name, given);
      greedy = option.greedy === true && token.inlineValue !== true ? given : undefined;
    }
  }
  if (!values.has('help')) checkOperands(spec, operands);
  return {
    operands,
    has: (option) => values.has(option),
    one: (option) => values.get(option)?.[0],
    all: (option) => values.get(option) ?? [],
  };
}

function nodeOption(option: OptionSpec): { type: 'string' | 'boolean'; short?: string; multiple: boolean } {
  const type = option.value === undefined ? 'boolean' : 'string';
  return option.short === undefined ? { type, multiple: true } : { type, short: option.short, multiple: true };
}

/** The value of one use of an option; the empty string for a switch. */
function valueOf(
  spec: CommandSpec,
  option: OptionSpec,
  token: { rawName: string; value: string | undefined; inlineValue: boolean | undefined },
): string {
  if (option.value === undefined) {
    if (token.value !== undefined) throw wrongUse(spec, `\`${token.rawName}\` takes no value`);
    return '';
  }
  const looksLikeOption = token.inlineValue !== true && /^-./.test(token.value ?? '');
  if (token.value === undefined || looksLikeOption) {
    const help = looksLikeOption ? [`for a value that begins with a dash: \`${token.rawName}=${token.value ?? ''}\``] : [];
    throw wrongUse(spec, `\`${token.rawName}\` needs a value: ${token.rawName} ${option.value}`, help);
  }
  if (option.choices !== undefined && !option.choices.includes(token.value)) {
    throw wrongUse(
      spec,
      `\`${token.rawName}\` cannot be \`${token.value}\``,
      suggestion(token.value, option.choices, (name) => `\`${name}\``),
    );
  }
  return token.value;
}

function checkOperands(spec: CommandSpec, operands: readonly string[]): void {
  const wanted = spec.operands ?? [];
  const extra = operands[wanted.length];
  if (extra !== undefined) {
    throw wrongUse(spec, `unexpected \`${extra}\``, [`usage: ${usage(spec)}`]);
  }
  const missing = wanted[operands.length];
  if (missing?.required === true) {
    const swallowed = spec.options.some((option) => option.greedy === true);
    const help = [`usage: ${usage(spec)}`];
    if (swallowed) help.push(`it stands before \`--cluster\`, which takes every word up to the next option`);
    throw wrongUse(spec, `${missing.name} is missing`, help);
  }
}

/** The line that shows how a command is used. */
export function usage(spec: CommandSpec): string {
  const operands = (spec.operands ?? []).map(({ name, required }) => (required === true ? name : `[${name}]`));
  return ['virt-autopilot', spec.name, ...operands, '[options]'].join(' ');
}

function unknownOption(spec: CommandSpec, rawName: string): Problem {
  const known = spec.options.map(({ name }) => name);
  const near = rawName.startsWith('--') ? suggestion(rawName.slice(2), known, (name) => `\`--${name}\``) : [];
  return wrongUse(spec, `unknown option \`${rawName}\``, near.slice(0, 1).filter((line) => line.startsWith('did')));
}

/** Wrong use of a command: what is wrong, and where its help is. */
export function wrongUse(spec: CommandSpec, message: string, help: readonly string[] = []): Problem {
  return new Problem(message, [...help, `see \`virt-autopilot ${spec.name} --help\``]);
}
