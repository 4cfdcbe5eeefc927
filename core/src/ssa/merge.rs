//! Merging an applied configuration into the live object.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::field_set::{FieldSet, PathElement};
use super::schema::{DEDUCED, ListType, MapType, Schema, Shape, TypeId, Types};
use super::typed::{element_of_item, elements};

/// Merges a configuration into a live object; both are valid. `None` where nothing changes.
///
/// Nothing is removed. What the configuration says holds; items of lists keep their order in live, and those that both
/// have follow the configuration.
pub(super) fn merge_objects(
    schema: &Schema,
    live: &Map<String, Value>,
    config: &Map<String, Value>,
) -> Option<Map<String, Value>> {
    let changes = changes(&schema.types, schema.object(), live, config);
    // The managed fields are written anew, and can be larger than the rest.
    let copy = |name: &String, value: &Value| match value {
        Value::Object(metadata) if name == "metadata" => Value::Object(copy_without(metadata, "managedFields")),
        other => other.clone(),
    };
    (!changes.is_empty()).then(|| assemble(live, changes, copy))
}

/// Copies a map but for one key.
pub(super) fn copy_without(map: &Map<String, Value>, left_out: &str) -> Map<String, Value> {
    map.iter().filter(|(key, _)| *key != left_out).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Merges a configuration into a live value. The result is `live` itself, borrowed, where nothing changes.
fn merge<'v>(types: &'v Types, of: TypeId, live: &'v Value, config: &'v Value) -> Cow<'v, Value> {
    match types.get(of).shape(config) {
        Shape::Map(map) if !map.atomic => match (non_empty_map(live), non_empty_map(config)) {
            (Some(ours), Some(theirs)) => {
                let changes = changes(types, map, ours, theirs);
                if changes.is_empty() {
                    return Cow::Borrowed(live);
                }
                Cow::Owned(Value::Object(assemble(ours, changes, |_, value| value.clone())))
            }
            (Some(_), None) => Cow::Borrowed(live),
            (None, _) => replace(live, config),
        },
        Shape::List(list) if !list.atomic => match (non_empty_list(live), non_empty_list(config)) {
            (Some(ours), Some(theirs)) => merge_lists(types, list, live, ours, theirs),
            (Some(_), None) => Cow::Borrowed(live),
            (None, _) => replace(live, config),
        },
        _ => replace(live, config),
    }
}

pub(super) fn non_empty_map(value: &Value) -> Option<&Map<String, Value>> {
    value.as_object().filter(|map| !map.is_empty())
}

pub(super) fn non_empty_list(value: &Value) -> Option<&[Value]> {
    value.as_array().filter(|items| !items.is_empty()).map(Vec::as_slice)
}

fn replace<'v>(live: &'v Value, config: &'v Value) -> Cow<'v, Value> {
    Cow::Borrowed(if live == config { live } else { config })
}

fn is(merged: &Value, live: &Value) -> bool {
    std::ptr::eq(merged, live)
}

/// What a configuration adds to a map or changes in it, by key.
fn changes<'v>(
    types: &'v Types,
    map: &'v MapType,
    ours: &'v Map<String, Value>,
    theirs: &'v Map<String, Value>,
) -> Vec<(&'v String, Cow<'v, Value>)> {
    let change = |(name, theirs): (&'v String, &'v Value)| match ours.get(name) {
        None => Some((name, Cow::Borrowed(theirs))),
        Some(ours) => {
            let merged = merge(types, map.type_of(name).unwrap_or(DEDUCED), ours, theirs);
            (!is(&merged, ours)).then_some((name, merged))
        }
    };
    theirs.iter().filter_map(change).collect()
}

fn assemble(
    ours: &Map<String, Value>,
    changes: Vec<(&String, Cow<'_, Value>)>,
    copy: impl Fn(&String, &Value) -> Value,
) -> Map<String, Value> {
    let stays = |name: &String| changes.binary_search_by(|(changed, _)| (*changed).cmp(name)).is_err();
    let kept = ours.iter().filter(|(name, _)| stays(name)).map(|(name, value)| (name.clone(), copy(name, value)));
    let mut merged: Map<String, Value> = kept.collect();
    merged.extend(changes.into_iter().map(|(name, value)| (name.clone(), value.into_owned())));
    merged
}

/// What is known of an element while two lists are merged.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// Place in live, where it is there just once.
    ours: Option<usize>,
    in_ours: bool,
    /// Place in the configuration.
    theirs: Option<usize>,
    merged: bool,
}

