//! How people override the baseline: annotations on the objects it applies.
//!
//! | code | what it says |
//! |---|---|
//! | `mode.unknown` | the mode is not `unmanaged`, so the object stays managed |
//! | `pause.unknown` | the pause annotation is not `true`, so nothing is paused |
//! | `annotations.unreadable` | an annotation that is no string hides all of them |
//! | `annotation.more` | there is so much to say about an annotation that the rest is left out |

pub mod exclusion;
pub mod glob;
pub mod mask;
mod notes;
pub mod patch;
mod wording;

use serde::{Deserialize, Serialize};

use self::notes::Notes;
use crate::diagnostic::Diagnostic;
use crate::object::{Object, json_type};

/// On an applied object: an RFC 6902 patch of its baseline.
pub const PATCH: &str = "platform.kubevirt.io/patch";
/// On an applied object: JSON pointers, separated by commas, to fields that keep live's value.
pub const IGNORE_FIELDS: &str = "platform.kubevirt.io/ignore-fields";
/// On an applied object: `unmanaged` takes it out of management.
pub const MODE: &str = "platform.kubevirt.io/mode";
/// On an applied object: `true` pauses it. The controller writes it where it finds itself in a fight.
pub const RECONCILE_PAUSED: &str = "platform.kubevirt.io/reconcile-paused";
/// On the HyperConverged: a YAML list of objects that are left out.
pub const DISABLED_RESOURCES: &str = "platform.kubevirt.io/disabled-resources";
/// On the HyperConverged: activates the autopilot, for all assets or those listed.
pub const AUTOPILOT: &str = "platform.kubevirt.io/autopilot";

/// The value of [`MODE`] that takes an object out of management.
pub const UNMANAGED: &str = "unmanaged";

/// Whether the autopilot manages an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// It is applied.
    #[default]
    Managed,
    /// It is left alone.
    Unmanaged,
}

/// The mode of a live object: unmanaged where the annotation says exactly that.
pub fn mode(object: &Object) -> Mode {
    if object.annotation(MODE) == Some(UNMANAGED) { Mode::Unmanaged } else { Mode::Managed }
}

/// Whether a live object is paused: where the annotation is exactly `true`.
pub fn is_paused(object: &Object) -> bool {
    object.annotation(RECONCILE_PAUSED) == Some("true")
}

/// Why the controller's validation calls the annotations of an object invalid, in its words; none where it does not.
///
/// The controller validates the baseline with live's patch on it, never the other annotations of a live object.
pub fn invalid_reason(object: &Object) -> Option<String> {
    let patch = object.annotation(PATCH).filter(|text| !text.is_empty());
    let refused = patch.and_then(|text| patch::refusal_reason(text, object.kind()));
    refused.or_else(|| invalid_annotation(object).map(|(_, reason)| reason))
}

/// The annotation beside the patch that is invalid, and why.
fn invalid_annotation(object: &Object) -> Option<(&'static str, String)> {
    if let Some(reason) = object.annotation(IGNORE_FIELDS).and_then(mask::invalid_reason) {
        return Some((IGNORE_FIELDS, format!("invalid ignore-fields annotation: {reason}")));
    }
    let mode = object.annotation(MODE).filter(|mode| !mode.is_empty() && *mode != UNMANAGED)?;
    Some((MODE, format!("invalid mode annotation: {mode} (must be 'unmanaged' or empty)")))
}

