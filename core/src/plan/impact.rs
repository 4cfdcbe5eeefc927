//! What a plan costs: the nodes that the Machine Config Operator would drain and reboot.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{AssetPlan, Outcome, Plan, TombstoneOutcome};
use crate::diagnostic::Diagnostic;
use crate::object::ObjectRef;
use crate::{Catalog, Cluster, Object};

/// What a plan costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Impact {
    /// The pools whose nodes would be updated.
    pub pools: Vec<PoolImpact>,
    /// The assets that are written and reboot nothing.
    pub without_reboot: Vec<String>,
    /// What is wrong or surprising.
    pub diagnostics: Vec<Diagnostic>,
}

/// A MachineConfigPool whose nodes would be updated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolImpact {
    /// The pool's name.
    pub pool: String,
    /// The names of its nodes.
    pub nodes: Vec<String>,
    /// The pool is paused: the nodes are updated when it is resumed.
    pub paused: bool,
    /// What brings it about.
    pub causes: Vec<Cause>,
}

/// A change that updates a pool's nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cause {
    /// The asset; `None` for a tombstone.
    pub asset: Option<String>,
    /// The object.
    pub object: ObjectRef,
    /// What happens to it, in words.
    pub change: String,
}

/// The group of the Machine Config Operator.
const GROUP: &str = "machineconfiguration.openshift.io";

/// The impact of a plan. `cluster` is the snapshot before it.
pub(super) fn of(catalog: &Catalog, cluster: &Cluster, plan: &Plan) -> Impact {
    let pools = Pools::of(cluster);
    let mut causes: BTreeMap<String, Vec<Cause>> = BTreeMap::new();
    let mut impact = Impact::default();
    for asset in plan.assets.iter().filter(|asset| asset.outcome.writes()) {
        let (Some(object), Some(predicted)) = (&asset.object, &asset.predicted) else { continue };
        let hit = if asset.changes_nodes() { pools.selected_by(predicted) } else { Vec::new() };
        if hit.is_empty() {
            impact.without_reboot.push(asset.asset.clone());
        }
        for pool in hit {
            let change = if asset.live.is_some() { "is changed" } else { "is created" };
            let cause = Cause { asset: Some(asset.asset.clone()), object: object.clone(), change: change.to_owned() };
            causes.entry(pool).or_default().push(cause);
        }
    }
    for tombstone in plan.tombstones.iter().filter(|tombstone| tombstone.outcome == TombstoneOutcome::Delete) {
        let deleted = cluster.get(&tombstone.object).map(|object| pools.selected_by(object)).unwrap_or_default();
        for pool in deleted {
            let cause = Cause { asset: None, object: tombstone.object.clone(), change: "is deleted".to_owned() };
            causes.entry(pool).or_default().push(cause);
        }
    }
    for (pool, causes) in causes {
        let nodes = pools.nodes_of(&pool, cluster);
        impact.pools.push(PoolImpact { nodes, paused: pools.is_paused(&pool), causes, pool });
    }
    impact.diagnostics.extend(check_pools(&pools, &impact));
    impact.diagnostics.extend(check_kubelet_configs(cluster, plan, &pools));
    impact.diagnostics.extend(check_operators(catalog, cluster, plan));
    impact
}

impl AssetPlan {
    /// Whether the write changes what the Machine Config Operator puts on nodes.
    fn changes_nodes(&self) -> bool {
        let is_node_config = self.object.as_ref().is_some_and(|object| {
            object.group() == GROUP && matches!(object.kind.as_str(), "MachineConfig" | "KubeletConfig")
        });
        let spec = |object: Option<&std::sync::Arc<Object>>| object.and_then(|object| object.at(&["spec"]).cloned());
        let role = |object: Option<&std::sync::Arc<Object>>| {
            object.and_then(|object| object.at(&["metadata", "labels"]).cloned())
        };
        is_node_config
            && (self.live.is_none()
                || spec(self.live.as_ref()) != spec(self.predicted.as_ref())
                || role_of(role(self.live.as_ref())) != role_of(role(self.predicted.as_ref())))
    }
}

