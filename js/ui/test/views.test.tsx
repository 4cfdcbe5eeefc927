import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';

import {
  AssetDetail,
  type AssetDetailProps,
  AssetTable,
  type AssetTableProps,
  CopyButton,
  DiagnosticList,
  DiffView,
  EmptyPlanState,
  FailedState,
  ImpactView,
  LoadingState,
  MaskPicker,
  NO_FILTER,
  OUTCOME_KINDS,
  type Outcome,
  OverrideResult,
  PlanSummary,
  SimulationView,
  TextProvider,
  TooLargeState,
  WhyText,
} from '../src/index.js';
import { asset, change, diagnostic, object, owner, plan, simulation } from './plan.js';

const NOTHING = () => undefined;

describe('PlanSummary', () => {
  const assets = [asset('a', { outcome: { kind: 'create' } }), asset('b', { outcome: { kind: 'create' } }), asset('c')];

  it('counts by outcome and filters by it', async () => {
    const onSelect = vi.fn();
    render(<PlanSummary plan={plan(assets)} selected={[]} onSelect={onSelect} />);
    await userEvent.click(screen.getByRole('button', { name: '2 Create' }));
    expect(onSelect).toHaveBeenCalledWith(['create']);
    expect(screen.queryByRole('button', { name: /Update/ })).toBeNull();
  });

  it.each([
    [{ kind: 'idle' } as const, 'Turned off'],
    [{ kind: 'only', names: ['a', 'b'] } as const, 'only for a, b'],
    [null, 'no HyperConverged'],
  ])('says what the activation means: %o', (activation, text) => {
    render(<PlanSummary plan={plan([], { activation: activation as never })} selected={[]} onSelect={NOTHING} />);
    expect(screen.getByText(new RegExp(text))).toBeTruthy();
  });
});

describe('ImpactView', () => {
  it('says when nothing reboots', () => {
    render(<ImpactView impact={{ pools: [], withoutReboot: ['a'], diagnostics: [] }} />);
    expect(screen.getByText(/No node would reboot. 1 other asset/)).toBeTruthy();
  });

  it('names the nodes, the pools that are paused and the causes', async () => {
    const ref = { apiVersion: 'machineconfiguration.openshift.io/v1', kind: 'MachineConfig', namespace: '', name: '90-swap' };
    const pool = { pool: 'worker', nodes: ['w-0', 'w-1'], paused: true, causes: [{ asset: 'swap-enable', object: ref, change: 'two files' }] };
    const onAsset = vi.fn();
    render(<ImpactView impact={{ pools: [pool], withoutReboot: [], diagnostics: [] }} onAsset={onAsset} />);
    expect(screen.getByText(/2 nodes would drain/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /Show pools/ }));
    expect(screen.getByText('w-1')).toBeTruthy();
    expect(screen.getByText(/Pool paused/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'swap-enable' }));
    expect(onAsset).toHaveBeenCalledWith('swap-enable');
  });

  it('does not invent nodes that are not in the input', () => {
    const pool = { pool: 'worker', nodes: [], paused: false, causes: [] };
    render(<ImpactView impact={{ pools: [pool], withoutReboot: [], diagnostics: [] }} />);
    expect(screen.getByText(/1 pool would roll out/)).toBeTruthy();
    expect(screen.getByText(/its nodes are not in the input/)).toBeTruthy();
  });
});

