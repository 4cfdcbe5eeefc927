//! Builds the tree of a template from its tokens.
//!
//! The grammar, and what is refused at which line, follow Go's `text/template/parse`: a message gives the line of the
//! token that was read last.

use std::collections::BTreeMap;
use std::mem;

use super::ast::{Block, Call, Command, Operand, OperandKind, Pipe, Statement};
use super::error::{ErrorKind, Fail, Result, Stage, TemplateError};
use super::functions;
use super::lexer::{Kind, Lexer, Token};
use super::{number, text};
use crate::behavior::Behavior;
use crate::limits;

/// The templates of a text by name, that of the text itself included.
pub(super) fn parse(name: &str, text: &str, behavior: Behavior) -> Result<BTreeMap<String, Block>> {
    let mut parser = Parser {
        name,
        text,
        behavior,
        lexer: Lexer::new(text),
        scope: Scope::new(),
        templates: BTreeMap::new(),
        depth: 0,
        nodes: 0,
    };
    if text.len() > limits::MAX_TEXT_BYTES {
        return Err(parser.error(ErrorKind::TooLarge, "the template is too long"));
    }
    let main = parser.main()?;
    parser.add(name.to_owned(), main)?;
    Ok(parser.templates)
}

/// What one template of the text sees. A `{{define}}` or `{{block}}` has its own.
struct Scope<'t> {
    /// The token read last, and up to two that were put back.
    tokens: [Token<'t>; 3],
    /// How many of `tokens` are still to be read.
    pending: usize,
    variables: Vec<&'t str>,
    ranges: usize,
    /// The line of the delimiter of the current action, 0 for none.
    action_line: usize,
}

impl Scope<'_> {
    fn new() -> Self {
        let tokens = [Token::none(), Token::none(), Token::none()];
        Self { tokens, pending: 0, variables: vec!["$"], ranges: 0, action_line: 0 }
    }
}

struct Parser<'t> {
    name: &'t str,
    text: &'t str,
    behavior: Behavior,
    lexer: Lexer<'t>,
    scope: Scope<'t>,
    templates: BTreeMap<String, Block>,
    depth: usize,
    nodes: usize,
}

/// What ends a block.
#[derive(Clone, Copy, PartialEq)]
enum End {
    End,
    /// `{{else}}`, or the `else` before an `if` or `with` that is still to be read.
    Else,
}

/// A statement, or the end of the block that it would stand in.
enum Item {
    Statement(Statement),
    End(End),
}

impl<'t> Parser<'t> {
    // Tokens.