/// What is wrong with the mode and pause annotations of a live object, and with its annotations as a whole.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::{Object, overrides};
///
/// let live = Object::from_value(json!({
///     "apiVersion": "v1", "kind": "ConfigMap",
///     "metadata": {"name": "cm", "annotations": {"platform.kubevirt.io/mode": "Unmanaged"}},
/// }))?;
/// assert_eq!(overrides::mode(&live), overrides::Mode::Managed);
/// assert_eq!(overrides::diagnose(&live)[0].code, "mode.unknown");
/// # Ok::<(), virt_autopilot::object::ObjectError>(())
/// ```
pub fn diagnose(live: &Object) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let annotations = live.at(&["metadata", "annotations"]).and_then(|value| value.as_object());
    let odd = annotations.and_then(|map| map.iter().find(|(_, value)| !value.is_string()));
    if let Some((key, value)) = odd {
        let mut notes = Notes::new(MODE, "", live.reference());
        let message = format!(
            "the annotation {} is {}, which makes all annotations unreadable",
            notes::quoted(key),
            json_type(value)
        );
        let finding = Diagnostic::error("annotations.unreadable", message);
        notes.push(finding.help("put the value in quotes").at(|source| {
            source.object = Some(live.reference());
            source.annotation = Some(key.clone());
        }));
        return notes.finish();
    }
    let fixed = |key: &'static str, text: &str, value: &str, finding: Diagnostic| {
        let mut notes = Notes::new(key, text, live.reference());
        let finding = finding
            .fix(notes.fix(format!("set it to `{value}`"), Some(value.to_owned())))
            .fix(notes.fix("remove the annotation", None));
        notes.push_at((0, text.len()), finding);
        notes.finish()
    };
    if let Some(text) = live.annotation(MODE).filter(|text| !text.is_empty() && *text != UNMANAGED) {
        let message = format!("the mode {} is unknown, the object stays managed", notes::quoted(text));
        let help = "only `unmanaged`, in lower case and without spaces, takes an object out of management";
        found.extend(fixed(MODE, text, UNMANAGED, Diagnostic::warning("mode.unknown", message).help(help)));
    }
    if let Some(text) = live.annotation(RECONCILE_PAUSED).filter(|text| *text != "true") {
        let message = format!("{} does not pause the object", notes::quoted(text));
        let help = "only `true`, in lower case and without spaces, pauses; to resume, remove the annotation";
        found.extend(fixed(RECONCILE_PAUSED, text, "true", Diagnostic::warning("pause.unknown", message).help(help)));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn annotated(annotations: Value) -> Object {
        let metadata = json!({"name": "cm", "namespace": "ns", "annotations": annotations});
        Object::from_value(json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})).unwrap()
    }

    #[test]
    fn only_exact_values_count() {
        let check = |key: &str, value: &str, unmanaged: bool, paused: bool| {
            let object = annotated(json!({key: value}));
            assert_eq!((mode(&object) == Mode::Unmanaged, is_paused(&object)), (unmanaged, paused), "{value}");
        };
        check(MODE, "unmanaged", true, false);
        check(MODE, "Unmanaged", false, false);
        check(MODE, "unmanaged ", false, false);
        check(RECONCILE_PAUSED, "true", false, true);
        check(RECONCILE_PAUSED, "True", false, false);
    }

    #[test]
    fn validation_gives_the_first_reason() {
        let check = |annotations: Value, expect: Option<&str>| {
            assert_eq!(invalid_reason(&annotated(annotations)).as_deref(), expect);
        };
        check(json!({}), None);
        check(json!({PATCH: "", IGNORE_FIELDS: "", MODE: ""}), None);
        check(json!({PATCH: "x"}), Some("invalid patch annotation: invalid JSON Patch: invalid state detected"));
        check(
            json!({IGNORE_FIELDS: "/a, b", MODE: "x"}),
            Some("invalid ignore-fields annotation: invalid JSON pointer (must start with /): b"),
        );
        check(json!({MODE: "x"}), Some("invalid mode annotation: x (must be 'unmanaged' or empty)"));
    }

    #[test]
    fn what_has_no_effect_is_told() {
        let check = |annotations: Value, expect: &[&str]| {
            let codes: Vec<_> = diagnose(&annotated(annotations)).into_iter().map(|it| it.code).collect();
            assert_eq!(codes, expect);
        };
        check(json!({MODE: "unmanaged", RECONCILE_PAUSED: "true"}), &[]);
        check(json!({MODE: "Unmanaged", RECONCILE_PAUSED: "yes"}), &["mode.unknown", "pause.unknown"]);
        check(json!({MODE: "Unmanaged", "a": true}), &["annotations.unreadable"]);
    }
}
