//! A file of cases.

use std::path::Path;

use serde_json::Value;

use super::engine::Question;
use super::kind::{self, Kind};

/// A file of cases of one kind.
#[derive(Debug)]
pub struct Suite {
    /// What the cases are about.
    pub kind: &'static Kind,
    /// The cases, in the file's order.
    pub cases: Vec<Case>,
}

/// One case.
#[derive(Debug)]
pub struct Case {
    /// A name that does not depend on the other cases of the file.
    pub name: String,
    /// What is asked.
    pub question: Question,
    /// The case as recorded, with the outcome.
    pub expect: Value,
}

/// Reads a file.
///
/// # Errors
///
/// Where it cannot be read, is no JSON, or has no known shape.
pub fn read(path: &Path) -> Result<Suite, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let document = document(&text).map_err(|error| format!("{} is no JSON: {error}", path.display()))?;
    let cases = document.get("cases").unwrap_or(&document).as_array().filter(|cases| !cases.is_empty());
    let Some(cases) = cases else {
        return Err(format!("{} has no cases", path.display()));
    };
    let Some(kind) = kind::of(cases) else {
        return Err(format!("the cases of {} have no known shape", path.display()));
    };
    let case = |case: &Value| Case {
        name: (kind.label)(case),
        question: Question { op: kind.name, input: (kind.input)(&document, case) },
        expect: case.clone(),
    };
    // The public suites have cases that their authors switched off, and some that need schemas which are not there.
    let cases = cases.iter().take(kind.cases).filter(|case| case["disabled"] != true).map(case).collect();
    Ok(Suite { kind, cases })
}

/// A JSON document, or a list of those that stand a line each.
fn document(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| {
        let lines: Result<Vec<Value>, _> =
            text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str).collect();
        lines.map(Value::Array).map_err(|_| error)
    })
}
