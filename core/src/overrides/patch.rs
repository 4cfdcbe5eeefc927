//! `patch`: an RFC 6902 patch of the baseline, in the controller's dialect.
//!
//! The controller's verdict decides what is applied: it refuses a patch as a whole (malformed, a sensitive kind, a
//! protected path), or the patch fails to apply; both leave the baseline unpatched. The verdict of RFC 6902 itself is
//! given where it is another. What a person got wrong is told by diagnostics, with the place in the annotation:
//!
//! | code | what it says |
//! |---|---|
//! | `patch.not-json` | the text is no JSON; YAML, quotes, trailing commas and text are recognised |
//! | `patch.not-a-list` | JSON, but no list: one operation, a merge patch, a patch within a string |
//! | `patch.operation.not-a-map` | an item of the list is no operation |
//! | `patch.operation.unknown` | `op` is absent or none of the six |
//! | `patch.operation.missing-member`, `patch.operation.bad-member` | `path`, `from` or `value` is absent or no string |
//! | `patch.refused.kind` | the controller refuses patches on this kind |
//! | `patch.refused.path` | the path is protected |
//! | `patch.refused.annotation` | another annotation of the baseline is invalid, which refuses the patch as well |
//! | `patch.failed.missing-parent` | a step on the way to the path is missing |
//! | `patch.failed.missing-target` | what is to be replaced, removed, moved or copied is not there |
//! | `patch.failed.index` | the key is no index of the list |
//! | `patch.failed.test` | a `test` does not hold |
//! | `patch.failed.root` | the whole object would be replaced by what is no object, or moved |
//! | `patch.failed.number` | a number is beyond a float |
//! | `patch.failed.crash` | the controller's library crashes on it |
//! | `patch.failed.limit` | beyond the limits of this engine |
//! | `patch.path.no-slash`, `patch.path.unescaped-slash`, `patch.path.bad-escape` | a path that leads elsewhere than meant |
//! | `patch.path.protected-parent` | replaces what holds a protected field; the controller lets it pass |
//! | `patch.identity` | the patched object is another object |
//! | `patch.value.json-in-string` | a value is JSON within a string |
//! | `patch.value.type` | a value is a string where the baseline has a number or boolean, or the other way round |
//! | `patch.operation.overwritten` | a later operation undoes an earlier one |
//! | `patch.member.repeated` | a member stands twice, the last counts |
//! | `patch.number-rounded` | an integer beyond 2^53 loses digits |
//! | `patch.rfc6902` | RFC 6902 has another verdict |
//! | `patch.no-change` | the patch applies and changes nothing |

pub(super) mod advice;
mod decode;
mod dialect;
mod json;
mod repair;
mod strict;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::decode::{Operation, Rejection};
use self::dialect::{Document, Stop};
pub use self::strict::{StrictError, StrictFailure, apply_rfc6902};
use super::notes::Notes;
use super::{PATCH, invalid_annotation};
use crate::diagnostic::Diagnostic;
use crate::limits::MAX_PATCH_OPERATIONS;
use crate::object::Object;

/// How the preview departs from the controller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PatchOptions {
    /// Shows the effect of a patch on a kind where the controller refuses patches.
    pub allow_refused_kinds: bool,
}

/// What becomes of a patch annotation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PatchOutcome {
    /// The controller's verdict.
    pub verdict: PatchVerdict,
    /// The object with which the controller goes on.
    ///
    /// Patched, it carries the annotation, unless the patch took it away; so does the unpatched baseline where the patch
    /// failed to apply. A refused patch leaves the baseline without it. A patch of the root may leave an object without
    /// kind or name.
    pub desired: Object,
    /// The verdict of RFC 6902, where it is another.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rfc6902: Option<StrictVerdict>,
    /// What is wrong or surprising.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub diagnostics: Vec<Diagnostic>,
}

/// The controller's verdict on a patch annotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PatchVerdict {
    /// The annotation is empty: the controller takes no notice of it.
    Absent,
    /// The patch applies.
    Applied {
        /// How many operations it has.
        operations: usize,
    },
    /// The controller refuses the patch before it applies any of it.
    Refused {
        /// Why.
        reason: Refusal,
        /// The operation that it is about, counted from 0.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        operation: Option<usize>,
        /// The controller's words.
        error: String,
    },
    /// The patch does not apply, as a whole.
    Failed {
        /// Why.
        reason: FailureKind,
        /// The operation that failed, counted from 0; none where the result could not be read.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        operation: Option<usize>,
        /// The controller's words.
        error: String,
    },
}

