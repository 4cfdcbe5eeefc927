//! The metrics that the controller exposes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::Behavior;
use crate::object::ObjectRef;

/// The metrics' values at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Sample>", into = "Vec<Sample>")]
pub struct Metrics {
    values: BTreeMap<Series, i64>,
    changes: Vec<MetricChange>,
}

/// A metric that took another value, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MetricChange {
    /// The metric.
    pub metric: Metric,
    /// The labels, in the order in which they are written.
    pub labels: Vec<(String, String)>,
    /// The value; `None`: the series is gone.
    pub value: Option<i64>,
}

/// A metric with its labels, and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    /// The metric.
    pub metric: Metric,
    /// The labels, in the order in which they are written.
    pub labels: Vec<(String, String)>,
    /// The value.
    pub value: i64,
}

/// A metric that the controller exposes, without its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// 1 where an object is as it should be, 0 where it could not be brought there.
    ComplianceStatus,
    /// 1 for each way in which a person has an object differ: `patch`, `ignore`, `unmanaged`.
    CustomizationInfo,
    /// 1 where a CRD is missing, 0 where it is installed.
    MissingDependency,
    /// 1 where reconciliation of an object is paused.
    PausedResources,
    /// How many edit wars have ended in a pause.
    ThrashingTotal,
    /// 0 gone, −1 error, −2 left alone because it is not ours.
    TombstoneStatus,
}

/// Prefix of every metric's name.
const PREFIX: &str = "kubevirt_autopilot_";

impl Metric {
    const ALL: [Self; 6] = [
        Self::ComplianceStatus,
        Self::CustomizationInfo,
        Self::MissingDependency,
        Self::PausedResources,
        Self::ThrashingTotal,
        Self::TombstoneStatus,
    ];

    /// Name without the prefix, type and help text.
    fn describe(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::ComplianceStatus => ("compliance_status", "gauge", "Whether a managed object is as it should be"),
            Self::CustomizationInfo => ("customization_info", "gauge", "How an object is customized on purpose"),
            Self::MissingDependency => ("missing_dependency", "gauge", "Whether an optional CRD is missing"),
            Self::PausedResources => ("paused_resources", "gauge", "Whether an object is paused after an edit war"),
            Self::ThrashingTotal => ("thrashing_total", "counter", "Edit wars that ended in a pause"),
            Self::TombstoneStatus => ("tombstone_status", "gauge", "0 gone, -1 error, -2 not ours"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Series {
    metric: Metric,
    labels: Vec<(String, String)>,
}

impl Metrics {
    pub(crate) fn set_compliance(&mut self, object: &ObjectRef, compliant: bool) {
        self.set(Metric::ComplianceStatus, object_labels(object), i64::from(compliant));
    }

    pub(crate) fn clear_compliance(&mut self, object: &ObjectRef) {
        self.clear(Metric::ComplianceStatus, object_labels(object));
    }

    pub(crate) fn set_paused(&mut self, object: &ObjectRef, paused: bool) {
        self.set(Metric::PausedResources, object_labels(object), i64::from(paused));
    }

    pub(crate) fn count_thrashing(&mut self, object: &ObjectRef) {
        let series = Series { metric: Metric::ThrashingTotal, labels: object_labels(object) };
        let count = self.values.get(&series).copied().unwrap_or_default();
        self.set(series.metric, series.labels, count + 1);
    }

    pub(crate) fn set_customization(&mut self, object: &ObjectRef, customization: Customization) {
        self.set(Metric::CustomizationInfo, customization_labels(object, customization), 1);
    }

    pub(crate) fn clear_customizations(&mut self, object: &ObjectRef) {
        for customization in Customization::ALL {
            self.clear(Metric::CustomizationInfo, customization_labels(object, customization));
        }
    }

    /// Forgets an object that is no longer in play. What a tombstone or an edit war left stays.
    pub(crate) fn forget(&mut self, object: &ObjectRef) {
        self.clear_compliance(object);
        self.clear(Metric::PausedResources, object_labels(object));
        self.clear_customizations(object);
    }

    pub(crate) fn set_tombstone(&mut self, object: &ObjectRef, status: i64) {
        self.set(Metric::TombstoneStatus, object_labels(object), status);
    }

    /// The controller guesses the kind from the CRD's name: the plural less an `s`, with a capital.
    pub(crate) fn set_dependency(&mut self, crd: &str, missing: bool, behavior: Behavior) {
        let Some((plural, group)) = crd.split_once('.') else {
            return;
        };
        let singular = plural.strip_suffix('s').unwrap_or(plural);
        let mut letters = singular.chars();
        let kind: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let version = match behavior {
            Behavior::V4_22 => "v1beta1",
            Behavior::V4_23 | Behavior::Ga => "v1",
        };
        let labels = [("group", group), ("version", version), ("kind", &kind)];
        self.set(Metric::MissingDependency, owned(&labels), i64::from(missing));
    }

    fn set(&mut self, metric: Metric, labels: Vec<(String, String)>, value: i64) {
        let series = Series { metric, labels };
        if self.values.get(&series) != Some(&value) {
            let change = MetricChange { metric, labels: series.labels.clone(), value: Some(value) };
            self.changes.push(change);
            self.values.insert(series, value);
        }
    }

    fn clear(&mut self, metric: Metric, labels: Vec<(String, String)>) {
        let series = Series { metric, labels };
        if self.values.remove(&series).is_some() {
            self.changes.push(MetricChange { metric, labels: series.labels, value: None });
        }
    }

    /// What has changed since it was last asked.
    pub(crate) fn take_changes(&mut self) -> Vec<MetricChange> {
        std::mem::take(&mut self.changes)
    }

    /// Every series with its value, by metric and labels.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        self.values.iter().map(|(series, value)| Sample {
            metric: series.metric,
            labels: series.labels.clone(),
            value: *value,
        })
    }

