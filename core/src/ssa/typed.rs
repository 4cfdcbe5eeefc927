//! A value read by its schema: whether it fits, and which fields it has.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use serde_json::{Map, Value};

use super::field_set::{FieldSet, Node, PathElement};
use super::schema::{DEDUCED, ListType, MapType, Scalar, Schema, Shape, TypeId, Types};
use super::value;
use crate::limits::MAX_DEPTH;
use crate::pointer::Pointer;

/// Most errors that one check of an object collects.
const MAX_ERRORS: usize = 100;

/// What is wrong with a field of an object, by its schema.
///
/// Displays as the API server reports it, after the path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldError {
    /// The path as the server prints it, for example `.spec.ports[port=80]`.
    pub path: String,
    /// Where that is in the object.
    pub pointer: Pointer,
    /// What is wrong.
    pub problem: FieldProblem,
}

/// What can be wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldProblem {
    /// The schema does not have the field.
    Undeclared,
    /// The value is of another type than the schema has.
    WrongType {
        /// The type that the schema has, for example `list`.
        expected: &'static str,
        /// What is there, as the server prints it.
        found: String,
    },
    /// Two items of a list have the same key or value.
    Duplicate {
        /// The key or value, for example `[name="a"]`.
        item: String,
    },
    /// An item cannot be told from the others of its list.
    Item {
        /// Place of the item, from 0.
        index: usize,
        /// Why.
        reason: ItemProblem,
    },
    /// The object is nested deeper than [`MAX_DEPTH`].
    TooDeep,
}

/// Why an item cannot be told from the others of its list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemProblem {
    /// The list has keys, the item is null.
    Null,
    /// The list has keys, the item is no map.
    NotAMap,
    /// The item has none of the fields that are the list's keys.
    NoKeys {
        /// The keys.
        keys: Vec<String>,
    },
    /// The list is a set, the item a map.
    MapInSet,
    /// The list is a set, the item a list.
    ListInSet,
    /// The list is a set, the item null.
    NullInSet,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return self.problem.fmt(f);
        }
        write!(f, "{}: {}", self.path, self.problem)
    }
}

impl fmt::Display for FieldProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undeclared => f.write_str("field not declared in schema"),
            Self::WrongType { expected, found } => write!(f, "expected {expected}, got {found}"),
            Self::Duplicate { item } => write!(f, "duplicate entries for key {item}"),
            Self::Item { index, reason } => write!(f, "element {index}: {reason}"),
            Self::TooDeep => write!(f, "nested deeper than {MAX_DEPTH} levels"),
        }
    }
}

impl fmt::Display for ItemProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "associative list with keys may not have a null element",
            Self::NotAMap => "associative list with keys may not have non-map elements",
            Self::MapInSet => "associative list without keys has an element that's a map type",
            Self::ListInSet => "not supported: associative list with lists as elements",
            Self::NullInSet => "associative list without keys has an element that's an explicit null",
            Self::NoKeys { keys } => {
                let quoted = keys.iter().map(|key| {
                    let mut text = String::new();
                    value::quote(key, &mut text);
                    text
                });
                let keys = quoted.collect::<Vec<_>>().join(" ");
                return write!(
                    f,
                    "associative list with keys has an element that omits all key fields [{keys}] (and doesn't have \
                     default values for any key fields)"
                );
            }
        })
    }
}

/// The path element of a list's item.
pub(super) fn element_of_item<'v>(
    types: &'v Types,
    list: &'v ListType,
    item: &'v Value,
) -> Result<PathElement<'v>, ItemProblem> {
    use std::borrow::Cow::Borrowed;
    if list.keys.is_empty() {
        return match item {
            Value::Object(_) => Err(ItemProblem::MapInSet),
            Value::Array(_) => Err(ItemProblem::ListInSet),
            Value::Null => Err(ItemProblem::NullInSet),
            scalar => Ok(PathElement::Value(Borrowed(scalar))),
        };
    }
    let fields = match item {
        Value::Object(fields) => fields,
        Value::Null => return Err(ItemProblem::Null),
        _ => return Err(ItemProblem::NotAMap),
    };
    let declared = types.get(list.items).map.as_ref();
    let default = |key: &str| declared.and_then(|map| map.field(key)).and_then(|field| field.default.as_ref());
    let mut key: Vec<_> = Vec::with_capacity(list.keys.len());
    for name in &list.keys {
        if let Some(value) = fields.get(name).or_else(|| default(name)) {
            key.push((Borrowed(name.as_str()), Borrowed(value)));
        }
    }
    if key.is_empty() {
        return Err(ItemProblem::NoKeys { keys: list.keys.clone() });
    }
    key.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(PathElement::Key(key))
}

