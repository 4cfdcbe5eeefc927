/** Why the API server did not do what it was asked for. */

/** What a refusal comes to for the reader, by the status of the answer. */
export type RefusalKind = 'session' | 'forbidden' | 'gone' | 'conflict' | 'invalid' | 'server' | 'network';

export interface Refusal {
  kind: RefusalKind;
  status: number | null;
  /** The server's own words. */
  message: string;
}

export function refusalFrom(thrown: unknown): Refusal {
  const { code, response } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as {
    code?: unknown;
    response?: { status?: unknown };
  };
  const status = typeof code === 'number' ? code : typeof response?.status === 'number' ? response.status : null;
  return { kind: kindOf(status), status, message: thrown instanceof Error ? thrown.message : String(thrown) };
}

function kindOf(status: number | null): RefusalKind {
  if (status === null) return 'network';
  if (status === 401) return 'session';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'gone';
  if (status === 409) return 'conflict';
  return status < 500 ? 'invalid' : 'server';
}
