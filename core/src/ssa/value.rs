//! JSON values as the API server's field manager compares, orders and prints them.
//!
//! Numbers are equal by what they are worth, `1` and `1.0` alike, and a number beyond 64 signed bits is a float.

use std::cmp::Ordering;
use std::fmt::Write;

use serde_json::{Number, Value};

/// A number as the server holds it.
#[derive(Clone, Copy)]
enum Numeric {
    Integer(i64),
    Float(f64),
}

#[expect(clippy::cast_precision_loss, reason = "the server compares an integer with a float as floats")]
impl Numeric {
    fn of(number: &Number) -> Self {
        match number.as_i64() {
            Some(integer) => Self::Integer(integer),
            None => Self::Float(number.as_f64().unwrap_or_default()),
        }
    }

    fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(&b),
            (a, b) => a.as_float().partial_cmp(&b.as_float()).unwrap_or(Ordering::Equal),
        }
    }

    fn as_float(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }
}

/// Whether two values are equal for the server.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || Numeric::of(a).compare(Numeric::of(b)).is_eq(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((a_key, a), (b_key, b))| a_key == b_key && equal(a, b))
        }
        _ => a == b,
    }
}

/// The server's order over all values: numbers, strings, booleans, lists, maps, null.
pub(super) fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Numeric::of(a).compare(Numeric::of(b)),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) => {
            let different = a.iter().zip(b).map(|(a, b)| compare(a, b)).find(|order| order.is_ne());
            different.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Value::Object(a), Value::Object(b)) => {
            let different = a
                .iter()
                .zip(b)
                .map(|((a_key, a), (b_key, b))| a_key.cmp(b_key).then_with(|| compare(a, b)))
                .find(|order| order.is_ne());
            different.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Number(_) => 0,
        Value::String(_) => 1,
        Value::Bool(_) => 2,
        Value::Array(_) => 3,
        Value::Object(_) => 4,
        Value::Null => 5,
    }
}

/// Writes a value as a path shows it: strings quoted, floats shortest.
pub(super) fn display(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => number_text(number, out),
        Value::String(text) => quote(text, out),
        Value::Array(items) => {
            out.push('[');
            separated(items, ",", out, display);
            out.push(']');
        }
        Value::Object(map) => {
            for (key, value) in map {
                out.push_str(key);
                out.push('=');
                display(value, out);
            }
        }
    }
}

/// Writes a value as the server's messages show what they got: strings bare, maps and lists in their Go form.
pub(super) fn plain(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("<nil>"),
        Value::String(text) => out.push_str(text),
        Value::Array(items) => {
            out.push('[');
            separated(items, " ", out, plain);
            out.push(']');
        }
        Value::Object(map) => {
            out.push_str("map[");
            separated(map, " ", out, |(key, value), out| {
                out.push_str(key);
                out.push(':');
                plain(value, out);
            });
            out.push(']');
        }
        scalar => display(scalar, out),
    }
}

/// Writes a value in the syntax of Go, as a few of the server's messages do.
pub(super) fn go_syntax(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("interface {}(nil)"),
        Value::Array(items) => {
            out.push_str("[]interface {}{");
            separated(items, ", ", out, go_syntax);
            out.push('}');
        }
        Value::Object(map) => {
            out.push_str("map[string]interface {}{");
            separated(map, ", ", out, |(key, value), out| {
                quote(key, out);
                out.push(':');
                go_syntax(value, out);
            });
            out.push('}');
        }
        scalar => display(scalar, out),
    }
}

/// The Go type of a value, as a few of the server's messages name it.
pub(super) fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.as_i64().is_some() => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

fn separated<T>(items: impl IntoIterator<Item = T>, separator: &str, out: &mut String, write: impl Fn(T, &mut String)) {
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            out.push_str(separator);
        }
        write(item, out);
    }
}

fn number_text(number: &Number, out: &mut String) {
    match Numeric::of(number) {
        Numeric::Integer(integer) => _ = write!(out, "{integer}"),
        Numeric::Float(float) => {
            let scientific = format!("{float:e}");
            let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
            let exponent: i32 = exponent.parse().unwrap_or_default();
            // Beyond six digits before the point Go's shortest form turns to an exponent.
            if (-4..6).contains(&exponent) {
                _ = write!(out, "{float}");
            } else {
                let sign = if exponent < 0 { '-' } else { '+' };
                _ = write!(out, "{digits}e{sign}{:02}", exponent.unsigned_abs());
            }
        }
    }
}

