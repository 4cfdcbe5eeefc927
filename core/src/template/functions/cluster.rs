//! The controller's own functions: into nested values, and at the cluster's objects and the catalog's files.

use serde_json::Value as Json;

use super::Type::{Any, Str};
use super::{Function, Outcome, any, define, name, text};
use crate::object::Object;
use crate::template::error::{Fail, refuse};
use crate::template::exec::Env;
use crate::template::fmt;
use crate::template::value::{Elem, Value};

pub(super) static FUNCTIONS: [Function; 10] = [
    define("dig", &[Any], dig).variadic().dynamic(),
    define("has", &[Any, Any], has),
    define("hasAnnotation", &[Any, Str, Str], has_annotation).late(),
    define("crdEnum", &[Str, Str], |env, arguments| {
        let values =
            crd_enum(env, arguments).into_iter().map(|text| env.heap.string(text)).collect::<Result<_, _>>()?;
        env.heap.list_value(Elem::Str, values)
    }),
    define("crdHasEnum", &[Str, Str, Str], |env, arguments| {
        Ok(Value::Bool(crd_enum(env, arguments).iter().any(|value| value.as_bytes() == text(arguments, 2))))
    }),
    define("objectExists", &[Str, Str, Str], |env, arguments| {
        let lookup = env.context.lookup;
        // Whatever the kind, the controller looks in this group.
        let found = lookup.object(MONITORING, name(arguments, 0), name(arguments, 1), name(arguments, 2));
        Ok(Value::Bool(found.is_some()))
    }),
    define("prometheusRuleHasRecordingRule", &[Str, Str, Str], |env, arguments| {
        let lookup = env.context.lookup;
        let rule = lookup.object(MONITORING, "PrometheusRule", name(arguments, 0), name(arguments, 1));
        Ok(Value::Bool(rule.is_some_and(|rule| records(rule, text(arguments, 2)))))
    }),
    define("getConfigMapData", &[Str, Str, Str], |env, arguments| {
        let lookup = env.context.lookup;
        let found = lookup.object("v1", "ConfigMap", name(arguments, 0), name(arguments, 1));
        let data = found.and_then(|object| object.at(&["data", name(arguments, 2)])).and_then(Json::as_str);
        Ok(Value::text(data.unwrap_or_default()))
    }),
    define("storageProfileRWXClass", &[], |env, _| {
        let profiles = env.context.lookup.list("cdi.kubevirt.io", "StorageProfile");
        let shared = profiles.into_iter().filter(|profile| is_shared_filesystem(profile));
        Ok(Value::text(shared.map(Object::name).min().unwrap_or_default()))
    })
    .late(),
    define("readAsset", &[Str], |env, arguments| {
        let path = name(arguments, 0);
        match env.context.lookup.asset(path) {
            Some(bytes) => env.heap.string(bytes),
            None => refuse(format!("readAsset {path}: open active/{path}: file does not exist")),
        }
    }),
];

const MONITORING: &str = "monitoring.coreos.com/v1";

/// `dig key… default object`: what is at the keys, or the default.
fn dig<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [keys @ .., default, object] = arguments else { return Ok(Value::Nil) };
    let mut current = object.clone();
    for key in keys {
        let found = match (&current, key) {
            (Value::Map(map), Value::Str(key)) if map.elem() == Elem::Any => env.heap.get(map, key),
            _ => None,
        };
        match found {
            Some(value) => current = value,
            None => return Ok(default.clone()),
        }
    }
    Ok(current)
}

/// Whether a list holds a value, types compared too.
fn has<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let needle = any(arguments, 0);
    let Value::List(list) = any(arguments, 1) else { return Ok(Value::Bool(false)) };
    if list.elem == Elem::List {
        return Ok(Value::Bool(false));
    }
    for at in 0..list.len() {
        env.heap.step()?;
        let item = env.heap.item(list, at).unwrap_or(Value::Nil);
        if same(env, needle, &item)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// Go's `==` of two interfaces, which fails on lists and maps of one type.
fn same<'a>(env: &mut Env<'a>, left: &Value<'a>, right: &Value<'a>) -> Result<bool, Fail> {
    match (left, right) {
        (Value::List(_), Value::List(_)) | (Value::Map(_), Value::Map(_)) => {
            if left.type_name() == right.type_name() {
                return refuse(format!("runtime error: comparing uncomparable type {}", left.type_name()));
            }
            Ok(false)
        }
        _ => super::list::deep_equal(env, left, right, 0),
    }
}

fn has_annotation<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let mut current = any(arguments, 0).clone();
    for key in [b"metadata".as_slice(), b"annotations", text(arguments, 1)] {
        let found = match &current {
            Value::Map(map) if map.elem() == Elem::Any => env.heap.get(map, key),
            _ => None,
        };
        let Some(found) = found else { return Ok(Value::Bool(false)) };
        current = found;
    }
    let printed = fmt::print_one(&mut env.heap, env.context, &current)?;
    Ok(Value::Bool(printed == text(arguments, 2)))
}

/// The enum of a field of a CRD, or of the field's items, in the version that is stored.
fn crd_enum<'a>(env: &Env<'a>, arguments: &[Value<'a>]) -> Vec<String> {
    schema_of_field(env, arguments).and_then(enum_values).unwrap_or_default()
}

fn schema_of_field<'a>(env: &Env<'a>, arguments: &[Value<'a>]) -> Option<&'a Json> {
    let crd = env.context.lookup.crd(name(arguments, 0))?;
    let versions = crd.at(&["spec", "versions"])?.as_array()?;
    let stored = versions.iter().find(|version| version.get("storage").and_then(Json::as_bool) == Some(true))?;
    let mut schema = stored.get("schema")?.get("openAPIV3Schema")?;
    // Dots without a name between them are passed over.
    for part in name(arguments, 1).split('.').filter(|part| !part.is_empty()) {
        schema = schema.get("properties")?.get(part)?;
    }
    let items = schema.get("items").filter(|items| items.is_object());
    Some(items.filter(|_| schema.get("type").and_then(Json::as_str) == Some("array")).unwrap_or(schema))
}

fn enum_values(schema: &Json) -> Option<Vec<String>> {
    let values = schema.get("enum")?.as_array()?;
    // A value that is no string stands as its JSON; of a string, the quotes are cut off and its escapes stay.
    Some(values.iter().map(|value| unquoted(value.to_string())).collect())
}

fn unquoted(json: String) -> String {
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => inner.to_owned(),
        None => json,
    }
}

fn records(rule: &Object, record: &[u8]) -> bool {
    let groups = rule.at(&["spec", "groups"]).and_then(Json::as_array).into_iter().flatten();
    let rules = groups.filter_map(|group| group.get("rules")?.as_array()).flatten();
    rules.filter_map(|rule| rule.get("record")?.as_str()).any(|name| name.as_bytes() == record)
}

/// Whether a StorageProfile offers volumes with a file system that many nodes can write to.
fn is_shared_filesystem(profile: &Object) -> bool {
    let sets = profile.at(&["status", "claimPropertySets"]).and_then(Json::as_array).into_iter().flatten();
    let filesystems = sets.filter(|set| set.get("volumeMode").and_then(Json::as_str) == Some("Filesystem"));
    let modes = filesystems.filter_map(|set| set.get("accessModes")?.as_array());
    // One mode that is no string makes all of them unreadable.
    modes.filter(|modes| modes.iter().all(Json::is_string)).flatten().any(|mode| mode == "ReadWriteMany")
}
