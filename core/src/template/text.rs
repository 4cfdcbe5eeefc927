//! Go's view of text: bytes that are mostly UTF-8, its quoting, and the case of its letters.

/// Decodes one character and its length; a byte that is no UTF-8 counts as `U+FFFD`, one byte long.
pub(super) fn decode(bytes: &[u8]) -> Option<(char, usize)> {
    let first = *bytes.first()?;
    if first < 0x80 {
        return Some((char::from(first), 1));
    }
    let head = bytes.get(..bytes.len().min(4)).unwrap_or_default();
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => head.get(..error.valid_up_to()).and_then(|valid| std::str::from_utf8(valid).ok())?,
    };
    Some(valid.chars().next().map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, c.len_utf8())))
}

/// The characters of a text with their lengths.
pub(super) fn runes(bytes: &[u8]) -> Runes<'_> {
    Runes(bytes)
}

pub(super) struct Runes<'t>(&'t [u8]);

impl Iterator for Runes<'_> {
    type Item = (char, usize);

    fn next(&mut self) -> Option<(char, usize)> {
        let (c, len) = decode(self.0)?;
        self.0 = self.0.get(len..).unwrap_or_default();
        Some((c, len))
    }
}

/// How many characters a text has.
pub(super) fn rune_count(bytes: &[u8]) -> usize {
    if bytes.is_ascii() { bytes.len() } else { runes(bytes).count() }
}

pub(super) fn push_char(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Whether Go prints the character as it is when it quotes.
pub(super) fn is_printable(c: char) -> bool {
    match c {
        ' '..='~' => true,
        '\0'..='\u{9f}' => false,
        // Behind another character, `escape_debug` lets combining marks through, as Go does.
        _ => {
            let mut buffer = *b"a\0\0\0\0";
            let len = c.encode_utf8(buffer.get_mut(1..).unwrap_or_default()).len();
            let pair = buffer.get(..=len).and_then(|bytes| std::str::from_utf8(bytes).ok());
            pair.is_some_and(|pair| pair.escape_debug().nth(1) == Some(c))
        }
    }
}

/// How to quote.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Quoting {
    Printable,
    Ascii,
}

/// Appends a text between double quotes, as `%q` writes it.
pub(super) fn quote(out: &mut Vec<u8>, bytes: &[u8], quoting: Quoting) {
    out.push(b'"');
    let mut rest = bytes;
    while let Some((c, len)) = decode(rest) {
        if c == char::REPLACEMENT_CHARACTER && len == 1 {
            push_hex_escape(out, "\\x", u32::from(rest.first().copied().unwrap_or_default()), 2);
        } else {
            push_escaped(out, c, '"', quoting);
        }
        rest = rest.get(len..).unwrap_or_default();
    }
    out.push(b'"');
}

/// A quoted text as a string, for messages.
pub(super) fn quote_lossy(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len() + 2);
    quote(&mut out, bytes, Quoting::Printable);
    String::from_utf8_lossy(&out).into_owned()
}

/// Appends a character between single quotes.
pub(super) fn quote_char(out: &mut Vec<u8>, c: char, quoting: Quoting) {
    out.push(b'\'');
    push_escaped(out, c, '\'', quoting);
    out.push(b'\'');
}

fn push_escaped(out: &mut Vec<u8>, c: char, quote: char, quoting: Quoting) {
    let simple = match c {
        '\u{7}' => b'a',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\u{b}' => b'v',
        '\\' => b'\\',
        _ if c == quote => quote as u8,
        _ => 0,
    };
    if simple != 0 {
        out.extend_from_slice(&[b'\\', simple]);
    } else if c.is_ascii() && !c.is_ascii_control() || quoting == Quoting::Printable && is_printable(c) {
        push_char(out, c);
    } else if c < ' ' || c == '\u{7f}' {
        push_hex_escape(out, "\\x", u32::from(c), 2);
    } else if c <= '\u{ffff}' {
        push_hex_escape(out, "\\u", u32::from(c), 4);
    } else {
        push_hex_escape(out, "\\U", u32::from(c), 8);
    }
}

pub(super) fn push_hex_escape(out: &mut Vec<u8>, prefix: &str, value: u32, digits: u32) {
    out.extend_from_slice(prefix.as_bytes());
    for at in (0..digits).rev() {
        out.push(hex_digit(value >> (4 * at), b'a'));
    }
}

/// The low four bits as a hexadecimal digit; `ten` is the letter for 10.
pub(super) fn hex_digit(value: u32, ten: u8) -> u8 {
    let low = (value & 15) as u8;
    if low < 10 { b'0' + low } else { ten + low - 10 }
}

