//! A catalog and clusters of the size that releases come to, made up.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use virt_autopilot::{Behavior, Catalog};

/// A catalog of so many assets, of which each renders to some 2.5 KB of YAML: 100 of them come to 250 KB.
pub fn catalog(assets: usize) -> Catalog {
    let mut metadata =
        String::from("assets:\n- {name: hco-golden-config, path: active/hco.yaml.tpl, install: always}\n");
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let golden = "apiVersion: hco.kubevirt.io/v1\nkind: HyperConverged\nmetadata:\n  name: kubevirt-hyperconverged\n  namespace: \
                  {{ .HCO.GetNamespace }}\nspec: {}\n";
    files.insert("active/hco.yaml.tpl".to_owned(), golden.into());
    for index in 0..assets {
        let _ = writeln!(
            metadata,
            "- {{name: asset-{index}, path: active/{index}.yaml.tpl, install: always, component: ConfigMap, \
             reconcile_order: {}, template_params: {{index: \"{index}\"}}}}",
            1 + index % 5
        );
        files.insert(format!("active/{index}.yaml.tpl"), template(index).into_bytes());
    }
    metadata.push_str("excluded_assets:\n- hco-golden-config\n");
    for index in 0..assets {
        let _ = writeln!(metadata, "- asset-{index}");
    }
    files.insert("active/metadata.yaml".to_owned(), metadata.into_bytes());
    Catalog::from_files("synthetic", Behavior::V4_23, files).expect("it is made to be right")
}

/// Half of them are MachineConfigs with a unit, half DaemonSets with containers; both look at the cluster.
fn template(index: usize) -> String {
    let lines: String =
        (0..28).map(|line| format!("            ExecStart=/usr/bin/tool --line {line} --of asset-{index}\n")).collect();
    let env: String =
        (0..26).map(|n| format!("        - name: SETTING_{n}\n          value: {{{{ $limit | quote }}}}\n")).collect();
    let head = "{{- $limit := dig \"spec\" \"virtualization\" \"liveMigrationConfig\" \"parallelMigrationsPerCluster\" 5 .HCO.Object }}\n\
                {{- if gt .Topology.TotalNodeCount 0 }}\n";
    if index.is_multiple_of(2) {
        format!(
            "{head}apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n  name: 90-{{{{ .Params.index }}}}\n  \
             labels:\n    machineconfiguration.openshift.io/role: worker\nspec:\n  config:\n    ignition:\n      version: 3.5.0\n    \
             systemd:\n      units:\n      - name: unit-{index}.service\n        enabled: true\n        contents: |\n            \
             [Service]\n{lines}{{{{- end }}}}\n"
        )
    } else {
        format!(
            "{head}apiVersion: apps/v1\nkind: DaemonSet\nmetadata:\n  name: set-{{{{ .Params.index }}}}\n  namespace: openshift-cnv\nspec:\n  \
             selector:\n    matchLabels:\n      app: set-{index}\n  template:\n    metadata:\n      labels:\n        app: set-{index}\n    \
             spec:\n      containers:\n      - name: main\n        image: example.com/image:{index}\n        env:\n{env}{{{{- end }}}}\n"
        )
    }
}

/// The objects of a cluster with so many nodes, on which every asset is in play.
pub fn objects(nodes: usize) -> Vec<Value> {
    let hco = json!({
        "apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged",
        "metadata": {"name": "kubevirt-hyperconverged", "namespace": "openshift-cnv",
            "annotations": {"platform.kubevirt.io/autopilot": "true"}},
        "spec": {"virtualization": {"liveMigrationConfig": {"parallelMigrationsPerCluster": 7}}},
    });
    let node = |index: usize| {
        let role = if index < 3 { "node-role.kubernetes.io/master" } else { "node-role.kubernetes.io/worker" };
        json!({
            "apiVersion": "v1", "kind": "Node", "metadata": {"name": format!("node-{index}"), "labels": {role: ""}},
            "status": {"capacity": {"cpu": "16", "memory": "64Gi", "pods": "250"}},
        })
    };
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "openshift-cnv"}});
    [hco, namespace].into_iter().chain((0..nodes).map(node)).collect()
}
