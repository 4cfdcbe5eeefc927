import { describe, expect, it } from 'vitest';

import type { Demo } from 'virt-autopilot';
import { splitDocuments } from '../src/documents';
import { EMPTY, type Session, sessionOfSample, textsOf, withClusterFiles, withText } from '../src/session';
import { fragmentOf, sessionOfFragment } from '../src/share/link';

const HCO = 'apiVersion: hco.kubevirt.io/v1beta1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: openshift-cnv\n';
const NODE = 'apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n';
const DEMO: Demo = {
  cluster: `# About the cluster.\n${HCO}---\n${NODE}`,
  situations: [{ name: 'other-node', title: 'A node.', yaml: `# A node.\n${NODE}spec: {}\n` }],
};

describe('splitDocuments', () => {
  it.each([
    ['', 0],
    ['# only a comment\n', 0],
    [`---\n${NODE}---\n`, 1],
    [`${NODE}--- # second\n${NODE}`, 2],
    ['a: |\n  text\n  --- not a mark\n', 1],
  ])('counts the documents of %j', (text, count) => { expect(splitDocuments(text)).toHaveLength(count); });
});

describe('sessionOfSample', () => {
  it('puts the HyperConverged into its tab', () => {
    const session = sessionOfSample(DEMO, 'demo');
    expect(session.hco).toContain('kind: HyperConverged');
    expect(session.cluster).toEqual([{ name: 'cluster.yaml', text: NODE }]);
  });
  it('replaces the objects that a situation has', () => {
    expect(sessionOfSample(DEMO, 'other-node').cluster[0]?.text).toBe(`# A node.\n${NODE}spec: {}\n`);
  });
});

describe('withClusterFiles', () => {
  it('takes the HyperConverged out of what is dropped', () => {
    const session = withClusterFiles(EMPTY, [{ name: 'a.yaml', text: `${NODE}---\n${HCO}` }]);
    expect(session.hco).toBe(HCO);
    expect(session.cluster).toEqual([{ name: 'a.yaml', text: NODE }]);
  });
  it('replaces a file of the same name', () => {
    const once = withClusterFiles(EMPTY, [{ name: 'a.yaml', text: NODE }]);
    expect(withClusterFiles(once, [{ name: 'a.yaml', text: `${NODE}x: 1\n` }]).cluster).toHaveLength(1);
  });
});

describe('withText', () => {
  it('changes each of the texts by its name', () => {
    const session: Session = { ...EMPTY, cluster: [{ name: 'a', text: '1' }], git: [{ name: 'a', text: '2' }] };
    const changed = textsOf(session).reduce((before, { name }) => withText(before, name, `new ${name}`), session);
    expect(textsOf(changed).map(({ text }) => text)).toEqual(textsOf(session).map(({ name }) => `new ${name}`));
  });
});

describe('links', () => {
  const sessions: [string, Session][] = [
    ['a sample', sessionOfSample(DEMO, 'demo')],
    ['an edited sample', { ...sessionOfSample(DEMO, 'demo'), hco: `${HCO}spec: {}\n`, behavior: '4.23' }],
    ['an input of one’s own', { ...EMPTY, hco: HCO, overrides: 'é ☃', catalog: { kind: 'files', name: 'x', files: [{ name: 'a', text: 'b' }] } }],
  ];
  it.each(sessions)('carry %s', async (_name, session) => {
    const fragment = await fragmentOf(session, DEMO);
    expect(fragment).toMatch(/^input=[\w-]+$/);
    expect(await sessionOfFragment(`#${fragment}`, DEMO)).toEqual(session);
  });
  it('are short for a sample', async () => {
    expect((await fragmentOf(sessionOfSample(DEMO, 'demo'), DEMO)).length).toBeLessThan(60);
  });
  it('may be absent', async () => { expect(await sessionOfFragment('', DEMO)).toBeUndefined(); });
  it.each(['input=', 'input=!!!', 'input=AAAA', `input=${'A'.repeat(400)}`])('refuse %s', async (fragment) => {
    await expect(sessionOfFragment(fragment, DEMO)).rejects.toThrow();
  });
});
