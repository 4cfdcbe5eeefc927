//! How a command fails.

use std::fmt;
use std::process::ExitCode;

/// The outcome of a step.
pub type Result<T = ()> = std::result::Result<T, Failure>;

/// Why a command ends early, as one sentence for people.
#[derive(Debug)]
pub enum Failure {
    /// The command was called wrongly: exit code 2.
    Usage(String),
    /// Something that it needs is missing or went wrong: exit code 1.
    Failed(String),
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }

    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Failed(_) => ExitCode::from(1),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Failed(message) => f.write_str(message),
        }
    }
}

/// Adds what was being done to an error of the file system.
pub trait Context<T> {
    fn context(self, doing: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: fmt::Display> Context<T> for std::result::Result<T, E> {
    fn context(self, doing: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Failure::failed(format!("cannot {}: {error}", doing())))
    }
}

/// Refuses every argument that is not one of `known`.
pub fn only(arguments: &[String], known: &[&str]) -> Result {
    match arguments.iter().find(|argument| !known.contains(&argument.as_str())) {
        None => Ok(()),
        Some(unknown) if known.is_empty() => Err(Failure::usage(format!("this takes no arguments, not `{unknown}`"))),
        Some(unknown) => Err(Failure::usage(format!("`{unknown}` is not one of {}", known.join(", ")))),
    }
}
