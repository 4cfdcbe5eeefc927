/** A session in the fragment of an address: packed, and nothing that a sample has already. */

import type { Demo } from 'virt-autopilot';
import type { TextFile } from '../files/dropped';
import { deflate, inflate } from '../files/inflate';
import { EMPTY, type Session, sessionOfSample } from '../session';

const KEY = 'input';
const VERSION = 1;
/** What a link may unpack to, in bytes. */
const MAX_UNPACKED = 64_000_000;
/** Longer addresses are refused by some browsers, in characters. */
export const MAX_LINK = 1_900_000;
/** Longer links are cut by some programs that pass them on. */
export const LONG_LINK = 8_000;

type Shared = Partial<Session> & { version: number };

/** The fragment that stands for the session, without `#`. */
export async function fragmentOf(session: Session, demo: Demo): Promise<string> {
  const base = baseOf(session.sample, demo);
  const shared: Record<string, unknown> = { version: VERSION, sample: session.sample };
  for (const key of Object.keys(EMPTY) as (keyof Session)[]) {
    if (JSON.stringify(session[key]) !== JSON.stringify(base[key])) shared[key] = session[key];
  }
  const packed = await deflate(new TextEncoder().encode(JSON.stringify(shared)));
  return `${KEY}=${toBase64(packed)}`;
}

/** The session in a fragment; `undefined` where there is none. Throws where it is damaged. */
export async function sessionOfFragment(fragment: string, demo: Demo): Promise<Session | undefined> {
  const packed = new URLSearchParams(fragment.replace(/^#/, '')).get(KEY);
  if (packed === null) return undefined;
  const text = new TextDecoder().decode(await inflate(fromBase64(packed), 'deflate-raw', MAX_UNPACKED));
  const { version, ...fields } = JSON.parse(text) as Shared;
  if (version !== VERSION) throw new Error(`version ${version} of links is not known`);
  return checked({ ...baseOf(fields.sample ?? null, demo), ...fields });
}

function baseOf(sample: string | null, demo: Demo): Session {
  return sample === null ? EMPTY : sessionOfSample(demo, sample);
}

/** A link comes from anywhere, so its parts may be anything. */
function checked(session: Session): Session {
  const isText = (value: unknown) => typeof value === 'string';
  const isFile = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return false;
    const { name, text } = value as Partial<TextFile>;
    return isText(name) && isText(text);
  };
  const areFiles = (value: unknown) =>
    Array.isArray(value) && value.every((file: unknown) => isFile(file));
  const { hco, overrides, cluster, git, catalog, behavior } = session;
  const isCatalog = catalog.kind === 'builtIn' ? isText(catalog.name) : areFiles(catalog.files) && isText(catalog.name);
  const isBehavior = behavior === null || ['4.22', '4.23', 'ga'].includes(behavior);
  if (!isText(hco) || !isText(overrides) || !areFiles(cluster) || !areFiles(git) || !isCatalog || !isBehavior) {
    throw new Error('the link holds something else than an input');
  }
  return session;
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
