//! Rendering a catalog on a cluster.

use virt_autopilot::overrides::{DISABLED_RESOURCES, exclusion};
use virt_autopilot::{Catalog, Cluster, RenderOptions, Rendering, output};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::catalog::catalog;
use crate::encoding::{Refusal, read, take, to_js, value};
use crate::snapshot::{self, count_positions};

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
    let mut request = value(request)?;
    let options: RenderOptions = read(take(&mut request, "options"))?;
    let (cluster, unreadable) = snapshot::cluster(&mut request)?;
    let mut rendering = virt_autopilot::render(catalog, &cluster, &options)
        .map_err(|error| Refusal::new("render.unknown-asset", error))?;
    count_positions(&mut rendering.diagnostics, &cluster, catalog);
    rendering.diagnostics.splice(0..0, unreadable);
    Ok((rendering, cluster))
}
