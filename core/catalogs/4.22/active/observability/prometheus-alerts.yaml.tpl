{{- /* Prometheus has templates of its own in the same braces: its placeholders are written as strings here. */}}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: virt-platform-autopilot-alerts
  namespace: {{ .HCO.GetNamespace | default "openshift-cnv" }}
  labels:
    app: virt-platform-autopilot
    prometheus: k8s
    role: alert-rules
spec:
  groups:
    - name: virt-platform-autopilot.critical
      interval: 30s
      rules:
        - alert: VirtPlatformSyncFailed
          expr: kubevirt_autopilot_compliance_status == 0
          for: 15m
          labels:
            severity: critical
            operator: virt-platform-autopilot
            kubernetes_operator_part_of: kubevirt
            kubernetes_operator_component: autopilot
            operator_health_impact: critical
          annotations:
            summary: The autopilot cannot apply an object.
            description: >-
              For 15 minutes {{ "{{ $labels.kind }} {{ $labels.namespace }}/{{ $labels.name }}" }} has differed from
              what the autopilot wants, and applying it fails. The events of the HyperConverged tell the cause.
    - name: virt-platform-autopilot.warning
      interval: 30s
      rules:
        - alert: VirtPlatformThrashingDetected
          expr: kubevirt_autopilot_paused_resources > 0
          labels:
            severity: warning
            operator: virt-platform-autopilot
            kubernetes_operator_part_of: kubevirt
            kubernetes_operator_component: autopilot
            operator_health_impact: warning
          annotations:
            summary: The autopilot has paused an object.
            description: >-
              {{ "{{ $labels.kind }} {{ $labels.namespace }}/{{ $labels.name }}" }} carries the annotation
              platform.kubevirt.io/reconcile-paused. The autopilot sets it when something else keeps changing what it
              applies. Find the other writer in the object's managed fields, settle who owns the fields, and remove
              the annotation.
        - alert: VirtPlatformDependencyMissing
          expr: kubevirt_autopilot_missing_dependency == 1
          for: 5m
          labels:
            severity: warning
            operator: virt-platform-autopilot
            kubernetes_operator_part_of: kubevirt
            kubernetes_operator_component: autopilot
            operator_health_impact: none
          annotations:
            summary: A custom resource that the autopilot would set up is not installed.
            description: >-
              The cluster has no {{ "{{ $labels.kind }} ({{ $labels.group }}/{{ $labels.version }})" }}, so the assets
              that need it are left out. Install the operator that brings it if the feature is wanted.
        - alert: VirtPlatformTombstoneStuck
          expr: kubevirt_autopilot_tombstone_status < 0
          for: 30m
          labels:
            severity: warning
            operator: virt-platform-autopilot
            kubernetes_operator_part_of: kubevirt
            kubernetes_operator_component: autopilot
            operator_health_impact: none
          annotations:
            summary: An object of an earlier release is still there.
            description: >-
              The autopilot does not delete {{ "{{ $labels.kind }} {{ $labels.namespace }}/{{ $labels.name }}" }}.
              At -1 deleting it fails; at -2 it lacks the label platform.kubevirt.io/managed-by and counts as someone
              else's. Delete it by hand if nobody needs it.
