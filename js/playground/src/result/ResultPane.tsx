import { Alert, AlertActionLink, Badge, Tab, TabTitleText, Tabs } from '@patternfly/react-core';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import {
  type Diagnostic,
  EmptyPlanState,
  FailedState,
  type Fix,
  LoadingState,
  type Source,
  Ticked,
  TooLargeState,
} from 'virt-autopilot-ui';

import type { EngineClient, EngineFailure } from '../engine/client';
import type { Planned } from '../engine/protocol';
import type { PlanState } from '../engine/usePlan';
import type { Session } from '../session';
import { t } from '../texts';
import { EventsTab } from './EventsTab';
import { FindingsTab, findingsOf } from './FindingsTab';
import { PlanTab } from './PlanTab';
import { SimulationTab } from './SimulationTab';

export interface ResultPaneProps {
  engine: EngineClient;
  state: PlanState;
  /** The newest plan there is, which may be older than the input. */
  planned: Planned | undefined;
  session: Session;
  onSession: (update: (session: Session) => Session) => void;
  asset: string | undefined;
  onAsset: (asset: string | undefined) => void;
  onSource: (source: Source, diagnostic: Diagnostic) => void;
  onFix: (fix: Fix) => void;
  onRetry: () => void;
  empty: ReactNode;
  onNotice: (title: string) => void;
}

type ResultTab = 'plan' | 'findings' | 'simulation' | 'events';

/** The right side: what comes of the input. */
export function ResultPane(props: ResultPaneProps) {
  const { engine, state, planned, session, onSession, asset, onAsset, onSource, onFix, onRetry, empty, onNotice } = props;
  const [tab, setTab] = useState<ResultTab>('plan');
  const findings = useMemo(() => (planned ? findingsOf(planned) : { input: [], plan: [] }), [planned]);
  const count = findings.input.length + findings.plan.length;
  const errors = findings.input.filter(({ severity }) => severity === 'error').length;

  useEffect(() => {
    if (planned) markPainted();
  }, [planned]);

  return (
    <section className="pg-pane pg-result" id="result" tabIndex={-1} aria-label={t('app.result')}>
      {planned === undefined || state.kind === 'empty' || state.kind === 'tooLarge' ? (
        <Standing state={state} empty={empty} onRetry={onRetry} />
      ) : (
        <>
          {state.kind === 'failed' && (
            <Alert isInline variant="danger" title={<Ticked text={t('result.stale', { message: state.failure.message })} />} className="pg-gap">
              <Problems failure={state.failure} />
            </Alert>
          )}
          {errors > 0 && tab !== 'findings' && (
            <Alert
              isInline
              variant="danger"
              className="pg-gap"
              title={t('result.problems', { count: errors })}
              actionLinks={<AlertActionLink onClick={() => { setTab('findings'); }}>{t('result.problemsShow')}</AlertActionLink>}
            />
          )}
          <Tabs
            aria-label={t('result.tabs')}
            activeKey={tab}
            onSelect={(_event, key) => { setTab(key as ResultTab); }}
            mountOnEnter
            unmountOnExit
            className="pg-tabs"
          >
            <Tab eventKey="plan" title={<TabTitleText>{t('result.plan')}</TabTitleText>}>
              <PlanTab
                engine={engine}
                planned={planned}
                session={session}
                onSession={onSession}
                asset={asset}
                onAsset={onAsset}
                onSource={onSource}
                onFix={onFix}
                onNotice={onNotice}
              />
            </Tab>
            <Tab
              eventKey="findings"
              title={
                <TabTitleText>
                  {t('result.findings')} {count > 0 && <Badge isRead>{count}</Badge>}
                </TabTitleText>
              }
            >
              <FindingsTab findings={findings} onSource={onSource} onFix={onFix} />
            </Tab>
            <Tab eventKey="simulation" title={<TabTitleText>{t('result.simulation')}</TabTitleText>}>
              <SimulationTab engine={engine} planned={planned} asset={asset} />
            </Tab>
            <Tab eventKey="events" title={<TabTitleText>{t('result.events')}</TabTitleText>}>
              <EventsTab engine={engine} planned={planned} />
            </Tab>
          </Tabs>
          <p className="pg-status va-quiet va-small" data-testid="status">
            {t('result.objects', { count: planned.objects })} · {t('result.took', { ms: Math.round(planned.took) })}
          </p>
        </>
      )}
    </section>
  );
}

/** Everything that is wrong with a request, where the engine knows more than one thing. */
function Problems({ failure }: { failure: EngineFailure }) {
  // One alone is in the message.
  if (failure.problems.length < 2) return null;
  return (
    <ul>
      {failure.problems.map(({ code, message }) => (
        <li key={`${code} ${message}`}>
          <Ticked text={message} />
        </li>
      ))}
    </ul>
  );
}

/** Where the browser measures from: the first frame after the one that shows the plan. */
const PAINTED = 'virt-autopilot:painted';

function markPainted(): void {
  requestAnimationFrame(() => {
    setTimeout(() => {
      performance.clearMarks(PAINTED);
      performance.mark(PAINTED);
    });
  });
}

/** What stands in place of a plan. */
function Standing({ state, empty, onRetry }: { state: PlanState; empty: ReactNode; onRetry: () => void }) {
  switch (state.kind) {
    case 'empty':
      return empty;
    case 'tooLarge':
      return <TooLargeState size={state.size} limit={state.limit} />;
    case 'failed':
      return (
        <FailedState
          message={state.failure.message}
          details={<Problems failure={state.failure} />}
          onRetry={onRetry}
        />
      );
    case 'loading':
      return <LoadingState />;
    case 'planned':
      return <EmptyPlanState />;
  }
}
