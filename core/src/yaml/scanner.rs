//! Text to tokens, by the rules of the YAML 1.1 scanner that the controller's library has.
//!
//! Two things are unusual. A block map has no opening bracket: where a `:` turns out to follow a key, the tokens that
//! open the map are put into the queue before those of the key. And so a token is handed out only once it is certain
//! that it does not begin such a key, that is, at the latest at the end of its line or 1024 characters on.

use std::collections::VecDeque;

use crate::limits::MAX_DEPTH;

use super::error::{Problem, YamlError};
use super::token::{Kind, Mark, Token};

mod scalar;
mod tag;

/// Most characters between the start of a key and its `:`.
const MAX_KEY_LENGTH: usize = 1024;

type Result<T, E = YamlError> = std::result::Result<T, E>;

/// The place of a token that may turn out to be the start of a key.
#[derive(Clone, Copy, Debug)]
struct PossibleKey {
    mark: Mark,
    /// Number of the token, counted from the start of the text.
    number: usize,
    /// Whether nothing but a key can stand there.
    required: bool,
    /// Whether the token is held back until this is settled.
    awaited: bool,
}

/// A level of flow collections, the block level being the outermost.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    key: Option<PossibleKey>,
    /// Number of the token at which a key was last possible here, at first that of the opening bracket.
    last_number: usize,
}

