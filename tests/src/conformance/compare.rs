//! When an answer is right: one comparison for each kind of case, whatever the engine.
//!
//! Numbers are equal when they have one value: the record does not tell `2` from `2.0`. An error's text is ours; that
//! there is an error is not, nor its stage and line where the record has them.

mod order;

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Compares the recorded case with an answer; `Err` says how they differ.
pub type Comparison = fn(&Value, &Value) -> Result<(), String>;

pub(super) fn template(case: &Value, answer: &Value) -> Result<(), String> {
    let place = |error: &Value| json!({"stage": error["stage"], "line": error["line"]});
    match case.get("error") {
        Some(error) => same(
            &json!({"error": place(error)}),
            &match answer.get("error") {
                Some(error) => json!({"error": place(error)}),
                None => answer.clone(),
            },
        ),
        None => fields(case, answer, &["output"]),
    }
}

pub(super) fn yaml_parse(case: &Value, answer: &Value) -> Result<(), String> {
    fails_or(case, answer, &["json"])
}

pub(super) fn yaml_write(case: &Value, answer: &Value) -> Result<(), String> {
    fields(case, answer, &["yaml"])
}

pub(super) fn glob(case: &Value, answer: &Value) -> Result<(), String> {
    fields(case, answer, &["match", "badPattern"])
}

pub(super) fn filepath_match(case: &Value, answer: &Value) -> Result<(), String> {
    let mut expect = json!({"match": case["Match"]});
    expect["badPattern"] = case["Err"].clone();
    same(&expect, answer)
}

pub(super) fn exclusion(case: &Value, answer: &Value) -> Result<(), String> {
    fails_or(case, answer, &["excluded"])
}

pub(super) fn scope(case: &Value, answer: &Value) -> Result<(), String> {
    // The list is a set: the record has it sorted.
    let sorted = |value: &Value| json!({"enabled": value["enabled"], "only": value["only"].as_array().map(|_| sorted(&value["only"]))});
    same(&sorted(case), &sorted(answer))
}

pub(super) fn annotations(case: &Value, answer: &Value) -> Result<(), String> {
    let verdict = |value: &Value| json!({"invalid": !value["invalid"].is_null(), "paused": value["paused"], "unmanaged": value["unmanaged"]});
    same(&verdict(case), &verdict(answer))
}

pub(super) fn mask(case: &Value, answer: &Value) -> Result<(), String> {
    fails_or(case, answer, &["result"])
}

pub(super) fn patch(case: &Value, answer: &Value) -> Result<(), String> {
    match ["rejected", "error"].into_iter().find(|way| case.get(way).is_some()) {
        Some(way) if answer.get(way).is_some() => Ok(()),
        Some(way) => Err(format!("expected {way} ({}), got {}", short(&case[way]), short(answer))),
        None => fields(case, answer, &["result"]),
    }
}

pub(super) fn json_patch(case: &Value, answer: &Value) -> Result<(), String> {
    // A case that tells neither only asks not to break.
    if case.get("error").is_none() && case.get("expected").is_none() {
        return Ok(());
    }
    fails_or(case, answer, &["expected"])
}

pub(super) fn ssa(case: &Value, answer: &Value) -> Result<(), String> {
    let steps = case["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| step["op"] != "live") {
        let given = &answer[index];
        // Go's empty list is null.
        let mut step = step.clone();
        if step.get("managedFields").is_some_and(Value::is_null) {
            step["managedFields"] = Value::Array(Vec::new());
        }
        let conflict = |value: &Value| value["error"].as_str().is_some_and(|text| text.contains("conflict"));
        let outcome = fails_or(&step, given, &["live", "managedFields"]).and_then(|()| {
            if conflict(&step) == conflict(given) {
                return Ok(());
            }
            Err(format!("expected {}, got {}", short(&step["error"]), short(&given["error"])))
        });
        outcome.map_err(|difference| format!("step {}: {difference}", index + 1))?;
    }
    Ok(())
}

