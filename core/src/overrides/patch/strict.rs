//! The verdict of RFC 6902 itself, by the `json-patch` crate.

use json_patch::jsonptr::{Pointer, PointerBuf};
use json_patch::{
    AddOperation, CopyOperation, MoveOperation, PatchOperation, RemoveOperation, ReplaceOperation, TestOperation,
};
use serde_json::{Number, Value};

use crate::limits::{MAX_DEPTH, MAX_PATCH_OPERATIONS, MAX_TEXT_BYTES};
use crate::object::exceeds_depth;

/// Why a patch does not apply under RFC 6902.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrictError {
    /// The patch is no list.
    #[error("a patch is a list of operations")]
    NotAList,
    /// An operation is no map, or `op` is none of the six.
    #[error("operation {} has no `op` that RFC 6902 knows", .operation + 1)]
    UnknownOperation {
        /// The operation, counted from 0.
        operation: usize,
    },
    /// A member that the operation needs is absent, of the wrong type or no JSON pointer.
    #[error("operation {} has no valid `{member}`", .operation + 1)]
    Member {
        /// The operation, counted from 0.
        operation: usize,
        /// `path`, `from` or `value`.
        member: &'static str,
    },
    /// The operation does not apply to the document.
    #[error("operation {} does not apply: {reason}", .operation + 1)]
    Failed {
        /// The operation, counted from 0.
        operation: usize,
        /// What is in the way.
        reason: StrictFailure,
    },
    /// The patch has too many operations, or makes the document too large or too deep.
    #[error("the patch is too large")]
    TooLarge,
}

/// What is in the way of an operation under RFC 6902.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrictFailure {
    /// A `test` met another value.
    #[error("the value is another")]
    Test,
    /// `from` leads nowhere.
    #[error("`from` leads nowhere")]
    From,
    /// `path` leads nowhere.
    #[error("`path` leads nowhere")]
    Path,
    /// A value cannot be moved into itself.
    #[error("a value cannot be moved into itself")]
    IntoItself,
}

/// Applies a patch as RFC 6902 has it.
///
/// # Errors
///
/// Where the patch is malformed, does not apply, or is beyond the limits of this crate.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::overrides::patch::apply_rfc6902;
///
/// let patch = json!([{"op": "add", "path": "/a/-", "value": 2}]);
/// assert_eq!(apply_rfc6902(&json!({"a": [1]}), &patch)?, json!({"a": [1, 2]}));
/// # Ok::<(), virt_autopilot::overrides::patch::StrictError>(())
/// ```
pub fn apply_rfc6902(document: &Value, patch: &Value) -> Result<Value, StrictError> {
    let operations = patch.as_array().ok_or(StrictError::NotAList)?;
    if operations.len() > MAX_PATCH_OPERATIONS || [document, patch].iter().any(|it| exceeds_depth(it, MAX_DEPTH + 2)) {
        return Err(StrictError::TooLarge);
    }
    let parsed: Vec<PatchOperation> =
        operations.iter().enumerate().map(|(at, json)| operation(at, json)).collect::<Result<_, _>>()?;
    let mut document = document.clone();
    unify_numbers(&mut document);
    let mut fuel = MAX_TEXT_BYTES;
    for (at, operation) in parsed.into_iter().enumerate() {
        if !affords(&document, &operation, &mut fuel) {
            return Err(StrictError::TooLarge);
        }
        json_patch::patch_unsafe(&mut document, std::slice::from_ref(&operation)).map_err(|error| {
            let reason = match error.kind {
                json_patch::PatchErrorKind::TestFailed => StrictFailure::Test,
                json_patch::PatchErrorKind::InvalidFromPointer => StrictFailure::From,
                json_patch::PatchErrorKind::CannotMoveInsideItself => StrictFailure::IntoItself,
                _ => StrictFailure::Path,
            };
            StrictError::Failed { operation: at, reason }
        })?;
    }
    Ok(document)
}

