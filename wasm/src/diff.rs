//! What differs between two values.

use serde_json::Value;
use virt_autopilot::diff::{DiffOptions, UnifiedOptions};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::encoding::{Refusal, read, to_js, value};

/// The fields that differ; `null` is an object that is not there.
#[wasm_bindgen]
pub fn diff_changes(before: &JsValue, after: &JsValue, options: &JsValue) -> Answer {
    let (before, after) = (present(before)?, present(after)?);
    let options: DiffOptions = read(value(options)?)?;
    to_js(&virt_autopilot::diff::changes(before.as_ref(), after.as_ref(), options))
}

/// The difference as text, in the format of `diff -u`.
#[wasm_bindgen]
pub fn diff_unified(before: &JsValue, after: &JsValue, options: &JsValue) -> Answer<String> {
    let (before, after) = (present(before)?, present(after)?);
    let options: UnifiedOptions = read(value(options)?)?;
    Ok(virt_autopilot::diff::unified(before.as_ref(), after.as_ref(), &options))
}

/// The JSON Patch (RFC 6902) that makes one value of the other.
#[wasm_bindgen]
pub fn diff_patch(before: &JsValue, after: &JsValue) -> Answer {
    to_js(&virt_autopilot::diff::to_patch(&value(before)?, &value(after)?))
}

fn present(side: &JsValue) -> Result<Option<Value>, Refusal> {
    Ok(Some(value(side)?).filter(|side| !side.is_null()))
}
