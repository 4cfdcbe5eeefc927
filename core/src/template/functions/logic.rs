//! sprig's functions of defaults and choices.

use super::Type::{Any, Bool};
use super::{Function, any, define};
use crate::template::exec::Env;
use crate::template::value::Value;

pub(super) static FUNCTIONS: [Function; 4] = [
    define("default", &[Any, Any], |env, arguments| {
        let given = any(arguments, 1);
        Ok(if is_empty(env, given) { any(arguments, 0) } else { given }.clone())
    })
    .variadic()
    .dynamic(),
    define("empty", &[Any], |env, arguments| Ok(Value::Bool(is_empty(env, any(arguments, 0))))),
    define("coalesce", &[Any], |env, arguments| {
        Ok(arguments.iter().find(|value| !is_empty(env, value)).cloned().unwrap_or(Value::Nil))
    })
    .variadic()
    .dynamic(),
    define("ternary", &[Any, Any, Bool], |_, arguments| {
        let holds = matches!(any(arguments, 2), Value::Bool(true));
        Ok(any(arguments, usize::from(!holds)).clone())
    })
    .dynamic(),
];

/// Whether a value is its type's zero or holds nothing.
pub(super) fn is_empty<'a>(env: &Env<'a>, value: &Value<'a>) -> bool {
    !env.is_true(value)
}
