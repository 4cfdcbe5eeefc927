//! Reading and writing YAML.

use serde_json::{Value, json};
use virt_autopilot::yaml;

use super::{error, text};

pub(super) fn parse(input: &Value) -> Value {
    match yaml::parse(text(input, "yaml")) {
        Ok(value) => json!({"json": value}),
        Err(problem) => error(problem),
    }
}

pub(super) fn write(input: &Value) -> Value {
    json!({"yaml": yaml::write(&input["value"])})
}
