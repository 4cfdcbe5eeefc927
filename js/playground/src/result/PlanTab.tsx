import { useCallback, useEffect, useMemo, useState } from 'react';
import {
  AsideView,
  AssetDetail,
  type AssetFilter,
  type AssetSort,
  AssetTable,
  type Diagnostic,
  type EventRecord,
  type Fix,
  ImpactView,
  type ListedAsset,
  NO_FILTER,
  type ObjectTexts,
  PlanSummary,
  type Source,
  filterAssets,
  sameObject,
  sortAssets,
} from 'virt-autopilot-ui';

import type { EngineClient } from '../engine/client';
import type { ListedPlan } from '../engine/listing';
import type { Planned } from '../engine/protocol';
import type { Session } from '../session';
import { t } from '../texts';
import { OverridePanel } from './OverridePanel';

export interface PlanTabProps {
  engine: EngineClient;
  planned: Planned;
  session: Session;
  onSession: (update: (session: Session) => Session) => void;
  asset: string | undefined;
  onAsset: (asset: string | undefined) => void;
  onSource: (source: Source, diagnostic: Diagnostic) => void;
  onFix: (fix: Fix) => void;
  onNotice: (title: string) => void;
}

/** The plan: counts, impact and the table, or one asset in its place. */
export function PlanTab({ engine, planned, session, onSession, asset: name, onAsset, onSource, onFix, onNotice }: PlanTabProps) {
  const { plan } = planned;
  const [filter, setFilter] = useState<AssetFilter>(NO_FILTER);
  const [sort, setSort] = useState<AssetSort>({ column: 'outcome', descending: false });
  const [tab, setTab] = useState('changes');
  const rebooting = useMemo(
    () => new Set(plan.impact.pools.flatMap(({ causes }) => causes.flatMap((cause) => cause.asset ?? []))),
    [plan],
  );
  const asset = plan.assets.find((other) => other.asset === name);
  const select = useCallback(
    (selected: string) => {
      setTab('changes');
      onAsset(selected);
    },
    [onAsset],
  );
  const texts = useTexts(engine, planned, asset?.asset);

  if (asset) {
    const order = sortAssets(filterAssets(plan.assets, filter), sort);
    const at = order.findIndex((other) => other.asset === asset.asset);
    const previous = at > 0 ? order[at - 1] : undefined;
    const next = at >= 0 ? order[at + 1] : undefined;
    return (
      <AssetDetail
        asset={asset}
        texts={texts}
        events={eventsOf(plan, asset)}
        tab={tab}
        onTab={setTab}
        onClose={() => {
          onAsset(undefined);
          focusRow(asset.asset);
        }}
        {...(previous && { onPrevious: () => { onAsset(previous.asset); } })}
        {...(next && { onNext: () => { onAsset(next.asset); } })}
        onSource={onSource}
        onFix={onFix}
        extraTabs={[
          {
            key: 'override',
            title: t('override.tab'),
            content: (
              <OverridePanel
                key={asset.asset}
                engine={engine}
                asset={asset}
                planned={planned}
                session={session}
                onSession={onSession}
                onNotice={onNotice}
              />
            ),
          },
        ]}
      />
    );
  }
  return (
    <div className="pg-plan">
      <PlanSummary
        plan={plan}
        selected={filter.outcomes}
        onSelect={(outcomes) => { setFilter({ ...filter, outcomes }); }}
      />
      <ImpactView impact={plan.impact} onAsset={onAsset} onSource={onSource} onFix={onFix} />
      <AssetTable
        assets={plan.assets}
        filter={filter}
        sort={sort}
        rebooting={rebooting}
        onFilter={setFilter}
        onSort={setSort}
        onSelect={select}
      />
      <AsideView plan={plan} />
    </div>
  );
}

/** The events about the asset's object. */
function eventsOf({ events }: ListedPlan, { object }: ListedAsset): EventRecord[] {
  return object === null ? [] : events.filter((event) => event.object !== null && sameObject(event.object, object));
}

/** The objects of an asset as YAML; `undefined` while they are written anew. */
function useTexts(engine: EngineClient, planned: Planned, asset: string | undefined): ObjectTexts | undefined {
  const [written, setWritten] = useState<{ of: Planned; asset: string; texts: ObjectTexts }>();
  useEffect(() => {
    if (asset === undefined) return undefined;
    let gone = false;
    engine.call('texts', asset).then(
      (texts) => { if (!gone) setWritten({ of: planned, asset, texts }); },
      // A newer plan may not have the asset any more.
      () => undefined,
    );
    return () => { gone = true; };
  }, [engine, planned, asset]);
  // The texts of the plan before are better than none while one types.
  return written?.asset === asset ? written?.texts : undefined;
}

/** Gives the focus back to where the detail was opened. */
function focusRow(asset: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-asset="${CSS.escape(asset)}"]`)?.focus());
}
