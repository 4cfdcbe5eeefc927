//! What a person got wrong in a patch, where, and what to do next: for a patch that is refused or fails.

pub(in crate::overrides) mod usage;

use serde_json::{Map, Value};

use super::decode::{Operation, Rejection};
use super::json::{Json, Problem, Shape, SyntaxError};
use super::{FailureKind, OperationKind, PatchVerdict, Refusal, Stopped, StrictVerdict, repair};
use crate::diagnostic::{Diagnostic, Fix};
use crate::limits::MAX_DEPTH;
use crate::object::{Object, json_type};
use crate::overrides::notes::{Notes, quoted, with_fix};
use crate::overrides::{MODE, UNMANAGED};
use crate::pointer::{Pointer, escape};

/// Longest value that a message shows, in bytes of JSON.
const MAX_SHOWN: usize = 60;

/// What the operations meet.
pub(super) struct Scene<'a> {
    /// The baseline, with the annotation on it.
    pub(super) baseline: &'a Object,
    pub(super) live: Option<&'a Object>,
    pub(super) operations: &'a [Operation<'a>],
}

/// The text is no JSON, or too long or deep to be read.
pub(super) fn unreadable(error: &SyntaxError, text: &str, notes: &mut Notes<'_>) {
    let place = (error.offset, error.offset + 1);
    let expected = match error.problem {
        Problem::Expected(what) => what,
        Problem::TextAfterEnd => "the end of the text",
        Problem::TooDeep | Problem::TooLong => {
            let what = if error.problem == Problem::TooDeep { "nested too deep" } else { "too long" };
            return notes.push_at(place, Diagnostic::error("patch.failed.limit", format!("the patch is {what}")));
        }
    };
    let at = notes.source(place).span.unwrap_or_default();
    let message = format!("the patch is no JSON: line {}, column {} should be {expected}", at.line, at.column);
    let finding = Diagnostic::error("patch.not-json", message);
    let finding = match repair::mend(text) {
        Some(repair) => {
            let fix = notes.fix(repair.title, Some(repair.text));
            finding.help(format!("this looks like {}", repair.taken_for)).fix(fix)
        }
        None if text.trim().is_empty() => finding
            .help("the text is only white space; remove the annotation")
            .fix(notes.fix("remove the annotation", None)),
        None if repair::looks_like_yaml(text) => finding.help(
            "this looks like YAML; write the list as JSON, for example \
             `[{\"op\": \"replace\", \"path\": \"/spec/a\", \"value\": 1}]`",
        ),
        None => finding.help("a patch is a JSON list of operations (RFC 6902)"),
    };
    notes.push_at(place, finding);
}

/// The JSON is no list of operations.
pub(super) fn malformed(rejection: &Rejection, patch: &Json<'_>, baseline: &Object, notes: &mut Notes<'_>) {
    let finding = match &rejection.reason {
        Refusal::NotAList => not_a_list(patch, baseline, notes),
        Refusal::NotAnOperation => {
            Diagnostic::error("patch.operation.not-a-map", "an item of the list is no operation")
                .help("an operation is a map with `op`, `path` and mostly `value`")
        }
        Refusal::UnknownOperation => unknown_operation(rejection, patch, notes),
        Refusal::MissingMember { member } => {
            let message = format!("the operation has no `{member}`");
            missing_member(Diagnostic::error("patch.operation.missing-member", message), member)
        }
        Refusal::BadMember { member } => bad_member(member),
        _ => Diagnostic::error("patch.not-a-list", "the patch is no list of operations"),
    };
    notes.push_at(rejection.place, finding);
}

fn bad_member(member: &str) -> Diagnostic {
    let message = format!("`{member}` of the operation is no string");
    Diagnostic::error("patch.operation.bad-member", message).help("write it in double quotes")
}

