//! Calls functions and methods: counts the arguments, evaluates them, and fits them to the parameters' types.

use super::ast::{Operand, OperandKind, Place};
use super::error::{ErrorKind, Fail, Result};
use super::exec::{Exec, Found};
use super::functions::{Function, Short, Type};
use super::value::{Elem, Map, Str, Value};

impl<'a> Exec<'a> {
    /// Calls a function. `place` is what an error of the function itself points at.
    pub(super) fn call(
        &mut self,
        dot: &Found<'a>,
        function: &'static Function,
        place: Place<'a>,
        arguments: &'a [Operand],
        last: Option<Found<'a>>,
    ) -> Result<Found<'a>> {
        let count = arguments.len() + usize::from(last.is_some());
        let fixed = function.fixed();
        if function.variadic && count < fixed {
            let message =
                format!("wrong number of args for {}: want at least {fixed} got {}", function.name, arguments.len());
            return Err(self.error(ErrorKind::Arguments, message));
        }
        if !function.variadic && count != fixed {
            let message = format!("wrong number of args for {}: want {fixed} got {count}", function.name);
            return Err(self.error(ErrorKind::Arguments, message));
        }
        if let Some(short) = function.short {
            return self.short_circuit(dot, short, arguments, last);
        }
        let mut values = Vec::with_capacity(count);
        for argument in arguments {
            let parameter = function.parameter(values.len());
            values.push(self.argument(dot, Some(parameter), argument)?.value);
        }
        if let Some(last) = last {
            values.push(self.fit(last, Some(function.parameter(values.len())))?.value);
        }
        let result = self.charge(&values).and_then(|()| (function.run)(&mut self.env, &values));
        match result {
            Ok(value) => Ok(Found { value, dynamic: function.dynamic }),
            Err(fail) if fail.is_limit() => {
                self.at(place);
                Err(self.fail(fail))
            }
            Err(fail) => {
                self.at(place);
                Err(self.error(fail.kind, format!("error calling {}: {}", function.name, fail.message)))
            }
        }
    }

    /// Pays for the text that a function will look at.
    fn charge(&mut self, values: &[Value<'a>]) -> std::result::Result<(), Fail> {
        self.env.heap.step()?;
        for value in values {
            match value {
                Value::Str(text) => self.env.heap.read(text.len())?,
                Value::List(list) => self.env.heap.read(list.len() * size_of::<Value<'_>>())?,
                _ => {}
            }
        }
        Ok(())
    }

    /// `and` and `or` evaluate no more than they need.
    fn short_circuit(
        &mut self,
        dot: &Found<'a>,
        short: Short,
        arguments: &'a [Operand],
        last: Option<Found<'a>>,
    ) -> Result<Found<'a>> {
        let mut found = Found::fixed(Value::Nil);
        for argument in arguments {
            found = self.argument(dot, Some(Type::Reflect), argument)?;
            if self.env.is_true(&found.value) == (short == Short::Or) {
                return Ok(found);
            }
        }
        Ok(last.unwrap_or(found))
    }

    /// Evaluates an argument for a parameter of that type; `None` takes any value as it is.
    pub(super) fn argument(
        &mut self,
        dot: &Found<'a>,
        parameter: Option<Type>,
        operand: &'a Operand,
    ) -> Result<Found<'a>> {
        self.at(Place::Operand(operand));
        let found = match &operand.kind {
            OperandKind::Dot => dot.clone(),
            OperandKind::Nil => return self.nil(parameter),
            OperandKind::Field(fields) => self.fields(dot, dot.clone(), Place::Operand(operand), fields, &[], None)?,
            OperandKind::Variable(name, fields) => self.variable_fields(dot, operand, name, fields, &[], None)?,
            OperandKind::Pipe(pipe) => self.deeper(|exec| exec.pipeline(dot, pipe))?,
            OperandKind::Function(function) => self.call(dot, function, Place::Operand(operand), &[], None)?,
            OperandKind::Chain(inner, fields) => {
                self.deeper(|exec| exec.chain(dot, operand, inner, fields, &[], None))?
            }
            OperandKind::Bool(_) | OperandKind::Number(_) | OperandKind::Text(..) => {
                return self.literal_argument(parameter, operand);
            }
        };
        self.fit(found, parameter)
    }

    fn nil(&self, parameter: Option<Type>) -> Result<Found<'a>> {
        match parameter {
            None | Some(Type::Reflect) => Ok(Found::fixed(Value::Nil)),
            Some(Type::Any) => Ok(Found { value: Value::Nil, dynamic: true }),
            Some(Type::Map) => Ok(Found::fixed(Value::Map(Map::Nil(Elem::Any)))),
            Some(parameter) => Err(self.error(ErrorKind::Type, format!("cannot assign nil to {}", parameter.name()))),
        }
    }

    fn literal_argument(&self, parameter: Option<Type>, operand: &'a Operand) -> Result<Found<'a>> {
        let value = match (parameter, &operand.kind) {
            (None | Some(Type::Any | Type::Reflect), _) => return self.literal(operand),
            (Some(Type::Bool), OperandKind::Bool(value)) => Value::Bool(*value),
            (Some(Type::Str), OperandKind::Text(_, bytes)) => Value::Str(Str::Borrowed(bytes)),
            (Some(Type::Int), OperandKind::Number(number)) if number.int.is_some() => {
                Value::Int(number.int.unwrap_or_default())
            }
            (Some(Type::Float), OperandKind::Number(number)) if number.float.is_some() => {
                Value::Float(number.float.unwrap_or_default())
            }
            (Some(parameter), _) => {
                let written = Place::Operand(operand).describe(&self.parsed.text);
                let message = match parameter {
                    Type::Map => format!("can't handle {written} for arg of type {}", parameter.name()),
                    Type::Int => format!("expected integer; found {written}"),
                    Type::Float => format!("expected float; found {written}"),
                    _ => format!("expected {}; found {written}", parameter.name()),
                };
                return Err(self.error(ErrorKind::Type, message));
            }
        };
        Ok(Found::fixed(value))
    }

    /// Checks that a value can be assigned to a parameter.
    fn fit(&self, found: Found<'a>, parameter: Option<Type>) -> Result<Found<'a>> {
        let Some(parameter) = parameter else { return Ok(found) };
        let fits = match (parameter, &found.value) {
            (Type::Any | Type::Reflect, _)
            | (Type::Str, Value::Str(_))
            | (Type::Int, Value::Int(_))
            | (Type::Bool, Value::Bool(_))
            | (Type::Float, Value::Float(_)) => true,
            (Type::Map, Value::Map(map)) => map.elem() == Elem::Any,
            // No value at all is a nil map; a nil out of a list or map is not.
            (Type::Map, Value::Nil) if !found.dynamic => return self.nil(Some(parameter)),
            _ => false,
        };
        if fits {
            return Ok(found);
        }
        let message = if matches!(found.value, Value::Nil) && !found.dynamic {
            format!("invalid value; expected {}", parameter.name())
        } else {
            let got = if matches!(found.value, Value::Nil) { found.type_name() } else { found.value.type_name() };
            format!("wrong type for value; expected {}; got {got}", parameter.name())
        };
        Err(self.error(ErrorKind::Type, message))
    }
}
