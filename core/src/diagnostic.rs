//! What a user's data does wrong, told so that they can mend it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::object::ObjectRef;

/// A finding about the input: what is wrong or surprising, where, and what to do next.
///
/// # Examples
///
/// ```
/// use virt_autopilot::diagnostic::{Diagnostic, Severity};
///
/// let finding = Diagnostic::new("scope.unknown-asset", Severity::Warning, "no asset is called `True`")
///     .help("write `true` to activate every asset");
/// assert_eq!(finding.code, "scope.unknown-asset");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// Stable, dotted name of the finding, for example `patch.refused.kind`.
    pub code: Cow<'static, str>,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong. May change between versions.
    pub message: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub help: Option<String>,
    /// Where in the input it is. Boxed, for most results carry no diagnostic.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<Box<Source>>,
    /// Other places that have to do with it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub related: Vec<Related>,
    /// Changes that would mend it, the best first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub fixes: Vec<Fix>,
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Works, but probably not as meant.
    Warning,
    /// Does not do what was asked.
    Error,
}

/// A place in the input. Every part is optional: what is not known is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    /// A file of the catalog or of the input, by its path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The asset that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asset: Option<String>,
    /// The object that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<ObjectRef>,
    /// The key of the annotation in whose text it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotation: Option<String>,
    /// A JSON pointer (RFC 6901) into the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The place in the text of the file or of the annotation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

/// A range of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    /// Line of the start, from 1.
    pub line: usize,
    /// Column of the start in characters, from 1.
    pub column: usize,
    /// Offset of the start. Bytes in Rust; UTF-16 units after the JS boundary.
    pub start: usize,
    /// Offset past the end, in the same unit.
    pub end: usize,
}

impl Span {
    /// The span of a byte range of `text`; offsets beyond the text or inside a character are moved back.
    pub fn in_text(text: &str, start: usize, end: usize) -> Self {
        let floor = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (floor(start), floor(end));
        let before = text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
            start,
            end: end.max(start),
        }
    }
}

/// Another place that has to do with a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Related {
    /// What is there.
    pub message: String,
    /// Where it is.
    pub source: Source,
}

/// A change of the input that would mend a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fix {
    /// What the change does, as a button would say it.
    pub title: String,
    /// The object to annotate.
    pub object: ObjectRef,
    /// The key of the annotation.
    pub annotation: String,
    /// Its new value; `None` removes it.
    pub value: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without a place.
    pub fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code: Cow::Borrowed(code),
            severity,
            message: message.into(),
            help: None,
            source: None,
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// An error without a place.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// A warning without a place.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// A note without a place.
    pub fn info(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Info, message)
    }

    /// Says what to do next.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Changes the place, from an empty one where there was none.
    #[must_use]
    pub fn at(mut self, set: impl FnOnce(&mut Source)) -> Self {
        set(self.source.get_or_insert_default());
        self
    }

    /// Adds a place that has to do with it.
    #[must_use]
    pub fn related(mut self, message: impl Into<String>, source: Source) -> Self {
        self.related.push(Related { message: message.into(), source });
        self
    }

    /// Adds a change that would mend it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_count_lines_and_characters() {
        let text = "añb\ncd";
        let at = |start, end| {
            let span = Span::in_text(text, start, end);
            (span.line, span.column, span.start, span.end)
        };
        assert_eq!(at(0, 1), (1, 1, 0, 1));
        assert_eq!(at(3, 4), (1, 3, 3, 4));
        assert_eq!(at(2, 2), (1, 2, 1, 1), "inside a character");
        assert_eq!(at(5, 99), (2, 1, 5, 7));
    }
}
