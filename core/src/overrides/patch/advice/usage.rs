//! What is surprising about the operations of a patch, whether it applies or not.

use std::collections::BTreeMap;
use std::ops::Bound;

use serde_json::Value;

use super::{Scene, find, keys, member_place, path_text, without};
use crate::diagnostic::{Diagnostic, Fix};
use crate::limits::MAX_DEPTH;
use crate::object::{Object, json_type};
use crate::overrides::notes::{Notes, quoted, with_fix};
use crate::overrides::patch::OperationKind;
use crate::overrides::patch::decode::{FORBIDDEN_PATHS, Operation};
use crate::overrides::patch::json::{self, Shape};

/// Maps whose keys often hold a slash.
const MAPS_OF_TEXTS: [&str; 5] = ["labels", "annotations", "nodeSelector", "matchLabels", "selector"];

/// Most keys of a path in which a slash that is not escaped is looked for.
const MAX_KEYS: usize = 16;

/// Looks at each operation, and at what they do to each other.
pub(in crate::overrides::patch) fn operations(scene: &Scene<'_>, notes: &mut Notes<'_>) {
    let mut written = BTreeMap::new();
    for (at, operation) in scene.operations.iter().enumerate() {
        if !notes.has_room() {
            return;
        }
        repeated_members(operation, notes);
        path(scene, operation, false, notes);
        if matches!(operation.kind, OperationKind::Move | OperationKind::Copy) {
            path(scene, operation, true, notes);
        }
        protected_parent(operation, notes);
        value(scene, operation, notes);
        overwritten(scene, at, &mut written, notes);
    }
}

/// A member that stands twice: the last counts.
fn repeated_members(operation: &Operation<'_>, notes: &mut Notes<'_>) {
    let Shape::Map(members) = &operation.json.shape else {
        return;
    };
    for name in ["op", "path", "from", "value"] {
        let mut same = members.iter().filter(|member| member.key == name);
        if let (Some(first), Some(second)) = (same.next(), same.next()) {
            let message = format!("`{name}` stands twice in the operation, the last counts");
            let other = notes.source((second.start, second.value.end));
            let finding = Diagnostic::warning("patch.member.repeated", message).help("drop one of them");
            notes.push_at((first.start, first.value.end), finding.related("the other", other));
        }
    }
}

/// A path that leads elsewhere than meant.
fn path(scene: &Scene<'_>, operation: &Operation<'_>, from: bool, notes: &mut Notes<'_>) {
    let (member, path) = if from { ("from", operation.from) } else { ("path", operation.path) };
    let place = member_place(operation, member);
    let rewrite = |notes: &Notes<'_>, path: &str| -> Option<Fix> {
        notes.edit(format!("write {}", quoted(path)), &[(place, &Value::from(path).to_string())])
    };
    if !path.is_empty() && !path.starts_with('/') {
        let message = match path.split_once('/') {
            Some((_, rest)) => {
                format!(
                    "the path {} begins with no `/`, the controller takes it for {}",
                    quoted(path),
                    quoted(&format!("/{rest}"))
                )
            }
            None => format!("the path {} begins with no `/` and leads nowhere", quoted(path)),
        };
        let meant = match path.trim_start_matches('$') {
            dotted if !path.contains('/') => format!("/{}", dotted.trim_start_matches('.').replace('.', "/")),
            _ => format!("/{path}"),
        };
        let finding = Diagnostic::error("patch.path.no-slash", message)
            .help("a JSON pointer (RFC 6901) begins with `/` and has `/` between its keys");
        let fix = rewrite(notes, &meant);
        notes.push_at(place, with_fix(finding, fix));
        return;
    }
    if let Some(meant) = hidden_slash(scene, operation, from) {
        let message = format!("a key in the path {} has a slash that is not escaped", quoted(path));
        let finding = Diagnostic::error("patch.path.unescaped-slash", message)
            .help("in a JSON pointer (RFC 6901) a `/` within a key is written `~1`");
        let fix = rewrite(notes, &meant);
        notes.push_at(place, with_fix(finding, fix));
    }
    let odd = path.match_indices('~').any(|(at, _)| !matches!(path.as_bytes().get(at + 1), Some(b'0' | b'1')));
    if odd {
        let message = format!("a `~` in the path {} is followed by neither `0` nor `1`", quoted(path));
        let finding = Diagnostic::warning("patch.path.bad-escape", message)
            .help("the controller takes it as it stands; write `~0` for `~` and `~1` for `/`");
        let fix = rewrite(notes, &path_text(&keys(path)));
        notes.push_at(place, with_fix(finding, fix));
    }
}

