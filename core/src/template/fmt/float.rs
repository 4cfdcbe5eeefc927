//! Floats, as Go's `strconv` and `fmt` write them.

use std::fmt::Write;

use super::{Outcome, Printer};
use crate::template::value::Value;

/// Decimal digits without a point, and the exponent of the first of them.
struct Decimal {
    digits: Vec<u8>,
    exponent: i32,
}

/// More digits than any float has behind its point. Rust bounds the precision that it takes.
const MOST_DIGITS: usize = 1100;

/// The digits of a finite float that is not negative: the fewest that tell it apart, or so many.
fn decimal(float: f64, digits: Option<usize>) -> Decimal {
    let mut written = String::new();
    // Writing to a string cannot fail.
    let _ = match digits {
        Some(count) => write!(written, "{float:.*e}", count.saturating_sub(1).min(MOST_DIGITS)),
        None => write!(written, "{float:e}"),
    };
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let mut all: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    all.resize(all.len().max(digits.unwrap_or(0)), b'0');
    Decimal { digits: all, exponent: exponent.parse().unwrap_or_default() }
}

/// `d.ddde±dd`
fn write_exponential(out: &mut Vec<u8>, decimal: &Decimal, letter: u8) {
    let (first, rest) = decimal.digits.split_first().map_or((b'0', &[] as &[u8]), |(first, rest)| (*first, rest));
    out.push(first);
    if !rest.is_empty() {
        out.push(b'.');
        out.extend_from_slice(rest);
    }
    write_exponent(out, decimal.exponent, letter);
}

fn write_exponent(out: &mut Vec<u8>, exponent: i32, letter: u8) {
    out.push(letter);
    out.push(if exponent < 0 { b'-' } else { b'+' });
    let magnitude = exponent.unsigned_abs();
    if magnitude < 10 {
        out.push(b'0');
    }
    out.extend_from_slice(magnitude.to_string().as_bytes());
}

/// The digits with their point where it belongs.
fn write_plain(out: &mut Vec<u8>, decimal: &Decimal) {
    let before = usize::try_from(decimal.exponent + 1).unwrap_or(0);
    if before == 0 {
        out.push(b'0');
    }
    for at in 0..before {
        out.push(decimal.digits.get(at).copied().unwrap_or(b'0'));
    }
    if decimal.digits.len() > before || decimal.exponent < 0 {
        out.push(b'.');
        let zeros = usize::try_from(-1 - decimal.exponent).unwrap_or(0);
        out.resize(out.len() + zeros, b'0');
        out.extend_from_slice(decimal.digits.get(before..).unwrap_or_default());
    }
}

/// A float without its sign, in a verb of `strconv` and a precision. Not for infinities.
fn format(float: f64, verb: u8, precision: Option<usize>) -> Vec<u8> {
    let mut out = Vec::new();
    match verb {
        b'e' | b'E' => write_exponential(&mut out, &decimal(float, precision.map(|digits| digits + 1)), verb),
        b'f' => match precision {
            Some(precision) => {
                out = format!("{float:.*}", precision.min(MOST_DIGITS)).into_bytes();
                out.resize(out.len() + precision.saturating_sub(MOST_DIGITS), b'0');
            }
            None => write_plain(&mut out, &decimal(float, None)),
        },
        b'g' | b'G' => {
            let mut decimal = decimal(float, precision.map(|digits| digits.max(1)));
            while decimal.digits.len() > 1 && decimal.digits.last() == Some(&b'0') {
                decimal.digits.pop();
            }
            let limit = match precision {
                None => 6,
                Some(precision) => {
                    let (count, precision) = (decimal.digits.len(), precision.max(1));
                    // Zeros beyond the digits do not count towards the threshold.
                    let plain = i32::try_from(count).unwrap_or(i32::MAX) > decimal.exponent;
                    if precision > count && plain { count } else { precision }
                }
            };
            let limit = i32::try_from(limit).unwrap_or(i32::MAX);
            if decimal.exponent < -4 || decimal.exponent >= limit {
                write_exponential(&mut out, &decimal, verb - 2);
            } else {
                write_plain(&mut out, &decimal);
            }
        }
        b'b' => {
            let (mantissa, exponent) = parts(float);
            out.extend_from_slice(mantissa.to_string().as_bytes());
            out.push(b'p');
            out.extend_from_slice(format!("{exponent:+}").as_bytes());
        }
        _ => write_hex(&mut out, float, verb, precision),
    }
    out
}

/// Mantissa and binary exponent.
fn parts(float: f64) -> (u64, i64) {
    let bits = float.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
}

