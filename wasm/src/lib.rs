//! The WebAssembly interface of virt-autopilot: thin exports over the core, and the one place where values cross.
//!
//! The npm package `virt-autopilot` is what people use; nothing here is stable by itself.

mod catalog;
mod demo;
mod diff;
mod encoding;
mod machine;
mod plan;
mod positions;
mod render;
mod snapshot;
mod ssa;
mod table;
mod tools;
mod yaml;

use wasm_bindgen::prelude::*;

/// What an export answers: a value, or what is thrown.
type Answer<T = JsValue> = Result<T, JsValue>;

/// The version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
