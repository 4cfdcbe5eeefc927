//! The tree of a parsed template. Positions are offsets into its text.

use super::functions::Function;

/// A sequence of text and actions.
pub(super) type Block = Vec<Statement>;

/// One piece of a template.
#[derive(Debug)]
pub(super) enum Statement {
    /// The text from one offset to another.
    Text(usize, usize),
    Action(Pipe),
    /// `if` or `with`: each arm is a pipeline and what runs if it holds.
    Branch {
        sets_dot: bool,
        arms: Vec<(Pipe, Block)>,
        otherwise: Block,
    },
    Range {
        pipe: Pipe,
        body: Block,
        otherwise: Block,
    },
    Call(Call),
    Break,
    Continue,
}

/// `{{template "name" pipeline}}`.
#[derive(Debug)]
pub(super) struct Call {
    pub pos: usize,
    pub name: String,
    pub pipe: Option<Pipe>,
}

/// Commands, each of which hands its result to the next.
#[derive(Debug)]
pub(super) struct Pipe {
    pub pos: usize,
    pub variables: Vec<Box<str>>,
    /// The variables exist already: `=` and not `:=`.
    pub assigns: bool,
    pub commands: Vec<Command>,
}

/// A function, method or value with its arguments.
#[derive(Debug)]
pub(super) struct Command {
    pub pos: usize,
    pub words: Vec<Operand>,
}

/// One word of a command.
#[derive(Debug)]
pub(super) struct Operand {
    pub pos: usize,
    pub kind: OperandKind,
}

#[derive(Debug)]
pub(super) enum OperandKind {
    Dot,
    Nil,
    Bool(bool),
    Number(Box<Number>),
    /// A quoted string: the length of its source, and its bytes.
    Text(usize, Box<[u8]>),
    /// `.a.b`
    Field(Vec<Box<str>>),
    /// `$x.a.b`
    Variable(Box<str>, Vec<Box<str>>),
    Function(&'static Function),
    Pipe(Box<Pipe>),
    /// `(…).a.b`
    Chain(Box<Operand>, Vec<Box<str>>),
}

/// A number, as each of the types that it can take.
#[derive(Debug)]
pub(super) struct Number {
    pub source: Box<str>,
    pub int: Option<i64>,
    pub float: Option<f64>,
    pub ideal: Ideal,
}

/// The type that a number takes where nothing asks for one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ideal {
    Int(i64),
    Float(f64),
    Complex(f64, f64),
    /// It needs an unsigned integer, which is no ideal constant.
    Overflow,
}

/// What was being evaluated when something failed.
#[derive(Clone, Copy)]
pub(super) enum Place<'t> {
    Operand(&'t Operand),
    Pipe(&'t Pipe),
    Command(&'t Command),
    Call(&'t Call),
    Start,
}

impl Place<'_> {
    pub fn pos(self) -> usize {
        match self {
            Self::Operand(operand) => operand.pos,
            Self::Pipe(pipe) => pipe.pos,
            Self::Command(command) => command.pos,
            Self::Call(call) => call.pos,
            Self::Start => 0,
        }
    }

    /// The expression, written as Go writes a parse tree back.
    pub fn describe(self, text: &str) -> String {
        let mut out = String::new();
        match self {
            Self::Operand(operand) => write_operand(&mut out, operand, text),
            Self::Pipe(pipe) => write_pipe(&mut out, pipe, text),
            Self::Command(command) => write_command(&mut out, command, text),
            Self::Call(call) => {
                out.push_str("{{template ");
                out.push_str(&super::text::quote_lossy(call.name.as_bytes()));
                if let Some(pipe) = &call.pipe {
                    out.push(' ');
                    write_pipe(&mut out, pipe, text);
                }
                out.push_str("}}");
            }
            Self::Start => {}
        }
        out
    }
}

fn write_pipe(out: &mut String, pipe: &Pipe, text: &str) {
    if !pipe.variables.is_empty() {
        out.push_str(&pipe.variables.join(", "));
        out.push_str(if pipe.assigns { " = " } else { " := " });
    }
    for (at, command) in pipe.commands.iter().enumerate() {
        if at > 0 {
            out.push_str(" | ");
        }
        write_command(out, command, text);
    }
}

fn write_command(out: &mut String, command: &Command, text: &str) {
    for (at, word) in command.words.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        write_word(out, word, text);
    }
}

/// Like [`write_operand`], with parentheses about a pipeline.
fn write_word(out: &mut String, operand: &Operand, text: &str) {
    if let OperandKind::Pipe(pipe) = &operand.kind {
        out.push('(');
        write_pipe(out, pipe, text);
        out.push(')');
    } else {
        write_operand(out, operand, text);
    }
}

pub(super) fn write_operand(out: &mut String, operand: &Operand, text: &str) {
    match &operand.kind {
        OperandKind::Dot => out.push('.'),
        OperandKind::Nil => out.push_str("nil"),
        OperandKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        OperandKind::Number(number) => out.push_str(&number.source),
        OperandKind::Text(len, _) => out.push_str(text.get(operand.pos..operand.pos + len).unwrap_or_default()),
        OperandKind::Field(fields) => write_fields(out, fields),
        OperandKind::Variable(name, fields) => {
            out.push_str(name);
            write_fields(out, fields);
        }
        OperandKind::Function(function) => out.push_str(function.name),
        OperandKind::Pipe(pipe) => write_pipe(out, pipe, text),
        OperandKind::Chain(inner, fields) => {
            write_word(out, inner, text);
            write_fields(out, fields);
        }
    }
}

fn write_fields(out: &mut String, fields: &[Box<str>]) {
    for field in fields {
        out.push('.');
        out.push_str(field);
    }
}
