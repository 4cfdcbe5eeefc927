//! JSON values to YAML text, byte for byte as the controller's library writes it.

use std::borrow::Cow;
use std::{slice, vec};

use serde_json::{Number, Value};

use super::order;
use super::scalar::{self, Meaning, Scalar};

/// Column after which a space is turned into a line break.
const BEST_WIDTH: usize = 80;
/// Longest key that is written without a `?`, in bytes.
const MAX_SIMPLE_KEY: usize = 128;
const INDENT: usize = 2;
const SPACES: &str = "                                ";

/// Writes a value as YAML, byte for byte as sigs.k8s.io/yaml does.
///
/// Keys are sorted with numbers by their value, lists begin at the indentation of their key, long text is folded after
/// column 80, and text of several lines is a literal block where it can be. A whole float is written as an integer.
/// Any value has a text: what sigs.k8s.io/yaml refuses to write (control characters beyond U+007E, keys of more than
/// 1022 characters) is written by the same rules.
///
/// # Examples
///
/// ```
/// let value = serde_json::json!({"enabled": "yes", "limits": [{"cpu": 1.0}]});
/// assert_eq!(virt_autopilot::yaml::write(&value), "enabled: \"yes\"\nlimits:\n- cpu: 1\n");
/// ```
pub fn write(value: &Value) -> String {
    let mut emitter = Emitter { out: String::new(), column: 0, after_space: true, after_indent: true };
    let mut stack = Vec::new();
    stack.extend(emitter.node(value, None, false));
    while let Some(collection) = stack.last_mut() {
        let indent = collection.indent;
        let opened = match &mut collection.rest {
            Rest::Map(entries) => entries.next().map(|(key, value)| {
                emitter.key(key, indent);
                emitter.node(value, Some(indent), true)
            }),
            Rest::List(items) => items.next().map(|item| {
                emitter.indent(indent);
                emitter.indicator("-", true);
                emitter.node(item, Some(indent), false)
            }),
        };
        match opened {
            Some(opened) => stack.extend(opened),
            None => drop(stack.pop()),
        }
    }
    emitter.indent(0);
    emitter.out
}

/// Whether sigs.k8s.io/yaml writes a value at all. It goes by way of JSON text, which it reads as YAML: there control
/// characters beyond U+007E are not allowed, and a key is of one line and of at most 1024 characters as it is quoted.
pub(crate) fn is_writable(value: &Value) -> bool {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::String(text) if !text.chars().all(is_readable) => return false,
            Value::Array(items) => rest.extend(items),
            Value::Object(map) if !map.keys().all(|key| is_simple_key(key)) => return false,
            Value::Object(map) => rest.extend(map.values()),
            _ => {}
        }
    }
    true
}

/// Whether the library's reader takes a character, or Go's JSON writer escapes it.
fn is_readable(char: char) -> bool {
    !matches!(char, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
}

fn is_simple_key(key: &str) -> bool {
    let quoted = |char: char| match char {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => 6,
        _ => 1,
    };
    key.chars().all(|char| is_readable(char) && char != '\u{85}') && key.chars().map(quoted).sum::<usize>() <= 1022
}

/// A collection that is being written. They are kept in a list, for a value may be nested deeper than the stack is.
struct Open<'v> {
    indent: usize,
    rest: Rest<'v>,
}

enum Rest<'v> {
    Map(vec::IntoIter<(&'v str, &'v Value)>),
    List(slice::Iter<'v, Value>),
}

/// What a scalar's characters allow.
#[derive(Debug, Default)]
struct Traits {
    multiline: bool,
    no_plain: bool,
    no_single: bool,
    no_block: bool,
}

struct Emitter {
    out: String,
    /// Column in characters.
    column: usize,
    /// Whether a space need not be written before the next word.
    after_space: bool,
    /// Whether the line holds nothing but indentation and the marks of lists and `?` keys.
    after_indent: bool,
}

