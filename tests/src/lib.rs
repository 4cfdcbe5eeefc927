//! Tests that cross the crates: conformance, golden files, packaging.

pub mod conformance;
pub mod synthetic;

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