/// Why the controller refuses a patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Refusal {
    /// The text is no JSON.
    NotJson,
    /// The JSON is no list.
    NotAList,
    /// An item of the list is no map.
    NotAnOperation,
    /// An operation's `op` is absent or unknown.
    UnknownOperation,
    /// An operation lacks a member.
    MissingMember {
        /// `path`, `from` or `value`.
        member: String,
    },
    /// An operation has a member of the wrong type.
    BadMember {
        /// `op`, `path` or `from`.
        member: String,
    },
    /// The kind is sensitive.
    Kind {
        /// The kind.
        name: String,
    },
    /// A path is protected.
    Path {
        /// The path as it is written.
        path: String,
        /// The protected path at or below which it is.
        protected: String,
    },
    /// Another annotation of the baseline is invalid.
    Annotation {
        /// Its key.
        key: String,
    },
}

/// Why a patch does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FailureKind {
    /// A step on the way to the path is missing, or no map and no list.
    MissingParent,
    /// What is to be replaced, removed, moved or copied is not there.
    MissingTarget,
    /// The key is no index of the list.
    Index,
    /// A `test` does not hold.
    Test,
    /// The root would become what is no object, or be moved.
    RootValue,
    /// A number is beyond a float.
    Number,
    /// The controller's library crashes: the whole reconcile of the asset ends in an error.
    Crash,
    /// Beyond the limits of this engine.
    Limit,
}

/// The verdict of RFC 6902 on a patch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum StrictVerdict {
    /// It applies, with this result.
    Applied {
        /// The patched document.
        result: Value,
    },
    /// It does not apply.
    Failed {
        /// Why.
        error: String,
    },
}

/// The operations of RFC 6902.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OperationKind {
    Add,
    Remove,
    Replace,
    Move,
    Copy,
    Test,
}

impl OperationKind {
    const NAMES: [(&'static str, Self); 6] = [
        ("add", Self::Add),
        ("remove", Self::Remove),
        ("replace", Self::Replace),
        ("move", Self::Move),
        ("copy", Self::Copy),
        ("test", Self::Test),
    ];

    fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }
}

/// Why a patch does not apply to a document, by [`apply_dialect`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The text is no patch.
    #[error("{error}")]
    Malformed {
        /// The controller's words.
        error: String,
    },
    /// An operation does not apply.
    #[error("{error}")]
    Failed {
        /// The operation, counted from 0; none where the document or the result could not be read.
        operation: Option<usize>,
        /// Why.
        reason: FailureKind,
        /// The controller's words.
        error: String,
    },
}

/// Applies a patch to any document in the controller's dialect, without the checks that it makes on an object.
///
/// Integers of the result are those that a float carries.
///
/// # Errors
///
/// Where the text is no patch, or does not apply.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::overrides::patch::apply_dialect;
///
/// let patched = apply_dialect(&json!({"a": [1, 2]}), r#"[{"op": "remove", "path": "/a/-1"}]"#)?;
/// assert_eq!(patched, json!({"a": [1]}));
/// # Ok::<(), virt_autopilot::overrides::patch::PatchError>(())
/// ```
pub fn apply_dialect(document: &Value, text: &str) -> Result<Value, PatchError> {
    let malformed = |rejection: Rejection| PatchError::Malformed { error: rejection.error };
    let patch = json::parse(text).map_err(|error| match decode::unreadable(&error) {
        Some(rejection) => malformed(rejection),
        None => {
            let error = "the patch is too long or nested too deep".to_owned();
            PatchError::Failed { operation: None, reason: FailureKind::Limit, error }
        }
    })?;
    let operations = decode::operations(text, &patch).map_err(malformed)?;
    run(document, &operations).result.map_err(|Stopped { operation, stop, .. }| PatchError::Failed {
        operation,
        reason: stop.kind,
        error: stop.error,
    })
}

/// What became of the operations on a document.
struct Run {
    result: Result<Value, Stopped>,
    /// Integers of the result that lost digits, as they were written.
    rounded: Vec<String>,
}

