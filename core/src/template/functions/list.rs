//! sprig's functions of lists.

use super::Type::{Any, Int};
use super::{Function, Outcome, any, convert, define, int, list, logic};
use crate::limits;
use crate::template::error::{ErrorKind, Fail, refuse};
use crate::template::exec::Env;
use crate::template::value::{Elem, Items, List, Value};

pub(super) static FUNCTIONS: [Function; 14] = [
    define("list", &[Any], |env, arguments| env.heap.list_value(Elem::Any, arguments.to_vec())).variadic(),
    define("append", &[Any, Any], |env, arguments| {
        let mut items = items(env, arguments, "Cannot push on type")?;
        items.push(any(arguments, 1).clone());
        env.heap.list_value(Elem::Any, items)
    }),
    define("prepend", &[Any, Any], |env, arguments| {
        let mut items = items(env, arguments, "Cannot prepend on type")?;
        items.insert(0, any(arguments, 1).clone());
        env.heap.list_value(Elem::Any, items)
    }),
    define("first", &[Any], |env, arguments| {
        let list = list(arguments, 0, "Cannot find first on type")?;
        Ok(env.heap.item(&list, 0).unwrap_or(Value::Nil))
    })
    .dynamic(),
    define("last", &[Any], |env, arguments| {
        let list = list(arguments, 0, "Cannot find last on type")?;
        Ok(env.heap.item(&list, list.len().wrapping_sub(1)).unwrap_or(Value::Nil))
    })
    .dynamic(),
    define("rest", &[Any], |env, arguments| {
        let list = list(arguments, 0, "Cannot find rest on type")?;
        without_ends(env, &list, 1, list.len())
    }),
    define("initial", &[Any], |env, arguments| {
        let list = list(arguments, 0, "Cannot find initial on type")?;
        without_ends(env, &list, 0, list.len().saturating_sub(1))
    }),
    define("reverse", &[Any], |env, arguments| {
        let mut items = items(env, arguments, "Cannot find reverse on type")?;
        items.reverse();
        env.heap.list_value(Elem::Any, items)
    }),
    define("uniq", &[Any], |env, arguments| {
        let mut unique: Vec<Value<'_>> = Vec::new();
        for item in items(env, arguments, "Cannot find uniq on type")? {
            if !contains(env, &unique, &item)? {
                unique.push(item);
            }
        }
        env.heap.list_value(Elem::Any, unique)
    }),
    define("without", &[Any, Any], |env, arguments| {
        let mut kept = Vec::new();
        for item in items(env, arguments, "Cannot find without on type")? {
            if !contains(env, arguments.get(1..).unwrap_or_default(), &item)? {
                kept.push(item);
            }
        }
        env.heap.list_value(Elem::Any, kept)
    })
    .variadic(),
    define("compact", &[Any], |env, arguments| {
        let mut items = items(env, arguments, "Cannot compact on type")?;
        items.retain(|item| !logic::is_empty(env, item));
        env.heap.list_value(Elem::Any, items)
    }),
    define("slice", &[Any, Any], slice).variadic().dynamic(),
    define("concat", &[Any], concat).variadic().dynamic(),
    define("chunk", &[Int, Any], chunk),
];

fn items<'a>(env: &mut Env<'a>, arguments: &[Value<'a>], refusal: &str) -> Result<Vec<Value<'a>>, Fail> {
    let list = list(arguments, 0, refusal)?;
    env.heap.items(&list)
}

/// A copy of a part; of an empty list, the nil list.
fn without_ends<'a>(env: &mut Env<'a>, list: &List<'a>, from: usize, to: usize) -> Outcome<'a> {
    if list.len() == 0 {
        return Ok(Value::List(List { elem: Elem::Any, items: Items::Nil }));
    }
    let Some(part) = env.heap.slice(list, from, to) else {
        return refuse("runtime error: slice bounds out of range");
    };
    let items = env.heap.items(&part)?;
    env.heap.list_value(Elem::Any, items)
}

fn slice<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let list = list(arguments, 0, "list should be type of slice or array but")?;
    if list.len() == 0 {
        return Ok(Value::Nil);
    }
    let bound = |at: usize, otherwise: usize| match arguments.get(at) {
        Some(value) => usize::try_from(convert::to_int(value)).ok(),
        None => Some(otherwise),
    };
    let part = match (bound(1, 0), bound(2, list.len())) {
        (Some(from), Some(to)) if from <= to => env.heap.slice(&list, from, to),
        _ => None,
    };
    match part {
        Some(part) => Ok(Value::List(part)),
        None => refuse("reflect.Value.Slice: slice index out of bounds"),
    }
}

