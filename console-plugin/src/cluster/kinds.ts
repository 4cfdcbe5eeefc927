/** The kinds that a preview reads besides those of a catalog. */

export interface Kind {
  group: string;
  version: string;
  kind: string;
}

export const HYPERCONVERGED_NAME = 'kubevirt-hyperconverged';
export const HYPERCONVERGED_V1: Kind = { group: 'hco.kubevirt.io', version: 'v1', kind: 'HyperConverged' };
export const HYPERCONVERGED_V1BETA1: Kind = { group: 'hco.kubevirt.io', version: 'v1beta1', kind: 'HyperConverged' };
export const NODE: Kind = { group: '', version: 'v1', kind: 'Node' };
export const NAMESPACE: Kind = { group: '', version: 'v1', kind: 'Namespace' };
export const CONFIG_MAP: Kind = { group: '', version: 'v1', kind: 'ConfigMap' };
export const POOL: Kind = { group: 'machineconfiguration.openshift.io', version: 'v1', kind: 'MachineConfigPool' };
export const KUBELET_CONFIG: Kind = { group: 'machineconfiguration.openshift.io', version: 'v1', kind: 'KubeletConfig' };
export const INFRASTRUCTURE: Kind = { group: 'config.openshift.io', version: 'v1', kind: 'Infrastructure' };
export const SCHEDULER: Kind = { group: 'config.openshift.io', version: 'v1', kind: 'Scheduler' };
export const CRD: Kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
export const OPERATOR: Kind = { group: 'operators.coreos.com', version: 'v1alpha1', kind: 'ClusterServiceVersion' };
export const STORAGE_PROFILE: Kind = { group: 'cdi.kubevirt.io', version: 'v1beta1', kind: 'StorageProfile' };

export const MANAGED_BY = { 'platform.kubevirt.io/managed-by': 'virt-platform-autopilot' };

/** `group/version`, or the version alone for the core group. */
export function apiVersionOf({ group, version }: Kind): string {
  return group === '' ? version : `${group}/${version}`;
}

export function kindFrom({ apiVersion, kind }: { apiVersion: string; kind: string }): Kind {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? { group: '', version: first, kind } : { group: first, version: second, kind };
}
