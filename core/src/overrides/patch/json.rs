//! The JSON of a patch annotation, read with the place of every value and member.
//!
//! Accepts what Go's `json.Valid` accepts (RFC 8259), keeps a number as it is written, for the controller's library
//! compares numbers by their text, and keeps a repeated member, of which the last counts.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use crate::limits::{MAX_DEPTH, MAX_TEXT_BYTES};

/// A value and the byte range that it takes in the text.
#[derive(Clone, Debug)]
pub(super) struct Json<'t> {
    pub(super) shape: Shape<'t>,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Shape<'t> {
    Null,
    Bool(bool),
    Number(&'t str),
    Text(Cow<'t, str>),
    List(Vec<Json<'t>>),
    Map(Vec<Member<'t>>),
}

/// A member of a map, and where its key begins.
#[derive(Clone, Debug)]
pub(super) struct Member<'t> {
    pub(super) key: Cow<'t, str>,
    pub(super) start: usize,
    pub(super) value: Json<'t>,
}

/// Where and why a text is not JSON that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub(super) offset: usize,
    pub(super) problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// What should be at the offset.
    Expected(&'static str),
    /// The text is valid so far and ends there.
    TextAfterEnd,
    TooDeep,
    TooLong,
}

/// Reads one JSON value that is the whole text.
pub(super) fn parse(text: &str) -> Result<Json<'_>, SyntaxError> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(SyntaxError { offset: MAX_TEXT_BYTES, problem: Problem::TooLong });
    }
    let mut reader = Reader { text, at: 0 };
    reader.space();
    // Two levels more than a document: the list of operations and the map of one.
    let value = reader.value(MAX_DEPTH + 2)?;
    reader.space();
    if reader.peek().is_some() {
        return Err(reader.error(Problem::TextAfterEnd));
    }
    Ok(value)
}

impl<'t> Json<'t> {
    /// The last member of that name, where the value is a map.
    pub(super) fn member(&self, key: &str) -> Option<&Member<'t>> {
        match &self.shape {
            Shape::Map(members) => members.iter().rev().find(|member| member.key == key),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&Cow<'t, str>> {
        match &self.shape {
            Shape::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self.shape, Shape::Null)
    }

    /// The type as Go's decoder names it in its errors.
    pub(super) fn go_type(&self) -> &'static str {
        match self.shape {
            Shape::Null => "null",
            Shape::Bool(_) => "bool",
            Shape::Number(_) => "number",
            Shape::Text(_) => "string",
            Shape::List(_) => "array",
            Shape::Map(_) => "object",
        }
    }

    /// The value without its places; `None` where a number is beyond what a float holds.
    pub(super) fn to_value(&self) -> Option<Value> {
        Some(match &self.shape {
            Shape::Null => Value::Null,
            Shape::Bool(value) => Value::Bool(*value),
            Shape::Number(text) => Value::Number(number(text)?),
            Shape::Text(text) => Value::String(text.to_string()),
            Shape::List(items) => Value::Array(items.iter().map(Self::to_value).collect::<Option<_>>()?),
            Shape::Map(members) => {
                let mut map = Map::new();
                for member in members {
                    map.insert(member.key.to_string(), member.value.to_value()?);
                }
                Value::Object(map)
            }
        })
    }
}

/// A number as JSON has it: an integer where it is written as one and fits, else a float.
fn number(text: &str) -> Option<Number> {
    if let Ok(integer) = text.parse::<i64>()
        && text != "-0"
    {
        return Some(integer.into());
    }
    if let Ok(integer) = text.parse::<u64>() {
        return Some(integer.into());
    }
    Number::from_f64(text.parse().ok()?)
}

