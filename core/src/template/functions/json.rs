//! sprig's functions of JSON, which is written as Go's encoder writes it.

use serde_json::Value as Json;

use super::Type::{Any, Str};
use super::{Function, Outcome, any, define, text};
use crate::limits;
use crate::template::error::{ErrorKind, Fail, refuse};
use crate::template::exec::Env;
use crate::template::text::{decode, push_hex_escape};
use crate::template::value::{Heap, Struct, Value};
use crate::template::{field, fmt};

pub(super) static FUNCTIONS: [Function; 4] = [
    define("toJson", &[Any], |env, arguments| {
        Ok(Heap::paid_string(encode(env, any(arguments, 0), true)?.unwrap_or_default()))
    }),
    define("toPrettyJson", &[Any], |env, arguments| {
        let compact = encode(env, any(arguments, 0), true)?.unwrap_or_default();
        Ok(Heap::paid_string(indent(env, &compact)?))
    }),
    define("toRawJson", &[Any], |env, arguments| match encode(env, any(arguments, 0), false)? {
        Ok(text) => Ok(Heap::paid_string(text)),
        Err(unsupported) => refuse(format!("json: unsupported {unsupported}")),
    }),
    define("fromJson", &[Str], from_json).dynamic(),
];

/// Why Go's encoder refuses a value.
pub(super) type Unsupported = &'static str;

/// Encodes a value. The inner error is Go's, which most functions swallow; the outer one is a limit.
pub(super) fn encode<'a>(
    env: &mut Env<'a>,
    value: &Value<'a>,
    escape_html: bool,
) -> Result<Result<Vec<u8>, Unsupported>, Fail> {
    let mut out = Vec::new();
    let written = write(env, &mut out, value, escape_html, 0)?;
    env.heap.allocate(out.len())?;
    Ok(written.map(|()| out))
}

fn write<'a>(
    env: &mut Env<'a>,
    out: &mut Vec<u8>,
    value: &Value<'a>,
    escape_html: bool,
    depth: usize,
) -> Result<Result<(), Unsupported>, Fail> {
    env.heap.step()?;
    if depth > limits::MAX_TEMPLATE_DEPTH {
        return Err(Fail::new(ErrorKind::TooDeep, "the value is nested too deep, or holds itself"));
    }
    if out.len() > env.heap.room() {
        env.heap.allocate(out.len())?;
    }
    match value {
        Value::Nil => out.extend(b"null"),
        Value::Bool(truth) => out.extend(if *truth { b"true".as_slice() } else { b"false" }),
        Value::Int(int) | Value::Int64(int) => out.extend(int.to_string().bytes()),
        Value::Byte(byte) => out.extend(byte.to_string().bytes()),
        Value::Float(float) if !float.is_finite() => return Ok(Err("value: NaN or Inf")),
        Value::Float(float) => out.extend(fmt::shortest(*float)),
        Value::Complex(..) => return Ok(Err("type: complex128")),
        Value::Str(text) => {
            env.heap.read(text.len())?;
            write_string(out, text, escape_html);
        }
        Value::List(list) if list.is_nil() => out.extend(b"null"),
        Value::List(list) => {
            out.push(b'[');
            for at in 0..list.len() {
                if at > 0 {
                    out.push(b',');
                }
                let item = env.heap.item(list, at).unwrap_or(Value::Nil);
                if let Err(unsupported) = write(env, out, &item, escape_html, depth + 1)? {
                    return Ok(Err(unsupported));
                }
            }
            out.push(b']');
        }
        Value::Map(map) if map.is_nil() => out.extend(b"null"),
        Value::Map(map) => {
            let entries = env.heap.entries(map)?;
            return write_entries(env, out, entries, escape_html, depth);
        }
        Value::Struct(Struct::Hco) => {
            // It writes itself, which escapes whatever the encoder was asked for.
            let object = field::get(Struct::Hco, "Object", env.context).unwrap_or(Value::Nil);
            return write(env, out, &object, true, depth + 1);
        }
        Value::Struct(kind) => {
            let fields = field::fields(*kind, env.context).into_iter();
            let entries = fields.map(|(name, value)| (name.into(), value)).collect();
            return write_entries(env, out, entries, escape_html, depth);
        }
    }
    Ok(Ok(()))
}

fn write_entries<'a>(
    env: &mut Env<'a>,
    out: &mut Vec<u8>,
    entries: Vec<(crate::template::value::Str<'a>, Value<'a>)>,
    escape_html: bool,
    depth: usize,
) -> Result<Result<(), Unsupported>, Fail> {
    out.push(b'{');
    for (at, (key, value)) in entries.into_iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_string(out, &key, escape_html);
        out.push(b':');
        if let Err(unsupported) = write(env, out, &value, escape_html, depth + 1)? {
            return Ok(Err(unsupported));
        }
    }
    out.push(b'}');
    Ok(Ok(()))
}

