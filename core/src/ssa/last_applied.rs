//! The annotation of client-side apply, which `kubectl` honours when it goes over to server-side apply.

use serde_json::{Map, Value};

use super::apply::{ConflictSets, copy_without_managed_fields};
use super::compare::compare;
use super::field_set::FieldSet;
use super::schema::Schema;
use super::typed::{check, field_set};
use super::value::write_json;
use crate::object::Object;

/// The only field manager for which the annotation counts.
pub(super) const MANAGER: &str = "kubectl";
const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// Most bytes that the annotations of an object may have.
const MAX_ANNOTATION_BYTES: usize = 256 << 10;

/// The conflicts that are left where those about fields that client-side apply set, and that are still as it set them,
/// are none.
pub(super) fn remaining_conflicts(
    schema: &Schema,
    live: &Map<String, Value>,
    api_version: &str,
    conflicts: ConflictSets,
) -> ConflictSets {
    let allowed = annotation(live).and_then(|text| serde_json::from_str::<Value>(text).ok());
    let allowed = allowed.as_ref().and_then(|applied| allowed_fields(schema, live, api_version, applied));
    let Some(allowed) = allowed else { return conflicts };
    let left = |(id, set): (_, FieldSet<'static>)| (id, set.difference(&allowed));
    conflicts.into_iter().map(left).filter(|(_, set)| !set.is_empty()).collect()
}

fn allowed_fields<'v>(
    schema: &'v Schema,
    live: &'v Map<String, Value>,
    api_version: &str,
    applied: &'v Value,
) -> Option<FieldSet<'v>> {
    let applied = applied.as_object()?;
    let same_version = applied.get("apiVersion").and_then(Value::as_str) == Some(api_version);
    if !same_version || check(schema, live, false).is_err() || check(schema, applied, false).is_err() {
        return None;
    }
    let differences = compare(schema, applied, live);
    let fields = field_set(schema, applied).difference(&differences.modified);
    Some(fields.difference(&differences.added).difference(&differences.removed))
}

/// Writes the configuration into the annotation, where the object has one.
pub(super) fn renew(object: &mut Option<Map<String, Value>>, live: &Map<String, Value>, config: &Object) {
    if annotation(object.as_ref().unwrap_or(live)).is_none() {
        return;
    }
    let mut applied = config.fields().clone();
    if let Some(annotations) = annotations_mut(&mut applied) {
        annotations.remove(ANNOTATION);
    }
    let mut text = String::new();
    write_json(&Value::Object(applied), &mut text);
    text.push('\n');
    let object = object.get_or_insert_with(|| copy_without_managed_fields(live));
    if let Some(annotations) = annotations_mut(object) {
        annotations.insert(ANNOTATION.to_owned(), Value::from(text));
        let bytes = |(key, value): (&String, &Value)| key.len() + value.as_str().map_or(0, str::len);
        if annotations.iter().map(bytes).sum::<usize>() > MAX_ANNOTATION_BYTES {
            annotations.remove(ANNOTATION);
        }
    }
}

fn annotation(object: &Map<String, Value>) -> Option<&str> {
    let annotations = object.get("metadata")?.get("annotations")?;
    annotations.get(ANNOTATION)?.as_str().filter(|text| !text.is_empty())
}

fn annotations_mut(object: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    object.get_mut("metadata")?.get_mut("annotations")?.as_object_mut()
}
