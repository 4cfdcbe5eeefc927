//! One pass of the controller, and the loop over time.

use std::sync::Arc;

use js_sys::Function;
use serde_json::Value;
use virt_autopilot::plan::{Plan, PlanOptions};
use virt_autopilot::simulate::{Script, simulate_with};
use virt_autopilot::{Catalog, Cluster};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::catalog::catalog;
use crate::encoding::{Refusal, read, required, take, to_js, value};
use crate::snapshot::{self, count_positions};

/// Says what one pass of the controller would do.
#[wasm_bindgen]
pub fn plan(catalog_number: u32, request: &JsValue) -> Answer {
    let mut request = value(request)?;
    let objects_of: Option<Vec<String>> = read(take(&mut request, "objectsOf"))?;
    let mut plan = planned(&catalog(catalog_number)?, request)?;
    if let Some(wanted) = objects_of {
        leave_out_objects(&mut plan, &wanted);
    }
    to_js(&plan)
}

/// Leaves the objects of all but some assets out: they are most of what crosses.
fn leave_out_objects(plan: &mut Plan, wanted: &[String]) {
    for asset in plan.assets.iter_mut().filter(|asset| !wanted.contains(&asset.asset)) {
        let asset = Arc::make_mut(asset);
        for object in
            [&mut asset.baseline, &mut asset.patched, &mut asset.desired, &mut asset.live, &mut asset.predicted]
        {
            *object = None;
        }
    }
}

/// A plan as text: `metrics`.
#[wasm_bindgen]
pub fn plan_text(catalog_number: u32, request: &JsValue, format: &str) -> Answer<String> {
    let plan = planned(&catalog(catalog_number)?, value(request)?)?;
    match format {
        "metrics" => Ok(plan.metrics.to_text()),
        other => Err(Refusal::new("request.format", format!("there is no format `{other}`")).into()),
    }
}

/// Plays a script against the controller. `progress` is called now and then with how far it has come, in milliseconds of
/// the script's own clock.
#[wasm_bindgen]
pub fn simulate(catalog_number: u32, request: &JsValue, progress: Option<Function>) -> Answer {
    let mut request = value(request)?;
    let (cluster, _) = snapshot::cluster(&mut request)?;
    let script: Script = required(request)?;
    let mut report = |now: u64| {
        if let Some(progress) = &progress {
            // What it throws is its own affair.
            _ = progress.call1(&JsValue::UNDEFINED, &JsValue::from_f64(now as f64));
        }
    };
    to_js(&simulate_with(&catalog(catalog_number)?, &cluster, &script, &mut report))
}

fn planned(catalog: &Catalog, mut request: Value) -> Result<Plan, Refusal> {
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
    for asset in plan.assets.iter_mut().filter(|asset| !asset.diagnostics.is_empty()) {
        count_positions(&mut Arc::make_mut(asset).diagnostics, cluster, catalog);
    }
}
