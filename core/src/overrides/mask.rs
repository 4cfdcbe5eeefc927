//! `ignore-fields`: fields that keep live's value.
//!
//! The annotation of a live object is a list of JSON pointers, separated by commas. The controller copies live's value
//! of each into what it applies, or takes the field out where live lacks it. One pointer that cannot be followed stops
//! the whole asset: nothing of it is applied.
//!
//! | code | what it says |
//! |---|---|
//! | `mask.no-leading-slash` | a pointer does not begin with `/`; stops the asset |
//! | `mask.into-list` | a pointer leads into a list; stops the asset |
//! | `mask.through-scalar` | a pointer leads through a value that is no map; stops the asset |
//! | `mask.blocked` | the baseline has no map where live has one; stops the asset |
//! | `mask.comma-in-key` | a key has a comma, which separates pointers; stops the asset |
//! | `mask.separator` | pointers separated by lines, semicolons or spaces, or written as a list |
//! | `mask.bad-escape` | a `~` that is no escape sequence |
//! | `mask.unescaped-slash` | a key has a slash that is not escaped |
//! | `mask.matches-nothing` | neither live nor the baseline has the field |
//! | `mask.metadata` | the metadata that the server keeps would be applied |
//! | `mask.empty` | no pointer at all |
//! | `mask.co-owned` | what is masked is applied, and so owned |
//! | `mask.limit` | beyond the limits of this engine |

mod advice;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::IGNORE_FIELDS;
use super::notes::Notes;
use super::wording::{go_type, go_value};
use crate::diagnostic::Diagnostic;
use crate::limits::{MAX_MASK_POINTERS, MAX_TEXT_BYTES};
use crate::object::Object;

/// Longest value that an error carries, in characters.
const MAX_WORDED: usize = 1_000;

/// What becomes of an ignore-fields annotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MaskOutcome {
    /// The controller's verdict.
    pub verdict: MaskVerdict,
    /// The pointers in order, up to the one that fails, with what each did.
    pub pointers: Vec<MaskedPointer>,
    /// What is wrong or surprising.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub diagnostics: Vec<Diagnostic>,
}

/// The controller's verdict on an ignore-fields annotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MaskVerdict {
    /// Every pointer was followed.
    Masked {
        /// The object with which the controller goes on.
        desired: Object,
    },
    /// A pointer cannot be followed: nothing of the asset is applied.
    Failed {
        /// The pointer.
        pointer: String,
        /// Why.
        reason: MaskFailure,
        /// The controller's words.
        error: String,
    },
}

/// Why a pointer cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MaskFailure {
    /// It does not begin with `/`.
    NoLeadingSlash,
    /// It leads into a list of live.
    IntoList,
    /// It leads through a value of live that is no map.
    ThroughScalar,
    /// It leads through a value of the baseline that is no map.
    Blocked,
    /// Beyond the limits of this engine.
    Limit,
}

/// A pointer of the annotation and what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MaskedPointer {
    /// The pointer as it is written, without white space around it.
    pub pointer: String,
    /// What it did.
    pub effect: MaskEffect,
}

/// What a pointer did to the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MaskEffect {
    /// Live's value was copied, and is another than the baseline's.
    Copied,
    /// Live's value was copied, and is the baseline's.
    Same,
    /// Live lacks the field: it was taken out.
    Removed,
    /// Neither has the field.
    Nothing,
}

/// A pointer of the text: where it stands, and what it says.
struct Part<'t> {
    start: usize,
    text: &'t str,
}

impl Part<'_> {
    fn place(&self) -> (usize, usize) {
        (self.start, self.start + self.text.len())
    }

    /// The keys, where it begins with `/`. A `~` that is no escape sequence stays.
    fn keys(&self) -> Option<Vec<String>> {
        let keys = self.text.strip_prefix('/')?.split('/');
        Some(keys.map(|key| key.replace("~1", "/").replace("~0", "~")).collect())
    }
}

/// Copies live's values over a desired object as the annotation `text` of live says, and says what is wrong with it.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::Object;
/// use virt_autopilot::overrides::mask::{MaskEffect, MaskVerdict, mask};
///
/// let object = |level: &str| {
///     Object::from_value(json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"level": level}}))
/// };
/// let outcome = mask(&object("3")?, &object("7")?, "/data/level");
/// assert_eq!(outcome.verdict, MaskVerdict::Masked { desired: object("7")? });
/// assert_eq!(outcome.pointers[0].effect, MaskEffect::Copied);
/// # Ok::<(), virt_autopilot::object::ObjectError>(())
/// ```
pub fn mask(desired: &Object, live: &Object, text: &str) -> MaskOutcome {
    let mut notes = Notes::new(IGNORE_FIELDS, text, live.reference());
    let mut pointers = Vec::new();
    let verdict = if text.len() > MAX_TEXT_BYTES || text.matches(',').count() >= MAX_MASK_POINTERS {
        let error = format!("the annotation has more than {MAX_MASK_POINTERS} pointers or {MAX_TEXT_BYTES} bytes");
        notes.push(Diagnostic::error("mask.limit", error.clone()));
        MaskVerdict::Failed { pointer: String::new(), reason: MaskFailure::Limit, error }
    } else {
        let parts = parts(text);
        let mut result = desired.clone();
        let failed = apply(&parts, result.fields_mut(), live.fields(), &mut pointers);
        advice::parts(&parts, text, &pointers, desired, live, &mut notes);
        match failed {
            None => MaskVerdict::Masked { desired: result },
            Some((pointer, Stop { reason, error })) => {
                let error = format!("failed to mask field {pointer}: {error}");
                MaskVerdict::Failed { pointer: pointer.to_owned(), reason, error }
            }
        }
    };
    MaskOutcome { verdict, pointers, diagnostics: notes.finish() }
}

