//! Plain, quoted and block scalars.

use super::{Kind, Mark, Problem, Result, Scanner, Token};

/// The blanks and line breaks between two words of a plain or quoted scalar, of which a fold is made.
#[derive(Default)]
struct Gap {
    /// Byte range of the blanks before the first line break.
    blanks: (usize, usize),
    /// Whether there was a line break.
    broken: bool,
    /// The first line break; none where it was escaped.
    first: Option<char>,
    /// The further line breaks.
    rest: String,
}

impl Gap {
    fn line_break(&mut self, line_break: char) {
        if self.broken {
            self.rest.push(line_break);
        } else {
            self.broken = true;
            self.first = Some(line_break);
        }
    }

    /// Writes what the gap stands for, and empties it.
    fn fold_into(&mut self, out: &mut String, text: &str) {
        if !self.broken {
            out.push_str(text.get(self.blanks.0..self.blanks.1).unwrap_or_default());
        } else if self.first == Some('\n') {
            if self.rest.is_empty() {
                out.push(' ');
            }
        } else {
            out.extend(self.first);
        }
        out.push_str(&self.rest);
        *self = Self::default();
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomp {
    Strip,
    Clip,
    Keep,
}

impl Scanner<'_> {
    fn push_scalar(&mut self, kind: Kind, start: Mark, end: usize, text: String) {
        self.queue.push_back(Token { kind, start, end, text, ..Token::default() });
    }

    pub(super) fn plain_scalar(&mut self) -> Result<()> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.mark;
        let mut end = start.at;
        let mut out = String::new();
        let mut gap = Gap::default();
        loop {
            if self.is_document_marker() || self.byte(0) == b'#' {
                break;
            }
            let word = self.mark.at;
            self.advance_words();
            while !self.ends_plain_word() {
                self.advance();
                self.advance_words();
            }
            if self.mark.at > word {
                gap.fold_into(&mut out, self.text);
                out.push_str(self.since(word));
                end = self.mark.at;
            }
            if !self.is_blank() && !self.is_break() {
                break;
            }
            self.plain_gap(&mut gap, start)?;
            if !self.in_flow() && isize::try_from(self.mark.column).is_ok_and(|column| column <= self.indent) {
                break;
            }
        }
        if gap.broken {
            self.key_allowed = true;
        }
        self.push_scalar(Kind::PlainScalar, start, end, out);
        Ok(())
    }

    fn ends_plain_word(&self) -> bool {
        match self.byte(0) {
            b':' => self.is_gap(1),
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => self.in_flow(),
            _ => self.is_gap(0),
        }
    }

