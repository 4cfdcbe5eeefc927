import type { AssetPlan, Outcome, Plan } from '../../types.js';
import type { Sink } from '../terminal.js';
import { hang } from './width.js';
import { activationWords, count, objectName, paint, shortKey, tell, verdictWords } from './words.js';

/** One thing that the controller looks at, what is said when it lets the asset pass, and what stops there. */
interface Rung {
  passes: (asset: AssetPlan, plan: Plan) => string;
  stops: readonly Outcome['kind'][];
}

/** In the controller's order. */
const RUNGS: readonly Rung[] = [
  { passes: () => 'the HyperConverged is there', stops: ['noHyperConverged'] },
  { passes: (asset, plan) => `it is turned on: ${activationWords(plan.activation)}`, stops: ['notEnabled', 'notListed', 'neverReconciled'] },
  { passes: () => '', stops: ['notReached'] },
  { passes: () => 'the CRDs that it needs are installed', stops: ['crdMissing'] },
  { passes: ({ conditions }) => (conditions.length === 0 ? 'it has no conditions' : 'its conditions hold'), stops: ['conditionsNotMet'] },
  { passes: ({ path, object }) => `${path} renders${object === null ? '' : ` ${objectName(object)}`}`, stops: ['rendersEmpty', 'renderFailed'] },
  { passes: () => 'no rule of disabled-resources excludes it', stops: ['excludedByRule'] },
  { passes: ({ live }) => (live === null ? 'there is no live object' : 'the live object is neither paused nor unmanaged'), stops: ['paused', 'unmanaged'] },
  { passes: overridesPass, stops: ['maskFailed', 'patchCrashed'] },
  { passes: () => 'the API server accepts it', stops: ['applyRefused'] },
  { passes: ({ object }) => (object === null || object.namespace === '' ? '' : `namespace ${object.namespace} exists`), stops: ['namespaceMissing'] },
];

/** Prints what the controller looks at, one thing after the other, up to what decides. */
export function printLadder(asset: AssetPlan, plan: Plan, out: Sink): void {
  const { bold, green, red, cyan, dim } = out.style;
  const told = tell(asset.outcome);
  out.line(`${bold(asset.asset)}  ${paint(told.tone, out.style)(told.words)}`);
  for (const rung of RUNGS) {
    if (rung.stops.includes(asset.outcome.kind)) {
      const mark = told.tone === 'held' ? cyan('■') : red('✗');
      out.line(hang(`  ${mark} `, whyStopped(asset.outcome), out.prose, '    '));
      if (asset.outcome.kind === 'conditionsNotMet') printVerdicts(asset, out);
      const attempt = whatToTry(asset, plan);
      if (attempt !== undefined) out.line(hang(`  ${green('→')} `, attempt, out.prose, '    '));
      if (asset.outcome.kind === 'renderFailed' && asset.outcome.error.sourceLine !== null) {
        out.line(`    ${dim(`${asset.outcome.error.line ?? ''} |`)} ${asset.outcome.error.sourceLine}`);
      }
      return;
    }
    const text = rung.passes(asset, plan);
    if (text !== '') out.line(hang(`  ${green('✓')} `, text, out.prose, '    '));
    if (rung.stops.includes('conditionsNotMet')) printVerdicts(asset, out);
  }
  out.line(hang(`  ${paint(told.tone, out.style)('→')} `, result(asset), out.prose, '    '));
}

function whyStopped(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'crdMissing':
      return `the CRD ${outcome.crd}${outcome.gate ? ', its gate,' : ''} is not installed`;
    case 'conditionsNotMet':
      return outcome.conditions.length === 0 ? tell(outcome).reason : 'its conditions do not all hold';
    default:
      return tell(outcome).reason;
  }
}

/** The option that shows how it would be otherwise, where one does. */
function whatToTry({ asset, outcome }: AssetPlan, { activation }: Plan): string | undefined {
  switch (outcome.kind) {
    case 'notEnabled':
      return 'to see what it would do: --activation true';
    case 'notListed':
      return activation?.kind === 'only' ? `to see what it would do: --activation ${[...activation.names, asset].join(',')}` : undefined;
    case 'conditionsNotMet': {
      const edits = outcome.conditions.flatMap((condition) =>
        condition.type === 'annotation' && !condition.holds ? [`--what-if ${shortKey(condition.key)}=${condition.value ?? 'true'}`] : [],
      );
      return edits.length === 0 ? undefined : `to see what it would do: ${edits.join(' ')}`;
    }
    default:
      return undefined;
  }
}

function printVerdicts({ conditions }: AssetPlan, out: Sink): void {
  for (const verdict of conditions) {
    const mark = verdict.holds ? out.style.green('✓') : out.style.red('✗');
    out.line(hang(`      ${mark} `, verdictWords(verdict), out.prose));
  }
}

function overridesPass({ customizations, steps }: AssetPlan): string {
  const notes = steps.filter(({ stage }) => stage === 'patch' || stage === 'mask').map(({ stage, note }) => `${stage}: ${note}`);
  if (notes.length > 0) return notes.join('; ');
  return customizations.length === 0 ? 'nothing is overridden' : `overridden by ${customizations.join(', ')}`;
}

function result({ outcome, changes }: AssetPlan): string {
  switch (outcome.kind) {
    case 'create':
      return 'it does not exist yet and is created';
    case 'update':
      return `it differs from live in ${count(changes.length, 'field')} and is applied`;
    default:
      return tell(outcome).reason;
  }
}
