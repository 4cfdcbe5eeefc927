//! Runs a template's tree.
//!
//! What an error points at is what Go's `text/template` had visited last, so the places are set where Go sets them.

use super::ast::{Block, Call, Command, Ideal, Number, Operand, OperandKind, Pipe, Place, Statement};
use super::error::{ErrorKind, Fail, Result, Stage, TemplateError};
use super::value::{Elem, Heap, Str, Struct, Value};
use super::{Context, Parsed, fmt};
use crate::limits;

/// Renders a parsed template.
pub(super) fn run(parsed: &Parsed, context: &Context<'_>) -> Result<String> {
    let root = Found::fixed(Value::Struct(Struct::Root));
    let mut exec = Exec {
        env: Env { heap: Heap::new(), context },
        parsed,
        out: Vec::new(),
        variables: vec![("$", root.clone())],
        base: 0,
        place: Place::Start,
        template: &parsed.name,
        depth: 0,
    };
    if let Some(block) = parsed.templates.get(&parsed.name) {
        exec.walk(&root, block)?;
    }
    Ok(match String::from_utf8(exec.out) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// What functions work with.
pub(super) struct Env<'a> {
    pub heap: Heap<'a>,
    pub context: &'a Context<'a>,
}

/// A value as it was found: whether its static type is an interface tells a nil in one from no value at all.
#[derive(Clone, Debug)]
pub(super) struct Found<'a> {
    pub value: Value<'a>,
    pub dynamic: bool,
}

impl<'a> Found<'a> {
    pub fn fixed(value: Value<'a>) -> Self {
        Self { value, dynamic: false }
    }

    /// A value out of a list or map.
    pub fn element(value: Value<'a>, elem: Elem) -> Self {
        Self { value, dynamic: elem == Elem::Any }
    }

    /// Go's name of the static type.
    pub fn type_name(&self) -> &'static str {
        if self.dynamic { "interface {}" } else { self.value.type_name() }
    }
}

/// How a block was left.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
}

pub(super) struct Exec<'a> {
    pub(super) env: Env<'a>,
    pub(super) parsed: &'a Parsed,
    out: Vec<u8>,
    variables: Vec<(&'a str, Found<'a>)>,
    /// Where the variables of the running template begin.
    base: usize,
    place: Place<'a>,
    template: &'a str,
    depth: usize,
}

impl<'a> Exec<'a> {
    // Errors and limits.

    pub(super) fn at(&mut self, place: Place<'a>) {
        self.place = place;
    }

    pub(super) fn fail(&self, fail: Fail) -> Box<TemplateError> {
        let text = &self.parsed.text;
        let mut error = TemplateError::at(text, self.place.pos(), Stage::Execute, fail);
        error.name.clone_from(&self.parsed.name);
        error.template = self.template.to_owned();
        error.expression = self.place.describe(text);
        error
    }

    pub(super) fn error(&self, kind: ErrorKind, message: impl Into<String>) -> Box<TemplateError> {
        self.fail(Fail::new(kind, message))
    }

    fn step(&mut self) -> Result<()> {
        self.env.heap.step().map_err(|fail| self.fail(fail))
    }