#[expect(clippy::indexing_slicing, reason = "every element was given a slot, and places are those of the lists")]
fn merge_lists<'v>(
    types: &'v Types,
    list: &'v ListType,
    live: &'v Value,
    ours: &'v [Value],
    theirs: &'v [Value],
) -> Cow<'v, Value> {
    // A valid configuration has no element twice, and each merged with its like stays as it is.
    if ours == theirs {
        return Cow::Borrowed(live);
    }
    let (our_ids, their_ids, count) = number(elements(types, list, ours), elements(types, list, theirs));
    let mut slots = vec![Slot::default(); count];
    for (place, id) in our_ids.iter().enumerate() {
        let slot = &mut slots[*id];
        slot.ours = (!slot.in_ours).then_some(place);
        slot.in_ours = true;
    }
    for (place, id) in their_ids.iter().enumerate() {
        slots[*id].theirs = Some(place);
    }
    // Items that both have come in the order of the configuration.
    let mut shared = their_ids.iter().copied().filter(|id| slots[*id].in_ours).collect::<Vec<_>>().into_iter();
    let mut next_shared = shared.next();
    let merge_item = |slot: Slot, theirs: &'v Value| match slot.ours {
        Some(place) => merge(types, list.items, &ours[place], theirs),
        None => Cow::Borrowed(theirs),
    };

    let mut out: Vec<Cow<'v, Value>> = Vec::with_capacity(ours.len().max(theirs.len()));
    let (mut left, mut right) = (0, 0);
    while left < ours.len() || right < theirs.len() {
        if left < ours.len() && right < theirs.len() {
            let id = our_ids[left];
            if id == their_ids[right] {
                slots[id].merged = true;
                out.push(merge_item(slots[id], &theirs[right]));
                left += 1;
                right += 1;
                next_shared = shared.next();
                continue;
            }
            if slots[id].theirs.is_some() && next_shared.is_some_and(|next| next != id) {
                left += 1;
                continue;
            }
        }
        if left < ours.len() {
            let slot = slots[our_ids[left]];
            if slot.theirs.is_none() {
                out.push(Cow::Borrowed(&ours[left]));
                left += 1;
                continue;
            }
            if slot.merged {
                left += 1;
            }
        }
        if right < theirs.len() {
            let id = their_ids[right];
            slots[id].merged = true;
            out.push(merge_item(slots[id], &theirs[right]));
            right += 1;
            if next_shared == Some(id) {
                next_shared = shared.next();
            }
        }
    }
    if out.len() == ours.len() && out.iter().zip(ours).all(|(merged, ours)| is(merged, ours)) {
        return Cow::Borrowed(live);
    }
    Cow::Owned(Value::Array(out.into_iter().map(Cow::into_owned).collect()))
}

