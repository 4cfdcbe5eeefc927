//! Kubernetes YAML: read and written as sigs.k8s.io/yaml does.
