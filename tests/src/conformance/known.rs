//! The differences that are chosen on purpose: `tests/conformance/known_diffs.toml`.

use std::collections::BTreeMap;

use crate::root;

/// For each kind of case, the names of cases and why they differ.
#[derive(Debug, Default)]
pub struct KnownDifferences(BTreeMap<String, BTreeMap<String, String>>);

impl KnownDifferences {
    /// Reads the project's file.
    ///
    /// # Errors
    ///
    /// Where it is missing or not of the form `[kind]`, `"case" = "reason"`.
    pub fn read() -> Result<Self, String> {
        let path = root().join("tests/conformance/known_diffs.toml");
        let text =
            std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        toml::from_str(&text).map(Self).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Why a case differs; `None` where it must not.
    pub fn reason(&self, kind: &str, case: &str) -> Option<&str> {
        self.0.get(kind)?.get(case).map(String::as_str)
    }
}
