import { Problem } from './problem.js';
import { nearest } from './suggest.js';

/** The asset of that name. */
export function assetOf<Asset extends { asset: string }>(assets: readonly Asset[], name: string): Asset {
  const found = assets.find(({ asset }) => asset === name);
  if (found !== undefined) return found;
  throw unknownAsset(name, assets.map(({ asset }) => asset));
}

/** An asset's name that the catalog does not have. */
export function unknownAsset(name: string, known: readonly string[]): Problem {
  const near = nearest(name, known);
  const help = near === undefined ? [] : [`did you mean \`${near}\`?`];
  return new Problem(`the catalog has no asset \`${name}\``, [...help, '`virt-autopilot catalog show` lists its assets']);
}
