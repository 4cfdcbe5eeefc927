//! Operations as the controller's library (evanphx/json-patch v5, default options) applies them.
//!
//! Where it leaves RFC 6902: an index below zero counts from the end, an index may be signed or have leading zeros;
//! what stands before the first `/` of a path is not looked at; the empty key leads to nothing (at the root: to the
//! document as it was before the patch, so that a change beneath `//` is made to a copy that nobody sees); a `test`
//! against null holds where the key is absent; numbers are equal if they are written alike; a null that an operation
//! put in its place is another than one that was read; a move or copy to the empty path goes to the empty key.
//!
//! Not followed: after a move of the root's empty key the library holds that document in two places, so that a change
//! beneath `//` shows; and a key that stands twice in a value stays in it as null after it was removed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::decode::Operation;
use super::json::{self, Json, Shape};
use super::{FailureKind, OperationKind};
use crate::limits::{MAX_DEPTH, MAX_TEXT_BYTES};
use crate::object::exceeds_depth;
use crate::overrides::wording::go_quote;

/// A value of the document. Borrows its texts from the baseline and the patch.
#[derive(Clone, Debug)]
pub(super) enum Node<'a> {
    /// A null that was read as part of a document.
    Nil,
    /// A null that an operation put here.
    Null,
    Bool(bool),
    /// The number as it is written.
    Number(Cow<'a, str>),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Map(BTreeMap<Cow<'a, str>, Node<'a>>),
}

/// What the empty key leads to at the root.
#[derive(Debug)]
enum Own<'a> {
    Nothing,
    /// The document before the patch, until it is looked into.
    Baseline(&'a Value),
    Node(Node<'a>),
}

/// A document in the course of a patch.
#[derive(Debug)]
pub(super) struct Document<'a> {
    /// A map or a list; [`Node::Null`] or [`Node::Nil`] after the root was replaced by null.
    root: Node<'a>,
    own: Own<'a>,
    /// What is left of the work that a patch may cause: bytes copied, values visited, items shifted.
    fuel: usize,
}

/// Why an operation does not apply, in the controller's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) kind: FailureKind,
    pub(super) error: String,
    /// Whether it is about `from`, not about `path`.
    pub(super) from: bool,
}

impl Stop {
    pub(super) fn new(kind: FailureKind, error: impl Into<String>) -> Self {
        Self { kind, error: error.into(), from: false }
    }

    /// What the library does with a nil pointer.
    fn crash() -> Self {
        Self::new(FailureKind::Crash, "runtime error: invalid memory address or nil pointer dereference")
    }

    pub(super) fn limit(error: impl Into<String>) -> Self {
        Self::new(FailureKind::Limit, error)
    }

    fn in_from(mut self) -> Self {
        self.from = true;
        self
    }

    fn wrap(mut self, context: impl FnOnce() -> String) -> Self {
        if !matches!(self.kind, FailureKind::Crash | FailureKind::Limit) {
            self.error = format!("{}: {}", context(), self.error);
        }
        self
    }
}

/// Where a path leads: the container and the key in it.
struct Place<'d, 'a> {
    container: &'d mut Node<'a>,
    /// What the empty key leads to, where the container is the root.
    own: Option<&'d mut Own<'a>>,
    key: Cow<'a, str>,
    /// Levels from the root to the value at the place.
    depth: usize,
}

impl<'a> Document<'a> {
    /// The document before the patch.
    pub(super) fn new(baseline: &'a Value) -> Result<Self, Stop> {
        if exceeds_depth(baseline, MAX_DEPTH) {
            return Err(too_deep());
        }
        let root = match Node::from_value(baseline) {
            Node::Nil => Node::Null,
            root @ (Node::Map(_) | Node::List(_)) => root,
            scalar => return Err(not_a_map(scalar.go_type())),
        };
        Ok(Self { root, own: Own::Baseline(baseline), fuel: MAX_TEXT_BYTES })
    }