/// The number that Go carries after it decoded the text into a float: integral ones lose their fraction, and digits
/// beyond 2^53. `None` where it is too large for a float.
pub(super) fn float_number(text: &str) -> Option<Number> {
    let float: f64 = text.parse().ok()?;
    // Without a fraction and within the range the casts are exact; the bounds are 2^63 and 2^64.
    if float.fract() != 0.0 || (float == 0.0 && float.is_sign_negative()) {
        return Number::from_f64(float);
    }
    if float.abs() < 9_223_372_036_854_775_808.0 {
        return Some((float as i64).into());
    }
    if (0.0..18_446_744_073_709_551_616.0).contains(&float) {
        return Some((float as u64).into());
    }
    Number::from_f64(float)
}

/// A value with every number as [`float_number`] has it.
pub(super) fn as_floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => float_number(&go_number(number)).map_or(Value::Null, Value::Number),
        Value::Array(items) => Value::Array(items.iter().map(as_floats).collect()),
        Value::Object(map) => Value::Object(map.iter().map(|(key, value)| (key.clone(), as_floats(value))).collect()),
        other => other.clone(),
    }
}

/// The text that Go's encoder writes for a number of a document.
pub(super) fn go_number(number: &Number) -> String {
    if let Some(integer) = number.as_i64() {
        return integer.to_string();
    }
    let float = number.as_f64().unwrap_or_default();
    if float != 0.0 && !(1e-6..1e21).contains(&float.abs()) {
        let text = format!("{float:e}");
        return match text.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
            _ => text,
        };
    }
    float.to_string()
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn error(&self, problem: Problem) -> SyntaxError {
        SyntaxError { offset: self.at, problem }
    }

    fn expected<T>(&self, what: &'static str) -> Result<T, SyntaxError> {
        Err(self.error(Problem::Expected(what)))
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at > start
    }

    fn value(&mut self, depth: usize) -> Result<Json<'t>, SyntaxError> {
        let start = self.at;
        let shape = match self.peek() {
            Some(b'{' | b'[') if depth == 0 => return Err(self.error(Problem::TooDeep)),
            Some(b'{') => Shape::Map(self.map(depth - 1)?),
            Some(b'[') => Shape::List(self.list(depth - 1)?),
            Some(b'"') => Shape::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Shape::Number(self.number()?),
            Some(b't') => self.word("true", Shape::Bool(true))?,
            Some(b'f') => self.word("false", Shape::Bool(false))?,
            Some(b'n') => self.word("null", Shape::Null)?,
            _ => return self.expected("a value"),
        };
        Ok(Json { shape, start, end: self.at })
    }

    fn word(&mut self, word: &'static str, shape: Shape<'t>) -> Result<Shape<'t>, SyntaxError> {
        if !self.text.get(self.at..).unwrap_or_default().starts_with(word) {
            return self.expected("a value");
        }
        self.at += word.len();
        Ok(shape)
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Json<'t>>, SyntaxError> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.take(b']') {
            return Ok(items);
        }
        loop {
            self.space();
            items.push(self.value(depth)?);
            self.space();
            if self.take(b']') {
                return Ok(items);
            }
            if !self.take(b',') {
                return self.expected("`,` or `]`");
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Vec<Member<'t>>, SyntaxError> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        if self.take(b'}') {
            return Ok(members);
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return self.expected("a member's name in double quotes");
            }
            let start = self.at;
            let key = self.string()?;
            self.space();
            if !self.take(b':') {
                return self.expected("`:`");
            }
            self.space();
            members.push(Member { key, start, value: self.value(depth)? });
            self.space();
            if self.take(b'}') {
                return Ok(members);
            }
            if !self.take(b',') {
                return self.expected("`,` or `}`");
            }
        }
    }

    fn number(&mut self) -> Result<&'t str, SyntaxError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') && !self.digits() {
            return self.expected("a digit");
        }
        if self.take(b'.') && !self.digits() {
            return self.expected("a digit");
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            if !self.digits() {
                return self.expected("a digit");
            }
        }
        Ok(self.slice(start, self.at))
    }

    fn string(&mut self) -> Result<Cow<'t, str>, SyntaxError> {
        self.at += 1;
        let mut decoded: Option<String> = None;
        let mut run = self.at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let rest = self.slice(run, self.at);
                    self.at += 1;
                    return Ok(match decoded {
                        Some(text) => Cow::Owned(text + rest),
                        None => Cow::Borrowed(rest),
                    });
                }
                Some(b'\\') => {
                    let rest = self.slice(run, self.at);
                    let character = self.escape()?;
                    let text = decoded.get_or_insert_default();
                    text.push_str(rest);
                    text.push(character);
                    run = self.at;
                }
                Some(0..=0x1f) => return self.expected("no control character in a string"),
                Some(_) => self.at += 1,
                None => return self.expected("`\"`"),
            }
        }
    }

    /// The character that an escape sequence stands for; half a surrogate pair is U+FFFD, as Go has it.
    fn escape(&mut self) -> Result<char, SyntaxError> {
        self.at += 1;
        let character = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return self.expected("an escape sequence of JSON"),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode(&mut self) -> Result<char, SyntaxError> {
        self.at += 1;
        let Some(first) = self.hex(self.at) else {
            return self.expected("four hexadecimal digits");
        };
        self.at += 4;
        if (0xd800..0xdc00).contains(&first) && self.slice(self.at, self.at + 2) == "\\u" {
            let second = self.hex(self.at + 2).filter(|code| (0xdc00..0xe000).contains(code));
            if let Some(second) = second {
                self.at += 6;
                let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 4)?;
        let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        all.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_a_json_reader() {
        for text in [
            r#" [1, -2.5e3, 0, "a\n\u00e9\ud83d\ude00\/", true, false, null, {"a": {}, "b": []}] "#,
            "18446744073709551615",
            r#"{"a": 1, "a": 2}"#,
        ] {
            let expect: Value = serde_json::from_str(text).unwrap();
            assert_eq!(parse(text).unwrap().to_value(), Some(expect), "{text}");
        }
        let lone = parse(r#""\ud83dx""#).unwrap();
        assert_eq!(lone.text().unwrap(), "\u{fffd}x");
    }

    #[test]
    fn errors_have_their_place() {
        let check = |text: &str, offset: usize, problem: Problem| {
            assert_eq!(parse(text).unwrap_err(), SyntaxError { offset, problem }, "{text}");
        };
        check("", 0, Problem::Expected("a value"));
        check("[1,]", 3, Problem::Expected("a value"));
        check("[1 2]", 3, Problem::Expected("`,` or `]`"));
        check("{'a':1}", 1, Problem::Expected("a member's name in double quotes"));
        check("[] x", 3, Problem::TextAfterEnd);
        check("01", 1, Problem::TextAfterEnd);
        check("\"a\tb\"", 2, Problem::Expected("no control character in a string"));
        check(r#""\x""#, 2, Problem::Expected("an escape sequence of JSON"));
        check(r#""\u12""#, 3, Problem::Expected("four hexadecimal digits"));
        check("\"a", 2, Problem::Expected("`\"`"));
        check("-", 1, Problem::Expected("a digit"));
        check(&"[".repeat(5000), MAX_DEPTH + 2, Problem::TooDeep);
    }

    #[test]
    fn numbers_are_written_as_go_writes_them() {
        let check = |number: f64, expect: &str| {
            assert_eq!(go_number(&Number::from_f64(number).unwrap()), expect);
        };
        check(1.0, "1");
        check(1.5, "1.5");
        check(1e20, "100000000000000000000");
        check(1e21, "1e+21");
        check(1.5e-7, "1.5e-7");
        check(1e-6, "0.000001");
        check(-0.0, "-0");
        assert_eq!(go_number(&u64::MAX.into()), "18446744073709552000");
        assert_eq!(float_number("9007199254740993"), Some(9_007_199_254_740_992_i64.into()));
        assert_eq!(float_number("1.0"), Some(1.into()));
        assert_eq!(float_number("1e400"), None);
    }
}
