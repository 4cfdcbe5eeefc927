/** What the reader chose, kept in the address so that a link shows the same. */

import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

import type { Behavior } from '../types';

export interface Choices {
  /** The id of a catalog; by default the one for the operator's release. */
  catalog: string | null;
  /** By default that of the operator's version. */
  behavior: Behavior | null;
  /** The activation to preview, by default the one that is annotated. */
  activation: string | null;
  /** The asset whose detail is open, and on which tab. */
  asset: string | null;
  tab: string;
}

export const NO_CHOICES: Choices = { catalog: null, behavior: null, activation: null, asset: null, tab: 'changes' };

const BEHAVIORS: readonly string[] = ['4.22', '4.23', 'ga'] satisfies Behavior[];

export function useChoices(): [Choices, (changed: Partial<Choices>) => void] {
  const [params, setParams] = useSearchParams();
  const choices = useMemo(() => choicesFrom(params), [params]);
  const change = useCallback(
    (changed: Partial<Choices>) => {
      setParams(
        (current) => {
          const next = new URLSearchParams(current);
          for (const [key, value] of Object.entries(changed)) {
            if (value === null || (key === 'tab' && value === NO_CHOICES.tab)) next.delete(key);
            else next.set(key, value);
          }
          return next;
        },
        // Opening an asset is a step that one goes back from; a filter is not.
        { replace: !('asset' in changed) },
      );
    },
    [setParams],
  );
  return [choices, change];
}

export function choicesFrom(params: URLSearchParams): Choices {
  const behavior = params.get('behavior');
  return {
    catalog: params.get('catalog'),
    behavior: behavior !== null && BEHAVIORS.includes(behavior) ? (behavior as Behavior) : null,
    activation: params.get('activation'),
    asset: params.get('asset'),
    tab: params.get('tab') ?? NO_CHOICES.tab,
  };
}
