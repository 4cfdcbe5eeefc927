//! Prints values as Go's `fmt` does.

mod float;
mod printf;
mod scalar;

use super::Context;
use super::error::{ErrorKind, Fail};
use super::value::{Heap, List, Map, Struct, Value};
use crate::limits;

pub(super) use float::shortest;
pub(super) use printf::sprintf;

type Outcome<T> = Result<T, Fail>;

/// What `{{ value }}` writes: a pointer is followed, and no value at all is said so.
pub(super) fn print_indirect<'a>(heap: &mut Heap<'a>, context: &Context<'a>, value: &Value<'a>) -> Outcome<Vec<u8>> {
    let mut printer = Printer::new(heap, context);
    match value {
        Value::Nil => printer.write(b"<no value>")?,
        Value::Struct(kind) => printer.print_struct(*kind, 'v', 0)?,
        _ => printer.print_argument(value, 'v')?,
    }
    Ok(printer.out)
}

/// A value as `%v` prints it.
pub(super) fn print_one<'a>(heap: &mut Heap<'a>, context: &Context<'a>, value: &Value<'a>) -> Outcome<Vec<u8>> {
    let mut printer = Printer::new(heap, context);
    printer.print_argument(value, 'v')?;
    Ok(printer.out)
}

/// `fmt.Sprint`: a space between two values neither of which is a string.
pub(super) fn sprint<'a>(heap: &mut Heap<'a>, context: &Context<'a>, values: &[Value<'a>]) -> Outcome<Vec<u8>> {
    let mut printer = Printer::new(heap, context);
    let mut after_string = false;
    for (at, value) in values.iter().enumerate() {
        let is_string = matches!(value, Value::Str(_));
        if at > 0 && !is_string && !after_string {
            printer.write(b" ")?;
        }
        printer.print_argument(value, 'v')?;
        after_string = is_string;
    }
    Ok(printer.out)
}

/// `fmt.Sprintln`: a space between any two values, and a line feed.
pub(super) fn sprintln<'a>(heap: &mut Heap<'a>, context: &Context<'a>, values: &[Value<'a>]) -> Outcome<Vec<u8>> {
    let mut printer = Printer::new(heap, context);
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            printer.write(b" ")?;
        }
        printer.print_argument(value, 'v')?;
    }
    printer.write(b"\n")?;
    Ok(printer.out)
}

/// The flags, width and precision of a verb.
#[derive(Clone, Copy, Default)]
struct Flags {
    width: Option<usize>,
    precision: Option<usize>,
    minus: bool,
    plus: bool,
    sharp: bool,
    space: bool,
    zero: bool,
    /// `%+v`
    plus_v: bool,
    /// `%#v`
    sharp_v: bool,
}

/// Where pointers inside of structs are printed, their address has to be some number.
const ADDRESS: u64 = 0x00c0_0000_0000;

struct Printer<'p, 'a> {
    heap: &'p mut Heap<'a>,
    context: &'p Context<'a>,
    out: Vec<u8>,
    flags: Flags,
}

impl<'p, 'a> Printer<'p, 'a> {
    fn new(heap: &'p mut Heap<'a>, context: &'p Context<'a>) -> Self {
        Self { heap, context, out: Vec::new(), flags: Flags::default() }
    }

