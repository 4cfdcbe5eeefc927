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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Checks what was added, modified and removed, each as paths separated by spaces.
    fn check(before: Value, after: Value, added: &str, modified: &str, removed: &str) {
        let schema = Schema::of_structural(&json!({"type": "object", "properties": {
            "n": {"type": "integer"},
            "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "list": {"type": "array", "items": {"type": "integer"}},
            "items": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}}},
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "atomic": {"type": "object", "x-kubernetes-map-type": "atomic"},
            "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        }}))
        .unwrap();
        let found = compare(&schema, before.as_object().unwrap(), after.as_object().unwrap());
        let shown = |set: &FieldSet<'_>| set.paths().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let expect = [added, modified, removed].map(str::to_owned);
        assert_eq!([shown(&found.added), shown(&found.modified), shown(&found.removed)], expect, "{before} {after}");
    }

    #[test]
    fn fields_and_maps() {
        check(json!({"n": 1}), json!({"n": 2}), "", ".n", "");
        check(json!({"n": 1}), json!({"n": 1.0}), "", "", "");
        check(json!({"n": 1}), json!({"n": null}), "", ".n", "");
        check(json!({}), json!({"map": {"a": 1}}), ".map .map.a", "", "");
        check(json!({"map": {"a": 1, "b": 1}}), json!({"map": {"b": 2, "c": 3}}), ".map.c", ".map.b", ".map.a");
        check(json!({"map": {"a": 1}}), json!({"map": {}}), "", "", ".map.a");
        check(json!({"map": {}}), json!({"map": null}), "", ".map", "");
        check(json!({"atomic": {"a": 1}}), json!({"atomic": {"a": 2}}), "", ".atomic", "");
    }

    #[test]
    fn lists() {
        check(json!({"list": [1]}), json!({"list": [1, 2]}), "", ".list", "");
        check(json!({"set": ["a", "b"]}), json!({"set": ["b", "c"]}), ".set[=\"c\"]", "", ".set[=\"a\"]");
        check(json!({"set": ["a", "b"]}), json!({"set": ["b", "a"]}), "", "", "");
        let items = |items: &[(&str, i32)]| {
            let item = |(k, v): &(&str, i32)| json!({"k": k, "v": v});
            json!({"items": items.iter().map(item).collect::<Vec<_>>()})
        };
        check(items(&[("a", 1)]), items(&[("a", 2)]), "", ".items[k=\"a\"].v", "");
        let (a, below) = (".items[k=\"a\"]", ".items[k=\"a\"].k .items[k=\"a\"].v");
        check(items(&[]), items(&[("a", 1)]), &format!("{a} {below}"), "", "");
    }

    #[test]
    fn items_that_share_a_key_are_one_field() {
        let items =
            |values: &[i32]| json!({"items": values.iter().map(|v| json!({"k": "a", "v": v})).collect::<Vec<_>>()});
        let a = ".items[k=\"a\"]";
        let all = ".items[k=\"a\"] .items[k=\"a\"].k .items[k=\"a\"].v";
        check(items(&[1, 2]), items(&[1, 3]), "", a, "");
        check(items(&[1, 2]), items(&[1, 2]), "", "", "");
        check(items(&[1, 2]), items(&[1]), all, "", a);
        check(items(&[1]), items(&[1, 2]), a, "", all);
        check(items(&[1, 2]), items(&[]), "", "", a);
    }

    #[test]
    fn what_becomes_another_kind_of_value() {
        check(json!({"any": {"x": {"a": 1}}}), json!({"any": {"x": 1}}), "", ".any.x", ".any.x.a");
        check(json!({"any": {"x": 1}}), json!({"any": {"x": {"a": 1}}}), ".any.x.a", ".any.x", "");
        check(json!({"any": {"x": [1]}}), json!({"any": {"x": "1"}}), "", ".any.x", "");
        check(json!({"any": {"x": {"a": 1}}}), json!({"any": {"x": null}}), "", "", ".any.x.a");
    }
}
