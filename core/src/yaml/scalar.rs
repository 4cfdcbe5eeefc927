//! What a plain scalar means: YAML 1.1 types as the controller's library resolves them.

use serde_json::Value;

use super::error::Problem;
use crate::encoding::from_base_64;

/// A scalar with the type that it resolved to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer beyond the range of `Int`.
    Uint(u64),
    Float(f64),
    Text(String),
}

/// What a text means where nothing says that it is text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    Text,
    /// A date, which stays text when read but is quoted when written.
    Timestamp,
    Scalar(Scalar),
}

const TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// What a text means. Base 60 numbers are text.
pub(super) fn meaning_of(text: &str) -> Meaning {
    meaning(text, true)
}

fn meaning(text: &str, dates: bool) -> Meaning {
    let scalar = match text.as_bytes().first() {
        None => Some(Scalar::Null),
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => word(text),
        Some(b'.') => special_float(text).or_else(|| dotted_float(text)).map(Scalar::Float),
        Some(b'+' | b'-' | b'0'..=b'9') => {
            if dates && is_timestamp(text) {
                return Meaning::Timestamp;
            }
            special_float(text).map(Scalar::Float).or_else(|| number(text))
        }
        Some(_) => None,
    };
    scalar.map_or(Meaning::Text, Meaning::Scalar)
}

/// Resolves a scalar under a tag, `tag` being empty where there is none.
///
/// # Errors
///
/// Where the text is not of the type that the tag says.
pub(super) fn resolve(tag: &str, text: String) -> Result<Scalar, Problem> {
    Ok(match tag.strip_prefix(TAG_PREFIX) {
        _ if tag.is_empty() => match meaning_of(&text) {
            Meaning::Scalar(scalar) => scalar,
            Meaning::Text | Meaning::Timestamp => Scalar::Text(text),
        },
        Some("binary") => Scalar::Text(binary(&text)?),
        Some(name @ ("null" | "bool" | "int" | "float" | "timestamp")) => {
            match (name, meaning(&text, name == "timestamp")) {
                ("timestamp", Meaning::Timestamp) => Scalar::Text(text),
                ("float", Meaning::Scalar(Scalar::Int(int))) => Scalar::Float(int as f64),
                ("null", Meaning::Scalar(scalar @ Scalar::Null))
                | ("bool", Meaning::Scalar(scalar @ Scalar::Bool(_)))
                | ("int", Meaning::Scalar(scalar @ (Scalar::Int(_) | Scalar::Uint(_))))
                | ("float", Meaning::Scalar(scalar @ Scalar::Float(_))) => scalar,
                _ => return Err(Problem::TagMismatch { tag: format!("!!{name}"), text }),
            }
        }
        _ => Scalar::Text(text),
    })
}

fn word(text: &str) -> Option<Scalar> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Scalar::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Scalar::Bool(false),
        "~" | "null" | "Null" | "NULL" => Scalar::Null,
        _ => return None,
    })
}

fn special_float(text: &str) -> Option<f64> {
    Some(match text {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => f64::INFINITY,
        "-.inf" | "-.Inf" | "-.INF" => f64::NEG_INFINITY,
        ".nan" | ".NaN" | ".NAN" => f64::NAN,
        _ => return None,
    })
}

fn parse_float(text: &str) -> Option<f64> {
    text.parse().ok().filter(|float: &f64| float.is_finite())
}

/// A number that begins with a point, by Go's rules: an underscore may stand between two digits.
fn dotted_float(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let digit_at = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let lone = |(at, byte): (usize, &u8)| *byte == b'_' && !(at > 0 && digit_at(at - 1) && digit_at(at + 1));
    if !is_float(&text.replace('_', "")) || bytes.iter().enumerate().any(lone) {
        return None;
    }
    parse_float(&text.replace('_', ""))
}

