import { Label } from '@patternfly/react-core';

import { useText } from '../text.js';
import type { Step } from '../types.js';
import { inline } from '../values.js';
import { PathText } from './PathText.js';
import { Ticked } from './Ticked.js';

/** How the object comes about, step by step, so that one sees where any value is from. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  const t = useText();
  if (steps.length === 0) return <p className="va-quiet">{t('detail.noSteps')}</p>;
  return (
    <ol className="va-steps">
      {steps.map((step, index) => (
        <li key={`${step.stage} ${index}`}>
          <div className="va-steps__head">
            <Label isCompact color="blue">
              {t(`stage.${step.stage}`)}
            </Label>
            <span>
              <Ticked text={step.note} />
            </span>
          </div>
          {step.changes.length > 0 && (
            <ul className="va-plain-list va-steps__changes">
              {step.changes.map((change) => (
                <li key={change.pointer} className="va-break">
                  <PathText path={change.pointer || '/'} />{' '}
                  {change.kind !== 'added' && <del>{inline(change.before, 60)}</del>}{' '}
                  {change.kind !== 'removed' && <ins>{inline(change.after, 60)}</ins>}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}
