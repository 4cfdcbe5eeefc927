// Whole reconciles: the package's machine against its API server in memory.

const MANAGER = 'virt-platform-autopilot';

export function scenario(engine, { catalog: files, objects, images, rounds }) {
  const catalog = engine.loadCatalog(files, { name: 'sample', behavior: '4.23' });
  const server = engine.apiServer({ objects, schemaless: true });
  const machine = engine.machine({ catalog });
  const kinds = new Set(catalog.assets.map((asset) => asset.kind));
  try {
    return { rounds: rounds.map(({ writes }) => round({ server, machine, kinds, images }, writes ?? [])) };
  } finally {
    [machine, server, catalog].forEach((handle) => handle.free());
  }
}

/** The writes of others, then one pass, in the shape of the record. */
function round({ server, machine, kinds, images }, writes) {
  for (const { op, manager, ref, patch, object } of writes) write(server, { op, manager, ref, patch, object });
  const actions = [];
  const events = [];
  let error = null;
  let effects = machine.handle(0, { kind: 'snapshot', objects: server.objects(), images });
  while (effects.length > 0) {
    const next = [];
    for (const effect of effects) {
      if (effect.kind === 'event') events.push(without(effect.event, ['object']));
      else if (effect.kind === 'finished') error = effect.error ?? error;
      else if (effect.kind !== 'metric') next.push(...carriedOut(server, machine, effect, actions));
    }
    effects = next;
  }
  const live = server.objects().filter(({ kind }) => kinds.has(kind));
  return {
    actions,
    events,
    error,
    live: live.map((object) => ({ ...object, metadata: without(object.metadata, ['managedFields']) })),
    metrics: machine.metrics().split('\n').filter((line) => line !== '' && !line.startsWith('#')),
  };
}

function write(server, { op, manager, ref, patch, object }) {
  const reference = { ...ref, namespace: ref?.namespace ?? '' };
  const requests = {
    create: { kind: 'update', object, manager },
    merge: { kind: 'merge', object: reference, patch, manager },
    delete: { kind: 'delete', object: reference },
  };
  const { error } = server.request(requests[op]);
  if (error !== undefined) throw new Error(error.message);
}

function carriedOut(server, machine, effect, actions) {
  const act = { apply: 'apply', annotate: 'update', delete: 'delete' }[effect.kind];
  if (act !== undefined) {
    const { kind, metadata, name = metadata.name, namespace = metadata?.namespace ?? '' } = effect.object;
    actions.push({ action: act, kind, name, namespace });
  }
  const answer = server.request({ ...effect, manager: MANAGER, force: true });
  // The API server of the recording stored what a dry run came to, which shows where nothing is applied after it.
  if (effect.kind === 'dryRun' && answer.object) server.request({ kind: 'put', object: answer.object });
  return machine.handle(0, { kind: 'done', id: effect.id, ...answer });
}

function without(map, keys) {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !keys.includes(key)));
}
