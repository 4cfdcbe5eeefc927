import {
  FormSelect,
  FormSelectOption,
  Label,
  TextInput,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import { useState } from 'react';

import type { CatalogChoice } from '../catalogs/sources';
import type { Choices } from '../planning/choices';
import type { ReadyPreview } from '../planning/usePreview';
import { useText } from '../text';

export interface ControlsProps {
  preview: Pick<ReadyPreview, 'behaviorFrom' | 'catalog' | 'catalogs' | 'operatorVersion' | 'plan' | 'isReplanning'>;
  choices: Choices;
  onChoose: (changed: Partial<Choices>) => void;
}

/** What the preview goes by: the catalog, the release's behaviour, and the activation. */
export function Controls({ preview, choices, onChoose }: ControlsProps) {
  const t = useText();
  const { plan, operatorVersion, behaviorFrom } = preview;
  return (
    <Toolbar className="va-controls" inset={{ default: 'insetNone' }}>
      <ToolbarContent>
        <ToolbarGroup>
          <ToolbarItem>
            <CatalogSelect
              catalogs={preview.catalogs}
              selected={preview.catalog}
              onSelect={(catalog) => { onChoose({ catalog }); }}
            />
          </ToolbarItem>
          <ToolbarItem>
            <label className="va-field">
              <span className="va-field__name">{t('controls.behavior')}</span>
              <FormSelect
                value={choices.behavior ?? ''}
                aria-label={t('controls.behavior')}
                onChange={(_event, value) => { onChoose({ behavior: value === '' ? null : (value as Choices['behavior']) }); }}
              >
                <FormSelectOption
                  value=""
                  label={
                    operatorVersion === null
                      ? t('controls.behaviorOfCatalog', { behavior: plan.behavior })
                      : t('controls.behaviorOfOperator', { version: operatorVersion })
                  }
                />
                <FormSelectOption value="4.22" label={t('controls.behaviorIs', { behavior: '4.22' })} />
                <FormSelectOption value="4.23" label={t('controls.behaviorIs', { behavior: '4.23' })} />
                <FormSelectOption value="ga" label={t('controls.behaviorGa')} />
              </FormSelect>
            </label>
          </ToolbarItem>
          <ToolbarItem>
            <ActivationChoice activation={choices.activation} onChoose={(activation) => { onChoose({ activation }); }} />
          </ToolbarItem>
        </ToolbarGroup>
        <ToolbarGroup align={{ default: 'alignEnd' }}>
          <ToolbarItem alignSelf="center">
            {behaviorFrom === 'choice' && (
              <Label color="purple" isCompact>
                {t('controls.chosen')}
              </Label>
            )}{' '}
            {choices.activation !== null && (
              <Label color="purple" isCompact>
                {t('controls.whatIf')}
              </Label>
            )}{' '}
            <span className="va-quiet" role="status">
              {preview.isReplanning ? t('controls.replanning') : t('controls.current')}
            </span>
          </ToolbarItem>
        </ToolbarGroup>
      </ToolbarContent>
    </Toolbar>
  );
}

/** Which catalog to go by. */
export function CatalogSelect({
  catalogs,
  selected,
  onSelect,
}: {
  catalogs: readonly CatalogChoice[];
  selected: CatalogChoice | undefined;
  onSelect: (id: string) => void;
}) {
  const t = useText();
  return (
    <label className="va-field">
      <span className="va-field__name">{t('controls.catalog')}</span>
      <FormSelect value={selected?.id ?? ''} aria-label={t('controls.catalog')} onChange={(_event, id) => { onSelect(id); }}>
        {catalogs.map(({ id, name, origin }) => (
          <FormSelectOption key={id} value={id} label={t(origin === 'builtin' ? 'controls.builtin' : 'controls.served', { name })} />
        ))}
      </FormSelect>
    </label>
  );
}

/** The annotated activation, everything, or a list to try. */
function ActivationChoice({ activation, onChoose }: { activation: string | null; onChoose: (activation: string | null) => void }) {
  const t = useText();
  const isList = activation !== null && activation !== 'true' && activation !== 'false';
  const [draft, setDraft] = useState(isList ? activation : '');
  const mode = activation === null ? 'annotated' : isList ? 'list' : activation;
  const commit = () => { if (draft.trim() !== '') onChoose(draft.trim()); };
  return (
    <div className="va-field">
      <span className="va-field__name">{t('controls.activation')}</span>
      <div className="va-field__row">
        <FormSelect
          value={mode}
          aria-label={t('controls.activation')}
          onChange={(_event, value) => { onChoose(value === 'annotated' ? null : value === 'list' ? draft.trim() || 'hco-golden-config' : value); }}
        >
          <FormSelectOption value="annotated" label={t('controls.activationAnnotated')} />
          <FormSelectOption value="true" label={t('controls.activationAll')} />
          <FormSelectOption value="list" label={t('controls.activationList')} />
          <FormSelectOption value="false" label={t('controls.activationOff')} />
        </FormSelect>
        {isList && (
          <TextInput
            aria-label={t('controls.activationNames')}
            value={draft === '' ? activation : draft}
            onChange={(_event, value) => { setDraft(value); }}
            onBlur={commit}
            onKeyDown={(event) => { if (event.key === 'Enter') commit(); }}
          />
        )}
      </div>
    </div>
  );
}
