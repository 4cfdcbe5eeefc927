//! Reads format strings.

use super::{Flags, Outcome, Printer};
use crate::template::exec::Env;
use crate::template::text;
use crate::template::value::Value;

/// `fmt.Sprintf`.
pub(in crate::template) fn sprintf<'a>(env: &mut Env<'a>, format: &[u8], values: &[Value<'a>]) -> Outcome<Vec<u8>> {
    let mut reader = Reader { format, at: 0, values, argument: 0, reordered: false, good: true, after_index: false };
    let mut printer = Printer::new(&mut env.heap, env.context);
    reader.run(&mut printer)?;
    Ok(printer.out)
}

/// Beyond this a width or precision is taken for a mistake.
const MAX_NUMBER: i64 = 1_000_000;

struct Reader<'f, 'a> {
    format: &'f [u8],
    at: usize,
    values: &'f [Value<'a>],
    /// The argument to print next.
    argument: usize,
    reordered: bool,
    /// Whether the last `[n]` named an argument, in its place.
    good: bool,
    after_index: bool,
}

impl<'a> Reader<'_, 'a> {
    fn run(&mut self, printer: &mut Printer<'_, 'a>) -> Outcome<()> {
        while self.at < self.format.len() {
            self.good = true;
            let rest = self.format.get(self.at..).unwrap_or_default();
            let plain = rest.iter().position(|byte| *byte == b'%').unwrap_or(rest.len());
            printer.write(rest.get(..plain).unwrap_or_default())?;
            self.at += plain + 1;
            if self.at > self.format.len() {
                break;
            }
            self.verb(printer)?;
        }
        if self.reordered || self.argument >= self.values.len() {
            return Ok(());
        }
        printer.flags = Flags::default();
        printer.write(b"%!(EXTRA ")?;
        for (at, value) in self.values.iter().skip(self.argument).enumerate() {
            if at > 0 {
                printer.write(b", ")?;
            }
            printer.write(value.type_name().as_bytes())?;
            if !matches!(value, Value::Nil) {
                printer.write(b"=")?;
                printer.print_argument(value, 'v')?;
            }
        }
        printer.write(b")")
    }

    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    fn verb(&mut self, printer: &mut Printer<'_, 'a>) -> Outcome<()> {
        printer.flags = Flags::default();
        while let Some(byte) = self.peek() {
            match byte {
                b'#' => printer.flags.sharp = true,
                b'0' => printer.flags.zero = true,
                b'+' => printer.flags.plus = true,
                b'-' => printer.flags.minus = true,
                b' ' => printer.flags.space = true,
                _ => break,
            }
            self.at += 1;
        }
        self.after_index = false;
        self.index();
        if self.peek() == Some(b'*') {
            self.at += 1;
            let width = self.int_argument();
            if width.is_none() {
                printer.write(b"%!(BADWIDTH)")?;
            }
            // A negative width pads on the right, and not with zeros.
            if width.is_some_and(|width| width < 0) {
                (printer.flags.minus, printer.flags.zero) = (true, false);
            }
            printer.flags.width = width.and_then(|width| usize::try_from(width.unsigned_abs()).ok());
            self.after_index = false;
        } else {
            printer.flags.width = self.number();
            if self.after_index && printer.flags.width.is_some() {
                self.good = false;
            }
        }
        if self.peek() == Some(b'.') && self.at + 1 < self.format.len() {
            self.at += 1;
            if self.after_index {
                self.good = false;
            }
            self.index();
            if self.peek() == Some(b'*') {
                self.at += 1;
                printer.flags.precision = self.int_argument().and_then(|precision| usize::try_from(precision).ok());
                if printer.flags.precision.is_none() {
                    printer.write(b"%!(BADPREC)")?;
                }
                self.after_index = false;
            } else {
                printer.flags.precision = Some(self.number().unwrap_or(0));
            }
        }
        if !self.after_index {
            self.index();
        }
        let Some((verb, len)) = text::decode(self.format.get(self.at..).unwrap_or_default()) else {
            return printer.write(b"%!(NOVERB)");
        };
        self.at += len;
        let problem: &[u8] = match self.values.get(self.argument) {
            _ if verb == '%' => return printer.write(b"%"),
            _ if !self.good => b"(BADINDEX)",
            None => b"(MISSING)",
            Some(value) => {
                if matches!(verb, 'v' | 'w') {
                    let flags = &mut printer.flags;
                    (flags.sharp_v, flags.sharp) = (flags.sharp, false);
                    (flags.plus_v, flags.plus) = (flags.plus, false);
                }
                self.argument += 1;
                return printer.print_argument(value, verb);
            }
        };
        printer.write(b"%!")?;
        printer.write(verb.encode_utf8(&mut [0; 4]).as_bytes())?;
        printer.write(problem)
    }

    /// Reads a decimal number. One that is too large swallows the rest of the format.
    fn number(&mut self) -> Option<usize> {
        let (number, at) = read_number(self.format, self.at, self.format.len());
        self.at = at;
        number
    }

    /// Reads `[n]`.
    fn index(&mut self) {
        self.after_index = false;
        if self.peek() != Some(b'[') {
            return;
        }
        self.reordered = true;
        let rest = self.format.get(self.at..).unwrap_or_default();
        let close = rest.iter().position(|byte| *byte == b']').filter(|_| rest.len() >= 3);
        let Some(close) = close else {
            self.good = false;
            self.at += 1;
            return;
        };
        let (number, end) = read_number(rest, 1, close);
        self.at += close + 1;
        // A zero wraps to an index that no argument has.
        let index = number.filter(|_| end == close).map(|number| number.wrapping_sub(1));
        match index {
            Some(index) if index < self.values.len() => self.argument = index,
            _ => self.good = false,
        }
        self.after_index = index.is_some();
    }

    /// The next argument as a width or precision.
    fn int_argument(&mut self) -> Option<i64> {
        let value = self.values.get(self.argument)?;
        self.argument += 1;
        match value {
            Value::Int(int) | Value::Int64(int) if (-MAX_NUMBER..=MAX_NUMBER).contains(int) => Some(*int),
            Value::Byte(byte) => Some(i64::from(*byte)),
            _ => None,
        }
    }
}

fn read_number(text: &[u8], from: usize, to: usize) -> (Option<usize>, usize) {
    let mut number: usize = 0;
    for at in from..to {
        match text.get(at) {
            Some(digit @ b'0'..=b'9') => {
                if number > MAX_NUMBER as usize {
                    return (None, to);
                }
                number = number * 10 + usize::from(digit - b'0');
            }
            _ => return ((at > from).then_some(number), at),
        }
    }
    ((to > from).then_some(number), to)
}