    fn write(&mut self, bytes: &[u8]) -> Outcome<()> {
        self.heap.allocate(bytes.len())?;
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    /// Prints an argument of a print function.
    fn print_argument(&mut self, value: &Value<'a>, verb: char) -> Outcome<()> {
        match (value, verb) {
            (Value::Nil, 'T' | 'v') => self.pad(b"<nil>"),
            (Value::Nil, _) => self.bad_verb(value, verb),
            (_, 'T') => self.string(value.type_name().as_bytes(), 's', value),
            (_, 'p') => self.pointer(value, verb),
            (Value::List(_) | Value::Map(_) | Value::Struct(_), 'w') => self.bad_verb(value, verb),
            (Value::Struct(kind), _) => {
                self.write(b"&")?;
                self.print_struct(*kind, verb, 1)
            }
            _ => self.print_value(value, verb, 0),
        }
    }

    /// Prints a value inside of another, or an argument that is no pointer.
    fn print_value(&mut self, value: &Value<'a>, verb: char, depth: usize) -> Outcome<()> {
        self.heap.step()?;
        if depth > limits::MAX_TEMPLATE_DEPTH {
            return Err(Fail::new(ErrorKind::TooDeep, "the value is nested too deep, or holds itself"));
        }
        match value {
            Value::Nil => self.write(if self.flags.sharp_v { b"interface {}(nil)" } else { b"<nil>" }),
            Value::Bool(truth) => match verb {
                't' | 'v' => self.pad(if *truth { b"true" } else { b"false" }),
                _ => self.bad_verb(value, verb),
            },
            Value::Int(int) | Value::Int64(int) => self.integer(int.unsigned_abs(), *int < 0, true, verb, value),
            Value::Byte(byte) => self.integer(u64::from(*byte), false, false, verb, value),
            Value::Float(float) => self.float(*float, verb, value),
            Value::Complex(real, imaginary) => self.complex(*real, *imaginary, verb, value),
            Value::Str(text) => self.string(text, verb, value),
            Value::List(list) => self.print_list(list, value, verb, depth),
            Value::Map(map) => self.print_map(map, value, verb, depth),
            Value::Struct(_) => self.pointer(value, verb),
        }
    }

    fn print_list(&mut self, list: &List<'a>, value: &Value<'a>, verb: char, depth: usize) -> Outcome<()> {
        let sharp = self.open(value, list.is_nil(), b"[")?;
        if sharp && list.is_nil() {
            return Ok(());
        }
        for at in 0..list.len() {
            self.separate(at)?;
            let item = self.heap.item(list, at).unwrap_or(Value::Nil);
            self.print_value(&item, verb, depth + 1)?;
        }
        self.write(if sharp { b"}" } else { b"]" })
    }

    fn print_map(&mut self, map: &Map<'a>, value: &Value<'a>, verb: char, depth: usize) -> Outcome<()> {
        let sharp = self.open(value, map.is_nil(), b"map[")?;
        if sharp && map.is_nil() {
            return Ok(());
        }
        for (at, (key, value)) in self.heap.entries(map)?.into_iter().enumerate() {
            self.separate(at)?;
            self.print_value(&Value::Str(key), verb, depth + 1)?;
            self.write(b":")?;
            self.print_value(&value, verb, depth + 1)?;
        }
        self.write(if sharp { b"}" } else { b"]" })
    }

    /// Begins a list or map. Answers whether it is printed in Go's syntax; then a nil one is done.
    fn open(&mut self, value: &Value<'a>, is_nil: bool, plain: &[u8]) -> Outcome<bool> {
        if !self.flags.sharp_v {
            self.write(plain)?;
            return Ok(false);
        }
        self.write(value.type_name().as_bytes())?;
        self.write(if is_nil { b"(nil)" } else { b"{" })?;
        Ok(true)
    }

    fn separate(&mut self, at: usize) -> Outcome<()> {
        if at == 0 {
            return Ok(());
        }
        self.write(if self.flags.sharp_v { b", " } else { b" " })
    }

    fn print_struct(&mut self, kind: Struct, verb: char, depth: usize) -> Outcome<()> {
        self.heap.step()?;
        if self.flags.sharp_v {
            self.write(kind.type_name().trim_start_matches('*').as_bytes())?;
        }
        self.write(b"{")?;
        for (at, (name, value)) in super::field::fields(kind, self.context).into_iter().enumerate() {
            self.separate(at)?;
            if self.flags.plus_v || self.flags.sharp_v {
                self.write(name.as_bytes())?;
                self.write(b":")?;
            }
            self.print_value(&value, verb, depth + 1)?;
        }
        self.write(b"}")
    }

    fn pointer(&mut self, value: &Value<'a>, verb: char) -> Outcome<()> {
        if !matches!(value, Value::Struct(_) | Value::Map(_) | Value::List(_)) {
            return self.bad_verb(value, verb);
        }
        let sharp = self.flags.sharp;
        match verb {
            'v' if self.flags.sharp_v => {
                self.write(b"(")?;
                self.write(value.type_name().as_bytes())?;
                self.write(b")(")?;
                self.flags.sharp = true;
                self.format_integer(ADDRESS, false, 16, 'v', b'a')?;
                self.flags.sharp = sharp;
                self.write(b")")
            }
            'v' | 'p' => {
                self.flags.sharp = !sharp;
                self.format_integer(ADDRESS, false, 16, 'v', b'a')?;
                self.flags.sharp = sharp;
                Ok(())
            }
            'b' | 'o' | 'd' | 'x' | 'X' => self.integer(ADDRESS, false, false, verb, value),
            _ => self.bad_verb(value, verb),
        }
    }

    /// `%!verb(type=value)`
    fn bad_verb(&mut self, value: &Value<'a>, verb: char) -> Outcome<()> {
        self.write(b"%!")?;
        self.write(verb.encode_utf8(&mut [0; 4]).as_bytes())?;
        self.write(b"(")?;
        match value {
            Value::Nil => self.write(b"<nil>")?,
            _ => {
                self.write(value.type_name().as_bytes())?;
                self.write(b"=")?;
                self.print_argument(value, 'v')?;
            }
        }
        self.write(b")")
    }
}
