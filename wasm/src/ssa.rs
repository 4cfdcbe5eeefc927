//! Server-side apply by itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use virt_autopilot::Object;
use virt_autopilot::ssa::{self, Request, Schema};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::encoding::{Refusal, read, to_js, value};

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Write {
    live: Option<Object>,
    object: Value,
    manager: String,
    force: bool,
    update: bool,
    schema: Value,
    time: Option<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome<'a> {
    Written { object: &'a Object, changed: bool },
    Refused { error: String },
}

/// What a server-side apply or an update leads to, with the managed fields, or why the server refuses it.
#[wasm_bindgen]
pub fn tools_server_side_apply(request: &JsValue) -> Answer {
    let write: Write = read(value(request)?)?;
    let object = Object::from_value(write.object).map_err(|error| Refusal::new("request.object", error))?;
    let schema = match &write.schema {
        Value::Null => Schema::untyped(),
        structural => Schema::of_structural(structural).map_err(|error| Refusal::new("request.schema", error))?,
    };
    let request = Request { manager: &write.manager, force: write.force, schema: &schema, time: write.time.as_deref() };
    let live = write.live.as_ref();
    let done = if write.update { ssa::update(live, &object, &request) } else { ssa::apply(live, &object, &request) };
    match done {
        Ok(applied) => to_js(&Outcome::Written { object: &applied.object, changed: applied.changed }),
        Err(error) => to_js(&Outcome::Refused { error: error.to_string() }),
    }
}
