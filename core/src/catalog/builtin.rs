//! The catalogs that come with the crate.

use super::{Catalog, Files};
use crate::Behavior;

/// The names of the built-in catalogs, the newest last.
pub(super) const NAMES: &[&str] = &["4.22"];

/// Embeds the files of a folder, by their paths in it.
macro_rules! embed {
    ($folder:literal: $($path:literal,)*) => {
        &[$(($path, include_bytes!(concat!($folder, $path)))),*]
    };
}

/// Every file of `core/catalogs/4.22`; a test compares the list with the folder.
const V4_22: &[(&str, &[u8])] = embed! { "../../catalogs/4.22/":
    "active/descheduler/load-aware.yaml.tpl",
    "active/hco/golden-config.yaml.tpl",
    "active/kubelet/cpu-manager.yaml",
    "active/kubelet/perf-settings.yaml.tpl",
    "active/machine-config/pci-passthrough.yaml.tpl",
    "active/machine-config/psi-enable.yaml.tpl",
    "active/machine-config/swap-enable.yaml.tpl",
    "active/machine-config/swap/90-swap.conf",
    "active/machine-config/swap/kubevirt-io-latency-setup.py",
    "active/machine-config/swap/kubevirt-tune-watermarks.py",
    "active/metadata.yaml",
    "active/observability/metrics-service.yaml.tpl",
    "active/observability/metrics-servicemonitor.yaml.tpl",
    "active/observability/monitoring-ui-plugin.yaml",
    "active/observability/prometheus-alerts.yaml.tpl",
    "active/operators/metallb.yaml",
    "active/operators/mtv.yaml",
    "tombstones/preview/kubevirt-ui-plugin.yaml",
    "tombstones/preview/node-health-check.yaml",
};

pub(super) fn load(name: &str) -> Option<Catalog> {
    if name != "4.22" {
        return None;
    }
    let files: Files = V4_22.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
    Catalog::from_files(name, Behavior::V4_22, files).ok()
}
