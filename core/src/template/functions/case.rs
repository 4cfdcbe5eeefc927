//! sprig's functions of upper and lower case.
//!
//! How words are told apart follows the library that sprig uses, `xstrings`.

use super::Type::Str;
use super::{Function, Outcome, define, text};
use crate::template::exec::Env;
use crate::template::text::{self as bytes, decode, push_char};
use crate::template::value::{Heap, Value};

pub(super) static FUNCTIONS: [Function; 7] = [
    define("upper", &[Str], |env, arguments| convert(env, arguments, |text| bytes::map(text, bytes::upper))),
    define("lower", &[Str], |env, arguments| convert(env, arguments, |text| bytes::map(text, bytes::lower))),
    define("title", &[Str], |env, arguments| convert(env, arguments, title)),
    define("untitle", &[Str], |env, arguments| convert(env, arguments, untitle)),
    define("snakecase", &[Str], |env, arguments| convert(env, arguments, |text| joined(text, '_'))),
    define("kebabcase", &[Str], |env, arguments| convert(env, arguments, |text| joined(text, '-'))),
    define("camelcase", &[Str], |env, arguments| convert(env, arguments, camel)),
];

/// No conversion more than triples a text: a byte that is none becomes three, a letter may gain a connector.
fn convert<'a>(env: &mut Env<'a>, arguments: &[Value<'a>], to: impl Fn(&[u8]) -> Vec<u8>) -> Outcome<'a> {
    let text = text(arguments, 0);
    env.heap.allocate(text.len() * 3)?;
    Ok(Heap::paid_string(to(text)))
}

/// The first letter of every word in title case; the others stay.
fn title(text: &[u8]) -> Vec<u8> {
    let mut previous = ' ';
    bytes::map(text, |c| {
        let starts =
            !(previous.is_alphanumeric() || previous == '_') && (previous.is_ascii() || previous.is_whitespace());
        previous = c;
        if starts { bytes::title(c) } else { c }
    })
}

/// The first letter behind white space in lower case.
fn untitle(text: &[u8]) -> Vec<u8> {
    let mut starts = true;
    bytes::map(text, |c| {
        if c.is_whitespace() {
            starts = true;
            return c;
        }
        if std::mem::take(&mut starts) { bytes::lower(c) } else { c }
    })
}

fn is_connector(c: char) -> bool {
    c == '-' || c == '_' || c.is_whitespace()
}

/// A letter that is no CJK ideograph.
fn is_alphabet(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, '\u{3400}'..='\u{4d85}' | '\u{4e00}'..='\u{9fcc}' | '\u{20000}'..='\u{2b81d}')
}

/// Punctuation of the categories P; the rare scripts' is left out.
fn is_punctuation(c: char) -> bool {
    match c {
        '\0'..='\u{7f}' => c.is_ascii_punctuation() && !"$+<=>^`|~".contains(c),
        '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}' => true,
        '\u{2044}' | '\u{2052}' => false,
        _ => {
            matches!(c, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}')
        }
    }
}

fn camel(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut chars = bytes::runes(text).map(|(c, _)| c).peekable();
    let mut upper_word = false;
    // Connectors in front stay.
    let mut current = loop {
        let Some(c) = chars.next() else { return out };
        if !is_connector(c) {
            upper_word = c.is_uppercase();
            break bytes::upper(c);
        }
        push_char(&mut out, c);
        if chars.peek().is_none() {
            // A text of connectors alone ends in the last of them twice.
            break c;
        }
    };
    for c in chars {
        let previous = current;
        current = c;
        if is_connector(c) && is_connector(previous) {
            push_char(&mut out, previous);
        } else if is_connector(previous) {
            upper_word = c.is_uppercase();
            current = bytes::upper(c);
        } else {
            if upper_word {
                upper_word = c.is_uppercase();
                if upper_word {
                    current = bytes::lower(c);
                }
            }
            push_char(&mut out, previous);
        }
    }
    push_char(&mut out, current);
    out
}

#[derive(Clone, Copy, PartialEq)]
enum Word {
    Invalid,
    Number,
    Upper,
    Alphabet,
    Connector,
    Punctuation,
    Other,
}

/// The next character that is one, with the bytes before it that are none.
fn next_valid(text: &[u8], otherwise: char) -> (char, usize) {
    let mut size = 0;
    while let Some((c, len)) = text.get(size..).and_then(decode) {
        size += len;
        if c != char::REPLACEMENT_CHARACTER {
            return (c, size);
        }
    }
    (otherwise, size)
}

