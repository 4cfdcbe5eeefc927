//! How many nodes there are, of which roles, and on what they run.

use serde::{Deserialize, Serialize};

use crate::Object;

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

/// What a field of the topology is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopologyField {
    /// A truth, with its value.
    Boolean(bool),
    /// A number or a text, which no condition can ask for.
    Other,
}

impl Topology {
    /// The shape that nodes, the Infrastructure and the Scheduler `cluster` tell of. What is missing leaves zero values.
    pub fn of<'a>(
        nodes: impl IntoIterator<Item = &'a Object>,
        infrastructure: Option<&Object>,
        scheduler: Option<&Object>,
    ) -> Self {
        let mut shape = Self::default();
        let mut masters_that_work = 0;
        for node in nodes {
            let role = |name: &str| node.label(&format!("node-role.kubernetes.io/{name}")).is_some();
            let master = role("master") || role("control-plane");
            let worker = role("worker");
            shape.total_node_count += 1;
            shape.master_count += i64::from(master);
            shape.worker_count += i64::from(worker && !master);
            masters_that_work += i64::from(worker && master);
        }
        shape.is_compact = shape.master_count > 0 && shape.worker_count == 0 && masters_that_work == shape.master_count;
        let text = |path: &[&str]| {
            infrastructure.and_then(|object| object.at(path)).and_then(|value| value.as_str()).unwrap_or_default()
        };
        shape.control_plane_topology = text(&["status", "controlPlaneTopology"]).to_owned();
        shape.cloud_provider = text(&["status", "platformStatus", "type"]).to_owned();
        shape.is_hcp = shape.control_plane_topology == "External";
        let platform = |name: &str| shape.cloud_provider == name;
        (shape.is_aws, shape.is_azure, shape.is_gcp) = (platform("AWS"), platform("Azure"), platform("GCP"));
        (shape.is_bare_metal, shape.is_vsphere, shape.is_open_stack) =
            (platform("BareMetal"), platform("VSphere"), platform("OpenStack"));
        let schedulable = scheduler.and_then(|object| object.at(&["spec", "mastersSchedulable"]));
        shape.has_schedulable_masters = schedulable.and_then(|value| value.as_bool()).unwrap_or_default();
        shape
    }

    /// A field, by the name that conditions give it.
    pub fn field(&self, name: &str) -> Option<TopologyField> {
        let truth = match name {
            "isCompact" => self.is_compact,
            "isHCP" => self.is_hcp,
            "isAWS" => self.is_aws,
            "isAzure" => self.is_azure,
            "isGCP" => self.is_gcp,
            "isBareMetal" => self.is_bare_metal,
            "isVSphere" => self.is_vsphere,
            "isOpenStack" => self.is_open_stack,
            "hasSchedulableMasters" => self.has_schedulable_masters,
            "masterCount" | "workerCount" | "totalNodeCount" | "controlPlaneTopology" | "cloudProvider" => {
                return Some(TopologyField::Other);
            }
            _ => return None,
        };
        Some(TopologyField::Boolean(truth))
    }
}
