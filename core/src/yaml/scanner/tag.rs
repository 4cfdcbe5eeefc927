//! Anchors, aliases, tags and directives.

use super::{Kind, Problem, Result, Scanner, Token};

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

impl Scanner<'_> {
    fn word(&mut self) -> &str {
        let start = self.mark.at;
        while is_word(self.byte(0)) {
            self.advance();
        }
        self.since(start)
    }

    pub(super) fn anchor(&mut self, kind: Kind) -> Result<()> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.mark;
        self.advance();
        let text = self.word().to_owned();
        let ends = self.is_gap(0) || matches!(self.byte(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if text.is_empty() || !ends {
            return Err(start.error(if kind == Kind::Alias { Problem::AliasName } else { Problem::AnchorName }));
        }
        self.queue.push_back(Token { kind, start, end: self.mark.at, text, ..Token::default() });
        Ok(())
    }

    /// `!<uri>`, `!handle!suffix`, `!suffix` or `!`.
    pub(super) fn tag(&mut self) -> Result<()> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.mark;
        let (text, suffix) = if self.byte(1) == b'<' {
            self.advance_by(2);
            let uri = self.tag_uri(String::new())?;
            if uri.is_empty() || self.byte(0) != b'>' {
                return Err(start.error(Problem::Tag));
            }
            self.advance();
            (String::new(), uri)
        } else {
            let handle = self.tag_handle()?;
            if handle.len() > 1 && handle.ends_with('!') {
                let uri = self.tag_uri(String::new())?;
                if uri.is_empty() {
                    return Err(start.error(Problem::Tag));
                }
                (handle, uri)
            } else {
                let suffix = self.tag_uri(handle.trim_start_matches('!').to_owned())?;
                if suffix.is_empty() { (suffix, "!".to_owned()) } else { ("!".to_owned(), suffix) }
            }
        };
        if !self.is_gap(0) {
            return Err(start.error(Problem::Tag));
        }
        self.queue.push_back(Token { kind: Kind::Tag, start, end: self.mark.at, text, suffix });
        Ok(())
    }

    /// An exclamation mark, a word, and a second exclamation mark if there is one.
    fn tag_handle(&mut self) -> Result<String> {
        let start = self.mark.at;
        if self.byte(0) != b'!' {
            return self.error(Problem::Tag);
        }
        self.advance();
        self.word();
        if self.byte(0) == b'!' {
            self.advance();
        }
        Ok(self.since(start).to_owned())
    }

    fn tag_uri(&mut self, head: String) -> Result<String> {
        let mut bytes = head.into_bytes();
        loop {
            let byte = self.byte(0);
            match byte {
                b'%' => {
                    let digit = |at| char::from(self.byte(at)).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                    let (Some(high), Some(low)) = (digit(1), digit(2)) else {
                        return self.error(Problem::Tag);
                    };
                    bytes.push(high << 4 | low);
                    self.advance_by(3);
                }
                _ if is_word(byte) || b";/?:@&=+$,.!~*'()[]".contains(&byte) => {
                    bytes.push(byte);
                    self.advance();
                }
                _ => return String::from_utf8(bytes).or_else(|_| self.error(Problem::Tag)),
            }
        }
    }

    /// A `%YAML` or `%TAG` line.
    pub(super) fn directive(&mut self) -> Result<()> {
        self.close_blocks(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let start = self.mark;
        self.advance();
        let mut token = Token { start, ..Token::default() };
        let name = self.word().to_owned();
        if !self.is_gap(0) {
            return Err(start.error(Problem::Directive));
        }
        self.skip_blanks();
        match name.as_str() {
            "YAML" => {
                token.kind = Kind::VersionDirective;
                let from = self.mark.at;
                while self.byte(0).is_ascii_digit() || self.byte(0) == b'.' {
                    self.advance();
                }
                token.text = self.since(from).to_owned();
                let number = |text: &str| matches!(text.len(), 1 | 2) && !text.contains('.');
                if !token.text.split_once('.').is_some_and(|(major, minor)| number(major) && number(minor)) {
                    return Err(start.error(Problem::Directive));
                }
            }
            "TAG" => {
                token.kind = Kind::TagDirective;
                token.text = self.tag_handle()?;
                if !token.text.ends_with('!') || !self.is_blank() {
                    return Err(start.error(Problem::Directive));
                }
                self.skip_blanks();
                token.suffix = self.tag_uri(String::new())?;
                if token.suffix.is_empty() || !self.is_gap(0) {
                    return Err(start.error(Problem::Directive));
                }
            }
            _ => return Err(start.error(Problem::Directive)),
        }
        token.end = self.mark.at;
        self.skip_blanks();
        self.skip_comment();
        if !self.is_end_of_line() {
            return Err(start.error(Problem::Directive));
        }
        self.advance_line();
        self.queue.push_back(token);
        Ok(())
    }
}
