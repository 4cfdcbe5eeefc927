//! The native core as an engine.

mod catalog;
mod overrides;
mod scenario;
mod ssa;
mod yaml;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use super::engine::{Answer, Engine, Question};

/// The native core.
#[derive(Clone, Copy, Debug)]
pub struct Native;

impl Engine for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn answer(&self, questions: &[Question]) -> Result<Vec<Answer>, String> {
        Ok(questions.iter().map(answer).collect())
    }
}

fn answer(question: &Question) -> Answer {
    match catch_unwind(AssertUnwindSafe(|| outcome(question.op, &question.input))) {
        Ok(Some(value)) => Answer::Given(value),
        Ok(None) => Answer::NotYet,
        Err(_) => Answer::Broken("it panicked".to_owned()),
    }
}

/// The outcome in the shape of the record; `None` where the core cannot do it yet.
fn outcome(op: &str, input: &Value) -> Option<Value> {
    Some(match op {
        "annotations" => overrides::annotations(input),
        "catalog" => catalog::catalog(input),
        "exclusion" => overrides::exclusion(input),
        "glob" | "filepath-match" => overrides::glob(input),
        "json-patch" => overrides::json_patch(input),
        "mask" => overrides::mask(input),
        "patch" => overrides::patch(input),
        "scenario" => scenario::scenario(input),
        "scope" => overrides::scope(input),
        "merge" => ssa::merge(input),
        "ssa" => ssa::ssa(input),
        "template" => catalog::template(input),
        "yaml-parse" => yaml::parse(input),
        "yaml-write" => yaml::write(input),
        _ => return None,
    })
}

/// An outcome that is an error.
fn error(message: impl ToString) -> Value {
    json!({"error": message.to_string()})
}

/// A text of the input, empty where absent.
fn text<'a>(input: &'a Value, key: &str) -> &'a str {
    input[key].as_str().unwrap_or_default()
}