/// Where a patch stopped.
struct Stopped {
    /// The operation, counted from 0; none where the document or the result could not be read.
    operation: Option<usize>,
    stop: Stop,
    /// The document as the operation met it; null where there is none to show.
    state: Value,
}

fn run<'a>(baseline: &'a Value, operations: &[Operation<'a>]) -> Run {
    let mut rounded = Vec::new();
    let result = apply_all(baseline, operations, &mut rounded);
    Run { result, rounded }
}

fn apply_all<'a>(
    baseline: &'a Value,
    operations: &[Operation<'a>],
    rounded: &mut Vec<String>,
) -> Result<Value, Stopped> {
    let stopped = |stop| Stopped { operation: None, stop, state: Value::Null };
    if operations.len() > MAX_PATCH_OPERATIONS {
        return Err(stopped(Stop::limit(format!("the patch has more than {MAX_PATCH_OPERATIONS} operations"))));
    }
    let mut document = Document::new(baseline).map_err(stopped)?;
    for (at, operation) in operations.iter().enumerate() {
        if let Err(stop) = document.apply(operation) {
            let state = document.finish(&mut |_| {}).unwrap_or_default();
            return Err(Stopped { operation: Some(at), stop, state });
        }
    }
    document.finish(&mut |number| rounded.push(number.to_owned())).map_err(stopped)
}

/// Applies a patch annotation to a baseline as the controller does, and says what is wrong with it.
///
/// `text` is the annotation's value on live; `live` serves to explain what is missing from the baseline.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::Object;
/// use virt_autopilot::overrides::patch::{PatchOptions, PatchVerdict, apply_patch};
///
/// let baseline = Object::from_value(json!({
///     "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm", "namespace": "ns"}, "data": {"a": "1"},
/// }))?;
/// let text = r#"[{"op": "replace", "path": "/data/b", "value": "2"}]"#;
/// let outcome = apply_patch(&baseline, text, None, PatchOptions::default());
/// assert!(matches!(outcome.verdict, PatchVerdict::Failed { operation: Some(0), .. }));
/// assert_eq!(outcome.diagnostics[0].code, "patch.failed.missing-target");
/// # Ok::<(), virt_autopilot::object::ObjectError>(())
/// ```
pub fn apply_patch(baseline: &Object, text: &str, live: Option<&Object>, options: PatchOptions) -> PatchOutcome {
    let mut notes = Notes::new(PATCH, text, baseline.reference());
    if text.is_empty() {
        return outcome(PatchVerdict::Absent, baseline.clone(), notes);
    }
    let annotated = with_patch(baseline, Some(text));
    let refused = |Rejection { reason, operation, error, .. }, notes| {
        outcome(PatchVerdict::Refused { reason, operation, error }, with_patch(&annotated, None), notes)
    };
    let patch = match json::parse(text) {
        Ok(patch) => patch,
        Err(error) => {
            advice::unreadable(&error, text, &mut notes);
            return match decode::unreadable(&error) {
                Some(rejection) => refused(rejection, notes),
                None => {
                    let error = "failed to apply JSON Patch: the patch is too long or nested too deep".to_owned();
                    let verdict = PatchVerdict::Failed { reason: FailureKind::Limit, operation: None, error };
                    outcome(verdict, annotated, notes)
                }
            };
        }
    };
    let operations = match decode::operations(text, &patch) {
        Ok(operations) => operations,
        Err(rejection) => {
            advice::malformed(&rejection, &patch, &annotated, &mut notes);
            return refused(rejection, notes);
        }
    };
    let scene = advice::Scene { baseline: &annotated, live, operations: &operations };
    advice::usage::operations(&scene, &mut notes);
    if let Some(rejection) = decode::sensitive(annotated.kind()) {
        advice::sensitive(&annotated, &operations, options.allow_refused_kinds, &mut notes);
        if !options.allow_refused_kinds {
            return refused(rejection, notes);
        }
    }
    if let Some(rejection) = decode::forbidden(&patch) {
        advice::forbidden(&rejection, &scene, &mut notes);
        return refused(rejection, notes);
    }
    if let Some((key, error)) = invalid_annotation(&annotated) {
        let rejection =
            Rejection { reason: Refusal::Annotation { key: key.to_owned() }, error, operation: None, place: (0, 0) };
        advice::other_annotation(key, &rejection, &mut notes);
        return refused(rejection, notes);
    }

    let document = annotated.to_value();
    let value = patch.to_value();
    let run = run(&document, &operations);
    let strict = value.as_ref().map(|patch| apply_rfc6902(&document, patch));
    let rfc6902 = strict.and_then(|strict| differing(strict, &run.result));
    let mut desired = annotated.clone();
    let verdict = match run.result.and_then(object_fields) {
        Ok(fields) => {
            *desired.fields_mut() = fields;
            advice::usage::applied(&scene, &desired, &run.rounded, &mut notes);
            // The controller counts with a decoder that stops at a number beyond a float.
            PatchVerdict::Applied { operations: value.map_or(0, |_| operations.len()) }
        }
        Err(stopped) => {
            advice::failed(&scene, &stopped, &mut notes);
            let Stopped { operation, stop: Stop { kind: reason, error, .. }, .. } = stopped;
            let error = match reason {
                FailureKind::Crash => format!("panic: {error} [recovered]"),
                _ if operation.is_none() && reason != FailureKind::Limit => error,
                _ => format!("failed to apply JSON Patch: {error}"),
            };
            PatchVerdict::Failed { reason, operation, error }
        }
    };
    if let Some(strict) = &rfc6902 {
        advice::differs(strict, &verdict, &mut notes);
    }
    PatchOutcome { rfc6902, ..outcome(verdict, desired, notes) }
}