fn write_string(out: &mut Vec<u8>, text: &[u8], escape_html: bool) {
    out.push(b'"');
    let mut rest = text;
    loop {
        // Most of a text is plain, and copied as it is.
        let special = |byte: &u8| !(b' '..=b'~').contains(byte) || matches!(byte, b'"' | b'\\' | b'<' | b'>' | b'&');
        let plain = rest.iter().position(special).unwrap_or(rest.len());
        out.extend_from_slice(rest.get(..plain).unwrap_or_default());
        rest = rest.get(plain..).unwrap_or_default();
        let Some((c, len)) = decode(rest) else { break };
        write_special(out, c, len, escape_html);
        rest = rest.get(len..).unwrap_or_default();
    }
    out.push(b'"');
}

fn write_special(out: &mut Vec<u8>, c: char, len: usize, escape_html: bool) {
    match c {
        '"' | '\\' => out.extend([b'\\', c as u8]),
        '\n' => out.extend(b"\\n"),
        '\r' => out.extend(b"\\r"),
        '\t' => out.extend(b"\\t"),
        '\u{8}' => out.extend(b"\\b"),
        '\u{c}' => out.extend(b"\\f"),
        '<' | '>' | '&' if escape_html => push_hex_escape(out, "\\u", u32::from(c), 4),
        '\u{2028}' | '\u{2029}' => push_hex_escape(out, "\\u", u32::from(c), 4),
        _ if c < ' ' => push_hex_escape(out, "\\u", u32::from(c), 4),
        char::REPLACEMENT_CHARACTER if len == 1 => out.extend(b"\\ufffd"),
        _ => crate::template::text::push_char(out, c),
    }
}

/// Lays compact JSON out with two spaces a level.
fn indent(env: &mut Env<'_>, compact: &[u8]) -> Result<Vec<u8>, Fail> {
    let mut out = Vec::new();
    let mut depth = 0;
    let mut in_string = false;
    let mut escaped = false;
    let mut bytes = compact.iter().peekable();
    while let Some(byte) = bytes.next() {
        if in_string {
            in_string = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            out.push(*byte);
            continue;
        }
        match byte {
            b'{' | b'[' => {
                out.push(*byte);
                if let Some(close) = bytes.next_if(|next| matches!(next, b'}' | b']')) {
                    out.push(*close);
                } else {
                    depth += 1;
                    new_line(env, &mut out, depth)?;
                }
            }
            b'}' | b']' => {
                depth -= 1;
                new_line(env, &mut out, depth)?;
                out.push(*byte);
            }
            b',' => {
                out.push(b',');
                new_line(env, &mut out, depth)?;
            }
            b':' => out.extend(b": "),
            _ => {
                in_string = *byte == b'"';
                out.push(*byte);
            }
        }
    }
    env.heap.allocate(compact.len())?;
    Ok(out)
}

fn new_line(env: &mut Env<'_>, out: &mut Vec<u8>, depth: usize) -> Result<(), Fail> {
    env.heap.allocate(2 * depth + 1)?;
    out.push(b'\n');
    out.resize(out.len() + 2 * depth, b' ');
    Ok(())
}

/// How many bytes a byte of JSON text can take while it is read.
const BYTES_A_BYTE: usize = 12;

fn from_json<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let text = text(arguments, 0);
    env.heap.allocate(text.len().saturating_mul(BYTES_A_BYTE))?;
    // As Go's decoder does, bytes that are no text are replaced; a text that is no JSON is nil.
    match serde_json::from_str::<Json>(&String::from_utf8_lossy(text)) {
        Ok(json) => env.heap.import(&json),
        Err(_) => Ok(Value::Nil),
    }
}

#[cfg(test)]
mod tests {
    use super::write_string;

    #[test]
    fn strings_escape_as_go_escapes() {
        let check = |text: &[u8], html: bool, expect: &str| {
            let mut out = Vec::new();
            write_string(&mut out, text, html);
            assert_eq!(String::from_utf8(out).unwrap(), expect);
        };
        check(b"<a&b>\"\\\n\x01\x7f\xff", true, "\"\\u003ca\\u0026b\\u003e\\\"\\\\\\n\\u0001\u{7f}\\ufffd\"");
        check("<\u{2028}>".as_bytes(), false, "\"<\\u2028>\"");
    }
}
