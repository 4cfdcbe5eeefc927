import { describe, expect, it, vi } from 'vitest';

import { behaviorOf, builtinChoices, choiceFor, operatorVersionOf } from '../../src/catalogs/sources';
import { choicesFrom } from '../../src/planning/choices';
import { editOf, exclude, ignoreFields, patch } from '../../src/planning/override';
import type { KubeObject } from '../../src/types';

vi.mock('@openshift-console/dynamic-plugin-sdk', () => ({}));
vi.mock('virt-autopilot-ui', () => ({ DISABLED_RESOURCES: 'd', IGNORE_FIELDS: 'i', MODE: 'm', PATCH: 'p' }));

describe('the behaviour', () => {
  it.each([
    ['4.22.3', '4.22'],
    ['4.21.0', '4.22'],
    ['v4.23.0-rc.1', '4.23'],
    ['5.0.0', '4.23'],
    ['', null],
    ['unknown', null],
    [null, null],
  ])('of the operator %s is %s', (version, expected) => {
    expect(behaviorOf(version)).toBe(expected);
  });

  it('goes by the version in the status', () => {
    expect(operatorVersionOf({ versions: [{ name: 'operand', version: '1' }, { name: 'operator', version: '4.22.0' }] })).toBe('4.22.0');
    expect(operatorVersionOf({ versions: [] })).toBeNull();
    expect(operatorVersionOf(undefined)).toBeNull();
  });
});

describe('the catalog', () => {
  it.each([
    [['4.22', '4.23'], '4.22.5', '4.22'],
    [['4.22', '4.24'], '4.23.0', '4.22'],
    [['4.23'], '4.22.0', '4.23'],
    [['4.22', '4.23'], null, '4.23'],
    [['mine'], '4.22.0', 'mine'],
    [[], '4.22.0', undefined],
  ])('of %j for %s is %s', (names, version, expected) => {
    expect(choiceFor(builtinChoices(names), version)?.name).toBe(expected);
  });
});

it('reads the address, and nothing that is no behaviour', () => {
  expect(choicesFrom(new URLSearchParams('behavior=9.99&asset=a'))).toEqual({ catalog: null, behavior: null, activation: null, asset: 'a', tab: 'changes' });
  expect(choicesFrom(new URLSearchParams('behavior=ga&activation=true&tab=why'))).toMatchObject({ behavior: 'ga', activation: 'true', tab: 'why' });
});

describe('an override', () => {
  const object = { apiVersion: 'v1', kind: 'Service', namespace: 'ns', name: 's' };
  const hco = (rules?: string): KubeObject => ({ apiVersion: 'hco.kubevirt.io/v1', kind: 'HyperConverged', metadata: { name: 'h', namespace: 'cnv', ...(rules !== undefined && { annotations: { d: rules } }) } });

  it('is an annotation, or none where nothing is left of it', () => {
    expect(ignoreFields(object, ['/a', '/b']).value).toBe('/a, /b');
    expect(ignoreFields(object, []).value).toBeNull();
    expect(patch(object, [{ op: 'remove', path: '/a' }]).value).toBe('[{"op":"remove","path":"/a"}]');
    expect(patch(object, []).value).toBeNull();
    expect(editOf(patch(object, []))).toEqual({ kind: 'Service', namespace: 'ns', name: 's', key: 'p', value: null });
  });

  it('adds a rule to those that are there, and quotes what is no plain name', () => {
    expect(exclude(hco(), object).value).toBe('- kind: Service\n  name: s\n  namespace: ns\n');
    expect(exclude(hco('- kind: A\n  name: b\n'), { ...object, namespace: '', name: '90-swap' }).value).toBe('- kind: A\n  name: b\n- kind: Service\n  name: "90-swap"\n');
    expect(exclude(hco(), object).object).toEqual({ apiVersion: 'hco.kubevirt.io/v1', kind: 'HyperConverged', namespace: 'cnv', name: 'h' });
  });
});
