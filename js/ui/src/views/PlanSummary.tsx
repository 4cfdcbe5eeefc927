import { Alert, Content, Title } from '@patternfly/react-core';

import { type OutcomeKind, countOutcomes, toneOf } from '../outcomes.js';
import { useText } from '../text.js';
import type { Activation, ListedAsset, Plan } from '../types.js';
import { outcomeIcon } from './OutcomeLabel.js';
import { Ticked } from './Ticked.js';

export interface PlanSummaryProps {
  plan: Pick<Plan, 'activation' | 'behavior' | 'catalog' | 'error'> & { assets: readonly Pick<ListedAsset, 'outcome'>[] };
  /** Which outcomes the table is filtered by. */
  selected: readonly OutcomeKind[];
  onSelect: (outcomes: OutcomeKind[]) => void;
}

/** What the plan comes to: whether the autopilot is on, and how many assets come out how. */
export function PlanSummary({ plan, selected, onSelect }: PlanSummaryProps) {
  const t = useText();
  const toggle = (kind: OutcomeKind) => {
    onSelect(selected.includes(kind) ? selected.filter((other) => other !== kind) : [...selected, kind]);
  };
  return (
    <section className="va-summary" aria-labelledby="va-summary-title">
      <div className="va-summary__head">
        <Title headingLevel="h2" size="lg" id="va-summary-title">
          {t('summary.title')}
        </Title>
        <Content component="small" className="va-quiet">
          <ActivationText activation={plan.activation} /> ·{' '}
          {t('summary.behavior', { catalog: plan.catalog, behavior: plan.behavior })}
        </Content>
      </div>
      <div className="va-counts" role="group" aria-label={t('summary.counts')}>
        <button type="button" className="va-count" aria-pressed={selected.length === 0} onClick={() => { onSelect([]); }}>
          <span className="va-count__number">{plan.assets.length}</span>
          <span className="va-count__name">{t('summary.everything')}</span>
        </button>
        {countOutcomes(plan.assets).map(({ kind, count }) => (
          <button
            key={kind}
            type="button"
            className={`va-count va-tone-${toneOf(kind)}`}
            aria-pressed={selected.includes(kind)}
            onClick={() => { toggle(kind); }}
          >
            <span className="va-count__number">{count}</span>
            <span className="va-count__name">
              {outcomeIcon(kind)} {t(`outcome.${kind}`)}
            </span>
          </button>
        ))}
      </div>
      {plan.error !== null && (
        <Alert isInline isPlain variant="danger" component="h3" title={t('summary.error')}>
          <Ticked text={plan.error} />
        </Alert>
      )}
    </section>
  );
}

/** Whether the autopilot is on, and for what. */
export function ActivationText({ activation }: { activation: Activation | null }) {
  const t = useText();
  if (activation === null) return <>{t('activation.none')}</>;
  if (activation.kind === 'only') return <>{t('activation.only', { names: activation.names.join(', ') })}</>;
  return <>{t(`activation.${activation.kind}`)}</>;
}
