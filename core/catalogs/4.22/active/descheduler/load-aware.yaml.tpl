{{- $crd := "kubedeschedulers.operator.openshift.io" }}
{{- $namespace := "openshift-kube-descheduler-operator" }}
{{- $combined := "descheduler:node:linear_amplified_ideal_point_positive_distance:k3:avg1m" }}
{{- $profile := "DevKubeVirtRelieveAndMigrate" }}
{{- $customizations := dict }}
{{- if crdHasEnum $crd "spec.profiles" "KubeVirtRelieveAndMigrate" }}
{{- $profile = "KubeVirtRelieveAndMigrate" }}
{{- else if and (crdHasEnum $crd "spec.profiles" "LongLifecycle") (not (crdHasEnum $crd "spec.profiles" $profile)) }}
{{- $profile = "LongLifecycle" }}
{{- $customizations = set $customizations "devEnableEvictionsInBackground" true }}
{{- end }}
{{- if prometheusRuleHasRecordingRule $namespace "descheduler-rules" $combined }}
{{- $customizations = set $customizations "devActualUtilizationProfile" "PrometheusCPUMemoryCombinedProfile" }}
{{- else if objectExists "PrometheusRule" $namespace "descheduler-rules" }}
{{- $customizations = set $customizations "devActualUtilizationProfile" "PrometheusCPUCombined" }}
{{- end }}
apiVersion: operator.openshift.io/v1
kind: KubeDescheduler
metadata:
  name: cluster
  namespace: {{ $namespace }}
spec:
  managementState: Managed
  mode: Automatic
  deschedulingIntervalSeconds: 60
  profiles:
    - {{ $profile }}
  {{- if $customizations }}
  profileCustomizations: {{ toJson $customizations }}
  {{- end }}
  evictionLimits:
    total: {{ dig "spec" "liveMigrationConfig" "parallelMigrationsPerCluster" 5 .HCO.Object }}
    node: {{ dig "spec" "liveMigrationConfig" "parallelOutboundMigrationsPerNode" 2 .HCO.Object }}
