//! What the nodes' labels and capacities say about their hardware.

use serde::{Deserialize, Serialize};

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

impl Hardware {
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
