//! How Go words values and texts in the errors that the controller's events carry.

use serde_json::Value;

/// A text as Go's `%q` quotes it.
pub(super) fn go_quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' | '\u{7f}' => out.push_str(&format!("\\x{:02x}", u32::from(character))),
            // Go quotes what it does not call printable; controls and white space are all that matters here.
            _ if character.is_control() || (character != ' ' && character.is_whitespace()) => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// A text as a JSON string, escaped as Go's encoder does.
pub(super) fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => push_html_escaped(character, &mut out),
        }
    }
    out.push('"');
    out
}

/// JSON text without the white space between its tokens, escaped for HTML as Go's encoder does.
pub(super) fn compact_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_string = false;
    let mut escaped = false;
    for character in text.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else {
            in_string = character == '"';
            if matches!(character, ' ' | '\t' | '\r' | '\n') {
                continue;
            }
        }
        push_html_escaped(character, &mut out);
    }
    out
}

fn push_html_escaped(character: char, out: &mut String) {
    match character {
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
        _ => out.push(character),
    }
}

/// A value as Go's `%v` prints it.
pub(super) fn go_value(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.to_string(),
            None => go_float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(go_value).collect::<Vec<_>>().join(" ")),
        Value::Object(map) => {
            let members = map.iter().map(|(key, value)| format!("{key}:{}", go_value(value)));
            format!("map[{}]", members.collect::<Vec<_>>().join(" "))
        }
    }
}

/// A float as Go's `%v` prints it: the shortest digits, with an exponent below 1e-4 and from 1e6 on.
fn go_float(float: f64) -> String {
    if float == 0.0 || (1e-4..1e6).contains(&float.abs()) {
        return float.to_string();
    }
    let text = format!("{float:e}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let (sign, exponent) = exponent.strip_prefix('-').map_or(("+", exponent), |rest| ("-", rest));
            format!("{digits}e{sign}{exponent:0>2}")
        }
        None => text,
    }
}

/// The type of a value in an unstructured object, as Go's `%T` prints it.
pub(super) fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_quoted_as_go_quotes_them() {
        assert_eq!(go_quote("a\"b\\\n\u{1}é\u{a0}"), r#""a\"b\\\n\x01é\u00a0""#);
        assert_eq!(json_string("a<\"\u{8}"), "\"a\\u003c\\\"\\u0008\"");
        assert_eq!(compact_json("{ \"a b\" :\n\"\\\" <\" , \"c\": [ 1 ]}"), "{\"a b\":\"\\\" \\u003c\",\"c\":[1]}");
    }

    #[test]
    fn values_are_printed_as_go_prints_them() {
        let value = json!({"b": [1, null, "x y"], "a": {"f": 1.5, "t": true}});
        assert_eq!(go_value(&value), "map[a:map[f:1.5 t:true] b:[1 <nil> x y]]");
        assert_eq!(go_value(&json!(1e6)), "1e+06");
        assert_eq!(go_value(&json!(1.25e-7)), "1.25e-07");
        assert_eq!(go_type(&json!(1.0)), "float64");
    }
}
