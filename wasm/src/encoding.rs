//! How values cross between Rust and JavaScript.
//!
//! As JSON text, which engines parse fastest. Only a value with an integer beyond 2^53 is carried over piece by piece:
//! there such an integer is a `BigInt`, so that none of its digits is lost. In both ways maps are plain objects, `null`
//! stays `null`, and what is absent (in JavaScript `undefined`) stays absent.

use js_sys::{Array, BigInt, JSON, Number, Object, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use virt_autopilot::Diagnostic;
use wasm_bindgen::{JsCast, JsValue};

/// Levels that a value may be nested, as many as the core's JSON reader follows.
const MAX_DEPTH: usize = 127;

/// Numbers up to this one are exact in JavaScript.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// What is thrown at the caller: `{code, message, problems?}`, which the package makes an error of.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Diagnostic>,
}

impl Refusal {
    /// A refusal of a stable code, with a message for people.
    pub fn new(code: &'static str, message: impl ToString) -> Self {
        Self { code, message: message.to_string(), problems: Vec::new() }
    }

    /// Adds everything that is wrong with the request.
    pub fn problems(mut self, problems: Vec<Diagnostic>) -> Self {
        self.problems = problems;
        self
    }
}

impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> Self {
        to_js(&refusal).unwrap_or_else(|other| other)
    }
}

/// Reads a value of JavaScript's; `undefined` is null.
pub fn value(value: &JsValue) -> Result<Value, Refusal> {
    if value.is_undefined() {
        return Ok(Value::Null);
    }
    // `JSON.stringify` throws at a `BigInt`, and at a value that holds itself.
    match JSON::stringify(value) {
        Ok(text) => serde_json::from_str(&String::from(text)).map_err(unreadable),
        Err(_) => Ok(value_from_js(value, MAX_DEPTH)?.unwrap_or_default()),
    }
}

/// A value as what it stands for; null is the default. One way for all types: each that were read from text as
/// well would be compiled twice.
pub fn read<T: DeserializeOwned + Default>(value: Value) -> Result<T, Refusal> {
    if value.is_null() { Ok(T::default()) } else { required(value) }
}

/// A value as what it stands for.
pub fn required<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    serde_json::from_value(value).map_err(unreadable)
}

/// Takes a field out of a map; null where it is absent.
pub fn take(map: &mut Value, field: &str) -> Value {
    map.get_mut(field).map(Value::take).unwrap_or_default()
}

/// Hands a value to JavaScript.
pub fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    let text = serde_json::to_string(value).map_err(|error| JsValue::from_str(&error.to_string()))?;
    if !has_big_integer(&text) {
        return JSON::parse(&text);
    }
    match serde_json::from_str(&text) {
        Ok(value) => value_to_js(&value),
        Err(error) => Err(JsValue::from_str(&error.to_string())),
    }
}

fn unreadable(error: serde_json::Error) -> Refusal {
    Refusal::new("request.unreadable", error)
}

/// The value piece by piece; `None` for what JSON has no word for.
fn value_from_js(value: &JsValue, depth: usize) -> Result<Option<Value>, Refusal> {
    let Some(below) = depth.checked_sub(1) else {
        return Err(Refusal::new("request.too-deep", "the value is nested too deep, or holds itself"));
    };
    if value.is_null() {
        return Ok(Some(Value::Null));
    }
    if let Some(truth) = value.as_bool() {
        return Ok(Some(Value::Bool(truth)));
    }
    if let Some(text) = value.as_string() {
        return Ok(Some(Value::String(text)));
    }
    if let Some(number) = value.as_f64() {
        return Ok(Some(number_from_js(number)));
    }
    if value.is_bigint() {
        return big_from_js(value).map(Some);
    }
    if let Some(items) = value.dyn_ref::<Array>() {
        let items = items.iter().map(|item| Ok(value_from_js(&item, below)?.unwrap_or_default()));
        return items.collect::<Result<_, _>>().map(|items| Some(Value::Array(items)));
    }
    if value.is_function() || !value.is_object() {
        return Ok(None);
    }
    let mut map = Map::new();
    for entry in Object::entries(value.unchecked_ref()).iter() {
        let entry = Array::from(&entry);
        if let Some(item) = value_from_js(&entry.get(1), below)? {
            map.insert(entry.get(0).as_string().unwrap_or_default(), item);
        }
    }
    Ok(Some(Value::Object(map)))
}

