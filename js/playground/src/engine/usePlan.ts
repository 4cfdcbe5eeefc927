/** The plan of a session, made anew as the session changes. */

import { useEffect, useMemo, useState } from 'react';

import { MAX_INPUT } from '../files/dropped';
import { type Session, sizeOf } from '../session';
import { type EngineClient, EngineFailure, newestWins } from './client';
import { type ListedPlan, planOf } from './listing';
import type { PlanInput, Planned } from './protocol';

export type PlanState =
  | { kind: 'loading' }
  | { kind: 'empty' }
  | { kind: 'tooLarge'; size: number; limit: number }
  | { kind: 'failed'; failure: EngineFailure; last: Planned | undefined }
  /** `of` is the session that it is the plan of. */
  | { kind: 'planned'; planned: Planned; of: Session };

/** What the worker was sent last, so that big texts are sent once, and what it answered. */
interface Sent {
  generation: number;
  session: Session | undefined;
  plan: ListedPlan | undefined;
}

export function usePlan(engine: EngineClient, session: Session): [PlanState, () => void] {
  const [state, setState] = useState<PlanState>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const plan = useMemo(() => planner(engine, setState), [engine]);

  useEffect(() => {
    if (session.hco.trim() === '' && session.cluster.length === 0) {
      setState({ kind: 'empty' });
      return;
    }
    const size = sizeOf(session);
    if (size > MAX_INPUT) setState({ kind: 'tooLarge', size, limit: MAX_INPUT });
    else plan(session);
  }, [plan, session, attempt]);

  return [state, () => { setAttempt((count) => count + 1); }];
}

function planner(engine: EngineClient, setState: (update: PlanState | ((state: PlanState) => PlanState)) => void) {
  const sent: Sent = { generation: -1, session: undefined, plan: undefined };
  return newestWins(async (session: Session) => {
    try {
      const before = sent.generation === engine.generation ? sent.session : undefined;
      const input = inputOf(session, before);
      sent.session = session;
      const answer = engine.call('plan', input);
      sent.generation = engine.generation;
      const { plan: changes, ...rest } = await answer;
      const plan = planOf(changes, sent.plan);
      sent.plan = plan;
      setState({ kind: 'planned', planned: { plan, ...rest }, of: session });
    } catch (thrown) {
      // What the worker knows is not certain any more.
      sent.session = undefined;
      const failure =
        thrown instanceof EngineFailure ? thrown : new EngineFailure({ code: 'page', message: String(thrown), problems: [] });
      setState((state) => ({ kind: 'failed', failure, last: lastOf(state) }));
    }
  });
}

function lastOf(state: PlanState): Planned | undefined {
  if (state.kind === 'planned') return state.planned;
  return state.kind === 'failed' ? state.last : undefined;
}

function inputOf(session: Session, before: Session | undefined): PlanInput {
  const { hco, overrides, behavior, cluster, git, catalog } = session;
  return {
    hco,
    overrides,
    behavior,
    cluster: cluster === before?.cluster ? undefined : cluster,
    git: git === before?.git ? undefined : git,
    catalog: catalog === before?.catalog ? undefined : catalog,
  };
}
