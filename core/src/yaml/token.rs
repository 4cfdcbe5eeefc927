//! The tokens of a YAML text.

use crate::diagnostic::Span;

use super::error::{Problem, YamlError};

/// A place in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// Offset in bytes.
    pub at: usize,
    /// Offset in characters, by which the length of a key is bounded.
    pub index: usize,
    /// Line from 0, counted by YAML's line breaks.
    pub line: usize,
    /// Column from 0, in characters.
    pub column: usize,
}

impl Mark {
    /// The range of the text from here to a byte offset.
    pub fn span_to(self, end: usize) -> Span {
        Span { line: self.line + 1, column: self.column + 1, start: self.at, end: end.max(self.at) }
    }

    /// The error that there is a problem here.
    pub fn error(self, problem: Problem) -> YamlError {
        YamlError { problem, span: self.span_to(self.at) }
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    StreamEnd,
    /// `text` is the version.
    VersionDirective,
    /// `text` is the handle, `suffix` the prefix that it stands for.
    TagDirective,
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias,
    Anchor,
    /// `text` is the handle, `suffix` what follows it.
    Tag,
    PlainScalar,
    /// A quoted or a block scalar.
    StyledScalar,
}

/// A token of the text, or one that its indentation implies.
#[derive(Debug, Default)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: Mark,
    pub end: usize,
    pub text: String,
    pub suffix: String,
}
