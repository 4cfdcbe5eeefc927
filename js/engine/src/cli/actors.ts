import type { Engine } from '../engine.js';
import type { Actor, AssetPlan, Json, KubeObject, Plan } from '../types.js';
import { readNamed } from './cluster.js';
import { Problem } from './problem.js';
import { assetOf } from './single-asset.js';
import { pointerParts, valueAt } from './text/owners.js';
import { refOf } from './text/words.js';

/** How Argo CD goes about it, where it is not as by default. */
export interface Habits {
  periodMs?: number;
  serverSideApply?: boolean;
}

const KINDS = ['argocd', 'person', 'webhook', 'controller'];

/** Argo CD with the values in Git that live has now, of all fields that the autopilot would take from others. */
export function argocdFromPlan(plan: Plan, name: string | undefined, habits: Habits): Actor[] {
  const assets = name === undefined ? plan.assets : [assetOf(plan.assets, name)];
  const actors = assets.flatMap((asset) => contested(asset, habits));
  if (actors.length > 0) return actors;
  const subject = name ?? 'the autopilot';
  throw new Problem(`there is nothing to fight about: ${subject} takes no field of a live object from anybody`, [
    'name the manifest that Git has: --against FILE',
    'on the demo cluster: --demo --situation gitops-owns-fields',
  ]);
}

function contested({ live, object, ownership, changes }: AssetPlan, habits: Habits): Actor[] {
  if (live === null || object === null) return [];
  const taken = ownership.flatMap((change) => (change.change === 'taken' && change.field.pointer !== undefined ? [change.field.pointer] : []));
  const changed = new Set(changes.map(({ pointer }) => pointer));
  const pointers = taken.filter((pointer) => [...changed].some((other) => other === pointer || other.startsWith(`${pointer}/`)));
  if (pointers.length === 0) return [];
  let fields: Record<string, Json | undefined> = {};
  for (const pointer of pointers) fields = withField(fields, live, pointerParts(pointer));
  return [{ kind: 'argocd', object, fields, ...habits }];
}

/** The fields with that of live at a path added; of a list the whole list. */
function withField(fields: Record<string, Json | undefined>, live: Json | undefined, path: readonly string[]): Record<string, Json | undefined> {
  const [part, ...rest] = path;
  if (part === undefined) return fields;
  const value = valueAt(live, `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (rest.length === 0 || !isMap) return { ...fields, [part]: value };
  const below = fields[part];
  const known = typeof below === 'object' && below !== null && !Array.isArray(below) ? below : {};
  return { ...fields, [part]: withField(known, value, rest) };
}

/** The actors of a file: manifests, which Argo CD heals, and actors that are written out. */
export async function actorsFromFile(engine: Engine, path: string, habits: Habits): Promise<Actor[]> {
  const text = await readNamed(path);
  let documents: Json[];
  try {
    documents = engine.yaml.parseAll(text);
  } catch (error) {
    throw new Problem(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const actors = documents.flatMap((document) => (Array.isArray(document) ? document : [document])).map((item) => actorOf(item, path, habits));
  if (actors.length === 0) throw new Problem(`${path} has neither a manifest nor an actor`);
  return actors;
}

function actorOf(item: Json, path: string, habits: Habits): Actor {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    if (typeof item['kind'] === 'string' && KINDS.includes(item['kind'])) return item as unknown as Actor;
    if (typeof item['apiVersion'] === 'string' && typeof item['kind'] === 'string') return manifest(item as KubeObject, habits);
  }
  throw new Problem(`${path} has something that is neither a manifest nor an actor`, [
    'a manifest has `apiVersion`, `kind` and `metadata`, as it is in Git',
    `an actor has a kind (${KINDS.join(', ')}) and an object`,
  ]);
}

/** Argo CD with a manifest in Git. */
function manifest(object: KubeObject, habits: Habits): Actor {
  const { metadata = {}, ...rest } = object;
  const { labels, annotations } = metadata;
  const kept = { ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) };
  const fields = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'apiVersion' && key !== 'kind' && key !== 'status'));
  return { kind: 'argocd', object: refOf(object), fields: Object.keys(kept).length === 0 ? fields : { ...fields, metadata: kept }, ...habits };
}