    /// Applies one operation. After an error the document is as the operation left it.
    pub(super) fn apply(&mut self, operation: &Operation<'a>) -> Result<(), Stop> {
        let path = operation.path;
        match operation.kind {
            OperationKind::Add => self.add(path, operation.value),
            OperationKind::Remove => self.remove(path),
            OperationKind::Replace => self.replace(path, operation.value),
            OperationKind::Move => self.relocate(operation.from, path),
            OperationKind::Copy => self.copy(operation.from, path),
            OperationKind::Test => self.test(path, operation.value),
        }
    }

    fn add(&mut self, path: &'a str, value: Option<&'a Json<'a>>) -> Result<(), Stop> {
        let node = value.map_or(Node::Null, Node::from_operation);
        if path.is_empty() {
            if !matches!(node, Node::Map(_) | Node::List(_) | Node::Null) {
                return Err(not_a_map(node.go_type()));
            }
            self.root = node.clone();
            self.own = Own::Node(node);
            return Ok(());
        }
        let Some(place) = find(&mut self.root, &mut self.own, path)? else {
            return Err(missing_parent(format!("add operation does not apply: doc is missing path: \"{path}\"")));
        };
        place.add(node, &mut self.fuel).map_err(|stop| stop.wrap(|| format!("error in add for path: '{path}'")))
    }

    fn remove(&mut self, path: &'a str) -> Result<(), Stop> {
        let Some(place) = find(&mut self.root, &mut self.own, path)? else {
            return Err(missing_parent(format!("remove operation does not apply: doc is missing path: \"{path}\"")));
        };
        let removed = place.remove(&mut self.fuel);
        removed.map(drop).map_err(|stop| stop.wrap(|| format!("error in remove for path: '{path}'")))
    }

    fn replace(&mut self, path: &'a str, value: Option<&'a Json<'a>>) -> Result<(), Stop> {
        let node = value.map_or(Node::Null, Node::from_operation);
        if path.is_empty() {
            self.root = match node {
                Node::Map(_) | Node::List(_) => node,
                Node::Null => Node::Nil,
                _ => {
                    let error = "replace operation value must be object or array: %!w(<nil>)";
                    return Err(Stop::new(FailureKind::RootValue, error));
                }
            };
            self.own = Own::Nothing;
            return Ok(());
        }
        let Some(mut place) = find(&mut self.root, &mut self.own, path)? else {
            return Err(missing_parent(format!("replace operation does not apply: doc is missing path: {path}")));
        };
        if let Err(stop) = place.get() {
            let error = format!("replace operation does not apply: doc is missing key: {path}: missing value");
            let crash = stop.kind == FailureKind::Crash;
            return Err(if crash { stop } else { Stop::new(FailureKind::MissingTarget, error) });
        }
        place.set(node, &mut self.fuel).map_err(|stop| stop.wrap(|| format!("error in remove for path: '{path}'")))
    }

    fn relocate(&mut self, from: &'a str, path: &'a str) -> Result<(), Stop> {
        if from.is_empty() {
            let error = "unable to move entire document to another path: invalid state detected";
            return Err(Stop::new(FailureKind::RootValue, error).in_from());
        }
        let Some(mut place) = find(&mut self.root, &mut self.own, from)? else {
            let error = format!("move operation does not apply: doc is missing from path: {from}");
            return Err(missing_parent(error).in_from());
        };
        let key = place.key.clone();
        let at_key = |stop: Stop| stop.in_from().wrap(|| format!("error in move for path: '{key}'"));
        // The root's empty key leads to the document itself, yet it is the member that goes.
        let own = match place.get().map_err(at_key)? {
            Some(node) if key.is_empty() => node.copy(&mut self.fuel)?,
            _ => Node::Nil,
        };
        let removed = place.remove(&mut self.fuel).map_err(at_key)?;
        let value = if key.is_empty() { own } else { removed };
        let Some(place) = find(&mut self.root, &mut self.own, path)? else {
            let error = format!("move operation does not apply: doc is missing destination path: {path}");
            return Err(missing_parent(error));
        };
        place.add(value, &mut self.fuel).map_err(|stop| stop.wrap(|| format!("error in move for path: '{path}'")))
    }