/// Writes a text in double quotes with Go's escapes.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            _ if character.is_ascii_control() => _ = write!(out, "\\x{:02x}", u32::from(character)),
            _ if character != ' ' && (character.is_control() || character.is_whitespace()) => {
                _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// Writes a value as JSON as the server writes the keys of a field set: keys sorted, `<`, `>` and `&` escaped, whole
/// floats without a fraction.
pub(super) fn write_json(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => match Numeric::of(number) {
            Numeric::Float(float) if float.abs() < 1e21 && float.abs() >= 1e-6 || float == 0.0 => {
                _ = write!(out, "{float}");
            }
            _ => _ = write!(out, "{number}"),
        },
        Value::String(text) => write_json_text(text, true, out),
        Value::Array(items) => {
            out.push('[');
            separated(items, ",", out, write_json);
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            separated(map, ",", out, |(key, value), out| {
                write_json_text(key, true, out);
                out.push(':');
                write_json(value, out);
            });
            out.push('}');
        }
        Value::Null | Value::Bool(_) => display(value, out),
    }
}

/// Writes a JSON string; `html` escapes what a browser could take for markup.
pub(super) fn write_json_text(text: &str, html: bool, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '<' | '>' | '&' if html => _ = write!(out, "\\u{:04x}", u32::from(character)),
            '\u{2028}' | '\u{2029}' if html => _ = write!(out, "\\u{:04x}", u32::from(character)),
            _ if character < ' ' => _ = write!(out, "\\u{:04x}", u32::from(character)),
            _ => out.push(character),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(write: fn(&Value, &mut String), value: &Value) -> String {
        let mut out = String::new();
        write(value, &mut out);
        out
    }

    #[test]
    fn numbers_are_equal_by_worth() {
        assert!(equal(&json!(1), &json!(1.0)));
        assert!(equal(&json!({"a": [1, {"b": 2.0}]}), &json!({"a": [1.0, {"b": 2}]})));
        assert!(!equal(&json!(1), &json!("1")));
        assert!(!equal(&json!(null), &json!(0)));
        assert!(!equal(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64)));
        assert!(equal(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992.0)));
    }

    #[test]
    fn every_type_has_its_place_in_the_order() {
        let sorted = [json!(-1), json!(1.5), json!(2), json!("a"), json!("b"), json!(false), json!(true)]
            .into_iter()
            .chain([json!([1]), json!([1, 0]), json!([2]), json!({"a": 1}), json!({"b": 0}), json!(null)])
            .collect::<Vec<_>>();
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(compare(a, b), i.cmp(&j), "{a} {b}");
            }
        }
    }

    #[test]
    fn values_in_messages() {
        let check = |value: Value, shown: &str, bare: &str, go: &str| {
            assert_eq!(text(display, &value), shown);
            assert_eq!(text(plain, &value), bare);
            assert_eq!(text(go_syntax, &value), go);
        };
        check(json!("a\"b\n"), r#""a\"b\n""#, "a\"b\n", r#""a\"b\n""#);
        check(json!(1_000_000), "1000000", "1000000", "1000000");
        check(json!(1_000_000.0), "1e+06", "1e+06", "1e+06");
        check(json!(80.0), "80", "80", "80");
        check(json!(0.00001), "1e-05", "1e-05", "1e-05");
        check(json!([1, "x"]), r#"[1,"x"]"#, "[1 x]", r#"[]interface {}{1, "x"}"#);
        check(json!({"a": true}), "a=true", "map[a:true]", r#"map[string]interface {}{"a":true}"#);
    }

    #[test]
    fn keys_of_a_field_set() {
        assert_eq!(text(write_json, &json!({"b": 80.0, "a": "<x>&"})), r#"{"a":"\u003cx\u003e\u0026","b":80}"#);
        assert_eq!(text(write_json, &json!([1.5, null, true, "\u{1}"])), r#"[1.5,null,true,"\u0001"]"#);
    }
}
