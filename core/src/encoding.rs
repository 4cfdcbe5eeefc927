//! Bytes as text: base 64 and base 32 (RFC 4648) and hexadecimal digits.
//!
//! Small rather than fast: a general library would be a twentieth of the wasm.

const DIGITS_64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const DIGITS_32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const DIGITS_16: &[u8; 16] = b"0123456789abcdef";

/// Bytes in base 64, with padding.
pub(crate) fn base_64(bytes: &[u8]) -> String {
    encode::<3>(bytes, DIGITS_64, 6)
}

/// Bytes in base 32, with padding.
pub(crate) fn base_32(bytes: &[u8]) -> String {
    encode::<5>(bytes, DIGITS_32, 5)
}

/// Bytes in hexadecimal digits, in lower case.
pub(crate) fn hex(bytes: &[u8]) -> String {
    encode::<1>(bytes, DIGITS_16, 4)
}

/// Writes blocks of `BLOCK` bytes in digits of so many bits, the last one padded.
fn encode<const BLOCK: usize>(bytes: &[u8], digits: &[u8], bits: usize) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(BLOCK) * BLOCK * 8 / bits);
    for block in bytes.chunks(BLOCK) {
        let filled = block.iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte)) << (8 * (BLOCK - block.len()));
        let written = (block.len() * 8).div_ceil(bits);
        for place in 0..BLOCK * 8 / bits {
            let digit = filled >> (BLOCK * 8 - bits * (place + 1)) & ((1 << bits) - 1);
            let digit = digits.get(digit as usize).filter(|_| place < written);
            out.push(digit.map_or('=', |digit| char::from(*digit)));
        }
    }
    out
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
pub(crate) fn from_base_64(text: &[u8]) -> Result<Vec<u8>, usize> {
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
pub(crate) fn from_base_32(text: &[u8]) -> Result<Vec<u8>, usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_of_rfc_4648_section_10() {
        let check = |text: &str, expect_64: &str, expect_32: &str, expect_16: &str| {
            let bytes = text.as_bytes();
            assert_eq!(
                (base_64(bytes), base_32(bytes), hex(bytes)),
                (expect_64.into(), expect_32.into(), expect_16.into())
            );
            assert_eq!(
                (from_base_64(expect_64.as_bytes()), from_base_32(expect_32.as_bytes())),
                (Ok(bytes.into()), Ok(bytes.into()))
            );
        };
        check("", "", "", "");
        check("f", "Zg==", "MY======", "66");
        check("fo", "Zm8=", "MZXQ====", "666f");
        check("foo", "Zm9v", "MZXW6===", "666f6f");
        check("foob", "Zm9vYg==", "MZXW6YQ=", "666f6f62");
        check("fooba", "Zm9vYmE=", "MZXW6YTB", "666f6f6261");
        check("foobar", "Zm9vYmFy", "MZXW6YTBOI======", "666f6f626172");
    }

    #[test]
    fn base_64_says_where_it_breaks() {
        let check = |text: &[u8], expect: Result<&[u8], usize>| {
            assert_eq!(from_base_64(text).as_deref().map_err(|at| *at), expect, "{text:?}");
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
            assert_eq!(from_base_32(text).as_deref().map_err(|at| *at), expect, "{text:?}");
        };
        check(b"NBUQ====", Ok(b"hi"));
        check(b"NBUWIZLN", Ok(b"hidem"));
        check(b"NBUQ", Err(0));
        check(b"nbuq====", Err(0));
        check(b"NBUQ===", Err(7));
        check(b"NBU=====", Err(3));
        check(b"NBUQ=A==", Err(4));
    }
}
