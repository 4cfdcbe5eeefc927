//! Who answers.

use serde_json::{Value, json};

/// What is asked of an engine.
#[derive(Clone, Debug)]
pub struct Question {
    /// The name of the operation, the same for every engine.
    pub op: &'static str,
    /// What it is done to.
    pub input: Value,
}

/// What an engine says.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The outcome in the shape of the record.
    Given(Value),
    /// The engine has no such operation yet.
    NotYet,
    /// The engine panicked or trapped.
    Broken(String),
}

/// The native core or the npm package.
pub trait Engine {
    /// The name in reports.
    fn name(&self) -> &'static str;

    /// Answers questions, in their order.
    ///
    /// # Errors
    ///
    /// Where the engine cannot be run at all.
    fn answer(&self, questions: &[Question]) -> Result<Vec<Answer>, String>;
}

impl Question {
    /// The question as a line of JSON.
    pub fn to_line(&self) -> String {
        json!({"op": self.op, "input": self.input}).to_string()
    }
}
