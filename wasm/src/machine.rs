//! The controller's loop, and the API server in memory that it can be run against.

use std::sync::Arc;

use serde_json::{Value, json};
use virt_autopilot::object::ObjectRef;
use virt_autopilot::reconcile::{Answer as Reply, Event, Machine, State};
use virt_autopilot::simulate::Server;
use virt_autopilot::{Cluster, Object};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::catalog::catalog;
use crate::encoding::{Refusal, read, required, take, to_js, value};
use crate::snapshot;
use crate::table::Table;
use crate::tools::object;

thread_local! {
    static MACHINES: Table<Machine> = const { Table::new() };
    static SERVERS: Table<Server> = const { Table::new() };
}

/// Starts a machine. With `state`, it goes on from there on the snapshot of the request.
#[wasm_bindgen]
pub fn machine_new(catalog_number: u32, request: &JsValue, live_snapshot: bool) -> Answer<u32> {
    let mut request = value(request)?;
    let state: State = read(take(&mut request, "state"))?;
    let (cluster, _) = snapshot::cluster(&mut request)?;
    let machine = Machine::restore(catalog(catalog_number)?, cluster, state);
    let machine = if live_snapshot { machine.on_live_snapshot() } else { machine };
    Ok(MACHINES.with(|machines| machines.keep(machine)))
}

/// Takes in what happened, and says what is to be done.
#[wasm_bindgen]
pub fn machine_handle(number: u32, now: f64, event: &JsValue) -> Answer {
    let event = event_of(value(event)?)?;
    to_js(&MACHINES.with(|machines| machines.with(number, |machine| machine.handle(now as _, event)))?)
}

/// When the machine wants a tick; `undefined`: only when something happens.
#[wasm_bindgen]
pub fn machine_next_wakeup(number: u32) -> Answer<Option<f64>> {
    Ok(MACHINES.with(|machines| machines.with(number, |machine| machine.next_wakeup().map(|at| at as f64)))?)
}

/// What the machine remembers besides the snapshot.
#[wasm_bindgen]
pub fn machine_state(number: u32) -> Answer {
    MACHINES.with(|machines| machines.with(number, |machine| to_js(machine.state())))?
}

/// The metrics, as Prometheus reads them.
#[wasm_bindgen]
pub fn machine_metrics(number: u32) -> Answer<String> {
    Ok(MACHINES.with(|machines| machines.with(number, |machine| machine.metrics().to_text()))?)
}

/// Forgets a machine.
#[wasm_bindgen]
pub fn machine_free(number: u32) {
    MACHINES.with(|machines| machines.free(number));
}

/// An event: `snapshot`, `changed`, `deleted`, `done` or `tick`.
fn event_of(mut event: Value) -> Result<Event, Refusal> {
    let kind: String = required(take(&mut event, "kind"))?;
    Ok(match kind.as_str() {
        "snapshot" => Event::Snapshot(snapshot::cluster(&mut event)?.0),
        "changed" => Event::Changed(Arc::new(object(take(&mut event, "object"), "object")?)),
        "deleted" => Event::Deleted(required(take(&mut event, "object"))?),
        "done" => Event::Done {
            id: required(take(&mut event, "id"))?,
            answer: match (take(&mut event, "error"), take(&mut event, "object")) {
                (Value::Null, Value::Null) => Ok(None),
                (Value::Null, answered) => Ok(Some(Arc::new(object(answered, "object")?))),
                (error, _) => Err(required(error)?),
            },
        },
        "tick" => Event::Tick,
        other => return Err(Refusal::new("machine.event", format!("there is no event `{other}`"))),
    })
}

/// Starts an API server that holds a cluster's objects.
#[wasm_bindgen]
pub fn server_new(request: &JsValue) -> Answer<u32> {
    let mut request = value(request)?;
    let schemaless: bool = read(take(&mut request, "schemaless"))?;
    let server = Server::new(snapshot::cluster(&mut request)?.0);
    let server = if schemaless { server.without_schemas() } else { server };
    Ok(SERVERS.with(|servers| servers.keep(server)))
}

/// Forgets a server.
#[wasm_bindgen]
pub fn server_free(number: u32) {
    SERVERS.with(|servers| servers.free(number));
}

/// The objects as they are.
#[wasm_bindgen]
pub fn server_objects(number: u32) -> Answer {
    let objects = |cluster: &Cluster| to_js(&cluster.objects().collect::<Vec<_>>());
    SERVERS.with(|servers| servers.with(number, |server| objects(server.cluster())))?
}

/// Carries out a request: `{object}`, null where it is not there, or `{error}`.
#[wasm_bindgen]
pub fn server_call(number: u32, request: &JsValue) -> Answer {
    let call = Call::of(value(request)?)?;
    to_js(&match SERVERS.with(|servers| servers.with(number, |server| call.on(server)))? {
        Ok(object) => json!({"object": object}),
        Err(error) => json!({"error": error}),
    })
}

/// Takes a text out of a map, empty where there is none.
fn text(map: &mut Value, field: &str) -> String {
    match take(map, field) {
        Value::String(text) => text,
        _ => String::new(),
    }
}

/// A request to the server.
enum Call {
    Get(ObjectRef),
    Delete(ObjectRef),
    Put(Arc<Object>),
    DryRun(Arc<Object>, String),
    Apply(Arc<Object>, String, bool),
    Update(Arc<Object>, String),
    Merge(ObjectRef, Value, String),
    Annotate(ObjectRef, String, String, String),
}

impl Call {
    fn of(mut request: Value) -> Result<Self, Refusal> {
        let kind: String = required(take(&mut request, "kind"))?;
        let subject = take(&mut request, "object");
        let manager = text(&mut request, "manager");
        let whole = |subject| object(subject, "object").map(Arc::new);
        Ok(match kind.as_str() {
            "get" => Self::Get(required(subject)?),
            "delete" => Self::Delete(required(subject)?),
            "put" => Self::Put(whole(subject)?),
            "dryRun" => Self::DryRun(whole(subject)?, manager),
            "apply" => Self::Apply(whole(subject)?, manager, take(&mut request, "force") == true),
            "update" => Self::Update(whole(subject)?, manager),
            "annotate" => {
                Self::Annotate(required(subject)?, text(&mut request, "key"), text(&mut request, "value"), manager)
            }
            "merge" => Self::Merge(required(subject)?, take(&mut request, "patch"), manager),
            other => return Err(Refusal::new("server.request", format!("there is no request `{other}`"))),
        })
    }

    fn on(self, server: &mut Server) -> Reply {
        match self {
            Self::Get(reference) => Ok(server.get(&reference)),
            Self::Delete(reference) => Ok(server.delete(&reference)),
            Self::Put(object) => {
                server.put(Arc::clone(&object));
                Ok(Some(object))
            }
            Self::DryRun(object, manager) => server.dry_run(&object, &manager),
            Self::Apply(object, manager, force) => server.apply(&object, &manager, force),
            Self::Update(object, manager) => server.update(&object, &manager),
            Self::Merge(reference, patch, manager) => server.merge_patch(&reference, &patch, &manager),
            Self::Annotate(reference, key, value, manager) => server.annotate(&reference, &key, &value, &manager),
        }
    }
}
