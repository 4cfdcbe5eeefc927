// @vitest-environment jsdom
// The views, whose values are used here, import style sheets.
import { describe, expect, it } from 'vitest';

import type { AssetPlan, Plan } from 'virt-autopilot-ui';
import { Listing, planOf } from '../src/engine/listing';

const asset = (name: string, more: Partial<AssetPlan> = {}) =>
  ({ asset: name, changes: [], live: null, desired: { apiVersion: 'v1', kind: 'ConfigMap' }, ...more }) as unknown as AssetPlan;
const planWith = (...assets: AssetPlan[]) => ({ catalog: '4.22', assets }) as unknown as Plan;

describe('a plan on its way to the page', () => {
  const change = { pointer: '/data', kind: 'added', after: 9007199254740993n } as unknown as AssetPlan['changes'][number];
  const listing = new Listing();
  const first = planOf(listing.changesOf(planWith(asset('a'), asset('b'))), undefined);

  it('leaves the objects behind', () => {
    expect(first).toEqual({ catalog: '4.22', assets: [{ asset: 'a', changes: [] }, { asset: 'b', changes: [] }] });
  });

  it('tells an asset that is as it was by its name, and the page keeps the same value', () => {
    const changes = listing.changesOf(planWith(asset('b'), asset('a', { changes: [change] }), asset('c')));
    expect(changes.assets[0]).toBe('b');
    const second = planOf(changes, first);
    expect(second.assets[0]).toBe(first.assets[1]);
    expect(second.assets.map((listed) => [listed.asset, listed.changes.length])).toEqual([['b', 0], ['a', 1], ['c', 0]]);
  });
});