fn role_of(labels: Option<Value>) -> Option<Value> {
    labels.and_then(|labels| labels.get(format!("{GROUP}/role")).cloned())
}

/// The MachineConfigPools: those of the snapshot or, where it has none, the two that every cluster has.
struct Pools {
    pools: Vec<Object>,
    known: bool,
}

impl Pools {
    fn of(cluster: &Cluster) -> Self {
        let pools: Vec<Object> = cluster.list(GROUP, "MachineConfigPool").map(|pool| Object::clone(pool)).collect();
        if !pools.is_empty() {
            return Self { pools, known: true };
        }
        Self { pools: ["master", "worker"].into_iter().filter_map(default_pool).collect(), known: false }
    }

    /// The names of the pools whose configuration a MachineConfig or KubeletConfig is a part of.
    fn selected_by(&self, config: &Object) -> Vec<String> {
        let selects = |pool: &&Object| match config.kind() {
            "MachineConfig" => selector_matches(pool.at(&["spec", "machineConfigSelector"]), config),
            "KubeletConfig" => selector_matches(config.at(&["spec", "machineConfigPoolSelector"]), pool),
            _ => false,
        };
        self.pools.iter().filter(selects).map(|pool| pool.name().to_owned()).collect()
    }

    fn is_paused(&self, name: &str) -> bool {
        let pool = self.pools.iter().find(|pool| pool.name() == name);
        pool.and_then(|pool| pool.at(&["spec", "paused"])).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The nodes that belong to a pool. A master belongs to `master` alone, and a node of a custom pool to that, not to
    /// `worker`.
    fn nodes_of(&self, name: &str, cluster: &Cluster) -> Vec<String> {
        let owner = |node: &Object| {
            let candidates: Vec<&str> = self
                .pools
                .iter()
                .filter(|pool| selector_matches(pool.at(&["spec", "nodeSelector"]), node))
                .map(Object::name)
                .collect();
            let custom = candidates.iter().find(|pool| !matches!(**pool, "master" | "worker"));
            let standard = ["master", "worker"].into_iter().find(|pool| candidates.contains(pool));
            if standard == Some("master") {
                standard.map(str::to_owned)
            } else {
                custom.copied().or(standard).map(str::to_owned)
            }
        };
        let nodes = cluster.list("", "Node").filter(|node| owner(node).as_deref() == Some(name));
        nodes.map(|node| node.name().to_owned()).collect()
    }
}

/// The pool that every cluster has for a role.
fn default_pool(role: &str) -> Option<Object> {
    let pool = serde_json::json!({
        "apiVersion": format!("{GROUP}/v1"),
        "kind": "MachineConfigPool",
        "metadata": {"name": role, "labels": {format!("pools.operator.machineconfiguration.openshift.io/{role}"): ""}},
        "spec": {
            "machineConfigSelector": {"matchLabels": {format!("{GROUP}/role"): role}},
            "nodeSelector": {"matchLabels": {format!("node-role.kubernetes.io/{role}"): ""}},
        },
    });
    Object::from_value(pool).ok()
}

/// Whether a label selector matches an object's labels. An absent selector matches nothing, an empty one all.
fn selector_matches(selector: Option<&Value>, object: &Object) -> bool {
    let Some(Value::Object(selector)) = selector else {
        return false;
    };
    let labels = selector.get("matchLabels").and_then(Value::as_object);
    let by_labels = labels.into_iter().flatten().all(|(key, value)| object.label(key) == value.as_str());
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    by_labels && expressions.into_iter().flatten().all(|expression| expression_matches(expression, object))
}

fn expression_matches(expression: &Value, object: &Object) -> bool {
    let text = |field: &str| expression.get(field).and_then(Value::as_str).unwrap_or_default();
    let label = object.label(text("key"));
    let values = expression.get("values").and_then(Value::as_array);
    let listed = values.into_iter().flatten().any(|value| value.as_str().is_some() && value.as_str() == label);
    match text("operator") {
        "In" => listed,
        "NotIn" => !listed,
        "Exists" => label.is_some(),
        "DoesNotExist" => label.is_none(),
        _ => false,
    }
}

fn check_pools(pools: &Pools, impact: &Impact) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if !pools.known && !impact.pools.is_empty() {
        let message = "the snapshot has no MachineConfigPool, so that nodes are told apart by their role labels";
        let finding = Diagnostic::info("impact.no-pools", message);
        findings.push(finding.help("add the output of `oc get machineconfigpools -o yaml`"));
    }
    for pool in &impact.pools {
        if pool.nodes.is_empty() {
            let message = format!("pool `{}` would be updated, but the snapshot has no node of it", pool.pool);
            let finding = Diagnostic::info("impact.no-nodes", message);
            findings.push(finding.help("add the output of `oc get nodes -o yaml`"));
        } else if pool.paused {
            let message = format!("pool `{}` is paused: its nodes are updated when it is resumed", pool.pool);
            findings.push(Diagnostic::warning("impact.paused-pool", message));
        }
    }
    findings
}

