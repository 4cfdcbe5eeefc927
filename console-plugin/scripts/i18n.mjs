/**
 * Keeps the locale file and the sources together: every text that is used is there, nothing else is, and the texts of
 * the shared views are as they are. With `--write` it mends what can be mended.
 */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import ts from 'typescript';

const NAMESPACE = 'plugin__virt-autopilot-console-plugin';
const FILE = `locales/en/${NAMESPACE}.json`;
// By its path: the package's entry imports styles and components, which Node does not load.
const { texts: shared } = await import(new URL('../node_modules/virt-autopilot-ui/dist/texts.js', import.meta.url));

const isWriting = process.argv.includes('--write');
const locale = { ...JSON.parse(readFileSync(FILE, 'utf8')), ...shared };
const problems = [];

/** Keys, and patterns of keys where a part is put in, as in t(`refusal.${kind}`). */
const used = [...keysOfExtensions(), ...sourcesUnder('src').flatMap(keysOfSource)];
const isUsed = (key) => used.some(({ pattern }) => pattern.test(stem(key)));
const own = Object.keys(locale).filter((key) => !(key in shared) && (isUsed(key) || !isWriting));

for (const use of used) {
  const isKnown = Object.keys(locale).some((key) => use.pattern.test(stem(key)));
  if (!isKnown) problems.push(`${use.where}: no text for ${use.written}`);
}
for (const key of own) {
  if (!isUsed(key)) problems.push(`${FILE}: nothing uses ${key}`);
  if (/_one$/.test(key) && !(key.replace(/_one$/, '_other') in locale)) problems.push(`${FILE}: ${key} lacks its plural`);
}
const wanted = Object.fromEntries(
  [...own.map((key) => [key, locale[key]]), ...Object.entries(shared)].sort(([a], [b]) => (a < b ? -1 : 1)),
);
const text = `${JSON.stringify(wanted, null, 2)}\n`;
if (text !== readFileSync(FILE, 'utf8')) {
  if (isWriting) writeFileSync(FILE, text);
  else problems.push(`${FILE} is not as the sources have it; run \`npm run i18n\``);
}
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`${Object.keys(wanted).length} texts, ${used.length} uses: no drift`);
process.exitCode = problems.length === 0 ? 0 : 1;

function stem(key) {
  return key.replace(/_(one|other)$/, '');
}

function sourcesUnder(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function keysOfExtensions() {
  const found = readFileSync('console-extensions.json', 'utf8').matchAll(/%([\w-]+)~([^%]+)%/g);
  return [...found].map(([, namespace, key]) => {
    if (namespace !== NAMESPACE) problems.push(`console-extensions.json: ${namespace} is not our namespace`);
    return exactly(key, 'console-extensions.json');
  });
}

function keysOfSource(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 't' && node.arguments[0]) {
      const where = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      found.push(...keysOfExpression(node.arguments[0], where));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function keysOfExpression(node, where) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [exactly(node.text, where)];
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap((branch) => keysOfExpression(branch, where));
  if (ts.isTemplateExpression(node)) {
    const parts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
    return [{ pattern: new RegExp(`^${parts.map(escape).join('[\\w-]+')}$`), written: node.getText(), where }];
  }
  // A key that was passed on; the type checker knows that it is one.
  return ts.isIdentifier(node) ? [] : [exactly(node.getText(), where)];
}

function exactly(key, where) {
  return { pattern: new RegExp(`^${escape(key)}$`), written: key, where };
}

function escape(literal) {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