fn outcome(verdict: PatchVerdict, desired: Object, notes: Notes<'_>) -> PatchOutcome {
    PatchOutcome { verdict, desired, rfc6902: None, diagnostics: notes.finish() }
}

/// Why the controller's validation refuses a patch on a kind, in its words.
pub(super) fn refusal_reason(text: &str, kind: &str) -> Option<String> {
    let patch = match json::parse(text) {
        Ok(patch) => patch,
        Err(error) => return decode::unreadable(&error).map(|rejection| rejection.error),
    };
    let rejection = match decode::operations(text, &patch) {
        Ok(_) => decode::sensitive(kind).or_else(|| decode::forbidden(&patch)),
        Err(rejection) => Some(rejection),
    };
    rejection.map(|rejection| rejection.error)
}

/// The object with the patch annotation set or removed, as the controller leaves it: with a map of annotations, in
/// which those that cannot be read are lost.
fn with_patch(object: &Object, text: Option<&str>) -> Object {
    let mut object = object.clone();
    let mut annotations = object.string_map(&["metadata", "annotations"]).cloned().unwrap_or_default();
    match text {
        Some(text) => annotations.insert(PATCH.to_owned(), text.into()),
        None => annotations.remove(PATCH),
    };
    let metadata = object.fields_mut().entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(metadata) = metadata {
        metadata.insert("annotations".to_owned(), Value::Object(annotations));
    }
    object
}

/// The fields of a patched object; a root that became null leaves none.
fn object_fields(patched: Value) -> Result<Map<String, Value>, Stopped> {
    match patched {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(Map::new()),
        _ => {
            let error = "json: cannot unmarshal array into Go value of type map[string]interface {}";
            let error = format!("failed to unmarshal patched JSON: {error}");
            let stop = Stop::new(FailureKind::RootValue, error);
            Err(Stopped { operation: None, stop, state: Value::Null })
        }
    }
}

/// The verdict of RFC 6902, where it is not the controller's.
fn differing(strict: Result<Value, StrictError>, ours: &Result<Value, Stopped>) -> Option<StrictVerdict> {
    match (strict, ours) {
        (Err(StrictError::TooLarge), _) | (Err(_), Err(_)) => None,
        (Err(error), Ok(_)) => Some(StrictVerdict::Failed { error: error.to_string() }),
        (Ok(_), Err(stopped)) if stopped.stop.kind == FailureKind::Limit => None,
        (Ok(result), Err(_)) => Some(StrictVerdict::Applied { result }),
        (Ok(result), Ok(patched)) => {
            let same = json::as_floats(&result) == *patched;
            (!same).then_some(StrictVerdict::Applied { result })
        }
    }
}
