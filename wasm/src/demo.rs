//! The demo cluster.

use serde::Serialize;
use virt_autopilot::demo::{CLUSTER, CRDS, SITUATIONS};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::encoding::to_js;

#[derive(Serialize)]
struct Demo {
    cluster: String,
    situations: Vec<DemoSituation>,
}

#[derive(Serialize)]
struct DemoSituation {
    name: &'static str,
    title: String,
    yaml: &'static str,
}

/// The demo cluster and the situations that it can be in, as YAML documents.
#[wasm_bindgen]
pub fn demo() -> Answer {
    let situations = SITUATIONS.iter().map(|situation| DemoSituation {
        name: situation.name,
        title: situation.title(),
        yaml: situation.yaml,
    });
    to_js(&Demo { cluster: format!("{CLUSTER}---\n{CRDS}"), situations: situations.collect() })
}