describe('AssetTable', () => {
  const assets = [
    asset('swap', { outcome: { kind: 'create' }, object: null, component: 'MachineConfig', features: ['SWAP'] }),
    asset('descheduler', {
      outcome: { kind: 'update' },
      changes: [change('/spec/mode', 'a', 'b')],
      ownership: [{ change: 'taken', field: { path: '.spec.mode', pointer: '/spec/mode' }, from: [owner('argocd')] }],
    }),
  ];
  const table = (more: Partial<AssetTableProps>) => (
    <AssetTable
      assets={assets}
      filter={NO_FILTER}
      sort={{ column: 'order', descending: false }}
      rebooting={new Set(['swap'])}
      onFilter={NOTHING}
      onSort={NOTHING}
      onSelect={NOTHING}
      {...more}
    />
  );
  const rows = () => screen.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('button')[0]?.textContent);

  it('shows outcome, changes, losers and reboots', () => {
    render(table({}));
    const row = screen.getByRole('row', { name: /descheduler/ });
    expect(within(row).getByText('Update')).toBeTruthy();
    expect(within(row).getByText('1 field')).toBeTruthy();
    expect(within(row).getByText('argocd')).toBeTruthy();
    expect(within(screen.getByRole('row', { name: /swap/ })).getByText('Reboots nodes')).toBeTruthy();
  });

  it.each([
    [{ ...NO_FILTER, outcomes: ['create' as const] }, ['swap']],
    [{ ...NO_FILTER, kinds: ['KubeDescheduler'] }, ['descheduler']],
    [{ ...NO_FILTER, features: ['SWAP'] }, ['swap']],
    [{ ...NO_FILTER, text: 'DESCHED' }, ['descheduler']],
  ])('filters: %o', (filter, expected) => {
    render(table({ filter }));
    expect(rows()).toEqual(expected);
  });

  it('sorts', async () => {
    const onSort = vi.fn();
    render(table({ sort: { column: 'asset', descending: false }, onSort }));
    expect(rows()).toEqual(['descheduler', 'swap']);
    await userEvent.click(screen.getByRole('button', { name: 'Asset' }));
    expect(onSort).toHaveBeenCalledWith({ column: 'asset', descending: true });
  });

  it('says when no asset matches, and clears the filters', async () => {
    const onFilter = vi.fn();
    render(table({ filter: { ...NO_FILTER, text: 'nothing of the kind' }, onFilter }));
    expect(screen.getByText('No asset matches')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(onFilter).toHaveBeenCalledWith(NO_FILTER);
  });

  it('opens an asset', async () => {
    const onSelect = vi.fn();
    render(table({ onSelect }));
    await userEvent.click(screen.getByRole('button', { name: 'swap' }));
    expect(onSelect).toHaveBeenCalledWith('swap');
  });
});

