/** The engine's findings, for someone in front of the cluster rather than of files that were taken from one. */

import type { Missing } from '../cluster/snapshot';
import type { Purpose } from '../cluster/wishes';
import type { Diagnostic, Plan } from '../types';

/** Findings that something is not in the snapshot, by what is read for it. Their help is to add it to the files. */
const UNSEEN: ReadonlyMap<string, Purpose> = new Map([
  ['cluster.no-crds', 'crds'],
  ['impact.no-nodes', 'nodes'],
  ['impact.no-pools', 'pools'],
  ['impact.operator-not-seen', 'operators'],
]);

/** What is not seen because it could not be read has been said; where it was read there is nothing to add. */
export function findingsHere(plan: Plan, missing: readonly Missing[], installOperator: string): Plan {
  const unread = new Set(missing.map(({ purpose }) => purpose));
  const adapted = (findings: readonly Diagnostic[]): Diagnostic[] =>
    findings.flatMap((finding) => {
      const purpose = UNSEEN.get(finding.code);
      if (purpose === undefined) return [finding];
      if (unread.has(purpose)) return [];
      const here = { ...finding };
      if (purpose === 'operators') here.help = installOperator;
      else delete here.help;
      return [here];
    });
  return {
    ...plan,
    diagnostics: adapted(plan.diagnostics),
    impact: { ...plan.impact, diagnostics: adapted(plan.impact.diagnostics) },
  };
}
