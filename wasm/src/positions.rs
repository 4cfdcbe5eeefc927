//! Positions as JavaScript counts them: in UTF-16 units, where Rust counts bytes.

use virt_autopilot::diagnostic::{Diagnostic, Source, Span};

/// Counts the position of a diagnostic that is about `text`.
pub fn in_text(diagnostic: &mut Diagnostic, text: &str) {
    in_texts(diagnostic, |_| Some(text));
}

/// Counts the positions of a diagnostic, `text_of` giving the text that a place is in.
///
/// The offsets of a place whose text is not known are left out with its span: in the wrong unit they would mislead.
pub fn in_texts<'a>(diagnostic: &mut Diagnostic, text_of: impl Fn(&Source) -> Option<&'a str>) {
    let related = diagnostic.related.iter_mut().map(|related| &mut related.source);
    for source in diagnostic.source.as_deref_mut().into_iter().chain(related) {
        source.span = source.span.and_then(|span| Some(utf16(text_of(source)?, span)));
    }
}

fn utf16(text: &str, span: Span) -> Span {
    let units = |end: usize| text.get(..end).unwrap_or(text).encode_utf16().count();
    Span { start: units(span.start), end: units(span.end), ..span }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_utf16_units() {
        let text = "é😀x";
        let mut found = Diagnostic::error("a", "b").at(|at| at.span = Some(Span::in_text(text, 6, 7)));
        in_text(&mut found, text);
        let span = found.source.and_then(|source| source.span).unwrap_or_default();
        assert_eq!((span.line, span.column, span.start, span.end), (1, 3, 3, 4));
    }
}