    /// Runs `inner` one level deeper.
    pub(super) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= limits::MAX_TEMPLATE_DEPTH {
            return Err(self.error(ErrorKind::TooDeep, "exceeded maximum template depth"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    // Output.

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.out.len() + bytes.len() > limits::MAX_TEMPLATE_OUTPUT {
            return Err(self.error(ErrorKind::TooLarge, "the template writes too much"));
        }
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    fn print(&mut self, value: &Value<'a>) -> Result<()> {
        match value {
            Value::Str(text) => self.write(text),
            Value::Nil => self.write(b"<no value>"),
            _ => {
                let printed = fmt::print_indirect(&mut self.env.heap, self.env.context, value);
                let printed = printed.map_err(|fail| self.fail(fail))?;
                self.write(&printed)
            }
        }
    }

    // Variables.

    fn push(&mut self, name: &'a str, value: Found<'a>) -> Result<()> {
        self.env.heap.allocate(size_of::<Found<'_>>()).map_err(|fail| self.fail(fail))?;
        self.variables.push((name, value));
        Ok(())
    }

    /// The index of the variable declared last under that name. A search among many is paid for.
    fn variable(&mut self, name: &str) -> Result<usize> {
        let visible = self.variables.get(self.base..).unwrap_or_default();
        let found = visible.iter().rposition(|(known, _)| *known == name);
        let searched = visible.len() - found.unwrap_or(0);
        self.env.heap.read(searched * size_of::<&str>()).map_err(|fail| self.fail(fail))?;
        match found {
            Some(at) => Ok(self.base + at),
            None => Err(self.undefined(name)),
        }
    }

    fn assign(&mut self, name: &str, value: Found<'a>) -> Result<()> {
        let at = self.variable(name)?;
        if let Some((_, slot)) = self.variables.get_mut(at) {
            *slot = value;
        }
        Ok(())
    }

    fn undefined(&self, name: &str) -> Box<TemplateError> {
        self.error(ErrorKind::UnknownVariable, format!("undefined variable: {name}"))
    }

    // Statements.

    fn walk(&mut self, dot: &Found<'a>, block: &'a Block) -> Result<Flow> {
        for statement in block {
            self.step()?;
            let flow = match statement {
                Statement::Text(from, to) => {
                    let parsed = self.parsed;
                    self.write(parsed.text.get(*from..*to).unwrap_or_default().as_bytes())?;
                    Flow::Next
                }
                Statement::Action(pipe) => {
                    let found = self.pipeline(dot, pipe)?;
                    if pipe.variables.is_empty() {
                        self.print(&found.value)?;
                    }
                    Flow::Next
                }
                Statement::Branch { sets_dot, arms, otherwise } => {
                    self.deeper(|exec| exec.branch(dot, *sets_dot, arms, otherwise))?
                }
                Statement::Range { pipe, body, otherwise } => {
                    self.deeper(|exec| exec.range(dot, pipe, body, otherwise))?
                }
                Statement::Call(call) => {
                    self.deeper(|exec| exec.call_template(dot, call))?;
                    Flow::Next
                }
                Statement::Break => Flow::Break,
                Statement::Continue => Flow::Continue,
            };
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn branch(
        &mut self,
        dot: &Found<'a>,
        sets_dot: bool,
        arms: &'a [(Pipe, Block)],
        otherwise: &'a Block,
    ) -> Result<Flow> {
        let mark = self.variables.len();
        let mut flow = None;
        for (pipe, body) in arms {
            self.step()?;
            let found = self.pipeline(dot, pipe)?;
            if self.env.is_true(&found.value) {
                flow = Some(self.walk(if sets_dot { &found } else { dot }, body)?);
                break;
            }
        }
        let flow = match flow {
            Some(flow) => flow,
            None => self.walk(dot, otherwise)?,
        };
        self.variables.truncate(mark);
        Ok(flow)
    }

    fn range(&mut self, dot: &Found<'a>, pipe: &'a Pipe, body: &'a Block, otherwise: &'a Block) -> Result<Flow> {
        let outer = self.variables.len();
        let over = self.pipeline(dot, pipe)?.value;
        let mark = self.variables.len();
        let turns = match &over {
            Value::Int(count) | Value::Int64(count) => *count,
            Value::Byte(count) => i64::from(*count),
            Value::List(list) => i64::try_from(list.len()).unwrap_or(i64::MAX),
            Value::Map(map) => i64::try_from(self.env.heap.map_len(map)).unwrap_or(i64::MAX),
            Value::Nil => 0,
            _ => {
                let printed = fmt::print_one(&mut self.env.heap, self.env.context, &over);
                let printed = printed.map_err(|fail| self.fail(fail))?;
                let printed = String::from_utf8_lossy(&printed).into_owned();
                return Err(self.error(ErrorKind::Type, format!("range can't iterate over {printed}")));
            }
        };
        let is_number = matches!(over, Value::Int(_) | Value::Int64(_) | Value::Byte(_));
        if is_number && pipe.variables.len() > 1 {
            let message = format!("can't use {turns} to iterate over more than one variable");
            return Err(self.error(ErrorKind::Type, message));
        }
        // A map is walked as it was at the start.
        let mut entries = match &over {
            Value::Map(map) => self.env.heap.entries(map).map_err(|fail| self.fail(fail))?.into_iter(),
            _ => Vec::new().into_iter(),
        };
        for turn in 0..turns {
            self.step()?;
            let (index, element) = match &over {
                Value::List(list) => {
                    let at = usize::try_from(turn).unwrap_or(usize::MAX);
                    let item = self.env.heap.item(list, at).unwrap_or(Value::Nil);
                    (Value::Int(turn), Found::element(item, list.elem))
                }
                Value::Map(map) => match entries.next() {
                    Some((key, value)) => (Value::Str(key), Found::element(value, map.elem())),
                    None => break,
                },
                Value::Int64(_) => (Value::Nil, Found::fixed(Value::Int64(turn))),
                Value::Byte(_) => (Value::Nil, Found::fixed(Value::Byte(u8::try_from(turn).unwrap_or_default()))),
                _ => (Value::Nil, Found::fixed(Value::Int(turn))),
            };
            self.set_range_variables(pipe, mark, Found::fixed(index), &element)?;
            let flow = self.walk(&element, body)?;
            self.variables.truncate(mark);
            if flow == Flow::Break {
                break;
            }
        }
        if turns <= 0 {
            let flow = self.walk(dot, otherwise)?;
            self.variables.truncate(outer);
            return Ok(flow);
        }
        self.variables.truncate(outer);
        Ok(Flow::Next)
    }

    fn set_range_variables(
        &mut self,
        pipe: &'a Pipe,
        mark: usize,
        index: Found<'a>,
        element: &Found<'a>,
    ) -> Result<()> {
        // With two variables the index comes first; a single one is the element.
        let values = match pipe.variables.len() {
            0 => return Ok(()),
            1 => [Some(element.clone()), None],
            _ => [Some(index), Some(element.clone())],
        };
        let first = mark - pipe.variables.len().min(2);
        for (at, (name, value)) in pipe.variables.iter().zip(values.into_iter().flatten()).enumerate() {
            if pipe.assigns {
                self.assign(name, value)?;
            } else if let Some((_, slot)) = self.variables.get_mut(first + at) {
                *slot = value;
            }
        }
        Ok(())
    }

    fn call_template(&mut self, dot: &Found<'a>, call: &'a Call) -> Result<()> {
        self.at(Place::Call(call));
        let parsed = self.parsed;
        let Some((name, block)) = parsed.templates.get_key_value(&call.name) else {
            let name = super::text::quote_lossy(call.name.as_bytes());
            return Err(self.error(ErrorKind::UnknownTemplate, format!("template {name} not defined")));
        };
        let dot = match &call.pipe {
            Some(pipe) => self.pipeline(dot, pipe)?,
            None => Found::fixed(Value::Nil),
        };
        let (base, template) = (self.base, self.template);
        let mark = self.variables.len();
        self.base = mark;
        self.template = name;
        self.push("$", dot.clone())?;
        self.walk(&dot, block)?;
        self.variables.truncate(mark);
        (self.base, self.template) = (base, template);
        Ok(())
    }

    // Expressions.

    pub(super) fn pipeline(&mut self, dot: &Found<'a>, pipe: &'a Pipe) -> Result<Found<'a>> {
        self.at(Place::Pipe(pipe));
        let mut last = None;
        for command in &pipe.commands {
            let found = self.command(dot, command, last)?;
            // What an interface holds counts from here on, not the interface.
            last = Some(Found::fixed(found.value));
        }
        let found = last.unwrap_or(Found::fixed(Value::Nil));
        for name in &pipe.variables {
            if pipe.assigns {
                self.assign(name, found.clone())?;
            } else {
                self.push(name, found.clone())?;
            }
        }
        Ok(found)
    }

    fn command(&mut self, dot: &Found<'a>, command: &'a Command, last: Option<Found<'a>>) -> Result<Found<'a>> {
        self.step()?;
        let Some((first, arguments)) = command.words.split_first() else {
            return Ok(Found::fixed(Value::Nil));
        };
        match &first.kind {
            OperandKind::Field(fields) => {
                self.at(Place::Operand(first));
                return self.fields(dot, dot.clone(), Place::Operand(first), fields, arguments, last);
            }
            OperandKind::Chain(inner, fields) => {
                return self.chain(dot, first, inner, fields, arguments, last);
            }
            OperandKind::Function(function) => {
                self.at(Place::Operand(first));
                return self.call(dot, function, Place::Command(command), arguments, last);
            }
            OperandKind::Pipe(pipe) => {
                self.no_arguments(first, arguments, &last)?;
                return self.deeper(|exec| exec.pipeline(dot, pipe));
            }
            OperandKind::Variable(name, fields) => {
                return self.variable_fields(dot, first, name, fields, arguments, last);
            }
            _ => {}
        }
        self.at(Place::Operand(first));
        self.no_arguments(first, arguments, &last)?;
        match &first.kind {
            OperandKind::Dot => Ok(dot.clone()),
            OperandKind::Nil => Err(self.error(ErrorKind::Type, "nil is not a command")),
            _ => self.literal(first),
        }
    }

    fn no_arguments(&self, first: &Operand, arguments: &[Operand], last: &Option<Found<'a>>) -> Result<()> {
        if arguments.is_empty() && last.is_none() {
            return Ok(());
        }
        let written = Place::Operand(first).describe(&self.parsed.text);
        Err(self.error(ErrorKind::Arguments, format!("can't give argument to non-function {written}")))
    }

    /// A literal whose type nothing asks for.
    pub(super) fn literal(&self, operand: &'a Operand) -> Result<Found<'a>> {
        Ok(Found::fixed(match &operand.kind {
            OperandKind::Bool(value) => Value::Bool(*value),
            OperandKind::Text(_, bytes) => Value::Str(Str::Borrowed(bytes)),
            OperandKind::Number(number) => return self.constant(number),
            _ => Value::Nil,
        }))
    }

    fn constant(&self, number: &Number) -> Result<Found<'a>> {
        Ok(Found::fixed(match number.ideal {
            Ideal::Int(int) => Value::Int(int),
            Ideal::Float(float) => Value::Float(float),
            Ideal::Complex(real, imaginary) => Value::Complex(real, imaginary),
            Ideal::Overflow => {
                return Err(self.error(ErrorKind::Type, format!("{} overflows int", number.source)));
            }
        }))
    }

    /// `(…).a.b`
    pub(super) fn chain(
        &mut self,
        dot: &Found<'a>,
        operand: &'a Operand,
        inner: &'a Operand,
        fields: &'a [Box<str>],
        arguments: &'a [Operand],
        last: Option<Found<'a>>,
    ) -> Result<Found<'a>> {
        self.at(Place::Operand(operand));
        let receiver = self.argument(dot, None, inner)?;
        self.fields(dot, receiver, Place::Operand(operand), fields, arguments, last)
    }

    /// `$x.a.b`
    pub(super) fn variable_fields(
        &mut self,
        dot: &Found<'a>,
        operand: &'a Operand,
        name: &str,
        fields: &'a [Box<str>],
        arguments: &'a [Operand],
        last: Option<Found<'a>>,
    ) -> Result<Found<'a>> {
        self.at(Place::Operand(operand));
        let declared = self.variable(name)?;
        let value = self.variables.get(declared).map_or(Found::fixed(Value::Nil), |(_, value)| value.clone());
        if fields.is_empty() {
            self.no_arguments(operand, arguments, &last)?;
            return Ok(value);
        }
        self.fields(dot, value, Place::Operand(operand), fields, arguments, last)
    }

    /// Follows fields from a value. The last one may be a method that takes the arguments.
    pub(super) fn fields(
        &mut self,
        dot: &Found<'a>,
        mut receiver: Found<'a>,
        place: Place<'a>,
        fields: &'a [Box<str>],
        arguments: &'a [Operand],
        last: Option<Found<'a>>,
    ) -> Result<Found<'a>> {
        let mut last = last;
        for (at, name) in fields.iter().enumerate() {
            let is_last = at + 1 == fields.len();
            let (arguments, last) = if is_last { (arguments, last.take()) } else { (&[] as &[_], None) };
            receiver = self.field(dot, &receiver, place, name, arguments, last)?;
        }
        Ok(receiver)
    }

    fn field(
        &mut self,
        dot: &Found<'a>,
        receiver: &Found<'a>,
        place: Place<'a>,
        name: &'a str,
        arguments: &'a [Operand],
        last: Option<Found<'a>>,
    ) -> Result<Found<'a>> {
        self.step()?;
        let has_arguments = !arguments.is_empty() || last.is_some();
        match &receiver.value {
            Value::Nil if receiver.dynamic => {
                Err(self.error(ErrorKind::MissingKey, format!("nil pointer evaluating interface {{}}.{name}")))
            }
            Value::Nil => {
                let name = super::text::quote_lossy(name.as_bytes());
                Err(self.error(ErrorKind::MissingKey, format!("nil data; no entry for key {name}")))
            }
            Value::Struct(kind) => {
                if let Some(method) = super::field::method(*kind, name) {
                    return self.call(dot, method, place, arguments, last);
                }
                let Some(value) = super::field::get(*kind, name, self.env.context) else {
                    return Err(self.no_field(receiver, name));
                };
                if has_arguments {
                    let message = format!("{name} has arguments but cannot be invoked as function");
                    return Err(self.error(ErrorKind::Arguments, message));
                }
                Ok(Found::fixed(value))
            }
            Value::Map(map) => {
                if has_arguments {
                    let message = format!("{name} is not a method but has arguments");
                    return Err(self.error(ErrorKind::Arguments, message));
                }
                match self.env.heap.get(map, name.as_bytes()) {
                    Some(value) => Ok(Found::element(value, map.elem())),
                    None => {
                        let name = super::text::quote_lossy(name.as_bytes());
                        Err(self.error(ErrorKind::MissingKey, format!("map has no entry for key {name}")))
                    }
                }
            }
            _ => Err(self.no_field(receiver, name)),
        }
    }

    fn no_field(&self, receiver: &Found<'a>, name: &str) -> Box<TemplateError> {
        let message = format!("can't evaluate field {name} in type {}", receiver.type_name());
        self.error(ErrorKind::MissingField, message)
    }
}

impl<'a> Env<'a> {
    /// Whether `if` takes the value as true: neither nil nor its type's zero, and not empty.
    pub fn is_true(&self, value: &Value<'a>) -> bool {
        match value {
            Value::Nil => false,
            Value::Bool(value) => *value,
            Value::Int(int) | Value::Int64(int) => *int != 0,
            Value::Byte(byte) => *byte != 0,
            Value::Float(float) => *float != 0.0,
            Value::Complex(real, imaginary) => *real != 0.0 || *imaginary != 0.0,
            Value::Str(text) => !text.is_empty(),
            Value::List(list) => list.len() > 0,
            Value::Map(map) => self.heap.map_len(map) > 0,
            Value::Struct(_) => true,
        }
    }
}