fn concat<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let mut all = Vec::new();
    for at in 0..arguments.len() {
        let list = match any(arguments, at) {
            Value::List(list) => *list,
            Value::Nil => return refuse("runtime error: invalid memory address or nil pointer dereference"),
            other => return refuse(format!("Cannot concat type {} as list", other.kind_name())),
        };
        all.extend(env.heap.items(&list)?);
    }
    if all.is_empty() {
        return Ok(Value::List(List { elem: Elem::Any, items: Items::Nil }));
    }
    env.heap.list_value(Elem::Any, all)
}

fn chunk<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let size = int(arguments, 0);
    let list = list(arguments, 1, "Cannot chunk type")?;
    let len = list.len();
    // As Go counts them in floats, a size below 1 can still make one chunk.
    let count = ((len as f64 - 1.0) / size as f64).floor() + 1.0;
    let remainder = (len as f64 % size as f64).floor();
    if !(0.0..=len as f64 + 1.0).contains(&count) {
        return refuse("runtime error: makeslice: len out of range");
    }
    let mut chunks = Vec::new();
    let mut from = 0;
    let count = count as usize;
    for at in 0..count {
        env.heap.step()?;
        let is_last = at + 1 == count;
        let take = if is_last && remainder != 0.0 { remainder as i64 } else { size };
        let part = usize::try_from(take).ok().and_then(|take| env.heap.slice(&list, from, from.checked_add(take)?));
        let Some(part) = part else { return refuse("runtime error: makeslice: len out of range") };
        from += part.len();
        let items = env.heap.items(&part)?;
        chunks.push(env.heap.list_value(Elem::Any, items)?);
    }
    env.heap.list_value(Elem::List, chunks)
}

fn contains<'a>(env: &mut Env<'a>, items: &[Value<'a>], wanted: &Value<'a>) -> Result<bool, Fail> {
    for item in items {
        if deep_equal(env, wanted, item, 0)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether two values are equal throughout, types included.
pub(super) fn deep_equal<'a>(
    env: &mut Env<'a>,
    left: &Value<'a>,
    right: &Value<'a>,
    depth: usize,
) -> Result<bool, Fail> {
    env.heap.step()?;
    if depth > limits::MAX_TEMPLATE_DEPTH {
        return Err(Fail::new(ErrorKind::TooDeep, "the value is nested too deep, or holds itself"));
    }
    Ok(match (left, right) {
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(left), Value::Int(right)) | (Value::Int64(left), Value::Int64(right)) => left == right,
        (Value::Byte(left), Value::Byte(right)) => left == right,
        (Value::Float(left), Value::Float(right)) => left == right,
        (Value::Complex(a, b), Value::Complex(c, d)) => (a, b) == (c, d),
        (Value::Str(left), Value::Str(right)) => {
            env.heap.read(left.len().min(right.len()))?;
            left == right
        }
        (Value::Struct(left), Value::Struct(right)) => left == right,
        (Value::List(left), Value::List(right)) => {
            if left.elem != right.elem || left.is_nil() != right.is_nil() || left.len() != right.len() {
                return Ok(false);
            }
            for at in 0..left.len() {
                let (Some(left), Some(right)) = (env.heap.item(left, at), env.heap.item(right, at)) else {
                    return Ok(false);
                };
                if !deep_equal(env, &left, &right, depth + 1)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Map(left), Value::Map(right)) => {
            if env.heap.same_map(left, right) {
                return Ok(true);
            }
            let same_type = left.elem() == right.elem() && left.is_nil() == right.is_nil();
            if !same_type || env.heap.map_len(left) != env.heap.map_len(right) {
                return Ok(false);
            }
            for (key, left) in env.heap.entries(left)? {
                let Some(right) = env.heap.get(right, &key) else { return Ok(false) };
                if !deep_equal(env, &left, &right, depth + 1)? {
                    return Ok(false);
                }
            }
            true
        }
        _ => false,
    })
}
