//! Numbers as Go reads them.

use super::ast::{Ideal, Number};
use super::lexer::Kind;
use super::text;

/// Why a number cannot be read, as Go says it.
pub(super) fn parse(source: &str, kind: Kind) -> Result<Number, String> {
    let number = |int, float, ideal| Number { source: source.into(), int, float, ideal };
    match kind {
        Kind::CharConstant => {
            return match text::unquote_char(source) {
                Ok(c) => Ok(number(Some(c), Some(c as f64), Ideal::Int(c))),
                Err(text::CharError::Syntax) => Err("invalid syntax".to_owned()),
                Err(text::CharError::Malformed) => Err(format!("malformed character constant: {source}")),
            };
        }
        Kind::Complex => {
            let split = source.rfind(['+', '-']).unwrap_or_default();
            // The sign of an exponent is not the one between the parts.
            let split = match source.as_bytes().get(split.wrapping_sub(1)) {
                Some(b'e' | b'E' | b'p' | b'P') => {
                    source.get(..split).and_then(|head| head.rfind(['+', '-'])).unwrap_or(split)
                }
                _ => split,
            };
            let real = source.get(..split).and_then(parse_float);
            let imaginary = source.get(split..).and_then(|tail| tail.strip_suffix('i')).and_then(parse_float);
            let (Some(real), Some(imaginary)) = (real, imaginary) else {
                return Err("syntax error scanning complex number".to_owned());
            };
            return Ok(complex(source, real, imaginary));
        }
        _ => {}
    }
    if let Some(imaginary) = source.strip_suffix('i').and_then(parse_float) {
        return Ok(complex(source, 0.0, imaginary));
    }
    if let Some(int) = parse_int(source) {
        return Ok(number(Some(int), Some(int as f64), Ideal::Int(int)));
    }
    if let Some(unsigned) = parse_uint(source) {
        return Ok(number(None, Some(unsigned as f64), Ideal::Overflow));
    }
    let Some(float) = parse_float(source) else {
        return Err(format!("illegal number syntax: {}", text::quote_lossy(source.as_bytes())));
    };
    if !source.contains(['.', 'e', 'E', 'p', 'P']) {
        return Err(format!("integer overflow: {}", text::quote_lossy(source.as_bytes())));
    }
    Ok(number(exact_int(float), Some(float), Ideal::Float(float)))
}

fn complex(source: &str, real: f64, imaginary: f64) -> Number {
    let float = (imaginary == 0.0).then_some(real);
    Number { source: source.into(), int: float.and_then(exact_int), float, ideal: Ideal::Complex(real, imaginary) }
}

fn exact_int(float: f64) -> Option<i64> {
    let int = to_int(float);
    (int as f64 == float && float < 9.3e18).then_some(int)
}

/// A float as an integer, as Go converts it on the usual machines: what does not fit is the least integer.
pub(super) fn to_int(float: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&float) { float as i64 } else { i64::MIN }
}

/// Reads an integer whose base its prefix says, underscores included.
pub(super) fn parse_int(source: &str) -> Option<i64> {
    let (negative, digits) = match source.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, source.strip_prefix('+').unwrap_or(source)),
    };
    let magnitude = parse_uint(digits)?;
    if negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
}

fn parse_uint(source: &str) -> Option<u64> {
    if !source.starts_with(|c: char| c.is_ascii_digit()) || !underscores_ok(source) {
        return None;
    }
    let lower = source.to_ascii_lowercase();
    let (radix, digits) = match lower.get(..2) {
        Some("0x") => (16, lower.get(2..)?),
        Some("0b") => (2, lower.get(2..)?),
        Some("0o") => (8, lower.get(2..)?),
        _ if lower.starts_with('0') && lower.len() > 1 => (8, lower.get(1..)?),
        _ => (10, lower.as_str()),
    };
    let digits = digits.replace('_', "");
    // `from_str_radix` would take a sign here.
    if digits.starts_with(['+', '-']) { None } else { u64::from_str_radix(&digits, radix).ok() }
}

