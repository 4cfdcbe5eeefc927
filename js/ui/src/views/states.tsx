/** What stands in place of a view: nothing yet, on its way, failed, too large. */

import { Button, EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter, Spinner } from '@patternfly/react-core';
import CubesIcon from '@patternfly/react-icons/dist/esm/icons/cubes-icon.js';
import ExclamationCircleIcon from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon.js';
import WeightHangingIcon from '@patternfly/react-icons/dist/esm/icons/weight-hanging-icon.js';
import type { ReactNode } from 'react';

import { useText } from '../text.js';
import { Ticked } from './Ticked.js';

export function LoadingState({ title }: { title?: string }) {
  const t = useText();
  return <EmptyState headingLevel="h2" titleText={title ?? t('state.loading')} icon={Spinner} role="status" />;
}

export interface FailedStateProps {
  message: string;
  title?: string;
  details?: ReactNode;
  onRetry?: () => void;
}

export function FailedState({ message, title, details, onRetry }: FailedStateProps) {
  const t = useText();
  return (
    <EmptyState headingLevel="h2" titleText={title ?? t('state.failed')} icon={ExclamationCircleIcon} status="danger" role="alert">
      <EmptyStateBody>
        <p>
          <Ticked text={message} />
        </p>
        {details}
      </EmptyStateBody>
      {onRetry && (
        <EmptyStateFooter>
          <EmptyStateActions>
            <Button variant="secondary" onClick={onRetry}>
              {t('state.retry')}
            </Button>
          </EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

/** Sizes in bytes. */
export function TooLargeState({ size, limit }: { size: number; limit: number }) {
  const t = useText();
  return (
    <EmptyState headingLevel="h2" titleText={t('state.tooLarge')} icon={WeightHangingIcon} status="warning" role="alert">
      <EmptyStateBody>{t('state.tooLargeHelp', { size: bytes(size), limit: bytes(limit) })}</EmptyStateBody>
    </EmptyState>
  );
}

export function EmptyPlanState({ title, help, children }: { title?: string; help?: string; children?: ReactNode }) {
  const t = useText();
  return (
    <EmptyState headingLevel="h2" titleText={title ?? t('state.empty')} icon={CubesIcon}>
      <EmptyStateBody>{help ?? t('state.emptyHelp')}</EmptyStateBody>
      {children && (
        <EmptyStateFooter>
          <EmptyStateActions>{children}</EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

/** A size in a unit that people read. */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 1e6) return `${(size / 1e3).toFixed(size < 1e4 ? 1 : 0)} kB`;
  return `${(size / 1e6).toFixed(size < 1e7 ? 1 : 0)} MB`;
}