/// Custom resources that are created while the snapshot does not show an operator that their feature needs. A CRD alone
/// may be what an operator left behind.
fn check_operators(catalog: &Catalog, cluster: &Cluster, plan: &Plan) -> Vec<Diagnostic> {
    let installed: Vec<&str> = cluster
        .list("operators.coreos.com", "ClusterServiceVersion")
        .filter_map(|version| version.at(&["spec", "displayName"])?.as_str())
        .collect();
    let mut findings = Vec::new();
    for planned in plan.assets.iter().filter(|asset| asset.outcome == Outcome::Create) {
        let Some(asset) = catalog.asset(&planned.asset).filter(|asset| asset.required_crd(plan.behavior).is_some())
        else {
            continue;
        };
        for (feature, operator) in catalog.operators_of(asset) {
            if installed.iter().any(|name| name.eq_ignore_ascii_case(operator)) {
                continue;
            }
            let message = format!(
                "asset `{}` is created for feature {feature}, which needs the {operator}; the snapshot does not show it",
                planned.asset
            );
            let finding = Diagnostic::info("impact.operator-not-seen", message)
                .help("install the operator, or add the output of `oc get clusterserviceversions -A -o yaml`");
            findings.push(finding.at(|source| source.asset = Some(planned.asset.clone())));
        }
    }
    findings
}

/// Two KubeletConfigs on one pool are not merged: the newest wins, whole.
fn check_kubelet_configs(cluster: &Cluster, plan: &Plan, pools: &Pools) -> Vec<Diagnostic> {
    let after = plan.apply_to(cluster);
    let mut by_pool: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for config in after.list(GROUP, "KubeletConfig") {
        for pool in pools.selected_by(config) {
            by_pool.entry(pool).or_default().push(config.name().to_owned());
        }
    }
    let ours = |name: &String| {
        let mut planned =
            plan.assets.iter().filter(|asset| asset.outcome.is_in_play()).filter_map(|a| a.object.as_ref());
        planned.any(|object| object.kind == "KubeletConfig" && object.name == *name)
    };
    let clash = |(pool, names): (String, Vec<String>)| {
        if names.len() < 2 || !names.iter().any(ours) {
            return None;
        }
        let message = format!(
            "pool `{pool}` is selected by {} KubeletConfigs ({}): they are not merged, the newest wins",
            names.len(),
            names.join(", ")
        );
        let help = "put the settings into one KubeletConfig, and leave the other out by disabled-resources";
        Some(Diagnostic::warning("impact.kubelet-configs", message).help(help))
    };
    by_pool.into_iter().filter_map(clash).collect()
}
