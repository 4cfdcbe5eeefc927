//! The gzip container (RFC 1952) around deflate (RFC 1951).

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::{GzipFault, PayloadError};

/// Magic number, method (deflate), no flags, no time, no extra flags, unknown operating system: as Go writes it.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// Go's default level.
const LEVEL: u8 = 6;

const HEADER_CHECKSUM: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0b1110_0000;

/// Compresses bytes into a gzip stream: equal bytes give equal streams, with the header that Go's library writes.
///
/// # Examples
///
/// ```
/// use virt_autopilot::payload::encode_gzip;
///
/// let stream = encode_gzip(b"hello");
/// assert_eq!(stream[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/// ```
pub fn encode_gzip(bytes: &[u8]) -> Vec<u8> {
    let mut stream = HEADER.to_vec();
    stream.extend(compress_to_vec(bytes, LEVEL));
    stream.extend(crc32(bytes).to_le_bytes());
    stream.extend(length_mod_2_32(bytes).to_le_bytes());
    stream
}

/// Decompresses a gzip stream of one or more members to at most `limit` bytes.
pub(super) fn decode_gzip(stream: &[u8], limit: usize) -> Result<Vec<u8>, PayloadError> {
    let mut decoded = Vec::new();
    let mut rest = stream;
    loop {
        rest = skip_header(rest)?;
        let start = decoded.len();
        rest = inflate(rest, &mut decoded, limit)?;
        let member = decoded.get(start..).unwrap_or_default();
        let (checksum, after) = rest.split_first_chunk().ok_or(fault(GzipFault::Truncated))?;
        let (length, after) = after.split_first_chunk().ok_or(fault(GzipFault::Truncated))?;
        if u32::from_le_bytes(*checksum) != crc32(member) {
            return Err(fault(GzipFault::Checksum));
        }
        if u32::from_le_bytes(*length) != length_mod_2_32(member) {
            return Err(fault(GzipFault::Length));
        }
        if after.is_empty() {
            return Ok(decoded);
        }
        rest = after;
    }
}

fn fault(fault: GzipFault) -> PayloadError {
    PayloadError::BadGzip { fault }
}

/// What follows the header of a member.
fn skip_header(member: &[u8]) -> Result<&[u8], PayloadError> {
    let truncated = || fault(GzipFault::Truncated);
    let [0x1f, 0x8b, 8, flags, _, _, _, _, _, _, rest @ ..] = member else {
        return Err(fault(GzipFault::Header));
    };
    if flags & RESERVED != 0 {
        return Err(fault(GzipFault::Header));
    }
    let mut rest = rest;
    if flags & EXTRA != 0 {
        let (length, after) = rest.split_first_chunk().ok_or_else(truncated)?;
        rest = after.get(usize::from(u16::from_le_bytes(*length))..).ok_or_else(truncated)?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            let end = rest.iter().position(|byte| *byte == 0).ok_or_else(truncated)?;
            rest = rest.get(end + 1..).ok_or_else(truncated)?;
        }
    }
    if flags & HEADER_CHECKSUM != 0 {
        let header = member.get(..member.len() - rest.len()).unwrap_or_default();
        let (checksum, after) = rest.split_first_chunk().ok_or_else(truncated)?;
        if u32::from(u16::from_le_bytes(*checksum)) != crc32(header) & 0xffff {
            return Err(fault(GzipFault::Header));
        }
        rest = after;
    }
    Ok(rest)
}

/// Appends what a deflate stream holds and returns what follows the stream; `limit` is the longest `decoded` may be.
fn inflate<'a>(stream: &'a [u8], decoded: &mut Vec<u8>, limit: usize) -> Result<&'a [u8], PayloadError> {
    let mut state = Box::<DecompressorOxide>::default();
    let mut rest = stream;
    let start = decoded.len();
    // The member is decoded into a buffer of its own, for its references must not reach into the member before.
    let mut buffer = vec![0; stream.len().saturating_mul(2).clamp(64, 1 << 16)];
    let mut filled = 0;
    loop {
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, read, written) = decompress(&mut state, rest, &mut buffer, filled, flags);
        rest = rest.get(read..).ok_or(fault(GzipFault::Deflate))?;
        filled += written;
        if start + filled > limit {
            return Err(PayloadError::TooLarge { limit });
        }
        match status {
            TINFLStatus::Done => break,
            // One byte beyond the limit tells a stream that ends there from one that goes on.
            TINFLStatus::HasMoreOutput => buffer.resize((buffer.len() * 2).min(limit - start + 1), 0),
            TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => {
                return Err(fault(GzipFault::Truncated));
            }
            _ => return Err(fault(GzipFault::Deflate)),
        }
    }
    decoded.extend(buffer.get(..filled).unwrap_or_default());
    Ok(rest)
}

