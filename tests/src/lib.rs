//! Tests that cross the crates: conformance, golden files, packaging.
