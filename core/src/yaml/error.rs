//! What is wrong with a YAML text, and where.

use crate::diagnostic::{Diagnostic, Span};

/// Why a text could not be read as YAML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {problem}", span.line, span.column)]
pub struct YamlError {
    /// What is wrong.
    pub problem: Problem,
    /// Where it is, in bytes of the text.
    pub span: Span,
}

/// What is wrong with a YAML text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is longer than [`crate::limits::MAX_TEXT_BYTES`].
    #[error("the text is longer than {} MiB", crate::limits::MAX_TEXT_BYTES >> 20)]
    TooLong,
    /// Maps and lists are nested deeper than [`crate::limits::MAX_DEPTH`].
    #[error("the document is nested deeper than {} levels", crate::limits::MAX_DEPTH)]
    TooDeep,
    /// The document has too many nodes, or its aliases repeat too much of it.
    #[error("the document grows too large when its aliases are expanded")]
    TooLarge,
    /// The bytes are neither UTF-8 nor marked as UTF-16.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// YAML text holds no such character.
    #[error("the control character U+{code:04X} is not allowed")]
    ControlCharacter {
        /// The character's code point.
        code: u32,
    },
    /// No key or value begins like this.
    #[error("no key or value can begin with `{found}`")]
    Character {
        /// The character that was found.
        found: char,
    },
    /// A tab stands where the indentation is counted.
    #[error("a tab cannot indent a line")]
    Tab,
    /// A line at a map's indentation is no `key: value`.
    #[error("a key of a map must end in `:` on its own line")]
    MissingColon,
    /// A second `: ` on a line, or one that is indented like part of a value.
    #[error("a `key: value` is not allowed here")]
    MisplacedValue,
    /// A `? ` where no key may begin.
    #[error("a `? ` key is not allowed here")]
    MisplacedKey,
    /// A `- ` where no list may begin.
    #[error("a `- ` list entry is not allowed here")]
    MisplacedEntry,
    /// A quoted text does not end.
    #[error("the quote `{quote}` is never closed")]
    Unclosed {
        /// The quote that opened the text.
        quote: char,
    },
    /// A `---` or `...` line inside a quoted text.
    #[error("a document marker stands inside a quoted text")]
    MarkerInQuotes,
    /// A backslash before something that it does not escape.
    #[error("`\\{found}` is no escape sequence of YAML")]
    Escape {
        /// The character after the backslash.
        found: char,
    },
    /// A `\x`, `\u` or `\U` without its digits, or of no character.
    #[error("the escape sequence names no character by its hexadecimal digits")]
    EscapeCode,
    /// An `&` without a name of letters, digits, `-` and `_`.
    #[error("an anchor's name is made of letters, digits, `-` and `_`")]
    AnchorName,
    /// A `*` without a name of letters, digits, `-` and `_`.
    #[error("an alias's name is made of letters, digits, `-` and `_`")]
    AliasName,
    /// A tag that is not formed as YAML asks.
    #[error("the tag is malformed")]
    Tag,
    /// A tag whose `!handle!` no directive declares.
    #[error("the tag handle `{handle}` is not declared")]
    TagHandle {
        /// The handle with its exclamation marks.
        handle: String,
    },
    /// A line that begins with `%` and is no `%YAML` or `%TAG` directive, or the second of its kind.
    #[error("the directive is malformed or repeated")]
    Directive,
    /// A `%YAML` directive of a version other than 1.1.
    #[error("only YAML 1.1 may be declared")]
    Version,
    /// What follows `|` or `>` is no indentation or chomping indicator.
    #[error("after `|` or `>` stand only an indentation digit, `+` or `-`, and a comment")]
    BlockHeader,
    /// Something else should stand here.
    #[error("expected {what}")]
    Expected {
        /// What should stand here.
        what: &'static str,
    },
    /// An alias of no anchor.
    #[error("no anchor is called `{name}`")]
    UnknownAnchor {
        /// The alias's name.
        name: String,
    },
    /// An alias inside the value that it stands for.
    #[error("the value of anchor `{name}` contains itself")]
    SelfReference {
        /// The alias's name.
        name: String,
    },
    /// The value of a `<<` key is no map and no list of maps.
    #[error("`<<` takes a map or a list of maps")]
    Merge,
    /// A key that JSON cannot have.
    #[error("a key must be a text, a number or a boolean, this is {found}")]
    Key {
        /// The kind of value that was found.
        found: &'static str,
    },
    /// A value that is not of the type that its tag says.
    #[error("`{text}` is not of the type that its tag `{tag}` says")]
    TagMismatch {
        /// The tag in its short form.
        tag: String,
        /// The value as it is written.
        text: String,
    },
    /// The text under a `!!binary` tag is not base64.
    #[error("a `!!binary` value must be base64")]
    Base64,
    /// Infinity or not-a-number, which JSON cannot have.
    #[error("JSON has no number for infinity or not-a-number")]
    NotFinite,
}