describe('AssetDetail', () => {
  const one = asset('descheduler', {
    outcome: { kind: 'update' },
    live: object('KubeDescheduler', 'cluster', { mode: 'Predictive' }),
    predicted: object('KubeDescheduler', 'cluster', { mode: 'Automatic' }),
    changes: [change('/spec/mode', 'Predictive', 'Automatic')],
    ownership: [
      { change: 'taken', field: { path: '.spec.mode', pointer: '/spec/mode' }, from: [owner('argocd')] },
      { change: 'foreign', field: { path: '.spec.x', pointer: '/spec/x' }, owners: [owner('helm')] },
    ],
    steps: [{ stage: 'baseline', note: 'the catalog says', changes: [] }],
    diagnostics: [diagnostic()],
  });
  const detail = (more: Partial<AssetDetailProps>) => (
    <AssetDetail
      asset={one}
      texts={{ live: 'mode: Predictive\n', predicted: 'mode: Automatic\n', desired: null, baseline: null }}
      events={[]}
      tab="changes"
      onTab={NOTHING}
      onClose={NOTHING}
      {...more}
    />
  );

  it('shows the change as a diff and says who loses what', () => {
    render(detail({}));
    expect(screen.getByText(/argocd loses 1 field/)).toBeTruthy();
    expect(screen.getAllByText('mode: Automatic')).toHaveLength(1);
  });

  it('takes the focus, so that a keyboard user is where the detail is', () => {
    render(detail({}));
    expect(document.activeElement?.textContent).toBe('descheduler');
  });

  it('waits for the texts', () => {
    render(detail({ texts: undefined }));
    expect(screen.getByText('Preparing the object')).toBeTruthy();
  });

  it('says when nothing changes', () => {
    render(detail({ asset: asset('a') }));
    expect(screen.getByText('Nothing changes')).toBeTruthy();
  });

  it.each([
    ['why', 'Findings'],
    ['steps', 'the catalog says'],
    ['ownership', 'Taken by force'],
    ['object', 'After the apply'],
    ['events', 'No event would be emitted for this asset.'],
    ['own', 'a tab of the host'],
  ])('has the tab %s', (tab, text) => {
    const extraTabs: { key: string; title: string; content: ReactNode }[] = [{ key: 'own', title: 'Own', content: 'a tab of the host' }];
    render(detail({ tab, extraTabs }));
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('decodes payloads', () => {
    const payload = { path: '/etc/swap.conf', before: { mode: 420, size: 2, text: 'a\n' }, after: { mode: 493, size: 2, text: 'b\n' }, sameContent: false };
    render(detail({ asset: { ...one, changes: [change('/spec/config', 'x', 'y', { payload })] } }));
    expect(screen.getByText('/etc/swap.conf')).toBeTruthy();
    expect(screen.getByText('mode 0644 → 0755')).toBeTruthy();
  });
});

describe('WhyText', () => {
  const ref = { kind: 'MachineConfig', name: '90-*' };
  const error = { message: 'no such key', path: 'a.tpl', line: 3, column: 1, sourceLine: '{{ x }}', stage: 'execute' as const };
  const outcomes: Outcome[] = [
    { kind: 'create' }, { kind: 'update' }, { kind: 'inSync' }, { kind: 'paused' }, { kind: 'unmanaged' }, { kind: 'rendersEmpty' },
    { kind: 'notListed' }, { kind: 'noHyperConverged' }, { kind: 'notEnabled', annotation: 'false' },
    { kind: 'maskFailed', message: 'm' }, { kind: 'patchCrashed', message: 'm' }, { kind: 'applyRefused', message: 'm' }, { kind: 'notReached', by: 'hco' },
    { kind: 'namespaceMissing', namespace: 'ns' }, { kind: 'crdMissing', crd: 'a.b', gate: true }, { kind: 'conditionsNotMet', conditions: [] },
    { kind: 'excludedByRule', rule: ref }, { kind: 'renderFailed', error }, { kind: 'neverReconciled' },
  ];

  it.each(outcomes)('has a sentence for $kind', (outcome) => {
    const { container } = render(<WhyText outcome={outcome} />);
    expect(container.textContent).not.toMatch(/why\.|\{\{/);
  });

  it('knows every outcome', () => { expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(OUTCOME_KINDS)); });
});

describe('DiagnosticList', () => {
  it('offers fixes and places', async () => {
    const source = { object: { apiVersion: 'v1', kind: 'A', namespace: '', name: 'a' }, annotation: 'p/patch', span: { line: 2, column: 1, start: 5, end: 6 } };
    const fix = { title: 'remove the patch', object: source.object, annotation: 'p/patch', value: null };
    const one = diagnostic({ help: 'use disabled-resources', source, fixes: [fix] });
    const [onSource, onFix] = [vi.fn(), vi.fn()];
    render(<DiagnosticList diagnostics={[one]} onSource={onSource} onFix={onFix} />);
    await userEvent.click(screen.getByRole('button', { name: 'remove the patch' }));
    await userEvent.click(screen.getByRole('button', { name: 'Show in the input' }));
    expect(onFix).toHaveBeenCalledWith(fix);
    expect(onSource).toHaveBeenCalledWith(source, one);
    expect(screen.getByText('MachineConfig').tagName).toBe('CODE');
    expect(screen.getByText(/line 2/)).toBeTruthy();
  });

  it('puts the gravest first', () => {
    render(<DiagnosticList diagnostics={[diagnostic({ severity: 'info', message: 'small' }), diagnostic({ message: 'grave' })]} />);
    expect(screen.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([expect.stringContaining('Grave'), expect.stringContaining('Small')]);
  });

  it('says when there is none', () => {
    render(<DiagnosticList diagnostics={[]} />);
    expect(screen.getByText('Nothing to report.')).toBeTruthy();
  });
});

describe('DiffView', () => {
  const names = { before: 'Live', after: 'After' };

  it('switches between split and unified', async () => {
    render(<DiffView before={'a\nb\n'} after={'a\nc\n'} names={names} layout="split" />);
    expect(screen.getAllByText('a')).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Unified' }));
    expect(screen.getAllByText('a')).toHaveLength(1);
  });

  it('unfolds unchanged lines', async () => {
    const text = Array.from({ length: 30 }, (_, index) => `line-${index}`).join('\n');
    render(<DiffView before={text} after={`${text}\nend`} names={names} layout="unified" />);
    expect(screen.queryByText('line-3')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /27 unchanged lines/ }));
    expect(screen.getByText('line-3')).toBeTruthy();
  });

  it('says when nothing differs, and when it is too much', () => {
    const { rerender } = render(<DiffView before="a" after="a" names={names} />);
    expect(screen.getByText('The two are the same.')).toBeTruthy();
    rerender(<DiffView before={'x'.repeat(1_000_001)} after="a" names={names} />);
    expect(screen.getByText(/too long to compare/)).toBeTruthy();
  });
});

describe('SimulationView', () => {
  it('shows the pause', () => {
    render(<SimulationView simulation={simulation()} />);
    expect(screen.getByText('Paused after 30 s.')).toBeTruthy();
    expect(screen.getByRole('img', { name: /Paused after 30 s/ })).toBeTruthy();
  });

  it('says plainly when there is none', () => {
    const [verdict] = simulation().verdicts;
    if (!verdict) throw new Error('the fixture has a verdict');
    render(<SimulationView simulation={simulation({ verdicts: [{ ...verdict, pausedAtMs: null }], truncated: 4 })} />);
    expect(screen.getByText('Never paused.')).toBeTruthy();
    expect(screen.getByText('4 later entries are left out.')).toBeTruthy();
  });

  it('says when it was cut short', () => {
    render(<SimulationView simulation={simulation({ complete: false, durationMs: 90_000 })} />);
    expect(screen.getByText('More happens than one simulation plays: it was cut short after 1 min 30 s.')).toBeTruthy();
  });

  it('says when nobody wrote', () => {
    render(<SimulationView simulation={simulation({ timeline: [], verdicts: [] })} />);
    expect(screen.getByText('Nobody wrote anything.')).toBeTruthy();
  });
});

describe('override pieces', () => {
  const override = {
    object: { apiVersion: 'operator.openshift.io/v1', kind: 'KubeDescheduler', namespace: 'ns', name: 'cluster' },
    annotation: 'platform.kubevirt.io/patch',
    value: '[{"op":"remove","path":"/spec/a"},{"op":"remove","path":"/spec/b"}]',
  };

  it('checks, accepts and refuses', () => {
    const { rerender } = render(<OverrideResult override={override} verdict={undefined} manifest={undefined} />);
    expect(screen.getByText(/Checking/)).toBeTruthy();
    rerender(<OverrideResult override={override} verdict={{ accepted: true, outcome: 'update', diagnostics: [] }} manifest="kind: A" />);
    expect(screen.getByText(/would accept this/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy Command' })).toBeTruthy();
    rerender(<OverrideResult override={override} verdict={{ accepted: false, outcome: 'update', diagnostics: [diagnostic()] }} manifest="kind: A" />);
    expect(screen.getByText(/would not accept this/)).toBeTruthy();
    expect(screen.getByText(/cannot be patched/)).toBeTruthy();
  });

  it('marks fields', async () => {
    const onMark = vi.fn();
    render(<MaskPicker fields={[change('/spec/mode', 'a', 'b')]} marked={[]} onMark={onMark} />);
    await userEvent.click(screen.getByRole('checkbox', { name: '/spec/mode' }));
    expect(onMark).toHaveBeenCalledWith(['/spec/mode']);
  });

  it('copies, and says so', async () => {
    const user = userEvent.setup();
    render(<CopyButton text="the text" what="manifest" />);
    await user.click(screen.getByRole('button', { name: 'Copy manifest' }));
    expect(await screen.findByText('Copied')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe('the text');
  });
});

describe('states', () => {
  it('have a text for each', async () => {
    const onRetry = vi.fn();
    render(
      <>
        <LoadingState />
        <FailedState message="it is `broken`" onRetry={onRetry} />
        <TooLargeState size={80_000_000} limit={64_000_000} />
        <EmptyPlanState />
      </>,
    );
    expect(screen.getByText('Working out the plan')).toBeTruthy();
    expect(screen.getByText(/80 MB were given, 64 MB/)).toBeTruthy();
    expect(screen.getByText('Nothing to plan yet')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(onRetry).toHaveBeenCalled();
  });

  it('take their texts from the host', () => {
    render(
      <TextProvider t={(key) => `<${key}>`}>
        <LoadingState />
      </TextProvider>,
    );
    expect(screen.getByText('<state.loading>')).toBeTruthy();
  });
});
