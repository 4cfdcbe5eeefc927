import { describe, expect, it } from 'vitest';

import { commandOf, inline, manifestOf, maskableFields, stringify, texts, translateFrom, withoutNoise } from '../src/index.js';
import { asset, change, object } from './plan.js';

describe('stringify', () => {
  it('keeps integers beyond 2^53', () => {
    expect(stringify({ big: 9007199254740993n, text: '9007199254740993' })).toBe('{"big":9007199254740993,"text":"9007199254740993"}');
  });
});

describe('inline', () => {
  it('quotes a string that could be taken for something else', () => {
    expect(['300', 'true', 'plain'].map((text) => inline(text))).toEqual(['"300"', '"true"', 'plain']);
  });
  it('shortens', () => { expect(inline('x'.repeat(50), 10)).toBe('xxxxxxxxx…'); });
});

describe('withoutNoise', () => {
  it('drops what only the API server cares for', () => {
    const whole = { ...object('A', 'a'), metadata: { name: 'a', uid: '1', managedFields: [] }, status: { ok: true } };
    expect(withoutNoise(whole)).toEqual({ apiVersion: 'operator.openshift.io/v1', kind: 'A', metadata: { name: 'a' }, spec: {} });
  });
});

describe('overrides as text', () => {
  const ref = { apiVersion: 'operator.openshift.io/v1', kind: 'KubeDescheduler', namespace: 'ns', name: 'cluster' };
  it('quotes for the shell', () => {
    expect(commandOf({ object: ref, annotation: 'p/patch', value: '[{"op": "add"}] it\'s' })).toBe(
      `oc annotate kubedescheduler.v1.operator.openshift.io cluster -n ns --overwrite 'p/patch=[{"op": "add"}] it'\\''s'`,
    );
  });
  it('removes', () => {
    expect(commandOf({ object: { ...ref, namespace: '' }, annotation: 'p/mode', value: null })).toMatch(/cluster p\/mode-$/);
  });
  it('makes a manifest with nothing but the annotation', () => {
    expect(manifestOf({ object: ref, annotation: 'p/mode', value: 'unmanaged' })).toEqual({
      apiVersion: ref.apiVersion,
      kind: ref.kind,
      metadata: { name: 'cluster', namespace: 'ns', annotations: { 'p/mode': 'unmanaged' } },
    });
  });
});

describe('maskableFields', () => {
  it('offers the list in place of its items, since a pointer into a list stops the asset', () => {
    const live = object('A', 'a', { profiles: ['x', 'y'], 'a/b': 1 });
    const predicted = object('A', 'a', { profiles: ['z'], 'a/b': 2 });
    const changes = [change('/spec/profiles/0', 'x', 'z'), change('/spec/profiles/1', 'y'), change('/spec/a~1b', 1, 2)];
    const fields = maskableFields(asset('a', { live, predicted, changes }));
    expect(fields.map(({ pointer, before, after }) => [pointer, before, after])).toEqual([
      ['/spec/profiles', ['x', 'y'], ['z']],
      ['/spec/a~1b', 1, 2],
    ]);
  });
});

describe('texts', () => {
  it('takes the plural by the count', () => {
    const t = translateFrom(texts);
    expect([t('table.fields', { count: 1 }), t('table.fields', { count: 2000 })]).toEqual(['1 field', '2,000 fields']);
  });
});
