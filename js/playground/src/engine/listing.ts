/** A plan on its way to the page: without the objects of its assets, and without the assets that did not change. */

import { type AssetPlan, type ListedAsset, type Plan, stringify } from 'virt-autopilot-ui';

/** A plan without the objects of its assets, which stay in the worker until one looks at them. */
export interface ListedPlan extends Omit<Plan, 'assets'> {
  assets: ListedAsset[];
}

/** The same on its way. An asset that is as it was in the plan before is told by its name. */
export interface PlanChanges extends Omit<Plan, 'assets'> {
  assets: (ListedAsset | string)[];
}

/** What the page knows, on the worker's side. */
export class Listing {
  #sent = new Map<string, string>();

  changesOf({ assets, ...rest }: Plan): PlanChanges {
    const before = this.#sent;
    this.#sent = new Map();
    const changed = assets.map((asset) => {
      const listed = listedOf(asset);
      const print = stringify(listed);
      this.#sent.set(asset.asset, print);
      return before.get(asset.asset) === print ? asset.asset : listed;
    });
    return { ...rest, assets: changed };
  }
}

/** The plan from what changed since the one before. What did not change is the same value still. */
export function planOf({ assets, ...rest }: PlanChanges, before: ListedPlan | undefined): ListedPlan {
  const known = new Map(before?.assets.map((asset) => [asset.asset, asset]));
  return { ...rest, assets: assets.flatMap((asset) => (typeof asset === 'string' ? (known.get(asset) ?? []) : asset)) };
}

function listedOf(asset: AssetPlan): ListedAsset {
  const { baseline, patched, desired, live, predicted, ...listed } = asset;
  return listed;
}
