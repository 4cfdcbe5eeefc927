import { Alert } from '@patternfly/react-core';
import { useOverlay } from '@openshift-console/dynamic-plugin-sdk';
import { memo, useCallback, useEffect, useMemo, useState } from 'react';
import 'virt-autopilot-ui/ui.css';
import {
  AssetDetail,
  type AssetFilter,
  type AssetSort,
  AssetTable,
  AsideView,
  DiagnosticList,
  ImpactView,
  NO_FILTER,
  type ObjectTexts,
  PlanSummary,
  filterAssets,
  manifestOf,
  sameObject,
  sortAssets,
  withoutNoise,
} from 'virt-autopilot-ui';

import { kindFrom } from '../cluster/kinds';
import { isMissing } from '../cluster/snapshot';
import { type Choices, NO_CHOICES, useChoices } from '../planning/choices';
import { type ReadyPreview, usePreview } from '../planning/usePreview';
import { changeOn } from '../server/annotate';
import { type DryRuns, useDryRuns } from '../server/useDryRuns';
import { useText } from '../text';
import type { AssetPlan, Fix, Plan } from '../types';
import { ConfirmAnnotation } from './ConfirmAnnotation';
import { CatalogSelect, Controls } from './Controls';
import { findingsHere } from './findings';
import { MissingReadings } from './MissingReadings';
import { OverrideTab, liveOf } from './OverrideTab';
import { ServerPanel } from './ServerPanel';
import { ServerTab } from './ServerTab';
import { Standing } from './Standing';
import { UiTexts } from './UiTexts';
import './preview.css';

/** The preview of a cluster, from reading it to the override that is written. */
export function PreviewView({ namespace }: { namespace: string }) {
  const [choices, choose] = useChoices();
  const preview = usePreview(namespace, choices);
  return (
    <UiTexts>
      <div className="va-preview">
        {preview.kind === 'ready' ? (
          <Ready preview={preview} choices={choices} onChoose={choose} />
        ) : (
          <>
            {preview.kind === 'fault' && preview.at === 'catalog' && (
              <div className="va-field__row">
                <CatalogSelect catalogs={preview.catalogs} selected={preview.catalog} onSelect={(catalog) => { choose({ catalog }); }} />
              </div>
            )}
            <Standing preview={preview} />
          </>
        )}
      </div>
    </UiTexts>
  );
}

interface ReadyProps {
  preview: ReadyPreview;
  choices: Choices;
  onChoose: (changed: Partial<Choices>) => void;
}

const BY_ORDER: AssetSort = { column: 'order', descending: false };

function Ready({ preview, choices, onChoose }: ReadyProps) {
  const t = useText();
  const { missing } = preview;
  const plan = useMemo(() => findingsHere(preview.plan, missing, t('finding.installOperator')), [preview.plan, missing, t]);
  const [filter, setFilter] = useState<AssetFilter>(NO_FILTER);
  const [sort, setSort] = useState<AssetSort>(BY_ORDER);
  const dryRuns = useDryRuns(plan, preview.client, preview.findModel);
  const fix = useFix(preview);
  const open = useCallback((asset: string, tab = NO_CHOICES.tab) => { onChoose({ asset, tab }); }, [onChoose]);
  const openAnswer = useCallback((asset: string) => { open(asset, 'server'); }, [open]);
  const selected = plan.assets.find(({ asset }) => asset === choices.asset);

  return (
    <>
      <Controls preview={preview} choices={choices} onChoose={onChoose} />
      {preview.catalogsProblem !== null && <p className="va-quiet">{t('controls.catalogsFailed', { message: preview.catalogsProblem })}</p>}
      <MissingReadings missing={missing} />
      {preview.summary.lookups.unknown.length > 0 && (
        <p className="va-quiet">{t('missing.unknownLookups', { paths: preview.summary.lookups.unknown.join(', ') })}</p>
      )}
      {selected ? (
        <Detail
          asset={selected}
          shown={sortAssets(filterAssets(plan.assets, filter), sort)}
          preview={preview}
          dryRuns={dryRuns}
          tab={choices.tab}
          onChoose={onChoose}
          onFix={fix}
        />
      ) : (
        <>
          <Overview plan={plan} filter={filter} sort={sort} onFilter={setFilter} onSort={setSort} onOpen={open} onFix={fix} />
          <ServerPanel plan={plan} dryRuns={dryRuns} onOpen={openAnswer} />
          <Aside plan={plan} />
        </>
      )}
    </>
  );
}

