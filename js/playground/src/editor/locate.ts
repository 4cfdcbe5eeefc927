/** Finds objects and fields in a YAML text, by its syntax tree: it works while the text is half typed. */

import { yamlLanguage } from '@codemirror/lang-yaml';
import type { SyntaxNode } from '@lezer/common';
import type { ObjectRef, Source, Span } from 'virt-autopilot-ui';

export interface Range {
  from: number;
  to: number;
}

/** Longer texts are not looked through, in characters: it would hold the page up. */
const MAX_LENGTH = 3_000_000;

/** Where a finding's source is in the text, as near as it can be found. */
export function placeOf(text: string, source: Source): Range | undefined {
  if (source.object) {
    const object = findObject(text, source.object);
    if (object === undefined) return undefined;
    if (source.annotation !== undefined) {
      const pair = pairAt(text, object, ['metadata', 'annotations', source.annotation]);
      if (pair === undefined) return undefined;
      const value = valueOf(pair);
      return value && source.span ? within(text, value, source.span) : rangeOf(pair);
    }
    return fieldAt(text, object, source.pointer) ?? firstLine(text, startOf(object));
  }
  return source.span && bounded(text, { from: source.span.start, to: source.span.end });
}

/** Whether the text has the object, or the annotation of it that the source names. */
export function holds(text: string, source: Source): boolean {
  return placeOf(text, source) !== undefined;
}

/**
 * The text with the annotation set, or removed where the value is null. `undefined` where the object's annotations are
 * not in the text.
 */
export function withAnnotation(text: string, ref: ObjectRef, key: string, value: string | null): string | undefined {
  const object = findObject(text, ref);
  const annotations = object && pairAt(text, object, ['metadata', 'annotations']);
  const map = annotations && valueOf(annotations);
  if (map?.name !== 'BlockMapping') return undefined;
  const first = startOf(map);
  const column = first - lineStart(text, first);
  const pair = pairIn(text, map, key);
  if (value === null) {
    if (pair === undefined) return text;
    return text.slice(0, lineStart(text, pair.from)) + text.slice(lineEnd(text, pair.to));
  }
  const written = `${key}: ${scalar(value, column)}`;
  if (pair) return text.slice(0, pair.from) + written + text.slice(pair.to);
  return `${text.slice(0, first)}${written}\n${' '.repeat(column)}${text.slice(first)}`;
}

/** A string as a YAML scalar: several lines as a block, for people edit them. */
function scalar(value: string, column: number): string {
  if (!value.includes('\n')) return JSON.stringify(value);
  const indent = ' '.repeat(column + 2);
  const lines = value.replace(/\n$/, '').split('\n');
  return `|${value.endsWith('\n') ? '' : '-'}\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}`;
}

function findObject(text: string, ref: ObjectRef): SyntaxNode | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const tree = yamlLanguage.parser.parse(text);
  for (const document of childrenOf(tree.topNode)) {
    if (document.name !== 'Document') continue;
    const root = childrenOf(document).find(({ name }) => name === 'BlockMapping' || name === 'FlowMapping');
    const found = root && matching(text, root, ref);
    if (found) return found;
  }
  return undefined;
}

/** The mapping itself, or an item of it where it is a list. */
function matching(text: string, map: SyntaxNode, ref: ObjectRef): SyntaxNode | undefined {
  const kind = scalarAt(text, map, ['kind']);
  if (kind === ref.kind) {
    const isIt =
      scalarAt(text, map, ['metadata', 'name']) === ref.name &&
      (scalarAt(text, map, ['metadata', 'namespace']) ?? '') === ref.namespace;
    return isIt ? map : undefined;
  }
  if (!kind?.endsWith('List')) return undefined;
  const items = pairAt(text, map, ['items']);
  const list = items && valueOf(items);
  for (const item of list ? childrenOf(list) : []) {
    const inner = item.name === 'Item' ? item.lastChild : item;
    const found = inner && matching(text, inner, ref);
    if (found) return found;
  }
  return undefined;
}

/** The field of a pointer, or the deepest of its parents that is written. */
function fieldAt(text: string, object: SyntaxNode, pointer: string | undefined): Range | undefined {
  let found: Range | undefined;
  let value: SyntaxNode | null = object;
  for (const token of pointer?.split('/').slice(1) ?? []) {
    if (value === null) break;
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const inner: SyntaxNode | undefined = value.name.endsWith('Sequence')
      ? childrenOf(value).filter(({ name }) => name === 'Item')[Number(key)]
      : pairIn(text, value, key);
    if (inner === undefined) break;
    found = firstLine(text, inner.from);
    value = inner.name === 'Item' ? inner.lastChild : (valueOf(inner) ?? null);
  }
  return found;
}

/** A span of the annotation's text, brought to where the annotation is written. */
function within(text: string, value: SyntaxNode, span: Span): Range {
  const written = text.slice(value.from, value.to);
  const header = /^[|>][^\n]*\n/.exec(written)?.[0];
  if (header === undefined) {
    const quote = /^["']/.test(written) ? 1 : 0;
    return bounded(text, { from: value.from + quote + span.start, to: Math.min(value.to, value.from + quote + span.end) });
  }
  const lines = written.slice(header.length).split('\n');
  const indent = /^ */.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0;
  // The first line of the content is the one after the header, whose own indentation is outside of the node.
  const before = header.length + lines.slice(0, span.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const from = value.from + before + indent + span.column - 1;
  const line = lines[span.line - 1] ?? '';
  const rest = Math.max(1, line.length - indent - span.column + 1);
  return bounded(text, { from, to: from + Math.min(rest, Math.max(1, span.end - span.start)) });
}

function scalarAt(text: string, map: SyntaxNode, path: string[]): string | undefined {
  const pair = pairAt(text, map, path);
  const value = pair && valueOf(pair);
  return value && unquoted(text.slice(value.from, value.to));
}

function pairAt(text: string, map: SyntaxNode, path: string[]): SyntaxNode | undefined {
  let pair: SyntaxNode | undefined;
  let inside: SyntaxNode | undefined = map;
  for (const key of path) {
    pair = inside && pairIn(text, inside, key);
    inside = pair && valueOf(pair);
  }
  return pair;
}

function pairIn(text: string, map: SyntaxNode, key: string): SyntaxNode | undefined {
  return childrenOf(map).find((pair) => {
    const name = pair.name === 'Pair' ? pair.getChild('Key') : null;
    return name !== null && unquoted(text.slice(name.from, name.to)) === key;
  });
}

/** A mapping's node begins where the line before it ends, so its first pair tells where it is written. */
function startOf(map: SyntaxNode): number {
  return map.getChild('Pair')?.from ?? map.from;
}

function valueOf(pair: SyntaxNode): SyntaxNode | undefined {
  const last = pair.lastChild;
  return last === null || last.name === 'Key' || last.name === ':' ? undefined : last;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

function unquoted(text: string): string {
  const inner = /^(["'])(.*)\1$/s.exec(text.trim());
  return inner?.[2] ?? text.trim();
}

function rangeOf({ from, to }: SyntaxNode): Range {
  return { from, to };
}

function firstLine(text: string, from: number): Range {
  const end = text.indexOf('\n', from);
  return { from, to: end < 0 ? text.length : end };
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function bounded(text: string, { from, to }: Range): Range {
  const start = Math.max(0, Math.min(from, text.length));
  return { from: start, to: Math.max(start, Math.min(to, text.length)) };
}
