/** Finds out from the text of templates what they look up in the cluster. */

import type { ObjectRef } from '../types';
import type { Lookups } from './protocol';

/** A call of a function that reads the cluster, with its arguments as they are written. */
const CALL = /\b(objectExists|prometheusRuleHasRecordingRule|getConfigMapData|storageProfileRWXClass|crdEnum|crdHasEnum)\b((?:\s+(?:"[^"\n]*"|`[^`]*`|\$?[\w.$]+))*)/g;
const ARGUMENT = /"([^"\n]*)"|`([^`]*)`|(\$?[\w.$]+)/g;
const ASSIGNMENT = /\{\{-?\s*(\$\w+)\s*:?=\s*"([^"\n]*)"\s*-?\}\}/g;

/** `namespace` is the HyperConverged's, which templates ask for by a method. */
export function lookupsOf(templates: Iterable<readonly [path: string, text: string]>, namespace: string): Lookups {
  const lookups: Lookups = { objects: [], configMaps: [], crds: [], storageProfiles: false, unknown: [] };
  for (const [path, text] of templates) {
    const variables = new Map([...text.matchAll(ASSIGNMENT)].map(([, name = '', value = '']) => [name, value]));
    for (const [, name = '', written = ''] of text.matchAll(CALL)) {
      const values = [...written.matchAll(ARGUMENT)].map(([, quoted, raw, bare]) => quoted ?? raw ?? variables.get(bare ?? '') ?? known(bare ?? '', namespace));
      if (!take(lookups, name, values)) lookups.unknown.push(path);
    }
  }
  lookups.unknown = [...new Set(lookups.unknown)];
  return lookups;
}

function known(written: string, namespace: string): string | undefined {
  return /^\$?\.HCO\.GetNamespace$/.test(written) ? namespace : undefined;
}

function take(lookups: Lookups, call: string, values: readonly (string | undefined)[]): boolean {
  const [first, second, third] = values;
  switch (call) {
    case 'objectExists':
      if (first === undefined || second === undefined || third === undefined) return false;
      lookups.objects.push(monitoring(first, second, third));
      return true;
    case 'prometheusRuleHasRecordingRule':
      if (first === undefined || second === undefined) return false;
      lookups.objects.push(monitoring('PrometheusRule', first, second));
      return true;
    case 'getConfigMapData':
      if (first === undefined || second === undefined) return false;
      lookups.configMaps.push({ namespace: first, name: second });
      return true;
    case 'storageProfileRWXClass':
      lookups.storageProfiles = true;
      return true;
    default:
      if (first === undefined) return false;
      lookups.crds.push(first);
      return true;
  }
}

/** The controller looks all of them up in this one group. */
function monitoring(kind: string, namespace: string, name: string): ObjectRef {
  return { apiVersion: 'monitoring.coreos.com/v1', kind, namespace, name };
}