fn number(text: &str) -> Option<Scalar> {
    let plain = if text.contains('_') { &text.replace('_', "") } else { text };
    if let Some(int) = integer(plain) {
        return Some(int);
    }
    if is_float(plain) {
        return parse_float(plain).map(Scalar::Float);
    }
    // The library strips the prefix once more, and a sign may follow it then.
    let binary = plain.strip_prefix("0b").filter(|digits| digits.starts_with(['+', '-']))?;
    i64::from_str_radix(binary, 2).ok().map(Scalar::Int)
}

/// An integer by Go's rules: a base of 16, 8 or 2 by its prefix, and 8 after a leading zero.
fn integer(text: &str) -> Option<Scalar> {
    let (negative, unsigned, digits) = match text.as_bytes().first()? {
        b'-' => (true, false, text.get(1..)?),
        b'+' => (false, false, text.get(1..)?),
        _ => (false, true, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, digits.get(2..)?),
        [b'0', b'o' | b'O', ..] => (8, digits.get(2..)?),
        [b'0', b'b' | b'B', ..] => (2, digits.get(2..)?),
        [b'0', _, ..] => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if negative {
        return 0i64.checked_sub_unsigned(magnitude).map(Scalar::Int);
    }
    match i64::try_from(magnitude) {
        Ok(int) => Some(Scalar::Int(int)),
        Err(_) if unsigned => Some(Scalar::Uint(magnitude)),
        Err(_) => None,
    }
}

/// Sign, digits with a point somewhere, exponent.
fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

/// Whether a text is a date, or a date and a time, in one of the forms that the library takes.
fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.get(4) != Some(&b'-') || !bytes.iter().take(4).all(u8::is_ascii_digit) {
        return false;
    }
    let mut rest = bytes.get(5..).unwrap_or_default();
    let mut take = |separators: &[u8]| take_field(&mut rest, separators);
    let (year, month) = (text.get(..4).and_then(|year| year.parse().ok()).unwrap_or(0), take(b"-"));
    let (Some(month), Some((day, separator))) = (month, take(b"Tt ")) else {
        return false;
    };
    if !(1..=12).contains(&month.0) || !(1..=days_in(year, month.0)).contains(&day) {
        return false;
    }
    match separator {
        None => rest.is_empty(),
        Some(separator) => {
            if separator == b' ' {
                rest = rest.trim_ascii_start();
            }
            is_time(rest, separator != b' ')
        }
    }
}

/// A number of one or two digits, and what of `separators` follows it; that is required unless the text ends.
fn take_field(rest: &mut &[u8], separators: &[u8]) -> Option<(u32, Option<u8>)> {
    let digits = rest.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let number = rest.get(..digits)?.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
    let separator = rest.get(digits).copied();
    *rest = rest.get(digits + 1..).unwrap_or_default();
    (digits > 0 && separator.is_none_or(|found| separators.contains(&found))).then_some((number, separator))
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// `h:m:s` with a fraction, and a zone where there has to be one.
fn is_time(mut rest: &[u8], zoned: bool) -> bool {
    let fields = [take_field(&mut rest, b":"), take_field(&mut rest, b":")];
    let [Some((hour, Some(_))), Some((minute, Some(_)))] = fields else {
        return false;
    };
    let digits = rest.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let (second, mut rest) = rest.split_at_checked(digits).unwrap_or_default();
    if digits == 0 || hour > 23 || minute > 59 || digits == 2 && second.first() > Some(&b'5') {
        return false;
    }
    if let [b'.' | b',', b'0'..=b'9', ..] = rest {
        let fraction = rest.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
        rest = rest.get(fraction + 1..).unwrap_or_default();
    }
    match rest {
        [] => !zoned,
        [b'Z'] => zoned,
        [b'+' | b'-', h1, h2, b':', m1, m2] if zoned && [h1, h2, m1, m2].iter().all(|byte| byte.is_ascii_digit()) => {
            [*h1, *h2] <= *b"24" && [*m1, *m2] <= *b"60"
        }
        _ => false,
    }
}

fn binary(text: &str) -> Result<String, Problem> {
    let bytes = from_base_64(text.as_bytes()).map_err(|_| Problem::Base64)?;
    // On the way through JSON each byte that is no UTF-8 turns into a replacement character.
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Ok(out)
}

impl Scalar {
    /// The scalar as JSON, where a whole number is an integer however it was written.
    pub fn into_value(self) -> Result<Value, Problem> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(bool) => Value::from(bool),
            Self::Int(int) => Value::from(int),
            Self::Uint(int) => Value::from(int),
            Self::Float(float) if !float.is_finite() => return Err(Problem::NotFinite),
            Self::Float(float) => match whole(float) {
                Some(scalar) => return scalar.into_value(),
                None => Value::from(float),
            },
            Self::Text(text) => Value::from(text),
        })
    }

    /// The scalar as the key of a JSON map.
    pub fn into_key(self) -> Result<String, Problem> {
        Ok(match self {
            Self::Null => return Err(Problem::Key { found: "null" }),
            Self::Uint(_) => return Err(Problem::Key { found: "an integer beyond 64 bits with a sign" }),
            Self::Bool(bool) => (if bool { "true" } else { "false" }).to_owned(),
            Self::Int(int) => int.to_string(),
            // Keys keep only the digits of a 32-bit float.
            Self::Float(float) => match float as f32 {
                f32::INFINITY => ".inf".to_owned(),
                f32::NEG_INFINITY => "-.inf".to_owned(),
                float if float.is_nan() => ".nan".to_owned(),
                float => float_text(&serde_json::to_string(&float).unwrap_or_default()),
            },
            Self::Text(text) => text,
        })
    }
}

