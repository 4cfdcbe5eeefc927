//! Server-side apply, step by step.

use serde_json::{Value, json};
use virt_autopilot::Object;
use virt_autopilot::ssa::{Request, Schema, apply, update};

use super::{error, text};

/// All steps happen at one time, which the record leaves out.
const TIME: &str = "2026-12-01T12:00:00Z";

pub(super) fn ssa(input: &Value) -> Value {
    let schema = match &input["schema"] {
        Value::Null => Schema::untyped(),
        structural => match Schema::of_structural(structural) {
            Ok(schema) => schema,
            Err(problem) => return error(problem),
        },
    };
    let mut live: Option<Object> = None;
    let steps = input["steps"].as_array().into_iter().flatten().map(|step| {
        let object = match Object::from_value(step["object"].clone()) {
            Ok(object) => object,
            Err(problem) => return error(problem),
        };
        let force = step["force"] == true;
        let request = Request { manager: text(step, "manager"), force, schema: &schema, time: Some(TIME) };
        let outcome = match text(step, "op") {
            "live" => Ok(object),
            "apply" => apply(live.as_ref(), &object, &request).map(|applied| applied.object.into_owned()),
            "update" => update(live.as_ref(), &object, &request).map(|applied| applied.object.into_owned()),
            other => return error(format!("there is no step `{other}`")),
        };
        match outcome {
            Ok(object) => {
                let answer = recorded(&object);
                live = Some(object);
                answer
            }
            Err(problem) => error(problem),
        }
    });
    steps.collect()
}

/// The object, and apart from it its managed fields without their times.
fn recorded(object: &Object) -> Value {
    let mut live = object.to_value();
    let metadata = live.get_mut("metadata").and_then(Value::as_object_mut);
    let mut managed = metadata.and_then(|metadata| metadata.remove("managedFields")).unwrap_or_default();
    for entry in managed.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        entry.remove("time");
        entry.remove("fieldsType");
    }
    json!({"live": live, "managedFields": managed})
}
