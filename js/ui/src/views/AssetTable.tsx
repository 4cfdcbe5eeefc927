import { Button, EmptyState, EmptyStateBody, Label, SearchInput } from '@patternfly/react-core';
import PowerOffIcon from '@patternfly/react-icons/dist/esm/icons/power-off-icon.js';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon.js';
import { SortByDirection, Table, Tbody, Td, Th, type ThProps, Thead, Tr } from '@patternfly/react-table';
import { memo, useMemo } from 'react';

import { type AssetFilter, type AssetSort, NO_FILTER, type SortColumn, filterAssets, kindOf, sortAssets } from '../filter.js';
import { countOutcomes } from '../outcomes.js';
import { lossesOf } from '../ownership.js';
import { useText } from '../text.js';
import type { TextKey } from '../translate.js';
import type { ListedAsset } from '../types.js';
import { ChoiceFilter } from './ChoiceFilter.js';
import { OutcomeLabel } from './OutcomeLabel.js';

export interface AssetTableProps {
  assets: readonly ListedAsset[];
  filter: AssetFilter;
  sort: AssetSort;
  /** The assets that make nodes reboot. */
  rebooting: ReadonlySet<string>;
  onFilter: (filter: AssetFilter) => void;
  onSort: (sort: AssetSort) => void;
  onSelect: (asset: string) => void;
}

const COLUMNS: readonly { column: SortColumn; text: TextKey }[] = [
  { column: 'asset', text: 'table.asset' },
  { column: 'outcome', text: 'table.outcome' },
  { column: 'object', text: 'table.object' },
  { column: 'changes', text: 'table.changes' },
  { column: 'loses', text: 'table.loses' },
];

/** All assets with their outcome: filtered, sorted, and each a way to its detail. */
export function AssetTable({ assets, filter, sort, rebooting, onFilter, onSort, onSelect }: AssetTableProps) {
  const t = useText();
  const shown = useMemo(() => sortAssets(filterAssets(assets, filter), sort), [assets, filter, sort]);
  const choices = useMemo(() => choicesOf(assets), [assets]);
  const isFiltered = shown.length < assets.length;

  const sortOf = (column: SortColumn): NonNullable<ThProps['sort']> => {
    const columnIndex = COLUMNS.findIndex((other) => other.column === column);
    const index = COLUMNS.findIndex((other) => other.column === sort.column);
    return {
      columnIndex,
      sortBy: index >= 0 ? { index, direction: sort.descending ? 'desc' : 'asc' } : {},
      onSort: (_event, _index, direction) => { onSort({ column, descending: direction === SortByDirection.desc }); },
    };
  };

  return (
    <div className="va-assets">
      <div className="va-toolbar" role="search">
        <SearchInput
          aria-label={t('table.search')}
          placeholder={t('table.search')}
          value={filter.text}
          onChange={(_event, text) => { onFilter({ ...filter, text }); }}
          onClear={() => { onFilter({ ...filter, text: '' }); }}
        />
        <ChoiceFilter
          name={t('table.outcome')}
          choices={choices.outcomes.map(({ kind, count }) => ({ value: kind, text: t(`outcome.${kind}`), count }))}
          chosen={filter.outcomes}
          onChange={(outcomes) => { onFilter({ ...filter, outcomes }); }}
        />
        <ChoiceFilter
          name={t('table.kind')}
          choices={choices.kinds}
          chosen={filter.kinds}
          onChange={(kinds) => { onFilter({ ...filter, kinds }); }}
        />
        <ChoiceFilter
          name={t('table.feature')}
          choices={choices.features}
          chosen={filter.features}
          onChange={(features) => { onFilter({ ...filter, features }); }}
        />
        {filter !== NO_FILTER && isFiltered && (
          <Button variant="link" isInline onClick={() => { onFilter(NO_FILTER); }}>
            {t('table.clear')}
          </Button>
        )}
        <span className="va-toolbar__count va-quiet" aria-live="polite">
          {t('table.shown', { shown: shown.length, total: assets.length })}
        </span>
      </div>
      {shown.length === 0 ? (
        <EmptyState headingLevel="h3" titleText={t('table.none')} icon={SearchIcon} variant="sm">
          <EmptyStateBody>{t('table.noneHelp')}</EmptyStateBody>
        </EmptyState>
      ) : (
        <Table aria-label={t('table.label')} variant="compact" gridBreakPoint="grid-md" className="va-table">
          <Thead>
            <Tr>
              {COLUMNS.map(({ column, text }) => (
                <Th key={column} sort={sortOf(column)} modifier={column === 'loses' ? 'wrap' : 'nowrap'}>
                  {t(text)}
                </Th>
              ))}
            </Tr>
          </Thead>
          <Tbody>
            {shown.map((asset) => (
              <AssetRow key={asset.asset} asset={asset} reboots={rebooting.has(asset.asset)} onSelect={onSelect} />
            ))}
          </Tbody>
        </Table>
      )}
    </div>
  );
}

interface AssetRowProps {
  asset: ListedAsset;
  reboots: boolean;
  onSelect: (asset: string) => void;
}

/** A plan may have a hundred of them, of which an edit changes a few. */
const AssetRow = memo(function AssetRow({ asset, reboots, onSelect }: AssetRowProps) {
  const t = useText();
  const losers = [...lossesOf(asset).keys()];
  return (
    <Tr>
      <Td dataLabel={t('table.asset')}>
        <button type="button" className="va-link va-asset-name" data-asset={asset.asset} onClick={() => { onSelect(asset.asset); }}>
          {asset.asset}
        </button>
        {asset.features.length > 0 && <div className="va-quiet va-small">{asset.features.join(', ')}</div>}
      </Td>
      <Td dataLabel={t('table.outcome')}>
        <span className="va-labels">
          <OutcomeLabel kind={asset.outcome.kind} />
          {asset.customizations.filter((customization) => customization !== asset.outcome.kind).map((customization) => (
            <Label key={customization} isCompact variant="outline">
              {t(`table.custom.${customization}`)}
            </Label>
          ))}
          {reboots && (
            <Label isCompact color="orange" icon={<PowerOffIcon />}>
              {t('table.reboots')}
            </Label>
          )}
        </span>
      </Td>
      <Td dataLabel={t('table.object')}>
        <div>{kindOf(asset)}</div>
        <div className="va-quiet va-small va-break">
          {asset.object
            ? `${asset.object.namespace ? `${asset.object.namespace}/` : ''}${asset.object.name}`
            : t('table.noObject')}
        </div>
      </Td>
      <Td dataLabel={t('table.changes')} modifier="nowrap" className={asset.changes.length > 0 ? '' : 'va-none'}>
        {asset.changes.length > 0 ? t('table.fields', { count: asset.changes.length }) : '–'}
      </Td>
      <Td dataLabel={t('table.loses')} className={losers.length > 0 ? 'va-owners' : 'va-none'}>
        {losers.length > 0 ? losers.join(', ') : '–'}
      </Td>
    </Tr>
  );
});

function choicesOf(assets: readonly ListedAsset[]) {
  const tally = (values: string[]) => {
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([value, count]) => ({ value, text: value, count }));
  };
  return {
    outcomes: countOutcomes(assets),
    kinds: tally(assets.map(kindOf)),
    features: tally(assets.flatMap((asset) => asset.features)),
  };
}
