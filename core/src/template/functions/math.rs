//! sprig's arithmetic, which takes anything for a number.

use super::Type::{Any, Float, Int};
use super::{Function, any, define, int};
use crate::template::error::{Fail, refuse};
use crate::template::functions::convert::{to_float, to_int};
use crate::template::value::Value;

pub(super) static FUNCTIONS: [Function; 11] = [
    define("add", &[Any], |_, arguments| fold(arguments, 0, i64::wrapping_add)).variadic(),
    define("add1", &[Any], |_, arguments| fold(arguments, 1, i64::wrapping_add)),
    define("mul", &[Any, Any], |_, arguments| fold(arguments, 1, i64::wrapping_mul)).variadic(),
    define("sub", &[Any, Any], |_, arguments| {
        Ok(Value::Int64(to_int(any(arguments, 0)).wrapping_sub(to_int(any(arguments, 1)))))
    }),
    define("div", &[Any, Any], |_, arguments| divide(arguments, i64::wrapping_div)),
    define("mod", &[Any, Any], |_, arguments| divide(arguments, i64::wrapping_rem)),
    define("max", &[Any, Any], |_, arguments| fold(arguments, to_int(any(arguments, 0)), i64::max)).variadic(),
    define("min", &[Any, Any], |_, arguments| fold(arguments, to_int(any(arguments, 0)), i64::min)).variadic(),
    define("floor", &[Any], |_, arguments| Ok(Value::Float(to_float(any(arguments, 0)).floor()))),
    define("ceil", &[Any], |_, arguments| Ok(Value::Float(to_float(any(arguments, 0)).ceil()))),
    define("round", &[Any, Int, Float], |_, arguments| {
        let limit = match arguments.get(2) {
            Some(Value::Float(limit)) => *limit,
            _ => 0.5,
        };
        let power = 10_f64.powf(int(arguments, 1) as f64);
        let shifted = power * to_float(any(arguments, 0));
        // The fraction bears the number's sign, so negative numbers are rounded down.
        let rounded = if shifted.fract() >= limit { shifted.ceil() } else { shifted.floor() };
        Ok(Value::Float(rounded / power))
    })
    .variadic(),
];

fn fold<'a>(arguments: &[Value<'a>], start: i64, step: impl Fn(i64, i64) -> i64) -> Result<Value<'a>, Fail> {
    Ok(Value::Int64(arguments.iter().map(to_int).fold(start, step)))
}

fn divide<'a>(arguments: &[Value<'a>], divide: impl Fn(i64, i64) -> i64) -> Result<Value<'a>, Fail> {
    match to_int(any(arguments, 1)) {
        0 => refuse("runtime error: integer divide by zero"),
        divisor => Ok(Value::Int64(divide(to_int(any(arguments, 0)), divisor))),
    }
}
