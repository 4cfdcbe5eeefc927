import { useEffect, useState } from 'react';
import { CopyButton, EventTable } from 'virt-autopilot-ui';

import type { EngineClient } from '../engine/client';
import type { Planned } from '../engine/protocol';
import { t } from '../texts';

/** What the controller would tell: events, and metrics as Prometheus reads them. */
export function EventsTab({ engine, planned }: { engine: EngineClient; planned: Planned }) {
  const metrics = useMetrics(engine, planned);
  return (
    <div className="pg-plan">
      <section>
        <h2 className="va-heading">{t('result.eventList')}</h2>
        <EventTable events={planned.plan.events} empty={t('result.noEvents')} />
      </section>
      {metrics !== '' && (
        <section>
          <div className="va-snippet__head">
            <h2 className="va-heading">{t('result.metrics')}</h2>
            <CopyButton text={metrics} what={t('result.metrics')} />
          </div>
          <pre className="va-code" tabIndex={0} role="region" aria-label={t('result.metrics')}>
            {metrics}
          </pre>
        </section>
      )}
    </div>
  );
}

function useMetrics(engine: EngineClient, planned: Planned): string {
  const [metrics, setMetrics] = useState('');
  useEffect(() => {
    let gone = false;
    engine.call('metrics').then(
      (text) => { if (!gone) setMetrics(text); },
      () => undefined,
    );
    return () => { gone = true; };
  }, [engine, planned]);
  return metrics;
}
