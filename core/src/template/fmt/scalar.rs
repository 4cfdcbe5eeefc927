//! Padding, integers and strings.

use super::{Outcome, Printer};
use crate::template::text::{self, Quoting};
use crate::template::value::Value;

impl<'a> Printer<'_, 'a> {
    fn fill(&mut self, count: usize) -> Outcome<()> {
        self.heap.allocate(count)?;
        let padding = if self.flags.zero { b'0' } else { b' ' };
        self.out.resize(self.out.len() + count, padding);
        Ok(())
    }

    /// Writes a text, padded to the width. Zeros pad on the left only, where the caller has not ruled them out.
    pub(super) fn pad(&mut self, text: &[u8]) -> Outcome<()> {
        let width = self.flags.width.unwrap_or(0);
        if width == 0 {
            return self.write(text);
        }
        let missing = width.saturating_sub(text::rune_count(text));
        if self.flags.minus {
            self.write(text)?;
            return self.fill(missing);
        }
        self.fill(missing)?;
        self.write(text)
    }

    /// Pads with spaces, whatever the flags say.
    pub(super) fn pad_with_spaces(&mut self, text: &[u8]) -> Outcome<()> {
        let zero = std::mem::take(&mut self.flags.zero);
        let result = self.pad(text);
        self.flags.zero = zero;
        result
    }

    pub(super) fn fill_zeros(&mut self, count: usize) -> Outcome<()> {
        let zero = std::mem::replace(&mut self.flags.zero, true);
        let result = self.fill(count);
        self.flags.zero = zero;
        result
    }

    pub(super) fn integer(
        &mut self,
        magnitude: u64,
        negative: bool,
        signed: bool,
        verb: char,
        value: &Value<'a>,
    ) -> Outcome<()> {
        // A character beyond Unicode, or a negative one, is the replacement character.
        let character = (!negative).then(|| u32::try_from(magnitude).ok().and_then(char::from_u32)).flatten();
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        match verb {
            'v' if self.flags.sharp_v && !signed => {
                let sharp = std::mem::replace(&mut self.flags.sharp, true);
                let result = self.format_integer(magnitude, negative, 16, verb, b'a');
                self.flags.sharp = sharp;
                result
            }
            'v' | 'd' => self.format_integer(magnitude, negative, 10, verb, b'a'),
            'b' => self.format_integer(magnitude, negative, 2, verb, b'a'),
            'o' | 'O' => self.format_integer(magnitude, negative, 8, verb, b'a'),
            'x' => self.format_integer(magnitude, negative, 16, verb, b'a'),
            'X' => self.format_integer(magnitude, negative, 16, verb, b'A'),
            'c' => self.pad(character.encode_utf8(&mut [0; 4]).as_bytes()),
            'q' => {
                let quoting = if self.flags.plus { Quoting::Ascii } else { Quoting::Printable };
                let mut quoted = Vec::new();
                text::quote_char(&mut quoted, character, quoting);
                self.pad(&quoted)
            }
            'U' => self.code_point(if negative { magnitude.wrapping_neg() } else { magnitude }),
            _ => self.bad_verb(value, verb),
        }
    }

    pub(super) fn format_integer(
        &mut self,
        magnitude: u64,
        negative: bool,
        base: u64,
        verb: char,
        ten: u8,
    ) -> Outcome<()> {
        let flags = self.flags;
        let signed = negative || flags.plus || flags.space;
        let least = match flags.precision {
            // A precision of zero prints no zero.
            Some(0) if magnitude == 0 => return self.pad_with_spaces(b""),
            Some(precision) => precision,
            None if flags.zero && !flags.minus => flags.width.unwrap_or(0).saturating_sub(usize::from(signed)),
            None => 0,
        };
        let mut digits = Vec::new();
        let mut rest = magnitude;
        while rest > 0 || digits.is_empty() {
            digits.push(text::hex_digit((rest % base) as u32, ten));
            rest /= base;
        }
        self.heap.allocate(least)?;
        digits.resize(digits.len().max(least), b'0');
        if flags.sharp {
            match base {
                2 => digits.extend(b"b0"),
                8 if digits.last() != Some(&b'0') => digits.push(b'0'),
                16 => digits.extend([if ten == b'a' { b'x' } else { b'X' }, b'0']),
                _ => {}
            }
        }
        if verb == 'O' {
            digits.extend(b"o0");
        }
        if negative {
            digits.push(b'-');
        } else if flags.plus {
            digits.push(b'+');
        } else if flags.space {
            digits.push(b' ');
        }
        digits.reverse();
        self.pad_with_spaces(&digits)
    }

    /// `U+0078`, with `#` also the character.
    fn code_point(&mut self, code: u64) -> Outcome<()> {
        let least = self.flags.precision.unwrap_or(0).max(4);
        self.heap.allocate(least)?;
        let digits = format!("{code:X}");
        let mut out = b"U+".to_vec();
        out.resize(2 + least.saturating_sub(digits.len()), b'0');
        out.extend_from_slice(digits.as_bytes());
        let character = u32::try_from(code).ok().and_then(char::from_u32);
        if let Some(c) = character.filter(|c| self.flags.sharp && text::is_printable(*c)) {
            out.extend_from_slice(b" '");
            text::push_char(&mut out, c);
            out.push(b'\'');
        }
        self.pad_with_spaces(&out)
    }

    pub(super) fn string(&mut self, bytes: &[u8], verb: char, value: &Value<'a>) -> Outcome<()> {
        match verb {
            'v' if self.flags.sharp_v => self.quoted(bytes),
            'v' | 's' => {
                let shown = self.truncated(bytes);
                self.pad(shown)
            }
            'x' => self.hex(bytes, b'a'),
            'X' => self.hex(bytes, b'A'),
            'q' => self.quoted(bytes),
            _ => self.bad_verb(value, verb),
        }
    }

    /// As many characters as the precision says.
    fn truncated<'t>(&self, bytes: &'t [u8]) -> &'t [u8] {
        let Some(precision) = self.flags.precision else { return bytes };
        let end = text::runes(bytes).take(precision).map(|(_, len)| len).sum();
        bytes.get(..end).unwrap_or(bytes)
    }

    fn quoted(&mut self, bytes: &[u8]) -> Outcome<()> {
        let bytes = self.truncated(bytes);
        // At worst every byte becomes four.
        self.heap.allocate(bytes.len())?;
        if self.flags.sharp && can_backquote(bytes) {
            return self.pad(&[b"`", bytes, b"`"].concat());
        }
        let quoting = if self.flags.plus { Quoting::Ascii } else { Quoting::Printable };
        let mut out = Vec::new();
        text::quote(&mut out, bytes, quoting);
        self.pad(&out)
    }

    fn hex(&mut self, bytes: &[u8], ten: u8) -> Outcome<()> {
        let flags = self.flags;
        let bytes = bytes.get(..flags.precision.unwrap_or(bytes.len()).min(bytes.len())).unwrap_or(bytes);
        self.heap.allocate(bytes.len() * 2)?;
        let prefix = [b'0', if ten == b'a' { b'x' } else { b'X' }];
        let mut out = Vec::new();
        for (at, byte) in bytes.iter().enumerate() {
            if flags.space && at > 0 {
                out.push(b' ');
            }
            if flags.sharp && (flags.space || at == 0) {
                out.extend(prefix);
            }
            out.extend([text::hex_digit(u32::from(byte >> 4), ten), text::hex_digit(u32::from(*byte), ten)]);
        }
        self.pad(&out)
    }
}

fn can_backquote(bytes: &[u8]) -> bool {
    let fits = |(c, len): (char, usize)| {
        !(c == '\u{feff}' || c < ' ' && c != '\t' || c == '`' || c == '\u{7f}' || c == '\u{fffd}' && len == 1)
    };
    text::runes(bytes).all(fits)
}