/// A number as `JSON.stringify` would write it: whole ones without a fraction, what is not finite as null.
fn number_from_js(number: f64) -> Value {
    if Number::is_safe_integer(&JsValue::from_f64(number)) { Value::from(number as i64) } else { Value::from(number) }
}

fn big_from_js(value: &JsValue) -> Result<Value, Refusal> {
    let signed = i64::try_from(value.clone()).map(Value::from);
    let number = signed.or_else(|value| u64::try_from(value).map(Value::from));
    number.map_err(|_| Refusal::new("request.integer-too-big", "an integer does not fit into 64 bits"))
}

fn value_to_js(value: &Value) -> Result<JsValue, JsValue> {
    Ok(match value {
        Value::Null => JsValue::NULL,
        Value::Bool(truth) => JsValue::from_bool(*truth),
        Value::String(text) => JsValue::from_str(text),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(signed), _) if signed.unsigned_abs() > MAX_SAFE => BigInt::from(signed).into(),
            (None, Some(unsigned)) => BigInt::from(unsigned).into(),
            _ => JsValue::from_f64(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::Array(items) => items.iter().map(value_to_js).collect::<Result<Array, _>>()?.into(),
        Value::Object(map) => {
            let object = Object::new();
            for (key, item) in map {
                set_own(&object, key, &value_to_js(item)?)?;
            }
            object.into()
        }
    })
}

/// Sets a property of the object itself, as `JSON.parse` does: assigning `__proto__` would do something else.
fn set_own(object: &Object, key: &str, value: &JsValue) -> Result<(), JsValue> {
    if key != "__proto__" {
        return Reflect::set(object, &JsValue::from_str(key), value).map(drop);
    }
    let descriptor = Object::new();
    for flag in ["writable", "enumerable", "configurable"] {
        Reflect::set(&descriptor, &JsValue::from_str(flag), &JsValue::TRUE)?;
    }
    Reflect::set(&descriptor, &JsValue::from_str("value"), value)?;
    Reflect::define_property(object, &JsValue::from_str(key), &descriptor).map(drop)
}

/// Whether JSON text has an integer that a JavaScript number cannot hold exactly.
fn has_big_integer(text: &str) -> bool {
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => skip_string(&mut bytes),
            b'0'..=b'9' => {
                let mut integer = Some(u64::from(byte - b'0'));
                let mut whole = true;
                while let Some(next) =
                    bytes.next_if(|next| matches!(next, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
                {
                    whole &= next.is_ascii_digit();
                    let digit = u64::from(next.wrapping_sub(b'0'));
                    integer = integer.and_then(|so_far| so_far.checked_mul(10)?.checked_add(digit));
                }
                if whole && integer.is_none_or(|integer| integer > MAX_SAFE) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

fn skip_string(bytes: &mut impl Iterator<Item = u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'"' => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::has_big_integer;

    #[test]
    fn only_big_integers_take_the_slow_way() {
        let check = |text: &str, expect: bool| assert_eq!(has_big_integer(text), expect, "{text}");
        check("[9007199254740991,-9007199254740991]", false);
        check("[9007199254740992]", true);
        check("{\"a\":-9007199254740993}", true);
        check("18446744073709551615", true);
        check("\"9007199254740993\"", false);
        check("\"\\\"9007199254740993\"", false);
        check("{\"a\\\\\":9007199254740993}", true);
        check("9007199254740993.5", false);
        check("1e300", false);
    }
}
