/** The pieces of an override editor. Hosts put them together with their own ways to plan and to write. */

import { Alert, Checkbox, ExpandableSection, Spinner } from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';

import { type Override, commandOf } from '../annotations.js';
import type { OutcomeKind } from '../outcomes.js';
import { useText } from '../text.js';
import type { Change, Diagnostic, Json } from '../types.js';
import { inline } from '../values.js';
import { CopyButton } from './CopyButton.js';
import { DiagnosticList } from './DiagnosticList.js';
import { PathText } from './PathText.js';
import { YamlText } from './YamlText.js';

/** What the controller would make of an override. */
export interface OverrideVerdict {
  accepted: boolean;
  outcome: OutcomeKind;
  diagnostics: readonly Diagnostic[];
}

export interface OverrideResultProps {
  override: Override;
  /** `undefined` while it is being worked out. */
  verdict: OverrideVerdict | undefined;
  /** The manifest as YAML; `undefined` while it is being written. */
  manifest: string | undefined;
  actions?: ReactNode;
}

/** The annotation, whether it would be accepted, and how to bring it to the cluster. */
export function OverrideResult({ override, verdict, manifest, actions }: OverrideResultProps) {
  const t = useText();
  const command = commandOf(override);
  return (
    <div className="va-override">
      <Verdict verdict={verdict} />
      {override.value !== null && (
        <Snippet title={override.annotation} text={pretty(override.value)} copy={override.value} what={t('override.value')} />
      )}
      {manifest !== undefined && <Snippet title={t('override.manifest')} text={manifest} what={t('override.manifest')} />}
      <Snippet title={t('override.command')} text={command} what={t('override.command')} />
      <p className="va-quiet">{t('override.gitOwns')}</p>
      {actions}
    </div>
  );
}

function Verdict({ verdict }: { verdict: OverrideVerdict | undefined }) {
  const t = useText();
  if (verdict === undefined) {
    return (
      <p role="status">
        <Spinner size="md" aria-hidden="true" /> {t('override.checking')}
      </p>
    );
  }
  const outcome = t(`outcome.${verdict.outcome}`);
  return (
    <div role="status" className="va-override__verdict">
      <Alert
        isInline
        component="h4"
        variant={verdict.accepted ? 'success' : 'danger'}
        title={verdict.accepted ? t('override.accepted') : t('override.refused')}
      >
        {t('override.result', { outcome })}
      </Alert>
      {verdict.diagnostics.length > 0 && <DiagnosticList diagnostics={verdict.diagnostics} />}
    </div>
  );
}

function Snippet({ title, text, copy, what }: { title: string; text: string; copy?: string; what: string }) {
  return (
    <div className="va-snippet">
      <div className="va-snippet__head">
        <h4>{title}</h4>
        <CopyButton text={copy ?? text} what={what} />
      </div>
      <YamlText text={text} label={title} />
    </div>
  );
}

/** A patch is easier to read with one operation a line. */
function pretty(value: string): string {
  try {
    const operations: unknown = JSON.parse(value);
    if (!Array.isArray(operations) || operations.length < 2) return value;
    return `[\n${operations.map((operation) => `  ${JSON.stringify(operation)}`).join(',\n')}\n]`;
  } catch {
    return value;
  }
}

export interface MaskPickerProps {
  /** The fields that the plan would change, each of which can be left alone instead. */
  fields: readonly Change[];
  marked: readonly string[];
  onMark: (pointers: string[]) => void;
}

/** Marks the fields whose live value is to stay. */
export function MaskPicker({ fields, marked, onMark }: MaskPickerProps) {
  const t = useText();
  const [open, setOpen] = useState(true);
  if (fields.length === 0) return <p className="va-quiet">{t('override.noFields')}</p>;
  const describe = ({ before, after }: Change) => {
    // A field that is masked already does not change, so that nothing is known of it here.
    if (before === undefined && after === undefined) return '';
    const value = (of: Json | undefined) => (of === undefined ? t('change.absent') : inline(of, 40));
    return `${t('override.liveValue', { value: value(before) })} · ${t('override.wanted', { value: value(after) })}`;
  };
  const toggle = (pointer: string, on: boolean) => {
    onMark(on ? [...marked, pointer] : marked.filter((other) => other !== pointer));
  };
  return (
    <ExpandableSection toggleText={t('override.fields')} isExpanded={open} onToggle={(_event, next) => { setOpen(next); }}>
      <p className="va-quiet">{t('override.fieldsHelp')}</p>
      <ul className="va-plain-list va-mask">
        {fields.map((change) => (
          <li key={change.pointer}>
            <Checkbox
              id={`va-mask-${change.pointer}`}
              aria-label={change.pointer}
              label={<PathText path={change.pointer} />}
              description={describe(change)}
              isChecked={marked.includes(change.pointer)}
              onChange={(_event, on) => { toggle(change.pointer, on); }}
            />
          </li>
        ))}
      </ul>
    </ExpandableSection>
  );
}
