import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useState } from 'react';

import { useText } from '../text.js';
import type { ObjectTexts } from './AssetDetail.js';
import { CopyButton } from './CopyButton.js';
import { YamlText } from './YamlText.js';

const WHICH = ['predicted', 'desired', 'baseline', 'live'] as const;

/** The object as it will be, as it is applied, as the catalog has it and as it is. */
export function ObjectView({ texts }: { texts: ObjectTexts | undefined }) {
  const t = useText();
  const [chosen, setChosen] = useState<(typeof WHICH)[number]>('predicted');
  if (texts === undefined) {
    return (
      <p className="va-quiet" role="status">
        {t('detail.preparing')}
      </p>
    );
  }
  const there = WHICH.filter((which) => texts[which] !== null);
  const first = there[0];
  if (first === undefined) return <p className="va-quiet">{t('detail.noObject')}</p>;
  const shown = there.includes(chosen) ? chosen : first;
  const text = texts[shown] ?? '';
  return (
    <>
      <div className="va-diff__bar">
        <ToggleGroup isCompact aria-label={t('detail.which')} className="va-wrap">
          {there.map((which) => (
            <ToggleGroupItem
              key={which}
              text={t(`detail.${which}`)}
              isSelected={which === shown}
              onChange={() => { setChosen(which); }}
            />
          ))}
        </ToggleGroup>
        <CopyButton text={text} what={t(`detail.${shown}`)} />
      </div>
      <YamlText text={text} label={t(`detail.${shown}`)} />
    </>
  );
}