/// The shortest decimal digits of a float: `0.d₁d₂d₃… × 10^point`.
struct Decimal {
    sign: &'static str,
    digits: String,
    point: i32,
}

/// Takes a finite number as serde_json writes it, which chooses among the shortest digits as Go does.
fn decimal(text: &str) -> Decimal {
    let (sign, unsigned) = text.strip_prefix('-').map_or(("", text), |unsigned| ("-", unsigned));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = format!("{whole}{fraction}");
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    digits.drain(..zeros);
    digits.truncate(digits.trim_end_matches('0').len());
    let point = whole.len() as i32 - zeros as i32 + exponent.parse::<i32>().unwrap_or(0);
    Decimal { sign, digits, point }
}

/// The integer that a float is once it has been written as JSON, if it is one of 64 bits.
pub(super) fn whole(float: f64) -> Option<Scalar> {
    if float.fract() != 0.0 || float.abs() >= 1e21 {
        return None;
    }
    // The shortest digits padded with zeros need not be the float's exact value.
    let Decimal { sign, digits, point } = decimal(&Value::from(float).to_string());
    let text = format!("{sign}{digits:0<width$}", width = usize::try_from(point).unwrap_or(0).max(1));
    let unsigned = || text.parse().ok().map(Scalar::Uint);
    text.parse().ok().map(Scalar::Int).or_else(unsigned)
}

/// A finite number in serde_json's text as the library writes it: `1e+21`, `1e-07`, `0.25`.
pub(super) fn float_text(number: &str) -> String {
    let Decimal { sign, digits, point } = decimal(number);
    if digits.is_empty() {
        return format!("{sign}0");
    }
    let exponent = point - 1;
    if !(-4..6).contains(&exponent) {
        let (first, rest) = digits.split_at_checked(1).unwrap_or_default();
        let dot = if rest.is_empty() { "" } else { "." };
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{dot}{rest}e{exponent_sign}{:02}", exponent.unsigned_abs());
    }
    match usize::try_from(point) {
        Ok(point @ 1..) if point < digits.len() => {
            let (whole, fraction) = digits.split_at_checked(point).unwrap_or_default();
            format!("{sign}{whole}.{fraction}")
        }
        Ok(point @ 1..) => format!("{sign}{digits:0<point$}"),
        _ => format!("{sign}0.{}{digits}", "0".repeat(usize::try_from(-point).unwrap_or(0))),
    }
}
