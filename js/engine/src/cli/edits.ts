import { wrongUse, type Arguments, type CommandSpec } from './args.js';
import type { AnnotationEdit, PlanOptions } from '../types.js';
import { fullKey } from './text/words.js';

const HYPERCONVERGED = { kind: 'HyperConverged', name: 'kubevirt-hyperconverged' };
const NAMESPACE = 'openshift-cnv';

/** What the arguments ask a plan to pretend. */
export function planOptions(spec: CommandSpec, args: Arguments): PlanOptions {
  const namespace = args.one('namespace') ?? NAMESPACE;
  const edits = [
    ...args.all('what-if').map((text) => ({ ...HYPERCONVERGED, namespace, ...keyAndValue(spec, '--what-if', text) })),
    ...args.all('annotate').map((text) => annotation(spec, text)),
  ];
  const activation = args.one('activation');
  return {
    ...(edits.length === 0 ? {} : { annotations: edits }),
    ...(activation === undefined ? {} : { activation }),
    ...(args.has('allow-refused-kinds') ? { allowRefusedKinds: true } : {}),
  };
}

/** Images by their names, from `NAME=REF`. */
export function images(spec: CommandSpec, args: Arguments): Record<string, string> {
  return Object.fromEntries(
    args.all('image').map((text) => {
      const at = text.indexOf('=');
      if (at <= 0) throw wrongUse(spec, `\`--image ${text}\` is not NAME=REF`, ['for example: --image kubevirt-metrics=quay.io/team/metrics:1.2']);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** `Kind/namespace/name:key=value`; the namespace may be missing or empty. */
function annotation(spec: CommandSpec, text: string): AnnotationEdit {
  const found = /^([^/:=]+)\/(?:([^/:=]*)\/)?([^/=]+?):([^:=]+(?:=[^]*)?)$/.exec(text);
  const [, kind, namespace = '', name, edit] = found ?? [];
  if (kind === undefined || name === undefined || edit === undefined) {
    throw wrongUse(spec, `\`--annotate ${text}\` does not say which object`, [
      'with a namespace: --annotate ConfigMap/openshift-cnv/settings:mode=unmanaged',
      'without one: --annotate KubeletConfig/virt-perf:ignore-fields=/spec/kubeletConfig',
    ]);
  }
  return { kind, namespace, name, ...keyAndValue(spec, '--annotate', edit) };
}

/** `key=value`, or `key-` to remove it, as `oc annotate` has it. */
function keyAndValue(spec: CommandSpec, option: string, text: string): { key: string; value: string | null } {
  const at = text.indexOf('=');
  if (at > 0) return { key: fullKey(text.slice(0, at)), value: text.slice(at + 1) };
  if (at === -1 && text.length > 1 && text.endsWith('-')) return { key: fullKey(text.slice(0, -1)), value: null };
  throw wrongUse(spec, `\`${option} ${text}\` is not KEY=VALUE`, [`to set it: ${option} autopilot=true`, `to remove it: ${option} autopilot-`]);
}
