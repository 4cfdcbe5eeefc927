/** Which assets a table shows, and in which order. */

import { type OutcomeKind, rankOf } from './outcomes.js';
import { lossesOf } from './ownership.js';
import type { ListedAsset } from './types.js';

export interface AssetFilter {
  text: string;
  outcomes: readonly OutcomeKind[];
  kinds: readonly string[];
  features: readonly string[];
}

export const NO_FILTER: AssetFilter = { text: '', outcomes: [], kinds: [], features: [] };

export type SortColumn = 'order' | 'asset' | 'outcome' | 'object' | 'changes' | 'loses';

export interface AssetSort {
  column: SortColumn;
  descending: boolean;
}

/** The kind of the asset's object, or the one that the catalog tells where nothing is rendered. */
export function kindOf(asset: Pick<ListedAsset, 'object' | 'component'>): string {
  return asset.object?.kind ?? asset.component;
}

export function filterAssets<Asset extends ListedAsset>(assets: readonly Asset[], filter: AssetFilter): Asset[] {
  const needle = filter.text.trim().toLowerCase();
  return assets.filter(
    (asset) =>
      (filter.outcomes.length === 0 || filter.outcomes.includes(asset.outcome.kind)) &&
      (filter.kinds.length === 0 || filter.kinds.includes(kindOf(asset))) &&
      (filter.features.length === 0 || asset.features.some((feature) => filter.features.includes(feature))) &&
      (needle === '' || wordsOf(asset).includes(needle)),
  );
}

/** Sorts; equals stay in the controller's order. */
export function sortAssets<Asset extends ListedAsset>(assets: readonly Asset[], sort: AssetSort): Asset[] {
  if (sort.column === 'order') return sort.descending ? [...assets].reverse() : [...assets];
  const compare = COMPARISONS[sort.column];
  return [...assets].sort((a, b) => (sort.descending ? compare(b, a) : compare(a, b)));
}

const COMPARISONS: Record<Exclude<SortColumn, 'order'>, (a: ListedAsset, b: ListedAsset) => number> = {
  asset: (a, b) => a.asset.localeCompare(b.asset),
  outcome: (a, b) => rankOf(a.outcome.kind) - rankOf(b.outcome.kind),
  object: (a, b) => kindOf(a).localeCompare(kindOf(b)) || (a.object?.name ?? '').localeCompare(b.object?.name ?? ''),
  changes: (a, b) => a.changes.length - b.changes.length,
  loses: (a, b) => lossesOf(a).size - lossesOf(b).size,
};

function wordsOf(asset: ListedAsset): string {
  const { object } = asset;
  return [asset.asset, asset.group, kindOf(asset), object?.namespace, object?.name, ...asset.features].join(' ').toLowerCase();
}