/// Gives equal elements of two lists the same number, from 0, and tells how many numbers there are.
fn number(ours: Vec<PathElement<'_>>, theirs: Vec<PathElement<'_>>) -> (Vec<usize>, Vec<usize>, usize) {
    let split = ours.len();
    let all: Vec<PathElement<'_>> = ours.into_iter().chain(theirs).collect();
    let mut sorted: Vec<(usize, &PathElement<'_>)> = all.iter().enumerate().collect();
    sorted.sort_by(|a, b| a.1.cmp(b.1));
    let mut ids = vec![0; all.len()];
    let mut count = 0;
    let mut last = None;
    for (place, element) in sorted {
        count += usize::from(last != Some(element));
        last = Some(element);
        if let Some(id) = ids.get_mut(place) {
            *id = count - 1;
        }
    }
    let theirs = ids.split_off(split);
    (ids, theirs, count)
}

/// Removes the fields of a set from an object.
///
/// A list or map that loses all it had becomes null, and so does an atomic one in which something is to be removed.
pub(super) fn remove_fields(schema: &Schema, object: &mut Map<String, Value>, set: &FieldSet<'_>) {
    remove_from_map(&schema.types, schema.object(), object, set);
}

fn remove_from_map(types: &Types, map: &MapType, fields: &mut Map<String, Value>, set: &FieldSet<'_>) {
    for node in &set.nodes {
        let PathElement::Field(name) = &node.element else { continue };
        if node.member {
            fields.remove(name.as_ref());
        } else if let Some(inner) = fields.get_mut(name.as_ref()) {
            remove(types, map.type_of(name).unwrap_or(DEDUCED), inner, &node.children);
        }
    }
}

fn remove(types: &Types, of: TypeId, value: &mut Value, set: &FieldSet<'_>) {
    let emptied = match (types.get(of).shape(value), &mut *value) {
        (Shape::Scalar(_), _) => false,
        (Shape::Map(map), Value::Object(fields)) if !map.atomic && !fields.is_empty() => {
            remove_from_map(types, map, fields, set);
            fields.is_empty()
        }
        (Shape::List(list), Value::Array(items)) if !list.atomic && !items.is_empty() => {
            items.retain_mut(|item| {
                let node = element_of_item(types, list, item).ok().and_then(|element| set.get(&element));
                let Some(node) = node else { return true };
                if !node.member {
                    remove(types, list.items, item, &node.children);
                }
                !node.member
            });
            items.is_empty()
        }
        _ => true,
    };
    if emptied {
        *value = Value::Null;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::schema::Schema;
    use super::*;

    fn schema() -> Schema {
        Schema::of_structural(&json!({"type": "object", "properties": {
            "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "list": {"type": "array", "items": {"type": "integer"}},
            "items": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
                "items": {"type": "object", "properties": {"name": {"type": "string"}, "v": {"type": "integer"}}}},
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "atomic": {"type": "object", "x-kubernetes-map-type": "atomic", "additionalProperties": {"type": "integer"}},
        }}))
        .unwrap()
    }

    fn check(live: Value, config: Value, expect: Value) {
        let merged = merge_objects(&schema(), live.as_object().unwrap(), config.as_object().unwrap());
        assert_eq!(merged.is_none(), live == expect, "{live} is kept where nothing changes");
        assert_eq!(merged.map_or(live.clone(), Value::Object), expect, "{live} with {config}");
    }

    #[test]
    fn maps() {
        check(
            json!({"map": {"a": 1, "c": 3}}),
            json!({"map": {"b": 2, "c": 4}}),
            json!({"map": {"a": 1, "b": 2, "c": 4}}),
        );
        check(json!({"map": {"a": 1}}), json!({"map": {"a": 1}}), json!({"map": {"a": 1}}));
        check(json!({"map": {"a": 1}}), json!({"map": {}}), json!({"map": {"a": 1}}));
        check(json!({"map": {"a": 1}}), json!({"map": null}), json!({"map": {"a": 1}}));
        check(json!({"map": null}), json!({"map": {}}), json!({"map": {}}));
        check(json!({"map": {}}), json!({"map": null}), json!({"map": null}));
        check(json!({"atomic": {"a": 1}}), json!({"atomic": {"b": 2}}), json!({"atomic": {"b": 2}}));
        check(json!({"atomic": {"a": 1}}), json!({"atomic": null}), json!({"atomic": null}));
    }

    #[test]
    fn lists() {
        let sets = |live: &[&str], config: &[&str], expect: &[&str]| {
            check(json!({"set": live}), json!({"set": config}), json!({"set": expect}));
        };
        sets(&["a", "b", "c"], &["b"], &["a", "b", "c"]);
        sets(&["a", "b", "c"], &["c", "a"], &["b", "c", "a"]);
        sets(&["c", "a"], &["b", "a"], &["c", "b", "a"]);
        sets(&["1", "2", "3"], &["4", "3", "5", "1"], &["2", "4", "3", "5", "1"]);
        sets(&["a", "a"], &["b"], &["a", "a", "b"]);
        sets(&["a", "b", "a"], &["a"], &["a", "b"]);
        sets(&["b", "a", "c", "a"], &["d", "a"], &["b", "d", "a", "c"]);
        sets(&[], &["a"], &["a"]);
        sets(&["a"], &[], &["a"]);
        check(json!({"list": [1, 2]}), json!({"list": [2]}), json!({"list": [2]}));
        check(
            json!({"items": [{"name": "a", "v": 1}, {"name": "b", "v": 2}]}),
            json!({"items": [{"name": "b", "v": 3}, {"name": "c"}]}),
            json!({"items": [{"name": "a", "v": 1}, {"name": "b", "v": 3}, {"name": "c"}]}),
        );
        check(
            json!({"items": [{"name": "a", "v": 1}, {"name": "a", "v": 2}]}),
            json!({"items": [{"name": "a"}]}),
            json!({"items": [{"name": "a"}]}),
        );
    }

    #[test]
    fn removing() {
        let check = |value: Value, set: Value, expect: Value| {
            let mut left = value.as_object().unwrap().clone();
            remove_fields(&schema(), &mut left, &FieldSet::parse(&set).unwrap());
            assert_eq!(Value::Object(left), expect, "{value} without {set}");
        };
        check(json!({"map": {"a": 1, "b": 2}}), json!({"f:map": {"f:a": {}, "f:z": {}}}), json!({"map": {"b": 2}}));
        check(json!({"map": {"a": 1}}), json!({"f:map": {"f:a": {}}}), json!({"map": null}));
        check(json!({"map": {"a": 1}}), json!({"f:map": {}}), json!({}));
        check(json!({"atomic": {"a": 1}}), json!({"f:atomic": {"f:a": {}}}), json!({"atomic": null}));
        check(json!({"set": ["a", "b"]}), json!({"f:set": {"v:\"a\"": {}}}), json!({"set": ["b"]}));
        check(
            json!({"items": [{"name": "a", "v": 1}]}),
            json!({"f:items": {"k:{\"name\":\"a\"}": {"f:v": {}}}}),
            json!({"items": [{"name": "a"}]}),
        );
        check(
            json!({"items": [{"name": "a"}]}),
            json!({"f:items": {"k:{\"name\":\"a\"}": {}}}),
            json!({"items": null}),
        );
    }
}