/// The path elements of a list's items; an item that cannot be told apart, which a valid list has none of, goes by
/// its place.
pub(super) fn elements<'v>(types: &'v Types, list: &'v ListType, items: &'v [Value]) -> Vec<PathElement<'v>> {
    let element = |(place, item)| {
        let by_place = PathElement::Index(i64::try_from(place).unwrap_or(i64::MAX));
        element_of_item(types, list, item).unwrap_or(by_place)
    };
    items.iter().enumerate().map(element).collect()
}

/// Checks an object against its schema. `repeats` allows items of the same key or value, as what is stored may have
/// them.
pub(super) fn check(schema: &Schema, object: &Map<String, Value>, repeats: bool) -> Result<(), Vec<FieldError>> {
    // Managed fields are read on their own, and go deeper than the object.
    let unread = object.get("metadata").and_then(|metadata| metadata.get("managedFields"));
    let mut checker = Checker { types: &schema.types, repeats, unread, errors: Vec::new() };
    checker.fields(schema.object(), object, MAX_DEPTH);
    if checker.errors.is_empty() { Ok(()) } else { Err(checker.errors) }
}

struct Checker<'s> {
    types: &'s Types,
    repeats: bool,
    unread: Option<&'s Value>,
    errors: Vec<FieldError>,
}

impl<'s> Checker<'s> {
    fn value(&mut self, of: TypeId, value: &Value, depth: usize) {
        if self.unread.is_some_and(|unread| std::ptr::eq(unread, value)) {
            return;
        }
        match (self.types.get(of).shape(value), value) {
            (_, Value::Null) => {}
            (Shape::Map(map), Value::Object(fields)) => self.fields(map, fields, depth),
            (Shape::List(list), Value::Array(items)) => self.items(list, items, depth),
            (Shape::Map(_), _) => self.wrong("map", value),
            (Shape::List(_), _) => self.wrong("list", value),
            (Shape::Scalar(scalar), _) => self.scalar(scalar, value),
        }
    }

    fn fields(&mut self, map: &MapType, fields: &Map<String, Value>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return self.add(FieldProblem::TooDeep) };
        for (name, value) in fields {
            let before = self.errors.len();
            let of = map.type_of(name);
            match of {
                Some(of) => self.value(of, value, depth),
                None => self.add(FieldProblem::Undeclared),
            }
            if self.errors.len() > before {
                self.locate(before, name, &PathElement::Field(name.into()));
            }
            if of.is_none() {
                return;
            }
        }
    }

    fn items(&mut self, list: &ListType, items: &[Value], depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return self.add(FieldProblem::TooDeep) };
        let looks_for_repeats = !list.atomic && !self.repeats && items.len() > 1;
        let mut seen = BTreeSet::new();
        for (index, item) in items.iter().enumerate() {
            let element = if list.atomic {
                Ok(PathElement::Index(i64::try_from(index).unwrap_or(i64::MAX)))
            } else {
                element_of_item(self.types, list, item)
            };
            let element = match element {
                Ok(element) => element,
                Err(reason) => return self.add(FieldProblem::Item { index, reason }),
            };
            let before = self.errors.len();
            self.value(list.items, item, depth);
            if self.errors.len() > before {
                self.locate(before, &index.to_string(), &element);
            }
            if looks_for_repeats && let Some(repeated) = seen.replace(element) {
                let item = repeated.to_string();
                self.errors.insert(before.min(self.errors.len()), at_root(FieldProblem::Duplicate { item }));
            }
            if self.errors.len() >= MAX_ERRORS {
                return;
            }
        }
    }

    fn scalar(&mut self, scalar: Scalar, value: &Value) {
        let found = |write: fn(&Value, &mut String), before: &str, after: &str| {
            let mut text = before.to_owned();
            write(value, &mut text);
            text + after
        };
        match (scalar, value) {
            (Scalar::Numeric, Value::Number(_))
            | (Scalar::Text, Value::String(_))
            | (Scalar::Boolean, Value::Bool(_))
            | (Scalar::Untyped, Value::Number(_) | Value::String(_) | Value::Bool(_)) => {}
            (Scalar::Numeric, _) => {
                let found = value::go_type(value).to_owned();
                self.add(FieldProblem::WrongType { expected: "numeric (int or float)", found });
            }
            (Scalar::Text, _) => {
                let found = found(value::go_syntax, "&value.valueUnstructured{Value:", "}");
                self.add(FieldProblem::WrongType { expected: "string", found });
            }
            (Scalar::Boolean, _) => self.wrong("boolean", value),
            (Scalar::Untyped, _) => self.wrong("any scalar", value),
        }
    }

    fn wrong(&mut self, expected: &'static str, value: &Value) {
        let mut found = String::from("&{");
        value::plain(value, &mut found);
        found.push('}');
        self.add(FieldProblem::WrongType { expected, found });
    }

    fn add(&mut self, problem: FieldProblem) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(at_root(problem));
        }
    }

    /// Puts a step before the paths of the errors that were found below it.
    fn locate(&mut self, since: usize, token: &str, element: &PathElement<'_>) {
        for error in self.errors.iter_mut().skip(since) {
            let mut path = String::new();
            _ = write!(path, "{element}{}", error.path);
            error.path = path;
            let below = error.pointer.tokens().iter().map(String::as_str);
            error.pointer = Pointer::from_tokens(std::iter::once(token).chain(below));
        }
    }
}

