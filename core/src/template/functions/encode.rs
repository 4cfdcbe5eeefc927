//! Base 64, base 32 and gzip.

use miniz_oxide::deflate;

use super::Type::Str;
use super::{Function, Outcome, define, text};
use crate::encoding::{base_32, base_64, from_base_32, from_base_64};
use crate::template::exec::Env;
use crate::template::value::{Heap, Value};

pub(super) static FUNCTIONS: [Function; 5] = [
    define("b64enc", &[Str], |env, arguments| {
        env.heap.allocate(text(arguments, 0).len().div_ceil(3) * 4)?;
        Ok(Heap::paid_string(base_64(text(arguments, 0)).into_bytes()))
    }),
    define("b64dec", &[Str], |env, arguments| decode(env, arguments, "base64", from_base_64)),
    define("b32enc", &[Str], |env, arguments| {
        env.heap.allocate(text(arguments, 0).len().div_ceil(5) * 8)?;
        Ok(Heap::paid_string(base_32(text(arguments, 0)).into_bytes()))
    }),
    define("b32dec", &[Str], |env, arguments| decode(env, arguments, "base32", from_base_32)),
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
    fn check_sums_are_those_of_gzip() {
        assert_eq!(crc_32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc_32(b""), 0);
    }
}
