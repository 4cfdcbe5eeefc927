//! Server-side apply by itself.

use serde::Serialize;
use serde_json::Value;
use virt_autopilot::Object;
use virt_autopilot::ssa::{self, Request, Schema};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::encoding::{Refusal, take, to_js, value};
use crate::tools::object;

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome<'a> {
    Written { object: &'a Object, changed: bool },
    Refused { error: String },
}

/// What a server-side apply or an update leads to, with the managed fields, or why the server refuses it.
#[wasm_bindgen]
pub fn tools_server_side_apply(request: &JsValue) -> Answer {
    let mut request = value(request)?;
    let config = object(take(&mut request, "object"), "object")?;
    let live = match take(&mut request, "live") {
        Value::Null => None,
        live => Some(object(live, "live")?),
    };
    let schema = match take(&mut request, "schema") {
        Value::Null => Schema::untyped(),
        structural => Schema::of_structural(&structural).map_err(|error| Refusal::new("request.schema", error))?,
    };
    let flag = |key: &str| request.get(key) == Some(&Value::Bool(true));
    let text = |key: &str| request.get(key).and_then(Value::as_str);
    let manager = text("manager").unwrap_or_default();
    let write = Request { manager, force: flag("force"), schema: &schema, time: text("time") };
    let done = if flag("update") {
        ssa::update(live.as_ref(), &config, &write)
    } else {
        ssa::apply(live.as_ref(), &config, &write)
    };
    match done {
        Ok(applied) => to_js(&Outcome::Written { object: &applied.object, changed: applied.changed }),
        Err(error) => to_js(&Outcome::Refused { error: error.to_string() }),
    }
}
