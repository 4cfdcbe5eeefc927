import { Label } from '@patternfly/react-core';

import { useText } from '../text.js';
import type { Plan, TombstonePlan } from '../types.js';
import { nameOf } from '../values.js';
import { Ticked } from './Ticked.js';

const COLORS = { delete: 'red', skip: 'purple', absent: 'grey', notEnabled: 'grey' } as const satisfies Record<TombstonePlan['outcome'], string>;

/** What is no asset: tombstones, and objects that an earlier plan left behind. */
export function AsideView({ plan }: { plan: Pick<Plan, 'tombstones' | 'leftBehind'> }) {
  const t = useText();
  return (
    <>
      {plan.leftBehind.length > 0 && (
        <section aria-label={t('aside.leftBehind')}>
          <h3 className="va-heading">{t('aside.leftBehind')}</h3>
          <p className="va-quiet">{t('aside.leftBehindHelp')}</p>
          <ul className="va-plain-list">
            {plan.leftBehind.map((left) => (
              <li key={nameOf(left.object)}>
                <strong className="va-break">{nameOf(left.object)}</strong> <Ticked text={left.note} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {plan.tombstones.length > 0 && (
        <section aria-label={t('aside.tombstones')}>
          <h3 className="va-heading">{t('aside.tombstones')}</h3>
          <ul className="va-plain-list">
            {plan.tombstones.map((tombstone) => (
              <li key={tombstone.path}>
                <Label isCompact color={COLORS[tombstone.outcome]}>
                  {t(`aside.tombstone.${tombstone.outcome}`)}
                </Label>{' '}
                <span className="va-break">{nameOf(tombstone.object)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
