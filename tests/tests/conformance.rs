//! The vectors that the project keeps, with the native core. `cargo xtask conformance` also runs the npm package.

use std::path::Path;

use virt_autopilot_tests::conformance::known::KnownDifferences;
use virt_autopilot_tests::conformance::{Native, run, suite};
use virt_autopilot_tests::root;

fn check(name: &str) {
    let path = root().join("tests/conformance/vectors").join(name);
    let suite = suite::read(Path::new(&path)).unwrap();
    let report = run(&suite, &Native, &KnownDifferences::read().unwrap()).unwrap();
    assert_eq!(report.failures, []);
    assert_eq!(report.passed + report.known, suite.cases.len());
}

#[test]
fn annotations() {
    check("annotations.json");
}

#[test]
fn catalog() {
    check("catalog.json");
}

#[test]
fn exclusion() {
    check("exclusion.json");
}

#[test]
fn glob() {
    check("glob.json");
}

#[test]
fn mask() {
    check("mask.json");
}

#[test]
fn patch() {
    check("patch.json");
}

#[test]
fn scope() {
    check("scope.json");
}

#[test]
fn template() {
    check("template.json");
}

#[test]
fn yaml_parse() {
    check("yaml-parse.json");
}

#[test]
fn yaml_write() {
    check("yaml-write.json");
}

#[test]
fn scenario() {
    check("scenario.json");
}

#[test]
fn ssa() {
    check("ssa.json");
}