/// Underscores stand between digits, or after the prefix of a base.
fn underscores_ok(source: &str) -> bool {
    if !source.contains('_') {
        return true;
    }
    let unsigned = source.strip_prefix(['+', '-']).unwrap_or(source);
    let prefix = unsigned.get(..2).map(str::to_ascii_lowercase);
    let (hex, based) = (prefix.as_deref() == Some("0x"), matches!(prefix.as_deref(), Some("0x" | "0b" | "0o")));
    let number = if based { unsigned.get(2..).unwrap_or_default() } else { unsigned };
    let mut seen = if based { '0' } else { '^' };
    for c in number.chars() {
        let digit = c.is_ascii_digit() || hex && c.is_ascii_hexdigit();
        if c == '_' && seen != '0' || seen == '_' && c != '_' && !digit {
            return false;
        }
        seen = match c {
            '_' => '_',
            _ if digit => '0',
            _ => '!',
        };
    }
    seen != '_'
}

/// Reads a float, decimal or hexadecimal. `None` also where it overflows.
pub(super) fn parse_float(source: &str) -> Option<f64> {
    if !underscores_ok(source) {
        return None;
    }
    let plain = source.replace('_', "");
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    let float = match unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        Some(hex) => {
            let magnitude = parse_hex_float(hex)?;
            if plain.starts_with('-') { -magnitude } else { magnitude }
        }
        None => {
            let named = unsigned.starts_with(|c: char| c.is_ascii_alphabetic());
            let known = ["inf", "infinity", "nan"].iter().any(|name| unsigned.eq_ignore_ascii_case(name));
            if named && !known {
                return None;
            }
            let float: f64 = plain.parse().ok()?;
            if float.is_infinite() && !named {
                return None;
            }
            float
        }
    };
    Some(float)
}

fn parse_hex_float(hex: &str) -> Option<f64> {
    let (digits, exponent) = hex.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut mantissa: u64 = 0;
    let mut exponent: i32 = exponent.parse().ok()?;
    for (at, c) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(c.to_digit(16)?);
        let after_point = at >= whole.len();
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
            exponent = if after_point { exponent.checked_sub(4)? } else { exponent };
        } else {
            // Digits that no float can hold still decide how the last bit is rounded.
            mantissa |= u64::from(digit != 0);
            exponent = if after_point { exponent } else { exponent.checked_add(4)? };
        }
    }
    let exponent = exponent.clamp(-1200, 1200);
    let float = mantissa as f64 * 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2);
    float.is_finite().then_some(float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_type_of_their_syntax() {
        let check = |source: &str, expect: Ideal| assert_eq!(parse(source, Kind::Number).map(|n| n.ideal), Ok(expect));
        check("0x1F", Ideal::Int(31));
        check("0x1E", Ideal::Int(30));
        check("0b101", Ideal::Int(5));
        check("017", Ideal::Int(15));
        check("0o17", Ideal::Int(15));
        check("1_000", Ideal::Int(1000));
        check("+3", Ideal::Int(3));
        check("-0", Ideal::Int(0));
        check("-9223372036854775808", Ideal::Int(i64::MIN));
        check("9223372036854775808", Ideal::Overflow);
        check("1e3", Ideal::Float(1000.0));
        check("0x1p4", Ideal::Float(16.0));
        check("0x1.8p1", Ideal::Float(3.0));
        check("1_0.5", Ideal::Float(10.5));
        check("2i", Ideal::Complex(0.0, 2.0));
        assert_eq!(parse("1e1+2i", Kind::Complex).map(|n| n.ideal), Ok(Ideal::Complex(10.0, 2.0)));
        assert_eq!(parse("1e-1-2e+1i", Kind::Complex).map(|n| n.ideal), Ok(Ideal::Complex(0.1, -20.0)));
        assert_eq!(parse("2.0", Kind::Number).map(|n| n.int), Ok(Some(2)));
        for bad in ["089", "1__0", "1_", "0x", "99999999999999999999", ".", "1e", "1e999"] {
            assert!(parse(bad, Kind::Number).is_err(), "{bad}");
        }
    }
}