interface OverviewProps {
  plan: Plan;
  filter: AssetFilter;
  sort: AssetSort;
  onFilter: (filter: AssetFilter) => void;
  onSort: (sort: AssetSort) => void;
  onOpen: (asset: string) => void;
  onFix: (fix: Fix) => void;
}

/** The whole prediction. It is not drawn anew while a dry run goes on below it. */
const Overview = memo(function Overview({ plan, filter, sort, onFilter, onSort, onOpen, onFix }: OverviewProps) {
  const rebooting = useMemo(() => new Set(plan.impact.pools.flatMap(({ causes }) => causes.flatMap(({ asset }) => asset ?? []))), [plan]);
  return (
    <>
      <PlanSummary plan={plan} selected={filter.outcomes} onSelect={(outcomes) => { onFilter({ ...filter, outcomes }); }} />
      {plan.diagnostics.length > 0 && <DiagnosticList diagnostics={plan.diagnostics} onFix={onFix} />}
      <ImpactView impact={plan.impact} onAsset={onOpen} onFix={onFix} />
      <AssetTable
        assets={plan.assets}
        filter={filter}
        sort={sort}
        rebooting={rebooting}
        onFilter={onFilter}
        onSort={onSort}
        onSelect={onOpen}
      />
    </>
  );
});

const Aside = memo(AsideView);

interface DetailProps {
  asset: AssetPlan;
  /** The assets of the table in its order, for going to the neighbours. */
  shown: readonly AssetPlan[];
  preview: ReadyPreview;
  dryRuns: DryRuns;
  tab: string;
  onChoose: (changed: Partial<Choices>) => void;
  onFix: (fix: Fix) => void;
}

function Detail({ asset, shown, preview, dryRuns, tab, onChoose, onFix }: DetailProps) {
  const t = useText();
  const texts = useObjectTexts(asset, preview);
  const index = shown.findIndex((other) => other.asset === asset.asset);
  const previous = shown[index - 1];
  const next = index < 0 ? undefined : shown[index + 1];
  return (
    <>
    {asset.object && isMissing(preview.missing, asset.object) && (
      <Alert isInline component="p" variant="warning" title={t('missing.thisObject')} />
    )}
    <AssetDetail
      asset={asset}
      texts={texts}
      events={preview.plan.events.filter(({ object }) => object && asset.object && sameObject(object, asset.object))}
      tab={tab}
      onTab={(key) => { onChoose({ tab: key }); }}
      onClose={() => { onChoose({ asset: null, tab: 'changes' }); }}
      {...(previous && { onPrevious: () => { onChoose({ asset: previous.asset }); } })}
      {...(next && { onNext: () => { onChoose({ asset: next.asset }); } })}
      onFix={onFix}
      extraTabs={[
        { key: 'server', title: t('server.title'), content: <ServerTab asset={asset} dryRuns={dryRuns} client={preview.client} /> },
        { key: 'override', title: t('override.title'), content: <OverrideTab asset={asset} preview={preview} /> },
      ]}
    />
    </>
  );
}

function useObjectTexts(asset: AssetPlan, { client }: ReadyPreview): ObjectTexts | undefined {
  const [written, setWritten] = useState<{ asset: AssetPlan; texts: ObjectTexts }>();
  useEffect(() => {
    let isCurrent = true;
    const objects = [asset.live, asset.predicted, asset.desired, asset.baseline].map((object) => object && withoutNoise(object));
    void client.call('write', { objects }).then(([live = null, predicted = null, desired = null, baseline = null]) => {
      if (isCurrent) setWritten({ asset, texts: { live, predicted, desired, baseline } });
    });
    return () => {
      isCurrent = false;
    };
  }, [asset, client]);
  return written?.asset === asset ? written.texts : undefined;
}

/** Offers the change that a finding proposes, for the reader to confirm. */
function useFix({ client, findModel, objects }: ReadyPreview) {
  const launch = useOverlay();
  return useCallback(
    ({ object, annotation, value }: Fix) => {
      const model = findModel(kindFrom(object));
      const live = liveOf(objects, object);
      if (!model || !live) return;
      void client.call('write', { objects: [manifestOf({ object, annotation, value })] }).then(([manifest]) => {
        launch(ConfirmAnnotation, { model, live, change: changeOn(live, annotation, value), manifest: manifest ?? '' });
      });
    },
    [client, findModel, objects, launch],
  );
}
