//! From the annotation's text to operations, and what the controller refuses before it applies any.
//!
//! The wording of the errors is that of the controller's libraries, for events and logs carry it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::json::{Json, Problem, Shape, SyntaxError};
use super::{OperationKind, Refusal};
use crate::overrides::wording::{compact_json, go_quote, json_string};

/// Kinds on which the controller refuses patches.
pub(super) const REFUSED_KINDS: [&str; 11] = [
    "MachineConfig",
    "KubeletConfig",
    "ClusterRole",
    "ClusterRoleBinding",
    "Role",
    "RoleBinding",
    "ServiceAccount",
    "PodSecurityPolicy",
    "SecurityContextConstraints",
    "ValidatingWebhookConfiguration",
    "MutatingWebhookConfiguration",
];

/// Paths at or below which the controller refuses operations.
pub(super) const FORBIDDEN_PATHS: [&str; 6] =
    ["/metadata/name", "/metadata/namespace", "/metadata/managedFields", "/apiVersion", "/kind", "/status"];

/// What the controller's validation puts before the words of its library.
const INVALID: &str = "invalid patch annotation: invalid JSON Patch: ";

const VIOLATION: &str = "patch security violation: ";

/// An operation of the patch, with the JSON that it was read from.
#[derive(Debug)]
pub(super) struct Operation<'t> {
    pub(super) kind: OperationKind,
    pub(super) path: &'t str,
    /// Where a move or copy takes its value from.
    pub(super) from: &'t str,
    /// The value; absent only from a test that lacks it, a removal, a move or a copy.
    pub(super) value: Option<&'t Json<'t>>,
    pub(super) json: &'t Json<'t>,
}

/// Why the text is no patch, or none that the controller takes.
#[derive(Debug)]
pub(super) struct Rejection {
    pub(super) reason: Refusal,
    /// The controller's words.
    pub(super) error: String,
    /// The operation, counted from 0, where it is about one.
    pub(super) operation: Option<usize>,
    /// The byte range of the text that it is about.
    pub(super) place: (usize, usize),
}

/// The controller's refusal of a text that is no JSON; none where a limit of this engine is met instead.
pub(super) fn unreadable(error: &SyntaxError) -> Option<Rejection> {
    let limit = matches!(error.problem, Problem::TooDeep | Problem::TooLong);
    let place = (error.offset, error.offset + 1);
    let error = format!("{INVALID}invalid state detected");
    (!limit).then_some(Rejection { reason: Refusal::NotJson, error, operation: None, place })
}

/// The controller's refusal of patches on a kind.
pub(super) fn sensitive(kind: &str) -> Option<Rejection> {
    REFUSED_KINDS.contains(&kind).then(|| Rejection {
        reason: Refusal::Kind { name: kind.to_owned() },
        error: format!("JSON patches are not allowed on sensitive resource kind: {kind}"),
        operation: None,
        place: (0, usize::MAX),
    })
}

/// The operations of a patch. `null` is a patch of none, as the controller's library has it.
pub(super) fn operations<'t>(text: &str, patch: &'t Json<'t>) -> Result<Vec<Operation<'t>>, Rejection> {
    let items = match &patch.shape {
        Shape::Null => return Ok(Vec::new()),
        Shape::List(items) => items,
        _ => {
            let error =
                format!("{INVALID}json: cannot unmarshal {} into Go value of type jsonpatch.Patch", patch.go_type());
            let place = (patch.start, patch.end);
            return Err(Rejection { reason: Refusal::NotAList, error, operation: None, place });
        }
    };
    let odd = items.iter().position(|item| !matches!(item.shape, Shape::Map(_) | Shape::Null));
    if let Some((operation, item)) = odd.and_then(|at| Some((at, items.get(at)?))) {
        let error =
            format!("{INVALID}json: cannot unmarshal {} into Go value of type jsonpatch.Operation", item.go_type());
        let (operation, place) = (Some(operation), (item.start, item.end));
        return Err(Rejection { reason: Refusal::NotAnOperation, error, operation, place });
    }
    items.iter().enumerate().map(|(index, item)| operation(text, index, item)).collect()
}

