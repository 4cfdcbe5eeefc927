//! Go's own functions.

use std::cmp::Ordering;

use super::Type::{Any, Reflect, Str};
use super::{Function, Outcome, Short, any, define, text};
use crate::template::error::{Fail, refuse};
use crate::template::exec::Env;
use crate::template::fmt;
use crate::template::text::{self as bytes, hex_digit};
use crate::template::value::{Elem, Heap, Value};

pub(super) static FUNCTIONS: [Function; 18] = [
    define("and", &[Reflect, Reflect], |_, _| Ok(Value::Nil)).variadic().short(Short::And),
    define("or", &[Reflect, Reflect], |_, _| Ok(Value::Nil)).variadic().short(Short::Or),
    define("not", &[Reflect], |env, arguments| Ok(Value::Bool(!env.is_true(any(arguments, 0))))),
    define("call", &[Reflect, Reflect], call).variadic(),
    define("index", &[Reflect, Reflect], index).variadic().dynamic(),
    define("len", &[Reflect], len),
    define("eq", &[Reflect, Reflect], |env, arguments| Ok(Value::Bool(eq(env, arguments)?))).variadic(),
    define("ne", &[Reflect, Reflect], |env, arguments| Ok(Value::Bool(!eq(env, arguments)?))),
    define("lt", &[Reflect, Reflect], |_, arguments| Ok(Value::Bool(compare(arguments)? == Some(Ordering::Less)))),
    define("le", &[Reflect, Reflect], |_, arguments| Ok(Value::Bool(compare(arguments)?.is_some_and(Ordering::is_le)))),
    // A number that is none is neither less than another nor equal to it.
    define("gt", &[Reflect, Reflect], |_, arguments| {
        Ok(Value::Bool(!compare(arguments)?.is_some_and(Ordering::is_le)))
    }),
    define("ge", &[Reflect, Reflect], |_, arguments| Ok(Value::Bool(compare(arguments)? != Some(Ordering::Less)))),
    define("print", &[Any], |env, arguments| {
        Ok(Heap::paid_string(fmt::sprint(&mut env.heap, env.context, arguments)?))
    })
    .variadic(),
    define("println", &[Any], |env, arguments| {
        Ok(Heap::paid_string(fmt::sprintln(&mut env.heap, env.context, arguments)?))
    })
    .variadic(),
    define("printf", &[Str, Any], |env, arguments| {
        let values = arguments.get(1..).unwrap_or_default();
        Ok(Heap::paid_string(fmt::sprintf(env, text(arguments, 0), values)?))
    })
    .variadic(),
    define("html", &[Any], |env, arguments| escape(env, arguments, 5, html)).variadic(),
    define("js", &[Any], |env, arguments| escape(env, arguments, 6, js)).variadic(),
    define("urlquery", &[Any], |env, arguments| escape(env, arguments, 3, url_query)).variadic(),
];

fn call<'a>(_: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match any(arguments, 0) {
        Value::Nil => refuse("call of nil"),
        // No value of a template is a function.
        value => refuse(format!("non-function of type {}", value.type_name())),
    }
}

fn index<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let mut item = any(arguments, 0).clone();
    if matches!(item, Value::Nil) {
        return refuse("index of untyped nil");
    }
    for key in arguments.get(1..).unwrap_or_default() {
        item = match &item {
            Value::Str(text) => Value::Byte(text.get(position(key, text.len())?).copied().unwrap_or_default()),
            Value::List(list) => {
                let at = position(key, list.len())?;
                env.heap.item(list, at).unwrap_or(Value::Nil)
            }
            Value::Map(map) => {
                let key = match key {
                    Value::Str(key) => key,
                    Value::Nil => return refuse("value is nil; should be of type string"),
                    key => return refuse(format!("value has type {}; should be string", key.type_name())),
                };
                match (env.heap.get(map, key), map.elem()) {
                    (Some(value), _) => value,
                    (None, Elem::Str) => Value::text(""),
                    (None, Elem::Bool) => Value::Bool(false),
                    (None, _) => Value::Nil,
                }
            }
            Value::Nil => return refuse("index of nil pointer"),
            item => return refuse(format!("can't index item of type {}", item.type_name())),
        };
    }
    Ok(item)
}

