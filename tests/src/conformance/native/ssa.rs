//! Server-side apply, step by step, and the sequences of structured-merge-diff.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use virt_autopilot::Object;
use virt_autopilot::ssa::{Request, Schema, apply, update};

use super::{error, text};

/// All steps were recorded at one instant. An entry of a write that changed nothing has no time, and so sorts first.
const TIME: &str = "2026-01-01T00:00:00Z";

pub(super) fn ssa(input: &Value) -> Value {
    let schema = match &input["schema"] {
        Value::Null => Schema::untyped(),
        structural => match Schema::of_structural(structural) {
            Ok(schema) => schema,
            Err(problem) => return error(problem),
        },
    };
    let mut live: Option<Object> = None;
    let steps = input["steps"].as_array().into_iter().flatten();
    steps.map(|step| take_step(&mut live, step, &schema)).collect()
}

fn take_step(live: &mut Option<Object>, step: &Value, schema: &Schema) -> Value {
    let object = match Object::from_value(step["object"].clone()) {
        Ok(object) => object,
        Err(problem) => return error(problem),
    };
    if step["op"] == "live" {
        *live = Some(object);
        return json!({});
    }
    let request = Request { manager: text(step, "manager"), force: step["force"] == true, schema, time: Some(TIME) };
    let done = match text(step, "op") {
        "update" => update(live.as_ref(), &object, &request),
        _ => apply(live.as_ref(), &object, &request),
    };
    match done.map(|applied| applied.object.into_owned()) {
        Ok(written) => {
            let answer = split(&written);
            *live = Some(written);
            answer
        }
        Err(problem) => error(problem),
    }
}

/// An object without its managed fields, and those without their times.
fn split(object: &Object) -> Value {
    let mut live = object.to_value();
    let mut managed = live["metadata"].as_object_mut().and_then(|map| map.remove("managedFields")).unwrap_or(json!([]));
    for entry in managed.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        entry.remove("time");
        entry.remove("fieldsType");
    }
    json!({"live": live, "managedFields": managed})
}

/// A sequence of structured-merge-diff on an untyped object: its objects are put under a key of ours.
pub(super) fn merge(input: &Value) -> Value {
    sequence(input).unwrap_or_else(|| error("the sequence cannot be read"))
}

fn sequence(input: &Value) -> Option<Value> {
    let schema = Schema::untyped();
    let mut live: Option<Object> = None;
    let mut ok = true;
    for operation in input["ops"].as_array()? {
        let body = &operation["Object"];
        let object = Object::from_value(json!({
            "apiVersion": operation["APIVersion"], "kind": "Sequence", "metadata": {"name": "x"}, "o": body,
        }));
        // The suite's conversion between versions leaves objects as they are.
        if let Some(live) = &mut live {
            live.fields_mut().insert("apiVersion".to_owned(), operation["APIVersion"].clone());
        }
        let manager = text(operation, "Manager");
        let request = |force| Request { manager, force, schema: &schema, time: None };
        let object = object.ok()?;
        let done = match text(operation, "Type") {
            "apply" => apply(live.as_ref(), &object, &request(false)),
            "force-apply" => apply(live.as_ref(), &object, &request(true)),
            "update" => update(live.as_ref(), &object, &request(false)),
            _ => return None,
        };
        match done {
            Ok(applied) => live = Some(applied.object.into_owned()),
            Err(_) if operation["Conflicts"] == true => {}
            Err(_) => ok = false,
        }
    }
    let live = live?;
    let managed: BTreeMap<String, Value> = owners(&live);
    Some(json!({"ok": ok, "object": live.at(&["o"]), "managed": managed}))
}

fn owners(object: &Object) -> BTreeMap<String, Value> {
    let entries = object.at(&["metadata", "managedFields"]).and_then(Value::as_array);
    let sets = entries.into_iter().flatten().map(|entry| {
        let mut set = entry["fieldsV1"].get("f:o").cloned().unwrap_or(Value::Object(Map::new()));
        // The root of the sequence's object is no field of it.
        set.as_object_mut().map(|set| set.remove("."));
        (text(entry, "manager").to_owned(), set)
    });
    sets.collect()
}
