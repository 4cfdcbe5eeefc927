//! The diagnostics of one annotation, with places in its text and changes of it.

use crate::diagnostic::{Diagnostic, Fix, Source, Span};
use crate::object::ObjectRef;

/// Diagnostics about one annotation after which no more are looked for.
const MAX_FINDINGS: usize = 50;
/// Longest annotation for which changed texts are offered, in bytes.
const MAX_FIX_BYTES: usize = 64 << 10;
/// Most characters of the user's input in a message.
const MAX_QUOTED: usize = 80;

/// Collects what is found about the annotation `key` of an object.
pub(super) struct Notes<'t> {
    key: &'static str,
    text: &'t str,
    object: ObjectRef,
    found: Vec<Diagnostic>,
}

impl<'t> Notes<'t> {
    pub(super) fn new(key: &'static str, text: &'t str, object: ObjectRef) -> Self {
        Self { key, text, object, found: Vec::new() }
    }

    /// Adds a finding; without a place of its own it is about the annotation as a whole.
    pub(super) fn push(&mut self, finding: Diagnostic) {
        let finding = match finding.source {
            Some(_) => finding,
            None => finding.at(|source| {
                source.object = Some(self.object.clone());
                source.annotation = Some(self.key.to_owned());
            }),
        };
        self.found.push(finding);
    }

    /// Whether it is worth to look for more.
    pub(super) fn has_room(&self) -> bool {
        self.found.len() < MAX_FINDINGS
    }

    /// Adds a finding about a byte range of the text.
    pub(super) fn push_at(&mut self, place: (usize, usize), finding: Diagnostic) {
        let source = self.source(place);
        self.push(finding.at(|it| *it = source));
    }

    /// A byte range of the text as a place.
    pub(super) fn source(&self, (start, end): (usize, usize)) -> Source {
        Source {
            object: Some(self.object.clone()),
            annotation: Some(self.key.to_owned()),
            span: Some(Span::in_text(self.text, start, end)),
            ..Source::default()
        }
    }

    /// A change that gives the annotation another text, or takes it away.
    pub(super) fn fix(&self, title: impl Into<String>, value: Option<String>) -> Fix {
        Fix { title: title.into(), object: self.object.clone(), annotation: self.key.to_owned(), value }
    }

    /// A change of byte ranges of the text, which are in order and do not overlap; none for a very long text.
    pub(super) fn edit(&self, title: impl Into<String>, edits: &[((usize, usize), &str)]) -> Option<Fix> {
        if self.text.len() > MAX_FIX_BYTES {
            return None;
        }
        let mut changed = String::new();
        let mut from = 0;
        for ((start, end), replacement) in edits {
            changed.push_str(self.text.get(from..*start)?);
            changed.push_str(replacement);
            from = *end;
        }
        changed.push_str(self.text.get(from..)?);
        Some(self.fix(title, Some(changed)))
    }

    /// All findings, the gravest first, and a note where there were more.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        if !self.has_room() {
            let message = format!("after {MAX_FINDINGS} findings about this annotation no more were looked for");
            self.push(Diagnostic::info("annotation.more", message));
        }
        self.found
    }
}

/// A diagnostic with a change, where there is one.
pub(super) fn with_fix(finding: Diagnostic, fix: Option<Fix>) -> Diagnostic {
    match fix {
        Some(fix) => finding.fix(fix),
        None => finding,
    }
}

/// The user's input as a message shows it: cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}
