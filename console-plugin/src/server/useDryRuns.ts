/** Dry runs of the assets of a plan, with their progress. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { stringify } from 'virt-autopilot-ui';

import { isAllowed } from '../cluster/access';
import { kindFrom } from '../cluster/kinds';
import type { FindModel } from '../cluster/models';
import type { EngineClient } from '../engine/client';
import type { AssetPlan, Plan } from '../types';
import { type Comparison, type DryRun, compare, dryRun, isApplied } from './dryRun';

/** How many assets the server is asked about at once. */
const AT_ONCE = 4;

/** How long answers are gathered before they are shown, in milliseconds: with many, drawing each takes longer than asking. */
const GATHER_MS = 100;

export interface ServerVerdict {
  answer: DryRun;
  comparison: Comparison;
  /** The asset as it was predicted when the server was asked. */
  asset: AssetPlan;
}

export interface DryRuns {
  verdicts: ReadonlyMap<string, ServerVerdict>;
  /** `null` when nothing is under way. */
  progress: { done: number; total: number } | null;
  /** Whether the user may ask; `undefined` while that is being found out. */
  may: ReadonlyMap<string, boolean> | undefined;
  run: (assets: readonly AssetPlan[]) => void;
  cancel: () => void;
}

export function useDryRuns(plan: Plan, client: EngineClient, findModel: FindModel): DryRuns {
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, ServerVerdict>>(new Map());
  const [progress, setProgress] = useState<DryRuns['progress']>(null);
  const may = useMayApply(plan, findModel);
  const round = useRef(0);
  useEffect(() => () => { round.current += 1; }, []);

  const cancel = useCallback(() => {
    round.current += 1;
    setProgress(null);
  }, []);

  const run = useCallback(
    (assets: readonly AssetPlan[]) => {
      round.current += 1;
      const mine = round.current;
      const queue = [...assets];
      let done = 0;
      const fresh = new Map<string, ServerVerdict>();
      let shownAt = performance.now();
      const show = () => {
        shownAt = performance.now();
        setProgress({ done, total: assets.length });
        const gathered = [...fresh];
        fresh.clear();
        setVerdicts((known) => new Map([...known, ...gathered]));
      };
      show();
      const work = async (): Promise<void> => {
        for (let asset = queue.shift(); asset && round.current === mine; asset = queue.shift()) {
          const verdict = await verdictOn(asset, client, findModel);
          if (round.current !== mine) return;
          done += 1;
          if (verdict) fresh.set(asset.asset, verdict);
          if (performance.now() - shownAt >= GATHER_MS) show();
        }
      };
      void Promise.all(Array.from({ length: AT_ONCE }, work)).then(() => {
        if (round.current !== mine) return;
        show();
        setProgress(null);
      });
    },
    [client, findModel],
  );
  return { verdicts, progress, may, run, cancel };
}

/** Whether the prediction has changed since the server was asked. */
export function isStale({ asset }: ServerVerdict, now: AssetPlan): boolean {
  return asset !== now && stringify([asset.desired, asset.predicted]) !== stringify([now.desired, now.predicted]);
}

async function verdictOn(asset: AssetPlan, client: EngineClient, findModel: FindModel): Promise<ServerVerdict | undefined> {
  const { desired } = asset;
  const model = desired && findModel(kindFrom(desired));
  if (!desired || !model) return undefined;
  const answer = await dryRun(model, desired);
  const comparison = await compare(asset, answer, (before, after) => client.call('diff', { before, after }));
  return { answer, comparison, asset };
}

function useMayApply(plan: Plan, findModel: FindModel): ReadonlyMap<string, boolean> | undefined {
  const [may, setMay] = useState<ReadonlyMap<string, boolean>>();
  useEffect(() => {
    let isCurrent = true;
    void Promise.all(plan.assets.filter(isApplied).map(async (asset) => [asset.asset, await mayApply(asset, findModel)] as const)).then((pairs) => {
      if (isCurrent) setMay(new Map(pairs));
    });
    return () => {
      isCurrent = false;
    };
  }, [plan, findModel]);
  return may;
}

/** An apply is a patch, and to an object that is not there a creation as well. */
async function mayApply({ object, live }: AssetPlan, findModel: FindModel): Promise<boolean> {
  const model = object && findModel(kindFrom(object));
  if (!object || !model) return false;
  const target = { name: object.name, ...(object.namespace !== '' && { namespace: object.namespace }) };
  if (!(await isAllowed(model, 'patch', target))) return false;
  return live !== null || isAllowed(model, 'create', { namespace: target.namespace });
}
