//! Changes made again: one after the other, or as a JSON patch.

use serde_json::{Value, json};

use super::compare::{Node, Step, compare};
use super::{Change, ChangeKind, DiffOptions};
use crate::pointer::{Pointer, list_index};

/// Why changes cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// The object has no such place.
    #[error("there is no `{pointer}` to change")]
    NoSuchPlace {
        /// Where the change would have been made.
        pointer: Pointer,
    },
    /// A change that adds or replaces has no value.
    #[error("the change at `{pointer}` has no value")]
    NoValue {
        /// Where the change would have been made.
        pointer: Pointer,
    },
}

/// Makes changes, one after the other: each pointer is a place in the object as the changes before it leave it.
/// `None` is the absent object, before and after.
///
/// What `changes(a, b, DiffOptions::EVERYTHING)` found turns `a` into `b`.
///
/// # Errors
///
/// Where a place that is to be changed is not there, or a change lacks its value.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::diff::{DiffOptions, apply_changes, changes};
///
/// let (a, b) = (json!({"list": [1, 2, 3]}), json!({"list": [2, 4]}));
/// let found = changes(Some(&a), Some(&b), DiffOptions::EVERYTHING);
/// assert_eq!(apply_changes(Some(&a), &found)?, Some(b));
/// # Ok::<(), virt_autopilot::diff::ChangeError>(())
/// ```
pub fn apply_changes(before: Option<&Value>, changes: &[Change]) -> Result<Option<Value>, ChangeError> {
    let mut document = before.cloned();
    for change in changes {
        let no_place = || ChangeError::NoSuchPlace { pointer: change.pointer.clone() };
        let value = || change.after.clone().ok_or_else(|| ChangeError::NoValue { pointer: change.pointer.clone() });
        let Some((key, above)) = change.pointer.tokens().split_last() else {
            document = match change.kind {
                ChangeKind::Removed => None,
                _ => Some(value()?),
            };
            continue;
        };
        let root = document.as_mut().ok_or_else(no_place)?;
        let container = above.iter().try_fold(root, step_into).ok_or_else(no_place)?;
        match (container, change.kind) {
            (Value::Object(map), ChangeKind::Added) => {
                map.insert(key.clone(), value()?);
            }
            (Value::Object(map), ChangeKind::Removed) => {
                map.remove(key).ok_or_else(no_place)?;
            }
            (Value::Array(list), ChangeKind::Added) => {
                let at = list_index(key).filter(|at| *at <= list.len()).ok_or_else(no_place)?;
                list.insert(at, value()?);
            }
            (Value::Array(list), ChangeKind::Removed) => {
                list.remove(list_index(key).filter(|at| *at < list.len()).ok_or_else(no_place)?);
            }
            (container, ChangeKind::Replaced | ChangeKind::TypeOnly) => {
                *step_into(container, key).ok_or_else(no_place)? = value()?;
            }
            _ => return Err(no_place()),
        }
    }
    Ok(document)
}

fn step_into<'a>(value: &'a mut Value, token: &String) -> Option<&'a mut Value> {
    match value {
        Value::Object(map) => map.get_mut(token),
        Value::Array(list) => list.get_mut(list_index(token)?),
        _ => None,
    }
}

/// An RFC 6902 patch that turns `before` into `after`, for people to put into an annotation.
///
/// What is missing is added as a whole at the first level that is not there. An item of a list that is removed,
/// replaced or changed inside is tested first, by the field that identifies it or by its value, so that the patch
/// fails rather than change another item when the list has changed; what is new at the end of a list is added to
/// its end, wherever that is.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::diff::to_patch;
///
/// let before = json!({"spec": {"env": [{"name": "A", "value": "1"}]}});
/// let after = json!({"spec": {"env": [{"name": "A", "value": "2"}, {"name": "B"}], "on": {"x": true}}});
/// assert_eq!(to_patch(&before, &after), json!([
///     {"op": "test", "path": "/spec/env/0/name", "value": "A"},
///     {"op": "replace", "path": "/spec/env/0/value", "value": "2"},
///     {"op": "add", "path": "/spec/env/-", "value": {"name": "B"}},
///     {"op": "add", "path": "/spec/on", "value": {"x": true}},
/// ]));
/// ```
pub fn to_patch(before: &Value, after: &Value) -> Value {
    let mut operations = Vec::new();
    if let Some(node) = compare(Some(before), Some(after), DiffOptions::EVERYTHING) {
        write_operations(&node, "", false, &mut operations);
    }
    Value::Array(operations)
}

fn write_operations(node: &Node<'_>, path: &str, in_list: bool, operations: &mut Vec<Value>) {
    let mut test = |value: &Value, below: &str| {
        operations.push(json!({"op": "test", "path": format!("{path}{below}"), "value": value}));
    };
    match (node.identity, node.step.before()) {
        (Some((field, value)), Some(_)) => test(value, field),
        (None, Some(value)) if in_list && !value.is_object() && !value.is_array() => test(value, ""),
        _ => {}
    }
    match node.step {
        Step::Added { after, .. } => operations.push(json!({"op": "add", "path": path, "value": after})),
        Step::Removed { .. } => operations.push(json!({"op": "remove", "path": path})),
        Step::Replaced { after, .. } => operations.push(json!({"op": "replace", "path": path, "value": after})),
        Step::Map { .. } | Step::List { .. } => {}
    }
    let in_list = matches!(node.step, Step::List { .. });
    for child in node.step.in_order_of_application() {
        let at_end = in_list && matches!(child.step, Step::Added { last: true, .. });
        let key = if at_end { "-".to_owned() } else { crate::pointer::escape(&child.key) };
        write_operations(child, &format!("{path}/{key}"), in_list, operations);
    }
}