/// Whether an operation keeps within the limits on depth, bytes copied and list items shifted.
fn affords(document: &Value, operation: &PatchOperation, fuel: &mut usize) -> bool {
    let items = |pointer: &Pointer| {
        let list = pointer.parent().and_then(|parent| document.pointer(parent.as_str())).and_then(Value::as_array);
        list.map_or(0, Vec::len)
    };
    let (value, from) = match operation {
        PatchOperation::Add(it) => (Some(&it.value), 0),
        PatchOperation::Replace(it) => (Some(&it.value), 0),
        PatchOperation::Move(it) => (document.pointer(it.from.as_str()), items(&it.from)),
        PatchOperation::Copy(it) => (document.pointer(it.from.as_str()), 0),
        PatchOperation::Remove(_) | PatchOperation::Test(_) => (None, 0),
    };
    let fits = value.is_none_or(|value| {
        let levels = operation.path().count();
        levels <= MAX_DEPTH && !exceeds_depth(value, MAX_DEPTH - levels) && weigh(value, fuel)
    });
    fits && spend(fuel, from + items(operation.path()))
}

fn operation(at: usize, json: &Value) -> Result<PatchOperation, StrictError> {
    let pointer = |member: &'static str| {
        let text = json.get(member).and_then(Value::as_str);
        let pointer = text.and_then(|text| PointerBuf::parse(text).ok());
        pointer.ok_or(StrictError::Member { operation: at, member })
    };
    let value = || {
        let mut value = json.get("value").cloned().ok_or(StrictError::Member { operation: at, member: "value" })?;
        unify_numbers(&mut value);
        Ok(value)
    };
    let path = || pointer("path");
    Ok(match json.get("op").and_then(Value::as_str) {
        Some("add") => PatchOperation::Add(AddOperation { path: path()?, value: value()? }),
        Some("remove") => PatchOperation::Remove(RemoveOperation { path: path()? }),
        Some("replace") => PatchOperation::Replace(ReplaceOperation { path: path()?, value: value()? }),
        Some("move") => PatchOperation::Move(MoveOperation { from: pointer("from")?, path: path()? }),
        Some("copy") => PatchOperation::Copy(CopyOperation { from: pointer("from")?, path: path()? }),
        Some("test") => PatchOperation::Test(TestOperation { path: path()?, value: value()? }),
        _ => return Err(StrictError::UnknownOperation { operation: at }),
    })
}

/// Writes integral floats as integers, for RFC 6902 section 4.6 compares numbers by their value.
fn unify_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(float) = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)
                && float.abs() < 9.2e18
            {
                *number = Number::from(float as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(unify_numbers),
        Value::Object(map) => map.values_mut().for_each(unify_numbers),
        _ => {}
    }
}

/// Takes the size of a value off the fuel; false where it does not suffice.
fn weigh(value: &Value, fuel: &mut usize) -> bool {
    let (own, inner) = match value {
        Value::String(text) => (text.len(), true),
        Value::Array(items) => (0, items.iter().all(|item| weigh(item, fuel))),
        Value::Object(map) => (0, map.iter().all(|(key, item)| spend(fuel, key.len()) && weigh(item, fuel))),
        _ => (0, true),
    };
    inner && spend(fuel, own + 8)
}

fn spend(fuel: &mut usize, amount: usize) -> bool {
    let left = fuel.checked_sub(amount);
    *fuel = left.unwrap_or(0);
    left.is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(document: Value, patch: Value, expect: Result<Value, StrictError>) {
        assert_eq!(apply_rfc6902(&document, &patch), expect, "{patch} on {document}");
    }

    #[test]
    fn rfc_6902_has_its_say() {
        check(json!({"a": 1.0}), json!([{"op": "test", "path": "/a", "value": 1}]), Ok(json!({"a": 1})));
        let index = StrictError::Failed { operation: 0, reason: StrictFailure::Path };
        check(json!([1]), json!([{"op": "remove", "path": "/-1"}]), Err(index));
        let inside = StrictError::Failed { operation: 0, reason: StrictFailure::IntoItself };
        check(json!({"a": {}}), json!([{"op": "move", "from": "/a", "path": "/a/b"}]), Err(inside));
        let member = StrictError::Member { operation: 0, member: "path" };
        check(json!({}), json!([{"op": "add", "path": "a", "value": 1}]), Err(member));
    }

    #[test]
    fn growth_is_bounded() {
        let double = json!({"op": "copy", "from": "/a", "path": "/a/-"});
        check(json!({"a": ["text"]}), Value::Array(vec![double; 60]), Err(StrictError::TooLarge));
        let nest = json!({"op": "move", "from": "/a", "path": "/b/a"});
        let add = json!({"op": "add", "path": "/b", "value": {"a": {}}});
        check(json!({"a": {}, "b": {}}), json!([nest, add]), Ok(json!({"b": {"a": {}}})));
    }
}
