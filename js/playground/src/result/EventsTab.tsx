import { CopyButton, EventTable, type Plan } from 'virt-autopilot-ui';

import { t } from '../texts';

/** What the controller would tell: events, and metrics as Prometheus reads them. */
export function EventsTab({ plan }: { plan: Plan }) {
  return (
    <div className="pg-plan">
      <section>
        <h2 className="va-heading">{t('result.eventList')}</h2>
        <EventTable events={plan.events} empty={t('result.noEvents')} />
      </section>
      {plan.metrics !== '' && (
        <section>
          <div className="va-snippet__head">
            <h2 className="va-heading">{t('result.metrics')}</h2>
            <CopyButton text={plan.metrics} what={t('result.metrics')} />
          </div>
          <pre className="va-code" tabIndex={0} role="region" aria-label={t('result.metrics')}>
            {plan.metrics}
          </pre>
        </section>
      )}
    </div>
  );
}
