//! The conformance run: files of recorded cases, asked of an engine, whose answers are compared with the record.
//!
//! A file's shape tells its [kind](kind::Kind). The kind makes a question of each case and compares the answer; an
//! [engine](engine::Engine) answers. So there is one comparison for the native core and for the npm package.

pub mod compare;
pub mod engine;
pub mod kind;
pub mod known;
mod native;
mod package;
pub mod suite;

pub use native::Native;
pub use package::Package;

use std::path::{Path, PathBuf};

use crate::root;
use engine::{Answer, Engine};
use known::KnownDifferences;
use suite::Suite;

/// What came of one file with one engine.
#[derive(Debug, Default)]
pub struct Report {
    /// How many cases came out as recorded.
    pub passed: usize,
    /// How many differ for a reason that `known_diffs.toml` gives.
    pub known: usize,
    /// How many the engine cannot answer yet.
    pub not_run: usize,
    /// The names of the cases that differ, and how.
    pub failures: Vec<(String, String)>,
}

/// Asks an engine every case of a file.
///
/// # Errors
///
/// Where the engine itself does not work.
pub fn run(suite: &Suite, engine: &dyn Engine, known: &KnownDifferences) -> Result<Report, String> {
    let questions: Vec<_> = suite.cases.iter().map(|case| case.question.clone()).collect();
    let answers = engine.answer(&questions)?;
    if answers.len() != questions.len() {
        return Err(format!("{} questions got {} answers", questions.len(), answers.len()));
    }
    let mut report = Report::default();
    for (case, answer) in suite.cases.iter().zip(answers) {
        let outcome = match answer {
            Answer::NotYet => {
                report.not_run += 1;
                continue;
            }
            Answer::Broken(message) => Err(format!("the engine broke: {message}")),
            Answer::Given(answer) => (suite.kind.compare)(&case.expect, &answer),
        };
        match (outcome, known.reason(suite.kind.name, &case.name)) {
            (Ok(()), None) => report.passed += 1,
            (Err(_), Some(_)) => report.known += 1,
            (Err(difference), None) => report.failures.push((case.name.clone(), difference)),
            (Ok(()), Some(_)) => {
                let message = "passes, though known_diffs.toml has it as a known difference";
                report.failures.push((case.name.clone(), message.to_owned()));
            }
        }
    }
    Ok(report)
}

/// The files that are run where none is named: the recorded vectors, and the public suites where they are at hand.
pub fn default_files() -> Vec<PathBuf> {
    let shared = root().join("../shared");
    let vectors = shared.join("vectors");
    let vectors = if vectors.is_dir() { vectors } else { root().join("tests/conformance/vectors") };
    let mut files = files_in(&vectors);
    files.extend(files_in(&shared.join("suites")));
    files
}

fn files_in(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "json" || end == "jsonl")).collect();
    files.sort();
    files
}
