//! Which fields differ between two objects.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::field_set::{FieldSet, PathElement};
use super::merge::{non_empty_list, non_empty_map};
use super::schema::{DEDUCED, ListType, MapType, Schema, Shape, Type, TypeId, Types};
use super::typed::elements;
use super::value::equal;

/// The fields by which one object differs from another.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Comparison<'v> {
    pub(super) added: FieldSet<'v>,
    pub(super) modified: FieldSet<'v>,
    pub(super) removed: FieldSet<'v>,
}

/// Compares two valid objects.
pub(super) fn compare<'v>(
    schema: &'v Schema,
    before: &'v Map<String, Value>,
    after: &'v Map<String, Value>,
) -> Comparison<'v> {
    maps(&schema.types, schema.object(), Some(before), Some(after))
}

/// What was found at a value and below it.
#[derive(Default)]
struct Found<'v> {
    modified: bool,
    below: Comparison<'v>,
}

fn both<'v>(types: &'v Types, of: TypeId, before: &'v Value, after: &'v Value) -> Found<'v> {
    if std::ptr::eq(before, after) {
        return Found::default();
    }
    let kind = types.get(of);
    let found = as_shape(types, kind.shape(after), before, after);
    if same_shape(kind, before, after) {
        return found;
    }
    // What was one kind of value and is now another is compared as either.
    let old = as_shape(types, kind.shape(before), before, after);
    Found { modified: found.modified || old.modified, below: old.below.union(found.below) }
}

/// Whether two values are the same of what their type may be.
fn same_shape(kind: &Type, before: &Value, after: &Value) -> bool {
    let known = usize::from(kind.map.is_some()) + usize::from(kind.list.is_some()) + usize::from(kind.scalar.is_some());
    let of_value = |value: &Value| match value {
        Value::Null => 0,
        Value::Object(_) => 1,
        Value::Array(_) => 2,
        _ => 3,
    };
    known < 2 || of_value(before) == of_value(after)
}

fn as_shape<'v>(types: &'v Types, shape: Shape<'v>, before: &'v Value, after: &'v Value) -> Found<'v> {
    match shape {
        Shape::Map(map) if !map.atomic => {
            let (before_map, after_map) = (non_empty_map(before), non_empty_map(after));
            if before_map.is_some() || after_map.is_some() {
                return Found { modified: false, below: maps(types, map, before_map, after_map) };
            }
        }
        Shape::List(list) if !list.atomic => {
            let (before_items, after_items) = (non_empty_list(before), non_empty_list(after));
            if before_items.is_some() || after_items.is_some() {
                let (before, after) = (before_items.unwrap_or_default(), after_items.unwrap_or_default());
                return Found { modified: false, below: lists(types, list, before, after) };
            }
        }
        _ => {}
    }
    Found { modified: !equal(before, after), below: Comparison::default() }
}

fn maps<'v>(
    types: &'v Types,
    map: &'v MapType,
    before: Option<&'v Map<String, Value>>,
    after: Option<&'v Map<String, Value>>,
) -> Comparison<'v> {
    let mut out = Comparison::default();
    let mut old = before.into_iter().flatten().peekable();
    let mut new = after.into_iter().flatten().peekable();
    loop {
        let order = match (old.peek(), new.peek()) {
            (Some((a, _)), Some((b, _))) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return out,
        };
        let old = old.next_if(|_| order.is_le());
        let new = new.next_if(|_| order.is_ge());
        let Some((name, _)) = old.or(new) else { return out };
        let of = map.type_of(name).unwrap_or(DEDUCED);
        out.push(types, of, PathElement::Field(name.into()), old.map(|(_, v)| v), new.map(|(_, v)| v));
    }
}

fn lists<'v>(types: &'v Types, list: &'v ListType, before: &'v [Value], after: &'v [Value]) -> Comparison<'v> {
    let side = |items: &'v [Value], is_new: bool| {
        elements(types, list, items).into_iter().zip(items).map(move |(element, item)| (element, is_new, item))
    };
    let mut all: Vec<_> = side(before, false).chain(side(after, true)).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    let mut out = Comparison::default();
    for group in all.chunk_by(|a, b| a.0 == b.0) {
        // The sort is stable, so that what was comes before what is.
        let (old, new) = group.split_at(group.partition_point(|(_, is_new, _)| !is_new));
        let Some((element, ..)) = group.first() else { continue };
        let element = element.clone();
        let first = |side: &[(PathElement<'_>, bool, &'v Value)]| side.first().map(|(_, _, item)| *item);
        match (old.len(), new.len()) {
            (0 | 1, 0 | 1) => out.push(types, list.items, element, first(old), first(new)),
            // Items that share a key are one field as long as they are several.
            (2.., 2..) => {
                let same = old.len() == new.len() && old.iter().zip(new).all(|((.., a), (.., b))| equal(a, b));
                out.modified.push(element, !same, FieldSet::default());
            }
            (2.., _) => {
                out.removed.push(element.clone(), true, FieldSet::default());
                out.push(types, list.items, element, None, first(new));
            }
            (_, 2..) => {
                out.added.push(element.clone(), true, FieldSet::default());
                out.push(types, list.items, element, first(old), None);
            }
        }
    }
    out
}

impl<'v> Comparison<'v> {
    /// Leaves a top-level field and all below it out.
    pub(super) fn ignore(&mut self, name: &str) {
        for set in [&mut self.added, &mut self.modified, &mut self.removed] {
            set.nodes.retain(|node| !matches!(&node.element, PathElement::Field(field) if field == name));
        }
    }

    fn union(self, other: Self) -> Self {
        Self {
            added: self.added.union(other.added),
            modified: self.modified.union(other.modified),
            removed: self.removed.union(other.removed),
        }
    }

    /// Adds what differs at an element and below; elements come in their order.
    fn push(
        &mut self,
        types: &'v Types,
        of: TypeId,
        element: PathElement<'v>,
        before: Option<&'v Value>,
        after: Option<&'v Value>,
    ) {
        match (before, after) {
            (Some(before), Some(after)) => {
                let Found { modified, below } = both(types, of, before, after);
                self.added.push(element.clone(), false, below.added);
                self.modified.push(element.clone(), modified, below.modified);
                self.removed.push(element, false, below.removed);
            }
            (Some(before), None) => self.removed.push(element, true, whole(types, of, before)),
            (None, Some(after)) => self.added.push(element, true, whole(types, of, after)),
            (None, None) => {}
        }
    }
}

/// Everything below a value that is there on one side alone, each map and list on the way included.
fn whole<'v>(types: &'v Types, of: TypeId, value: &'v Value) -> FieldSet<'v> {
    let mut set = FieldSet::default();
    match (types.get(of).shape(value), value) {
        (Shape::Map(map), Value::Object(fields)) if !map.atomic => {
            for (name, value) in fields {
                let of = map.type_of(name).unwrap_or(DEDUCED);
                set.push(PathElement::Field(name.into()), true, whole(types, of, value));
            }
        }
        (Shape::List(list), Value::Array(items)) if !list.atomic => {
            let mut places: Vec<_> = elements(types, list, items).into_iter().zip(items).collect();
            places.sort_by(|a, b| a.0.cmp(&b.0));
            for (element, item) in places {
                match set.nodes.last_mut().filter(|last| last.element == element) {
                    Some(last) => last.children = FieldSet::default(),
                    None => set.push(element, true, whole(types, list.items, item)),
                }
            }
        }
        _ => {}
    }
    set
}
