//! A small, believable cluster to look at, and situations to try on it.
//!
//! The command line's `--demo`, the playground and the documentation's examples use it.

use serde_json::Value;

use crate::{Cluster, yaml};

/// The demo cluster's objects as YAML documents.
pub const CLUSTER: &str = include_str!("../demo/cluster.yaml");
/// The demo cluster's CustomResourceDefinitions as YAML documents.
pub const CRDS: &str = include_str!("../demo/crds.yaml");

/// A situation that the demo cluster can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Its name.
    pub name: &'static str,
    /// The objects that take the place of the demo cluster's, or join them, as YAML documents.
    pub yaml: &'static str,
}

macro_rules! situations {
    ($($name:literal,)*) => {
        &[$(Situation { name: $name, yaml: include_str!(concat!("../demo/situations/", $name, ".yaml")) }),*]
    };
}

/// Every situation, by name; a test compares the list with the folder.
pub const SITUATIONS: &[Situation] = situations! {
    "activation-boolean",
    "activation-list",
    "activation-misspelt",
    "alerts-edited-by-hand",
    "defaults-added",
    "disabled-resources",
    "disabled-resources-unquoted",
    "gitops-owns-fields",
    "hco-in-v1",
    "hco-in-v1beta1",
    "list-edited-by-hand",
    "mask-into-list",
    "mask-stops-everything",
    "mask-without-slash",
    "mask-works",
    "namespace-missing",
    "older-descheduler",
    "opt-in-misses-its-gate",
    "patch-crashes",
    "patch-failing-test",
    "patch-forbidden-path",
    "patch-in-yaml",
    "patch-missing-parent",
    "patch-refused-kind",
    "patch-works",
    "paused",
    "same-payload-other-bytes",
    "tombstone-not-ours",
    "two-kubelet-configs",
    "unmanaged",
};

impl Situation {
    /// The situation of that name.
    pub fn named(name: &str) -> Option<Self> {
        SITUATIONS.iter().find(|situation| situation.name == name).copied()
    }

    /// What to notice, in a sentence: the comment at the top.
    pub fn title(&self) -> String {
        let comment = self.yaml.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        comment.collect::<Vec<_>>().join(" ")
    }

    /// The demo cluster in this situation.
    pub fn cluster(&self) -> Cluster {
        let mut cluster = cluster();
        for object in Cluster::from_values(objects(self.yaml)).objects() {
            cluster.remove(&object.reference());
            cluster.put(object.clone());
        }
        cluster
    }
}

/// The demo cluster.
///
/// # Examples
///
/// ```
/// let cluster = virt_autopilot::demo::cluster();
/// assert_eq!(cluster.topology().worker_count, 3);
/// ```
pub fn cluster() -> Cluster {
    Cluster::from_values(objects(CLUSTER).into_iter().chain(objects(CRDS)))
}

/// The documents of an embedded file, which a test reads without an error.
fn objects(text: &str) -> Vec<Value> {
    yaml::parse_stream(text).unwrap_or_default().into_iter().map(|document| document.value).collect()
}
