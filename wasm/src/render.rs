//! Rendering a catalog on a cluster.

use serde::Deserialize;
use virt_autopilot::overrides::{DISABLED_RESOURCES, exclusion};
use virt_autopilot::{Catalog, Cluster, RenderOptions, Rendering, output};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::catalog::catalog;
use crate::encoding::{Refusal, from_js, to_js};
use crate::snapshot::{Snapshot, count_positions};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    #[serde(flatten)]
    snapshot: Snapshot,
    #[serde(default)]
    options: RenderOptions,
}

/// Says for every asset whether the controller would render it, why or why not, and what it renders.
#[wasm_bindgen]
pub fn render(catalog_number: u32, request: &JsValue) -> Answer {
    to_js(&rendering(&catalog(catalog_number)?, request)?.0)
}

/// A rendering as text: `yaml`, `json`, `status` or `exclusions`.
#[wasm_bindgen]
pub fn render_text(catalog_number: u32, request: &JsValue, format: &str) -> Answer<String> {
    let catalog = catalog(catalog_number)?;
    let (rendering, cluster) = rendering(&catalog, request)?;
    Ok(match format {
        "yaml" => output::yaml(&rendering),
        "json" => output::json(&rendering),
        "status" => output::status(&rendering),
        "exclusions" => {
            let hco = cluster.hco(catalog.behavior());
            let text = hco.and_then(|hco| hco.annotation(DISABLED_RESOURCES)).unwrap_or_default();
            output::exclusions(&exclusion::parse(text).unwrap_or_default(), &rendering)
        }
        other => return Err(Refusal::new("request.format", format!("there is no format `{other}`")).into()),
    })
}

fn rendering(catalog: &Catalog, request: &JsValue) -> Result<(Rendering, Cluster), Refusal> {
    let Request { snapshot, options } = from_js(request)?;
    let (cluster, unreadable) = snapshot.into_cluster();
    let mut rendering = virt_autopilot::render(catalog, &cluster, &options)
        .map_err(|error| Refusal::new("render.unknown-asset", error))?;
    count_positions(&mut rendering.diagnostics, &cluster, catalog);
    rendering.diagnostics.splice(0..0, unreadable);
    Ok((rendering, cluster))
}
