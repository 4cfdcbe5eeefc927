import { beforeEach, describe, expect, it, vi } from 'vitest';

import { annotate, changeOn } from '../../src/server/annotate';
import { type DryRun, compare, compared, dryRun, isApplied } from '../../src/server/dryRun';
import { refusalFrom } from '../../src/server/refusal';
import type { AssetPlan, KubeObject } from '../../src/types';

const { consoleFetch } = vi.hoisted(() => ({ consoleFetch: vi.fn<(url: string, options: RequestInit) => Promise<Response>>() }));
vi.mock('@openshift-console/dynamic-plugin-sdk', () => ({ consoleFetch }));
vi.mock('virt-autopilot-ui', () => ({ stringify: JSON.stringify }));
beforeEach(() => { consoleFetch.mockReset(); });

const MODEL = { abbr: '', label: '', labelPlural: '', kind: 'Widget', plural: 'widgets', apiGroup: 'example.com', apiVersion: 'v1', namespaced: true };
const widget = (over: object = {}): KubeObject => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'ns', resourceVersion: '7', annotations: { a: '1' } }, ...over });
const failure = (code?: number) => Object.assign(new Error('words'), { code });

it.each([
  [401, 'session'],
  [403, 'forbidden'],
  [404, 'gone'],
  [409, 'conflict'],
  [422, 'invalid'],
  [400, 'invalid'],
  [500, 'server'],
  [undefined, 'network'],
] as const)('%s is a refusal of the kind %s', (code, kind) => {
  expect(refusalFrom(failure(code))).toEqual({ kind, status: code ?? null, message: 'words' });
});

it('asks for a dry run, in the controller’s name', async () => {
  consoleFetch.mockResolvedValue(new Response('{"kind":"Widget"}'));
  expect(await dryRun(MODEL, widget())).toEqual({ kind: 'accepted', object: { kind: 'Widget' } });
  const [url, options] = consoleFetch.mock.calls[0] ?? [];
  expect(url).toBe('/api/kubernetes/apis/example.com/v1/namespaces/ns/widgets/w?dryRun=All&fieldManager=virt-platform-autopilot&force=true');
  expect(options).toMatchObject({ method: 'PATCH', headers: { 'Content-Type': 'application/apply-patch+yaml' }, body: JSON.stringify(widget()) });
});

it('writes one annotation, on the state that was seen, and rehearses with a dry run', async () => {
  consoleFetch.mockImplementation(() => Promise.resolve(new Response('{}')));
  const change = changeOn(widget(), 'a', null);
  expect(change).toEqual({ annotation: 'a', before: '1', after: null });
  expect(changeOn(widget(), 'b', 'x').before).toBeNull();
  await annotate(MODEL, widget(), change, { isRehearsal: true });
  await annotate(MODEL, widget(), change, { isRehearsal: false });
  const [rehearsal, real] = consoleFetch.mock.calls;
  expect(rehearsal?.[0]).toContain('?dryRun=All&');
  expect(real?.[0]).toBe('/api/kubernetes/apis/example.com/v1/namespaces/ns/widgets/w?fieldManager=virt-autopilot-console-plugin');
  expect(real?.[1]).toMatchObject({ method: 'PATCH', headers: { 'Content-Type': 'application/merge-patch+json' } });
  expect(JSON.parse(real?.[1].body as string)).toEqual({ metadata: { resourceVersion: '7', annotations: { a: null } } });
});

it('compares what the controller compares', () => {
  const object = widget({ status: {}, spec: { a: 1 } });
  expect(compared(object)).toEqual({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'ns', annotations: { a: '1' } }, spec: { a: 1 } });
});

describe('the comparison', () => {
  const asset = (kind: string, over: object = {}) => ({ asset: 'a', outcome: { kind }, predicted: widget(), desired: widget(), ...over }) as unknown as AssetPlan;
  const accepted: DryRun = { kind: 'accepted', object: widget() };
  const refused = (code: number): DryRun => ({ kind: 'refused', refusal: refusalFrom(failure(code)) });
  it.each([
    ['the same', asset('update'), accepted, [], 'agrees'],
    ['another result', asset('update'), accepted, [{}], 'differs'],
    ['refused as predicted', asset('applyRefused'), refused(422), [], 'agrees'],
    ['refused against the prediction', asset('create'), refused(422), [], 'contradicts'],
    ['accepted against the prediction', asset('applyRefused'), accepted, [], 'contradicts'],
    ['a conflict in spite of force', asset('update'), refused(409), [], 'contradicts'],
    ['no permission', asset('update'), refused(403), [], 'unanswered'],
    ['a failing server', asset('update'), refused(500), [], 'unanswered'],
  ])('%s', async (_name, plan, answer, changes, expected) => {
    expect((await compare(plan, answer, () => Promise.resolve(changes as never))).kind).toBe(expected);
  });

  it('is for what would be applied', () => {
    expect(isApplied(asset('inSync'))).toBe(true);
    expect(isApplied(asset('paused'))).toBe(false);
    expect(isApplied(asset('create', { desired: null }))).toBe(false);
  });
});
