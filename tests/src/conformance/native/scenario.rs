//! Whole reconciles: the machine against the API server in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};
use virt_autopilot::object::{FIELD_MANAGER, ObjectRef};
use virt_autopilot::reconcile::{Answer, Effect, Event, Machine};
use virt_autopilot::simulate::Server;
use virt_autopilot::{Cluster, Object};

use super::{error, text};

pub(super) fn scenario(input: &Value) -> Value {
    let catalog = match super::catalog::load(input) {
        Ok(catalog) => catalog,
        Err(problem) => return error(problem),
    };
    let objects = input["objects"].as_array().cloned().unwrap_or_default();
    let images: BTreeMap<String, String> = serde_json::from_value(input["images"].clone()).unwrap_or_default();
    let kinds: BTreeSet<String> =
        catalog.assets().iter().filter_map(|asset| Some(asset.type_name()?.1.to_owned())).collect();
    let mut server = Server::new(Cluster::from_values(objects).with_images(images)).without_schemas();
    let mut machine = Machine::new(catalog);
    let mut rounds = Vec::new();
    for round in input["rounds"].as_array().into_iter().flatten() {
        for write in round["writes"].as_array().into_iter().flatten() {
            if let Err(problem) = written(&mut server, write) {
                return error(problem);
            }
        }
        rounds.push(reconciled(&mut machine, &mut server, &kinds));
    }
    json!({"rounds": rounds})
}

/// A write of somebody else's.
fn written(server: &mut Server, write: &Value) -> Result<(), String> {
    let part = |key: &str| text(&write["ref"], key).to_owned();
    let reference = ObjectRef {
        api_version: part("apiVersion"),
        kind: part("kind"),
        namespace: part("namespace"),
        name: part("name"),
    };
    let manager = text(write, "manager");
    match text(write, "op") {
        "create" => {
            let object = Object::from_value(write["object"].clone()).map_err(|error| error.to_string())?;
            server.update(&object.into(), manager).map_err(|error| error.to_string())?;
        }
        "merge" => {
            server.merge_patch(&reference, &write["patch"], manager).map_err(|error| error.to_string())?;
        }
        "delete" => drop(server.delete(&reference)),
        other => return Err(format!("there is no write `{other}`")),
    }
    Ok(())
}

/// One pass, in the shape of the record.
fn reconciled(machine: &mut Machine, server: &mut Server, kinds: &BTreeSet<String>) -> Value {
    let (mut actions, mut events, mut error) = (Vec::new(), Vec::new(), Value::Null);
    let mut effects = machine.handle(0, Event::Snapshot(server.cluster().clone()));
    while !effects.is_empty() {
        let mut next = Vec::new();
        for effect in effects {
            match effect {
                Effect::Event { event } => events.push(json!({
                    "type": event.event_type, "reason": event.reason, "action": event.action, "note": event.note,
                })),
                Effect::Finished { error: Some(message) } => error = Value::from(message),
                Effect::Finished { error: None } | Effect::Metric { .. } => {}
                asked => {
                    let (id, answer) = carried_out(server, asked, &mut actions);
                    next.extend(machine.handle(0, Event::Done { id, answer }));
                }
            }
        }
        effects = next;
    }
    let live = server.cluster().objects().filter(|object| kinds.contains(object.kind()));
    let metrics = machine.metrics().to_text();
    let metrics: Vec<&str> = metrics.lines().filter(|line| !line.starts_with('#')).collect();
    json!({
        "actions": actions, "events": events, "error": error, "live": live.map(|object| bare(object)).collect::<Vec<_>>(),
        "metrics": metrics,
    })
}

fn carried_out(server: &mut Server, effect: Effect, actions: &mut Vec<Value>) -> (u64, Answer) {
    let mut act = |action: &str, object: &ObjectRef| {
        let ObjectRef { kind, name, namespace, .. } = object;
        actions.push(json!({"action": action, "kind": kind, "name": name, "namespace": namespace}));
    };
    match effect {
        Effect::Get { id, object } => (id, Ok(server.get(&object))),
        // The API server of the recording stored what a dry run came to, which shows where nothing is applied after it.
        Effect::DryRun { id, object } => {
            let answer = server.dry_run(&object, FIELD_MANAGER);
            if let Ok(Some(predicted)) = &answer {
                server.put(Arc::clone(predicted));
            }
            (id, answer)
        }
        Effect::Apply { id, object } => {
            act("apply", &object.reference());
            (id, server.apply(&object, FIELD_MANAGER, true))
        }
        Effect::Annotate { id, object, key, value } => {
            act("update", &object);
            (id, server.annotate(&object, &key, &value, FIELD_MANAGER))
        }
        Effect::Delete { id, object } => {
            act("delete", &object);
            (id, Ok(server.delete(&object)))
        }
        Effect::Event { .. } | Effect::Metric { .. } | Effect::Finished { .. } => unreachable!("they ask for nothing"),
    }
}

/// An object without its managed fields.
fn bare(object: &Object) -> Value {
    let mut value = object.to_value();
    if let Some(metadata) = value["metadata"].as_object_mut() {
        metadata.remove("managedFields");
    }
    value
}