fn operation<'t>(text: &str, index: usize, json: &'t Json<'t>) -> Result<Operation<'t>, Rejection> {
    let reject = |reason, place: (usize, usize), cause: String| Rejection {
        reason,
        error: format!("{INVALID}invalid operation {}: {cause}", compact_operation(text, json)),
        operation: Some(index),
        place,
    };
    let whole = (json.start, json.end);
    let kind = json.member("op");
    let Some(kind) = kind.and_then(|op| op.value.text()).and_then(|name| OperationKind::from_name(name)) else {
        let place = kind.map_or(whole, |op| (op.value.start, op.value.end));
        return Err(reject(Refusal::UnknownOperation, place, "unsupported operation".to_owned()));
    };
    let string = |name: &'static str, missing: &str| match json.member(name) {
        Some(member) if !member.value.is_null() => member.value.text().map(Cow::as_ref).ok_or_else(|| {
            let cause = format!(
                "failed to decode '{name}': json: cannot unmarshal {} into Go value of type string",
                member.value.go_type()
            );
            reject(Refusal::BadMember { member: name.to_owned() }, (member.value.start, member.value.end), cause)
        }),
        _ => {
            let cause = format!("failed to decode '{name}': {missing}: missing value");
            Err(reject(Refusal::MissingMember { member: name.to_owned() }, whole, cause))
        }
    };
    let value = json.member("value").map(|member| &member.value);
    let mut from = "";
    match kind {
        OperationKind::Add | OperationKind::Replace if value.is_none() => {
            let cause = "failed to decode 'value': operation, missing value field: missing value".to_owned();
            return Err(reject(Refusal::MissingMember { member: "value".to_owned() }, whole, cause));
        }
        OperationKind::Move | OperationKind::Copy => from = string("from", "operation, missing from field")?,
        _ => {}
    }
    let path = string("path", "operation missing path field")?;
    Ok(Operation { kind, path, from, value, json })
}

/// The first path that the controller forbids.
///
/// The controller looks for paths with another decoder than the one that applies the patch: it takes `Path` for `path`,
/// the last of them counts, and it wants `op`, `path` and `from` to be strings in every operation.
pub(super) fn forbidden(patch: &Json<'_>) -> Option<Rejection> {
    let Shape::List(items) = &patch.shape else {
        return None;
    };
    let mut forbidden = None;
    for (index, item) in items.iter().enumerate() {
        let Shape::Map(members) = &item.shape else {
            continue;
        };
        let mut targets: [Option<&Json<'_>>; 2] = [None, None];
        for member in members {
            let Some(name) = ["path", "from", "op"].into_iter().find(|name| member.key.eq_ignore_ascii_case(name))
            else {
                continue;
            };
            match (name, &member.value.shape) {
                (_, Shape::Null) => {}
                ("path", Shape::Text(_)) => targets[0] = Some(&member.value),
                ("from", Shape::Text(_)) => targets[1] = Some(&member.value),
                (_, Shape::Text(_)) => {}
                _ => {
                    let error = format!(
                        "{VIOLATION}failed to parse patch operations: json: cannot unmarshal {} into Go struct field \
                         patchOperation.{name} of type string",
                        member.value.go_type()
                    );
                    let place = (member.value.start, member.value.end);
                    let reason = Refusal::BadMember { member: name.to_owned() };
                    return Some(Rejection { reason, error, operation: Some(index), place });
                }
            }
        }
        for (target, member) in targets.into_iter().zip(["path", "from"]) {
            let Some((json, path)) = target.and_then(|json| Some((json, json.text()?))) else {
                continue;
            };
            if let Some(prefix) = forbidden_prefix(path)
                && forbidden.is_none()
            {
                forbidden = Some(Rejection {
                    reason: Refusal::Path { path: path.to_string(), protected: prefix.to_owned() },
                    error: format!(
                        "{VIOLATION}patch {member} {} is forbidden: targets protected prefix {}",
                        go_quote(path),
                        go_quote(prefix)
                    ),
                    operation: Some(index),
                    place: (json.start, json.end),
                });
            }
        }
    }
    forbidden
}

/// The protected path that a path is at or below; compared as written, without unescaping.
pub(super) fn forbidden_prefix(path: &str) -> Option<&'static str> {
    FORBIDDEN_PATHS
        .into_iter()
        .find(|prefix| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// The operation as Go encodes the map that it decoded: keys sorted, the last of equal ones, values without white space.
fn compact_operation(text: &str, json: &Json<'_>) -> String {
    let Shape::Map(members) = &json.shape else {
        return "null".to_owned();
    };
    let last: BTreeMap<&str, &Json<'_>> = members.iter().map(|member| (&*member.key, &member.value)).collect();
    let members = last.into_iter().map(|(key, value)| {
        let raw = text.get(value.start..value.end).unwrap_or_default();
        format!("{}:{}", json_string(key), compact_json(raw))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}