/// The path as it was meant, where a slash within a key is not escaped.
///
/// Told by a key that the baseline or live has, or by a map of labels or the like, which holds only texts.
pub(super) fn hidden_slash(scene: &Scene<'_>, operation: &Operation<'_>, from: bool) -> Option<String> {
    let path = if from { operation.from } else { operation.path };
    if !path.starts_with('/') {
        return None;
    }
    unescaped_slash(&keys(path), &[Some(scene.baseline), scene.live])
}

/// The pointer of these keys with neighbours joined, where that leads to what one of the objects has, or may have.
pub(in crate::overrides) fn unescaped_slash(keys: &[String], objects: &[Option<&Object>]) -> Option<String> {
    let objects = || objects.iter().copied().flatten();
    if keys.len() < 3 || keys.len() > MAX_KEYS || objects().any(|object| find(object, keys).is_some()) {
        return None;
    }
    for start in 1..keys.len() {
        let (above, rest) = keys.split_at(start);
        let maps = || objects().filter_map(|object| find(object, above)).filter_map(Value::as_object);
        for end in (2..=rest.len()).rev() {
            let (joined, below) = rest.split_at(end);
            let joined = joined.join("/");
            if maps().any(|map| map.contains_key(&joined)) {
                return Some(path_text(&[above, &[joined], below].concat()));
            }
        }
        // The prefix of a key is a DNS name, which has a dot.
        let texts = above.last().is_some_and(|key| MAPS_OF_TEXTS.contains(&key.as_str()));
        if texts && rest.len() == 2 && rest.first().is_some_and(|prefix| prefix.contains('.')) {
            return Some(path_text(&[above, &[rest.join("/")]].concat()));
        }
    }
    None
}

/// An operation on what holds a protected field, which the controller lets pass.
fn protected_parent(operation: &Operation<'_>, notes: &mut Notes<'_>) {
    let above = |path: &str| {
        FORBIDDEN_PATHS.iter().any(|protected| protected.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    };
    let (member, path) = match operation.kind {
        OperationKind::Test => return,
        OperationKind::Move if above(operation.from) => ("from", operation.from),
        _ => ("path", operation.path),
    };
    if !above(path) {
        return;
    }
    let what = if path.is_empty() { "the whole object".to_owned() } else { quoted(path) };
    let message = format!(
        "the operation is on {what}, which holds fields that no patch may touch, yet the controller lets it pass"
    );
    let help =
        "the object loses what the value leaves out, its name and labels too; patch only the fields that are to change";
    notes.push_at(
        member_place(operation, member),
        Diagnostic::warning("patch.path.protected-parent", message).help(help),
    );
}

/// A value of another type than what is there, or JSON within a string.
fn value(scene: &Scene<'_>, operation: &Operation<'_>, notes: &mut Notes<'_>) {
    let (OperationKind::Add | OperationKind::Replace, Some(value)) = (operation.kind, operation.value) else {
        return;
    };
    let keys = keys(operation.path);
    let place = (value.start, value.end);
    let path = quoted(operation.path);
    let (finding, replacement) = match (&value.shape, find(scene.baseline, &keys)) {
        (Shape::Text(_), Some(Value::String(_))) => return,
        (Shape::Text(text), present) if is_json_container(text) && (present.is_some() || !holds_texts(&keys)) => {
            let message = format!("the value of {path} is JSON within a string");
            let help = "drop the quotes around it and the backslashes in it, if a map or list is meant";
            (Diagnostic::warning("patch.value.json-in-string", message).help(help), Some(text.to_string()))
        }
        (Shape::Text(text), Some(present @ (Value::Bool(_) | Value::Number(_)))) => {
            let message = format!("the value of {path} is a string, the baseline has {}", json_type(present));
            let plain = json::parse(text).is_ok_and(|json| matches!(json.shape, Shape::Bool(_) | Shape::Number(_)));
            (wrong_type(message), plain.then(|| text.to_string()))
        }
        (Shape::Bool(_) | Shape::Number(_), Some(Value::String(_))) => {
            let plain = value.to_value().unwrap_or_default();
            let message = format!("the value of {path} is {}, the baseline has a string", json_type(&plain));
            (wrong_type(message), Some(format!("\"{plain}\"")))
        }
        _ => return,
    };
    let fix = replacement.and_then(|text| notes.edit(format!("write {}", quoted(&text)), &[(place, &text)]));
    notes.push_at(place, with_fix(finding, fix));
}

fn wrong_type(message: String) -> Diagnostic {
    Diagnostic::warning("patch.value.type", message).help("the API server refuses a field of the wrong type")
}

fn is_json_container(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && json::parse(text).is_ok_and(|json| matches!(json.shape, Shape::Map(_) | Shape::List(_)))
}

/// Whether a path leads into a map of texts, where JSON within a string is in its place.
fn holds_texts(keys: &[String]) -> bool {
    let parent = keys.len().checked_sub(2).and_then(|at| keys.get(at));
    parent.is_some_and(|parent| matches!(parent.as_str(), "data" | "binaryData" | "stringData" | "annotations"))
}

/// A later operation that undoes what an earlier one wrote, and that nothing looked at in between.
fn overwritten<'a>(scene: &Scene<'a>, at: usize, written: &mut BTreeMap<&'a str, usize>, notes: &mut Notes<'_>) {
    let Some(operation) = scene.operations.get(at) else {
        return;
    };
    let path = operation.path;
    match operation.kind {
        OperationKind::Test => return forget(written, path),
        OperationKind::Move | OperationKind::Copy => forget(written, operation.from),
        _ => {}
    }
    let (above, last) = path.rsplit_once('/').unwrap_or(("", path));
    let index = last == "-" || last.parse::<i64>().is_ok();
    let holder = keys(path).split_last().and_then(|(_, above)| find(scene.baseline, above));
    if index && operation.kind != OperationKind::Replace && !holder.is_some_and(Value::is_object) {
        // Items move when one comes or goes: what was written in the list is no longer where it was.
        take_below(written, above);
    } else {
        for (first, earlier) in take_below(written, path) {
            let Some(source) = scene.operations.get(earlier).filter(|_| notes.has_room()) else {
                continue;
            };
            let message =
                format!("operation {} undoes what operation {} writes at {}", at + 1, earlier + 1, quoted(first));
            let other = notes.source((source.json.start, source.json.end));
            let finding = Diagnostic::warning("patch.operation.overwritten", message)
                .help("drop the earlier operation, or put it after this one")
                .related("the earlier operation", other);
            let fix = without(earlier, scene.operations, notes);
            notes.push_at((operation.json.start, operation.json.end), with_fix(finding, fix));
        }
    }
    if operation.kind != OperationKind::Remove && last != "-" {
        written.insert(path, at);
    }
}

