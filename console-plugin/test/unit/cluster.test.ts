import { describe, expect, it, vi } from 'vitest';

import { NODE, kindFrom } from '../../src/cluster/kinds';
import { findModelIn, pathOf, servesCrd } from '../../src/cluster/models';
import { type Reading, onlyHyperConverged, snapshotFrom } from '../../src/cluster/snapshot';
import { readingFrom } from '../../src/cluster/useCluster';
import { type Wish, baseWishes, catalogWishes, distinct, keyOf, renderedWishes } from '../../src/cluster/wishes';
import type { KubeObject } from '../../src/types';

vi.mock('@openshift-console/dynamic-plugin-sdk', () => ({}));

const model = { abbr: '', label: '', labelPlural: '' };
const MODELS = {
  Node: { ...model, kind: 'Node', plural: 'nodes', apiVersion: 'v1' },
  'example.com~v1~Widget': { ...model, kind: 'Widget', plural: 'widgets', apiGroup: 'example.com', apiVersion: 'v1', namespaced: true },
};
const node = (over: object): KubeObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u', resourceVersion: '1' }, ...over });

describe('models', () => {
  it('are found by group, version and kind', () => {
    const find = findModelIn(MODELS);
    expect(find(NODE)?.plural).toBe('nodes');
    expect(find(kindFrom({ apiVersion: 'example.com/v1', kind: 'Widget' }))?.plural).toBe('widgets');
    expect(find(kindFrom({ apiVersion: 'example.com/v2', kind: 'Widget' }))).toBeUndefined();
    expect(servesCrd(MODELS, 'widgets.example.com')).toBe(true);
    expect(servesCrd(MODELS, 'gadgets.example.com')).toBe(false);
  });

  it.each([
    [MODELS.Node, { namespace: '', name: 'a' }, '/api/kubernetes/api/v1/nodes/a'],
    [MODELS['example.com~v1~Widget'], { namespace: 'ns', name: 'a/b' }, '/api/kubernetes/apis/example.com/v1/namespaces/ns/widgets/a%2Fb'],
  ])('lead to a path', (known, object, expected) => {
    expect(pathOf(known, object)).toBe(expected);
  });
});

describe('wishes', () => {
  it('name each thing once, and keep its first purpose', () => {
    const wish: Wish = { purpose: 'lookups', kind: NODE, name: 'a' };
    expect(distinct([wish, { ...wish, purpose: 'live' }])).toEqual([wish]);
  });

  it('follow from the catalog', () => {
    const wishes = catalogWishes({
      name: 'c',
      behavior: '4.23',
      assets: [
        { name: 'a', requiredCrd: 'widgets.example.com', gateCrd: null },
        { name: 'b', requiredCrd: null, gateCrd: 'widgets.example.com' },
      ],
      tombstones: [{ apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'ns', name: 'old' }],
      lookups: { objects: [], configMaps: [{ namespace: 'ns', name: 'm' }], crds: ['gadgets.example.com'], storageProfiles: true, unknown: [] },
    });
    expect(wishes.map((wish) => `${wish.purpose} ${wish.kind.kind} ${wish.name ?? '*'}`)).toEqual([
      'crds CustomResourceDefinition widgets.example.com',
      'crds CustomResourceDefinition gadgets.example.com',
      'tombstones Widget old',
      'lookups ConfigMap m',
      'lookups StorageProfile *',
    ]);
  });

  it('follow from what is rendered: the objects, their namespaces, and what carries the label', () => {
    const wishes = renderedWishes([
      { apiVersion: 'hco.kubevirt.io/v1', kind: 'HyperConverged', namespace: 'cnv', name: 'h' },
      { apiVersion: 'v1', kind: 'Service', namespace: 'cnv', name: 's' },
      { apiVersion: 'v1', kind: 'Service', namespace: 'cnv', name: 't' },
    ]);
    expect(wishes.map((wish) => `${wish.purpose} ${wish.kind.kind} ${wish.name ?? '*'}`)).toEqual([
      'live Service s',
      'live Service t',
      'namespaces Namespace cnv',
      'labelled HyperConverged *',
      'labelled Service *',
    ]);
  });
});

