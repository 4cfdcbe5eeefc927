//! The controller's functions of YAML.

use serde_json::{Map as JsonMap, Number, Value as Json};

use super::Type::{Any, Str};
use super::{Function, Outcome, any, define, text};
use crate::limits;
use crate::template::error::{ErrorKind, Fail};
use crate::template::exec::Env;
use crate::template::fmt;
use crate::template::value::{Elem, Struct, Value};
use crate::yaml;

pub(super) static FUNCTIONS: [Function; 2] = [define("fromYaml", &[Str], from_yaml), define("toYaml", &[Any], to_yaml)];

/// How many bytes a byte of YAML text can take while it is read.
const BYTES_A_BYTE: usize = 12;

/// A map read from YAML. What is no map, or no YAML, is an empty one.
fn from_yaml<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let text = text(arguments, 0);
    env.heap.allocate(text.len().saturating_mul(BYTES_A_BYTE))?;
    match yaml::parse(&String::from_utf8_lossy(text)) {
        Ok(map @ Json::Object(_)) => env.heap.import(&map),
        _ => Ok(Value::Map(env.heap.map(Elem::Any)?)),
    }
}

/// YAML without its last line feed. What cannot be written is no text at all.
fn to_yaml<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let Some(json) = to_json(env, any(arguments, 0), 0)? else { return Ok(Value::text("")) };
    if !yaml::is_writable(&json) {
        return Ok(Value::text(""));
    }
    let written = yaml::write(&json);
    env.heap.string(written.strip_suffix('\n').unwrap_or(&written))
}

/// A value as JSON has it: a float without a fraction is an integer. `None` where JSON has no such value.
fn to_json<'a>(env: &mut Env<'a>, value: &Value<'a>, depth: usize) -> Result<Option<Json>, Fail> {
    // What YAML adds by indentation is paid for here.
    env.heap.allocate(size_of::<Json>() + 2 * depth)?;
    if depth > limits::MAX_DEPTH {
        return Err(Fail::new(ErrorKind::TooDeep, "the value is nested too deep, or holds itself"));
    }
    Ok(Some(match value {
        Value::Nil => Json::Null,
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Int(int) | Value::Int64(int) => Json::from(*int),
        Value::Byte(byte) => Json::from(*byte),
        Value::Float(float) => {
            let Some(number) = Number::from_f64(*float) else { return Ok(None) };
            let written = fmt::shortest(*float);
            let written = std::str::from_utf8(&written).unwrap_or_default();
            let int = written.parse::<i64>().map(Number::from).or_else(|_| written.parse::<u64>().map(Number::from));
            Json::Number(int.unwrap_or(number))
        }
        Value::Complex(..) => return Ok(None),
        Value::Str(text) => {
            env.heap.allocate(text.len())?;
            Json::String(String::from_utf8_lossy(text).into_owned())
        }
        Value::List(list) if list.is_nil() => Json::Null,
        Value::List(list) => {
            let mut items = Vec::new();
            for at in 0..list.len() {
                let item = env.heap.item(list, at).unwrap_or(Value::Nil);
                let Some(item) = to_json(env, &item, depth + 1)? else { return Ok(None) };
                items.push(item);
            }
            Json::Array(items)
        }
        Value::Map(map) if map.is_nil() => Json::Null,
        Value::Map(map) => {
            let mut entries = JsonMap::new();
            for (key, value) in env.heap.entries(map)? {
                let Some(value) = to_json(env, &value, depth + 1)? else { return Ok(None) };
                entries.insert(String::from_utf8_lossy(&key).into_owned(), value);
            }
            Json::Object(entries)
        }
        Value::Struct(Struct::Hco) => env.context.hco.to_value(),
        Value::Struct(kind) => {
            let mut entries = JsonMap::new();
            for (name, value) in crate::template::field::fields(*kind, env.context) {
                let Some(value) = to_json(env, &value, depth + 1)? else { return Ok(None) };
                entries.insert(name.to_owned(), value);
            }
            Json::Object(entries)
        }
    }))
}
