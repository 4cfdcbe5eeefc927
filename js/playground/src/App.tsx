import { Alert, AlertActionCloseButton, AlertGroup } from '@patternfly/react-core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Diagnostic, EmptyPlanState, FailedState, type Fix, LoadingState, type Source, Ticked } from 'virt-autopilot-ui';

import { Header } from './Header';
import { type Reveal, loadEditor } from './editor/Editor';
import { EngineClient } from './engine/client';
import type { Planned, Started } from './engine/protocol';
import { usePlan } from './engine/usePlan';
import { InputPane } from './input/InputPane';
import { SamplesDialog } from './input/SamplesDialog';
import { applyFix } from './input/fix';
import { ResultPane } from './result/ResultPane';
import { DEMO, EMPTY, type InputTab, type Session, sessionOfSample, textsOf } from './session';
import { ShareDialog } from './share/ShareDialog';
import { sessionOfFragment } from './share/link';
import { t } from './texts';
import { useTheme } from './theme';
import { warmUp } from './warm';

interface Notice {
  title: string;
  text?: string;
  variant: 'success' | 'warning' | 'danger';
}

type Start = { kind: 'starting' } | { kind: 'failed'; message: string } | { kind: 'started'; started: Started };

export function App() {
  const engine = useMemo(() => new EngineClient(), []);
  const [start, setStart] = useState<Start>({ kind: 'starting' });
  const [attempt, setAttempt] = useState(0);
  const [session, setSession] = useState<Session>(EMPTY);
  const [notice, setNotice] = useState<Notice>();
  const [theme, setTheme] = useTheme();

  useEffect(() => {
    let gone = false;
    const begin = async () => {
      try {
        const started = await engine.call('start');
        const [first, broken] = await firstSession(started);
        if (gone) return;
        setSession(first);
        setStart({ kind: 'started', started });
        if (broken) setNotice({ variant: 'warning', title: t('share.broken'), text: t('share.brokenHelp') });
        warmUp();
      } catch (thrown) {
        if (!gone) setStart({ kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) });
      }
    };
    setStart({ kind: 'starting' });
    void begin();
    return () => { gone = true; };
  }, [engine, attempt]);

  return (
    <>
      {start.kind === 'starting' && (
        <Fill>
          <LoadingState title={t('app.starting')} />
        </Fill>
      )}
      {start.kind === 'failed' && (
        <Fill>
          <FailedState
            title={t('app.noEngine')}
            message={t('app.noEngineHelp', { message: start.message })}
            onRetry={() => { setAttempt(attempt + 1); }}
          />
        </Fill>
      )}
      {start.kind === 'started' && (
        <Workbench
          engine={engine}
          started={start.started}
          session={session}
          onSession={setSession}
          onNotice={setNotice}
          theme={theme}
          onTheme={setTheme}
        />
      )}
      <AlertGroup isToast isLiveRegion>
        {notice && (
          <Alert
            variant={notice.variant}
            title={<Ticked text={notice.title} />}
            timeout={6000}
            onTimeout={() => { setNotice(undefined); }}
            actionClose={<AlertActionCloseButton onClose={() => { setNotice(undefined); }} />}
          >
            {notice.text}
          </Alert>
        )}
      </AlertGroup>
    </>
  );
}

function Fill({ children }: { children: React.ReactNode }) {
  return <main className="pg-fill">{children}</main>;
}

interface WorkbenchProps {
  engine: EngineClient;
  started: Started;
  session: Session;
  onSession: (update: (session: Session) => Session) => void;
  onNotice: (notice: Notice) => void;
  theme: ReturnType<typeof useTheme>[0];
  onTheme: ReturnType<typeof useTheme>[1];
}

type Dialog = 'samples' | 'share';