/// Why the controller's validation calls an ignore-fields annotation invalid, in its words.
///
/// It validates that of the baseline before it patches; that of live is never validated.
pub(super) fn invalid_reason(text: &str) -> Option<String> {
    parts(text).into_iter().find_map(|part| {
        let pointer = part.text;
        if !pointer.starts_with('/') {
            return Some(format!("invalid JSON pointer (must start with /): {pointer}"));
        }
        // One escape sequence anywhere makes every `~` valid.
        let odd = pointer.contains('~') && !pointer.contains("~0") && !pointer.contains("~1");
        odd.then(|| format!("invalid escape sequence in JSON pointer: {pointer}"))
    })
}

/// The pointers of the text: between commas, without the white space around them, empty ones left out.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut start = 0;
    let mut parts = Vec::new();
    for piece in text.split(',') {
        let trimmed = piece.trim_start();
        let offset = start + piece.len() - trimmed.len();
        let text = trimmed.trim_end();
        if !text.is_empty() {
            parts.push(Part { start: offset, text });
        }
        start += piece.len() + 1;
    }
    parts
}

struct Stop {
    reason: MaskFailure,
    error: String,
}

/// Follows the pointers in order, up to the one that cannot be followed.
fn apply<'t>(
    parts: &[Part<'t>],
    desired: &mut Map<String, Value>,
    live: &Map<String, Value>,
    pointers: &mut Vec<MaskedPointer>,
) -> Option<(&'t str, Stop)> {
    // The second time a path is masked finds live's value there.
    let mut seen: HashSet<Vec<String>> = HashSet::new();
    for part in parts {
        let Some(keys) = part.keys() else {
            let error = format!("JSON pointer must start with /: {}", part.text);
            return Some((part.text, Stop { reason: MaskFailure::NoLeadingSlash, error }));
        };
        let effect = if seen.contains(&keys) {
            let there = live_value(live, &keys).is_ok_and(|value| value.is_some());
            if there { MaskEffect::Same } else { MaskEffect::Nothing }
        } else {
            match follow(&keys, desired, live) {
                Ok(effect) => effect,
                Err(stop) => return Some((part.text, stop)),
            }
        };
        seen.insert(keys);
        pointers.push(MaskedPointer { pointer: part.text.to_owned(), effect });
    }
    None
}

fn follow(keys: &[String], desired: &mut Map<String, Value>, live: &Map<String, Value>) -> Result<MaskEffect, Stop> {
    match live_value(live, keys)? {
        Some(value) => set(desired, keys, value),
        None => Ok(remove(desired, keys)),
    }
}

/// Live's value at a path of map keys. Below null there is nothing.
fn live_value<'v>(live: &'v Map<String, Value>, keys: &[String]) -> Result<Option<&'v Value>, Stop> {
    let Some((first, rest)) = keys.split_first() else {
        return Ok(None);
    };
    let mut value = live.get(first);
    for (at, key) in rest.iter().enumerate() {
        value = match value {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Object(map)) => map.get(key),
            Some(other) => {
                let path = keys.get(..at + 2).unwrap_or_default().join(".");
                let worded: String = go_value(other).chars().take(MAX_WORDED).collect();
                let found = go_type(other);
                let error = format!(
                    "failed to get field from source: .{path} accessor error: {worded} is of the type {found}, \
                     expected map[string]interface{{}}"
                );
                let list = other.is_array();
                let reason = if list { MaskFailure::IntoList } else { MaskFailure::ThroughScalar };
                return Err(Stop { reason, error });
            }
        };
    }
    Ok(value)
}

/// Sets a value at a path of map keys; makes the maps that are absent.
fn set(desired: &mut Map<String, Value>, keys: &[String], value: &Value) -> Result<MaskEffect, Stop> {
    let Some((last, above)) = keys.split_last() else {
        return Ok(MaskEffect::Nothing);
    };
    if let Some(depth) = obstacle(desired, above) {
        let path = keys.get(..depth).unwrap_or_default().join(".");
        let error = format!(
            "failed to set field in dest: value cannot be set because .{path} is not a map[string]interface{{}}"
        );
        return Err(Stop { reason: MaskFailure::Blocked, error });
    }
    let mut map = desired;
    for key in above {
        map = match map.entry(key.as_str()).or_insert_with(|| Value::Object(Map::new())) {
            Value::Object(map) => map,
            // No more than what `obstacle` looked for.
            _ => return Ok(MaskEffect::Nothing),
        };
    }
    if map.get(last) == Some(value) {
        return Ok(MaskEffect::Same);
    }
    map.insert(last.clone(), value.clone());
    Ok(MaskEffect::Copied)
}

/// The length of the path to what is no map, null included, on a way through maps.
fn obstacle(desired: &Map<String, Value>, keys: &[String]) -> Option<usize> {
    let mut map = desired;
    for (at, key) in keys.iter().enumerate() {
        match map.get(key)? {
            Value::Object(inner) => map = inner,
            _ => return Some(at + 1),
        }
    }
    None
}

/// Removes what is at a path of map keys.
fn remove(desired: &mut Map<String, Value>, keys: &[String]) -> MaskEffect {
    let Some((last, above)) = keys.split_last() else {
        return MaskEffect::Nothing;
    };
    let mut map = desired;
    for key in above {
        map = match map.get_mut(key) {
            Some(Value::Object(map)) => map,
            _ => return MaskEffect::Nothing,
        };
    }
    if map.remove(last).is_some() { MaskEffect::Removed } else { MaskEffect::Nothing }
}