impl Problem {
    /// The stable, dotted code of the diagnostic.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLong => "yaml.too-long",
            Self::TooDeep => "yaml.too-deep",
            Self::TooLarge => "yaml.too-large",
            Self::NotUtf8 | Self::ControlCharacter { .. } => "yaml.character",
            Self::Tab => "yaml.tab",
            Self::UnknownAnchor { .. } | Self::AliasName => "yaml.alias",
            Self::SelfReference { .. } | Self::AnchorName => "yaml.anchor",
            Self::Unclosed { .. } | Self::MarkerInQuotes | Self::Escape { .. } | Self::EscapeCode => "yaml.quote",
            Self::Tag | Self::TagHandle { .. } | Self::TagMismatch { .. } | Self::Base64 => "yaml.tag",
            Self::Merge => "yaml.merge",
            Self::Key { .. } => "yaml.key",
            Self::NotFinite => "yaml.number",
            _ => "yaml.syntax",
        }
    }

    /// What to do next, where there is something to say.
    pub fn help(&self) -> Option<&'static str> {
        Some(match self {
            Self::Tab => "indent with spaces",
            Self::UnknownAnchor { .. } | Self::AliasName => "put text that begins with `*` in quotes: '*-name'",
            Self::AnchorName => "put text that begins with `&` in quotes",
            Self::Character { found: '%' | '@' | '`' } => "put the whole text in quotes",
            Self::Character { found: '\t' } => "use spaces instead of the tab",
            Self::MissingColon => "write `key: value`, and indent the further lines of a text",
            Self::MisplacedValue => "put text that holds `: ` in quotes, and check the indentation",
            Self::MisplacedEntry => "begin the list on a line of its own",
            Self::Escape { .. } => "write a backslash as `\\\\`, or use single quotes",
            Self::Unclosed { .. } => "close the quote, or write a quote inside single quotes twice",
            Self::Key { .. } => "put the key in quotes",
            Self::NotFinite => "put it in quotes where text is meant",
            Self::Version => "leave the `%YAML` line out",
            Self::TooLarge => "write the repeated values out, or split the document",
            Self::TagMismatch { .. } => "remove the tag or correct the value",
            Self::Expected { what: "`,` or `}`" } => "close the `{`, or put text that begins with `{` in quotes",
            Self::Expected { what: "`,` or `]`" } => "close the `[`, or put text that begins with `[` in quotes",
            _ => return None,
        })
    }
}

impl YamlError {
    /// The error as a finding about the user's text; a caller adds the file or the annotation that holds it.
    pub fn to_diagnostic(&self) -> Diagnostic {
        let found = Diagnostic::error(self.problem.code(), self.problem.to_string()).at(|at| at.span = Some(self.span));
        match self.problem.help() {
            Some(help) => found.help(help),
            None => found,
        }
    }
}
