//! Cuts a template's text into tokens, on demand.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Error,
    Eof,
    Text,
    LeftDelim,
    RightDelim,
    Space,
    Bool,
    /// Any other printable ASCII character.
    Char,
    CharConstant,
    Number,
    Complex,
    Assign,
    Declare,
    Field,
    Identifier,
    LeftParen,
    RightParen,
    Pipe,
    RawString,
    String,
    Variable,
    Dot,
    Nil,
    Block,
    Break,
    Continue,
    Define,
    Else,
    End,
    If,
    Range,
    Template,
    With,
}

impl Kind {
    fn of_word(word: &str) -> Self {
        match word {
            "block" => Self::Block,
            "break" => Self::Break,
            "continue" => Self::Continue,
            "define" => Self::Define,
            "else" => Self::Else,
            "end" => Self::End,
            "if" => Self::If,
            "range" => Self::Range,
            "nil" => Self::Nil,
            "template" => Self::Template,
            "with" => Self::With,
            "true" | "false" => Self::Bool,
            _ => Self::Identifier,
        }
    }

    /// The keywords are the last of the kinds, and the dot is one of them.
    fn is_keyword(self) -> bool {
        self as u8 >= Self::Dot as u8
    }
}

/// A piece of the text.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub kind: Kind,
    /// Offset of its start.
    pub pos: usize,
    pub value: &'t str,
    /// Line of its start, from 1.
    pub line: usize,
    /// The message of an error.
    pub message: String,
}

impl Token<'_> {
    /// A token that stands for none.
    pub fn none() -> Self {
        Self { kind: Kind::Eof, pos: 0, value: "", line: 0, message: String::new() }
    }

    /// The token as messages show it.
    pub fn describe(&self) -> String {
        match self.kind {
            Kind::Eof => "EOF".to_owned(),
            Kind::Error => self.message.clone(),
            kind if kind.is_keyword() => format!("<{}>", self.value),
            _ if self.value.len() > 10 => {
                let end = self.value.char_indices().nth(10).map_or(self.value.len(), |(at, _)| at);
                let head = self.value.get(..end).unwrap_or_default();
                super::text::quote_lossy(head.as_bytes()) + "..."
            }
            _ => super::text::quote_lossy(self.value.as_bytes()),
        }
    }
}

/// Reads tokens off a text.
pub(super) struct Lexer<'t> {
    text: &'t str,
    pos: usize,
    start: usize,
    line: usize,
    start_line: usize,
    inside: bool,
    parens: usize,
}

