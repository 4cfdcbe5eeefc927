import { Spinner } from '@patternfly/react-core';
import type { DetailsItemComponentProps } from '@openshift-console/dynamic-plugin-sdk';
import { Link } from 'react-router';
import { AUTOPILOT, ActivationText, countOutcomes } from 'virt-autopilot-ui';

import { previewPath } from '../actions';
import { NO_CHOICES } from '../planning/choices';
import { type Preview, usePreview } from '../planning/usePreview';
import { UiTexts } from '../preview/UiTexts';
import { useText } from '../text';

/** Whether the autopilot is on, and how many assets would come out how. */
export default function ActivationItem({ obj }: DetailsItemComponentProps) {
  const preview = usePreview(obj.metadata?.namespace ?? 'openshift-cnv', NO_CHOICES);
  return (
    <UiTexts>
      <div>
        {preview.kind === 'ready' ? <ActivationText activation={preview.plan.activation} /> : <Annotated value={obj.metadata?.annotations?.[AUTOPILOT]} />}
      </div>
      <Link to={previewPath(obj)}>
        <Counts preview={preview} />
      </Link>
    </UiTexts>
  );
}

function Annotated({ value }: { value: string | undefined }) {
  const t = useText();
  return <>{value === undefined ? t('details.notAnnotated') : t('details.annotated', { value })}</>;
}

function Counts({ preview }: { preview: Preview }) {
  const t = useText();
  if (preview.kind === 'ready') {
    const counts = countOutcomes(preview.plan.assets).map(({ kind, count }) => t('details.count', { count, outcome: t(`outcome.${kind}`) }));
    return <>{counts.join(', ')}</>;
  }
  if (preview.kind === 'starting' || preview.kind === 'reading' || preview.kind === 'planning') {
    return <Spinner size="sm" aria-label={t('standing.planning')} />;
  }
  return <>{t('details.open')}</>;
}
