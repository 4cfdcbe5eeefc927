//! What differs between two values.

use serde_json::Value;
use virt_autopilot::diff::{DiffOptions, UnifiedOptions};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::encoding::{from_js, to_js};

/// The fields that differ; `null` is an object that is not there.
#[wasm_bindgen]
pub fn diff_changes(before: &JsValue, after: &JsValue, options: &JsValue) -> Answer {
    let (before, after): (Option<Value>, Option<Value>) = (from_js(before)?, from_js(after)?);
    let options: DiffOptions = from_js::<Option<_>>(options)?.unwrap_or_default();
    to_js(&virt_autopilot::diff::changes(before.as_ref(), after.as_ref(), options))
}

/// The difference as text, in the format of `diff -u`.
#[wasm_bindgen]
pub fn diff_unified(before: &JsValue, after: &JsValue, options: &JsValue) -> Answer<String> {
    let (before, after): (Option<Value>, Option<Value>) = (from_js(before)?, from_js(after)?);
    let options: UnifiedOptions = from_js::<Option<_>>(options)?.unwrap_or_default();
    Ok(virt_autopilot::diff::unified(before.as_ref(), after.as_ref(), &options))
}

/// The JSON Patch (RFC 6902) that makes one value of the other.
#[wasm_bindgen]
pub fn diff_patch(before: &JsValue, after: &JsValue) -> Answer {
    to_js(&virt_autopilot::diff::to_patch(&from_js(before)?, &from_js(after)?))
}
