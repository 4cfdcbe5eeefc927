//! The fields and methods of the data that a template sees.

use super::Context;
use super::error::Fail;
use super::exec::Env;
use super::functions::{Function, method as define};
use super::value::{Elem, Map, Struct, Value};
use crate::cluster::Hardware;

type Outcome<'a> = Result<Value<'a>, Fail>;

/// A field of a struct.
pub(super) fn get<'a>(kind: Struct, name: &str, context: &Context<'a>) -> Option<Value<'a>> {
    Some(match (kind, name) {
        (Struct::Root, "HCO") => Value::Struct(Struct::Hco),
        (Struct::Root, "Hardware") => Value::Struct(Struct::Hardware),
        (Struct::Root, "Topology") => Value::Struct(Struct::Topology),
        (Struct::Root, "Images") => Value::Map(Map::Strings(context.images)),
        (Struct::Root, "Params") => Value::Map(Map::Strings(context.params)),
        (Struct::Hco, "Object") => Value::Map(Map::Json(context.hco.fields())),
        (Struct::Hardware | Struct::Topology, _) => {
            return fields(kind, context).into_iter().find(|(field, _)| *field == name).map(|(_, value)| value);
        }
        _ => return None,
    })
}

/// The fields of a struct in the order in which it declares them.
pub(super) fn fields<'a>(kind: Struct, context: &Context<'a>) -> Vec<(&'static str, Value<'a>)> {
    let topology = context.topology;
    match kind {
        Struct::Root => ["HCO", "Hardware", "Topology", "Images", "Params"]
            .into_iter()
            .filter_map(|name| Some((name, get(kind, name, context)?)))
            .collect(),
        Struct::Hco => vec![("Object", Value::Map(Map::Json(context.hco.fields())))],
        Struct::Hardware => {
            let Hardware { pci_devices_present, numa_nodes_present, vfio_capable, usb_devices_present, gpu_present } =
                context.hardware;
            vec![
                ("PCIDevicesPresent", Value::Bool(pci_devices_present)),
                ("NUMANodesPresent", Value::Bool(numa_nodes_present)),
                ("VFIOCapable", Value::Bool(vfio_capable)),
                ("USBDevicesPresent", Value::Bool(usb_devices_present)),
                ("GPUPresent", Value::Bool(gpu_present)),
            ]
        }
        Struct::Topology => vec![
            ("IsHCP", Value::Bool(topology.is_hcp)),
            ("IsCompact", Value::Bool(topology.is_compact)),
            ("HasSchedulableMasters", Value::Bool(topology.has_schedulable_masters)),
            ("ControlPlaneTopology", Value::text(&topology.control_plane_topology)),
            ("CloudProvider", Value::text(&topology.cloud_provider)),
            ("IsAWS", Value::Bool(topology.is_aws)),
            ("IsAzure", Value::Bool(topology.is_azure)),
            ("IsGCP", Value::Bool(topology.is_gcp)),
            ("IsBareMetal", Value::Bool(topology.is_bare_metal)),
            ("IsVSphere", Value::Bool(topology.is_vsphere)),
            ("IsOpenStack", Value::Bool(topology.is_open_stack)),
            ("MasterCount", Value::Int(topology.master_count)),
            ("WorkerCount", Value::Int(topology.worker_count)),
            ("TotalNodeCount", Value::Int(topology.total_node_count)),
        ],
    }
}

/// A method of a struct. All of them take nothing.
pub(super) fn method(kind: Struct, name: &str) -> Option<&'static Function> {
    let methods: &[Function] = match kind {
        Struct::Root => &[],
        Struct::Hco => &HCO_METHODS,
        Struct::Hardware => &HARDWARE_METHODS,
        Struct::Topology => &TOPOLOGY_METHODS,
    };
    methods.iter().find(|method| method.name == name)
}

static HCO_METHODS: [Function; 13] = [
    define("GetName", |env, _| text(env, "name")),
    define("GetNamespace", |env, _| text(env, "namespace")),
    define("GetLabels", |env, _| strings(env, "labels")),
    define("GetAnnotations", |env, _| strings(env, "annotations")),
    define("GetKind", |env, _| top(env, "kind")),
    define("GetAPIVersion", |env, _| top(env, "apiVersion")),
    define("GetGenerateName", |env, _| text(env, "generateName")),
    define("GetResourceVersion", |env, _| text(env, "resourceVersion")),
    define("GetSelfLink", |env, _| text(env, "selfLink")),
    define("GetUID", |env, _| text(env, "uid")),
    define("GetGeneration", |env, _| match metadata(env, "generation") {
        Some(Value::Int64(generation)) => Ok(Value::Int64(generation)),
        _ => Ok(Value::Int64(0)),
    }),
    define("IsList", |env, _| Ok(Value::Bool(matches!(object(env, "items"), Some(Value::List(_)))))),
    define("UnstructuredContent", |env, _| Ok(Value::Map(Map::Json(env.context.hco.fields())))),
];

static HARDWARE_METHODS: [Function; 1] = [define("AsMap", |env, _| {
    let detectors = env.context.hardware.detectors();
    let map = env.heap.map(Elem::Bool)?;
    for (name, present) in detectors {
        env.heap.insert(&map, name.as_bytes(), Value::Bool(present))?;
    }
    Ok(Value::Map(map))
})];

static TOPOLOGY_METHODS: [Function; 1] = [define("AsMap", |env, _| {
    let map = env.heap.map(Elem::Any)?;
    for (name, value) in fields(Struct::Topology, env.context) {
        // The keys are the fields' names with a small initial, which `Is…` and the others all bear.
        let mut key = name.as_bytes().to_vec();
        if let Some(first) = key.first_mut() {
            first.make_ascii_lowercase();
        }
        env.heap.insert(&map, &key, value)?;
    }
    Ok(Value::Map(map))
})];

fn object<'a>(env: &Env<'a>, key: &str) -> Option<Value<'a>> {
    env.heap.get(&Map::Json(env.context.hco.fields()), key.as_bytes())
}

fn metadata<'a>(env: &Env<'a>, key: &str) -> Option<Value<'a>> {
    match object(env, "metadata")? {
        Value::Map(map) => env.heap.get(&map, key.as_bytes()),
        _ => None,
    }
}

fn text_or_empty(value: Option<Value<'_>>) -> Value<'_> {
    match value {
        Some(text @ Value::Str(_)) => text,
        _ => Value::text(""),
    }
}

fn top<'a>(env: &Env<'a>, key: &str) -> Outcome<'a> {
    Ok(text_or_empty(object(env, key)))
}

fn text<'a>(env: &Env<'a>, key: &str) -> Outcome<'a> {
    Ok(text_or_empty(metadata(env, key)))
}

/// A map of metadata whose values are all strings; as in the controller's library, one that is none hides all.
fn strings<'a>(env: &mut Env<'a>, key: &str) -> Outcome<'a> {
    let nil = Value::Map(Map::Nil(Elem::Str));
    let Some(Value::Map(map)) = metadata(env, key) else { return Ok(nil) };
    let entries = env.heap.entries(&map)?;
    if !entries.iter().all(|(_, value)| matches!(value, Value::Str(_))) {
        return Ok(nil);
    }
    let copy = env.heap.map(Elem::Str)?;
    for (key, value) in entries {
        env.heap.insert(&copy, &key, value)?;
    }
    Ok(Value::Map(copy))
}
