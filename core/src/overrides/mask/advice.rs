//! What a person got wrong in a list of ignored fields, where, and what to do next.

use serde_json::Value;

use super::{MaskEffect, MaskFailure, MaskedPointer, Part, Stop, live_value, obstacle};
use crate::diagnostic::{Diagnostic, Fix};
use crate::object::{Object, json_type};
use crate::overrides::notes::{Notes, quoted, with_fix};
use crate::overrides::patch::advice::usage::unescaped_slash;
use crate::overrides::patch::advice::{find, path_text, similar};

/// The parts of the metadata that the API server keeps.
const SERVERS: [&str; 6] = ["managedFields", "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink"];

/// What the list is about.
struct Scene<'a> {
    parts: &'a [Part<'a>],
    text: &'a str,
    desired: &'a Object,
    live: &'a Object,
}

/// Looks at the text and at each pointer; `done` are those that were followed.
pub(super) fn parts(
    parts: &[Part<'_>],
    text: &str,
    done: &[MaskedPointer],
    desired: &Object,
    live: &Object,
    notes: &mut Notes<'_>,
) {
    let scene = Scene { parts, text, desired, live };
    if parts.is_empty() {
        if !text.is_empty() {
            let finding = Diagnostic::info("mask.empty", "the annotation names no field");
            notes.push_at((0, text.len()), finding.fix(notes.fix("remove the annotation", None)));
        }
        return;
    }
    if let Some(pointers) = otherwise_separated(text) {
        let finding = Diagnostic::error("mask.separator", "the pointers are not separated by commas")
            .help("write them in one line with a comma between them");
        notes.push_at((0, text.len()), finding.fix(notes.fix("separate them by commas", Some(pointers.join(",")))));
        return;
    }
    for (at, part) in parts.iter().enumerate() {
        if !notes.has_room() {
            return;
        }
        pointer(&scene, at, part, done.get(at), notes);
    }
    co_owned(&scene, done, notes);
}

fn pointer(scene: &Scene<'_>, at: usize, part: &Part<'_>, done: Option<&MaskedPointer>, notes: &mut Notes<'_>) {
    let Some(keys) = part.keys() else {
        return no_leading_slash(scene, at, part, notes);
    };
    let place = part.place();
    if let Err(stop) = live_value(scene.live.fields(), &keys) {
        return blocked_in_live(scene, at, part, &keys, &stop, notes);
    }
    let there = live_value(scene.live.fields(), &keys).ok().flatten();
    let above = keys.split_last().map_or(&[][..], |(_, above)| above);
    if there.is_some()
        && done.is_none()
        && let Some(depth) = obstacle(scene.desired.fields(), above)
    {
        let way = path_text(above.get(..depth).unwrap_or_default());
        let message = format!(
            "{} stops the whole asset: live has a map at {}, the baseline has none",
            quoted(part.text),
            quoted(&way)
        );
        let finding = Diagnostic::error("mask.blocked", message).help("ignore it as a whole");
        let fix = notes.edit(format!("ignore {}", quoted(&way)), &[(place, &way)]);
        return notes.push_at(place, with_fix(with_fix(finding, fix), without(scene, at, notes)));
    }
    let odd =
        part.text.match_indices('~').any(|(at, _)| !matches!(part.text.as_bytes().get(at + 1), Some(b'0' | b'1')));
    if odd {
        let message = format!("a `~` in {} is followed by neither `0` nor `1`", quoted(part.text));
        let finding = Diagnostic::warning("mask.bad-escape", message)
            .help("the controller takes it as it stands; write `~0` for `~` and `~1` for `/`");
        notes.push_at(place, with_fix(finding, rewrite(part, &keys, notes)));
    }
    metadata(scene, at, part, &keys, notes);
    if there.is_none() && !done.is_some_and(|done| done.effect == MaskEffect::Removed) {
        matches_nothing(scene, at, part, &keys, notes);
    }
}

fn no_leading_slash(scene: &Scene<'_>, at: usize, part: &Part<'_>, notes: &mut Notes<'_>) {
    let before = at.checked_sub(1).and_then(|at| scene.parts.get(at));
    let whole = before.and_then(|before| Some((before.start, scene.text.get(before.start..part.place().1)?)));
    let whole = whole.map(|(start, text)| Part { start, text });
    let keys = whole.as_ref().and_then(Part::keys);
    let known = keys.is_some_and(|keys| [scene.live, scene.desired].iter().any(|object| find(object, &keys).is_some()));
    if let Some(whole) = whole.filter(|_| known) {
        let message = format!(
            "the key in {} has a comma, which separates pointers; this stops the whole asset",
            quoted(whole.text)
        );
        let finding = Diagnostic::error("mask.comma-in-key", message)
            .help("a key with a comma cannot be named; ignore the map that it is in");
        return notes.push_at(whole.place(), finding);
    }
    let message = format!("{} does not begin with `/`, which stops the whole asset", quoted(part.text));
    let finding = Diagnostic::error("mask.no-leading-slash", message)
        .help("a JSON pointer (RFC 6901) begins with `/` and has `/` between its keys");
    let meant = match part.text.trim_start_matches('$') {
        dotted if !part.text.contains('/') => format!("/{}", dotted.trim_start_matches('.').replace('.', "/")),
        _ => format!("/{}", part.text),
    };
    let fix = notes.edit(format!("write {}", quoted(&meant)), &[(part.place(), &meant)]);
    notes.push_at(part.place(), with_fix(finding, fix));
}

fn blocked_in_live(scene: &Scene<'_>, at: usize, part: &Part<'_>, keys: &[String], stop: &Stop, notes: &mut Notes<'_>) {
    // The longest path above that is there is that of the value in the way.
    let depth =
        (1..keys.len()).rev().find(|depth| find_map(scene.live, keys.get(..*depth).unwrap_or_default()).is_some());
    let above = keys.get(..depth.unwrap_or(1)).unwrap_or_default();
    let way = path_text(above);
    let stops = match scene.live.kind() {
        "HyperConverged" => "the HyperConverged, and with it every other asset",
        _ => "the whole asset",
    };
    let finding = if stop.reason == MaskFailure::IntoList {
        let message = format!("{} leads into the list at {}, which stops {stops}", quoted(part.text), quoted(&way));
        Diagnostic::error("mask.into-list", message)
            .help("only fields of maps can be ignored; ignore the list as a whole")
    } else {
        let found = find_map(scene.live, above).map_or("no map", json_type);
        let message =
            format!("{} leads through {}, which is {found}; this stops {stops}", quoted(part.text), quoted(&way));
        Diagnostic::error("mask.through-scalar", message).help("nothing is below it; ignore it as a whole")
    };
    let fix = notes.edit(format!("ignore {}", quoted(&way)), &[(part.place(), &way)]);
    notes.push_at(part.place(), with_fix(with_fix(finding, fix), without(scene, at, notes)));
}

fn metadata(scene: &Scene<'_>, at: usize, part: &Part<'_>, keys: &[String], notes: &mut Notes<'_>) {
    let finding = match keys {
        [metadata] if metadata == "metadata" => {
            let message = "ignoring all of `/metadata` copies what the API server keeps there into what is applied";
            Diagnostic::error("mask.metadata", message).help(
                "the server refuses to apply managed fields; name the labels or annotations that are to be left alone",
            )
        }
        [metadata, key, ..] if metadata == "metadata" && SERVERS.contains(&key.as_str()) => {
            let message =
                format!("{} is kept by the API server, and the controller does not set it", quoted(part.text));
            Diagnostic::warning("mask.metadata", message).help("drop it: applied, it is refused or leads to conflicts")
        }
        _ => return,
    };
    notes.push_at(part.place(), with_fix(finding, without(scene, at, notes)));
}

fn matches_nothing(scene: &Scene<'_>, at: usize, part: &Part<'_>, keys: &[String], notes: &mut Notes<'_>) {
    if find(scene.desired, keys).is_some() {
        return;
    }
    if let Some(meant) = unescaped_slash(keys, &[Some(scene.live), Some(scene.desired)]) {
        let message = format!("a key in {} has a slash that is not escaped", quoted(part.text));
        let finding = Diagnostic::warning("mask.unescaped-slash", message)
            .help("in a JSON pointer (RFC 6901) a `/` within a key is written `~1`");
        let fix = notes.edit(format!("write {}", quoted(&meant)), &[(part.place(), &meant)]);
        return notes.push_at(part.place(), with_fix(finding, fix));
    }
    let message = format!("{} matches nothing, neither in live nor in the baseline", quoted(part.text));
    let finding = Diagnostic::warning("mask.matches-nothing", message);
    let meant = closest(scene, keys);
    let fix = meant.as_ref().and_then(|keys| rewrite(part, keys, notes)).or_else(|| without(scene, at, notes));
    let help = match meant {
        Some(keys) => format!("did you mean {}?", quoted(&path_text(&keys))),
        None => "mind upper and lower case, and the version of the object".to_owned(),
    };
    notes.push_at(part.place(), with_fix(finding.help(help), fix));
}

/// The keys with each written as live or the baseline has it, where that leads somewhere.
fn closest(scene: &Scene<'_>, keys: &[String]) -> Option<Vec<String>> {
    if keys.len() > crate::limits::MAX_DEPTH {
        return None;
    }
    [scene.live, scene.desired].into_iter().find_map(|object| {
        let mut map = object.fields();
        let mut found = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            let known = map.get_key_value(key).map(|(known, _)| known).or_else(|| similar(map, key))?;
            found.push(known.clone());
            if at + 1 < keys.len() {
                map = map.get(known)?.as_object()?;
            }
        }
        Some(found)
    })
}