/// Takes out what was written at a path or below it.
fn take_below<'a>(written: &mut BTreeMap<&'a str, usize>, path: &str) -> Vec<(&'a str, usize)> {
    let below = format!("{path}/");
    let from = (Bound::Included(below.as_str()), Bound::Unbounded);
    let inside = written.range::<str, _>(from).map(|(key, _)| *key).take_while(|key| key.starts_with(&below));
    let taken: Vec<&'a str> = inside.chain(written.get_key_value(path).map(|(key, _)| *key)).collect();
    taken.into_iter().filter_map(|key| written.remove_entry(key)).collect()
}

/// Forgets what was written at a path, below it and above it: it has been looked at.
fn forget(written: &mut BTreeMap<&str, usize>, path: &str) {
    take_below(written, path);
    for (end, _) in path.match_indices('/').take(MAX_DEPTH) {
        written.remove(path.get(..end).unwrap_or_default());
    }
}

/// What the patch did to the object.
pub(in crate::overrides::patch) fn applied(
    scene: &Scene<'_>,
    desired: &Object,
    rounded: &[String],
    notes: &mut Notes<'_>,
) {
    let (before, after) = (scene.baseline.reference(), desired.reference());
    if before != after {
        let message = if after.api_version.is_empty() || after.kind.is_empty() || after.name.is_empty() {
            format!("the patch takes its identity from `{before}`, which then cannot be applied")
        } else {
            format!("the patch turns `{before}` into `{after}`, to which it is applied instead")
        };
        let help = "leave `apiVersion`, `kind`, `metadata.name` and `metadata.namespace` as they are";
        notes.push(Diagnostic::error("patch.identity", message).help(help));
    }
    if let Some(number) = rounded.first() {
        let more = if rounded.len() > 1 { format!(" and {} more", rounded.len() - 1) } else { String::new() };
        let message = format!("the integer {}{more} loses digits", quoted(number));
        let help = "a patched object carries all its numbers as floats, which are exact up to 2^53 (9007199254740992)";
        notes.push(Diagnostic::warning("patch.number-rounded", message).help(help));
    } else if json::as_floats(&scene.baseline.to_value()) == desired.to_value() {
        let finding = Diagnostic::info("patch.no-change", "the patch applies and changes nothing in the baseline");
        notes.push(finding.help("the baseline already is as it wants").fix(notes.fix("remove the patch", None)));
    }
}