fn position(key: &Value<'_>, len: usize) -> Result<usize, Fail> {
    let at = match key {
        Value::Int(at) | Value::Int64(at) => *at,
        Value::Byte(at) => i64::from(*at),
        Value::Nil => return refuse("cannot index slice/array with nil"),
        key => return refuse(format!("cannot index slice/array with type {}", key.type_name())),
    };
    match usize::try_from(at) {
        Ok(position) if position < len => Ok(position),
        Ok(position) if position == len => refuse("reflect: slice index out of range"),
        _ => refuse(format!("index out of range: {at}")),
    }
}

fn len<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let len = match any(arguments, 0) {
        Value::Str(text) => text.len(),
        Value::List(list) => list.len(),
        Value::Map(map) => env.heap.map_len(map),
        Value::Nil => return refuse("len of nil pointer"),
        value => return refuse(format!("len of type {}", value.type_name())),
    };
    Ok(Value::Int(i64::try_from(len).unwrap_or(i64::MAX)))
}

// Comparison.

/// What can be compared with what.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basic {
    Bool,
    Int,
    Uint,
    Float,
    Complex,
    Str,
    None,
}

fn basic(value: &Value<'_>) -> Basic {
    match value {
        Value::Bool(_) => Basic::Bool,
        Value::Int(_) | Value::Int64(_) => Basic::Int,
        Value::Byte(_) => Basic::Uint,
        Value::Float(_) => Basic::Float,
        Value::Complex(..) => Basic::Complex,
        Value::Str(_) => Basic::Str,
        Value::Nil | Value::List(_) | Value::Map(_) | Value::Struct(_) => Basic::None,
    }
}

/// Any integer, signed or not.
fn integer(value: &Value<'_>) -> Option<i64> {
    match value {
        Value::Int(int) | Value::Int64(int) => Some(*int),
        Value::Byte(byte) => Some(i64::from(*byte)),
        _ => None,
    }
}

fn incompatible<T>(left: &Value<'_>, right: &Value<'_>) -> Result<T, Fail> {
    refuse(format!("incompatible types for comparison: {} and {}", left.type_name(), right.type_name()))
}

/// Whether the first is equal to any of the others.
fn eq<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Result<bool, Fail> {
    let Some((first, others)) = arguments.split_first().filter(|(_, others)| !others.is_empty()) else {
        return refuse("missing argument for comparison");
    };
    for other in others {
        let equal = match (first, other) {
            _ if integer(first).is_some() && integer(other).is_some() => integer(first) == integer(other),
            _ if basic(first) != basic(other) => {
                if !matches!(first, Value::Nil) && !matches!(other, Value::Nil) {
                    return incompatible(first, other);
                }
                false
            }
            (Value::Bool(left), Value::Bool(right)) => left == right,
            (Value::Float(left), Value::Float(right)) => left == right,
            (Value::Complex(..), Value::Complex(..)) => complex(first) == complex(other),
            (Value::Str(left), Value::Str(right)) => left == right,
            _ => eq_nillable(env, first, other)?,
        };
        if equal {
            return Ok(true);
        }
    }
    Ok(false)
}

fn complex(value: &Value<'_>) -> (f64, f64) {
    match value {
        Value::Complex(real, imaginary) => (*real, *imaginary),
        _ => (0.0, 0.0),
    }
}

/// Values of no basic kind can be compared with nil only, except pointers.
fn eq_nillable<'a>(env: &mut Env<'a>, first: &Value<'a>, other: &Value<'a>) -> Result<bool, Fail> {
    let comparable = matches!(
        (first, other),
        (Value::Nil, _)
            | (_, Value::Nil)
            | (Value::List(_), Value::List(_))
            | (Value::Map(_), Value::Map(_))
            | (Value::Struct(_), Value::Struct(_))
    );
    if !comparable {
        return refuse(format!("non-comparable types {}, {}", first.type_name(), other.type_name()));
    }
    if is_nil(first) || is_nil(other) {
        return Ok(is_nil(first) == is_nil(other));
    }
    match (first, other) {
        (Value::Struct(left), Value::Struct(right)) => Ok(left == right),
        _ => {
            let printed = fmt::print_one(&mut env.heap, env.context, other)?;
            let printed = String::from_utf8_lossy(&printed);
            refuse(format!("non-comparable type {printed}: {}", other.type_name()))
        }
    }
}