/// Reads tokens off a text that holds no forbidden character.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    mark: Mark,
    queue: VecDeque<Token>,
    /// How many tokens have been handed out.
    taken: usize,
    finished: bool,
    /// The innermost level, and those around it.
    level: Level,
    outer_levels: Vec<Level>,
    key_allowed: bool,
    /// Column of the innermost block collection, -1 outside of all.
    indent: isize,
    outer_indents: Vec<isize>,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        // A second byte order mark is passed like a blank.
        let without_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
        let rest = without_mark.strip_prefix('\u{feff}').filter(|_| without_mark.len() < text.len());
        let column = usize::from(rest.is_some());
        let at = text.len() - rest.unwrap_or(without_mark).len();
        Self {
            text,
            mark: Mark { at, index: column, line: 0, column },
            queue: VecDeque::new(),
            taken: 0,
            finished: false,
            level: Level::default(),
            outer_levels: Vec::new(),
            key_allowed: true,
            indent: -1,
            outer_indents: Vec::new(),
        }
    }

    /// The place up to which the text has been read.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// The kind of the next token; the end of the stream repeats for ever.
    pub fn peek(&mut self) -> Result<Kind> {
        while !self.finished && self.needs_more()? {
            self.fetch()?;
        }
        Ok(self.queue.front().map_or(Kind::StreamEnd, |token| token.kind))
    }

    /// Where the token that was last peeked at begins.
    pub fn next_mark(&self) -> Mark {
        self.queue.front().map_or(self.mark, |token| token.start)
    }

    /// Takes the token that was last peeked at.
    pub fn take(&mut self) -> Token {
        self.taken += 1;
        self.queue.pop_front().unwrap_or_default()
    }

    fn needs_more(&self) -> Result<bool> {
        if self.queue.is_empty() {
            return Ok(true);
        }
        let levels = self.outer_levels.iter().chain(std::iter::once(&self.level));
        match levels.filter_map(|level| level.key.as_ref()).find(|key| key.awaited && key.number == self.taken) {
            Some(key) => self.is_valid(key),
            None => Ok(false),
        }
    }

    fn in_flow(&self) -> bool {
        !self.outer_levels.is_empty()
    }

    /// The byte at a distance from here; zero past the end, which no text holds.
    fn byte(&self, distance: usize) -> u8 {
        self.text.as_bytes().get(self.mark.at + distance).copied().unwrap_or(0)
    }

    fn char(&self) -> char {
        self.text.get(self.mark.at..).and_then(|rest| rest.chars().next()).unwrap_or_default()
    }

    /// The text from a byte offset to here.
    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.mark.at).unwrap_or_default()
    }

    /// Length of the line break at a distance from here in bytes, of a CRLF that of the CR; zero where there is none.
    fn break_width(&self, distance: usize) -> usize {
        match self.byte(distance) {
            b'\n' | b'\r' => 1,
            0xC2 if self.byte(distance + 1) == 0x85 => 2,
            0xE2 if self.byte(distance + 1) == 0x80 && matches!(self.byte(distance + 2), 0xA8 | 0xA9) => 3,
            _ => 0,
        }
    }

    fn is_break(&self) -> bool {
        self.break_width(0) > 0
    }

    fn is_blank(&self) -> bool {
        matches!(self.byte(0), b' ' | b'\t')
    }

    /// Whether a blank, a line break or the end is at a distance from here.
    fn is_gap(&self, distance: usize) -> bool {
        matches!(self.byte(distance), b' ' | b'\t' | 0) || self.break_width(distance) > 0
    }

    fn is_end_of_line(&self) -> bool {
        self.byte(0) == 0 || self.is_break()
    }

    /// Whether a line `---` or `...` begins here.
    fn is_document_marker(&self) -> bool {
        let first = self.byte(0);
        self.mark.column == 0
            && matches!(first, b'-' | b'.')
            && self.byte(1) == first
            && self.byte(2) == first
            && self.is_gap(3)
    }

    /// Passes a character that is no line break.
    fn advance(&mut self) {
        let width = match self.byte(0) {
            0..0x80 => 1,
            0x80..0xE0 => 2,
            0xE0..0xF0 => 3,
            _ => 4,
        };
        self.mark.at = (self.mark.at + width).min(self.text.len());
        self.mark.index += 1;
        self.mark.column += 1;
    }

    /// Passes the ASCII characters that can end nothing, a bulk of most texts; what is special is left to the caller.
    fn advance_words(&mut self) {
        let rest = self.text.as_bytes().get(self.mark.at..).unwrap_or_default();
        let ordinary =
            |byte: &&u8| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'/' | b'_' | b'=');
        let length = rest.iter().take_while(ordinary).count();
        self.mark.at += length;
        self.mark.index += length;
        self.mark.column += length;
    }

    fn advance_to_end_of_line(&mut self) {
        let rest = self.text.as_bytes().get(self.mark.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| matches!(byte, b' '..=b'~' | b'\t')).count();
        self.mark.at += length;
        self.mark.index += length;
        self.mark.column += length;
        while !self.is_end_of_line() {
            self.advance();
        }
    }

    fn advance_by(&mut self, characters: usize) {
        for _ in 0..characters {
            self.advance();
        }
    }

    /// Passes a line break and tells what it stands for in a text; `None` where there is none.
    fn advance_line(&mut self) -> Option<char> {
        let width = self.break_width(0);
        let (width, characters) = if self.byte(0) == b'\r' && self.byte(1) == b'\n' { (2, 2) } else { (width, 1) };
        let stands_for = match (width, self.byte(2)) {
            (0, _) => return None,
            (3, 0xA8) => '\u{2028}',
            (3, _) => '\u{2029}',
            _ => '\n',
        };
        self.mark =
            Mark { at: self.mark.at + width, index: self.mark.index + characters, line: self.mark.line + 1, column: 0 };
        Some(stands_for)
    }

    fn skip_blanks(&mut self) {
        while self.is_blank() {
            self.advance();
        }
    }

    fn skip_comment(&mut self) {
        if self.byte(0) == b'#' {
            self.advance_to_end_of_line();
        }
    }

    /// Passes blanks, comments and line breaks. Where a key may begin, a tab is no blank.
    fn skip_to_token(&mut self) {
        loop {
            while self.byte(0) == b' ' || self.byte(0) == b'\t' && (self.in_flow() || !self.key_allowed) {
                self.advance();
            }
            self.skip_comment();
            if self.advance_line().is_none() {
                return;
            }
            if !self.in_flow() {
                self.key_allowed = true;
            }
        }
    }

    fn push(&mut self, kind: Kind, start: Mark) {
        self.queue.push_back(Token { kind, start, end: self.mark.at, ..Token::default() });
    }

    /// Takes characters as a token.
    fn indicator(&mut self, kind: Kind, characters: usize) {
        let start = self.mark;
        self.advance_by(characters);
        self.push(kind, start);
    }

    fn error<T>(&self, problem: Problem) -> Result<T> {
        Err(self.mark.error(problem))
    }

    /// Puts the next token into the queue, and the tokens that its place implies before it.
    fn fetch(&mut self) -> Result<()> {
        self.skip_to_token();
        self.close_blocks(isize::try_from(self.mark.column).unwrap_or(isize::MAX));
        let marker = self.is_document_marker();
        match self.byte(0) {
            0 => self.stream_end(),
            b'%' if self.mark.column == 0 => self.directive(),
            b'-' if marker => self.document_marker(Kind::DocumentStart),
            b'.' if marker => self.document_marker(Kind::DocumentEnd),
            b'[' => self.flow_start(Kind::FlowSequenceStart),
            b'{' => self.flow_start(Kind::FlowMappingStart),
            b']' => self.flow_end(Kind::FlowSequenceEnd),
            b'}' => self.flow_end(Kind::FlowMappingEnd),
            b',' => {
                self.remove_key()?;
                self.key_allowed = true;
                self.indicator(Kind::FlowEntry, 1);
                Ok(())
            }
            b'-' if self.is_gap(1) => self.block_entry(),
            b'?' if self.in_flow() || self.is_gap(1) => self.explicit_key(),
            b':' if self.in_flow() || self.is_gap(1) => self.value(),
            b'*' => self.anchor(Kind::Alias),
            b'&' => self.anchor(Kind::Anchor),
            b'!' => self.tag(),
            b'|' if !self.in_flow() => self.block_scalar(true),
            b'>' if !self.in_flow() => self.block_scalar(false),
            b'\'' => self.quoted_scalar(true),
            b'"' => self.quoted_scalar(false),
            b'\t' | b'#' | b'%' | b'@' | b'`' | b'|' | b'>' => self.error(Problem::Character { found: self.char() }),
            _ => self.plain_scalar(),
        }
    }

    fn is_valid(&self, key: &PossibleKey) -> Result<bool> {
        let valid = key.mark.line == self.mark.line && key.mark.index + MAX_KEY_LENGTH >= self.mark.index;
        if !valid && key.required { Err(key.mark.error(Problem::MissingColon)) } else { Ok(valid) }
    }

    /// Notes that a key may begin here.
    fn save_key(&mut self) -> Result<()> {
        if self.key_allowed {
            let required = !self.in_flow() && usize::try_from(self.indent) == Ok(self.mark.column);
            self.remove_key()?;
            let number = self.next_number();
            let key = PossibleKey { mark: self.mark, number, required, awaited: true };
            self.level = Level { key: Some(key), last_number: number };
        }
        Ok(())
    }

    /// The number of the token that is fetched next.
    fn next_number(&self) -> usize {
        self.taken + self.queue.len()
    }

    fn remove_key(&mut self) -> Result<()> {
        match self.level.key.take() {
            Some(key) if key.required => Err(key.mark.error(Problem::MissingColon)),
            _ => Ok(()),
        }
    }

    /// Opens a block collection where this column is deeper than the innermost one; its token goes to `place`.
    fn open_block(&mut self, kind: Kind, mark: Mark, place: usize) -> Result<()> {
        let column = isize::try_from(mark.column).unwrap_or(isize::MAX);
        if self.in_flow() || self.indent >= column {
            return Ok(());
        }
        if self.outer_indents.len() > MAX_DEPTH {
            return Err(mark.error(Problem::TooDeep));
        }
        self.outer_indents.push(self.indent);
        self.indent = column;
        self.insert(place, Token { kind, start: mark, end: mark.at, ..Token::default() });
        Ok(())
    }

    fn insert(&mut self, place: usize, token: Token) {
        self.queue.insert(place.min(self.queue.len()), token);
    }

    /// Closes the block collections that are deeper than a column.
    fn close_blocks(&mut self, column: isize) {
        while !self.in_flow() && self.indent > column {
            self.push(Kind::BlockEnd, self.mark);
            self.indent = self.outer_indents.pop().unwrap_or(-1);
        }
    }

    fn stream_end(&mut self) -> Result<()> {
        self.close_blocks(-1);
        self.remove_key()?;
        self.key_allowed = false;
        self.finished = true;
        self.push(Kind::StreamEnd, self.mark);
        Ok(())
    }

    fn document_marker(&mut self, kind: Kind) -> Result<()> {
        self.close_blocks(-1);
        self.remove_key()?;
        self.key_allowed = false;
        self.indicator(kind, 3);
        Ok(())
    }

    fn flow_start(&mut self, kind: Kind) -> Result<()> {
        self.save_key()?;
        if self.outer_levels.len() >= MAX_DEPTH {
            return self.error(Problem::TooDeep);
        }
        self.outer_levels.push(self.level);
        self.level = Level { key: None, last_number: self.next_number() };
        self.key_allowed = true;
        self.indicator(kind, 1);
        Ok(())
    }

    fn flow_end(&mut self, kind: Kind) -> Result<()> {
        self.remove_key()?;
        let closed = self.level.last_number;
        self.level = self.outer_levels.pop().unwrap_or_default();
        // The library forgets to wait whether an empty flow collection is a key.
        if let Some(key) = self.level.key.as_mut().filter(|key| key.number == closed) {
            key.awaited = false;
        }
        self.key_allowed = false;
        self.indicator(kind, 1);
        Ok(())
    }

    fn block_entry(&mut self) -> Result<()> {
        if !self.in_flow() && !self.key_allowed {
            return self.error(Problem::MisplacedEntry);
        }
        self.open_block(Kind::BlockSequenceStart, self.mark, usize::MAX)?;
        self.remove_key()?;
        self.key_allowed = true;
        self.indicator(Kind::BlockEntry, 1);
        Ok(())
    }

    fn explicit_key(&mut self) -> Result<()> {
        if !self.in_flow() && !self.key_allowed {
            return self.error(Problem::MisplacedKey);
        }
        self.open_block(Kind::BlockMappingStart, self.mark, usize::MAX)?;
        self.remove_key()?;
        self.key_allowed = !self.in_flow();
        self.indicator(Kind::Key, 1);
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        let key = match self.level.key {
            Some(key) if self.is_valid(&key)? => Some(key),
            _ => None,
        };
        self.level.key = None;
        if let Some(key) = key {
            // Where the key's first token was handed out already, the reader finds these tokens in a wrong place,
            // as the controller's library does.
            let place = key.number.checked_sub(self.taken).unwrap_or(usize::MAX);
            self.insert(place, Token { kind: Kind::Key, start: key.mark, end: key.mark.at, ..Token::default() });
            self.open_block(Kind::BlockMappingStart, key.mark, place)?;
            self.key_allowed = false;
        } else {
            if !self.in_flow() && !self.key_allowed {
                return self.error(Problem::MisplacedValue);
            }
            self.open_block(Kind::BlockMappingStart, self.mark, usize::MAX)?;
            self.key_allowed = !self.in_flow();
        }
        self.indicator(Kind::Value, 1);
        Ok(())
    }
}
