import { Button, Content, ExpandableSection, Flex, FlexItem, Label, Progress, ProgressMeasureLocation } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { memo, useState } from 'react';
import { OutcomeLabel } from 'virt-autopilot-ui';

import { isApplied } from '../server/dryRun';
import { type DryRuns, type ServerVerdict, isStale } from '../server/useDryRuns';
import { useText } from '../text';
import type { AssetPlan, Plan } from '../types';
import { RefusalText } from './RefusalText';

export interface ServerPanelProps {
  plan: Plan;
  dryRuns: DryRuns;
  onOpen: (asset: string) => void;
}

/** The server's dry run of everything that would be applied, beside what we predict and never mixed with it. */
export function ServerPanel({ plan, dryRuns, onOpen }: ServerPanelProps) {
  const t = useText();
  const [isOpen, setIsOpen] = useState(true);
  const { verdicts, progress, may, run, cancel } = dryRuns;
  const applied = plan.assets.filter(isApplied);
  const permitted = applied.filter(({ asset }) => may?.get(asset) === true);
  const asked = applied.flatMap((asset) => {
    const verdict = verdicts.get(asset.asset);
    return verdict ? [{ asset, verdict }] : [];
  });
  const unanswered = asked.filter(({ verdict }) => verdict.comparison.kind === 'unanswered').length;
  const disagreements = asked.filter(({ verdict }) => verdict.comparison.kind === 'differs' || verdict.comparison.kind === 'contradicts');

  return (
    <section className="va-server" aria-labelledby="va-server-title">
      <Flex alignItems={{ default: 'alignItemsCenter' }} justifyContent={{ default: 'justifyContentSpaceBetween' }}>
        <FlexItem>
          <h2 id="va-server-title" className="va-heading va-heading--flush">
            {t('server.title')}
          </h2>
          <Content component="small" className="va-quiet">
            {t('server.help')}
          </Content>
        </FlexItem>
        <FlexItem>
          {progress ? (
            <Button variant="secondary" onClick={cancel}>
              {t('server.cancel')}
            </Button>
          ) : (
            <Button variant="secondary" isDisabled={permitted.length === 0} onClick={() => { run(permitted); }}>
              {permitted.length === 0 ? t('server.runNone') : t('server.runAll', { count: permitted.length })}
            </Button>
          )}
        </FlexItem>
      </Flex>
      {applied.length === 0 && <p className="va-quiet">{t('server.nothing')}</p>}
      {may && permitted.length < applied.length && (
        <p className="va-quiet">{t('server.mayNot', { count: applied.length - permitted.length })}</p>
      )}
      {progress && (
        <Progress
          value={progress.done}
          max={progress.total}
          label={t('server.progress', { done: progress.done, total: progress.total })}
          valueText={t('server.progress', { done: progress.done, total: progress.total })}
          title={t('server.running')}
          measureLocation={ProgressMeasureLocation.outside}
          size="sm"
        />
      )}
      {asked.length > 0 && (
        <ExpandableSection
          toggleText={[
            t('server.summary', { count: asked.length, disagreements: disagreements.length }),
            ...(unanswered > 0 ? [t('server.summaryUnanswered', { count: unanswered })] : []),
          ].join(', ')}
          isExpanded={isOpen}
          onToggle={(_event, next) => { setIsOpen(next); }}
        >
          <Table aria-label={t('server.title')} variant="compact" gridBreakPoint="grid-md">
            <Thead>
              <Tr>
                <Th>{t('server.asset')}</Th>
                <Th>{t('server.prediction')}</Th>
                <Th>{t('server.answer')}</Th>
                <Th>{t('server.comparison')}</Th>
              </Tr>
            </Thead>
            <Tbody>
              {asked.map(({ asset, verdict }) => (
                <Row key={asset.asset} asset={asset} verdict={verdict} onOpen={onOpen} />
              ))}
            </Tbody>
          </Table>
        </ExpandableSection>
      )}
    </section>
  );
}

interface RowProps {
  asset: AssetPlan;
  verdict: ServerVerdict;
  onOpen: (asset: string) => void;
}

/** One answer. It is not drawn anew with each that is added. */
const Row = memo(function Row({ asset, verdict, onOpen }: RowProps) {
  const t = useText();
  return (
    <Tr>
      <Td dataLabel={t('server.asset')}>
        <button type="button" className="va-link" onClick={() => { onOpen(asset.asset); }}>
          {asset.asset}
        </button>
      </Td>
      <Td dataLabel={t('server.prediction')}>
        <OutcomeLabel kind={asset.outcome.kind} />
      </Td>
      <Td dataLabel={t('server.answer')}>
        <AnswerText verdict={verdict} />
      </Td>
      <Td dataLabel={t('server.comparison')}>
        <ComparisonLabel verdict={verdict} now={asset} />
      </Td>
    </Tr>
  );
});

export function AnswerText({ verdict }: { verdict: ServerVerdict }) {
  const t = useText();
  const { answer } = verdict;
  return answer.kind === 'accepted' ? <>{t('server.accepted')}</> : <RefusalText refusal={answer.refusal} />;
}

/** Whether the server agrees with us, at a glance. */
export function ComparisonLabel({ verdict, now }: { verdict: ServerVerdict; now: AssetPlan }) {
  const t = useText();
  const { comparison } = verdict;
  const labels = {
    agrees: { status: 'success', text: t('server.agrees') },
    differs: { status: 'warning', text: t('server.differs', { count: comparison.kind === 'differs' ? comparison.changes.length : 0 }) },
    contradicts: { status: 'danger', text: t('server.contradicts') },
    unanswered: { status: 'info', text: t('server.unanswered') },
  } as const;
  const { status, text } = labels[comparison.kind];
  return (
    <span className="va-labels">
      <Label status={status} variant="outline">
        {text}
      </Label>
      {isStale(verdict, now) && (
        <Label isCompact color="grey">
          {t('server.stale')}
        </Label>
      )}
    </span>
  );
}
