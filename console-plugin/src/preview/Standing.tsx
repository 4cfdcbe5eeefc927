import { Button, Content, EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter } from '@patternfly/react-core';
import { LoadingState } from 'virt-autopilot-ui';

import type { EngineFault } from '../engine/protocol';
import type { Preview } from '../planning/usePreview';
import { useText } from '../text';
import { MissingReadings } from './MissingReadings';

/** What stands in place of a preview: on its way, nothing to preview, or why there is none. */
export function Standing({ preview }: { preview: Exclude<Preview, { kind: 'ready' }> }) {
  const t = useText();
  switch (preview.kind) {
    case 'starting':
      return <LoadingState title={t('standing.starting')} />;
    case 'reading':
      return <LoadingState title={t('standing.reading')} />;
    case 'planning':
      return <LoadingState title={t('standing.planning')} />;
    case 'none':
      return (
        <EmptyState headingLevel="h2" titleText={t('standing.none')}>
          <EmptyStateBody>{t('standing.noneHelp')}</EmptyStateBody>
        </EmptyState>
      );
    case 'unreadable':
      return (
        <>
          <EmptyState headingLevel="h2" titleText={t('standing.unreadable')} status="warning">
            <EmptyStateBody>{t('standing.unreadableHelp')}</EmptyStateBody>
          </EmptyState>
          <MissingReadings missing={preview.missing} />
        </>
      );
    case 'fault':
      return <Fault at={preview.at} fault={preview.fault} retry={preview.retry} />;
  }
}

function Fault({ at, fault, retry }: { at: 'engine' | 'catalog' | 'plan'; fault: EngineFault; retry: (() => void) | null }) {
  const t = useText();
  const isBlocked = fault.kind === 'blocked';
  return (
    <EmptyState headingLevel="h2" titleText={isBlocked ? t('fault.blocked') : t(`fault.${at}`)} status={isBlocked ? 'warning' : 'danger'} role="alert">
      <EmptyStateBody>
        {isBlocked ? (
          <>
            <Content component="p">{t('fault.blockedHelp')}</Content>
            <Content component="p">{t('fault.blockedElsewhere')}</Content>
          </>
        ) : (
          <Content component="p">{t('fault.help')}</Content>
        )}
        {(fault.problems.length > 0 ? fault.problems : [fault.message]).map((message) => (
          <Content key={message} component="small">
            {t('fault.words', { message })}
          </Content>
        ))}
      </EmptyStateBody>
      {retry && !isBlocked && (
        <EmptyStateFooter>
          <EmptyStateActions>
            <Button variant="primary" onClick={retry}>
              {t('fault.retry')}
            </Button>
          </EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}