    fn next(&mut self) -> Token<'t> {
        if self.scope.pending > 0 {
            self.scope.pending -= 1;
        } else {
            self.scope.tokens[0] = self.lexer.token();
        }
        self.scope.tokens.get(self.scope.pending).cloned().unwrap_or_else(Token::none)
    }

    fn put_back(&mut self) {
        self.scope.pending += 1;
    }

    fn put_back_before_last(&mut self, tokens: &[Token<'t>]) {
        for (slot, token) in self.scope.tokens.iter_mut().skip(1).zip(tokens) {
            *slot = token.clone();
        }
        self.scope.pending = tokens.len() + 1;
    }

    fn peek(&mut self) -> Token<'t> {
        let token = self.next();
        self.put_back();
        token
    }

    fn next_word(&mut self) -> Token<'t> {
        loop {
            let token = self.next();
            if token.kind != Kind::Space {
                return token;
            }
        }
    }

    fn peek_word(&mut self) -> Token<'t> {
        let token = self.next_word();
        self.put_back();
        token
    }

    // Errors.

    fn error(&self, kind: ErrorKind, message: impl Into<String>) -> Box<TemplateError> {
        let [last, ..] = &self.scope.tokens;
        let mut error = TemplateError::at(self.text, last.pos, Stage::Parse, Fail::new(kind, message));
        error.name = self.name.to_owned();
        error.template = self.name.to_owned();
        if last.line > 0 && error.line != last.line {
            // A lexer's error can stand on another line than the token it gives up.
            error.line = last.line;
            error.column = 1;
            error.source_line = self.text.lines().nth(last.line - 1).unwrap_or_default().to_owned();
        }
        error
    }

    fn syntax(&self, message: impl Into<String>) -> Box<TemplateError> {
        self.error(ErrorKind::Syntax, message)
    }

    fn unexpected(&self, token: &Token<'_>, context: &str) -> Box<TemplateError> {
        if token.kind != Kind::Error {
            return self.syntax(format!("unexpected {} in {context}", token.describe()));
        }
        let mut message = token.message.clone();
        let started = self.scope.action_line;
        if started != 0 && started != token.line {
            message.push_str(if message.ends_with(" action") { "" } else { " in action" });
            message.push_str(&format!(" started at {}:{started}", self.name));
        }
        self.syntax(message)
    }

    fn expect(&mut self, kind: Kind, context: &str) -> Result<Token<'t>> {
        let token = self.next_word();
        if token.kind == kind { Ok(token) } else { Err(self.unexpected(&token, context)) }
    }

    /// Counts a node against the limit.
    fn node(&mut self) -> Result<()> {
        self.nodes += 1;
        if self.nodes > limits::MAX_TEMPLATE_NODES {
            return Err(self.error(ErrorKind::TooLarge, "the template has too many actions"));
        }
        Ok(())
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= limits::MAX_TEMPLATE_DEPTH {
            return Err(self.error(ErrorKind::TooDeep, "max expression depth exceeded"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    // Statements.

    fn main(&mut self) -> Result<Block> {
        let mut block = Block::new();
        while self.peek().kind != Kind::Eof {
            if self.peek().kind == Kind::LeftDelim {
                let delim = self.next();
                if self.next_word().kind == Kind::Define {
                    self.definition()?;
                    continue;
                }
                self.put_back_before_last(&[delim]);
            }
            match self.item()? {
                Item::Statement(statement) => block.push(statement),
                Item::End(end) => return Err(self.syntax(format!("unexpected {}", describe_end(end)))),
            }
        }
        Ok(block)
    }

    fn definition(&mut self) -> Result<()> {
        const CONTEXT: &str = "define clause";
        let outer = mem::replace(&mut self.scope, Scope::new());
        let token = self.next_word();
        let name = self.template_name(&token, CONTEXT)?;
        self.expect(Kind::RightDelim, CONTEXT)?;
        let (block, end) = self.deeper(Self::block)?;
        if end != End::End {
            return Err(self.syntax(format!("unexpected {} in {CONTEXT}", describe_end(end))));
        }
        self.add(name, block)?;
        self.scope = outer;
        Ok(())
    }

    /// Takes a template in, unless another of that name has a body.
    fn add(&mut self, name: String, block: Block) -> Result<()> {
        let known = self.templates.get(&name).is_some_and(|block| !self.is_empty(block));
        if !known {
            self.templates.insert(name, block);
        } else if !self.is_empty(&block) {
            let name = text::quote_lossy(name.as_bytes());
            return Err(self.syntax(format!("template: multiple definition of template {name}")));
        }
        Ok(())
    }

    fn is_empty(&self, block: &Block) -> bool {
        block.iter().all(|statement| match statement {
            Statement::Text(from, to) => self.text.get(*from..*to).unwrap_or_default().trim().is_empty(),
            _ => false,
        })
    }

    fn block(&mut self) -> Result<(Block, End)> {
        let mut block = Block::new();
        while self.peek_word().kind != Kind::Eof {
            match self.item()? {
                Item::Statement(statement) => block.push(statement),
                Item::End(end) => return Ok((block, end)),
            }
        }
        Err(self.syntax("unexpected EOF"))
    }

    fn item(&mut self) -> Result<Item> {
        let token = self.next_word();
        self.node()?;
        match token.kind {
            Kind::Text => Ok(Item::Statement(Statement::Text(token.pos, token.pos + token.value.len()))),
            Kind::LeftDelim => {
                self.scope.action_line = token.line;
                let item = self.action();
                self.scope.action_line = 0;
                item
            }
            _ => Err(self.unexpected(&token, "input")),
        }
    }

    fn action(&mut self) -> Result<Item> {
        let token = self.next_word();
        let statement = match token.kind {
            Kind::Block => self.block_control()?,
            Kind::Break | Kind::Continue => self.jump(token.kind)?,
            Kind::Else => {
                if !matches!(self.peek_word().kind, Kind::If | Kind::With) {
                    self.expect(Kind::RightDelim, "else")?;
                }
                return Ok(Item::End(End::Else));
            }
            Kind::End => {
                self.expect(Kind::RightDelim, "end")?;
                return Ok(Item::End(End::End));
            }
            Kind::If => self.deeper(|parser| parser.branch(Kind::If))?,
            Kind::With => self.deeper(|parser| parser.branch(Kind::With))?,
            Kind::Range => self.deeper(Self::range)?,
            Kind::Template => self.template_control()?,
            _ => {
                self.put_back();
                Statement::Action(self.pipeline("command", Kind::RightDelim)?)
            }
        };
        Ok(Item::Statement(statement))
    }

    fn jump(&mut self, kind: Kind) -> Result<Statement> {
        let (written, statement) = match kind {
            Kind::Break => ("{{break}}", Statement::Break),
            _ => ("{{continue}}", Statement::Continue),
        };
        self.expect(Kind::RightDelim, written)?;
        if self.scope.ranges == 0 {
            return Err(self.syntax(format!("{written} outside {{{{range}}}}")));
        }
        Ok(statement)
    }

    /// `if` and `with` up to their end, with every `else if` and `else with`.
    fn branch(&mut self, kind: Kind) -> Result<Statement> {
        let (context, sets_dot) = if kind == Kind::If { ("if", false) } else { ("with", true) };
        let variables = self.scope.variables.len();
        let mut arms = Vec::new();
        let mut otherwise = Block::new();
        loop {
            let pipe = self.pipeline(context, Kind::RightDelim)?;
            let (body, mut end) = self.block()?;
            arms.push((pipe, body));
            if end == End::Else {
                if self.peek().kind == kind {
                    self.next();
                    self.node()?;
                    continue;
                }
                (otherwise, end) = self.block()?;
            }
            if end != End::End {
                return Err(self.syntax(format!("expected end; found {}", describe_end(end))));
            }
            self.scope.variables.truncate(variables);
            return Ok(Statement::Branch { sets_dot, arms, otherwise });
        }
    }

    fn range(&mut self) -> Result<Statement> {
        let variables = self.scope.variables.len();
        let pipe = self.pipeline("range", Kind::RightDelim)?;
        self.scope.ranges += 1;
        let (body, mut end) = self.block()?;
        self.scope.ranges -= 1;
        let mut otherwise = Block::new();
        if end == End::Else {
            (otherwise, end) = self.block()?;
        }
        if end != End::End {
            return Err(self.syntax(format!("expected end; found {}", describe_end(end))));
        }
        self.scope.variables.truncate(variables);
        Ok(Statement::Range { pipe, body, otherwise })
    }

    fn block_control(&mut self) -> Result<Statement> {
        const CONTEXT: &str = "block clause";
        let token = self.next_word();
        let name = self.template_name(&token, CONTEXT)?;
        let pipe = self.pipeline(CONTEXT, Kind::RightDelim)?;
        let outer = mem::replace(&mut self.scope, Scope::new());
        let (block, end) = self.deeper(Self::block)?;
        if end != End::End {
            self.scope = outer;
            return Err(self.syntax(format!("unexpected {} in {CONTEXT}", describe_end(end))));
        }
        self.add(name.clone(), block)?;
        self.scope = outer;
        Ok(Statement::Call(Call { pos: token.pos, name, pipe: Some(pipe) }))
    }

    fn template_control(&mut self) -> Result<Statement> {
        const CONTEXT: &str = "template clause";
        let token = self.next_word();
        let name = self.template_name(&token, CONTEXT)?;
        let mut pipe = None;
        if self.next_word().kind != Kind::RightDelim {
            self.put_back();
            pipe = Some(self.pipeline(CONTEXT, Kind::RightDelim)?);
        }
        Ok(Statement::Call(Call { pos: token.pos, name, pipe }))
    }

    fn template_name(&mut self, token: &Token<'t>, context: &str) -> Result<String> {
        match token.kind {
            Kind::String | Kind::RawString => Ok(String::from_utf8_lossy(&self.unquoted(token)?).into_owned()),
            _ => Err(self.unexpected(token, context)),
        }
    }

    fn unquoted(&self, token: &Token<'t>) -> Result<Vec<u8>> {
        text::unquote(token.value).ok_or_else(|| self.syntax("invalid syntax"))
    }

    // Pipelines.

    fn pipeline(&mut self, context: &str, end: Kind) -> Result<Pipe> {
        let pos = self.peek_word().pos;
        let mut pipe = Pipe { pos, variables: Vec::new(), assigns: false, commands: Vec::new() };
        self.declarations(context, &mut pipe)?;
        loop {
            let token = self.next_word();
            match token.kind {
                kind if kind == end => break,
                Kind::Bool
                | Kind::CharConstant
                | Kind::Complex
                | Kind::Dot
                | Kind::Field
                | Kind::Identifier
                | Kind::Number
                | Kind::Nil
                | Kind::RawString
                | Kind::String
                | Kind::Variable
                | Kind::LeftParen => {
                    self.put_back();
                    let command = self.command()?;
                    pipe.commands.push(command);
                }
                _ => return Err(self.unexpected(&token, context)),
            }
        }
        if pipe.commands.is_empty() {
            return Err(self.syntax(format!("missing value for {context}")));
        }
        // Only the first command can be a value.
        for (at, command) in pipe.commands.iter().enumerate().skip(1) {
            use OperandKind::{Bool, Dot, Nil, Number, Text};
            if let Some(Bool(_) | Dot | Nil | Number(_) | Text(..)) = command.words.first().map(|word| &word.kind) {
                return Err(self.syntax(format!("non executable command in pipeline stage {}", at + 1)));
            }
        }
        Ok(pipe)
    }

    fn declarations(&mut self, context: &str, pipe: &mut Pipe) -> Result<()> {
        while self.peek_word().kind == Kind::Variable {
            let variable = self.next_word();
            // In `$x foo` the third token tells that `$x` is an argument, so the first two are put back.
            let after = self.peek();
            let next = self.peek_word();
            let is_comma = next.kind == Kind::Char && next.value == ",";
            if !is_comma && !matches!(next.kind, Kind::Assign | Kind::Declare) {
                if after.kind == Kind::Space {
                    self.put_back_before_last(&[after, variable]);
                } else {
                    self.put_back_before_last(&[variable]);
                }
                return Ok(());
            }
            self.next_word();
            pipe.variables.push(variable.value.into());
            self.scope.variables.push(variable.value);
            if !is_comma {
                pipe.assigns = next.kind == Kind::Assign;
                return Ok(());
            }
            if context != "range" || pipe.variables.len() > 1 {
                return Err(self.syntax(format!("too many declarations in {context}")));
            }
            if !matches!(self.peek_word().kind, Kind::Variable | Kind::RightDelim | Kind::RightParen) {
                return Err(self.syntax("range can only initialize variables"));
            }
        }
        Ok(())
    }

    fn command(&mut self) -> Result<Command> {
        self.node()?;
        let mut command = Command { pos: self.peek_word().pos, words: Vec::new() };
        loop {
            self.peek_word();
            if let Some(operand) = self.operand()? {
                command.words.push(operand);
            }
            let token = self.next();
            match token.kind {
                Kind::Space => continue,
                Kind::RightDelim | Kind::RightParen => self.put_back(),
                Kind::Pipe => {}
                _ => return Err(self.unexpected(&token, "operand")),
            }
            if command.words.is_empty() {
                return Err(self.syntax("empty command"));
            }
            return Ok(command);
        }
    }

    fn operand(&mut self) -> Result<Option<Operand>> {
        let Some(mut operand) = self.term()? else { return Ok(None) };
        self.node()?;
        if self.peek().kind != Kind::Field {
            return Ok(Some(operand));
        }
        let pos = self.peek().pos;
        let mut fields = Vec::new();
        while self.peek().kind == Kind::Field {
            self.node()?;
            fields.push(field_name(self.next().value));
        }
        match &mut operand.kind {
            OperandKind::Field(known) | OperandKind::Variable(_, known) => {
                known.append(&mut fields);
                operand.pos = pos;
            }
            OperandKind::Function(_) | OperandKind::Pipe(_) | OperandKind::Chain(..) => {
                operand = Operand { pos, kind: OperandKind::Chain(Box::new(operand), fields) };
            }
            _ => {
                let mut written = String::new();
                super::ast::write_operand(&mut written, &operand, self.text);
                let written = text::quote_lossy(written.as_bytes());
                return Err(self.syntax(format!("unexpected . after term {written}")));
            }
        }
        Ok(Some(operand))
    }

    fn term(&mut self) -> Result<Option<Operand>> {
        let token = self.next_word();
        let kind = match token.kind {
            Kind::Identifier => match functions::find(token.value, self.behavior) {
                Some(function) => OperandKind::Function(function),
                None => {
                    let message = format!("function {} not defined", text::quote_lossy(token.value.as_bytes()));
                    return Err(self.error(ErrorKind::UnknownFunction, message));
                }
            },
            Kind::Dot => OperandKind::Dot,
            Kind::Nil => OperandKind::Nil,
            Kind::Bool => OperandKind::Bool(token.value == "true"),
            Kind::Field => OperandKind::Field(vec![field_name(token.value)]),
            Kind::Variable => {
                let known = self.scope.variables.iter().rposition(|known| *known == token.value);
                // A search among very many variables counts as nodes do.
                self.nodes += (self.scope.variables.len() - known.unwrap_or(0)) / 256;
                if known.is_none() {
                    let message = format!("undefined variable {}", text::quote_lossy(token.value.as_bytes()));
                    return Err(self.error(ErrorKind::UnknownVariable, message));
                }
                OperandKind::Variable(token.value.into(), Vec::new())
            }
            Kind::CharConstant | Kind::Complex | Kind::Number => {
                let number = number::parse(token.value, token.kind).map_err(|message| self.syntax(message))?;
                OperandKind::Number(Box::new(number))
            }
            Kind::LeftParen => {
                let inner = self.deeper(|parser| parser.pipeline("parenthesized pipeline", Kind::RightParen))?;
                let pos = inner.pos;
                return Ok(Some(Operand { pos, kind: OperandKind::Pipe(Box::new(inner)) }));
            }
            Kind::String | Kind::RawString => OperandKind::Text(token.value.len(), self.unquoted(&token)?.into()),
            _ => {
                self.put_back();
                return Ok(None);
            }
        };
        Ok(Some(Operand { pos: token.pos, kind }))
    }
}

fn field_name(token: &str) -> Box<str> {
    token.strip_prefix('.').unwrap_or(token).into()
}

fn describe_end(end: End) -> &'static str {
    match end {
        End::End => "{{end}}",
        End::Else => "{{else}}",
    }
}
