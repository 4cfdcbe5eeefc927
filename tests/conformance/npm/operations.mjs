// What the package answers, in the shape of the record. An EngineError that is thrown is an `error` of the record.

import { scenario } from './scenario.mjs';

const IGNORE_FIELDS = 'platform.kubevirt.io/ignore-fields';
const PATCH = 'platform.kubevirt.io/patch';

export const operations = {
  annotations({ tools }, { annotations }) {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'name', namespace: 'namespace', annotations } };
    const { invalid, paused, mode } = tools.validateAnnotations(object);
    return { invalid, paused, unmanaged: mode === 'unmanaged' };
  },

  catalog(engine, { name, catalog: files }) {
    const catalog = engine.loadCatalog(files, { name, behavior: '4.23' });
    return {
      features: catalog.features(),
      requiredCRD: Object.fromEntries(catalog.assets.map((asset) => [asset.name, asset.requiredCrd ?? ''])),
      tombstones: catalog.tombstones.map(({ path, object: { kind, namespace, name } }) => ({ path, kind, namespace, name })),
    };
  },

  exclusion({ tools }, { rules, resources }) {
    const references = resources.map(([kind, namespace, name]) => ({ apiVersion: '', kind, namespace, name }));
    const { error, excluded } = tools.disabledResources(rules, references);
    return error === null ? { excluded: resources.filter((_, index) => excluded[index] !== null) } : { error };
  },

  glob({ tools }, { pattern, name }) {
    const { matches, badPattern } = tools.matchGlob(pattern, name);
    return { match: matches, badPattern };
  },

  'filepath-match': (engine, input) => operations.glob(engine, input),

  'json-patch'({ tools }, { doc, patch }) {
    const { result, error } = tools.jsonPatch(doc, patch);
    return error === undefined ? { expected: result } : { error };
  },

  mask({ tools }, { desired, live, pointers }) {
    const { verdict } = tools.applyMask(desired, annotated(live, IGNORE_FIELDS, pointers), pointers);
    return verdict.verdict === 'masked' ? { result: verdict.desired } : { error: verdict.error };
  },

  merge({ tools }, { ops }) {
    let live = null;
    let ok = true;
    for (const { Type: type, Manager: manager, APIVersion: apiVersion, Object: body, Conflicts: conflicts } of ops) {
      // The sequence's object is put under a key of ours.
      const object = { apiVersion, kind: 'Sequence', metadata: { name: 'x' }, o: body };
      // The suite's conversion between versions leaves objects as they are.
      if (live !== null) live.apiVersion = apiVersion;
      const write = { live, object, manager, force: type === 'force-apply', update: type === 'update' };
      const outcome = tools.serverSideApply(write);
      if ('error' in outcome) ok &&= conflicts;
      else live = outcome.object;
    }
    const owner = ({ manager, fieldsV1 }) => {
      // The root of the sequence's object is no field of it.
      const { '.': root, ...set } = fieldsV1['f:o'] ?? {};
      return [manager, set];
    };
    return { ok, object: live.o, managed: Object.fromEntries((live.metadata.managedFields ?? []).map(owner)) };
  },

  patch({ tools }, { object, kind, patch }) {
    const { verdict, desired } = tools.applyPatch(annotated({ ...object, kind }, PATCH, patch), patch);
    if (verdict.verdict === 'refused') return { rejected: verdict.error };
    return verdict.verdict === 'failed' ? { error: verdict.error } : { result: desired };
  },

  scope({ tools }, { annotation }) {
    const activation = tools.parseActivation(annotation, '4.23');
    return { enabled: activation.kind !== 'idle', only: activation.names ?? null };
  },

  scenario,

  ssa({ tools }, { schema, steps }) {
    let live = null;
    return steps.map(({ op, object, manager, force }) => {
      if (op === 'live') {
        live = object;
        return {};
      }
      // All steps were recorded at one instant. An entry of a write that changed nothing has no time, and so sorts first.
      const time = '2026-01-01T00:00:00Z';
      const outcome = tools.serverSideApply({ live, object, manager, force, update: op === 'update', schema, time });
      if ('error' in outcome) return { error: outcome.error };
      live = outcome.object;
      return split(live);
    });
  },

  template({ tools }, { template, context, hco, objects }) {
    return tools.renderTemplate(template, { ...context, hco, objects });
  },

  'yaml-parse': ({ yaml }, input) => ({ json: yaml.parse(input.yaml) }),

  'yaml-write': ({ yaml }, input) => ({ yaml: yaml.write(input.value) }),
};

function annotated(object, key, value) {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata?.annotations, [key]: value } } };
}

/** An object without its managed fields, and those without their times. */
function split(object) {
  const { managedFields, ...metadata } = object.metadata;
  return { live: { ...object, metadata }, managedFields: (managedFields ?? []).map(({ time, fieldsType, ...entry }) => entry) };
}