    fn copy(&mut self, from: &'a str, path: &'a str) -> Result<(), Stop> {
        let Some(mut place) = find(&mut self.root, &mut self.own, from)? else {
            let error = format!("copy operation does not apply: doc is missing from path: \"{from}\"");
            return Err(missing_parent(error).in_from());
        };
        let source = place.get().map_err(|stop| stop.in_from().wrap(|| format!("error in copy for from: '{from}'")))?;
        let value = source.map_or(Ok(Node::Nil), |node| node.copy(&mut self.fuel))?;
        let Some(place) = find(&mut self.root, &mut self.own, path)? else {
            let error = format!("copy operation does not apply: doc is missing destination path: {path}");
            return Err(missing_parent(error));
        };
        let added = place.add(value, &mut self.fuel);
        added.map_err(|stop| stop.wrap(|| "error while adding value during copy".to_owned()))
    }

    fn test(&mut self, path: &'a str, value: Option<&'a Json<'a>>) -> Result<(), Stop> {
        let expected = value.map(Node::from_operation);
        let failed = || Err(Stop::new(FailureKind::Test, format!("testing value {path} failed: test failed")));
        if path.is_empty() {
            // Without a value the library follows a nil pointer.
            let Some(expected) = expected else {
                return Err(Stop::crash());
            };
            let empty = Node::Map(BTreeMap::new());
            let root = match &self.root {
                Node::Nil => return Err(Stop::crash()),
                Node::Null => &empty,
                root => root,
            };
            return if root.equals(&expected)? { Ok(()) } else { failed() };
        }
        let Some(mut place) = find(&mut self.root, &mut self.own, path)? else {
            return Err(missing_parent(format!("test operation does not apply: is missing path: {path}")));
        };
        let found = match place.get() {
            Ok(found) => found.filter(|node| !matches!(node, Node::Nil)),
            Err(stop) if stop.kind == FailureKind::MissingTarget => None,
            Err(stop) => return Err(stop.wrap(|| format!("error in test for path: '{path}'"))),
        };
        match (found, expected) {
            (None, None | Some(Node::Null)) => Ok(()),
            (Some(node), Some(expected)) if !matches!(expected, Node::Null) => {
                if node.equals(&expected)? {
                    Ok(())
                } else {
                    failed()
                }
            }
            _ => failed(),
        }
    }

    /// The patched document, with its numbers as floats carry them. Calls `rounded` with each integer that loses digits.
    pub(super) fn finish(&self, rounded: &mut dyn FnMut(&str)) -> Result<Value, Stop> {
        if matches!(self.root, Node::Null) {
            let error = "failed to apply JSON Patch: json: error calling MarshalJSON for type *jsonpatch.partialDoc: \
                         invalid value, expected object";
            return Err(Stop::new(FailureKind::RootValue, error));
        }
        self.root.to_value(rounded)
    }
}

fn missing_parent(error: String) -> Stop {
    Stop::new(FailureKind::MissingParent, format!("{error}: missing value"))
}

fn not_a_map(go_type: &str) -> Stop {
    let error = format!("json: cannot unmarshal {go_type} into Go value of type map[string]*jsonpatch.lazyNode");
    Stop::new(FailureKind::RootValue, error)
}

fn too_deep() -> Stop {
    Stop::limit(format!("the patched object would be nested deeper than {MAX_DEPTH} levels"))
}

fn expected_object() -> Stop {
    Stop::new(FailureKind::RootValue, "invalid value, expected object")
}

/// The container that a path leads to, and the key in it; `None` where a step on the way is missing or no container.
fn find<'d, 'a>(root: &'d mut Node<'a>, own: &'d mut Own<'a>, path: &'a str) -> Result<Option<Place<'d, 'a>>, Stop> {
    let path = match path.split_once('/') {
        Some((_, path)) => path,
        // The empty path stops at the root, with an empty key, as `/` does.
        None if path.is_empty() => path,
        None => return Ok(None),
    };
    let (steps, key) = path.rsplit_once('/').map_or((None, path), |(steps, key)| (Some(steps), key));
    let mut place = Place { container: root, own: Some(own), key: Cow::Borrowed(""), depth: 1 };
    for step in steps.into_iter().flat_map(|steps| steps.split('/')) {
        place.key = decode_key(step);
        let (container, depth) = match place.into_value() {
            Ok(Some(next @ (Node::Map(_) | Node::List(_), _))) => next,
            Err(stop) if stop.kind == FailureKind::Crash => return Err(stop),
            _ => return Ok(None),
        };
        place = Place { container, own: None, key: Cow::Borrowed(""), depth: depth + 1 };
    }
    place.key = decode_key(key);
    Ok(Some(place))
}