fn is_break(found: char) -> bool {
    matches!(found, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_printable(found: char) -> bool {
    matches!(found, '\n' | ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FEFE}' | '\u{FF00}'..='\u{FFFD}')
}

/// Whether the text is of ASCII characters among which none can make quotes or a block necessary.
fn is_ordinary(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut rest = bytes.iter();
    matches!(bytes.first(), Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'_'))
        && bytes.last() != Some(&b' ')
        && rest.all(|byte| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'/' | b'_' | b'=' | b' ' | b','))
}

fn traits_of(text: &str) -> Traits {
    if is_ordinary(text) {
        return Traits::default();
    }

    let bytes = text.as_bytes();
    let mut traits = Traits::default();
    if text.starts_with("---") || text.starts_with("...") {
        traits.no_plain = true;
    }
    let (mut after_gap, mut after_space, mut after_break) = (true, false, false);
    for (at, found) in text.char_indices() {
        let next = bytes.get(at + found.len_utf8());
        let last = next.is_none();
        let before_gap = matches!(next, None | Some(b' ' | b'\t'));
        let indicates = match found {
            '#' => after_gap,
            ':' => before_gap,
            '?' | '-' => at == 0 && before_gap,
            ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => at == 0,
            _ => false,
        };
        let (space, line_break) = (found == ' ', is_break(found));
        traits.no_plain |= indicates || line_break || space && (at == 0 || last);
        traits.multiline |= line_break;
        traits.no_block |= space && last;
        if space && after_break {
            traits.no_plain = true;
            traits.no_single = true;
        }
        if line_break && after_space || !is_printable(found) {
            traits.no_plain = true;
            traits.no_single = true;
            traits.no_block = true;
        }
        (after_space, after_break) = (space, line_break);
        after_gap = space || line_break || matches!(found, '\t' | '\0');
    }
    traits
}

/// `12:30:45.5` and the like, which other readers take for a number.
fn is_base_60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digit = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    let Some((first, sixtieths)) = whole.split_once(':') else {
        return false;
    };
    first.starts_with(|found: char| found.is_ascii_digit())
        && first.bytes().all(digit)
        && fraction.bytes().all(digit)
        && sixtieths.split(':').all(|part| match part.as_bytes() {
            [b'0'..=b'9'] => true,
            [tens, ones] => (b'0'..=b'5').contains(tens) && ones.is_ascii_digit(),
            _ => false,
        })
}

/// Folds the character U+0085 as the library does, which reads its own JSON as YAML: there it is a line break.
fn fold_next_lines(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains('\u{85}') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let word_end = rest.find([' ', '\u{85}']).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(word_end).unwrap_or((rest, ""));
        out.push_str(word);
        rest = after.trim_start_matches([' ', '\u{85}']);
        let gap = after.strip_suffix(rest).unwrap_or_default();
        match gap.matches('\u{85}').count() {
            0 => out.push_str(gap),
            1 => out.push(' '),
            breaks => out.extend(std::iter::repeat_n('\n', breaks - 1)),
        }
    }
    Cow::Owned(out)
}

fn number_text(number: &Number) -> String {
    if !number.is_f64() {
        return number.to_string();
    }
    let float = number.as_f64().unwrap_or_default();
    match scalar::whole(float) {
        Some(Scalar::Int(int)) => int.to_string(),
        Some(Scalar::Uint(int)) => int.to_string(),
        _ => scalar::float_text(&number.to_string()),
    }
}

