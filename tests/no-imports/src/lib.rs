//! The core alone as wasm: a host need give it nothing, so it can have no clock, no files, no network and no chance.

use virt_autopilot::{Catalog, Cluster, demo, output, render, yaml};

/// Takes the whole way, so that the linker keeps it: how long the demo cluster's rendering is.
#[unsafe(no_mangle)]
pub extern "C" fn probe() -> usize {
    let Some(catalog) = Catalog::builtin_names().last().and_then(|name| Catalog::builtin(name)) else {
        return 0;
    };
    let documents = yaml::objects(demo::CLUSTER).unwrap_or_default();
    let cluster = Cluster::from_values(documents.into_iter().map(|document| document.value));
    render(&catalog, &cluster, &Default::default()).map_or(0, |rendering| output::yaml(&rendering).len())
}
