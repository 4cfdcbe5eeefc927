import { Button, Card, CardBody, CardTitle, EmptyState, EmptyStateBody, ExpandableSection, Label } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { Fragment, useState } from 'react';

import { useText } from '../text.js';
import { duration, interestingEnd } from '../timeline.js';
import type { ObjectVerdict, Simulation } from '../types.js';
import { nameOf, sameObject, sentence } from '../values.js';
import { PathText } from './PathText.js';
import { Ticked } from './Ticked.js';
import { TimelineChart } from './TimelineChart.js';

const PAGE = 50;

/** How a fight over time went: the verdicts, the chart, and every entry. */
export function SimulationView({ simulation }: { simulation: Simulation }) {
  const t = useText();
  const [shown, setShown] = useState(PAGE);
  const [open, setOpen] = useState(false);
  if (simulation.timeline.length === 0) {
    return (
      <EmptyState headingLevel="h3" titleText={t('simulation.quiet')} variant="sm">
        <EmptyStateBody>{t('simulation.quietHelp')}</EmptyStateBody>
      </EmptyState>
    );
  }
  const { contested, others } = partition(simulation);
  const fought = { ...simulation, timeline: simulation.timeline.filter(({ object }) => contested.some((verdict) => sameObject(verdict.object, object))) };
  const rest = simulation.timeline.length - shown;
  return (
    <div className="va-simulation">
      <div className="va-cards">
        {contested.map((verdict) => (
          <VerdictCard key={nameOf(verdict.object)} verdict={verdict} />
        ))}
      </div>
      {others.length > 0 && <p className="va-quiet">{t('simulation.others', { count: others.length })}</p>}
      <h3 className="va-heading">{t('simulation.timeline')}</h3>
      <TimelineChart simulation={fought} fromMs={0} toMs={interestingEnd(fought)} />
      <ExpandableSection
        toggleText={t('simulation.entries')}
        isExpanded={open}
        onToggle={(_event, expanded) => { setOpen(expanded); }}
      >
        <Table aria-label={t('simulation.entries')} variant="compact" gridBreakPoint="grid-md" className="va-table">
          <Thead>
            <Tr>
              <Th>{t('simulation.time')}</Th>
              <Th>{t('simulation.actor')}</Th>
              <Th>{t('simulation.action')}</Th>
              <Th>{t('simulation.object')}</Th>
              <Th>{t('simulation.fields')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {simulation.timeline.slice(0, shown).map((entry, index) => (
              <Tr key={index}>
                <Td dataLabel={t('simulation.time')} modifier="nowrap">
                  {duration(entry.atMs)}
                </Td>
                <Td dataLabel={t('simulation.actor')} modifier="nowrap">{entry.actor}</Td>
                <Td dataLabel={t('simulation.action')}>{t(`simulation.${entry.action}`)}</Td>
                <Td dataLabel={t('simulation.object')} className="va-break">
                  {nameOf(entry.object)}
                </Td>
                <Td dataLabel={t('simulation.fields')}>
                  {entry.fields.length > 0 ? <PathList paths={entry.fields} /> : <Ticked text={entry.note} />}
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
        {rest > 0 && (
          <Button variant="link" onClick={() => { setShown(shown + PAGE * 4); }}>
            {t('simulation.more', { count: Math.min(rest, PAGE * 4) })}
          </Button>
        )}
      </ExpandableSection>
      {simulation.failedPasses > 0 && <p className="va-quiet">{t('simulation.failed', { count: simulation.failedPasses })}</p>}
      {!simulation.complete && <p>{t('simulation.incomplete', { time: duration(simulation.durationMs) })}</p>}
      {simulation.truncated > 0 && <p className="va-quiet">{t('simulation.cut', { count: simulation.truncated })}</p>}
    </div>
  );
}

function PathList({ paths }: { paths: readonly string[] }) {
  return (
    <>
      {paths.map((path, index) => (
        <Fragment key={path}>
          {index > 0 && ', '}
          <PathText path={path} />
        </Fragment>
      ))}
    </>
  );
}

/** The objects that more than one wrote to, or that were held up; where there is none, all of them. */
function partition({ verdicts }: Simulation): { contested: ObjectVerdict[]; others: ObjectVerdict[] } {
  const isContested = ({ writes, throttles, pausedAtMs }: ObjectVerdict) =>
    Object.keys(writes).length > 1 || throttles > 0 || pausedAtMs !== null;
  const contested = verdicts.filter(isContested);
  return contested.length === 0
    ? { contested: verdicts, others: [] }
    : { contested, others: verdicts.filter((verdict) => !isContested(verdict)) };
}

function VerdictCard({ verdict }: { verdict: ObjectVerdict }) {
  const t = useText();
  const facts = [
    ...Object.entries(verdict.writes).map(([actor, count]) => `${actor}: ${t('simulation.writes', { count })}`),
    ...(verdict.throttles > 0 ? [t('simulation.throttles', { count: verdict.throttles })] : []),
    ...(verdict.rollouts > 0 ? [t('simulation.rollouts', { count: verdict.rollouts })] : []),
  ];
  const owners = Object.entries(fieldsByOwner(verdict.owners)).map(
    ([manager, count]) => `${manager} (${t('simulation.fieldsHeld', { count })})`,
  );
  return (
    <Card isCompact className="va-verdict">
      <CardTitle component="h3">{nameOf(verdict.object)}</CardTitle>
      <CardBody>
        <p>
          {verdict.pausedAtMs === null ? (
            <Label isCompact color="orange">
              {t('simulation.noPause')}
            </Label>
          ) : (
            <Label isCompact color="purple">
              {t('simulation.pauseAt', { time: duration(verdict.pausedAtMs) })}
            </Label>
          )}
        </p>
        <p>
          <Ticked text={sentence(verdict.reason)} />
        </p>
        <p className="va-quiet">{facts.join(' · ')}</p>
        {owners.length > 0 && (
          <p className="va-quiet">
            {t('simulation.holds')}: {owners.join(', ')}
          </p>
        )}
      </CardBody>
    </Card>
  );
}

/** How many of the contested fields each manager holds. */
function fieldsByOwner(owners: Record<string, string[]>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const manager of Object.values(owners).flat()) counts[manager] = (counts[manager] ?? 0) + 1;
  return counts;
}
