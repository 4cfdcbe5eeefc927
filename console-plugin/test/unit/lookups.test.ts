import { expect, it } from 'vitest';

import { lookupsOf } from '../../src/engine/lookups';

const rule = (namespace: string, name: string) => ({ apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', namespace, name });
const none = { objects: [], configMaps: [], crds: [], storageProfiles: false, unknown: [] };

it.each([
  ['a literal', '{{ if objectExists "PrometheusRule" "ns" "r" }}', { objects: [rule('ns', 'r')] }],
  ['a variable', '{{- $ns := "ns" }}\n{{ if prometheusRuleHasRecordingRule $ns "r" $record }}', { objects: [rule('ns', 'r')] }],
  ['the namespace of the HyperConverged', '{{ getConfigMapData .HCO.GetNamespace "m" "k" }}', { configMaps: [{ namespace: 'cnv', name: 'm' }] }],
  ['an enum', '{{ if crdHasEnum "widgets.example.com" "spec.mode" "a" }}{{ crdEnum `gadgets.example.com` "x" }}', { crds: ['widgets.example.com', 'gadgets.example.com'] }],
  ['profiles', '{{ storageProfileRWXClass }}', { storageProfiles: true }],
  ['a name that is computed', '{{ if objectExists "PrometheusRule" "ns" (printf "%s" .x) }}', { unknown: ['t'] }],
  ['nothing', 'kind: ConfigMap', {}],
])('%s', (_name, text, expected) => {
  expect(lookupsOf([['t', text]], 'cnv')).toEqual({ ...none, ...expected });
});
