/** What the person has put in: the texts of the left side, the catalog and the behaviour. */

import type { Demo } from 'virt-autopilot';
import type { Behavior, ObjectRef } from 'virt-autopilot-ui';

import { identityOfDocument, joinDocuments, kindOfDocument, replaceDocuments, splitDocuments } from './documents';
import type { TextFile } from './files/dropped';

export type CatalogChoice =
  | { kind: 'builtIn'; name: string }
  /** A release's folder, or a bundle where there is one file without a folder. */
  | { kind: 'files'; name: string; files: TextFile[] };

export interface Session {
  /** The HyperConverged as YAML. Where it is empty, the one among the cluster's objects counts. */
  hco: string;
  cluster: readonly TextFile[];
  /** Objects with nothing but annotations, as one would commit them. */
  overrides: string;
  git: readonly TextFile[];
  catalog: CatalogChoice;
  /** `null` for the catalog's own. */
  behavior: Behavior | null;
  /** The sample that this began with. */
  sample: string | null;
}

/** Situations that tell something only under another behaviour than the catalog's. */
const BEHAVIORS: Record<string, Behavior> = { 'hco-in-v1beta1': '4.23' };

/** The demo cluster as it is. */
export const DEMO = 'demo';
const BUILT_IN = '4.22';

export const EMPTY: Session = {
  hco: '',
  cluster: [],
  overrides: '',
  git: [],
  catalog: { kind: 'builtIn', name: BUILT_IN },
  behavior: null,
  sample: null,
};

/** The input tabs, by the names that diagnostics give to their texts. */
export const HCO_FILE = 'hyperconverged.yaml';
export const OVERRIDES_FILE = 'overrides.yaml';
export const GIT_PREFIX = 'git/';

export type InputTab = 'hco' | 'cluster' | 'overrides' | 'git';

/** The session that a sample stands for. */
export function sessionOfSample(demo: Demo, sample: string): Session {
  const situation = demo.situations.find(({ name }) => name === sample);
  const documents = splitDocuments(demo.cluster);
  const all = situation ? replaceDocuments(documents, splitDocuments(situation.yaml)) : documents;
  const { hco, others } = takeHco(all);
  return {
    ...EMPTY,
    hco,
    cluster: [{ name: 'cluster.yaml', text: joinDocuments(others) }],
    behavior: BEHAVIORS[sample] ?? null,
    sample: situation ? situation.name : DEMO,
  };
}

/** Cluster objects as they were dropped; a HyperConverged among them goes to its own tab. */
export function withClusterFiles(session: Session, files: readonly TextFile[]): Session {
  let hco = session.hco;
  const cluster = files.map(({ name, text }) => {
    const documents = splitDocuments(text);
    const taken = takeHco(documents);
    if (taken.hco === '') return { name, text };
    hco = taken.hco;
    return { name, text: joinDocuments(taken.others) };
  });
  const names = new Set(files.map(({ name }) => name));
  const kept = session.cluster.filter(({ name }) => !names.has(name));
  return { ...session, hco, cluster: [...kept, ...cluster.filter(({ text }) => text !== '')], sample: null };
}

function takeHco(documents: readonly string[]): { hco: string; others: string[] } {
  const hcos = documents.filter((document) => kindOfDocument(document) === 'HyperConverged' && identityOfDocument(document));
  const last = hcos.at(-1);
  return last === undefined
    ? { hco: '', others: [...documents] }
    : { hco: `${last}\n`, others: documents.filter((document) => !hcos.includes(document)) };
}

/** Every text of the session with its name, in the order in which a place is looked for. */
export function textsOf(session: Session): { tab: InputTab; name: string; text: string }[] {
  return [
    { tab: 'overrides', name: OVERRIDES_FILE, text: session.overrides },
    { tab: 'hco', name: HCO_FILE, text: session.hco },
    ...session.cluster.map(({ name, text }) => ({ tab: 'cluster' as const, name, text })),
    ...session.git.map(({ name, text }) => ({ tab: 'git' as const, name: `${GIT_PREFIX}${name}`, text })),
  ];
}

/** The session with another text in the place of one of `textsOf`. */
export function withText(session: Session, name: string, text: string): Session {
  if (name === HCO_FILE) return { ...session, hco: text };
  if (name === OVERRIDES_FILE) return { ...session, overrides: text };
  const replace = (files: readonly TextFile[], file: string) => files.map((other) => (other.name === file ? { name: file, text } : other));
  return name.startsWith(GIT_PREFIX)
    ? { ...session, git: replace(session.git, name.slice(GIT_PREFIX.length)) }
    : { ...session, cluster: replace(session.cluster, name) };
}

/** Bytes of all texts, roughly: what a limit is compared with. */
export function sizeOf(session: Session): number {
  return textsOf(session).reduce((sum, { text }) => sum + text.length, 0);
}

/** The key under which two references to one object are the same, whatever the version. */
export function keyOf(ref: ObjectRef): string {
  const group = ref.apiVersion.includes('/') ? ref.apiVersion.split('/')[0] : '';
  return [group, ref.kind, ref.namespace, ref.name].join('|');
}
