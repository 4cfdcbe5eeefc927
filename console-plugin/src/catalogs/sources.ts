/** The catalogs to choose from: those of the engine, and those that the plugin's server holds. */

import { consoleFetch } from '@openshift-console/dynamic-plugin-sdk';

import type { CatalogSource } from '../engine/protocol';
import { refusalFrom } from '../server/refusal';
import type { Behavior } from '../types';

const CATALOGS = '/api/plugins/virt-autopilot-console-plugin/catalogs';

/** Anything larger is no catalog: a release's has a quarter of a megabyte. */
const MAX_BUNDLE_BYTES = 16 * 1024 * 1024;

export interface CatalogChoice {
  /** Unique among the choices: `builtin/4.22`, `server/4.23.json`. */
  id: string;
  name: string;
  origin: 'builtin' | 'server';
}

export function builtinChoices(names: readonly string[]): CatalogChoice[] {
  return names.map((name) => ({ id: `builtin/${name}`, name, origin: 'builtin' }));
}

export interface ServerChoices {
  choices: CatalogChoice[];
  /** Why they could not be listed. */
  problem: string | null;
}

/** The bundles in the server's folder; none where there is no such folder. */
export async function serverChoices(): Promise<ServerChoices> {
  try {
    const response = await consoleFetch(`${CATALOGS}/index.json`);
    const listing: unknown = await response.json();
    return { choices: choicesOf(listing), problem: null };
  } catch (thrown) {
    const { kind, message } = refusalFrom(thrown);
    return { choices: [], problem: kind === 'gone' ? null : message };
  }
}

function choicesOf(listing: unknown): CatalogChoice[] {
  if (!Array.isArray(listing)) return [];
  return listing.flatMap((entry: unknown) => {
    const { name, type } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
    return typeof name === 'string' && type === 'file' ? [{ id: `server/${name}`, name, origin: 'server' } as const] : [];
  });
}

export async function sourceOf({ name, origin }: CatalogChoice): Promise<CatalogSource> {
  if (origin === 'builtin') return { kind: 'builtin', name };
  const response = await consoleFetch(`${CATALOGS}/${encodeURIComponent(name)}`);
  const text = await response.text();
  if (text.length > MAX_BUNDLE_BYTES) throw new Error(`${name}: ${text.length} > ${MAX_BUNDLE_BYTES}`);
  return { kind: 'bundle', name, text };
}

/** How the controller of the HyperConverged operator's version behaves. Versions after the preview are the newest known. */
export function behaviorOf(version: string | null): Behavior | null {
  const [, major, minor] = /^v?(\d+)\.(\d+)\b/.exec(version ?? '') ?? [];
  if (major === undefined || minor === undefined) return null;
  return Number(major) < 4 || (Number(major) === 4 && Number(minor) <= 22) ? '4.22' : '4.23';
}

/** The operator's version as the HyperConverged tells it. */
export function operatorVersionOf(status: unknown): string | null {
  const { versions } = (typeof status === 'object' && status !== null ? status : {}) as { versions?: unknown };
  if (!Array.isArray(versions)) return null;
  const operator = (versions as { name?: unknown; version?: unknown }[]).find(({ name }) => name === 'operator');
  return typeof operator?.version === 'string' ? operator.version : null;
}

/** The choice for a release, or else the newest one before it, or any. */
export function choiceFor(choices: readonly CatalogChoice[], version: string | null): CatalogChoice | undefined {
  const wanted = releaseOf(version ?? '');
  const known = choices
    .flatMap((choice) => {
      const release = releaseOf(choice.name);
      return release === null ? [] : [{ choice, release }];
    })
    .sort((a, b) => b.release - a.release);
  return (known.find(({ release }) => wanted !== null && release <= wanted) ?? known[0])?.choice ?? choices[0];
}

function releaseOf(text: string): number | null {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return major === undefined || minor === undefined ? null : Number(major) * 1000 + Number(minor);
}
