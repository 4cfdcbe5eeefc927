import { EmptyState, EmptyStateBody, ExpandableSection, FormSelectOption } from '@patternfly/react-core';
import { useEffect, useMemo, useState } from 'react';
import { type Actor, FailedState, type ListedAsset, LoadingState, type ObjectRef, type Simulation, SimulationView, nameOf } from 'virt-autopilot-ui';

import { Editor } from '../editor/Editor';
import { type EngineClient, newestWins } from '../engine/client';
import type { Planned } from '../engine/protocol';
import { Choice } from '../input/Choice';
import { t } from '../texts';

export interface SimulationTabProps {
  engine: EngineClient;
  planned: Planned;
  /** The asset that was looked at last, with which one begins. */
  asset: string | undefined;
}

const OPPONENTS = ['argocd', 'controller', 'person'] as const;
type Opponent = (typeof OPPONENTS)[number];

/** In milliseconds. */
const PERIODS = [500, 1000, 2000, 3000, 5000, 6000, 7000, 10_000, 30_000, 60_000];
const DURATIONS = [60_000, 600_000, 3_600_000, 21_600_000, 86_400_000];
const BACKOFF = 'backoff';

type Run = { kind: 'running' } | { kind: 'done'; simulation: Simulation } | { kind: 'failed'; message: string };

interface Fight {
  asset: string;
  actor: Actor;
  durationMs: number;
  manifest: string;
}

/** A fight between the autopilot and someone else, as it would go. */
export function SimulationTab({ engine, planned, asset: looked }: SimulationTabProps) {
  const assets = planned.plan.assets.filter(isContestable);
  const [chosen, setChosen] = useState(looked);
  const [opponent, setOpponent] = useState<Opponent>('argocd');
  const [period, setPeriod] = useState('2000');
  const [durationMs, setDurationMs] = useState(600_000);
  const [manifest, setManifest] = useState<{ asset: string; text: string }>();
  const [open, setOpen] = useState(false);
  const [run, setRun] = useState<Run>({ kind: 'running' });
  const asset = assets.find((other) => other.asset === chosen) ?? assets.find(({ outcome }) => outcome.kind === 'update') ?? assets[0];
  const name = asset?.asset;

  useEffect(() => {
    if (name === undefined) return undefined;
    let gone = false;
    void engine.call('opponentManifest', name).then((text) => { if (!gone) setManifest({ asset: name, text }); });
    return () => { gone = true; };
    // The manifest is the person's to edit once it is there: a new plan does not take it away.
  }, [engine, name]);

  const fight = useMemo(() => newestWins((next: Fight) => simulate(engine, next, setRun)), [engine]);
  useEffect(() => {
    if (!asset?.object || manifest?.asset !== asset.asset) return;
    const actor = actorOf(opponent, asset.object, period);
    fight({ asset: asset.asset, actor, durationMs, manifest: manifest.text });
  }, [fight, asset, opponent, period, durationMs, manifest, planned]);

  if (asset === undefined) {
    return (
      <EmptyState headingLevel="h2" titleText={t('simulate.none')} variant="sm">
        <EmptyStateBody>{t('simulate.noneHelp')}</EmptyStateBody>
      </EmptyState>
    );
  }
  return (
    <div className="pg-plan">
      <p className="va-quiet">{t('simulate.intro')}</p>
      <div className="pg-fields">
        <Choice label={t('simulate.asset')} value={asset.asset} onChange={setChosen}>
          {assets.map((other) => (
            <FormSelectOption key={other.asset} value={other.asset} label={`${other.asset}${other.object ? ` · ${nameOf(other.object)}` : ''}`} />
          ))}
        </Choice>
        <Choice label={t('simulate.opponent')} value={opponent} onChange={(value) => { setOpponent(value as Opponent); }}>
          {OPPONENTS.map((choice) => (
            <FormSelectOption key={choice} value={choice} label={t(`simulate.opponent.${choice}`)} />
          ))}
        </Choice>
        {opponent !== 'person' && (
          <Choice label={t('simulate.period')} value={period} onChange={setPeriod}>
            {opponent === 'argocd' && <FormSelectOption value={BACKOFF} label={t('simulate.period.backoff')} />}
            {PERIODS.map((ms) => (
              <FormSelectOption key={ms} value={String(ms)} label={span(ms)} />
            ))}
          </Choice>
        )}
        <Choice label={t('simulate.duration')} value={String(durationMs)} onChange={(value) => { setDurationMs(Number(value)); }}>
          {DURATIONS.map((ms) => (
            <FormSelectOption key={ms} value={String(ms)} label={span(ms)} />
          ))}
        </Choice>
      </div>
      <ExpandableSection toggleText={t('simulate.fields')} isExpanded={open} onToggle={(_event, expanded) => { setOpen(expanded); }}>
        <p className="pg-help va-quiet">{t('simulate.fieldsHelp')}</p>
        <div className="pg-override-editor pg-override-editor--small">
          <Editor
            document={`simulation ${asset.asset}`}
            value={manifest?.asset === asset.asset ? manifest.text : ''}
            label={t('simulate.fields')}
            onChange={(text) => { setManifest({ asset: asset.asset, text }); }}
          />
        </div>
      </ExpandableSection>
      {run.kind === 'running' && <LoadingState title={t('simulate.running')} />}
      {run.kind === 'failed' && <FailedState title={t('simulate.failed')} message={run.message} />}
      {run.kind === 'done' && <SimulationView simulation={run.simulation} />}
    </div>
  );
}

async function simulate(engine: EngineClient, { actor, durationMs, manifest }: Fight, setRun: (run: Run) => void): Promise<void> {
  try {
    const simulation = await engine.call('simulate', { actors: [actor], durationMs }, manifest);
    setRun({ kind: 'done', simulation });
  } catch (thrown) {
    setRun({ kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

/** The fields come from the manifest, in the worker. */
function actorOf(opponent: Opponent, object: ObjectRef, period: string): Actor {
  switch (opponent) {
    case 'argocd':
      return { kind: 'argocd', object, fields: null, ...(period === BACKOFF ? {} : { periodMs: Number(period) }) };
    case 'controller':
      return { kind: 'controller', manager: 'other-controller', object, fields: null, periodMs: Number(period) || 2000 };
    case 'person':
      return { kind: 'person', object, patch: null, atMs: 10_000 };
  }
}

function isContestable({ object, outcome }: ListedAsset): boolean {
  return object !== null && ['create', 'update', 'inSync', 'paused', 'unmanaged', 'maskFailed'].includes(outcome.kind);
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const;

function span(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1000, 'second'];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(ms / size);
}