fn is_nil(value: &Value<'_>) -> bool {
    match value {
        Value::Nil => true,
        Value::List(list) => list.is_nil(),
        Value::Map(map) => map.is_nil(),
        _ => false,
    }
}

fn compare(arguments: &[Value<'_>]) -> Result<Option<Ordering>, Fail> {
    let (left, right) = (any(arguments, 0), any(arguments, 1));
    if basic(left) == Basic::None || basic(right) == Basic::None {
        return refuse("invalid type for comparison");
    }
    match (left, right) {
        (Value::Float(left), Value::Float(right)) => Ok(left.partial_cmp(right)),
        (Value::Str(left), Value::Str(right)) => Ok(Some(left.cmp(right))),
        _ => match (integer(left), integer(right)) {
            (Some(left), Some(right)) => Ok(Some(left.cmp(&right))),
            _ if basic(left) == basic(right) => refuse("invalid type for comparison"),
            _ => incompatible(left, right),
        },
    }
}

// Escaping.

/// Prints the arguments and escapes the text; no byte becomes more than `worst` bytes.
fn escape<'a>(
    env: &mut Env<'a>,
    arguments: &[Value<'a>],
    worst: usize,
    escape: impl Fn(&[u8]) -> Vec<u8>,
) -> Outcome<'a> {
    let printed = match arguments {
        [Value::Str(text)] => text.to_vec(),
        [value] => fmt::print_indirect(&mut env.heap, env.context, value)?,
        _ => {
            // No value at all is said so here.
            let shown: Vec<_> = arguments
                .iter()
                .map(|value| if matches!(value, Value::Nil) { Value::text("<no value>") } else { value.clone() })
                .collect();
            fmt::sprint(&mut env.heap, env.context, &shown)?
        }
    };
    env.heap.allocate(printed.len() * worst)?;
    Ok(Heap::paid_string(escape(&printed)))
}

fn html(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        match byte {
            0 => out.extend("\u{fffd}".bytes()),
            b'"' => out.extend(b"&#34;"),
            b'\'' => out.extend(b"&#39;"),
            b'&' => out.extend(b"&amp;"),
            b'<' => out.extend(b"&lt;"),
            b'>' => out.extend(b"&gt;"),
            _ => out.push(*byte),
        }
    }
    out
}

fn js(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let unicode = |out: &mut Vec<u8>, code: u32| {
        out.extend(b"\\u");
        let digits = if code > 0xffff { 5 } else { 4 };
        out.extend((0..digits).rev().map(|at| hex_digit(code >> (4 * at), b'A')));
    };
    for (c, len) in bytes::runes(text) {
        match c {
            '\\' | '\'' | '"' => out.extend([b'\\', c as u8]),
            '<' | '>' | '&' | '=' => unicode(&mut out, u32::from(c)),
            _ if c < ' ' => unicode(&mut out, u32::from(c)),
            _ if c.is_ascii() => out.push(c as u8),
            // A byte that is no text passes as the character that stands for it does.
            _ if bytes::is_printable(c) && len > 1 => bytes::push_char(&mut out, c),
            _ if bytes::is_printable(c) => bytes::push_char(&mut out, char::REPLACEMENT_CHARACTER),
            _ => unicode(&mut out, u32::from(c)),
        }
    }
    out
}

fn url_query(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        match byte {
            b' ' => out.push(b'+'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(*byte),
            _ => out.extend([b'%', hex_digit(u32::from(byte >> 4), b'A'), hex_digit(u32::from(*byte), b'A')]),
        }
    }
    out
}
