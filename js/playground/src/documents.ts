/** YAML streams as texts: taken apart at their document marks, without reading them. */

/** The documents of a stream, each with the comments that stand before it. */
export function splitDocuments(text: string): string[] {
  return text
    .split(/^---[ \t]*(?:#.*)?\n/m)
    .map((document) => document.replace(/\s+$/, ''))
    .filter((document) => document.split('\n').some((line) => line.trim() !== '' && !line.trimStart().startsWith('#')));
}

export function joinDocuments(documents: readonly string[]): string {
  return documents.length === 0 ? '' : `${documents.join('\n---\n')}\n`;
}

/** `kind` at the top level, as far as it is written plainly. */
export function kindOfDocument(document: string): string | undefined {
  return /^kind:[ \t]*["']?([\w-]+)/m.exec(document)?.[1];
}

/** What the object of a document is called by; `undefined` where it is not written plainly. */
export function identityOfDocument(document: string): string | undefined {
  const apiVersion = /^apiVersion:[ \t]*["']?([^\s"'#]+)/m.exec(document)?.[1];
  const kind = kindOfDocument(document);
  const metadata = /^metadata:[^\n]*\n((?:[ \t]+[^\n]*\n?|\n)*)/m.exec(document)?.[1] ?? '';
  const indent = /^([ \t]+)/.exec(metadata)?.[1] ?? '  ';
  const field = (name: string) => new RegExp(`^${indent}${name}:[ \\t]*["']?([^\\s"'#]+)`, 'm').exec(metadata)?.[1];
  const name = field('name');
  if (!apiVersion || !kind || !name) return undefined;
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return [group, kind, field('namespace') ?? '', name].join('|');
}

/** The stream with some documents put in the place of those of the same objects, or added. */
export function replaceDocuments(stream: readonly string[], others: readonly string[]): string[] {
  const replaced = new Set(others.map(identityOfDocument));
  return [...stream.filter((document) => !replaced.has(identityOfDocument(document))), ...others];
}