pub(super) fn catalog(case: &Value, answer: &Value) -> Result<(), String> {
    fields(case, answer, &["features", "requiredCRD"])?;
    same(&sorted(&case["tombstones"]), &sorted(&answer["tombstones"]))
}

pub(super) fn merge(case: &Value, answer: &Value) -> Result<(), String> {
    fields(case, answer, &["ok"])?;
    same(&untabbed(&case["object"]), &answer["object"])?;
    // A sequence without owners asserts none.
    let owners = case["managed"].as_object().into_iter().flatten();
    owners.into_iter().try_for_each(|(manager, owner)| same(&owner["set"], &answer["managed"][manager]))
}

/// A YAML text of the suite, which is indented by tabs, as the value that it is.
pub(super) fn untabbed(text: &Value) -> Value {
    let text = text.as_str().unwrap_or_default().replace('\t', "  ");
    virt_autopilot::yaml::parse(&text).unwrap_or_default()
}

pub(super) fn scenario(case: &Value, answer: &Value) -> Result<(), String> {
    if let Some(error) = answer.get("error") {
        return Err(format!("expected rounds, got the error {}", short(error)));
    }
    let rounds = case["rounds"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ranks = order::ranks(rounds);
    for (index, round) in rounds.iter().enumerate() {
        let given = &answer["rounds"][index];
        same(&settled(round), &settled(given))
            .and_then(|()| order::same(&ranks, round, given))
            .map_err(|difference| format!("round {}: {difference}", index + 1))?;
    }
    Ok(())
}

/// A round without what does not count: the order of equals, statuses, null timestamps, empty maps of labels and annotations, and an error's own words.
fn settled(round: &Value) -> Value {
    let events = round["events"].as_array().into_iter().flatten().map(|event| {
        let mut event = event.clone();
        event["note"] = without_cause(&event["note"]);
        event
    });
    let live = round["live"].as_array().into_iter().flatten().map(|object| {
        let mut object = object.clone();
        if let Some(map) = object.as_object_mut() {
            map.remove("status");
        }
        // An API server drops them; the recording's keeps them where it does not know the kind.
        for map in ["annotations", "labels"] {
            if let Some(metadata) =
                object["metadata"].as_object_mut().filter(|metadata| metadata.get(map) == Some(&json!({})))
            {
                metadata.remove(map);
            }
        }
        without_null_timestamps(&mut object);
        object
    });
    json!({
        "actions": sorted(&round["actions"]),
        "events": sorted(&events.collect()),
        "live": sorted(&live.collect()),
        "metrics": sorted(&round["metrics"]),
        "error": round.get("error").map(without_cause),
    })
}

/// Messages up to the words of their cause: which asset, which object and which kind of failure stay.
fn without_cause(text: &Value) -> Value {
    const CAUSES: [&str; 5] = [
        "failed to execute template: ",
        "failed to parse template: ",
        "invalid patch annotation: ",
        "failed to mask field",
        "failed to perform dry-run apply: ",
    ];
    let Some(text) = text.as_str() else {
        return text.clone();
    };
    let end = CAUSES.iter().filter_map(|cause| text.find(cause).map(|at| at + cause.len())).min();
    Value::from(end.map_or(text, |end| &text[..end]))
}

fn without_null_timestamps(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if map.get("creationTimestamp").is_some_and(Value::is_null) {
                map.remove("creationTimestamp");
            }
            map.values_mut().for_each(without_null_timestamps);
        }
        Value::Array(items) => items.iter_mut().for_each(without_null_timestamps),
        _ => {}
    }
}

/// Where an error is recorded any error will do; else those fields must be equal.
fn fails_or(case: &Value, answer: &Value, keys: &[&str]) -> Result<(), String> {
    match (case.get("error"), answer.get("error")) {
        (Some(_), Some(_)) => Ok(()),
        (Some(error), None) => Err(format!("expected an error ({}), got {}", short(error), short(answer))),
        (None, _) => fields(case, answer, keys),
    }
}

