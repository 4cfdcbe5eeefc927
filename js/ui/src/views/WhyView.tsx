import { DescriptionList, DescriptionListDescription, DescriptionListGroup, DescriptionListTerm, Label } from '@patternfly/react-core';
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/check-icon.js';
import TimesIcon from '@patternfly/react-icons/dist/esm/icons/times-icon.js';

import { useText } from '../text.js';
import type { Translate } from '../translate.js';
import type { ListedAsset, ConditionVerdict, Outcome } from '../types.js';
import { Ticked } from './Ticked.js';

/** Why the outcome is what it is, in a sentence. */
export function WhyText({ outcome }: { outcome: Outcome }) {
  const t = useText();
  return <Ticked text={reasonOf(outcome, t)} />;
}

/** What is behind the reason: the conditions with what was found, and where the asset comes from. */
export function WhyView({ asset }: { asset: ListedAsset }) {
  const t = useText();
  const { outcome } = asset;
  const conditions = outcome.kind === 'conditionsNotMet' ? outcome.conditions : asset.conditions;
  const facts = [
    { name: t('detail.features'), value: asset.features.join(', ') },
    { name: t('detail.group'), value: asset.group ?? '' },
    { name: t('detail.path'), value: asset.path },
  ].filter(({ value }) => value !== '');
  return (
    <>
      {outcome.kind === 'renderFailed' && outcome.error.line !== null && (
        <>
          <p className="va-quiet">{t('why.renderFailedAt', { line: outcome.error.line, path: outcome.error.path })}</p>
          {outcome.error.sourceLine !== null && <pre className="va-code">{outcome.error.sourceLine}</pre>}
        </>
      )}
      {conditions.length > 0 && (
        <>
          <h3 className="va-heading">{t('condition.title')}</h3>
          <ul className="va-plain-list">
            {conditions.map((verdict) => (
              <li key={JSON.stringify(verdict)}>
                <ConditionLine verdict={verdict} />
              </li>
            ))}
          </ul>
        </>
      )}
      <DescriptionList isCompact isHorizontal className="va-facts">
        {facts.map(({ name, value }) => (
          <DescriptionListGroup key={name}>
            <DescriptionListTerm>{name}</DescriptionListTerm>
            <DescriptionListDescription className="va-break">{value}</DescriptionListDescription>
          </DescriptionListGroup>
        ))}
      </DescriptionList>
    </>
  );
}

function ConditionLine({ verdict }: { verdict: ConditionVerdict }) {
  const t = useText();
  return (
    <span className="va-condition">
      <Label
        isCompact
        color={verdict.holds ? 'green' : 'red'}
        icon={verdict.holds ? <CheckIcon /> : <TimesIcon />}
      >
        {verdict.holds ? t('condition.holds') : t('condition.fails')}
      </Label>
      <span className="va-break">{nameOfCondition(verdict, t)}</span>
      <span className="va-quiet va-break">
        {t('condition.expected', { expected: verdict.expected })}, {t('condition.found', { found: verdict.found })}
      </span>
    </span>
  );
}

function nameOfCondition(condition: ConditionVerdict, t: Translate): string {
  switch (condition.type) {
    case 'annotation':
      return condition.value == null
        ? t('condition.annotation', { name: condition.key })
        : t('condition.annotationValue', { name: condition.key, value: condition.value });
    case 'topology':
      return condition.value == null
        ? t('condition.topology', { name: condition.field })
        : t('condition.topologyValue', { name: condition.field, value: condition.value });
    case 'feature-gate':
      return t('condition.feature-gate', { name: condition.value });
    case 'hardware-detection':
      return t('condition.hardware-detection', { name: condition.detector });
    case 'image':
      return t('condition.image', { name: condition.key });
    case 'hco-field-unconfigured':
      return t('condition.hco-field-unconfigured', { name: condition.path });
  }
}

function reasonOf(outcome: Outcome, t: Translate): string {
  switch (outcome.kind) {
    case 'maskFailed':
    case 'patchCrashed':
    case 'applyRefused':
      return t(`why.${outcome.kind}`, { message: outcome.message });
    case 'renderFailed':
      return t('why.renderFailed', { message: outcome.error.message });
    case 'notReached':
      return t('why.notReached', { by: outcome.by });
    case 'namespaceMissing':
      return t('why.namespaceMissing', { namespace: outcome.namespace });
    case 'crdMissing':
      return t(outcome.gate ? 'why.crdMissingGate' : 'why.crdMissing', { crd: outcome.crd });
    case 'notEnabled':
      return outcome.annotation ? t('why.notEnabledValue', { annotation: outcome.annotation }) : t('why.notEnabled');
    case 'excludedByRule': {
      const { kind, namespace, name } = outcome.rule;
      return t('why.excludedByRule', { rule: `${kind} ${namespace ? `${namespace}/` : ''}${name}` });
    }
    default:
      return t(`why.${outcome.kind}`);
  }
}