impl Emitter {
    /// Writes a scalar or an empty collection whole, and returns any other collection to be written entry by entry.
    fn node<'v>(&mut self, value: &'v Value, parent: Option<usize>, of_map: bool) -> Option<Open<'v>> {
        let deeper = parent.map_or(0, |indent| indent + INDENT);
        match value {
            Value::Null => self.word("null"),
            Value::Bool(bool) => self.word(if *bool { "true" } else { "false" }),
            Value::Number(number) => self.word(&number_text(number)),
            Value::String(text) => {
                let text = fold_next_lines(text);
                self.text(&text, &traits_of(&text), parent.unwrap_or(0) + INDENT, false);
            }
            Value::Array(items) if items.is_empty() => self.word("[]"),
            Value::Object(map) if map.is_empty() => self.word("{}"),
            Value::Array(items) => {
                let indent = if of_map && !self.after_indent { parent.unwrap_or(0) } else { deeper };
                return Some(Open { indent, rest: Rest::List(items.iter()) });
            }
            Value::Object(map) => {
                let mut entries: Vec<_> = map.iter().map(|(key, value)| (key.as_str(), value)).collect();
                order::sort(&mut entries);
                return Some(Open { indent: deeper, rest: Rest::Map(entries.into_iter()) });
            }
        }
        None
    }

    fn key(&mut self, key: &str, indent: usize) {
        let key = fold_next_lines(key);
        let traits = traits_of(&key);
        self.indent(indent);
        if !traits.multiline && key.len() <= MAX_SIMPLE_KEY {
            self.text(&key, &traits, indent + INDENT, true);
            self.out.push(':');
            self.column += 1;
            self.after_space = false;
            self.after_indent = false;
        } else {
            self.indicator("?", true);
            self.text(&key, &traits, indent + INDENT, false);
            self.indent(indent);
            self.indicator(":", true);
        }
    }

    fn put(&mut self, found: char) {
        self.out.push(found);
        self.column += 1;
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    /// Goes to a column: on this line if nothing stands there yet, or on the next.
    fn indent(&mut self, indent: usize) {
        if !self.after_indent || self.column > indent || self.column == indent && !self.after_space {
            self.newline();
        }
        let mut missing = indent.saturating_sub(self.column);
        self.column += missing;
        while missing > 0 {
            let spaces = SPACES.get(..missing).unwrap_or(SPACES);
            self.out.push_str(spaces);
            missing -= spaces.len();
        }
        self.after_space = true;
        self.after_indent = true;
    }

    fn space(&mut self) {
        if !self.after_space {
            self.put(' ');
        }
    }

    fn indicator(&mut self, mark: &str, is_indent: bool) {
        self.space();
        self.out.push_str(mark);
        self.column += mark.len();
        self.after_space = false;
        self.after_indent &= is_indent;
    }

    /// A scalar that needs no quotes and has no spaces.
    fn word(&mut self, word: &str) {
        self.indicator(word, false);
    }

    fn text(&mut self, text: &str, traits: &Traits, indent: usize, simple_key: bool) {
        if traits.multiline && text.contains('\n') {
            if traits.no_block { self.double_quoted(text, indent, !simple_key) } else { self.literal(text, indent) }
        } else if scalar::meaning_of(text) != Meaning::Text || is_base_60(text) {
            self.double_quoted(text, indent, !simple_key);
        } else if !traits.no_plain {
            self.space();
            self.plain(text, indent, !simple_key);
        } else if !traits.no_single {
            self.single_quoted(text, indent, !simple_key);
        } else {
            self.double_quoted(text, indent, !simple_key);
        }
        self.after_space |= self.column == 0;
    }

    fn plain(&mut self, text: &str, indent: usize, fold: bool) {
        if !fold || self.column + text.len() <= BEST_WIDTH {
            self.out.push_str(text);
            self.column += text.chars().count();
        } else {
            let mut after_space = false;
            let mut rest = text.chars();
            while let Some(found) = rest.next() {
                let space = found == ' ';
                if space && !after_space && self.column > BEST_WIDTH && !rest.as_str().starts_with(' ') {
                    self.indent(indent);
                } else {
                    self.put(found);
                    self.after_indent &= space;
                }
                after_space = space;
            }
        }
        self.after_space = false;
        self.after_indent = false;
    }

    fn single_quoted(&mut self, text: &str, indent: usize, fold: bool) {
        self.indicator("'", false);
        let (mut first, mut after_space, mut after_break) = (true, false, false);
        let mut rest = text.chars();
        while let Some(found) = rest.next() {
            let next = rest.as_str();
            if found == ' ' {
                let folds = fold && !after_space && self.column > BEST_WIDTH && !first;
                if folds && !next.is_empty() && !next.starts_with(' ') {
                    self.indent(indent);
                } else {
                    self.put(found);
                }
                after_space = true;
            } else if is_break(found) {
                self.line_break(found);
                after_break = true;
            } else {
                if std::mem::take(&mut after_break) {
                    self.indent(indent);
                }
                if found == '\'' {
                    self.put('\'');
                }
                self.put(found);
                self.after_indent = false;
                after_space = false;
            }
            first = false;
        }
        self.put('\'');
        self.after_space = false;
        self.after_indent = false;
    }

    /// A line break inside of a text, which opens a line without indentation.
    fn line_break(&mut self, found: char) {
        self.out.push(found);
        self.column = 0;
        self.after_indent = true;
    }

    fn double_quoted(&mut self, text: &str, indent: usize, fold: bool) {
        self.indicator("\"", false);
        // The library takes every character for a byte order mark if the text begins with one.
        let escape_all = text.starts_with('\u{feff}');
        let (mut first, mut after_space) = (true, false);
        let mut rest = text.chars();
        while let Some(found) = rest.next() {
            let next = rest.as_str();
            if escape_all || !is_printable(found) || is_break(found) || matches!(found, '"' | '\\') {
                self.escape(found);
                after_space = false;
            } else if found == ' ' {
                if fold && !after_space && self.column > BEST_WIDTH && !first && !next.is_empty() {
                    self.indent(indent);
                    if next.starts_with(' ') {
                        self.put('\\');
                    }
                    self.after_indent = false;
                } else {
                    self.put(found);
                }
                after_space = true;
            } else {
                self.put(found);
                after_space = false;
            }
            first = false;
        }
        self.put('"');
        self.after_space = false;
        self.after_indent = false;
    }

    fn escape(&mut self, found: char) {
        self.put('\\');
        let (letter, digits) = match found {
            '\0' => ('0', 0),
            '\x07' => ('a', 0),
            '\x08' => ('b', 0),
            '\t' => ('t', 0),
            '\n' => ('n', 0),
            '\x0B' => ('v', 0),
            '\x0C' => ('f', 0),
            '\r' => ('r', 0),
            '\x1B' => ('e', 0),
            '"' | '\\' => (found, 0),
            '\u{85}' => ('N', 0),
            '\u{A0}' => ('_', 0),
            '\u{2028}' => ('L', 0),
            '\u{2029}' => ('P', 0),
            '\0'..='\u{FF}' => ('x', 2),
            '\u{100}'..='\u{FFFF}' => ('u', 4),
            _ => ('U', 8),
        };
        self.put(letter);
        for place in (0..digits).rev() {
            let digit = u32::from(found) >> (4 * place) & 0xF;
            self.put(char::from_digit(digit, 16).unwrap_or('0').to_ascii_uppercase());
        }
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.indicator("|", false);
        if text.starts_with(|found| found == ' ' || is_break(found)) {
            self.put(char::from_digit(INDENT as u32, 10).unwrap_or('2'));
        }
        let mut from_end = text.chars().rev();
        match (from_end.next().is_some_and(is_break), from_end.next()) {
            (false, _) => self.put('-'),
            (true, None) => self.put('+'),
            (true, Some(before)) if is_break(before) => self.put('+'),
            (true, Some(_)) => {}
        }
        self.newline();
        self.after_space = true;
        self.after_indent = true;
        for line in text.split_inclusive(is_break) {
            let content = line.trim_end_matches(is_break);
            if !content.is_empty() {
                self.indent(indent);
                self.out.push_str(content);
                self.column += content.len();
                self.after_indent = false;
            }
            if let Some(found) = line.chars().next_back().filter(|found| is_break(*found)) {
                self.line_break(found);
            }
        }
    }
}