function Workbench({ engine, started, session, onSession, onNotice, theme, onTheme }: WorkbenchProps) {
  const { demo } = started;
  const [state, retry] = usePlan(engine, session);
  const [dialog, setDialog] = useState<Dialog>();
  /** Which pane a narrow page shows. */
  const [pane, setPane] = useState<'input' | 'result'>('result');
  const [tab, setTab] = useState<InputTab>('hco');
  const [reveal, setReveal] = useState<Reveal>();
  const [asset, setAsset] = useState<string>();

  const planned = state.kind === 'planned' ? state.planned : state.kind === 'failed' ? state.last : undefined;

  const openSample = useCallback(
    (sample: string) => {
      onSession(() => sessionOfSample(demo, sample));
      setAsset(undefined);
      setTab('hco');
      setDialog(undefined);
    },
    [demo, onSession],
  );

  const showSource = useCallback(
    (source: Source) => {
      void loadEditor().then(({ placeOf }) => {
        const texts = textsOf(session).filter(({ name }) => source.file === undefined || source.file === name);
        const place = texts.map((text) => ({ ...text, range: placeOf(text.text, source) })).find(({ range }) => range !== undefined);
        // Where the place itself is not written anywhere, its object still may be.
        const near = source.object && { object: source.object };
        const fallback = place ?? (near && texts.map((text) => ({ ...text, range: placeOf(text.text, near) })).find(({ range }) => range));
        if (!fallback?.range) return;
        setPane('input');
        setTab(fallback.tab);
        const range = fallback.range;
        setReveal((before) => ({ document: fallback.name, ...range, count: (before?.count ?? 0) + 1 }));
      });
    },
    [session],
  );

  const fix = useCallback(
    (chosen: Fix) => {
      void applyFix(engine, session, chosen).then((fixed) => {
        onSession(() => fixed);
        onNotice({ variant: 'success', title: t('fix.done', { title: chosen.title }) });
      });
    },
    [engine, session, onSession, onNotice],
  );

  const findings = useMemo(() => (planned ? allFindings(planned) : []), [planned]);

  return (
    <div className="pg-page">
      <Header
        pane={pane}
        onPane={setPane}
        theme={theme}
        onTheme={onTheme}
        plan={planned?.plan}
        engine={engine}
        onSamples={() => { setDialog('samples'); }}
        onShare={() => { setDialog('share'); }}
        onNotice={(title) => { onNotice({ variant: 'success', title }); }}
      />
      <main className={`pg-main pg-main--${pane}`}>
        <InputPane
          session={session}
          onSession={onSession}
          catalogs={started.catalogs}
          catalogBehavior={planned?.plan.behavior}
          demo={demo}
          tab={tab}
          onTab={setTab}
          findings={findings}
          reveal={reveal}
        />
        <ResultPane
          engine={engine}
          state={state}
          planned={planned}
          session={session}
          onSession={onSession}
          asset={asset}
          onAsset={setAsset}
          onSource={showSource}
          onFix={fix}
          onRetry={retry}
          empty={
            <EmptyPlanState title={t('result.emptyTitle')} help={t('result.emptyHelp')}>
              <button type="button" className="va-link" onClick={() => { openSample(DEMO); }}>
                {t('result.openSample')}
              </button>
            </EmptyPlanState>
          }
          onNotice={(title) => { onNotice({ variant: 'success', title }); }}
        />
      </main>
      {dialog === 'samples' && <SamplesDialog demo={demo} chosen={session.sample} onChoose={openSample} onClose={() => { setDialog(undefined); }} />}
      {dialog === 'share' && <ShareDialog session={session} demo={demo} onClose={() => { setDialog(undefined); }} />}
    </div>
  );
}

/** What the page begins with: what the address holds, or else the demo cluster. */
async function firstSession({ demo }: Started): Promise<[Session, boolean]> {
  try {
    const shared = await sessionOfFragment(location.hash, demo);
    if (shared) return [shared, false];
    return [sessionOfSample(demo, DEMO), false];
  } catch {
    return [sessionOfSample(demo, DEMO), true];
  }
}

function allFindings({ plan, problems }: Planned): Diagnostic[] {
  return [...problems, ...plan.diagnostics, ...plan.impact.diagnostics, ...plan.assets.flatMap(({ diagnostics }) => diagnostics)];
}