fn fields(case: &Value, answer: &Value, keys: &[&str]) -> Result<(), String> {
    if let Some(error) = answer.get("error").filter(|_| !keys.contains(&"error")) {
        return Err(format!("expected {}, got the error {}", short(&case[keys[0]]), short(error)));
    }
    keys.iter().try_for_each(|key| same(&case[key], &answer[key]))
}

/// Whether two values are equal; `Err` names the first place where they are not.
fn same(expect: &Value, actual: &Value) -> Result<(), String> {
    match difference(expect, actual, "") {
        None => Ok(()),
        Some((place, expect, actual)) => {
            let place = if place.is_empty() { String::new() } else { format!("at {place}: ") };
            Err(format!("{place}expected {expect}, got {actual}"))
        }
    }
}

fn difference(expect: &Value, actual: &Value, place: &str) -> Option<(String, String, String)> {
    match (expect, actual) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            keys.into_iter().find_map(|key| {
                let place = format!("{place}/{key}");
                match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => difference(a, b, &place),
                    (a, b) => Some((place, shown(a), shown(b))),
                }
            })
        }
        (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len())).find_map(|index| {
            let place = format!("{place}/{index}");
            match (a.get(index), b.get(index)) {
                (Some(a), Some(b)) => difference(a, b, &place),
                (a, b) => Some((place, shown(a), shown(b))),
            }
        }),
        (Value::Number(a), Value::Number(b)) if number(a) == number(b) => None,
        (a, b) if a == b => None,
        (Value::String(a), Value::String(b)) => {
            let begin = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
            Some((place.to_owned(), excerpt(a, begin), excerpt(b, begin)))
        }
        (a, b) => Some((place.to_owned(), short(a), short(b))),
    }
}

/// A number's value: the integer where it is one, else its bits.
fn number(number: &serde_json::Number) -> (bool, i128) {
    if let Some(integer) = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)) {
        return (true, integer);
    }
    let float = number.as_f64().unwrap_or(f64::NAN);
    let whole = float.fract() == 0.0 && float.abs() < 1e30;
    if whole { (true, float as i128) } else { (false, i128::from(float.to_bits())) }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), short)
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 160 { text } else { text.chars().take(157).chain("…".chars()).collect() }
}

/// A text from shortly before the byte where it differs from another.
fn excerpt(text: &str, byte: usize) -> String {
    let mut begin = byte.saturating_sub(30).min(text.len());
    while !text.is_char_boundary(begin) {
        begin -= 1;
    }
    let lead = if begin > 0 { "…" } else { "" };
    format!("{lead}{}", short(&Value::from(&text[begin..])))
}

/// A list in an order that does not depend on where it came from; what is no list is an empty one.
fn sorted(list: &Value) -> Value {
    let mut items = list.as_array().cloned().unwrap_or_default();
    items.sort_by_key(Value::to_string);
    Value::Array(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_by_value() {
        assert_eq!(same(&json!([2, 9007199254740992_i64]), &json!([2.0, 9007199254740992.0])), Ok(()));
        assert!(same(&json!(9007199254740993_i64), &json!(9007199254740992.0)).is_err());
        assert!(same(&json!(1.5), &json!(1)).is_err());
    }

    #[test]
    fn null_is_not_absent() {
        let difference = same(&json!({"a": {"b": null}}), &json!({"a": {}}));
        assert_eq!(difference, Err("at /a/b: expected null, got nothing".to_owned()));
    }

    #[test]
    fn an_error_counts_by_stage_and_line() {
        let case = json!({"error": {"stage": "parse", "line": 2, "go": "words"}});
        assert_eq!(template(&case, &json!({"error": {"stage": "parse", "line": 2, "message": "other words"}})), Ok(()));
        assert!(template(&case, &json!({"error": {"stage": "execute", "line": 2}})).is_err());
        assert!(template(&case, &json!({"output": ""})).is_err());
    }
}
