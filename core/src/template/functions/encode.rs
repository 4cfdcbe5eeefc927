//! Base 64, base 32 and gzip.

use data_encoding::{BASE32, BASE64};
use miniz_oxide::deflate;

use super::Type::Str;
use super::{Function, Outcome, define, text};
use crate::template::exec::Env;
use crate::template::value::{Heap, Value};

pub(super) static FUNCTIONS: [Function; 5] = [
    define("b64enc", &[Str], |env, arguments| {
        env.heap.allocate(BASE64.encode_len(text(arguments, 0).len()))?;
        Ok(Heap::paid_string(BASE64.encode(text(arguments, 0)).into_bytes()))
    }),
    define("b64dec", &[Str], |env, arguments| decode(env, arguments, "base64", decode_64)),
    define("b32enc", &[Str], |env, arguments| {
        env.heap.allocate(BASE32.encode_len(text(arguments, 0).len()))?;
        Ok(Heap::paid_string(BASE32.encode(text(arguments, 0)).into_bytes()))
    }),
    define("b32dec", &[Str], |env, arguments| decode(env, arguments, "base32", decode_32)),
    define("gzip", &[Str], |env, arguments| gzip(env, text(arguments, 0))),
];

/// Decodes a text. One that is not encoded decodes to the message that says so, as with sprig.
fn decode<'a>(
    env: &mut Env<'a>,
    arguments: &[Value<'a>],
    name: &str,
    decode: impl Fn(&[u8]) -> Result<Vec<u8>, usize>,
) -> Outcome<'a> {
    env.heap.allocate(text(arguments, 0).len())?;
    Ok(Heap::paid_string(match decode(text(arguments, 0)) {
        Ok(bytes) => bytes,
        Err(at) => format!("illegal {name} data at input byte {at}").into_bytes(),
    }))
}

fn digit_64(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The bytes of a base 64 text, or the offset of what is wrong, as Go counts it. Line ends do not count.
fn decode_64(text: &[u8]) -> Result<Vec<u8>, usize> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut quantum, mut filled) = (0_u32, 0_usize);
    let mut rest = text.iter().copied().enumerate().filter(|(_, byte)| !is_line_end(*byte));
    while let Some((at, byte)) = rest.next() {
        if let Some(digit) = digit_64(byte) {
            quantum = quantum << 6 | digit;
            filled += 1;
            if filled == 4 {
                let [_, bytes @ ..] = quantum.to_be_bytes();
                out.extend(bytes);
                (quantum, filled) = (0, 0);
            }
            continue;
        }
        // What ends a text is one or two signs of padding behind two or three digits.
        match (byte, filled) {
            (b'=', 2) => match rest.next() {
                None => return Err(text.len()),
                Some((_, b'=')) => {}
                Some((next, _)) => return Err(next - 1),
            },
            (b'=', 3) => {}
            _ => return Err(at),
        }
        if let Some((garbage, _)) = rest.next() {
            return Err(garbage);
        }
        let [_, bytes @ ..] = (quantum << (6 * (4 - filled))).to_be_bytes();
        out.extend(bytes.iter().take(filled - 1));
        return Ok(out);
    }
    if filled > 0 {
        return Err(text.len() - filled);
    }
    Ok(out)
}

fn digit_32(byte: u8) -> Option<u64> {
    Some(u64::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'2'..=b'7' => byte - b'2' + 26,
        _ => return None,
    }))
}

/// The bytes of a base 32 text, or the offset of what is wrong, as Go counts it: without the line ends.
fn decode_32(text: &[u8]) -> Result<Vec<u8>, usize> {
    let text: Vec<u8> = text.iter().copied().filter(|byte| !is_line_end(*byte)).collect();
    let mut out = Vec::with_capacity(text.len() / 8 * 5);
    for (block, chunk) in text.chunks(8).enumerate() {
        let start = block * 8;
        let (mut quantum, mut filled) = (0_u64, 0_usize);
        for (at, byte) in chunk.iter().enumerate() {
            let is_tail = start + 8 >= text.len();
            if *byte == b'=' && at >= 2 && is_tail {
                if chunk.len() < 8 {
                    return Err(text.len());
                }
                if let Some(bad) = chunk.iter().skip(at).position(|byte| *byte != b'=') {
                    return Err(start + at + bad - 1);
                }
                if matches!(at, 3 | 6) {
                    return Err(start + at);
                }
                break;
            }
            quantum = quantum << 5 | digit_32(*byte).ok_or(start + at)?;
            filled += 1;
        }
        if chunk.len() < 8 && filled == chunk.len() {
            return Err(text.len() - filled);
        }
        let [_, _, _, bytes @ ..] = (quantum << (5 * (8 - filled))).to_be_bytes();
        out.extend(bytes.iter().take(filled * 5 / 8));
    }
    Ok(out)
}

/// A gzip file as Go heads it: no name, no time, no operating system. The compressed bytes are this library's.
fn gzip<'a>(env: &mut Env<'a>, text: &[u8]) -> Outcome<'a> {
    // Text that cannot be compressed grows by little; the compressor has tables of its own.
    env.heap.allocate(text.len() + text.len() / 100 + (1 << 10))?;
    env.heap.read(text.len().saturating_mul(8).saturating_add(1 << 18))?;
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    out.extend(deflate::compress_to_vec(text, 6));
    out.extend(crc_32(text).to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    Ok(Heap::paid_string(out))
}

/// The check sum of gzip files (RFC 1952), four bits at a time.
fn crc_32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 16] = table();
    let step = |crc: u32, low: u32| crc >> 4 ^ TABLE.get(((crc ^ low) & 15) as usize).copied().unwrap_or_default();
    !bytes.iter().fold(!0, |crc, byte| step(step(crc, u32::from(*byte)), u32::from(byte >> 4)))
}

const fn table() -> [u32; 16] {
    let mut table = [0; 16];
    let mut rest: &mut [u32] = &mut table;
    let mut value: u32 = 0;
    while let Some((entry, tail)) = rest.split_first_mut() {
        let mut crc = value;
        let mut bit = 0;
        while bit < 4 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        *entry = crc;
        value += 1;
        rest = tail;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_says_where_it_breaks() {
        let check = |text: &[u8], expect: Result<&[u8], usize>| {
            assert_eq!(decode_64(text).as_deref().map_err(|at| *at), expect, "{text:?}");
        };
        check(b"aGk=", Ok(b"hi"));
        check(b"aG\nk=\n", Ok(b"hi"));
        check(b"aA==", Ok(b"h"));
        check(b"", Ok(b""));
        check(b"aGk", Err(0));
        check(b"aGkxa", Err(4));
        check(b"!", Err(0));
        check(b"aGk=x", Err(4));
        check(b"aA=", Err(3));
        check(b"aA=x", Err(2));
        check(b"a===", Err(1));
        check(b"=", Err(0));
    }

    #[test]
    fn base_32_says_where_it_breaks() {
        let check = |text: &[u8], expect: Result<&[u8], usize>| {
            assert_eq!(decode_32(text).as_deref().map_err(|at| *at), expect, "{text:?}");
        };
        check(b"NBUQ====", Ok(b"hi"));
        check(b"NBUWIZLN", Ok(b"hidem"));
        check(b"NBUQ", Err(0));
        check(b"nbuq====", Err(0));
        check(b"NBUQ===", Err(7));
        check(b"NBU=====", Err(3));
        check(b"NBUQ=A==", Err(4));
    }

    #[test]
    fn check_sums_are_those_of_gzip() {
        assert_eq!(crc_32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc_32(b""), 0);
    }
}
