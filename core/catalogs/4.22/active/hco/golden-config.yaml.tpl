apiVersion: hco.kubevirt.io/v1beta1
kind: HyperConverged
metadata:
  name: kubevirt-hyperconverged
  namespace: {{ .HCO.GetNamespace | default "openshift-cnv" }}
  annotations:
    platform.kubevirt.io/managed-by: virt-platform-autopilot
    platform.kubevirt.io/version: "1.0.0"
spec: {}