/// What is masked is applied, and so the autopilot owns it too.
fn co_owned(scene: &Scene<'_>, done: &[MaskedPointer], notes: &mut Notes<'_>) {
    let mut owned = done.iter().filter(|done| matches!(done.effect, MaskEffect::Copied | MaskEffect::Same));
    let Some(first) = owned.next() else {
        return;
    };
    let more = owned.count();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message =
        format!("the autopilot applies live's value of {}{more}, and becomes an owner of it", quoted(&first.pointer));
    let help = "whoever else applies the field meets conflicts once its value changes, and dropping the field from there \
                leaves the value behind";
    notes.push_at((0, scene.text.len()), Diagnostic::info("mask.co-owned", message).help(help));
}

/// The pointers of a text that separates them by something else than commas: lines, semicolons, spaces, or a list.
fn otherwise_separated(text: &str) -> Option<Vec<String>> {
    const MAX_BYTES: usize = 64 << 10;
    if text.len() > MAX_BYTES {
        return None;
    }
    let mut pieces: Vec<String> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).ok()?
    } else {
        let pieces = text.split(|c: char| c == ',' || c == ';' || c.is_whitespace());
        pieces.map(str::to_owned).filter(|piece| !piece.is_empty() && piece != "-").collect()
    };
    pieces.retain(|piece| !piece.is_empty());
    let commas = super::parts(text);
    let pointers = !pieces.is_empty() && pieces.iter().all(|piece| piece.starts_with('/') && !piece.contains(','));
    let same = commas.len() == pieces.len() && commas.iter().zip(&pieces).all(|(part, piece)| part.text == piece);
    (pointers && !same).then_some(pieces)
}

/// The annotation without one pointer; none left removes it.
fn without(scene: &Scene<'_>, at: usize, notes: &Notes<'_>) -> Option<Fix> {
    let part = scene.parts.get(at)?;
    let title = format!("drop {}", quoted(part.text));
    let (start, end) = part.place();
    match (scene.parts.get(at + 1), at.checked_sub(1).and_then(|at| scene.parts.get(at))) {
        (Some(next), _) => notes.edit(title, &[((start, next.start), "")]),
        (None, Some(before)) => notes.edit(title, &[((before.place().1, end), "")]),
        (None, None) => Some(notes.fix(title, None)),
    }
}

fn rewrite(part: &Part<'_>, keys: &[String], notes: &Notes<'_>) -> Option<Fix> {
    let text = path_text(keys);
    notes.edit(format!("write {}", quoted(&text)), &[(part.place(), &text)])
}

/// The value at a path of map keys, lists not entered.
fn find_map<'o>(object: &'o Object, keys: &[String]) -> Option<&'o Value> {
    let (first, rest) = keys.split_first()?;
    rest.iter().try_fold(object.fields().get(first)?, |value, key| value.as_object()?.get(key))
}
