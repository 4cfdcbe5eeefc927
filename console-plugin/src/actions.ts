/** The action on a HyperConverged. */

import type { Action, K8sResourceCommon } from '@openshift-console/dynamic-plugin-sdk';
import { useMemo } from 'react';

import { useText } from './text';

export function useHyperConvergedActions(object: K8sResourceCommon): [Action[], boolean, unknown] {
  const t = useText();
  const actions = useMemo(
    () => [{ id: 'virt-autopilot-preview', label: t('action.preview'), description: t('action.help'), cta: { href: previewPath(object) } }],
    [t, object],
  );
  return [actions, true, undefined];
}

/** The address of the tab. */
export function previewPath({ apiVersion = '', metadata }: K8sResourceCommon): string {
  const [group = '', version = ''] = apiVersion.split('/');
  return `/k8s/ns/${metadata?.namespace ?? ''}/${group}~${version}~HyperConverged/${metadata?.name ?? ''}/autopilot-preview`;
}
