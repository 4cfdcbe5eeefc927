import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';

import { useText } from '../text.js';
import type { Change } from '../types.js';
import { inline } from '../values.js';
import { PathText } from './PathText.js';

/** The changed fields, one a row. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const t = useText();
  return (
    <Table aria-label={t('change.label')} variant="compact" gridBreakPoint="grid-md" className="va-table va-changes">
      <Thead>
        <Tr>
          <Th>{t('change.field')}</Th>
          <Th>{t('change.kind')}</Th>
          <Th className="va-changes__value">{t('change.before')}</Th>
          <Th className="va-changes__value">{t('change.after')}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {changes.map((change) => (
          <Tr key={`${change.pointer} ${change.kind}`}>
            <Td dataLabel={t('change.field')} className="va-break">
              <PathText path={change.pointer || '/'} />
            </Td>
            <Td dataLabel={t('change.kind')} modifier="nowrap">
              {t(`change.${change.kind}`)}
            </Td>
            <Td dataLabel={t('change.before')} className="va-break">
              {change.kind === 'added' ? <Absent /> : <code>{inline(change.before)}</code>}
            </Td>
            <Td dataLabel={t('change.after')} className="va-break">
              {change.kind === 'removed' ? <Absent /> : <code>{inline(change.after)}</code>}
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

function Absent() {
  const t = useText();
  return <span className="va-quiet va-nowrap">{t('change.absent')}</span>;
}