fn at_root(problem: FieldProblem) -> FieldError {
    FieldError { path: String::new(), pointer: Pointer::default(), problem }
}

/// The fields of an object that can be owned.
pub(super) fn field_set<'v>(schema: &'v Schema, object: &'v Map<String, Value>) -> FieldSet<'v> {
    fields_of_map(&schema.types, schema.object(), object)
}

/// Whether a value is a field itself, and the fields below it.
fn fields_of<'v>(types: &'v Types, of: TypeId, value: &'v Value) -> (bool, FieldSet<'v>) {
    match (types.get(of).shape(value), value) {
        (Shape::Scalar(_), _) => (true, FieldSet::default()),
        (Shape::Map(map), _) if map.atomic => (true, FieldSet::default()),
        (Shape::List(list), _) if list.atomic => (true, FieldSet::default()),
        (Shape::Map(map), Value::Object(fields)) => (false, fields_of_map(types, map, fields)),
        (Shape::List(list), Value::Array(items)) => {
            let mut places: Vec<_> = elements(types, list, items).into_iter().zip(items).collect();
            places.sort_by(|a, b| a.0.cmp(&b.0));
            let mut set = FieldSet { nodes: Vec::with_capacity(places.len()) };
            for (element, item) in places {
                match set.nodes.last_mut().filter(|last| last.element == element) {
                    // Of items with the same key only that there are any is a field.
                    Some(last) => last.children = FieldSet::default(),
                    None => set.push(element, true, fields_of(types, list.items, item).1),
                }
            }
            (false, set)
        }
        _ => (false, FieldSet::default()),
    }
}

fn fields_of_map<'v>(types: &'v Types, map: &'v MapType, fields: &'v Map<String, Value>) -> FieldSet<'v> {
    let mut set = FieldSet { nodes: Vec::with_capacity(fields.len()) };
    for (name, value) in fields {
        let declared = map.field(name);
        let of = declared.map(|field| field.of).or(map.others).unwrap_or(DEDUCED);
        let (member, children) = fields_of(types, of, value);
        let is_empty = value.is_null() || value.as_object().is_some_and(Map::is_empty);
        set.push(PathElement::Field(name.into()), member || is_empty || declared.is_none(), children);
    }
    set
}

/// Adds the declared fields that lead to what is in the set.
pub(super) fn add_named_parents(types: &Types, of: Option<TypeId>, set: &mut FieldSet<'_>) {
    let kind = of.map(|of| types.get(of));
    for node in set.nodes.iter_mut().filter(|node| !node.children.is_empty()) {
        let below = match &node.element {
            PathElement::Field(name) => kind.and_then(|kind| kind.map.as_ref()).and_then(|map| {
                node.member |= map.field(name).is_some();
                map.type_of(name)
            }),
            PathElement::Key(_) => kind.and_then(|kind| kind.list.as_ref()).map(|list| list.items),
            PathElement::Value(_) | PathElement::Index(_) => None,
        };
        add_named_parents(types, below, &mut node.children);
    }
}

/// A set as its fields are now, where lists or maps have become atomic since it was written; `None` where it already
/// is so.
pub(super) fn reconcile<'a>(types: &Types, of: TypeId, set: &FieldSet<'a>) -> Option<FieldSet<'a>> {
    let of_node = |node: &Node<'_>| match types.get(of).first_shape() {
        Shape::Map(map) if map.is_deduced() => None,
        Shape::Map(map) => match &node.element {
            PathElement::Field(name) => map.type_of(name),
            _ => map.others,
        },
        Shape::List(list) => Some(list.items),
        Shape::Scalar(_) => None,
    };
    let mut changed: Option<FieldSet<'a>> = None;
    for (place, node) in set.nodes.iter().enumerate().filter(|(_, node)| !node.children.is_empty()) {
        let Some(of) = of_node(node) else { continue };
        let (member, children) = if is_one_field(types, of) {
            (true, Some(FieldSet::default()))
        } else {
            (node.member, reconcile(types, of, &node.children))
        };
        if let Some(children) = children
            && let Some(node) = changed.get_or_insert_with(|| set.clone()).nodes.get_mut(place)
        {
            node.member = member;
            node.children = children;
        }
    }
    changed
}

fn is_one_field(types: &Types, of: TypeId) -> bool {
    match types.get(of).first_shape() {
        Shape::Map(map) => map.atomic && !MapType::is_deduced(map),
        Shape::List(list) => list.atomic,
        Shape::Scalar(_) => false,
    }
}