pub(super) fn decode_key(step: &str) -> Cow<'_, str> {
    if !step.contains('~') {
        return Cow::Borrowed(step);
    }
    // One pass over the text: `~01` is `~1`.
    let mut key = String::with_capacity(step.len());
    let mut rest = step;
    while let Some((before, after)) = rest.split_once('~') {
        key.push_str(before);
        let (character, after) = match after.strip_prefix('1') {
            Some(after) => ('/', after),
            None => ('~', after.strip_prefix('0').unwrap_or(after)),
        };
        key.push(character);
        rest = after;
    }
    key.push_str(rest);
    Cow::Owned(key)
}

impl<'d, 'a> Place<'d, 'a> {
    /// The value at the place; `None` is the library's nil.
    fn get(&mut self) -> Result<Option<&mut Node<'a>>, Stop> {
        look_up(self.container, self.own.as_deref_mut(), &self.key)
    }

    /// The value at the place and its depth, giving the place up.
    fn into_value(self) -> Result<Option<(&'d mut Node<'a>, usize)>, Stop> {
        let depth = self.depth;
        Ok(look_up(self.container, self.own, &self.key)?.map(|node| (node, depth)))
    }

    fn set(self, node: Node<'a>, fuel: &mut usize) -> Result<(), Stop> {
        if node.depth(fuel)? + self.depth > MAX_DEPTH {
            return Err(too_deep());
        }
        match self.container {
            Node::Map(map) => {
                map.insert(self.key, node);
                Ok(())
            }
            Node::List(items) => {
                let index = index(&self.key, items.len())?;
                // The library wrote past the end here, but no caller asks it to.
                items.get_mut(index).map(|item| *item = node).ok_or_else(|| out_of_range(&self.key))
            }
            Node::Nil => Err(nil_list(&self.key)),
            _ => Err(expected_object()),
        }
    }

    fn add(self, node: Node<'a>, fuel: &mut usize) -> Result<(), Stop> {
        let Node::List(items) = self.container else {
            let key = self.key.clone();
            return self.set(node, fuel).map_err(|stop| improper_index(stop, &key));
        };
        if node.depth(fuel)? + self.depth > MAX_DEPTH {
            return Err(too_deep());
        }
        if self.key == "-" {
            items.push(node);
            return Ok(());
        }
        let index = index(&self.key, items.len() + 1).map_err(|stop| improper_index(stop, &self.key))?;
        spend(fuel, items.len() - index)?;
        items.insert(index, node);
        Ok(())
    }

    fn remove(self, fuel: &mut usize) -> Result<Node<'a>, Stop> {
        match self.container {
            Node::Map(map) => map.remove(&self.key).ok_or_else(|| {
                let error = format!("unable to remove nonexistent key: {}: missing value", self.key);
                Stop::new(FailureKind::MissingTarget, error)
            }),
            Node::List(items) => {
                let index = index(&self.key, items.len())?;
                spend(fuel, items.len() - index)?;
                Ok(items.remove(index))
            }
            Node::Nil => Err(nil_list(&self.key)),
            _ => Err(expected_object()),
        }
    }
}

fn look_up<'d, 'a>(
    container: &'d mut Node<'a>,
    own: Option<&'d mut Own<'a>>,
    key: &str,
) -> Result<Option<&'d mut Node<'a>>, Stop> {
    match container {
        Node::Nil if key.is_empty() => Err(Stop::crash()),
        Node::Nil => Err(nil_list(key)),
        _ if key.is_empty() => Ok(own.and_then(Own::node)),
        Node::Map(map) => map.get_mut(key).map(Some).ok_or_else(|| {
            let error = format!("unable to get nonexistent key: {key}: missing value");
            Stop::new(FailureKind::MissingTarget, error)
        }),
        Node::List(items) => {
            let index = index(key, items.len())?;
            Ok(items.get_mut(index))
        }
        _ => Err(expected_object()),
    }
}

