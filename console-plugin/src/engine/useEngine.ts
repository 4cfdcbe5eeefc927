import { useCallback, useEffect, useState } from 'react';

import { type EngineClient, endEngine, openEngine } from './client';
import { EngineFault } from './protocol';

export type EngineState = { kind: 'starting' } | { kind: 'ready'; client: EngineClient } | { kind: 'fault'; fault: EngineFault };

/** A session with the engine for as long as the view is there, and a way to start anew. */
export function useEngine(): [EngineState, () => void] {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<EngineState>({ kind: 'starting' });
  useEffect(() => {
    let isCurrent = true;
    let opened: EngineClient | undefined;
    openEngine().then(
      (client) => {
        if (!isCurrent) return;
        opened = client;
        setState({ kind: 'ready', client });
      },
      (thrown: unknown) => { if (isCurrent) setState({ kind: 'fault', fault: faultOf(thrown) }); },
    );
    return () => {
      isCurrent = false;
      opened?.call('close', {}).catch(() => undefined);
    };
  }, [attempt]);
  const restart = useCallback(() => {
    setState({ kind: 'starting' });
    void endEngine().then(() => { setAttempt((last) => last + 1); });
  }, []);
  return [state, restart];
}

export function faultOf(thrown: unknown): EngineFault {
  if (thrown instanceof EngineFault) return thrown;
  return new EngineFault({ kind: 'unreachable', message: thrown instanceof Error ? thrown.message : String(thrown), problems: [] });
}