/// Reads a Go string literal, quotes included.
pub(super) fn unquote(literal: &str) -> Option<Vec<u8>> {
    if let Some(raw) = literal.strip_prefix('`') {
        let raw = raw.strip_suffix('`')?;
        return Some(raw.bytes().filter(|byte| *byte != b'\r').collect());
    }
    let mut rest = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let (unit, after) = unquote_one(rest, '"')?;
        match unit {
            Unit::Char(c) => push_char(&mut out, c),
            Unit::Byte(byte) => out.push(byte),
        }
        rest = after;
    }
    Some(out)
}

/// Why a character literal cannot be read.
pub(super) enum CharError {
    Syntax,
    Malformed,
}

/// Reads a Go character literal, quotes included.
pub(super) fn unquote_char(literal: &str) -> Result<i64, CharError> {
    let rest = literal.strip_prefix('\'').ok_or(CharError::Syntax)?;
    let (unit, tail) = unquote_one(rest, '\'').ok_or(CharError::Syntax)?;
    if tail != "'" {
        return Err(CharError::Malformed);
    }
    Ok(match unit {
        Unit::Char(c) => i64::from(u32::from(c)),
        Unit::Byte(byte) => i64::from(byte),
    })
}

enum Unit {
    Char(char),
    Byte(u8),
}

fn unquote_one(text: &str, quote: char) -> Option<(Unit, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first == quote {
        return None;
    }
    if first != '\\' {
        return Some((Unit::Char(first), chars.as_str()));
    }
    let escape = chars.next()?;
    let rest = chars.as_str();
    let plain = |c: char| Some((Unit::Char(c), rest));
    match escape {
        'a' => plain('\u{7}'),
        'b' => plain('\u{8}'),
        'f' => plain('\u{c}'),
        'n' => plain('\n'),
        'r' => plain('\r'),
        't' => plain('\t'),
        'v' => plain('\u{b}'),
        '\\' => plain('\\'),
        'x' => {
            let (value, rest) = digits(rest, 2, 16)?;
            Some((Unit::Byte(u8::try_from(value).ok()?), rest))
        }
        'u' | 'U' => {
            let (value, rest) = digits(rest, if escape == 'u' { 4 } else { 8 }, 16)?;
            Some((Unit::Char(char::from_u32(value)?), rest))
        }
        '0'..='7' => {
            let (value, rest) = digits(text.get(1..)?, 3, 8)?;
            Some((Unit::Byte(u8::try_from(value).ok()?), rest))
        }
        _ if escape == quote => plain(escape),
        _ => None,
    }
}

fn digits(text: &str, count: usize, radix: u32) -> Option<(u32, &str)> {
    let head = text.get(..count).filter(|head| head.chars().all(|c| c.is_digit(radix)))?;
    Some((u32::from_str_radix(head, radix).ok()?, text.get(count..)?))
}

/// Upper case, letter by letter: Go never maps one letter to two.
pub(super) fn upper(c: char) -> char {
    let mut mapped = c.to_uppercase();
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// Lower case, letter by letter.
pub(super) fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// Title case, which differs from upper case for digraphs only.
pub(super) fn title(c: char) -> char {
    match c {
        'Ǆ'..='ǆ' => 'ǅ',
        'Ǉ'..='ǉ' => 'ǈ',
        'Ǌ'..='ǌ' => 'ǋ',
        'Ǳ'..='ǳ' => 'ǲ',
        _ => upper(c),
    }
}

/// Maps every character.
pub(super) fn map(bytes: &[u8], mut to: impl FnMut(char) -> char) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for (c, _) in runes(bytes) {
        push_char(&mut out, to(c));
    }
    out
}

/// Removes white space at both ends.
pub(super) fn trim_space(bytes: &[u8]) -> &[u8] {
    trim(bytes, char::is_whitespace)
}

/// Removes the characters that are `unwanted` at both ends.
pub(super) fn trim(bytes: &[u8], unwanted: impl Fn(char) -> bool) -> &[u8] {
    let mut rest = bytes;
    while let Some((c, len)) = decode(rest) {
        if !unwanted(c) {
            break;
        }
        rest = rest.get(len..).unwrap_or_default();
    }
    while let Some((c, len)) = decode_last(rest) {
        if !unwanted(c) {
            break;
        }
        rest = rest.get(..rest.len() - len).unwrap_or_default();
    }
    rest
}