/// Reads on from an offset while the characters are `wanted`. Answers the last character looked at, the offset, and
/// the size of the last character taken.
fn extend(text: &[u8], from: usize, first: char, wanted: impl Fn(char) -> bool) -> (char, usize, usize) {
    let (mut c, mut at, mut last) = (first, from, 0);
    while at < text.len() {
        let (next, size) = next_valid(text.get(at..).unwrap_or_default(), c);
        c = next;
        if !wanted(c) {
            break;
        }
        at += size;
        last = size;
    }
    (c, at, last)
}

fn next_word(text: &[u8]) -> (Word, &[u8], &[u8]) {
    let (c, size) = next_valid(text, char::REPLACEMENT_CHARACTER);
    let lower = |c: char| is_alphabet(c) && !c.is_uppercase();
    let (kind, end) = if text.is_empty() || c == char::REPLACEMENT_CHARACTER {
        (Word::Invalid, size)
    } else if is_connector(c) {
        (Word::Connector, extend(text, size, c, is_connector).1)
    } else if is_punctuation(c) {
        (Word::Punctuation, extend(text, size, c, is_punctuation).1)
    } else if c.is_uppercase() {
        let (next, _) = next_valid(text.get(size..).unwrap_or_default(), c);
        if size < text.len() && next.is_uppercase() {
            let (after, end, last) = extend(text, size, c, char::is_uppercase);
            // The last capital of `HTTPStatus` begins the next word.
            (Word::Upper, if end < text.len() && is_alphabet(after) { end - last } else { end })
        } else {
            (Word::Upper, extend(text, size, c, lower).1)
        }
    } else if is_alphabet(c) {
        (Word::Alphabet, extend(text, size, c, lower).1)
    } else if c.is_numeric() {
        (Word::Number, extend(text, size, c, char::is_numeric).1)
    } else {
        let other = |c| !(is_connector(c) || is_alphabet(c) || char::is_numeric(c) || is_punctuation(c));
        (Word::Other, extend(text, size, c, other).1)
    };
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, b""));
    (kind, word, rest)
}

fn push_word(out: &mut Vec<u8>, kind: Word, word: &[u8], connector: char) {
    if !matches!(kind, Word::Upper | Word::Connector) {
        out.extend_from_slice(word);
        return;
    }
    for (c, _) in bytes::runes(word) {
        push_char(out, if is_connector(c) { connector } else { bytes::lower(c) });
    }
}

/// The words in lower case with a connector between. A number belongs to the word before it, unless letters follow.
fn joined(text: &[u8], connector: char) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut kind, mut word, mut rest) = next_word(text);
    let separates = |kind| !matches!(kind, Word::Connector | Word::Punctuation);
    while !rest.is_empty() {
        if kind != Word::Connector {
            push_word(&mut out, kind, word, connector);
        }
        let (previous, last) = (kind, word);
        (kind, word, rest) = next_word(rest);
        match previous {
            Word::Number => {
                while matches!(kind, Word::Alphabet | Word::Number) {
                    push_word(&mut out, kind, word, connector);
                    (kind, word, rest) = next_word(rest);
                }
                if kind != Word::Invalid && separates(kind) {
                    push_char(&mut out, connector);
                }
            }
            Word::Connector => push_word(&mut out, previous, last, connector),
            Word::Punctuation => {}
            _ if kind != Word::Number => {
                if separates(kind) {
                    push_char(&mut out, connector);
                }
            }
            _ if rest.is_empty() => {}
            _ => {
                let number = word;
                (kind, word, rest) = next_word(rest);
                if kind != Word::Alphabet {
                    push_word(&mut out, Word::Number, number, connector);
                    if separates(kind) {
                        push_char(&mut out, connector);
                    }
                    continue;
                }
                push_char(&mut out, connector);
                push_word(&mut out, Word::Number, number, connector);
                while matches!(kind, Word::Alphabet | Word::Number) {
                    push_word(&mut out, kind, word, connector);
                    (kind, word, rest) = next_word(rest);
                }
                if kind != Word::Invalid && separates(kind) {
                    push_char(&mut out, connector);
                }
            }
        }
    }
    push_word(&mut out, kind, word, connector);
    out
}
