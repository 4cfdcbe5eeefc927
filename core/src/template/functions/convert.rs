//! sprig's conversions, and those that its other functions make of what they are given.

use super::Type::Any;
use super::{Function, any, define};
use crate::template::error::Fail;
use crate::template::exec::Env;
use crate::template::value::{Elem, Heap, Str, Value};
use crate::template::{fmt, number};

pub(super) static FUNCTIONS: [Function; 2] = [
    define("toString", &[Any], |env, arguments| Ok(Value::Str(to_text(env, any(arguments, 0))?))),
    define("toStrings", &[Any], |env, arguments| {
        let texts = to_texts(env, any(arguments, 0))?.into_iter().map(Value::Str).collect();
        env.heap.list_value(Elem::Str, texts)
    }),
];

/// A value as text: a string as it is, anything else as it prints.
pub(super) fn to_text<'a>(env: &mut Env<'a>, value: &Value<'a>) -> Result<Str<'a>, Fail> {
    match value {
        Value::Str(text) => Ok(text.clone()),
        _ => {
            let printed = fmt::print_one(&mut env.heap, env.context, value)?;
            Ok(match Heap::paid_string(printed) {
                Value::Str(text) => text,
                _ => Str::Borrowed(b""),
            })
        }
    }
}

/// The items of a list but nil as texts; a value that is no list is one text, and nil none.
pub(super) fn to_texts<'a>(env: &mut Env<'a>, value: &Value<'a>) -> Result<Vec<Str<'a>>, Fail> {
    let mut texts = Vec::new();
    match value {
        Value::Nil => {}
        Value::List(list) => {
            env.heap.allocate(list.len() * size_of::<Str<'_>>())?;
            for at in 0..list.len() {
                match env.heap.item(list, at) {
                    None | Some(Value::Nil) => {}
                    Some(item) => texts.push(to_text(env, &item)?),
                }
            }
        }
        value => texts.push(to_text(env, value)?),
    }
    Ok(texts)
}

/// A value as an integer. What is none counts as 0; a fraction is cut off.
pub(super) fn to_int(value: &Value<'_>) -> i64 {
    match value {
        Value::Int(int) | Value::Int64(int) => *int,
        Value::Byte(byte) => i64::from(*byte),
        Value::Float(float) => number::to_int(*float),
        Value::Bool(truth) => i64::from(*truth),
        Value::Str(text) => {
            std::str::from_utf8(text).ok().and_then(|text| number::parse_int(&cut_decimals(text))).unwrap_or(0)
        }
        _ => 0,
    }
}

/// The part of a decimal number before its point; any other text as it is.
fn cut_decimals(text: &str) -> String {
    let Some((whole, fraction)) = text.split_once('.') else { return text.to_owned() };
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    if !digits.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return text.to_owned();
    }
    if digits.is_empty() { format!("{whole}0") } else { whole.to_owned() }
}

/// A value as a float. What is none counts as 0.
pub(super) fn to_float(value: &Value<'_>) -> f64 {
    match value {
        Value::Int(int) | Value::Int64(int) => *int as f64,
        Value::Byte(byte) => f64::from(*byte),
        Value::Float(float) => *float,
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::Str(text) => std::str::from_utf8(text).ok().and_then(number::parse_float).unwrap_or(0.0),
        _ => 0.0,
    }
}