fn decode_last(bytes: &[u8]) -> Option<(char, usize)> {
    for len in 1..=bytes.len().min(4) {
        let tail = bytes.get(bytes.len() - len..)?;
        if let Some((c, found)) = decode(tail)
            && found == len
            && (c != char::REPLACEMENT_CHARACTER || len == 3)
        {
            return Some((c, len));
        }
    }
    bytes.last().map(|_| (char::REPLACEMENT_CHARACTER, 1))
}

/// Calls `found` with the offset of every occurrence of `needle`, which is not empty, until it answers that this is
/// enough. Takes time in proportion to the text, however it repeats.
pub(super) fn each_match<E>(
    haystack: &[u8],
    needle: &[u8],
    mut found: impl FnMut(usize) -> Result<bool, E>,
) -> Result<(), E> {
    if let (Ok(text), Ok(pattern)) = (std::str::from_utf8(haystack), std::str::from_utf8(needle)) {
        for (at, _) in text.match_indices(pattern) {
            if !found(at)? {
                break;
            }
        }
        return Ok(());
    }
    // What is no UTF-8 is searched as Latin-1, where every byte is a character.
    let latin = |bytes: &[u8]| -> String { bytes.iter().copied().map(char::from).collect() };
    let (text, pattern) = (latin(haystack), latin(needle));
    let (mut bytes, mut from) = (0, 0);
    for (at, _) in text.match_indices(&pattern) {
        bytes += text.get(from..at).unwrap_or_default().chars().count();
        from = at;
        if !found(bytes)? {
            break;
        }
    }
    Ok(())
}

/// The offset of the first occurrence of `needle`.
pub(super) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    let mut first = None;
    let stop = |at| {
        first = Some(at);
        Ok::<_, std::convert::Infallible>(false)
    };
    match each_match(haystack, needle, stop) {
        Ok(()) => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_keeps_what_prints() {
        let check = |text: &[u8], expect: &str| assert_eq!(quote_lossy(text), expect);
        check(b"a\"b\\c\n\t\x07\x00\x7f", r#""a\"b\\c\n\t\a\x00\x7f""#);
        check("h\u{e9} \u{2603} \u{a0}\u{200b}\u{feff}".as_bytes(), r#""hé ☃ \u00a0\u200b\ufeff""#);
        // A combining mark prints.
        check("e\u{301}".as_bytes(), "\"e\u{301}\"");
        check(b"a\xffb", r#""a\xffb""#);
        let mut out = Vec::new();
        quote(&mut out, "é\u{1f600}".as_bytes(), Quoting::Ascii);
        assert_eq!(out, br#""\u00e9\U0001f600""#);
    }

    #[test]
    fn literals_read_back() {
        let check = |literal: &str, expect: Option<&[u8]>| assert_eq!(unquote(literal).as_deref(), expect);
        check(r#""a\n\x41\101\u00e9\"""#, Some("a\nAA\u{e9}\"".as_bytes()));
        check(r#""\xff""#, Some(b"\xff"));
        check(r#""\'""#, None);
        check(r#""\q""#, None);
        check(r#""\ud800""#, None);
        check(r#""\400""#, None);
        check("`a\r\n\\n`", Some(b"a\n\\n"));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let all: Vec<_> = runes(b"a\xc3\xa9\xc3(").collect();
        assert_eq!(all, [('a', 1), ('é', 2), ('\u{fffd}', 1), ('(', 1)]);
        assert_eq!(trim_space("\u{a0} x\u{fffd}\u{3000}".as_bytes()), "x\u{fffd}".as_bytes());
        assert_eq!(trim_space(b" \xff "), b"\xff");
    }

    #[test]
    fn find_matches_the_first() {
        assert_eq!(find(b"aabab", b"ab"), Some(1));
        assert_eq!(find(b"aab", b""), Some(0));
        assert_eq!(find(b"aab", b"c"), None);
        assert_eq!(find(b"a", b"aa"), None);
        assert_eq!(find(b"\xffa\xfe\xffab", b"\xffab"), Some(3));
        let all = |haystack: &[u8], needle: &[u8]| {
            let mut all = Vec::new();
            let _ = each_match(haystack, needle, |at| {
                all.push(at);
                Ok::<_, ()>(true)
            });
            all
        };
        assert_eq!(all(b"aaaa", b"aa"), [0, 2]);
        assert_eq!(all(b"\xff,\xff\xff,,", b","), [1, 4, 5]);
    }

    #[test]
    fn case_maps_one_letter_to_one() {
        assert_eq!((upper('ß'), upper('é'), lower('İ'), title('ǆ')), ('ß', 'É', 'i', 'ǅ'));
    }
}