    fn plain_gap(&mut self, gap: &mut Gap, start: Mark) -> Result<()> {
        gap.blanks = (self.mark.at, self.mark.at);
        loop {
            if self.is_blank() {
                let outside = isize::try_from(self.mark.column).is_ok_and(|column| column <= self.indent);
                if gap.broken && outside && self.byte(0) == b'\t' {
                    return Err(start.error(Problem::Tab));
                }
                self.advance();
                if !gap.broken {
                    gap.blanks.1 = self.mark.at;
                }
            } else if let Some(line_break) = self.advance_line() {
                gap.line_break(line_break);
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn quoted_scalar(&mut self, single: bool) -> Result<()> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.mark;
        let quote = if single { b'\'' } else { b'"' };
        let mut out = String::new();
        self.advance();
        loop {
            if self.is_document_marker() {
                return self.error(Problem::MarkerInQuotes);
            }
            if self.byte(0) == 0 {
                return Err(start.error(Problem::Unclosed { quote: quote.into() }));
            }
            let mut gap = Gap::default();
            self.quoted_word(quote, &mut out, &mut gap)?;
            if self.byte(0) == quote {
                break;
            }
            gap.blanks = (self.mark.at, self.mark.at);
            loop {
                if self.is_blank() {
                    self.advance();
                    if !gap.broken {
                        gap.blanks.1 = self.mark.at;
                    }
                } else if let Some(line_break) = self.advance_line() {
                    gap.line_break(line_break);
                } else {
                    break;
                }
            }
            gap.fold_into(&mut out, self.text);
        }
        self.advance();
        self.push_scalar(Kind::StyledScalar, start, self.mark.at, out);
        Ok(())
    }

    /// Reads up to the closing quote, a blank, or a line break, which may be escaped.
    fn quoted_word(&mut self, quote: u8, out: &mut String, gap: &mut Gap) -> Result<()> {
        let mut run = self.mark.at;
        while !self.is_gap(0) {
            match self.byte(0) {
                b'\'' if quote == b'\'' && self.byte(1) == b'\'' => {
                    self.advance();
                    out.push_str(self.since(run));
                    self.advance();
                    run = self.mark.at;
                }
                byte if byte == quote => break,
                b'\\' if quote == b'"' => {
                    out.push_str(self.since(run));
                    if self.break_width(1) > 0 {
                        self.advance();
                        self.advance_line();
                        gap.broken = true;
                        return Ok(());
                    }
                    out.push(self.escape()?);
                    run = self.mark.at;
                }
                _ => {
                    self.advance();
                    self.advance_words();
                }
            }
        }
        out.push_str(self.since(run));
        Ok(())
    }

    fn escape(&mut self) -> Result<char> {
        let start = self.mark;
        self.advance();
        let found = self.char();
        let (escaped, digits) = match found {
            '0' => ('\0', 0),
            'a' => ('\x07', 0),
            'b' => ('\x08', 0),
            't' | '\t' => ('\t', 0),
            'n' => ('\n', 0),
            'v' => ('\x0B', 0),
            'f' => ('\x0C', 0),
            'r' => ('\r', 0),
            'e' => ('\x1B', 0),
            ' ' | '"' | '\'' | '\\' => (found, 0),
            'N' => ('\u{85}', 0),
            '_' => ('\u{A0}', 0),
            'L' => ('\u{2028}', 0),
            'P' => ('\u{2029}', 0),
            'x' => ('\0', 2),
            'u' => ('\0', 4),
            'U' => ('\0', 8),
            _ => return Err(start.error(Problem::Escape { found })),
        };
        self.advance();
        if digits == 0 {
            return Ok(escaped);
        }
        let mut code = 0u32;
        for _ in 0..digits {
            let Some(digit) = char::from(self.byte(0)).to_digit(16) else {
                return Err(start.error(Problem::EscapeCode));
            };
            code = code << 4 | digit;
            self.advance();
        }
        char::from_u32(code).ok_or_else(|| start.error(Problem::EscapeCode))
    }

    pub(super) fn block_scalar(&mut self, literal: bool) -> Result<()> {
        self.remove_key()?;
        self.key_allowed = true;
        let start = self.mark;
        self.advance();
        let (chomp, increment) = self.block_header(start)?;
        let base = usize::try_from(self.indent).unwrap_or(0);
        let mut indent = increment.map(|increment| base + increment);

        let mut out = String::new();
        let mut line_break = None;
        let mut empty_lines = String::new();
        let mut end = self.mark.at;
        let mut after_blank = false;
        self.block_indentation(&mut indent, &mut empty_lines, start)?;
        while Some(self.mark.column) == indent && self.byte(0) != 0 {
            let blank = self.is_blank();
            // A folded scalar joins two lines by a space, unless one of them is indented further.
            if !literal && !after_blank && !blank && line_break == Some('\n') {
                if empty_lines.is_empty() {
                    out.push(' ');
                }
            } else {
                out.extend(line_break);
            }
            out.push_str(&empty_lines);
            empty_lines.clear();
            after_blank = blank;
            let line = self.mark.at;
            self.advance_to_end_of_line();
            out.push_str(self.since(line));
            end = self.mark.at;
            line_break = self.advance_line();
            self.block_indentation(&mut indent, &mut empty_lines, start)?;
        }
        if chomp != Chomp::Strip {
            out.extend(line_break);
        }
        if chomp == Chomp::Keep {
            out.push_str(&empty_lines);
        }
        self.push_scalar(Kind::StyledScalar, start, end, out);
        Ok(())
    }

    /// The chomping and the indentation indicator, in either order, and the rest of the line.
    fn block_header(&mut self, start: Mark) -> Result<(Chomp, Option<usize>)> {
        let (mut chomp, mut increment) = (None, None);
        loop {
            match self.byte(0) {
                b'+' if chomp.is_none() => chomp = Some(Chomp::Keep),
                b'-' if chomp.is_none() => chomp = Some(Chomp::Strip),
                digit @ b'1'..=b'9' if increment.is_none() => increment = Some(usize::from(digit - b'0')),
                _ => break,
            }
            self.advance();
        }
        self.skip_blanks();
        self.skip_comment();
        if !self.is_end_of_line() {
            return Err(start.error(Problem::BlockHeader));
        }
        self.advance_line();
        Ok((chomp.unwrap_or(Chomp::Clip), increment))
    }

    /// Passes indentation and empty lines; finds the indentation where it is not known yet.
    fn block_indentation(&mut self, indent: &mut Option<usize>, empty_lines: &mut String, start: Mark) -> Result<()> {
        let mut deepest = 0;
        loop {
            while self.byte(0) == b' ' && indent.is_none_or(|indent| self.mark.column < indent) {
                self.advance();
            }
            deepest = deepest.max(self.mark.column);
            if self.byte(0) == b'\t' && indent.is_none_or(|indent| self.mark.column < indent) {
                return Err(start.error(Problem::Tab));
            }
            match self.advance_line() {
                Some(line_break) => empty_lines.push(line_break),
                None => break,
            }
        }
        indent.get_or_insert(deepest.max(usize::try_from(self.indent + 1).unwrap_or(0)).max(1));
        Ok(())
    }
}