/// `0x1.8p+01`
fn write_hex(out: &mut Vec<u8>, float: f64, verb: u8, precision: Option<usize>) {
    let (mut mantissa, mut exponent) = parts(float);
    if mantissa == 0 {
        exponent = 0;
    } else {
        // The one before the point is bit 60, with 15 digits behind it.
        let shift = mantissa.leading_zeros() - 3;
        mantissa <<= shift;
        exponent += 60 - i64::from(shift);
    }
    if let Some(precision) = precision.filter(|precision| *precision < 15) {
        let dropped = 60 - precision as u32 * 4;
        let (extra, half) = (mantissa & ((1 << dropped) - 1), 1 << (dropped - 1));
        mantissa >>= dropped;
        if extra > half || extra == half && mantissa & 1 == 1 {
            mantissa += 1;
        }
        mantissa <<= dropped;
        if mantissa >> 61 != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let (x, p, ten) = if verb == b'X' { (b'X', b'P', b'A') } else { (b'x', b'p', b'a') };
    out.extend([b'0', x, b'0' + (mantissa >> 60 & 1) as u8]);
    let mut fraction = mantissa << 4;
    let mut digits = Vec::new();
    while fraction != 0 || precision.is_some_and(|precision| digits.len() < precision) {
        digits.push(crate::template::text::hex_digit((fraction >> 60) as u32, ten));
        fraction <<= 4;
    }
    if !digits.is_empty() {
        out.push(b'.');
        out.extend(digits);
    }
    write_exponent(out, i32::try_from(exponent).unwrap_or_default(), p);
}

/// A finite float in the form that JSON has of it.
pub(in crate::template) fn shortest(float: f64) -> Vec<u8> {
    let mut out = Vec::new();
    if float.is_sign_negative() {
        out.push(b'-');
    }
    let magnitude = float.abs();
    let decimal = decimal(magnitude, None);
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        let mut exponential = Vec::new();
        write_exponential(&mut exponential, &decimal, b'e');
        // e-09 is written e-9.
        if let [.., b'-', b'0', last] = exponential.as_slice() {
            let last = *last;
            exponential.truncate(exponential.len() - 2);
            exponential.push(last);
        }
        out.extend(exponential);
    } else {
        write_plain(&mut out, &decimal);
    }
    out
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn float(&mut self, float: f64, verb: char, value: &Value<'a>) -> Outcome<()> {
        match verb {
            'v' => self.format_float(float, b'g', None),
            'b' | 'g' | 'G' | 'x' | 'X' => self.format_float(float, verb as u8, None),
            'f' | 'e' | 'E' => self.format_float(float, verb as u8, Some(6)),
            'F' => self.format_float(float, b'f', Some(6)),
            _ => self.bad_verb(value, verb),
        }
    }

    pub(super) fn complex(&mut self, real: f64, imaginary: f64, verb: char, value: &Value<'a>) -> Outcome<()> {
        if !"vbgGxXfFeE".contains(verb) {
            return self.bad_verb(value, verb);
        }
        self.write(b"(")?;
        self.float(real, verb, value)?;
        let plus = std::mem::replace(&mut self.flags.plus, true);
        self.float(imaginary, verb, value)?;
        self.flags.plus = plus;
        self.write(b"i)")
    }

    fn format_float(&mut self, float: f64, verb: u8, default: Option<usize>) -> Outcome<()> {
        let flags = self.flags;
        let precision = flags.precision.or(default);
        self.heap.allocate(precision.unwrap_or(0) + 350)?;
        let negative = float.is_sign_negative() && !float.is_nan();
        let sign: &[u8] = match (negative, flags.plus, flags.space) {
            (true, ..) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            _ => b"",
        };
        if !float.is_finite() {
            let name: &[u8] = if float.is_nan() { b"NaN" } else { b"Inf" };
            // An infinity shows its sign always.
            let sign = if sign.is_empty() && float.is_infinite() { b"+" } else { sign };
            return self.pad_with_spaces(&[sign, name].concat());
        }
        let mut number = format(float.abs(), verb, precision);
        if flags.sharp && verb != b'b' {
            add_point(&mut number, verb, precision);
        }
        let missing = flags.width.unwrap_or(0).saturating_sub(sign.len() + number.len());
        if flags.zero && !flags.minus && !sign.is_empty() && missing > 0 {
            self.write(sign)?;
            self.fill_zeros(missing)?;
            return self.write(&number);
        }
        self.pad(&[sign, &number].concat())
    }
}

/// The flag `#`: a point always, and the zeros behind it that `g` drops.
fn add_point(number: &mut Vec<u8>, verb: u8, precision: Option<usize>) {
    let mut missing = match verb {
        b'g' | b'G' | b'x' => precision.unwrap_or(6) as i64,
        _ => 0,
    };
    let hex = matches!(verb, b'x' | b'X');
    let exponent = number.iter().position(|c| matches!(c, b'p' | b'P') || !hex && matches!(c, b'e' | b'E'));
    let tail = exponent.map(|at| number.split_off(at)).unwrap_or_default();
    let mut has_point = false;
    let mut significant = false;
    for c in number.iter() {
        if *c == b'.' {
            has_point = true;
            continue;
        }
        significant |= *c != b'0';
        missing -= i64::from(significant);
    }
    if !has_point {
        missing -= i64::from(number.as_slice() == b"0");
        number.push(b'.');
    }
    number.resize(number.len() + usize::try_from(missing).unwrap_or(0), b'0');
    number.extend(tail);
}
