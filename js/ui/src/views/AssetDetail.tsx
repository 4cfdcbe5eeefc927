import { Button, Content, EmptyState, EmptyStateBody, Tab, TabTitleText, Tabs } from '@patternfly/react-core';
import AngleLeftIcon from '@patternfly/react-icons/dist/esm/icons/angle-left-icon.js';
import AngleRightIcon from '@patternfly/react-icons/dist/esm/icons/angle-right-icon.js';
import ArrowLeftIcon from '@patternfly/react-icons/dist/esm/icons/arrow-left-icon.js';
import { type ReactNode, useEffect, useRef } from 'react';

import { kindOf } from '../filter.js';
import { lossesOf } from '../ownership.js';
import { useText } from '../text.js';
import type { Diagnostic, EventRecord, Fix, ListedAsset, PayloadChange, Source } from '../types.js';
import { ChangeList } from './ChangeList.js';
import { DiagnosticList } from './DiagnosticList.js';
import { DiffView } from './DiffView.js';
import { EventTable } from './EventTable.js';
import { ObjectView } from './ObjectView.js';
import { OutcomeLabel } from './OutcomeLabel.js';
import { OwnershipTable } from './OwnershipTable.js';
import { PayloadDiffs, payloadsOf } from './PayloadDiffs.js';
import { StepList } from './StepList.js';
import { WhyView, WhyText } from './WhyView.js';

/** The objects of an asset as YAML. `null` where there is no such object. */
export interface ObjectTexts {
  live: string | null;
  predicted: string | null;
  desired: string | null;
  baseline: string | null;
  /** The decoded files and units of an object that is created; of one that is changed they are with its changes. */
  payloads?: readonly PayloadChange[];
}

export interface DetailTab {
  key: string;
  title: ReactNode;
  content: ReactNode;
}

export interface AssetDetailProps {
  asset: ListedAsset;
  /** `undefined` while they are being written. */
  texts: ObjectTexts | undefined;
  events: readonly EventRecord[];
  tab: string;
  onTab: (tab: string) => void;
  onClose: () => void;
  /** Go to the neighbours in the table. Absent at its ends. */
  onPrevious?: () => void;
  onNext?: () => void;
  onSource?: (source: Source, diagnostic: Diagnostic) => void;
  onFix?: (fix: Fix) => void;
  /** Tabs that only one host has. */
  extraTabs?: readonly DetailTab[];
}

/** Everything about one asset: what changes and why, whence each value comes, who owns it, what is told. */
export function AssetDetail(props: AssetDetailProps) {
  const { asset, texts, events, tab, onTab, onClose, onPrevious, onNext, onSource, onFix, extraTabs = [] } = props;
  const t = useText();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), [asset.asset]);
  const places = { ...(onSource && { onSource }), ...(onFix && { onFix }) };

  const tabs: DetailTab[] = [
    { key: 'changes', title: t('detail.changes'), content: <Changes asset={asset} texts={texts} /> },
    {
      key: 'why',
      title: (
        <>
          {t('detail.why')} {asset.diagnostics.length > 0 && <span className="va-badge">{asset.diagnostics.length}</span>}
        </>
      ),
      content: (
        <>
          <WhyView asset={asset} />
          {asset.diagnostics.length > 0 && (
            <>
              <h3 className="va-heading">{t('detail.diagnostics')}</h3>
              <DiagnosticList diagnostics={asset.diagnostics} {...places} />
            </>
          )}
        </>
      ),
    },
    { key: 'steps', title: t('detail.steps'), content: <StepList steps={asset.steps} /> },
    { key: 'ownership', title: t('detail.ownership'), content: <OwnershipTable changes={asset.ownership} /> },
    { key: 'object', title: t('detail.object'), content: <ObjectView texts={texts} /> },
    { key: 'events', title: t('detail.events'), content: <EventTable events={events} empty={t('detail.noEvents')} /> },
    ...extraTabs,
  ];

  return (
    <section className="va-detail" aria-labelledby="va-detail-title">
      <div className="va-detail__bar">
        <Button variant="link" isInline icon={<ArrowLeftIcon />} onClick={onClose}>
          {t('detail.back')}
        </Button>
        <span className="va-detail__neighbours">
          <Button
            variant="plain"
            icon={<AngleLeftIcon />}
            aria-label={t('detail.previous')}
            isDisabled={onPrevious === undefined}
            onClick={onPrevious}
          />
          <Button
            variant="plain"
            icon={<AngleRightIcon />}
            aria-label={t('detail.next')}
            isDisabled={onNext === undefined}
            onClick={onNext}
          />
        </span>
      </div>
      <div className="va-detail__head">
        <h2 className="va-detail__title" id="va-detail-title" tabIndex={-1} ref={title}>
          {asset.asset}
        </h2>
        <OutcomeLabel kind={asset.outcome.kind} />
        <Content component="small" className="va-quiet va-break">
          {kindOf(asset)}
          {asset.object && ` ${asset.object.namespace ? `${asset.object.namespace}/` : ''}${asset.object.name}`}
        </Content>
      </div>
      <p className="va-detail__why">
        <WhyText outcome={asset.outcome} />
        {[...lossesOf(asset)].map(([manager, count]) => (
          <span key={manager}> {t('ownership.loses', { manager, count })}</span>
        ))}
      </p>
      <Tabs
        aria-label={t('detail.tabs')}
        activeKey={tab}
        onSelect={(_event, key) => { onTab(String(key)); }}
        mountOnEnter
        unmountOnExit
      >
        {tabs.map(({ key, title: name, content }) => (
          <Tab key={key} eventKey={key} title={<TabTitleText>{name}</TabTitleText>}>
            <div className="va-panel">{content}</div>
          </Tab>
        ))}
      </Tabs>
    </section>
  );
}

function Changes({ asset, texts }: Pick<AssetDetailProps, 'asset' | 'texts'>) {
  const t = useText();
  if (asset.changes.length === 0) {
    return (
      <EmptyState headingLevel="h3" titleText={t('detail.noChanges')} variant="sm">
        <EmptyStateBody>{t('detail.noChangesHelp')}</EmptyStateBody>
      </EmptyState>
    );
  }
  return (
    <>
      {texts === undefined ? (
        <p className="va-quiet" role="status">
          {t('detail.preparing')}
        </p>
      ) : (
        <DiffView
          before={texts.live ?? ''}
          after={texts.predicted ?? texts.desired ?? ''}
          names={{ before: t('detail.live'), after: t('detail.predicted') }}
        />
      )}
      <PayloadDiffs payloads={[...payloadsOf(asset.changes), ...(texts?.payloads ?? [])]} />
      <ChangeList changes={asset.changes} />
    </>
  );
}