    /// The metrics in Prometheus' text format. Labels are sorted by name, as the Prometheus library writes them.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for metric in Metric::ALL {
            let (name, kind, help) = metric.describe();
            let mut lines: Vec<String> = self
                .values
                .iter()
                .filter(|(series, _)| series.metric == metric)
                .map(|(s, value)| line(s, *value))
                .collect();
            if lines.is_empty() {
                continue;
            }
            lines.sort();
            let _ = writeln!(text, "# HELP {PREFIX}{name} {help}\n# TYPE {PREFIX}{name} {kind}");
            text.extend(lines);
        }
        text
    }
}

fn line(series: &Series, value: i64) -> String {
    let mut labels: Vec<&(String, String)> = series.labels.iter().collect();
    labels.sort();
    let labels: Vec<String> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escape(value))).collect();
    format!("{PREFIX}{}{{{}}} {value}\n", series.metric.describe().0, labels.join(","))
}

fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn owned(labels: &[(&str, &str)]) -> Vec<(String, String)> {
    labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn object_labels(object: &ObjectRef) -> Vec<(String, String)> {
    owned(&[("kind", &object.kind), ("name", &object.name), ("namespace", &object.namespace)])
}

fn customization_labels(object: &ObjectRef, customization: Customization) -> Vec<(String, String)> {
    let mut labels = object_labels(object);
    labels.push(("type".to_owned(), customization.as_str().to_owned()));
    labels
}

/// How a person has an object differ from the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Customization {
    /// A patch annotation, whether it applies or not.
    Patch,
    /// An ignore-fields annotation.
    Ignore,
    /// The unmanaged mode.
    Unmanaged,
}

impl Customization {
    const ALL: [Self; 3] = [Self::Patch, Self::Ignore, Self::Unmanaged];

    /// The metric's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Ignore => "ignore",
            Self::Unmanaged => "unmanaged",
        }
    }
}

impl From<Vec<Sample>> for Metrics {
    fn from(samples: Vec<Sample>) -> Self {
        let series = |sample: Sample| (Series { metric: sample.metric, labels: sample.labels }, sample.value);
        Self { values: samples.into_iter().map(series).collect(), changes: Vec::new() }
    }
}

impl From<Metrics> for Vec<Sample> {
    fn from(metrics: Metrics) -> Self {
        metrics.samples().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prometheus_text() {
        let mut metrics = Metrics::default();
        metrics.set_dependency("kubedeschedulers.operator.openshift.io", true, Behavior::V4_23);
        let object = ObjectRef { kind: "X".to_owned(), name: "a\"b".to_owned(), ..ObjectRef::default() };
        metrics.count_thrashing(&object);
        metrics.count_thrashing(&object);
        let text = metrics.to_text();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            lines,
            [
                "kubevirt_autopilot_missing_dependency{group=\"operator.openshift.io\",kind=\"Kubedescheduler\",version=\"v1\"} 1",
                "kubevirt_autopilot_thrashing_total{kind=\"X\",name=\"a\\\"b\",namespace=\"\"} 2",
            ]
        );
    }
}
