import { EmptyState, EmptyStateBody } from '@patternfly/react-core';
import CheckCircleIcon from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { type Diagnostic, DiagnosticList, type Fix, type Source } from 'virt-autopilot-ui';

import type { Planned } from '../engine/protocol';
import { t } from '../texts';

export interface Findings {
  input: Diagnostic[];
  plan: Diagnostic[];
}

/** All findings: what is wrong with the input, and what the plan says. */
export function findingsOf({ plan, problems }: Planned): Findings {
  const all = [...plan.diagnostics, ...plan.impact.diagnostics, ...plan.assets.flatMap(({ diagnostics }) => diagnostics)];
  const keys = new Set<string>();
  const once = all.filter((diagnostic) => {
    const key = JSON.stringify([diagnostic.code, diagnostic.message, diagnostic.source?.object]);
    return !keys.has(key) && keys.add(key);
  });
  return { input: problems, plan: once };
}

export interface FindingsTabProps {
  findings: Findings;
  onSource: (source: Source, diagnostic: Diagnostic) => void;
  onFix: (fix: Fix) => void;
}

export function FindingsTab({ findings, onSource, onFix }: FindingsTabProps) {
  if (findings.input.length + findings.plan.length === 0) {
    return (
      <EmptyState headingLevel="h2" titleText={t('result.noFindings')} icon={CheckCircleIcon} variant="sm">
        <EmptyStateBody>{t('result.noFindingsHelp')}</EmptyStateBody>
      </EmptyState>
    );
  }
  return (
    <div className="pg-plan">
      {(['input', 'plan'] as const).map(
        (group) =>
          findings[group].length > 0 && (
            <section key={group}>
              <h2 className="va-heading">{t(group === 'input' ? 'result.findingsInput' : 'result.findingsPlan')}</h2>
              <DiagnosticList diagnostics={findings[group]} onSource={onSource} onFix={onFix} />
            </section>
          ),
      )}
    </div>
  );
}
