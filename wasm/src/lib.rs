//! The WebAssembly interface of virt-autopilot: thin exports over the core, and the one place where values cross.
//!
//! The npm package `virt-autopilot` is what people use; nothing here is stable by itself.

mod encoding;

use encoding::{from_js, to_js};
use wasm_bindgen::prelude::*;

/// The version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The names of the behaviours that the engine knows, the oldest first.
#[wasm_bindgen]
pub fn behaviors() -> Result<JsValue, JsValue> {
    let _: serde_json::Value = from_js(&JsValue::NULL)?;
    to_js(&virt_autopilot::Behavior::ALL)
}