describe('what the console tells of a watch', () => {
  const one: Wish = { purpose: 'live', kind: NODE, name: 'a' };
  const list: Wish = { purpose: 'nodes', kind: NODE };
  const failed = (code: number) => Object.assign(new Error('words'), { code });
  it.each<[string, Wish, Parameters<typeof readingFrom>[1], Reading]>([
    ['not begun', one, undefined, { state: 'pending' }],
    ['loading', one, { data: {}, loaded: false, loadError: undefined }, { state: 'pending' }],
    ['an object', one, { data: { metadata: { name: 'a' } }, loaded: true, loadError: '' }, { state: 'read', objects: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } }] }],
    ['an object that has gone', one, { data: {}, loaded: true, loadError: '' }, { state: 'absent' }],
    ['an empty list', list, { data: [], loaded: true, loadError: '' }, { state: 'read', objects: [] }],
    ['404', one, { data: {}, loaded: true, loadError: failed(404) }, { state: 'absent' }],
    ['403', list, { data: [], loaded: true, loadError: failed(403) }, { state: 'forbidden' }],
    ['500', list, { data: [], loaded: true, loadError: failed(500) }, { state: 'failed', status: 500, message: 'words' }],
    ['no answer', list, { data: [], loaded: true, loadError: new Error('offline') }, { state: 'failed', status: null, message: 'offline' }],
  ])('%s', (_name, wish, result, expected) => {
    expect(readingFrom(wish, result)).toEqual(expected);
  });
});

describe('a snapshot', () => {
  const wishes = baseWishes('cnv');
  const snapshot = (readingOf: (key: string) => Reading, over = wishes) => snapshotFrom(over, readingOf, (crd) => crd === 'widgets.example.com');

  it('is complete once everything is answered', () => {
    expect(snapshot(() => ({ state: 'pending' })).isComplete).toBe(false);
    expect(snapshot(() => ({ state: 'absent' }))).toMatchObject({ isComplete: true, objects: [], missing: [] });
  });

  it('does not change with the heartbeat of a node, but with its labels and its capacity', () => {
    const digest = (object: KubeObject) => snapshot((key) => (key === keyOf({ purpose: 'nodes', kind: NODE }) ? { state: 'read', objects: [object] } : { state: 'absent' })).digest;
    const first = digest(node({ status: { capacity: { cpu: '4' }, conditions: [{ lastHeartbeatTime: '1' }] } }));
    const beaten = digest(node({ metadata: { name: 'n', uid: 'u', resourceVersion: '2' }, status: { capacity: { cpu: '4' }, conditions: [{ lastHeartbeatTime: '2' }] } }));
    expect(beaten).toBe(first);
    expect(digest(node({ status: { capacity: { cpu: '4', 'nvidia.com/gpu': '1' } } }))).not.toBe(first);
    expect(digest(node({ metadata: { name: 'n', labels: { a: 'b' } }, status: { capacity: { cpu: '4' } } }))).not.toBe(first);
  });

  it('names what is missing and why, by purpose', () => {
    const { missing } = snapshot((key) => (key.includes('Node') ? { state: 'forbidden' } : key.includes('cluster') ? { state: 'failed', status: 500, message: 'oh' } : { state: 'absent' }));
    expect(missing).toEqual([
      { purpose: 'nodes', state: 'forbidden', what: [{ kind: 'Node', names: [] }], messages: [], assumed: false },
      { purpose: 'topology', state: 'failed', what: [{ kind: 'Infrastructure', names: ['cluster'] }, { kind: 'Scheduler', names: ['cluster'] }], messages: ['500: oh'], assumed: false },
    ]);
  });

  it('has stand-ins for CRDs that are served and for namespaces', () => {
    const kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
    const over: Wish[] = [
      { purpose: 'crds', kind, name: 'widgets.example.com' },
      { purpose: 'crds', kind, name: 'gadgets.example.com' },
      { purpose: 'namespaces', kind: { group: '', version: 'v1', kind: 'Namespace' }, name: 'ns' },
    ];
    const { objects, missing } = snapshot(() => ({ state: 'forbidden' }), over);
    expect(objects.map(({ metadata }) => metadata?.name)).toEqual(['widgets.example.com', 'ns']);
    expect(missing.map(({ purpose, assumed }) => [purpose, assumed])).toEqual([['crds', true], ['crds', false], ['namespaces', true]]);
  });

  it('gives the plan one HyperConverged', () => {
    const hco = (version: string): KubeObject => ({ apiVersion: `hco.kubevirt.io/${version}`, kind: 'HyperConverged' });
    const all = [node({}), hco('v1'), hco('v1beta1')];
    expect(onlyHyperConverged(all, 'hco.kubevirt.io/v1beta1').map(({ apiVersion }) => apiVersion)).toEqual(['v1', 'hco.kubevirt.io/v1beta1']);
    expect(onlyHyperConverged([hco('v1')], 'hco.kubevirt.io/v1beta1')).toEqual([hco('v1')]);
  });
});
