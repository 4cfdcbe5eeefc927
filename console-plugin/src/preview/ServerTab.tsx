import { Button, DescriptionList, DescriptionListDescription, DescriptionListGroup, DescriptionListTerm } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { ChangeList, DiffView, OutcomeLabel, withoutNoise } from 'virt-autopilot-ui';

import type { EngineClient } from '../engine/client';
import { isApplied } from '../server/dryRun';
import type { DryRuns } from '../server/useDryRuns';
import { useText } from '../text';
import type { AssetPlan, KubeObject } from '../types';
import { AnswerText, ComparisonLabel } from './ServerPanel';

/** What the API server makes of one asset, against what we predict. */
export function ServerTab({ asset, dryRuns, client }: { asset: AssetPlan; dryRuns: DryRuns; client: EngineClient }) {
  const t = useText();
  const verdict = dryRuns.verdicts.get(asset.asset);
  const answered = verdict?.answer.kind === 'accepted' ? verdict.answer.object : null;
  const texts = useYaml(client, verdict?.asset.predicted ?? null, answered);
  if (!isApplied(asset)) return <p className="va-quiet">{t('server.notApplied')}</p>;
  const isPermitted = dryRuns.may?.get(asset.asset);
  return (
    <div className="va-stack">
      <div>
        <Button
          variant="secondary"
          isDisabled={isPermitted !== true || dryRuns.progress !== null}
          isLoading={dryRuns.progress !== null}
          onClick={() => { dryRuns.run([asset]); }}
        >
          {t('server.runOne')}
        </Button>{' '}
        {isPermitted === false && <span className="va-quiet">{t('server.mayNotOne')}</span>}
      </div>
      {verdict && (
        <>
          <DescriptionList isHorizontal isCompact>
            <DescriptionListGroup>
              <DescriptionListTerm>{t('server.prediction')}</DescriptionListTerm>
              <DescriptionListDescription>
                <OutcomeLabel kind={verdict.asset.outcome.kind} />
              </DescriptionListDescription>
            </DescriptionListGroup>
            <DescriptionListGroup>
              <DescriptionListTerm>{t('server.answer')}</DescriptionListTerm>
              <DescriptionListDescription>
                <AnswerText verdict={verdict} />
              </DescriptionListDescription>
            </DescriptionListGroup>
            <DescriptionListGroup>
              <DescriptionListTerm>{t('server.comparison')}</DescriptionListTerm>
              <DescriptionListDescription>
                <ComparisonLabel verdict={verdict} now={asset} />
              </DescriptionListDescription>
            </DescriptionListGroup>
          </DescriptionList>
          {verdict.comparison.kind === 'differs' && (
            <>
              <p>{t('server.differsHelp')}</p>
              <ChangeList changes={verdict.comparison.changes} />
              {texts && <DiffView before={texts.predicted} after={texts.answered} names={{ before: t('server.prediction'), after: t('server.answer') }} />}
            </>
          )}
        </>
      )}
    </div>
  );
}

function useYaml(client: EngineClient, predicted: KubeObject | null, answered: KubeObject | null) {
  const [texts, setTexts] = useState<{ predicted: string; answered: string }>();
  useEffect(() => {
    let isCurrent = true;
    if (predicted && answered) {
      void client.call('write', { objects: [withoutNoise(predicted), withoutNoise(answered)] }).then(([first, second]) => {
        if (isCurrent) setTexts({ predicted: first ?? '', answered: second ?? '' });
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [client, predicted, answered]);
  return answered ? texts : undefined;
}
