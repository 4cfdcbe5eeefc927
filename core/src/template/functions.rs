//! The functions that a template can call: Go's own, the safe ones of sprig, and the controller's.
//!
//! A function says what it takes by type, as Go's functions do, so that a wrong argument is refused before the call.

mod builtin;
mod case;
mod cluster;
mod convert;
mod dict;
mod encode;
mod json;
mod list;
mod logic;
mod math;
mod strings;
mod yaml;

use std::fmt;

use super::error::Fail;
use super::exec::Env;
use super::value::{List, Map, Value};
use crate::behavior::Behavior;

type Outcome<'a> = Result<Value<'a>, Fail>;
type Run = for<'a> fn(&mut Env<'a>, &[Value<'a>]) -> Outcome<'a>;

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// `interface{}`
    Any,
    /// `reflect.Value`: anything, and no value at all as such.
    Reflect,
    Str,
    Int,
    Bool,
    Float,
    /// `map[string]interface{}`
    Map,
}

impl Type {
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "interface {}",
            Self::Reflect => "reflect.Value",
            Self::Str => "string",
            Self::Int => "int",
            Self::Bool => "bool",
            Self::Float => "float64",
            Self::Map => "map[string]interface {}",
        }
    }
}

/// A function that evaluates only as many arguments as it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Short {
    And,
    Or,
}

/// A function that templates can call.
pub(super) struct Function {
    pub name: &'static str,
    parameters: &'static [Type],
    /// The last parameter takes any number of arguments.
    pub variadic: bool,
    /// It returns an interface.
    pub dynamic: bool,
    pub short: Option<Short>,
    /// Releases before 4.23 lack it.
    late: bool,
    pub run: Run,
}

impl Function {
    /// How many arguments it needs.
    pub fn fixed(&self) -> usize {
        self.parameters.len() - usize::from(self.variadic)
    }

    /// The type of an argument.
    pub fn parameter(&self, at: usize) -> Type {
        self.parameters.get(at).or(self.parameters.last()).copied().unwrap_or(Type::Any)
    }

    const fn variadic(mut self) -> Self {
        self.variadic = true;
        self
    }

    const fn dynamic(mut self) -> Self {
        self.dynamic = true;
        self
    }

    const fn late(mut self) -> Self {
        self.late = true;
        self
    }

    const fn short(mut self, short: Short) -> Self {
        self.short = Some(short);
        self
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const fn define(name: &'static str, parameters: &'static [Type], run: Run) -> Function {
    Function { name, parameters, variadic: false, dynamic: false, short: None, late: false, run }
}

/// A method, which takes nothing.
pub(super) const fn method(name: &'static str, run: Run) -> Function {
    define(name, &[], run)
}

/// The function of that name. The controller's come before sprig's, and those before Go's.
pub(super) fn find(name: &str, behavior: Behavior) -> Option<&'static Function> {
    let groups: [&'static [Function]; 11] = [
        &cluster::FUNCTIONS,
        &yaml::FUNCTIONS,
        &strings::FUNCTIONS,
        &case::FUNCTIONS,
        &logic::FUNCTIONS,
        &convert::FUNCTIONS,
        &json::FUNCTIONS,
        &list::FUNCTIONS,
        &dict::FUNCTIONS,
        &math::FUNCTIONS,
        &encode::FUNCTIONS,
    ];
    let known = groups.into_iter().chain([builtin::FUNCTIONS.as_slice()]).flatten();
    known.into_iter().find(|function| function.name == name && (!function.late || behavior.has_late_functions()))
}

// The arguments of a call, whose number and types are checked already.

fn any<'v, 'a>(arguments: &'v [Value<'a>], at: usize) -> &'v Value<'a> {
    arguments.get(at).unwrap_or(&Value::Nil)
}

fn text<'v>(arguments: &'v [Value<'_>], at: usize) -> &'v [u8] {
    match arguments.get(at) {
        Some(Value::Str(text)) => text,
        _ => b"",
    }
}

/// A string for a look-up by name; bytes that are no text name nothing.
fn name<'v>(arguments: &'v [Value<'_>], at: usize) -> &'v str {
    std::str::from_utf8(text(arguments, at)).unwrap_or("\u{fffd}")
}

fn int(arguments: &[Value<'_>], at: usize) -> i64 {
    match arguments.get(at) {
        Some(Value::Int(int)) => *int,
        _ => 0,
    }
}

fn map<'a>(arguments: &[Value<'a>], at: usize) -> Map<'a> {
    match arguments.get(at) {
        Some(Value::Map(map)) => *map,
        _ => Map::Nil(super::value::Elem::Any),
    }
}

/// A list that a function of sprig was given as anything.
fn list<'a>(arguments: &[Value<'a>], at: usize, refusal: &str) -> Result<List<'a>, Fail> {
    match any(arguments, at) {
        Value::List(list) => Ok(*list),
        Value::Nil => super::error::refuse("runtime error: invalid memory address or nil pointer dereference"),
        other => super::error::refuse(format!("{refusal} {}", other.kind_name())),
    }
}
