import type { Diagnostic, ObjectRef, Source } from '../../types.js';
import type { Sink } from '../terminal.js';
import { fullKey, objectName, shortKey } from './words.js';
import { columns, hang } from './width.js';

/** The file that an object is in, with the line of one of its annotations where that is certain. */
export type Places = (object: ObjectRef, annotation?: string) => string | undefined;

/** Findings, the worst first and each once. */
export function sortFindings(all: readonly Diagnostic[]): Diagnostic[] {
  const rank = { error: 0, warning: 1, info: 2 };
  const once = new Map(all.map((finding) => [JSON.stringify([finding.code, finding.message, finding.source]), finding]));
  return [...once.values()].sort((left, right) => rank[left.severity] - rank[right.severity]);
}

/** Prints findings: the code, what is wrong, where, and what to do next. */
export function printFindings(findings: readonly Diagnostic[], out: Sink, places: Places): void {
  const { bold, dim, red, yellow, blue, green } = out.style;
  const color = { error: red, warning: yellow, info: blue };
  for (const finding of findings) {
    const title = bold(color[finding.severity](`${finding.severity === 'info' ? 'note' : finding.severity}[${finding.code}]`));
    out.line(hang(`${title} `, finding.message, out.prose, '  '));
    if (finding.source !== undefined) out.line(hang(`  ${dim('at')} `, placeWords(finding.source, places), out.prose, '     '));
    for (const { message, source } of finding.related ?? []) {
      out.line(hang(`  ${dim('see')} `, `${placeWords(source, places)}: ${message}`, out.prose, '      '));
    }
    if (finding.help !== undefined) out.line(hang(`  ${green('help:')} `, finding.help, out.prose, '        '));
    const fix = finding.fixes?.[0];
    if (fix !== undefined) {
      out.line(hang(`  ${green('fix:')} `, fix.title, out.prose, '       '));
      out.line(shellLines(command(fix.object, fix.annotation, fix.value), out.prose - 7).map((line, at) => `${at === 0 ? '       ' : '         '}${line}`).join('\n'));
    }
  }
}

/** A place in the input, the widest first. */
export function placeWords(source: Source, places: Places): string {
  const { object, annotation, pointer, span, asset } = source;
  const parts: string[] = [];
  const file = source.file ?? (object === undefined ? undefined : places(object, annotation));
  // A span counts in the annotation's text where there is an annotation, else in the file's.
  const inFile = span !== undefined && annotation === undefined;
  if (file !== undefined) parts.push(inFile ? `${file}:${span.line}:${span.column}` : file);
  if (object !== undefined) parts.push(objectName(object));
  if (annotation !== undefined) parts.push(`annotation ${shortKey(annotation)}${span === undefined ? '' : ` (line ${span.line}, column ${span.column})`}`);
  if (pointer !== undefined && pointer !== '') parts.push(pointer);
  if (parts.length === 0 && asset !== undefined) parts.push(`asset ${asset}`);
  return parts.join(', ');
}

/** The command that sets or removes an annotation, in parts that may have lines of their own. */
function command(object: ObjectRef, key: string, value: string | null): string[] {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
  const kind = group === '' ? object.kind.toLowerCase() : `${object.kind.toLowerCase()}.${version ?? ''}.${group ?? ''}`;
  const namespace = object.namespace === '' ? '' : ` -n ${object.namespace}`;
  const edit = value === null ? [`${fullKey(key)}-`] : ['--overwrite', quoted(`${fullKey(key)}=${value}`)];
  return [`oc annotate${namespace}`, kind, object.name, ...edit];
}

/** A command on as many lines as it takes, to be pasted as it is. */
function shellLines(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && columns(`${last} ${part}`) + 4 <= width) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(part);
  }
  return lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line));
}

function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
