//! What kinds of cases there are: how to know them, what they ask, and when an answer is right.

use serde_json::{Map, Value, json};

use super::compare::{self, Comparison};
use crate::root;

/// A kind of cases.
#[derive(Debug)]
pub struct Kind {
    /// The name, which is that of the operation as well.
    pub name: &'static str,
    /// The keys that a case of this kind has; `a|b` means one of the two.
    keys: &'static [&'static str],
    /// A case's name.
    pub label: fn(&Value) -> String,
    /// What is asked, from the whole file and the case.
    pub input: fn(&Value, &Value) -> Value,
    /// Whether an answer is right.
    pub compare: Comparison,
    /// How many cases of a file are of this kind, from the first on.
    pub cases: usize,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "template",
        keys: &["template"],
        label: |case| text(case, "template"),
        input: |file, case| {
            // Objects as JSON text, as an API server gives them: JavaScript has no `2.0` besides `2`.
            let objects =
                file["objects"].as_array().into_iter().flatten().map(|object| Value::from(object.to_string()));
            let mut input = pick(&[(file, &["context"]), (case, &["template"])]);
            input["hco"] = Value::from(file["context"]["hco"].to_string());
            input["objects"] = objects.collect();
            input
        },
        compare: compare::template,
        cases: usize::MAX,
    },
    Kind {
        name: "yaml-write",
        keys: &["value", "yaml"],
        label: |case| case["value"].to_string(),
        input: |_, case| pick(&[(case, &["value"])]),
        compare: compare::yaml_write,
        cases: usize::MAX,
    },
    Kind {
        name: "yaml-parse",
        keys: &["yaml", "json|error"],
        label: |case| text(case, "yaml"),
        input: |_, case| pick(&[(case, &["yaml"])]),
        compare: compare::yaml_parse,
        cases: usize::MAX,
    },
    Kind {
        name: "glob",
        keys: &["pattern", "name", "match"],
        label: |case| format!("{} on {}", text(case, "pattern"), text(case, "name")),
        input: |_, case| pick(&[(case, &["pattern", "name"])]),
        compare: compare::glob,
        cases: usize::MAX,
    },
    Kind {
        name: "filepath-match",
        keys: &["Pattern", "Name", "Match", "Err"],
        label: |case| format!("{} on {}", text(case, "Pattern"), text(case, "Name")),
        input: |_, case| json!({"pattern": case["Pattern"], "name": case["Name"]}),
        compare: compare::filepath_match,
        cases: usize::MAX,
    },
    Kind {
        name: "exclusion",
        keys: &["rules", "excluded|error"],
        label: |case| text(case, "rules"),
        input: |file, case| pick(&[(file, &["resources"]), (case, &["rules"])]),
        compare: compare::exclusion,
        cases: usize::MAX,
    },
    Kind {
        name: "scope",
        keys: &["annotation", "enabled"],
        label: |case| case["annotation"].as_str().unwrap_or("(absent)").to_owned(),
        input: |_, case| pick(&[(case, &["annotation"])]),
        compare: compare::scope,
        cases: usize::MAX,
    },
    Kind {
        name: "annotations",
        keys: &["annotations", "paused"],
        label: |case| case["annotations"].to_string(),
        input: |_, case| pick(&[(case, &["annotations"])]),
        compare: compare::annotations,
        cases: usize::MAX,
    },
    Kind {
        name: "mask",
        keys: &["pointers", "result|error"],
        label: |case| text(case, "pointers"),
        input: |file, case| pick(&[(file, &["desired", "live"]), (case, &["desired", "live", "pointers"])]),
        compare: compare::mask,
        cases: usize::MAX,
    },
    Kind {
        name: "patch",
        keys: &["patch", "kind"],
        label: |case| format!("{} {}", text(case, "kind"), text(case, "patch")),
        input: |file, case| pick(&[(file, &["object"]), (case, &["object", "kind", "patch"])]),
        compare: compare::patch,
        cases: usize::MAX,
    },
    Kind {
        name: "json-patch",
        keys: &["doc", "patch"],
        label: |case| format!("{} {}", text(case, "comment"), case["patch"]),
        input: |_, case| pick(&[(case, &["doc", "patch"])]),
        compare: compare::json_patch,
        cases: usize::MAX,
    },
    Kind {
        name: "ssa",
        keys: &["steps"],
        label: |case| text(case, "name"),
        input: |file, case| {
            let schema = if case["schema"] == true { &file["schema"] } else { &Value::Null };
            json!({"schema": schema, "steps": without(&case["steps"], &["live", "managedFields", "error"])})
        },
        compare: compare::ssa,
        cases: usize::MAX,
    },
    Kind {
        name: "scenario",
        keys: &["rounds"],
        label: |case| text(case, "name"),
        input: |_, case| {
            let rounds = case["rounds"].as_array().into_iter().flatten().map(|round| pick(&[(round, &["writes"])]));
            let mut input = pick(&[(case, &["objects", "images"])]);
            input["rounds"] = rounds.collect();
            input["catalog"] = catalog("sample");
            input
        },
        compare: compare::scenario,
        cases: usize::MAX,
    },
    Kind {
        name: "catalog",
        keys: &["features", "requiredCRD"],
        label: |case| text(case, "name"),
        input: |_, case| json!({"name": case["name"], "catalog": catalog(&text(case, "name"))}),
        compare: compare::catalog,
        cases: usize::MAX,
    },
    Kind {
        name: "merge",
        keys: &["ops", "object", "managed"],
        label: |case| case["ops"].to_string(),
        input: |_, case| {
            let mut ops = case["ops"].clone();
            for op in ops.as_array_mut().into_iter().flatten() {
                op["Object"] = compare::untabbed(&op["Object"]);
            }
            json!({"ops": ops})
        },
        compare: compare::merge,
        // The sequences on an untyped object, `TestDeduced` of the suite; the rest needs its schemas.
        cases: 10,
    },
];

/// The kind whose keys every case has. What an empty file would be is not known.
pub fn of(cases: &[Value]) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| cases.iter().all(|case| kind.keys.iter().all(|key| has(case, key))))
}

fn has(case: &Value, key: &str) -> bool {
    key.split('|').any(|key| case.get(key).is_some())
}

fn text(case: &Value, key: &str) -> String {
    case[key].as_str().unwrap_or_default().to_owned()
}

/// The named fields of several maps; a later one wins.
fn pick(sources: &[(&Value, &[&str])]) -> Value {
    let fields = sources
        .iter()
        .flat_map(|(source, keys)| keys.iter().filter_map(|key| Some((String::from(*key), source.get(*key)?.clone()))));
    Value::Object(fields.collect::<Map<_, _>>())
}

/// A list of maps without those fields.
fn without(list: &Value, fields: &[&str]) -> Value {
    let strip = |item: &Value| {
        let mut item = item.clone();
        if let Some(map) = item.as_object_mut() {
            map.retain(|key, _| !fields.contains(&key.as_str()));
        }
        item
    };
    list.as_array().into_iter().flatten().map(strip).collect()
}

/// The files of a catalog in tests/catalogs: path to text.
pub(super) fn catalog(name: &str) -> Value {
    let dir = root().join("tests/catalogs").join(name);
    let mut files = Map::new();
    let mut open = vec![dir.clone()];
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if let (Ok(inner), Ok(text)) = (path.strip_prefix(&dir), std::fs::read_to_string(&path)) {
                files.insert(inner.to_string_lossy().into_owned(), Value::String(text));
            }
        }
    }
    Value::Object(files)
}
