//! What the nodes' labels and capacities say about their hardware.

use serde::{Deserialize, Serialize};

use crate::Object;

/// The devices that some node of the cluster has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Hardware {
    /// Some node has PCI devices to hand on.
    pub pci_devices_present: bool,
    /// Some node has several NUMA nodes.
    pub numa_nodes_present: bool,
    /// Some node has an IOMMU switched on.
    pub vfio_capable: bool,
    /// Some node has USB devices.
    pub usb_devices_present: bool,
    /// Some node has a GPU.
    pub gpu_present: bool,
}

/// Capacities that every node has; any other is taken for a device.
const ORDINARY_CAPACITIES: [&str; 6] = ["cpu", "memory", "pods", "ephemeral-storage", "hugepages-1Gi", "hugepages-2Mi"];
const GPU_CAPACITIES: [&str; 3] = ["nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915"];

impl Hardware {
    /// What the nodes have between them.
    pub fn of_nodes<'a>(nodes: impl IntoIterator<Item = &'a Object>) -> Self {
        let mut found = Self::default();
        for node in nodes {
            let label = |name: &str| node.label(&format!("feature.node.kubernetes.io/{name}"));
            let capacity = node.at(&["status", "capacity"]).and_then(serde_json::Value::as_object);
            let mut resources = capacity.into_iter().flat_map(|map| map.keys());
            let has_gpu = capacity.is_some_and(|map| GPU_CAPACITIES.iter().any(|name| map.contains_key(*name)));
            found.pci_devices_present |=
                label("pci-present").is_some() || resources.any(|name| !ORDINARY_CAPACITIES.contains(&name.as_str()));
            found.numa_nodes_present |= label("cpu-hardware_multithreading").is_some()
                || node.annotation("kubevirt.io/topology-manager-policy").is_some_and(|policy| !policy.is_empty());
            found.vfio_capable |= label("iommu-enabled") == Some("true");
            found.usb_devices_present |= label("usb-present").is_some();
            found.gpu_present |= has_gpu;
        }
        found
    }

    /// The finding of a detector, by the name that conditions give it.
    pub fn detector(&self, name: &str) -> Option<bool> {
        self.detectors().into_iter().find_map(|(known, found)| (known == name).then_some(found))
    }

    /// The names of the detectors, as conditions write them, with their findings.
    pub fn detectors(&self) -> [(&'static str, bool); 5] {
        [
            ("pciDevicesPresent", self.pci_devices_present),
            ("numaNodesPresent", self.numa_nodes_present),
            ("vfioCapable", self.vfio_capable),
            ("usbDevicesPresent", self.usb_devices_present),
            ("gpuPresent", self.gpu_present),
        ]
    }
}
