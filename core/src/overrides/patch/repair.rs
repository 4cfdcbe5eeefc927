//! What a text that is no patch was meant to be: changes of it that make a patch.

use serde_json::{Map, Value};

use super::decode;
use super::json::{self, Shape};
use crate::pointer::escape;

/// Longest text that is tried to be mended, in bytes.
const MAX_REPAIR_BYTES: usize = 64 << 10;
/// Most operations that a merge patch is turned into.
const MAX_MERGE_OPERATIONS: usize = 200;

/// A way to write a text that is no JSON, and what it was taken for.
pub(super) struct Repair {
    pub(super) taken_for: &'static str,
    pub(super) title: &'static str,
    pub(super) text: String,
}

/// The first change of the text that makes it a list of maps.
pub(super) fn mend(text: &str) -> Option<Repair> {
    type Attempt = (&'static str, &'static str, fn(&str) -> Option<String>);
    const ATTEMPTS: [Attempt; 6] = [
        ("a patch followed by other text", "drop the text after the list", first_value),
        ("a patch wrapped in quotes or code marks", "drop what is around the list", unwrapped),
        ("a patch with a comma too many", "drop the comma", without_trailing_commas),
        ("a patch with typographic quotes", "use plain double quotes", plain_quotes),
        ("a patch with single quotes", "use double quotes", double_quotes),
        ("a patch with escaped quotes", "drop the backslashes", without_backslashes),
    ];
    if text.len() > MAX_REPAIR_BYTES {
        return None;
    }
    ATTEMPTS.into_iter().find_map(|(taken_for, title, attempt)| {
        let text = attempt(text).filter(|text| is_list_of_maps(text))?;
        Some(Repair { taken_for, title, text })
    })
}

fn is_list_of_maps(text: &str) -> bool {
    json::parse(text).is_ok_and(|json| match json.shape {
        Shape::List(items) => !items.is_empty() && items.iter().all(|item| matches!(item.shape, Shape::Map(_))),
        _ => false,
    })
}

/// Whether a text is a patch that the controller decodes and that has operations.
pub(super) fn is_patch(text: &str) -> bool {
    json::parse(text).is_ok_and(|json| decode::operations(text, &json).is_ok_and(|operations| !operations.is_empty()))
}

fn unwrapped(text: &str) -> Option<String> {
    let start = text.find('[')?;
    let end = text.rfind(']')?;
    let around = [text.get(..start)?, text.get(end + 1..)?];
    // Only marks and a word such as `json` or a flag of a shell may stand around the list.
    let marks =
        |part: &str| part.chars().all(|c| c.is_ascii_alphanumeric() || c.is_whitespace() || "'\"`|>-".contains(c));
    around.into_iter().all(marks).then(|| text.get(start..=end).map(str::to_owned)).flatten()
}

fn first_value(text: &str) -> Option<String> {
    match json::parse(text) {
        Err(json::SyntaxError { offset, problem: json::Problem::TextAfterEnd }) => {
            text.get(..offset).map(|text| text.trim_end().to_owned())
        }
        _ => None,
    }
}

/// Drops each comma that stands before a closing bracket, outside of strings.
fn without_trailing_commas(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut in_string = false;
    let mut escaped = false;
    for character in text.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else {
            in_string = character == '"';
            if matches!(character, ']' | '}') {
                let kept = out.trim_end();
                if let Some(kept) = kept.strip_suffix(',') {
                    out.truncate(kept.len());
                }
            }
        }
        out.push(character);
    }
    Some(out)
}

fn plain_quotes(text: &str) -> Option<String> {
    Some(text.replace(['\u{201c}', '\u{201d}', '\u{201e}'], "\""))
}

fn double_quotes(text: &str) -> Option<String> {
    (!text.contains('"')).then(|| text.replace('\'', "\""))
}

fn without_backslashes(text: &str) -> Option<String> {
    Some(text.replace("\\\"", "\""))
}

/// Whether a text that is no JSON looks like YAML: items or members one a line.
pub(super) fn looks_like_yaml(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| {
        let rest = line.strip_prefix("- ").unwrap_or(line);
        line.starts_with("---")
            || line == "-"
            || rest.split_once(':').is_some_and(|(key, value)| {
                let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
                plain && (value.is_empty() || value.starts_with(' '))
            })
    })
}

/// The operations that do to the baseline what a merge patch (RFC 7386) would.
pub(super) fn from_merge_patch(patch: &Map<String, Value>, baseline: &Map<String, Value>) -> Option<String> {
    let mut operations = Vec::new();
    merge(patch, Some(baseline), "", &mut operations);
    let fits = !operations.is_empty() && operations.len() <= MAX_MERGE_OPERATIONS;
    fits.then(|| Value::Array(operations).to_string())
}

fn merge(patch: &Map<String, Value>, target: Option<&Map<String, Value>>, at: &str, operations: &mut Vec<Value>) {
    for (key, value) in patch {
        let path = format!("{at}/{}", escape(key));
        let present = target.and_then(|target| target.get(key));
        let mut operation = Map::new();
        match (value, present) {
            (Value::Null, None) => continue,
            (Value::Null, Some(_)) => {
                operation.insert("op".to_owned(), "remove".into());
            }
            (Value::Object(inner), Some(Value::Object(target))) => {
                merge(inner, Some(target), &path, operations);
                continue;
            }
            _ => {
                operation.insert("op".to_owned(), if present.is_some() { "replace" } else { "add" }.into());
                operation.insert("value".to_owned(), value.clone());
            }
        }
        operation.insert("path".to_owned(), path.into());
        operations.push(Value::Object(operation));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_mended() {
        let patch = r#"[{"op":"remove","path":"/a"}]"#;
        let check =
            |text: &str, expect: Option<&str>| assert_eq!(mend(text).map(|it| it.text).as_deref(), expect, "{text}");
        check(&format!("'{patch}'"), Some(patch));
        check(&format!("```json\n{patch}\n```"), Some(patch));
        check(&format!("{patch} # why"), Some(patch));
        check(&patch.replace('"', "'"), Some(patch));
        check(&patch.replace('"', "\\\""), Some(patch));
        check(r#"[{"op":"remove","path":"/a",},]"#, Some(patch));
        check("[{\u{201c}op\u{201d}:\u{201c}remove\u{201d},\"path\":\"/a\"}]", Some(patch));
        check("no patch", None);
    }

    #[test]
    fn yaml_is_recognised() {
        assert!(looks_like_yaml("# why\n- op: replace\n  path: /a\n"));
        assert!(looks_like_yaml("spec:\n  num: 2"));
        assert!(!looks_like_yaml("not json"));
        assert!(!looks_like_yaml("{a: 1}"));
    }

    #[test]
    fn a_merge_patch_becomes_operations() {
        let patch = json!({"spec": {"num": 2, "new": {"a/b": 1}, "gone": null, "none": null}});
        let baseline = json!({"spec": {"num": 1, "gone": 1}});
        let text = from_merge_patch(patch.as_object().unwrap(), baseline.as_object().unwrap()).unwrap();
        let expect = json!([
            {"op": "remove", "path": "/spec/gone"},
            {"op": "add", "path": "/spec/new", "value": {"a/b": 1}},
            {"op": "replace", "path": "/spec/num", "value": 2},
        ]);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expect);
    }
}
