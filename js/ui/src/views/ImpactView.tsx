import { Alert, ExpandableSection, Label, LabelGroup } from '@patternfly/react-core';
import { useState } from 'react';

import { useText } from '../text.js';
import type { Diagnostic, Fix, Impact, PoolImpact, Source } from '../types.js';
import { nameOf } from '../values.js';
import { DiagnosticList } from './DiagnosticList.js';

export interface ImpactViewProps {
  impact: Impact;
  onAsset?: (asset: string) => void;
  onSource?: (source: Source, diagnostic: Diagnostic) => void;
  onFix?: (fix: Fix) => void;
}

/** Which nodes would drain and reboot, per pool, and why. */
export function ImpactView({ impact, onAsset, onSource, onFix }: ImpactViewProps) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const count = impact.pools.reduce((sum, pool) => sum + pool.nodes.length, 0);
  const quiet = impact.withoutReboot.length;
  const quietly = quiet > 0 ? t('impact.quiet', { count: quiet }) : '';
  if (impact.pools.length === 0 && impact.diagnostics.length === 0) {
    return (
      <p className="va-impact__none">
        {t('impact.none')} {quietly}
      </p>
    );
  }
  return (
    <section className="va-impact" aria-label={t('impact.title')}>
      {impact.pools.length > 0 && (
        <Alert
          isInline
          variant="warning"
          component="h3"
          title={count > 0 ? t('impact.nodes', { count }) : t('impact.pools', { count: impact.pools.length })}
        >
          <p>
            {impact.pools.map((pool) => `${pool.pool}: ${nodesOf(pool)}`).join(' · ')}
            {quietly && `. ${quietly}`}
          </p>
          <ExpandableSection
            toggleText={open ? t('impact.hide') : t('impact.show')}
            isExpanded={open}
            onToggle={(_event, expanded) => { setOpen(expanded); }}
          >
            {impact.pools.map((pool) => (
              <PoolSection key={pool.pool} pool={pool} {...(onAsset && { onAsset })} />
            ))}
          </ExpandableSection>
        </Alert>
      )}
      {impact.diagnostics.length > 0 && (
        <DiagnosticList diagnostics={impact.diagnostics} {...(onSource && { onSource })} {...(onFix && { onFix })} />
      )}
    </section>
  );

  function nodesOf(pool: PoolImpact): string {
    return pool.nodes.length > 0 ? t('impact.poolNodes', { count: pool.nodes.length }) : t('impact.poolUnknown');
  }
}

function PoolSection({ pool, onAsset }: { pool: PoolImpact; onAsset?: (asset: string) => void }) {
  const t = useText();
  return (
    <div className="va-pool">
      <h4 className="va-pool__name">
        {t('impact.pool', { pool: pool.pool })} {pool.paused && <Label isCompact color="orange">{t('impact.paused')}</Label>}
      </h4>
      {pool.nodes.length > 0 && (
        <LabelGroup categoryName={t('impact.nodesOf')} numLabels={8}>
          {pool.nodes.map((node) => (
            <Label key={node} isCompact variant="outline">
              {node}
            </Label>
          ))}
        </LabelGroup>
      )}
      <p className="va-quiet">{t('impact.causes')}</p>
      <ul className="va-plain-list">
        {pool.causes.map((cause) => (
          <li key={`${cause.asset ?? ''} ${nameOf(cause.object)} ${cause.change}`}>
            <CauseName asset={cause.asset} {...(onAsset && { onAsset })} />
            : {cause.change} <span className="va-quiet">({nameOf(cause.object)})</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function CauseName({ asset, onAsset }: { asset: string | null; onAsset?: (asset: string) => void }) {
  const t = useText();
  if (asset === null) return <strong>{t('impact.tombstone')}</strong>;
  if (onAsset === undefined) return <strong>{asset}</strong>;
  return (
    <button type="button" className="va-link" onClick={() => { onAsset(asset); }}>
      {asset}
    </button>
  );
}