fn missing_member(finding: Diagnostic, member: &str) -> Diagnostic {
    finding.help(match member {
        "value" => "`add` and `replace` need a `value`; to take a field away use `remove`",
        "from" => "`move` and `copy` need `from`, the path of the value",
        _ => "every operation needs a `path`, a JSON pointer (RFC 6901) such as `/spec/a`",
    })
}

fn not_a_list(patch: &Json<'_>, baseline: &Object, notes: &Notes<'_>) -> Diagnostic {
    let finding =
        |what: &str| Diagnostic::error("patch.not-a-list", format!("the patch is {what}, not a list of operations"));
    match &patch.shape {
        Shape::Map(_) if patch.member("op").is_some() => {
            let edits = [((patch.start, patch.start), "["), ((patch.end, patch.end), "]")];
            with_fix(finding("one operation").help("put it in a list"), notes.edit("put it in a list", &edits))
        }
        Shape::Map(_) => {
            let finding = finding("a map").help(
                "this looks like a merge patch; the annotation takes JSON Patch (RFC 6902): a list of operations",
            );
            let map = patch.to_value();
            let text = map.as_ref().and_then(Value::as_object);
            let text = text.and_then(|map| repair::from_merge_patch(map, baseline.fields()));
            with_fix(finding, text.map(|text| notes.fix("write it as operations", Some(text))))
        }
        Shape::Text(text) => {
            let inner = repair::is_patch(text).then(|| text.to_string());
            let help = "drop the outer quotes, and the backslashes before the inner ones";
            let fix = inner.map(|text| notes.fix("drop the outer quotes", Some(text)));
            with_fix(finding("a string").help(help), fix)
        }
        _ => finding("a scalar").help("a patch is a JSON list of operations (RFC 6902)"),
    }
}

fn unknown_operation(rejection: &Rejection, patch: &Json<'_>, notes: &Notes<'_>) -> Diagnostic {
    let items = match &patch.shape {
        Shape::List(items) => items.as_slice(),
        _ => &[],
    };
    let item = rejection.operation.and_then(|at| items.get(at));
    let op = item.and_then(|item| item.member("op"));
    let Some(name) = op.and_then(|op| op.value.text()) else {
        let message = "the operation has no `op` that says what it does";
        return Diagnostic::error("patch.operation.unknown", message)
            .help("`op` is `add`, `remove`, `replace`, `move`, `copy` or `test`");
    };
    let meant = match name.trim().to_ascii_lowercase().as_str() {
        "update" | "set" | "change" | "put" => "replace",
        "delete" | "del" | "unset" | "rm" => "remove",
        "create" | "insert" | "append" | "merge" => "add",
        "rename" => "move",
        other => OperationKind::NAMES.iter().map(|(known, _)| *known).find(|known| *known == other).unwrap_or(""),
    };
    let finding = Diagnostic::error("patch.operation.unknown", format!("there is no operation {}", quoted(name)))
        .help("the operations are `add`, `remove`, `replace`, `move`, `copy` and `test`, in lower case");
    let edit = (rejection.place, &*format!("\"{meant}\""));
    let fix = if meant.is_empty() { None } else { notes.edit(format!("use `{meant}`"), &[edit]) };
    with_fix(finding, fix)
}

