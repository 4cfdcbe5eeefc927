import { Label } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';

import { useText } from '../text.js';
import type { EventRecord } from '../types.js';

/** The events that the controller would emit. */
export function EventTable({ events, empty }: { events: readonly EventRecord[]; empty: string }) {
  const t = useText();
  if (events.length === 0) return <p className="va-quiet">{empty}</p>;
  return (
    <Table aria-label={t('events.label')} variant="compact" gridBreakPoint="grid-md" className="va-table">
      <Thead>
        <Tr>
          <Th>{t('events.type')}</Th>
          <Th>{t('events.reason')}</Th>
          <Th>{t('events.note')}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {events.map((event, index) => (
          <Tr key={`${event.reason} ${index}`}>
            <Td dataLabel={t('events.type')}>
              <Label isCompact color={event.type === 'Warning' ? 'orange' : 'grey'}>
                {event.type}
              </Label>
            </Td>
            <Td dataLabel={t('events.reason')}>{event.reason}</Td>
            <Td dataLabel={t('events.note')} className="va-break">
              {event.note}
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
