//! What is wrong with a template, or went wrong while it ran, and where.

use std::fmt;

/// When a template failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// While its text was read.
    Parse,
    /// While it ran.
    Execute,
}

impl Stage {
    /// The name: `parse` or `execute`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Execute => "execute",
        }
    }
}

/// The kind of a template's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The text is no template.
    Syntax,
    /// A function that templates do not have.
    UnknownFunction,
    /// A variable that is not declared here.
    UnknownVariable,
    /// A `{{template}}` that no `{{define}}` names.
    UnknownTemplate,
    /// A map has no such key, or there is no map at all.
    MissingKey,
    /// The value has no such field.
    MissingField,
    /// A function has other parameters.
    Arguments,
    /// A value is not of the type that is needed here.
    Type,
    /// A function refused its arguments.
    Function,
    /// More steps than [`crate::limits::MAX_TEMPLATE_STEPS`].
    TooManySteps,
    /// More bytes than [`crate::limits::MAX_TEMPLATE_BYTES`] or [`crate::limits::MAX_TEMPLATE_OUTPUT`].
    TooLarge,
    /// Deeper than [`crate::limits::MAX_TEMPLATE_DEPTH`].
    TooDeep,
}

/// The failure of a template, with its place in the text.
///
/// Displays as Go's `text/template` would say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// When it failed.
    pub stage: Stage,
    /// The name under which the text was parsed.
    pub name: String,
    /// The template that was running: `name`, or that of a `{{define}}`.
    pub template: String,
    /// Line in the text, from 1.
    pub line: usize,
    /// Column in that line in characters, from 1.
    pub column: usize,
    /// Offset into the text in bytes.
    pub offset: usize,
    /// The whole line, for display.
    pub source_line: String,
    /// The expression that failed, as Go writes it. Empty where the text does not parse.
    pub expression: String,
    /// What went wrong.
    pub message: String,
}

/// An error is boxed, for a result carries one seldom and a value often.
pub(super) type Result<T> = std::result::Result<T, Box<TemplateError>>;

/// A failure without its place, as functions report it.
#[derive(Debug)]
pub(super) struct Fail {
    pub kind: ErrorKind,
    pub message: String,
}

impl Fail {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// A limit is no fault of the function that met it.
    pub fn is_limit(&self) -> bool {
        matches!(self.kind, ErrorKind::TooManySteps | ErrorKind::TooLarge | ErrorKind::TooDeep)
    }
}

/// A function refused its arguments.
pub(super) fn refuse<T>(message: impl Into<String>) -> std::result::Result<T, Fail> {
    Err(Fail::new(ErrorKind::Function, message))
}

impl TemplateError {
    /// The place of `offset` in `text`; the rest is the caller's to fill in.
    pub(super) fn at(text: &str, offset: usize, stage: Stage, fail: Fail) -> Box<Self> {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = text.get(line_start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        Box::new(Self {
            kind: fail.kind,
            stage,
            name: String::new(),
            template: String::new(),
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
            offset: before.len(),
            source_line: line.to_owned(),
            expression: String::new(),
            message: fail.message,
        })
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stage {
            Stage::Parse => write!(f, "template: {}:{}: {}", self.name, self.line, self.message),
            // Go counts the columns of a running template from 0.
            Stage::Execute => write!(
                f,
                "template: {}:{}:{}: executing \"{}\" at <{}>: {}",
                self.name,
                self.line,
                self.column.saturating_sub(1),
                self.template,
                self.expression,
                self.message
            ),
        }
    }
}

impl std::error::Error for TemplateError {}