/// The controller refuses patches on this kind.
pub(super) fn sensitive(baseline: &Object, operations: &[Operation<'_>], allowed: bool, notes: &mut Notes<'_>) {
    let kind = baseline.kind();
    let pretend = if allowed { "; the effect is shown as if it did not" } else { "" };
    let message =
        format!("the controller refuses patches on kind `{kind}`, the baseline is applied unpatched{pretend}");
    let rule = match baseline.namespace() {
        "" => format!("- kind: {kind}\n  name: {}", baseline.name()),
        namespace => format!("- kind: {kind}\n  name: {}\n  namespace: {namespace}", baseline.name()),
    };
    let own = match kind {
        "MachineConfig" => {
            "; or make a MachineConfig of your own whose name sorts after this one: it overrides files and units by \
             path and name"
        }
        _ => "",
    };
    let help = format!(
        "set `{MODE}: {UNMANAGED}` on the object and edit it yourself; or leave it out with this rule in the \
         HyperConverged's `{}`:\n{rule}\n{own}",
        crate::overrides::DISABLED_RESOURCES
    );
    let mut unmanaged = notes.fix("take the object out of management", Some(UNMANAGED.to_owned()));
    unmanaged.annotation = MODE.to_owned();
    let finding = Diagnostic::error("patch.refused.kind", message)
        .help(help.trim_end().replace("\n; or", "\nor"))
        .fix(unmanaged)
        .fix(notes.fix("remove the patch", None));
    let end = operations.last().map_or(0, |last| last.json.end);
    notes.push_at((0, end + 1), finding);
}

/// A path is protected, or cannot be read by what looks for protected ones.
pub(super) fn forbidden(rejection: &Rejection, scene: &Scene<'_>, notes: &mut Notes<'_>) {
    let finding = match &rejection.reason {
        Refusal::Path { path, protected } => {
            let message = format!("the controller refuses the whole patch, for {} is protected", quoted(path));
            Diagnostic::error("patch.refused.path", message)
                .help(format!("nothing at or below `{protected}` may be patched, read or tested; drop the operation"))
        }
        Refusal::BadMember { member } => bad_member(member),
        _ => return,
    };
    let fix = rejection.operation.and_then(|at| without(at, scene.operations, notes));
    notes.push_at(rejection.place, with_fix(finding, fix));
}

/// Another annotation of the baseline makes the controller refuse the patch.
pub(super) fn other_annotation(key: &str, rejection: &Rejection, notes: &mut Notes<'_>) {
    let message =
        format!("the controller refuses the patch, for the baseline's `{key}` is invalid: {}", rejection.error);
    let help = "the catalog's asset has to be mended; the patch itself is not at fault";
    notes.push(Diagnostic::error("patch.refused.annotation", message).help(help));
}

/// RFC 6902 has another verdict.
pub(super) fn differs(strict: &StrictVerdict, ours: &PatchVerdict, notes: &mut Notes<'_>) {
    let finding = match (strict, ours) {
        (StrictVerdict::Failed { error }, _) => {
            let message = format!("the controller applies the patch, RFC 6902 would not: {error}");
            Diagnostic::info("patch.rfc6902", message).help("other tools may refuse it; write it so that both agree")
        }
        (StrictVerdict::Applied { .. }, PatchVerdict::Applied { .. }) => {
            Diagnostic::warning("patch.rfc6902", "the controller applies the patch to another effect than RFC 6902")
                .help("what the controller does counts; write the patch so that both agree")
        }
        (StrictVerdict::Applied { .. }, _) => {
            Diagnostic::info("patch.rfc6902", "RFC 6902 would apply the patch, the controller does not")
                .help("what the controller does counts")
        }
    };
    notes.push(finding);
}

/// The patch fails to apply.
pub(super) fn failed(scene: &Scene<'_>, stopped: &Stopped, notes: &mut Notes<'_>) {
    let stop = &stopped.stop;
    let operation = stopped.operation.and_then(|at| Some((at, scene.operations.get(at)?)));
    let Some((at, operation)) = operation else {
        let code = match stop.kind {
            FailureKind::Number => "patch.failed.number",
            FailureKind::Limit => "patch.failed.limit",
            _ => "patch.failed.root",
        };
        notes.push(Diagnostic::error(code, format!("the patch does not apply: {}", stop.error)));
        return;
    };
    let member = if stop.from { "from" } else { "path" };
    let path = if stop.from { operation.from } else { operation.path };
    // What was found about the path itself says more.
    let no_slash = !path.is_empty() && !path.starts_with('/');
    if no_slash || usage::hidden_slash(scene, operation, stop.from).is_some() {
        return;
    }
    let place = member_place(operation, member);
    let spot = Spot { at, operation, path, keys: keys(path), state: &stopped.state };
    let finding = match stop.kind {
        FailureKind::MissingParent => missing_parent(scene, &spot, notes),
        FailureKind::MissingTarget if !spot.is_in_list() => missing_target(scene, &spot, notes),
        FailureKind::MissingTarget | FailureKind::Index => wrong_index(&spot, place, notes),
        FailureKind::Test => failed_test(scene, &spot, notes),
        FailureKind::RootValue => Diagnostic::error(
            "patch.failed.root",
            format!("the operation does not apply to the object as a whole: {}", stop.error),
        )
        .help("name the fields that are to change"),
        FailureKind::Crash => {
            let message =
                "the controller's patch library crashes on this operation, and the reconcile ends in an error";
            Diagnostic::error("patch.failed.crash", message)
                .help("a `test` needs a `value`, and cannot compare a list that holds null; write it another way")
        }
        FailureKind::Number | FailureKind::Limit => {
            Diagnostic::error("patch.failed.limit", format!("the patch does not apply: {}", stop.error))
        }
    };
    notes.push_at(place, finding.at(|source| source.pointer = Some(path.chars().take(256).collect())));
}

/// The operation that failed, and what it met.
struct Spot<'s, 'a> {
    at: usize,
    operation: &'s Operation<'a>,
    path: &'s str,
    keys: Vec<String>,
    state: &'s Value,
}

impl Spot<'_, '_> {
    fn is_in_list(&self) -> bool {
        descend(self.state, &self.keys).1.is_array()
    }
}

fn missing_parent(scene: &Scene<'_>, spot: &Spot<'_, '_>, notes: &Notes<'_>) -> Diagnostic {
    let code = "patch.failed.missing-parent";
    let (depth, last) = descend(spot.state, &spot.keys);
    let missing = Pointer::from_tokens(spot.keys.iter().take(depth + 1).cloned());
    let finding = match last {
        Value::Object(map) => {
            let key = spot.keys.get(depth).map_or("", String::as_str);
            let on_live = is_on_live(scene, &missing);
            let message = format!(
                "{} leads through {}, which the baseline does not have",
                quoted(spot.path),
                quoted(&missing.to_string())
            );
            let finding = if on_live {
                Diagnostic::error(code, message + ", though live does")
                    .help("the patch works on the baseline, not on live; add the parents first")
            } else {
                Diagnostic::error(code, message).help("nothing on the way is made for you; add the parents first")
            };
            match similar(map, key) {
                Some(similar) => return finding.help(format!("did you mean `{similar}`?")),
                None => finding,
            }
        }
        Value::Array(items) => {
            Diagnostic::error(code, format!("{} leads through an item of a list that is not there", quoted(spot.path)))
                .help(format!("the list at `{}` has {} items", parent_of(&missing), items.len()))
        }
        other => {
            let above = parent_of(&missing);
            return Diagnostic::error(
                code,
                format!(
                    "{} leads through {}, which is {}",
                    quoted(spot.path),
                    quoted(&above.to_string()),
                    json_type(other)
                ),
            )
            .help("only a map or a list has something below it; replace it as a whole");
        }
    };
    with_fix(finding, add_with_parents(spot, depth, notes))
}

/// One `add` at the first level that is missing, with the value wrapped in the levels below.
fn add_with_parents(spot: &Spot<'_, '_>, depth: usize, notes: &Notes<'_>) -> Option<Fix> {
    let (op, path) = (spot.operation.json.member("op")?, spot.operation.json.member("path")?);
    let value = spot.operation.value?;
    if !matches!(spot.operation.kind, OperationKind::Add | OperationKind::Replace) || spot.keys.len() > 32 {
        return None;
    }
    let (mut before, mut after) = (String::new(), String::new());
    for key in spot.keys.get(depth + 1..)? {
        if key == "-" || key == "0" {
            before.push('[');
            after.insert(0, ']');
        } else {
            before.push_str(&format!("{{{}: ", Value::from(key.as_str())));
            after.insert(0, '}');
        }
    }
    let first = Pointer::from_tokens(spot.keys.get(..=depth)?.iter().cloned());
    let path_text = Value::from(first.to_string()).to_string();
    let mut edits = vec![
        ((op.value.start, op.value.end), "\"add\""),
        ((path.value.start, path.value.end), path_text.as_str()),
        ((value.start, value.start), before.as_str()),
        ((value.end, value.end), after.as_str()),
    ];
    edits.sort_by_key(|(place, _)| *place);
    notes.edit(format!("add `{first}` with what is below it"), &edits)
}

fn missing_target(scene: &Scene<'_>, spot: &Spot<'_, '_>, notes: &Notes<'_>) -> Diagnostic {
    let code = "patch.failed.missing-target";
    let pointer = Pointer::from_tokens(spot.keys.iter().cloned());
    let live = if is_on_live(scene, &pointer) { "; live has it, but the patch works on the baseline" } else { "" };
    let message = format!("{} is not in the baseline{live}", quoted(spot.path));
    let finding = Diagnostic::error(code, message);
    let (depth, last) = descend(spot.state, &spot.keys);
    if let Value::Object(map) = last
        && let Some(similar) = spot.keys.get(depth).and_then(|key| similar(map, key))
    {
        return finding.help(format!("did you mean `{similar}`?"));
    }
    match spot.operation.kind {
        OperationKind::Replace => {
            let op = spot.operation.json.member("op");
            let fix = op.and_then(|op| notes.edit("use `add`", &[((op.value.start, op.value.end), "\"add\"")]));
            with_fix(finding.help("`replace` needs a value that is there; `add` sets it in either case"), fix)
        }
        OperationKind::Remove => {
            let fix = without(spot.at, scene.operations, notes);
            with_fix(finding.help("there is nothing to remove; drop the operation"), fix)
        }
        _ => finding.help("only what the baseline has can be moved or copied"),
    }
}

fn wrong_index(spot: &Spot<'_, '_>, place: (usize, usize), notes: &Notes<'_>) -> Diagnostic {
    let (depth, list) = descend(spot.state, &spot.keys);
    let key = spot.keys.get(depth).map_or("", String::as_str);
    let length = list.as_array().map_or(0, Vec::len);
    let message = format!(
        "{} is no index of the list at {}, which has {length} items",
        quoted(key),
        quoted(parent_text(spot.path))
    );
    let finding = Diagnostic::error("patch.failed.index", message);
    if spot.operation.kind != OperationKind::Add {
        return finding.help("items are counted from 0; `-` is only the place after the last, to add to");
    }
    let end = Value::from(format!("{}/-", parent_text(spot.path))).to_string();
    let fix = notes.edit("add at the end", &[(place, &end)]);
    with_fix(finding.help("items are counted from 0; `-` is the place after the last"), fix)
}

fn failed_test(scene: &Scene<'_>, spot: &Spot<'_, '_>, notes: &Notes<'_>) -> Diagnostic {
    let actual = Pointer::from_tokens(spot.keys.iter().cloned()).get(spot.state).cloned();
    let expected = spot.operation.value.and_then(Json::to_value);
    let shown = |value: &Option<Value>| match value.as_ref().map(Value::to_string) {
        Some(text) if text.len() <= MAX_SHOWN => format!("`{text}`"),
        Some(_) => "another value".to_owned(),
        None => "nothing".to_owned(),
    };
    let message = format!(
        "the test of {} does not hold: it wants {}, there is {}",
        if spot.path.is_empty() { "the whole object".to_owned() } else { quoted(spot.path) },
        shown(&expected),
        shown(&actual)
    );
    let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
    let help = if number(&actual).is_some() && number(&actual) == number(&expected) {
        "the controller compares numbers as they are written, so that 1 is not 1.0; none of the patch is applied"
    } else if actual == expected {
        "a null that an operation put there is not what a `test` takes for null; none of the patch is applied"
    } else {
        "none of the patch is applied while a test does not hold; mend the test or drop it"
    };
    let finding = Diagnostic::error("patch.failed.test", message).help(help);
    let actual = actual.map(|value| value.to_string()).filter(|text| text.len() <= MAX_SHOWN);
    let value = spot.operation.value.zip(actual);
    let fix = value
        .and_then(|(value, actual)| notes.edit(format!("test for `{actual}`"), &[((value.start, value.end), &actual)]));
    let finding = with_fix(finding, fix);
    with_fix(finding, without(spot.at, scene.operations, notes))
}

/// The byte range of a member's value, else of the operation.
fn member_place(operation: &Operation<'_>, member: &str) -> (usize, usize) {
    let value = operation.json.member(member).map_or(operation.json, |member| &member.value);
    (value.start, value.end)
}

/// The annotation without one operation; none of them left removes it.
fn without(at: usize, operations: &[Operation<'_>], notes: &Notes<'_>) -> Option<Fix> {
    let title = "drop the operation";
    let span = |at: usize| operations.get(at).map(|operation| (operation.json.start, operation.json.end));
    let (start, end) = span(at)?;
    match (at.checked_sub(1).and_then(span), span(at + 1)) {
        (_, Some((next, _))) => notes.edit(title, &[((start, next), "")]),
        (Some((_, before)), None) => notes.edit(title, &[((before, end), "")]),
        (None, None) => Some(notes.fix("remove the patch", None)),
    }
}

/// The keys of a path as the controller reads it: what stands before the first `/` is not looked at. No more keys than
/// a document has levels, and one.
fn keys(path: &str) -> Vec<String> {
    let after = path.split_once('/').map(|(_, after)| after);
    let keys = after.into_iter().flat_map(|keys| keys.split('/')).take(MAX_DEPTH + 1);
    keys.map(|key| super::dialect::decode_key(key).into_owned()).collect()
}

/// How many keys of a path are there, and the value to which they lead.
fn descend<'v>(document: &'v Value, keys: &[String]) -> (usize, &'v Value) {
    let mut value = document;
    for (depth, key) in keys.iter().enumerate() {
        let next = match value {
            Value::Object(map) => map.get(key),
            Value::Array(items) => key.parse().ok().and_then(|index: usize| items.get(index)),
            _ => None,
        };
        let Some(next) = next else {
            return (depth, value);
        };
        value = next;
    }
    (keys.len(), value)
}

fn is_on_live(scene: &Scene<'_>, pointer: &Pointer) -> bool {
    scene.live.is_some_and(|live| find(live, pointer.tokens()).is_some())
}

/// The value of an object at a path of keys and indices.
pub(in crate::overrides) fn find<'o>(object: &'o Object, keys: &[String]) -> Option<&'o Value> {
    let (first, rest) = keys.split_first()?;
    let value = object.fields().get(first)?;
    let (depth, value) = descend(value, rest);
    (depth == rest.len()).then_some(value)
}

/// A key of the map that differs only in case or in a plural.
pub(in crate::overrides) fn similar<'m>(map: &'m Map<String, Value>, key: &str) -> Option<&'m String> {
    let plain = |text: &str| text.trim_end_matches('s').to_ascii_lowercase().replace(['-', '_'], "");
    let wanted = plain(key);
    map.keys().take(1000).find(|known| !key.is_empty() && plain(known) == wanted)
}

fn parent_of(pointer: &Pointer) -> Pointer {
    pointer.parent().unwrap_or_default()
}

fn parent_text(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// A path of these keys, escaped.
pub(in crate::overrides) fn path_text(keys: &[String]) -> String {
    keys.iter().map(|key| format!("/{}", escape(key))).collect()
}
