import { Alert, Button, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useEffect, useMemo, useState } from 'react';
import { type AssetPlan, IGNORE_FIELDS, type ListedAsset, LoadingState, MaskPicker, OverrideResult, maskableFields } from 'virt-autopilot-ui';

import { Editor } from '../editor/Editor';
import { type EngineClient, newestWins } from '../engine/client';
import type { Intent, Overridable, Planned, Tried } from '../engine/protocol';
import type { Session } from '../session';
import { t } from '../texts';

export interface OverridePanelProps {
  engine: EngineClient;
  asset: ListedAsset;
  planned: Planned;
  session: Session;
  onSession: (update: (session: Session) => Session) => void;
  onNotice: (title: string) => void;
}

const WAYS = ['edit', 'mask', 'unmanage', 'exclude'] as const;
type Way = (typeof WAYS)[number];

type Trial = { kind: 'none' } | { kind: 'tried'; tried: Tried } | { kind: 'failed'; message: string };

/** Overrides by hand: say what should be, and see which annotation says so and whether the controller follows it. */
export function OverridePanel(props: OverridePanelProps) {
  const overridable = useOverridable(props);
  if (props.asset.object === null) return <p className="va-quiet">{t('override.noObject')}</p>;
  if (overridable === undefined) return <LoadingState title={t('override.preparing')} />;
  const { asset, text } = overridable;
  if (text === null) return <p className="va-quiet">{t('override.noObject')}</p>;
  return <Overriding {...props} asset={asset} start={text} />;
}

/** The asset with its objects; `undefined` until they are there. Those of the plan before stay until then. */
function useOverridable({ engine, asset: { asset }, planned }: OverridePanelProps): Overridable | undefined {
  const [overridable, setOverridable] = useState<Overridable>();
  useEffect(() => {
    let gone = false;
    engine.call('overridable', asset).then(
      (found) => { if (!gone) setOverridable(found); },
      // A newer plan may not have the asset any more.
      () => undefined,
    );
    return () => { gone = true; };
  }, [engine, asset, planned]);
  return overridable;
}

interface OverridingProps extends OverridePanelProps {
  asset: AssetPlan;
  /** The object as it is now, as YAML. */
  start: string;
}

function Overriding({ engine, asset, start, planned, session, onSession, onNotice }: OverridingProps) {
  const [way, setWay] = useState<Way>('edit');
  const [text, setText] = useState(start);
  const [marked, setMarked] = useState<string[]>(() => maskOf(asset));
  const [trial, setTrial] = useState<Trial>({ kind: 'none' });
  const fields = useMemo(() => withMarked(maskableFields(asset), marked), [asset, marked]);

  const intent = intentOf(way, { text, start, marked, before: maskOf(asset) });
  const attempt = useMemo(() => trier(engine, asset.asset, setTrial), [engine, asset.asset]);
  const key = JSON.stringify(intent);
  useEffect(() => {
    if (intent === undefined) setTrial({ kind: 'none' });
    else attempt(intent);
    // The intent is new with each rendering, and its key is not. A new plan is judged anew.
  }, [attempt, key, planned]); // eslint-disable-line react-hooks/exhaustive-deps

  const add = (tried: Tried) => {
    void engine.call('addOverride', session.overrides, tried.override).then((overrides) => {
      onSession((before) => ({ ...before, overrides }));
      onNotice(t('override.added'));
    });
  };

  return (
    <div className="va-override">
      <ToggleGroup aria-label={t('override.how')} className="va-wrap">
        {WAYS.map((choice) => (
          <ToggleGroupItem
            key={choice}
            text={t(`override.${choice}`)}
            isSelected={way === choice}
            onChange={() => { setWay(choice); }}
          />
        ))}
      </ToggleGroup>
      {asset.live === null && way !== 'exclude' && <Alert isInline isPlain variant="info" title={t('override.notLive')} />}
      {way === 'edit' && (
        <div>
          <div className="va-snippet__head">
            <p className="va-quiet">{t('override.editHelp')}</p>
            <Button variant="link" isInline isDisabled={text === start} onClick={() => { setText(start); }}>
              {t('override.reset')}
            </Button>
          </div>
          <div className="pg-override-editor">
            <Editor document={asset.asset} value={text} label={t('override.editLabel')} onChange={setText} />
          </div>
        </div>
      )}
      {way === 'mask' && <MaskPicker fields={fields} marked={marked} onMark={setMarked} />}
      {way === 'unmanage' && <p className="va-quiet">{t('override.unmanageHelp')}</p>}
      {way === 'exclude' && <p className="va-quiet">{t('override.excludeHelp')}</p>}
      {trial.kind === 'none' && <p className="va-quiet">{t('override.unchanged')}</p>}
      {trial.kind === 'failed' && (
        <Alert isInline isLiveRegion variant="danger" title={t('override.failed', { message: trial.message })} />
      )}
      {trial.kind === 'tried' && (
        <OverrideResult
          override={trial.tried.override}
          verdict={trial.tried.verdict}
          manifest={trial.tried.manifest}
          actions={
            <div>
              <Button onClick={() => { add(trial.tried); }}>{t('override.add')}</Button>
            </div>
          }
        />
      )}
    </div>
  );
}

interface Wish {
  text: string;
  start: string;
  marked: string[];
  before: string[];
}

/** `undefined` where nothing is wished for yet. */
function intentOf(way: Way, { text, start, marked, before }: Wish): Intent | undefined {
  switch (way) {
    case 'edit':
      return text === start ? undefined : { kind: 'edit', text };
    case 'mask':
      return marked.join() === before.join() ? undefined : { kind: 'mask', pointers: marked };
    case 'unmanage':
      return { kind: 'unmanage' };
    case 'exclude':
      return { kind: 'exclude' };
  }
}

function trier(engine: EngineClient, asset: string, setTrial: (trial: Trial) => void) {
  return newestWins(async (intent: Intent) => {
    try {
      const tried = await engine.call('tryOverride', asset, intent);
      setTrial(tried ? { kind: 'tried', tried } : { kind: 'none' });
    } catch (thrown) {
      setTrial({ kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  });
}

/** The pointers that are masked already. */
function maskOf(asset: AssetPlan): string[] {
  const annotations = asset.live?.metadata?.['annotations'] as Record<string, unknown> | undefined;
  const value = annotations?.[IGNORE_FIELDS];
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()).filter((part) => part !== '') : [];
}

/** A masked field does not change any more, but can be taken out of the mask. */
function withMarked(fields: ReturnType<typeof maskableFields>, marked: readonly string[]): ReturnType<typeof maskableFields> {
  const missing = marked.filter((pointer) => !fields.some((field) => field.pointer === pointer));
  return [...fields, ...missing.map((pointer) => ({ pointer, kind: 'replaced' as const }))];
}
