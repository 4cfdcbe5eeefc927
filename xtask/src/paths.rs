//! Where things are, and files that are written only when they change.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Result};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    let here = PathBuf::from(here);
    here.parent().map(Path::to_owned).unwrap_or(here)
}

/// The npm workspace.
pub fn js() -> PathBuf {
    root().join("js")
}

/// The npm package `virt-autopilot`.
pub fn engine() -> PathBuf {
    js().join("engine")
}

/// The console plugin, an npm project of its own.
pub fn console_plugin() -> PathBuf {
    root().join("console-plugin")
}

/// Where intermediate results go; never committed.
pub fn target() -> PathBuf {
    root().join("target")
}

pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).context(|| format!("read {}", path.display()))
}

pub fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).context(|| format!("read {}", path.display()))
}

/// Writes a file and the folders above it.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).context(|| format!("make {}", parent.display()))?;
    }
    fs::write(path, content).context(|| format!("write {}", path.display()))
}

/// Removes a folder with what is in it, and makes it anew.
pub fn empty_dir(path: &Path) -> Result {
    if path.exists() {
        fs::remove_dir_all(path).context(|| format!("empty {}", path.display()))?;
    }
    fs::create_dir_all(path).context(|| format!("make {}", path.display()))
}
