//! sprig's functions of strings.

use super::Type::{Any, Int, Str};
use super::{Function, Outcome, any, convert, define, int, text};
use crate::template::error::{Fail, refuse};
use crate::template::exec::Env;
use crate::template::fmt;
use crate::template::text::{self as bytes, Quoting};
use crate::template::value::{Elem, Heap, Value};

pub(super) static FUNCTIONS: [Function; 21] = [
    define("repeat", &[Int, Str], repeat),
    define("substr", &[Int, Int, Str], substr),
    define("nospace", &[Str], no_space),
    define("trim", &[Str], |env, arguments| env.heap.string(bytes::trim_space(text(arguments, 0)))),
    define("trimAll", &[Str, Str], trim_all),
    define("trimSuffix", &[Str, Str], |env, arguments| {
        let whole = text(arguments, 1);
        env.heap.string(whole.strip_suffix(text(arguments, 0)).unwrap_or(whole))
    }),
    define("trimPrefix", &[Str, Str], |env, arguments| {
        let whole = text(arguments, 1);
        env.heap.string(whole.strip_prefix(text(arguments, 0)).unwrap_or(whole))
    }),
    define("replace", &[Str, Str, Str], replace),
    define("plural", &[Str, Str, Int], |_, arguments| Ok(any(arguments, usize::from(int(arguments, 2) != 1)).clone())),
    define("contains", &[Str, Str], |_, arguments| {
        Ok(Value::Bool(bytes::find(text(arguments, 1), text(arguments, 0)).is_some()))
    }),
    define("hasPrefix", &[Str, Str], |_, arguments| {
        Ok(Value::Bool(text(arguments, 1).starts_with(text(arguments, 0))))
    }),
    define("hasSuffix", &[Str, Str], |_, arguments| Ok(Value::Bool(text(arguments, 1).ends_with(text(arguments, 0))))),
    define("quote", &[Any], |env, arguments| {
        spaced(env, arguments, |env, value| {
            let text = convert::to_text(env, value)?;
            env.heap.allocate(text.len() * 2 + 2)?;
            let mut out = Vec::new();
            bytes::quote(&mut out, &text, Quoting::Printable);
            Ok(out)
        })
    })
    .variadic(),
    define("squote", &[Any], |env, arguments| {
        spaced(env, arguments, |env, value| {
            let printed = fmt::print_one(&mut env.heap, env.context, value)?;
            Ok([b"'", printed.as_slice(), b"'"].concat())
        })
    })
    .variadic(),
    define("cat", &[Any], |env, arguments| {
        spaced(env, arguments, |env, value| fmt::print_one(&mut env.heap, env.context, value))
    })
    .variadic(),
    define("indent", &[Int, Str], |env, arguments| indent(env, arguments, b"")),
    define("nindent", &[Int, Str], |env, arguments| indent(env, arguments, b"\n")),
    define("wrap", &[Int, Str], |env, arguments| wrap(env, int(arguments, 0), b"", text(arguments, 1), false)),
    define("wrapWith", &[Int, Str, Str], |env, arguments| {
        wrap(env, int(arguments, 0), text(arguments, 1), text(arguments, 2), true)
    }),
    define("splitList", &[Str, Str], split_list),
    define("join", &[Str, Any], join),
];

fn repeat<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let Ok(count) = usize::try_from(int(arguments, 0)) else {
        return refuse("strings: negative Repeat count");
    };
    let text = text(arguments, 1);
    let Some(len) = text.len().checked_mul(count) else {
        return refuse("strings: Repeat output length overflow");
    };
    env.heap.allocate(len)?;
    // The count can be anything where the text is empty.
    Ok(Heap::paid_string(if len == 0 { Vec::new() } else { text.repeat(count) }))
}

fn substr<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (start, end, whole) = (int(arguments, 0), int(arguments, 1), text(arguments, 2));
    let bound = |at: i64| usize::try_from(at).unwrap_or(usize::MAX);
    let part = if start < 0 {
        whole.get(..bound(end))
    } else if end < 0 || bound(end) > whole.len() {
        whole.get(bound(start)..)
    } else {
        whole.get(bound(start)..bound(end))
    };
    match part {
        Some(part) => env.heap.string(part),
        None => refuse("runtime error: slice bounds out of range"),
    }
}

/// Removes white space, byte by byte: what is not ASCII is taken for Latin-1, as the library that sprig uses does.
fn no_space<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let whole = text(arguments, 0);
    let is_space = |byte: &u8| char::from(*byte).is_whitespace();
    if !whole.iter().any(is_space) {
        return Ok(any(arguments, 0).clone());
    }
    env.heap.allocate(whole.len() * 2)?;
    let mut out = Vec::new();
    for byte in whole.iter().filter(|byte| !is_space(byte)) {
        bytes::push_char(&mut out, char::from(*byte));
    }
    Ok(Heap::paid_string(out))
}

fn trim_all<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let unwanted: Vec<char> = bytes::runes(text(arguments, 0)).map(|(c, _)| c).collect();
    let whole = text(arguments, 1);
    // Each character at the ends is looked for among the unwanted ones.
    env.heap.read(unwanted.len().saturating_mul(whole.len()))?;
    env.heap.string(bytes::trim(whole, |c| unwanted.contains(&c)))
}

