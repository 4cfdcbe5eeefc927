//! How many nodes there are, of which roles, and on what they run.

use serde::{Deserialize, Serialize};

/// The shape of the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Topology {
    /// Nodes of role master or control-plane.
    pub master_count: i64,
    /// Nodes of role worker that are no masters.
    pub worker_count: i64,
    /// All nodes.
    pub total_node_count: i64,
    /// Every master is a worker too, and there is no other worker.
    pub is_compact: bool,
    /// `status.controlPlaneTopology` of the Infrastructure.
    pub control_plane_topology: String,
    /// The control plane runs elsewhere: its topology is `External`.
    #[serde(rename = "isHCP")]
    pub is_hcp: bool,
    /// `status.platformStatus.type` of the Infrastructure.
    pub cloud_provider: String,
    /// The platform is `AWS`.
    #[serde(rename = "isAWS")]
    pub is_aws: bool,
    /// The platform is `Azure`.
    pub is_azure: bool,
    /// The platform is `GCP`.
    #[serde(rename = "isGCP")]
    pub is_gcp: bool,
    /// The platform is `BareMetal`.
    pub is_bare_metal: bool,
    /// The platform is `VSphere`.
    #[serde(rename = "isVSphere")]
    pub is_vsphere: bool,
    /// The platform is `OpenStack`.
    pub is_open_stack: bool,
    /// `spec.mastersSchedulable` of the Scheduler.
    pub has_schedulable_masters: bool,
}