const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, pos: 0, start: 0, line: 1, start_line: 1, inside: false, parens: 0 }
    }

    /// The next token. After an error comes nothing that means anything.
    pub fn token(&mut self) -> Token<'t> {
        if self.inside { self.inside_action() } else { self.outside_action() }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    fn taken(&self) -> &'t str {
        self.text.get(self.start..self.pos).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.pos += next.len_utf8();
        if next == '\n' {
            self.line += 1;
        }
        Some(next)
    }

    fn accept(&mut self, valid: &str) -> bool {
        let found = self.peek().is_some_and(|next| valid.contains(next));
        if found {
            self.next();
        }
        found
    }

    fn accept_run(&mut self, valid: &str) {
        while self.accept(valid) {}
    }

    fn emit(&mut self, kind: Kind) -> Token<'t> {
        let token = Token { kind, pos: self.start, value: self.taken(), line: self.start_line, message: String::new() };
        self.start = self.pos;
        self.start_line = self.line;
        token
    }

    /// Passes over text that was not read with `next`.
    fn skip(&mut self) {
        self.count_lines();
        self.start = self.pos;
        self.start_line = self.line;
    }

    fn count_lines(&mut self) {
        self.line += self.taken().matches('\n').count();
    }

    fn error(&mut self, message: impl Into<String>) -> Token<'t> {
        let pos = self.start;
        (self.text, self.pos, self.start) = ("", 0, 0);
        Token { kind: Kind::Error, pos, value: "", line: self.start_line, message: message.into() }
    }

    fn outside_action(&mut self) -> Token<'t> {
        loop {
            let Some(found) = self.rest().find("{{") else {
                self.pos = self.text.len();
                if self.pos > self.start {
                    self.count_lines();
                    return self.emit(Kind::Text);
                }
                return self.emit(Kind::Eof);
            };
            if found > 0 {
                self.pos += found;
                let whole = self.taken();
                let trims = has_left_trim(self.text.get(self.pos + 2..).unwrap_or_default());
                let kept = if trims { whole.trim_end_matches(SPACES) } else { whole };
                self.pos = self.start + kept.len();
                self.count_lines();
                let token = self.emit(Kind::Text);
                self.pos += whole.len() - kept.len();
                self.skip();
                if !token.value.is_empty() {
                    return token;
                }
            }
            self.pos += 2;
            let marker = if has_left_trim(self.rest()) { 2 } else { 0 };
            if self.text.get(self.pos + marker..).is_some_and(|rest| rest.starts_with("/*")) {
                self.pos += marker;
                self.skip();
                if let Err(message) = self.comment() {
                    return self.error(message);
                }
                continue;
            }
            let token = self.emit(Kind::LeftDelim);
            self.inside = true;
            self.pos += marker;
            self.skip();
            self.parens = 0;
            return token;
        }
    }

    fn comment(&mut self) -> Result<(), &'static str> {
        self.pos += 2;
        let length = self.rest().find("*/").ok_or("unclosed comment")?;
        self.pos += length + 2;
        let trims = self.right_delim().ok_or("comment ends before closing delimiter")?;
        self.pos += if trims { 4 } else { 2 };
        if trims {
            self.pos += spaces_at_start(self.rest());
        }
        self.skip();
        Ok(())
    }

    /// Whether the right delimiter is here, and if so, whether it trims.
    fn right_delim(&self) -> Option<bool> {
        let rest = self.rest();
        let trims = has_right_trim(rest) && rest.get(2..).is_some_and(|after| after.starts_with("}}"));
        if trims { Some(true) } else { rest.starts_with("}}").then_some(false) }
    }

    fn close(&mut self, trims: bool) -> Token<'t> {
        if trims {
            self.pos += 2;
            self.skip();
        }
        self.pos += 2;
        let token = self.emit(Kind::RightDelim);
        if trims {
            self.pos += spaces_at_start(self.rest());
            self.skip();
        }
        self.inside = false;
        token
    }

    fn inside_action(&mut self) -> Token<'t> {
        if let Some(trims) = self.right_delim() {
            return if self.parens == 0 { self.close(trims) } else { self.error("unclosed left paren") };
        }
        let Some(next) = self.peek() else { return self.error("unclosed action") };
        if is_space(next) {
            return self.space();
        }
        if next == '+' || next == '-' || next.is_ascii_digit() {
            return self.number();
        }
        self.next();
        match next {
            '=' => self.emit(Kind::Assign),
            ':' => {
                if self.next() == Some('=') {
                    self.emit(Kind::Declare)
                } else {
                    self.error("expected :=")
                }
            }
            '|' => self.emit(Kind::Pipe),
            '"' => self.quoted('"', Kind::String, "unterminated quoted string"),
            '\'' => self.quoted('\'', Kind::CharConstant, "unterminated character constant"),
            '`' => loop {
                match self.next() {
                    None => return self.error("unterminated raw quoted string"),
                    Some('`') => return self.emit(Kind::RawString),
                    Some(_) => {}
                }
            },
            '$' => self.name(Kind::Variable, Kind::Variable),
            '.' => {
                if self.peek().is_some_and(|after| after.is_ascii_digit()) {
                    self.pos -= 1;
                    return self.number();
                }
                self.name(Kind::Field, Kind::Dot)
            }
            '(' => {
                self.parens += 1;
                self.emit(Kind::LeftParen)
            }
            ')' => {
                if self.parens == 0 {
                    return self.error("unexpected right paren");
                }
                self.parens -= 1;
                self.emit(Kind::RightParen)
            }
            _ if is_alphanumeric(next) => self.identifier(),
            ' '..='~' => self.emit(Kind::Char),
            _ => self.error(format!("unrecognized character in action: {}", code_point(next))),
        }
    }

    fn space(&mut self) -> Token<'t> {
        let mut count = 0;
        while self.peek().is_some_and(is_space) {
            self.next();
            count += 1;
        }
        // The last space may belong to a delimiter that trims.
        let before = self.text.get(self.pos - 1..).unwrap_or_default();
        if has_right_trim(before) && before.get(2..).is_some_and(|after| after.starts_with("}}")) {
            self.pos -= 1;
            if before.starts_with('\n') {
                self.line -= 1;
            }
            if count == 1 {
                return self.close(true);
            }
        }
        self.emit(Kind::Space)
    }

    fn identifier(&mut self) -> Token<'t> {
        while self.peek().is_some_and(is_alphanumeric) {
            self.next();
        }
        if !self.at_terminator() {
            return self.bad_character();
        }
        self.emit(Kind::of_word(self.taken()))
    }

    /// A field or variable, whose first character is read.
    fn name(&mut self, kind: Kind, alone: Kind) -> Token<'t> {
        if self.at_terminator() {
            return self.emit(alone);
        }
        while self.peek().is_some_and(is_alphanumeric) {
            self.next();
        }
        if !self.at_terminator() {
            return self.bad_character();
        }
        self.emit(kind)
    }

    fn bad_character(&mut self) -> Token<'t> {
        let found = self.peek().map(code_point).unwrap_or_default();
        self.error(format!("bad character {found}"))
    }

    /// Whether what follows may follow a name.
    fn at_terminator(&self) -> bool {
        match self.peek() {
            None | Some('.' | ',' | '|' | ':' | ')' | '(') => true,
            Some(next) => is_space(next) || self.rest().starts_with("}}"),
        }
    }

    fn quoted(&mut self, end: char, kind: Kind, unterminated: &str) -> Token<'t> {
        loop {
            match self.next() {
                Some('\\') => {
                    if matches!(self.next(), None | Some('\n')) {
                        return self.error(unterminated);
                    }
                }
                None | Some('\n') => return self.error(unterminated),
                Some(next) if next == end => return self.emit(kind),
                Some(_) => {}
            }
        }
    }

    fn number(&mut self) -> Token<'t> {
        let mut well_formed = self.scan_number();
        let complex = well_formed && matches!(self.peek(), Some('+' | '-'));
        if complex {
            well_formed = self.scan_number() && self.taken().ends_with('i');
        }
        if well_formed {
            return self.emit(if complex { Kind::Complex } else { Kind::Number });
        }
        let found = super::text::quote_lossy(self.taken().as_bytes());
        self.error(format!("bad number syntax: {found}"))
    }

    fn scan_number(&mut self) -> bool {
        self.accept("+-");
        let mut digits = "0123456789_";
        let mut exponent = "eE";
        if self.accept("0") {
            if self.accept("xX") {
                (digits, exponent) = ("0123456789abcdefABCDEF_", "pP");
            } else if self.accept("oO") {
                (digits, exponent) = ("01234567_", "");
            } else if self.accept("bB") {
                (digits, exponent) = ("01_", "");
            }
        }
        self.accept_run(digits);
        if self.accept(".") {
            self.accept_run(digits);
        }
        if self.accept(exponent) {
            self.accept("+-");
            self.accept_run("0123456789_");
        }
        self.accept("i");
        if self.peek().is_some_and(is_alphanumeric) {
            self.next();
            return false;
        }
        true
    }
}

fn is_space(c: char) -> bool {
    SPACES.contains(&c)
}

fn is_alphanumeric(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn spaces_at_start(text: &str) -> usize {
    text.len() - text.trim_start_matches(SPACES).len()
}

fn has_left_trim(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some('-') && chars.next().is_some_and(is_space)
}

fn has_right_trim(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(is_space) && chars.next() == Some('-')
}

fn code_point(c: char) -> String {
    let printable = if super::text::is_printable(c) { format!(" '{c}'") } else { String::new() };
    format!("U+{:04X}{printable}", u32::from(c))
}
