//! One pass of the controller, and the loop over time.

use virt_autopilot::plan::{Plan, PlanOptions};
use virt_autopilot::simulate::Script;
use virt_autopilot::{Catalog, Cluster};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::catalog::catalog;
use crate::encoding::{Refusal, read, required, take, to_js, value};
use crate::snapshot::{self, count_positions};

/// Says what one pass of the controller would do.
#[wasm_bindgen]
pub fn plan(catalog_number: u32, request: &JsValue) -> Answer {
    to_js(&planned(&catalog(catalog_number)?, request)?)
}

/// A plan as text: `metrics`.
#[wasm_bindgen]
pub fn plan_text(catalog_number: u32, request: &JsValue, format: &str) -> Answer<String> {
    let plan = planned(&catalog(catalog_number)?, request)?;
    match format {
        "metrics" => Ok(plan.metrics.to_text()),
        other => Err(Refusal::new("request.format", format!("there is no format `{other}`")).into()),
    }
}

/// Plays a script against the controller.
#[wasm_bindgen]
pub fn simulate(catalog_number: u32, request: &JsValue) -> Answer {
    let mut request = value(request)?;
    let (cluster, _) = snapshot::cluster(&mut request)?;
    let script: Script = required(request)?;
    to_js(&virt_autopilot::simulate::simulate(&catalog(catalog_number)?, &cluster, &script))
}

fn planned(catalog: &Catalog, request: &JsValue) -> Result<Plan, Refusal> {
    let mut request = value(request)?;
    let options: PlanOptions = read(take(&mut request, "options"))?;
    let (cluster, unreadable) = snapshot::cluster(&mut request)?;
    let mut plan = virt_autopilot::plan(catalog, &cluster, &options)
        .map_err(|error| Refusal::new("catalog.invalid", error.to_string()).problems(error.problems))?;
    count_all_positions(&mut plan, &cluster, catalog);
    plan.diagnostics.splice(0..0, unreadable);
    Ok(plan)
}

fn count_all_positions(plan: &mut Plan, cluster: &Cluster, catalog: &Catalog) {
    count_positions(&mut plan.diagnostics, cluster, catalog);
    count_positions(&mut plan.impact.diagnostics, cluster, catalog);
    for asset in &mut plan.assets {
        count_positions(&mut asset.diagnostics, cluster, catalog);
    }
}
