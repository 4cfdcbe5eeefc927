//! Whether an asset's conditions hold, and why not.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::catalog::{Asset, Condition, Install};
use crate::cluster::{Hardware, Topology, TopologyField, feature_gates};
use crate::{Behavior, Cluster, Object};

/// What conditions and templates look at.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// The HyperConverged.
    pub hco: &'a Object,
    /// Its feature gates that are on.
    pub gates: BTreeSet<String>,
    /// What the nodes have.
    pub hardware: Hardware,
    /// The shape of the cluster.
    pub topology: Topology,
    /// The images that the controller was started with.
    pub images: &'a BTreeMap<String, String>,
}

impl<'a> Facts<'a> {
    /// What a cluster tells, with a HyperConverged that need not be the one in it.
    pub fn of(cluster: &'a Cluster, hco: &'a Object, behavior: Behavior) -> Self {
        Self {
            hco,
            gates: feature_gates(hco, behavior),
            hardware: cluster.hardware(),
            topology: cluster.topology(),
            images: cluster.images(),
        }
    }
}

/// Whether one condition holds, with what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConditionVerdict {
    /// The condition.
    #[serde(flatten)]
    pub condition: Condition,
    /// Whether it holds.
    pub holds: bool,
    /// What it asks for, in words.
    pub expected: String,
    /// What there is, in words.
    pub found: String,
}

/// Judges every condition of an asset.
///
/// # Examples
///
/// ```
/// use virt_autopilot::{Behavior, Catalog, Cluster, Object};
/// use virt_autopilot::conditions::{Facts, holds, judge};
///
/// let hco = Object::from_value(serde_json::json!({"apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged"}))?;
/// let cluster = Cluster::default();
/// let catalog = Catalog::builtin("4.22").unwrap();
/// let asset = catalog.asset("mtv-operator").unwrap();
/// let verdicts = judge(asset, &Facts::of(&cluster, &hco, Behavior::V4_22));
/// assert!(!holds(asset, &verdicts));
/// assert_eq!(verdicts[0].found, "no such annotation");
/// # Ok::<(), virt_autopilot::object::ObjectError>(())
/// ```
pub fn judge(asset: &Asset, facts: &Facts<'_>) -> Vec<ConditionVerdict> {
    asset.conditions.iter().map(|condition| judge_one(condition, facts)).collect()
}

/// Whether the verdicts let the asset be applied: all hold, and an opt-in asset has at least one.
pub fn holds(asset: &Asset, verdicts: &[ConditionVerdict]) -> bool {
    verdicts.iter().all(|verdict| verdict.holds) && (asset.install == Install::Always || !verdicts.is_empty())
}

fn judge_one(condition: &Condition, facts: &Facts<'_>) -> ConditionVerdict {
    let (holds, expected, found) = match condition {
        Condition::Annotation { key, value } => {
            let annotation = facts.hco.annotation(key);
            // An empty value in the catalog asks for no value.
            let value = value.as_deref().filter(|value| !value.is_empty());
            let holds = annotation.is_some_and(|text| value.is_none_or(|value| value == text));
            let expected = match value {
                Some(value) => format!("annotation {key} = {value}"),
                None => format!("annotation {key}"),
            };
            (holds, expected, annotation.map_or_else(|| "no such annotation".to_owned(), |text| format!("`{text}`")))
        }
        Condition::FeatureGate { value } => {
            let on = facts.gates.contains(value);
            (on, format!("feature gate {value} on"), off_or_on(on))
        }
        Condition::HardwareDetection { detector } => {
            let found = facts.hardware.detector(detector);
            let words = match found {
                None => "no such detector",
                Some(true) => "some node has it",
                Some(false) => "no node has it",
            };
            (found == Some(true), format!("hardware {detector}"), words.to_owned())
        }
        Condition::Image { key } => {
            let image = facts.images.get(key).filter(|reference| !reference.is_empty());
            let found = image.map_or_else(|| "no such image".to_owned(), |reference| format!("`{reference}`"));
            (image.is_some(), format!("image {key}"), found)
        }
        Condition::HcoFieldUnconfigured { path } => {
            let keys: Vec<&str> = path.split('.').collect();
            let value = facts.hco.at(&keys).filter(|value| !is_unconfigured(value));
            let found = value.map_or("unconfigured", |_| "configured");
            (value.is_none(), format!("HyperConverged field {path} unconfigured"), found.to_owned())
        }
        Condition::Topology { field, value } => judge_topology(field, value.as_deref(), &facts.topology),
    };
    ConditionVerdict { condition: condition.clone(), holds, expected, found }
}

fn judge_topology(field: &str, value: Option<&str>, topology: &Topology) -> (bool, String, String) {
    let wanted = value != Some("false");
    let expected = format!("topology {field} = {wanted}");
    match topology.field(field) {
        Some(TopologyField::Boolean(found)) => (found == wanted, expected, found.to_string()),
        Some(TopologyField::Other) => (false, expected, "a field that is neither true nor false".to_owned()),
        None => (false, expected, "no such field".to_owned()),
    }
}

fn is_unconfigured(value: &Value) -> bool {
    value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty)
}

fn off_or_on(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(condition: Condition, expect: bool, found: &str) {
        let hco = json!({
            "apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged",
            "metadata": {"annotations": {"a": "1", "e": ""}},
            "spec": {"featureGates": [{"name": "G"}], "map": {}, "none": null, "zero": 0},
        });
        let hco = Object::from_value(hco).unwrap();
        let cluster =
            Cluster::default().with_images([("i".to_owned(), "x".to_owned()), ("n".to_owned(), String::new())]);
        let verdict = judge_one(&condition, &Facts::of(&cluster, &hco, Behavior::V4_23));
        assert_eq!((verdict.holds, verdict.found.as_str()), (expect, found), "{condition:?}");
    }

    fn annotation(key: &str, value: Option<&str>) -> Condition {
        Condition::Annotation { key: key.to_owned(), value: value.map(str::to_owned) }
    }

    #[test]
    fn annotations() {
        check(annotation("a", Some("1")), true, "`1`");
        check(annotation("a", Some("2")), false, "`1`");
        check(annotation("e", None), true, "``");
        check(annotation("z", None), false, "no such annotation");
    }

    #[test]
    fn fields_of_the_hco() {
        let field = |path: &str| Condition::HcoFieldUnconfigured { path: path.to_owned() };
        check(field("spec.map"), true, "unconfigured");
        check(field("spec.none"), true, "unconfigured");
        check(field("spec.no.such"), true, "unconfigured");
        check(field("spec.zero"), false, "configured");
    }

    #[test]
    fn the_rest() {
        check(Condition::FeatureGate { value: "G".to_owned() }, true, "on");
        check(Condition::Image { key: "i".to_owned() }, true, "`x`");
        check(Condition::Image { key: "n".to_owned() }, false, "no such image");
        check(Condition::HardwareDetection { detector: "moon".to_owned() }, false, "no such detector");
        let topology = |field: &str, value: Option<&str>| Condition::Topology {
            field: field.to_owned(),
            value: value.map(str::to_owned),
        };
        check(topology("isHCP", None), false, "false");
        check(topology("isHCP", Some("false")), true, "false");
        check(topology("masterCount", None), false, "a field that is neither true nor false");
    }
}
