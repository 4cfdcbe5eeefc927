/** A plan as a Markdown report for a review. */

import { countOutcomes, inline, nameOf, ownershipRows, texts, translateFrom } from 'virt-autopilot-ui';

import type { ListedPlan } from '../engine/listing';
import { t } from '../texts';

const say = translateFrom(texts);

export function reportOf(plan: ListedPlan): string {
  const parts = [
    `# ${t('report.title')}`,
    t('report.catalog', { catalog: plan.catalog, behavior: plan.behavior }),
    `## ${t('report.outcomes')}`,
    table(
      [t('report.outcome'), t('report.assets')],
      countOutcomes(plan.assets).map(({ kind }) => [
        say(`outcome.${kind}`),
        plan.assets.filter(({ outcome }) => outcome.kind === kind).map(({ asset }) => asset).join(', '),
      ]),
    ),
    `## ${t('report.impact')}`,
    impact(plan),
    ...changes(plan),
    ...findings(plan),
  ];
  return `${parts.join('\n\n')}\n`;
}

function impact({ impact: { pools } }: ListedPlan): string {
  if (pools.length === 0) return t('report.noReboot');
  return pools
    .map(({ pool, nodes, causes }) => {
      const head = `- ${t('report.pool', { pool, nodes: nodes.join(', ') || say('impact.poolUnknown') })}`;
      return [head, ...causes.map(({ asset, change }) => `  - ${asset === null ? say('impact.tombstone') : code(asset)}: ${escape(change)}`)].join('\n');
    })
    .join('\n');
}

function changes({ assets }: ListedPlan): string[] {
  const changed = assets.filter(({ changes: { length } }) => length > 0);
  if (changed.length === 0) return [];
  return [
    `## ${t('report.changes')}`,
    ...changed.map((asset) => {
      const lost = ownershipRows(asset.ownership)
        .filter(({ change }) => change === 'taken' || change === 'lost')
        .map(({ field, others }) => `- ${t('report.takes', { field: code(field), manager: others.map(code).join(', ') })}`);
      const rows = asset.changes.map(({ pointer, kind, before, after }) => [
        code(pointer || '/'),
        kind === 'added' ? '' : code(inline(before, 80)),
        kind === 'removed' ? '' : code(inline(after, 80)),
      ]);
      return [
        `### ${asset.asset}: ${say(`outcome.${asset.outcome.kind}`)}`,
        ...(asset.object ? [nameOf(asset.object)] : []),
        table([say('change.field'), say('change.before'), say('change.after')], rows),
        ...(lost.length > 0 ? [`${t('report.ownership')}:`, lost.join('\n')] : []),
      ].join('\n\n');
    }),
  ];
}

function findings(plan: ListedPlan): string[] {
  const all = [...plan.diagnostics, ...plan.impact.diagnostics, ...plan.assets.flatMap(({ diagnostics }) => diagnostics)];
  if (all.length === 0) return [];
  const lines = all.map(({ severity, message, help, source }) =>
    `- **${severity}** ${source?.object ? `${escape(nameOf(source.object))}: ` : ''}${message}${help ? ` (${help})` : ''}`,
  );
  return [`## ${t('report.findings')}`, lines.join('\n')];
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Code in a cell of a table, whatever is in it. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replaceAll('|', '\\|').replaceAll('\n', '⏎')}${fence}`;
}

function escape(text: string): string {
  return text.replace(/[|*_<>[\]]/g, '\\$&');
}
