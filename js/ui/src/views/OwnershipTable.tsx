import { EmptyState, EmptyStateBody, Label, type LabelProps } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';

import { type OwnershipRow, ownershipRows } from '../ownership.js';
import { useText } from '../text.js';
import type { OwnershipChange } from '../types.js';
import { PathText } from './PathText.js';

const COLORS: Record<OwnershipRow['change'], NonNullable<LabelProps['color']>> = {
  taken: 'red',
  lost: 'red',
  shared: 'orange',
  removed: 'orange',
  givenUp: 'grey',
  claimed: 'blue',
  foreign: 'green',
};

/** Who owns each field that the apply touches, and who loses it. */
export function OwnershipTable({ changes }: { changes: readonly OwnershipChange[] }) {
  const t = useText();
  if (changes.length === 0) {
    return (
      <EmptyState headingLevel="h3" titleText={t('ownership.none')} variant="sm">
        <EmptyStateBody>{t('ownership.noneHelp')}</EmptyStateBody>
      </EmptyState>
    );
  }
  return (
    <Table aria-label={t('ownership.label')} variant="compact" gridBreakPoint="grid-md" className="va-table">
      <Thead>
        <Tr>
          <Th>{t('ownership.field')}</Th>
          <Th>{t('ownership.effect')}</Th>
          <Th>{t('ownership.others')}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {ownershipRows(changes).map((row) => (
          <Tr key={`${row.change} ${row.field} ${row.others.join()}`}>
            <Td dataLabel={t('ownership.field')} className="va-break">
              <PathText path={row.field} />
            </Td>
            <Td dataLabel={t('ownership.effect')}>
              <Label isCompact color={COLORS[row.change]}>
                {t(`ownership.${row.change}`)}
              </Label>
            </Td>
            <Td dataLabel={t('ownership.others')} className="va-owners">
              {row.others.join(', ') || '–'}
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