/// The checksum of RFC 1952, section 8, without a table: payloads are small.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |checksum, byte| {
        (0..8)
            .fold(checksum ^ u32::from(*byte), |bits: u32, _| (bits >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(bits & 1)))
    })
}

#[expect(clippy::cast_possible_truncation, reason = "RFC 1952 has the length modulo 2^32")]
fn length_mod_2_32(bytes: &[u8]) -> u32 {
    bytes.len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn headers() {
        let body = &encode_gzip(b"hello")[10..];
        let check = |header: &[u8], expect: Result<&[u8], GzipFault>| {
            let stream = [header, body].concat();
            assert_eq!(decode_gzip(&stream, 100), expect.map(<[u8]>::to_vec).map_err(fault), "{header:?}");
        };
        let with = |flags: u8, rest: &[u8]| [&[0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 2, 3], rest].concat();
        check(&with(0, b""), Ok(b"hello"));
        check(&with(1, b""), Ok(b"hello"));
        check(&with(NAME, b"n\0"), Ok(b"hello"));
        check(&with(EXTRA | NAME | COMMENT, b"\x03\0abcname\0comment\0"), Ok(b"hello"));
        let mut summed = with(HEADER_CHECKSUM | NAME, b"n\0");
        summed.extend((crc32(&summed) as u16).to_le_bytes());
        check(&summed, Ok(b"hello"));
        check(&with(HEADER_CHECKSUM, b"\x12\x34"), Err(GzipFault::Header));
        check(&with(0x20, b""), Err(GzipFault::Header));
        check(&[0x1f, 0x8b, 7, 0, 0, 0, 0, 0, 0, 0], Err(GzipFault::Header));
        check(b"", Err(GzipFault::Header));
        check(&with(EXTRA, b"\xff\xff"), Err(GzipFault::Truncated));
    }

    #[test]
    fn damaged_streams() {
        let stream = encode_gzip(&b"hello hello hello hello ".repeat(20));
        for length in 0..stream.len() {
            assert!(decode_gzip(&stream[..length], 10_000).is_err(), "{length}");
        }
        let flip = |at: usize| {
            let mut stream = stream.clone();
            stream[at] ^= 1;
            decode_gzip(&stream, 10_000)
        };
        assert_eq!(flip(stream.len() - 8), Err(fault(GzipFault::Checksum)));
        assert_eq!(flip(stream.len() - 1), Err(fault(GzipFault::Length)));
        assert_eq!(decode_gzip(&[&stream[..], b"\0"].concat(), 10_000), Err(fault(GzipFault::Header)));
    }

    #[test]
    fn members_follow_each_other() {
        let stream = [encode_gzip(b"one "), encode_gzip(b""), encode_gzip(b"two")].concat();
        assert_eq!(decode_gzip(&stream, 7).unwrap(), b"one two");
        assert_eq!(decode_gzip(&stream, 6), Err(PayloadError::TooLarge { limit: 6 }));
    }

    #[test]
    fn what_is_larger_than_the_limit_is_refused() {
        let bomb = encode_gzip(&vec![0; 1 << 20]);
        assert!(bomb.len() < 2000);
        assert_eq!(decode_gzip(&bomb, 1 << 20).unwrap().len(), 1 << 20);
        let limit = (1 << 20) - 1;
        assert_eq!(decode_gzip(&bomb, limit), Err(PayloadError::TooLarge { limit }));
        assert_eq!(decode_gzip(&bomb, 0), Err(PayloadError::TooLarge { limit: 0 }));
        assert_eq!(decode_gzip(&encode_gzip(b""), 0).unwrap(), b"");
    }
}