fn replace<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (old, new, whole) = (text(arguments, 0), text(arguments, 1), text(arguments, 2));
    if old == new {
        return Ok(any(arguments, 2).clone());
    }
    let mut out = Vec::new();
    if old.is_empty() {
        let mut rest = whole;
        // An empty text is found before every character and at the end.
        loop {
            env.heap.step()?;
            push(env, &mut out, new)?;
            let Some((_, len)) = bytes::decode(rest) else { break };
            let (head, tail) = rest.split_at_checked(len).unwrap_or((rest, b""));
            push(env, &mut out, head)?;
            rest = tail;
        }
        return Ok(Heap::paid_string(out));
    }
    let mut from = 0;
    bytes::each_match(whole, old, |at| {
        env.heap.step()?;
        push(env, &mut out, whole.get(from..at).unwrap_or_default())?;
        push(env, &mut out, new)?;
        from = at + old.len();
        Ok(true)
    })?;
    push(env, &mut out, whole.get(from..).unwrap_or_default())?;
    Ok(Heap::paid_string(out))
}

fn push(env: &mut Env<'_>, out: &mut Vec<u8>, part: &[u8]) -> Result<(), Fail> {
    env.heap.allocate(part.len())?;
    out.extend_from_slice(part);
    Ok(())
}

/// The values but nil, each written, with a space between.
fn spaced<'a>(
    env: &mut Env<'a>,
    arguments: &[Value<'a>],
    write: impl Fn(&mut Env<'a>, &Value<'a>) -> Result<Vec<u8>, Fail>,
) -> Outcome<'a> {
    let mut out = Vec::new();
    for (at, value) in arguments.iter().filter(|value| !matches!(value, Value::Nil)).enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        let written = write(env, value)?;
        push(env, &mut out, &written)?;
    }
    Ok(Heap::paid_string(out))
}

fn indent<'a>(env: &mut Env<'a>, arguments: &[Value<'a>], before: &[u8]) -> Outcome<'a> {
    let whole = text(arguments, 1);
    let Ok(width) = usize::try_from(int(arguments, 0)) else {
        return refuse("strings: negative Repeat count");
    };
    let lines = whole.iter().filter(|byte| **byte == b'\n').count() + 1;
    env.heap.allocate(width.saturating_mul(lines).saturating_add(whole.len()))?;
    let mut out = before.to_vec();
    for (at, line) in whole.split(|byte| *byte == b'\n').enumerate() {
        if at > 0 {
            out.push(b'\n');
        }
        out.resize(out.len() + width, b' ');
        out.extend_from_slice(line);
    }
    Ok(Heap::paid_string(out))
}

/// Breaks a line at spaces. A word that is longer than the width is cut, or left to stand out.
fn wrap<'a>(env: &mut Env<'a>, width: i64, separator: &[u8], whole: &[u8], cuts: bool) -> Outcome<'a> {
    let separator = if separator.is_empty() { b"\n" } else { separator };
    let width = usize::try_from(width.max(1)).unwrap_or(usize::MAX);
    let mut out = Vec::new();
    let mut rest = whole;
    while rest.len() > width {
        if let Some(after) = rest.strip_prefix(b" ") {
            rest = after;
            continue;
        }
        let last = rest.get(..=width).unwrap_or(rest).iter().rposition(|byte| *byte == b' ');
        let (end, skip) = match last {
            Some(space) => (space, 1),
            None if cuts => (width, 0),
            None => match rest.iter().skip(width).position(|byte| *byte == b' ') {
                Some(space) => (width + space, 1),
                None => break,
            },
        };
        push(env, &mut out, rest.get(..end).unwrap_or_default())?;
        push(env, &mut out, separator)?;
        rest = rest.get(end + skip..).unwrap_or_default();
    }
    push(env, &mut out, rest)?;
    Ok(Heap::paid_string(out))
}

fn split_list<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (separator, whole) = (text(arguments, 0), text(arguments, 1));
    let mut parts = Vec::new();
    if separator.is_empty() {
        let mut rest = whole;
        while let Some((_, len)) = bytes::decode(rest) {
            env.heap.step()?;
            let (head, tail) = rest.split_at_checked(len).unwrap_or((rest, b""));
            parts.push(env.heap.string(head)?);
            rest = tail;
        }
    } else {
        let mut from = 0;
        bytes::each_match(whole, separator, |at| {
            env.heap.step()?;
            parts.push(env.heap.string(whole.get(from..at).unwrap_or_default())?);
            from = at + separator.len();
            Ok(true)
        })?;
        parts.push(env.heap.string(whole.get(from..).unwrap_or_default())?);
    }
    env.heap.list_value(Elem::Str, parts)
}

fn join<'a>(env: &mut Env<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let separator = text(arguments, 0);
    let mut out = Vec::new();
    for (at, part) in convert::to_texts(env, any(arguments, 1))?.iter().enumerate() {
        if at > 0 {
            push(env, &mut out, separator)?;
        }
        push(env, &mut out, part)?;
    }
    Ok(Heap::paid_string(out))
}