/// The index that a key is in a list that has `length` places, as `strconv.Atoi` reads it; below zero from the end.
fn index(key: &str, length: usize) -> Result<usize, Stop> {
    let digits = key.strip_prefix(['+', '-']).unwrap_or(key);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let error = format!("strconv.Atoi: parsing {}: invalid syntax", go_quote(key));
        return Err(Stop::new(FailureKind::Index, error));
    }
    let Ok(index) = key.parse::<i64>() else {
        let error = format!("strconv.Atoi: parsing {}: value out of range", go_quote(key));
        return Err(Stop::new(FailureKind::Index, error));
    };
    let distance = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
    let place = if index < 0 { length.checked_sub(distance) } else { Some(distance) };
    place.filter(|place| *place < length).ok_or_else(|| out_of_range(&index.to_string()))
}

/// What a root that was replaced by null, which the library takes for a list, does with a key.
fn nil_list(key: &str) -> Stop {
    match index(key, 0) {
        Err(stop) if key != "-" && stop.error.starts_with("strconv") => stop,
        _ => Stop::crash(),
    }
}

/// What an `add` says of a key that is no number.
fn improper_index(stop: Stop, key: &str) -> Stop {
    if stop.error.starts_with("strconv") {
        stop.wrap(|| format!("value was not a proper array index: '{key}'"))
    } else {
        stop
    }
}

fn out_of_range(index: &str) -> Stop {
    let error = format!("Unable to access invalid index: {index}: invalid index referenced");
    Stop::new(FailureKind::Index, error)
}

fn spend(fuel: &mut usize, amount: usize) -> Result<(), Stop> {
    *fuel = fuel.checked_sub(amount).ok_or_else(|| {
        Stop::limit(format!("the patch copies and moves more than {MAX_TEXT_BYTES} bytes and values"))
    })?;
    Ok(())
}

impl<'a> Own<'a> {
    fn node(&mut self) -> Option<&mut Node<'a>> {
        if let Self::Baseline(value) = self {
            *self = Self::Node(Node::from_value(value));
        }
        match self {
            Self::Node(node) => Some(node),
            _ => None,
        }
    }
}

