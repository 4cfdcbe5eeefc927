//! The npm package as an engine, in Node.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

use super::engine::{Answer, Engine, Question};
use crate::root;

/// The npm package, as installed in a project.
#[derive(Clone, Debug)]
pub struct Package {
    /// The folder that has the package in its `node_modules`.
    pub project: PathBuf,
}

impl Engine for Package {
    fn name(&self) -> &'static str {
        "npm"
    }

    /// Questions and answers are JSON, a line each.
    fn answer(&self, questions: &[Question]) -> Result<Vec<Answer>, String> {
        let mut node = Command::new("node");
        node.arg(root().join("tests/conformance/npm/engine.mjs")).arg(&self.project);
        node.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = node.spawn().map_err(|error| format!("cannot run node: {error}"))?;
        let mut stdin = child.stdin.take().ok_or("node has no standard input")?;
        let lines: String = questions.iter().map(|question| question.to_line() + "\n").collect();
        // Beside the reading of answers, lest both sides wait for the other to read.
        let writer = thread::spawn(move || stdin.write_all(lines.as_bytes()));
        let output = child.wait_with_output().map_err(|error| format!("cannot read from node: {error}"))?;
        if !output.status.success() {
            return Err(format!("engine.mjs ended with {}", output.status));
        }
        let written = writer.join().map_err(|_| "the questions were not written".to_owned())?;
        written.map_err(|error| format!("the questions were not read: {error}"))?;
        String::from_utf8_lossy(&output.stdout).lines().map(answer).collect()
    }
}

fn answer(line: &str) -> Result<Answer, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| format!("engine.mjs wrote no JSON: {error}"))?;
    let broken = value.get("broken").and_then(Value::as_str).map(|message| Answer::Broken(message.to_owned()));
    let given = value.get("answer").map(|answer| Answer::Given(answer.clone()));
    Ok(broken.or(given).unwrap_or(Answer::NotYet))
}
