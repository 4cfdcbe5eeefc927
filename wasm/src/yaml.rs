//! Reading and writing YAML.

use virt_autopilot::yaml::{self, YamlError};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::encoding::{self, Refusal, to_js};
use crate::positions::in_text;

/// Reads the first document of a text.
#[wasm_bindgen]
pub fn yaml_parse(text: &str) -> Answer {
    to_js(&yaml::parse(text).map_err(|error| unreadable(text, &error))?)
}

/// Reads all documents of a text.
#[wasm_bindgen]
pub fn yaml_parse_all(text: &str) -> Answer {
    let documents = yaml::parse_stream(text).map_err(|error| unreadable(text, &error))?;
    let values: Vec<_> = documents.into_iter().map(|document| document.value).collect();
    to_js(&values)
}

/// Writes a value.
#[wasm_bindgen]
pub fn yaml_write(value: &JsValue) -> Answer<String> {
    Ok(yaml::write(&encoding::value(value)?))
}

fn unreadable(text: &str, error: &YamlError) -> Refusal {
    let mut diagnostic = error.to_diagnostic();
    in_text(&mut diagnostic, text);
    Refusal::new("yaml.unreadable", error).problems(vec![diagnostic])
}