impl<'a> Node<'a> {
    fn from_value(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Nil,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(Cow::Owned(json::go_number(number))),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(items) => Self::List(items.iter().map(Self::from_value).collect()),
            Value::Object(map) => {
                Self::Map(map.iter().map(|(key, value)| (Cow::Borrowed(&**key), Self::from_value(value))).collect())
            }
        }
    }

    /// The value of an operation, which is told apart from what it holds where it is null.
    fn from_operation(json: &'a Json<'a>) -> Self {
        match Self::from_json(json) {
            Self::Nil => Self::Null,
            node => node,
        }
    }

    fn from_json(json: &'a Json<'a>) -> Self {
        match &json.shape {
            Shape::Null => Self::Nil,
            Shape::Bool(value) => Self::Bool(*value),
            Shape::Number(text) => Self::Number(Cow::Borrowed(text)),
            Shape::Text(text) => Self::Text(Cow::Borrowed(text)),
            Shape::List(items) => Self::List(items.iter().map(Self::from_json).collect()),
            Shape::Map(members) => {
                let members =
                    members.iter().map(|member| (Cow::Borrowed(&*member.key), Self::from_json(&member.value)));
                Self::Map(members.collect())
            }
        }
    }

    /// A copy as the library makes it, through text: a null within loses where it came from.
    fn copy(&self, fuel: &mut usize) -> Result<Self, Stop> {
        // What a value costs beside its text: more or less what it takes in memory.
        const VALUE: usize = 8;
        Ok(match self {
            Self::Nil | Self::Null | Self::Bool(_) => {
                spend(fuel, VALUE)?;
                self.clone()
            }
            Self::Number(text) | Self::Text(text) => {
                spend(fuel, VALUE + text.len())?;
                self.clone()
            }
            Self::List(items) => {
                spend(fuel, VALUE)?;
                Self::List(items.iter().map(|item| item.copy_within(fuel)).collect::<Result<_, _>>()?)
            }
            Self::Map(map) => {
                spend(fuel, VALUE)?;
                let mut copy = BTreeMap::new();
                for (key, value) in map {
                    spend(fuel, key.len())?;
                    copy.insert(key.clone(), value.copy_within(fuel)?);
                }
                Self::Map(copy)
            }
        })
    }

    fn copy_within(&self, fuel: &mut usize) -> Result<Self, Stop> {
        Ok(match self.copy(fuel)? {
            Self::Null => Self::Nil,
            node => node,
        })
    }

    /// Levels of containers, each value visited at the cost of one.
    fn depth(&self, fuel: &mut usize) -> Result<usize, Stop> {
        spend(fuel, 1)?;
        let mut deepest = 0;
        match self {
            Self::List(items) => {
                for item in items {
                    deepest = deepest.max(item.depth(fuel)?);
                }
            }
            Self::Map(map) => {
                for item in map.values() {
                    deepest = deepest.max(item.depth(fuel)?);
                }
            }
            _ => return Ok(0),
        }
        Ok(deepest + 1)
    }

    /// Whether the library calls this value of the document equal to one of a `test`.
    ///
    /// A null in a list stops the library where it should compare it.
    fn equals(&self, expected: &Self) -> Result<bool, Stop> {
        match (self, expected) {
            (Self::Nil, _)
            | (_, Self::Nil)
            | (Self::Null | Self::List(_), Self::Null)
            | (Self::Null, Self::List(_)) => Err(Stop::crash()),
            (Self::Bool(a), Self::Bool(b)) => Ok(a == b),
            (Self::Number(a), Self::Number(b)) | (Self::Text(a), Self::Text(b)) => Ok(a == b),
            (Self::Map(a), Self::Map(b)) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                // The library goes through members in any order: one that differs outweighs one that stops it.
                let mut verdict = Ok(true);
                for (key, value) in a {
                    let equal = match (value, b.get(key)) {
                        (Self::Nil, Some(other)) => Ok(matches!(other, Self::Nil)),
                        (_, None | Some(Self::Nil)) => Ok(false),
                        (value, Some(other)) => value.equals(other),
                    };
                    match equal {
                        Ok(false) => return equal,
                        Ok(true) => {}
                        Err(_) => verdict = equal,
                    }
                }
                verdict
            }
            (Self::List(a), Self::List(b)) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                for (value, other) in a.iter().zip(b) {
                    if !value.equals(other)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn to_value(&self, rounded: &mut dyn FnMut(&str)) -> Result<Value, Stop> {
        Ok(match self {
            Self::Nil | Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(text) => {
                let Some(number) = json::float_number(text) else {
                    let error = format!(
                        "failed to unmarshal patched JSON: json: cannot unmarshal number {text} into Go value of type float64"
                    );
                    return Err(Stop::new(FailureKind::Number, error));
                };
                if text.len() > 15
                    && text.bytes().all(|b| b.is_ascii_digit() || b == b'-')
                    && number.to_string() != *text
                {
                    rounded(text);
                }
                Value::Number(number)
            }
            Self::Text(text) => Value::String(text.to_string()),
            Self::List(items) => {
                Value::Array(items.iter().map(|item| item.to_value(rounded)).collect::<Result<_, _>>()?)
            }
            Self::Map(map) => {
                let mut value = Map::new();
                for (key, node) in map {
                    value.insert(key.to_string(), node.to_value(rounded)?);
                }
                Value::Object(value)
            }
        })
    }

    fn go_type(&self) -> &'static str {
        match self {
            Self::Nil | Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::Text(_) => "string",
            Self::List(_) => "array",
            Self::Map(_) => "object",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{PatchError, apply_dialect};
    use super::*;

    fn apply(document: &Value, patch: &str) -> Result<Value, String> {
        apply_dialect(document, patch).map_err(|error| match error {
            PatchError::Malformed { error } | PatchError::Failed { error, .. } => error,
        })
    }

    #[test]
    fn operations_do_what_the_library_does() {
        let document = json!({"a": [1, 2, 3], "b": {"": 1, "x/y": null, "t~": 1.5}, "n": 1});
        let check = |patch: &str, path: &str, expect: Value| {
            let patched = apply(&document, patch).unwrap();
            assert_eq!(patched.pointer(path), Some(&expect), "{patch}");
        };
        check(r#"[{"op":"remove","path":"/a/-1"}]"#, "/a", json!([1, 2]));
        check(r#"[{"op":"add","path":"/a/-1","value":9}]"#, "/a", json!([1, 2, 3, 9]));
        check(r#"[{"op":"replace","path":"/a/+01","value":9}]"#, "/a", json!([1, 9, 3]));
        check(r#"[{"op":"add","path":"skipped/b/k","value":9}]"#, "/b/k", json!(9));
        check(r#"[{"op":"test","path":"/b/none","value":null}]"#, "/n", json!(1));
        check(r#"[{"op":"test","path":"/b/x~1y","value":null}]"#, "/n", json!(1));
        check(r#"[{"op":"test","path":"/b/none"}]"#, "/n", json!(1));
        check(r#"[{"op":"move","from":"/n","path":""}]"#, "", json!({"": 1, "a": [1, 2, 3], "b": document["b"]}));
        check(r#"[{"op":"copy","from":"/b/","path":"/c"}]"#, "/c", json!(null));
        check(r#"[{"op":"replace","path":"/n","value":2},{"op":"copy","from":"","path":"/c"}]"#, "/c/n", json!(1));
        check(r#"[{"op":"add","path":"//n","value":2}]"#, "/n", json!(1));
        check(r#"[{"op":"add","path":"/b/x~2","value":2}]"#, "/b/x~02", json!(2));
        check(r#"[{"op":"add","path":"/n","value":1e2}]"#, "/n", json!(100));
        check("null", "", document.clone());
    }

    #[test]
    fn what_does_not_apply_says_why_in_the_words_of_the_library() {
        let document = json!({"a": [1, null], "n": 1, "z": null});
        let check = |patch: &str, expect: &str| assert_eq!(apply(&document, patch).unwrap_err(), expect, "{patch}");
        check(r#"[{"op":"test","path":"/n","value":1.0}]"#, "testing value /n failed: test failed");
        check(r#"[{"op":"test","path":"/","value":1}]"#, "testing value / failed: test failed");
        check(
            r#"[{"op":"add","path":"/z","value":null},{"op":"test","path":"/z","value":null}]"#,
            "testing value /z failed: test failed",
        );
        check(
            r#"[{"op":"test","path":"/a","value":[1,null]}]"#,
            "runtime error: invalid memory address or nil pointer dereference",
        );
        check(
            r#"[{"op":"test","path":"/z/k","value":null}]"#,
            "test operation does not apply: is missing path: /z/k: missing value",
        );
        check(
            r#"[{"op":"test","path":"/a/5","value":null}]"#,
            "error in test for path: '/a/5': Unable to access invalid index: 5: invalid index referenced",
        );
        check(
            r#"[{"op":"replace","path":"","value":1}]"#,
            "replace operation value must be object or array: %!w(<nil>)",
        );
        check(
            r#"[{"op":"add","path":"/n","value":1e400}]"#,
            "failed to unmarshal patched JSON: json: cannot unmarshal number 1e400 into Go value of type float64",
        );
        check(
            r#"[{"op":"move","from":"/n","path":"/n/k"}]"#,
            "move operation does not apply: doc is missing destination path: /n/k: missing value",
        );
    }

    #[test]
    fn growth_is_bounded() {
        let stops = |document: Value, patch: Value| {
            let stopped = apply_dialect(&document, &patch.to_string());
            assert!(matches!(stopped, Err(PatchError::Failed { reason: FailureKind::Limit, .. })), "{stopped:?}");
        };
        let double = json!({"op": "copy", "from": "/a", "path": "/a/-"});
        stops(json!({"a": ["text"]}), Value::Array(vec![double; 60]));
        let operations: Vec<Value> =
            (0..MAX_DEPTH).map(|depth| json!({"op": "add", "path": "/a".repeat(depth + 1), "value": {}})).collect();
        stops(json!({}), Value::Array(operations));
        let shift = json!({"op": "remove", "path": "/a/0"});
        stops(json!({"a": vec![0; 100_000]}), Value::Array(vec![shift; 1_000]));
    }
}
