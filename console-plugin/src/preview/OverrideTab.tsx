import { Alert, Button, Content, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { CodeEditor, useOverlay } from '@openshift-console/dynamic-plugin-sdk';
import { useEffect, useMemo, useState } from 'react';
import { ChangeList, MaskPicker, type Override, OverrideResult, manifestOf, maskableFields, sameObject } from 'virt-autopilot-ui';

import { isAllowed } from '../cluster/access';
import { kindFrom } from '../cluster/kinds';
import { type OverrideWay, editOf, exclude, ignoreFields, patch, unmanaged, verdictFrom } from '../planning/override';
import type { ReadyPreview } from '../planning/usePreview';
import { changeOn } from '../server/annotate';
import { useText } from '../text';
import type { AssetPlan, Json, KubeObject, ObjectRef } from '../types';
import { ConfirmAnnotation } from './ConfirmAnnotation';

const WAYS: readonly OverrideWay[] = ['fields', 'edit', 'unmanaged', 'exclude'];

/** Makes an override of one asset: chooses it, sees its effect, and brings it to Git or onto the object. */
export function OverrideTab({ asset, preview }: { asset: AssetPlan; preview: ReadyPreview }) {
  const t = useText();
  const [way, setWay] = useState<OverrideWay>('fields');
  const { object, live } = asset;
  if (!object) return <p className="va-quiet">{t('override.noObject')}</p>;
  const isThere = live !== null || way === 'exclude';
  return (
    <div className="va-stack">
      <ToggleGroup aria-label={t('override.ways')}>
        {WAYS.map((choice) => (
          <ToggleGroupItem key={choice} text={t(`override.way.${choice}`)} isSelected={way === choice} onChange={() => { setWay(choice); }} />
        ))}
      </ToggleGroup>
      <Content component="p">{t(`override.wayHelp.${way}`)}</Content>
      {isThere ? (
        <Way key={`${asset.asset} ${way}`} way={way} asset={asset} object={object} preview={preview} />
      ) : (
        <Alert isInline component="p" variant="info" title={t('override.notThere')} />
      )}
    </div>
  );
}

function Way({ way, asset, object, preview }: { way: OverrideWay; asset: AssetPlan; object: ObjectRef; preview: ReadyPreview }) {
  const [marked, setMarked] = useState<string[]>([]);
  const [edited, setEdited] = useState<Json>();
  const { hyperConverged } = preview;
  const override = useMemo<Override | undefined>(() => {
    if (way === 'fields') return marked.length > 0 ? ignoreFields(object, marked) : undefined;
    if (way === 'edit') return edited === undefined ? undefined : patch(object, edited);
    return way === 'unmanaged' ? unmanaged(object) : exclude(hyperConverged, object);
  }, [way, marked, edited, object, hyperConverged]);
  return (
    <>
      {way === 'fields' && <MaskPicker fields={maskableFields(asset)} marked={marked} onMark={setMarked} />}
      {way === 'edit' && <ObjectEditor asset={asset} preview={preview} onPatch={setEdited} />}
      {override && <Effect override={override} asset={asset} preview={preview} />}
    </>
  );
}

/** The baseline as YAML, to be edited; the patch is what was changed in it. */
function ObjectEditor({ asset, preview, onPatch }: { asset: AssetPlan; preview: ReadyPreview; onPatch: (operations: Json | undefined) => void }) {
  const t = useText();
  const { client } = preview;
  const { baseline } = asset;
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    if (baseline) void client.call('write', { objects: [baseline] }).then(([yaml]) => { if (isCurrent) setText(yaml ?? ''); });
    return () => {
      isCurrent = false;
    };
    // The text is written once. A change of the baseline meanwhile must not undo what was typed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [client]);
  if (!baseline) return <p className="va-quiet">{t('override.noBaseline')}</p>;
  if (text === undefined) return null;
  const take = (after: string) => {
    setText(after);
    client.call('patch', { before: baseline, after }).then(
      (operations) => {
        setProblem(undefined);
        onPatch(Array.isArray(operations) && operations.length === 0 ? undefined : operations);
      },
      (thrown: unknown) => {
        setProblem(thrown instanceof Error ? thrown.message : String(thrown));
        onPatch(undefined);
      },
    );
  };
  return (
    <>
      <CodeEditor value={text} language={YAML} minHeight="320px" onChange={take} isMinimapVisible={false} />
      {problem !== undefined && <Alert isInline isPlain component="p" variant="danger" title={t('override.notYaml', { message: problem })} />}
    </>
  );
}

/** The editor's name for YAML. Its enumeration lives in a package that only the console has. */
const YAML = 'yaml' as never;

/** What comes of an override, and the ways to bring it about. */
function Effect({ override, asset, preview }: { override: Override; asset: AssetPlan; preview: ReadyPreview }) {
  const t = useText();
  const { client, question } = preview;
  const [known, setKnown] = useState<{ of: Override; effect: ReturnType<typeof verdictFrom>; manifest: string }>();
  useEffect(() => {
    let isCurrent = true;
    const annotations = [editOf(override)];
    void Promise.all([
      client.call('plan', { question: { ...question, annotations } }),
      client.call('write', { objects: [manifestOf(override)] }),
    ]).then(([plan, [text]]) => {
      if (isCurrent) setKnown({ of: override, effect: verdictFrom(plan, asset.asset), manifest: text ?? '' });
    });
    return () => {
      isCurrent = false;
    };
  }, [client, question, override, asset.asset, preview.plan]);
  const { effect, manifest } = known?.of === override ? known : {};
  return (
    <>
      <OverrideResult
        override={override}
        verdict={effect?.verdict}
        manifest={manifest}
        actions={manifest !== undefined && <AnnotateButton override={override} manifest={manifest} preview={preview} />}
      />
      {effect && (
        <>
          <h3 className="va-heading">{t('override.effect')}</h3>
          {effect.after.changes.length === 0 ? <p className="va-quiet">{t('override.noEffect')}</p> : <ChangeList changes={effect.after.changes} />}
        </>
      )}
    </>
  );
}

export function AnnotateButton({ override, manifest, preview }: { override: Override; manifest: string; preview: ReadyPreview }) {
  const t = useText();
  const launch = useOverlay();
  const { findModel, objects } = preview;
  const { object } = override;
  const model = findModel(kindFrom(object));
  const live = liveOf(objects, object);
  const [may, setMay] = useState<boolean>();
  useEffect(() => {
    let isCurrent = true;
    if (model) {
      void isAllowed(model, 'patch', { name: object.name, ...(object.namespace !== '' && { namespace: object.namespace }) }).then((allowed) => {
        if (isCurrent) setMay(allowed);
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [model, object]);
  if (!model || !live) return null;
  const open = () => {
    launch(ConfirmAnnotation, { model, live, change: changeOn(live, override.annotation, override.value), manifest });
  };
  return (
    <div>
      <Button variant="primary" isDisabled={may !== true} onClick={open}>
        {t('override.annotate')}
      </Button>{' '}
      {may === false && <span className="va-quiet">{t('override.mayNot')}</span>}
    </div>
  );
}

export function liveOf(objects: readonly KubeObject[], ref: ObjectRef): KubeObject | undefined {
  return objects.find(({ apiVersion, kind, metadata }) =>
    sameObject({ apiVersion, kind, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' }, ref),
  );
}

