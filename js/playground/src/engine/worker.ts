/** The engine's thread. It keeps what was sent last, so that a keystroke carries only what it changed. */

import { EngineCrashed, EngineError, init } from 'virt-autopilot';

import { EngineHost } from './host';
import type { Failure, Method, Request, Response } from './protocol';

let host: Promise<EngineHost> | undefined;

self.onmessage = async ({ data: { id, method, args } }: MessageEvent<Request>) => {
  let response: Response;
  try {
    host ??= init().then((engine) => new EngineHost(engine));
    const { methods } = await host;
    const run = methods[method satisfies Method] as (...args: unknown[]) => unknown;
    response = { id, result: run(...args) };
  } catch (thrown) {
    // After a crash the instance is gone, and with it the catalogs.
    if (thrown instanceof EngineCrashed) host = undefined;
    response = { id, failure: failureOf(thrown) };
  }
  self.postMessage(response);
};

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof EngineError) return { code: thrown.code, message: thrown.message, problems: [...thrown.problems] };
  return { code: 'page', message: thrown instanceof Error ? thrown.message : String(thrown), problems: [] };
}
