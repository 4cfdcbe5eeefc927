import { Alert, AlertActionLink } from '@patternfly/react-core';

import { useText } from '../text.js';
import type { Diagnostic, Fix, Severity, Source } from '../types.js';
import { nameOf, sentence } from '../values.js';
import { Ticked } from './Ticked.js';

export interface DiagnosticListProps {
  diagnostics: readonly Diagnostic[];
  /** Shows a place of the input. Without it places are named only. */
  onSource?: (source: Source, diagnostic: Diagnostic) => void;
  /** Applies a fix. Without it fixes are not offered. */
  onFix?: (fix: Fix) => void;
}

const WEIGHT: Record<Severity, number> = { error: 0, warning: 1, info: 2 };
const VARIANT = { error: 'danger', warning: 'warning', info: 'info' } as const;

/** The findings, gravest first, each with its place, the next step and what mends it. */
export function DiagnosticList({ diagnostics, onSource, onFix }: DiagnosticListProps) {
  const t = useText();
  if (diagnostics.length === 0) return <p className="va-quiet">{t('diagnostic.none')}</p>;
  const sorted = [...diagnostics].sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity]);
  return (
    <ul className="va-diagnostics">
      {sorted.map((diagnostic, index) => (
        <li key={`${diagnostic.code} ${index}`}>
          <DiagnosticItem diagnostic={diagnostic} {...(onSource && { onSource })} {...(onFix && { onFix })} />
        </li>
      ))}
    </ul>
  );
}

function DiagnosticItem({
  diagnostic,
  onSource,
  onFix,
}: Omit<DiagnosticListProps, 'diagnostics'> & { diagnostic: Diagnostic }) {
  const t = useText();
  const { source } = diagnostic;
  const fixes = onFix ? (diagnostic.fixes ?? []) : [];
  const actions = (
    <>
      {fixes.map((fix) => (
        <AlertActionLink key={fix.title} onClick={() => onFix?.(fix)}>
          {fix.title}
        </AlertActionLink>
      ))}
      {source && onSource && isPlace(source) && (
        <AlertActionLink onClick={() => { onSource(source, diagnostic); }}>{t('diagnostic.show')}</AlertActionLink>
      )}
    </>
  );
  return (
    <Alert
      isInline
      variant={VARIANT[diagnostic.severity]}
      component="h4"
      title={<Ticked text={sentence(diagnostic.message)} />}
      actionLinks={actions}
    >
      {diagnostic.help && (
        <p>
          <Ticked text={sentence(diagnostic.help)} />
        </p>
      )}
      <p className="va-quiet va-diagnostics__place">
        {source && <SourceText source={source} />}
        <code>{diagnostic.code}</code>
      </p>
      {diagnostic.related?.map((related) => (
        <p key={related.message} className="va-quiet">
          {t('diagnostic.related')}: <Ticked text={related.message} /> <SourceText source={related.source} />
        </p>
      ))}
    </Alert>
  );
}

function SourceText({ source }: { source: Source }) {
  const t = useText();
  const parts = [
    source.file,
    source.object && nameOf(source.object),
    source.annotation,
    source.pointer,
    source.span && t('diagnostic.line', { line: source.span.line }),
  ].filter(Boolean);
  return <span>{parts.join(' · ')}</span>;
}

function isPlace(source: Source): boolean {
  return source.object !== undefined || source.file !== undefined;
}
