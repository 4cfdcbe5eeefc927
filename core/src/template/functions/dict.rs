//! sprig's functions of maps.

use super::Type::{Any, Map as MapType, Str};
use super::{Function, Outcome, any, convert, define, logic, map, text};
use crate::limits;
use crate::template::error::{ErrorKind, Fail, refuse};
use crate::template::exec::Env;
use crate::template::value::{Elem, Map, Value};

pub(super) static FUNCTIONS: [Function; 11] = [
    define("dict", &[Any], dict).variadic(),
    define("set", &[MapType, Str, Any], |env, arguments| {
        let map = map(arguments, 0);
        if !env.heap.insert(&map, text(arguments, 1), any(arguments, 2).clone())? {
            return refuse("assignment to entry in nil map");
        }
        Ok(Value::Map(map))
    }),
    define("unset", &[MapType, Str], |env, arguments| {
        let map = map(arguments, 0);
        env.heap.remove(&map, text(arguments, 1))?;
        Ok(Value::Map(map))
    }),
    define("hasKey", &[MapType, Str], |env, arguments| {
        Ok(Value::Bool(env.heap.get(&map(arguments, 0), text(arguments, 1)).is_some()))
    }),
    define("pluck", &[Str, MapType], |env, arguments| {
        let found = (1..arguments.len()).filter_map(|at| env.heap.get(&map(arguments, at), text(arguments, 0)));
        let found = found.collect();
        env.heap.list_value(Elem::Any, found)
    })
    .variadic(),
    // Go hands the keys out in any order; here they are sorted.
    define("keys", &[MapType], |env, arguments| {
        let mut keys = Vec::new();
        for at in 0..arguments.len() {
            keys.extend(env.heap.entries(&map(arguments, at))?.into_iter().map(|(key, _)| Value::Str(key)));
        }
        env.heap.list_value(Elem::Str, keys)
    })
    .variadic(),
    define("values", &[MapType], |env, arguments| {
        let values = env.heap.entries(&map(arguments, 0))?.into_iter().map(|(_, value)| value).collect();
        env.heap.list_value(Elem::Any, values)
    }),
    define("pick", &[MapType, Str], |env, arguments| {
        let (from, picked) = (map(arguments, 0), env.heap.map(Elem::Any)?);
        for at in 1..arguments.len() {
            if let Some(value) = env.heap.get(&from, text(arguments, at)) {
                env.heap.insert(&picked, text(arguments, at), value)?;
            }
        }
        Ok(Value::Map(picked))
    })
    .variadic(),
    define("omit", &[MapType, Str], |env, arguments| {
        let kept = env.heap.map(Elem::Any)?;
        for (key, value) in env.heap.entries(&map(arguments, 0))? {
            env.heap.read(arguments.len() * 64)?;
            if !(1..arguments.len()).any(|at| text(arguments, at) == &*key) {
                env.heap.insert(&kept, &key, value)?;
            }
        }
        Ok(Value::Map(kept))
    })
    .variadic(),
    define("merge", &[MapType, MapType], |env, arguments| merge_all(env, arguments, false)).variadic().dynamic(),
    define("mergeOverwrite", &[MapType, MapType], |env, arguments| merge_all(env, arguments, true))
        .variadic()
        .dynamic(),
];

fn dict<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let map = env.heap.map(Elem::Any)?;
    for pair in arguments.chunks(2) {
        let key = convert::to_text(env, any(pair, 0))?;
        let value = pair.get(1).cloned().unwrap_or(Value::text(""));
        env.heap.insert(&map, &key, value)?;
    }
    Ok(Value::Map(map))
}

fn merge_all<'a>(env: &mut Env<'a>, arguments: &[Value<'a>], overwrite: bool) -> Outcome<'a> {
    let mut into = map(arguments, 0);
    for at in 1..arguments.len() {
        let from = map(arguments, at);
        if into.is_nil() && !from.is_nil() {
            into = env.heap.map(Elem::Any)?;
        }
        merge(env, &into, &from, overwrite, 0)?;
    }
    Ok(Value::Map(into))
}

/// Merges a map into another, as mergo does: maps in maps are merged, other values replace what is empty, or all that
/// is there where it overwrites. What is taken over is shared, not copied.
fn merge<'a>(env: &mut Env<'a>, into: &Map<'a>, from: &Map<'a>, overwrite: bool, depth: usize) -> Result<(), Fail> {
    if depth > limits::MAX_TEMPLATE_DEPTH {
        return Err(Fail::new(ErrorKind::TooDeep, "the value is nested too deep, or holds itself"));
    }
    for (key, value) in env.heap.entries(from)? {
        env.heap.step()?;
        if matches!(value, Value::Nil) {
            if overwrite {
                set(env, into, &key, value)?;
            }
            continue;
        }
        let known = env.heap.get(into, &key);
        if let (Value::Map(value), Some(Value::Map(known))) = (&value, &known)
            && !known.is_nil()
        {
            merge(env, known, value, overwrite, depth + 1)?;
        }
        let keeps = match &known {
            Some(known) if !logic::is_empty(env, known) => match (&value, known) {
                // Maps are merged already.
                (Value::Map(_), Value::Map(_)) => true,
                _ => !overwrite,
            },
            _ => false,
        };
        if !keeps {
            set(env, into, &key, value)?;
        }
    }
    Ok(())
}

fn set<'a>(env: &mut Env<'a>, map: &Map<'a>, key: &[u8], value: Value<'a>) -> Result<(), Fail> {
    // A map of strings takes no other values, and one that the cluster lent takes none at all.
    let fits = map.elem() == Elem::Any || matches!((map.elem(), &value), (Elem::Str, Value::Str(_)));
    if !fits || !env.heap.insert(map, key, value)? {
        return refuse("reflect.Value.SetMapIndex: value of type interface {} is not assignable to type string");
    }
    Ok(())
}
