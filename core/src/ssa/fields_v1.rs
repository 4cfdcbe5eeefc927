//! `FieldsV1`, the form of a field set in an object's managed fields.
//!
//! A key of its maps is a path element with a prefix (`f:` field, `k:` key, `v:` value, `i:` index) or `.` for the map
//! itself. Keys of a kind that is not known are left out, as the API server leaves them out.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use super::field_set::{FieldSet, Node, PathElement};
use super::value;
use crate::limits::MAX_DEPTH;

/// Why a value is no field set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldsV1Error {
    /// A node of the tree is no map.
    #[error("a field set is a tree of maps, under `{key}` is {found}")]
    NotAMap {
        /// The key under which it is; empty at the root.
        key: String,
        /// The JSON type that was found.
        found: &'static str,
    },
    /// A key has no prefix such as `f:`.
    #[error("the key `{key}` of a field set has no prefix such as `f:`")]
    NoPrefix {
        /// The key.
        key: String,
    },
    /// What follows `k:` or `v:` is not JSON of the right type.
    #[error("the key `{key}` of a field set does not hold the JSON that its prefix announces")]
    NotJson {
        /// The key.
        key: String,
    },
    /// What follows `i:` is no integer.
    #[error("the key `{key}` of a field set does not hold an index")]
    NoIndex {
        /// The key.
        key: String,
    },
    /// The tree is nested deeper than [`MAX_DEPTH`].
    #[error("the field set is nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

impl<'a> FieldSet<'a> {
    /// Reads a field set from its `FieldsV1` form.
    ///
    /// # Errors
    ///
    /// Where the value is no tree of maps, or a key is not of the form that its prefix announces.
    pub fn parse(fields: &'a Value) -> Result<Self, FieldsV1Error> {
        let mut complete = true;
        Self::parse_noting(fields, &mut complete)
    }

    /// Reads a field set; `complete` becomes false where something was left out or was not in its shortest form.
    pub(super) fn parse_noting(fields: &'a Value, complete: &mut bool) -> Result<Self, FieldsV1Error> {
        match fields {
            Value::Null => Ok(Self::default()),
            Value::Object(map) => read(map, MAX_DEPTH, complete).map(|(_, set)| set),
            other => Err(not_a_map("", other)),
        }
    }

    /// The `FieldsV1` form of the set.
    pub fn to_fields_v1(&self) -> Value {
        let mut map = Map::new();
        let mut key = String::new();
        for node in &self.nodes {
            key.clear();
            write_key(&node.element, &mut key);
            let mut children = node.children.to_fields_v1();
            if node.member
                && !node.children.is_empty()
                && let Value::Object(children) = &mut children
            {
                children.insert(".".to_owned(), Value::Object(Map::new()));
            }
            map.insert(key.clone(), children);
        }
        Value::Object(map)
    }
}

/// Reads a map of the tree: whether it is itself in the set, and what is below.
fn read<'a>(
    map: &'a Map<String, Value>,
    depth: usize,
    complete: &mut bool,
) -> Result<(bool, FieldSet<'a>), FieldsV1Error> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(FieldsV1Error::TooDeep);
    };
    let mut member = false;
    let mut nodes = Vec::with_capacity(map.len());
    for (key, value) in map {
        if key == "." {
            member = true;
            *complete &= map.len() > 1;
            continue;
        }
        let Some(element) = read_key(key)? else {
            *complete = false;
            continue;
        };
        let (member, children) = match value {
            Value::Object(inner) => read(inner, depth, complete)?,
            Value::Null => {
                *complete = false;
                (true, FieldSet::default())
            }
            other => return Err(not_a_map(key, other)),
        };
        nodes.push(Node { element, member, children });
    }
    let set = FieldSet::from_unsorted(nodes);
    // A map without fields below stands for itself.
    Ok((member || set.is_empty(), set))
}

fn not_a_map(key: &str, found: &Value) -> FieldsV1Error {
    FieldsV1Error::NotAMap { key: key.to_owned(), found: crate::object::json_type(found) }
}

/// Reads a key; `None` is one of a kind that is not known.
fn read_key(key: &str) -> Result<Option<PathElement<'_>>, FieldsV1Error> {
    let (Some([kind, b':']), Some(content)) = (key.as_bytes().first_chunk(), key.get(2..)) else {
        return Err(FieldsV1Error::NoPrefix { key: key.to_owned() });
    };
    let not_json = || FieldsV1Error::NotJson { key: key.to_owned() };
    let element = match kind {
        b'f' => PathElement::Field(Cow::Borrowed(content)),
        b'v' => {
            let value = serde_json::from_str(content).map_err(|_| not_json())?;
            PathElement::Value(Cow::Owned(numbers_as_floats(value)))
        }
        b'k' => {
            let fields: Map<String, Value> = serde_json::from_str(content).map_err(|_| not_json())?;
            let field = |(name, value)| (Cow::Owned(name), Cow::Owned(numbers_as_floats(value)));
            PathElement::Key(fields.into_iter().map(field).collect())
        }
        b'i' => {
            let index = content.parse().map_err(|_| FieldsV1Error::NoIndex { key: key.to_owned() })?;
            PathElement::Index(index)
        }
        _ => return Ok(None),
    };
    Ok(Some(element))
}

/// The server reads the numbers of these keys as floats, which shows where it prints them.
fn numbers_as_floats(value: Value) -> Value {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().and_then(Number::from_f64);
            Value::Number(float.unwrap_or(number))
        }
        Value::Array(items) => Value::Array(items.into_iter().map(numbers_as_floats).collect()),
        Value::Object(map) => {
            Value::Object(map.into_iter().map(|(key, value)| (key, numbers_as_floats(value))).collect())
        }
        other => other,
    }
}

fn write_key(element: &PathElement<'_>, out: &mut String) {
    match element {
        PathElement::Field(name) => {
            out.push_str("f:");
            out.push_str(name);
        }
        PathElement::Key(fields) => {
            out.push_str("k:{");
            for (position, (name, value)) in fields.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                value::write_json_text(name, false, out);
                out.push(':');
                value::write_json(value, out);
            }
            out.push('}');
        }
        PathElement::Value(value) => {
            out.push_str("v:");
            value::write_json(value, out);
        }
        PathElement::Index(index) => {
            out.push_str("i:");
            out.push_str(&index.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_is_what_was_read() {
        let check = |fields: Value| assert_eq!(FieldSet::parse(&fields).unwrap().to_fields_v1(), fields);
        check(json!({}));
        check(json!({"f:a": {}, "f:b": {".": {}, "f:c": {}}, "f:d": {"f:e": {}}}));
        check(
            json!({"k:{\"port\":80,\"protocol\":\"TCP\"}": {".": {}, "f:port": {}}, "v:\"x\"": {}, "v:1.5": {}, "i:3": {}}),
        );
        check(json!({"f:": {}, "f:a:b": {}, "f:.": {}, "v:\"\\u003cx\\u003e\"": {}}));
    }

    #[test]
    fn forms_that_mean_the_same() {
        let check = |fields: Value, same: Value| assert_eq!(FieldSet::parse(&fields).unwrap().to_fields_v1(), same);
        check(json!(null), json!({}));
        check(json!({"f:a": null}), json!({"f:a": {}}));
        check(json!({"f:a": {".": {}}}), json!({"f:a": {}}));
        check(json!({"x:new": {"f:a": {}}, "f:b": {}}), json!({"f:b": {}}));
        check(json!({"k:{ \"b\": 1.0, \"a\": 2 }": {}}), json!({"k:{\"a\":2,\"b\":1}": {}}));
        check(json!({"v:1": {}, "v:1.0": {"f:a": {}}}), json!({"v:1": {".": {}, "f:a": {}}}));
    }

    #[test]
    fn what_is_no_field_set() {
        let check = |fields: Value, expect: FieldsV1Error| assert_eq!(FieldSet::parse(&fields), Err(expect));
        check(json!([]), FieldsV1Error::NotAMap { key: String::new(), found: "a list" });
        check(json!({"f:a": "x"}), FieldsV1Error::NotAMap { key: "f:a".into(), found: "a string" });
        check(json!({"a": {}}), FieldsV1Error::NoPrefix { key: "a".into() });
        check(json!({"": {}}), FieldsV1Error::NoPrefix { key: String::new() });
        check(json!({"ff:a": {}}), FieldsV1Error::NoPrefix { key: "ff:a".into() });
        check(json!({"k:[1]": {}}), FieldsV1Error::NotJson { key: "k:[1]".into() });
        check(json!({"k:{": {}}), FieldsV1Error::NotJson { key: "k:{".into() });
        check(json!({"v:": {}}), FieldsV1Error::NotJson { key: "v:".into() });
        check(json!({"v:1 2": {}}), FieldsV1Error::NotJson { key: "v:1 2".into() });
        check(json!({"i:x": {}}), FieldsV1Error::NoIndex { key: "i:x".into() });
    }

    #[test]
    fn depth_is_bounded() {
        let deep = (0..5_000).fold(json!({}), |inner, _| {
            let mut map = Map::new();
            map.insert("f:a".to_owned(), inner);
            Value::Object(map)
        });
        assert_eq!(FieldSet::parse(&deep), Err(FieldsV1Error::TooDeep));
    }

    fn fields() -> impl Strategy<Value = Value> {
        let key = prop_oneof![
            "[a-c]{1,2}".prop_map(|name| format!("f:{name}")),
            (0..4_i32, "[a-b<\"]").prop_map(|(port, name)| format!("k:{}", json!({"port": port, "name": name}))),
            any::<i32>().prop_map(|number| format!("v:{number}")),
            "\\PC{0,3}".prop_map(|text| format!("v:{}", json!(text))),
            (0..9_u8).prop_map(|index| format!("i:{index}")),
        ];
        let leaf = Just(json!({}));
        leaf.prop_recursive(4, 24, 4, move |inner| {
            (prop::collection::btree_map(key.clone(), inner, 1..4), any::<bool>()).prop_map(|(children, member)| {
                let mut map: Map<String, Value> = children.into_iter().collect();
                if member {
                    map.insert(".".to_owned(), json!({}));
                }
                Value::Object(map)
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn reading_undoes_writing(fields in fields()) {
            let set = FieldSet::parse(&fields).unwrap();
            let written = set.to_fields_v1();
            prop_assert_eq!(&FieldSet::parse(&written).unwrap(), &set);
            prop_assert_eq!(FieldSet::parse(&written).unwrap().to_fields_v1(), written.clone());
        }

        #[test]
        fn sets_obey_the_laws_of_sets(a in fields(), b in fields()) {
            let (a, b) = (FieldSet::parse(&a).unwrap(), FieldSet::parse(&b).unwrap());
            let union = a.clone().union(b.clone());
            prop_assert_eq!(&union, &b.clone().union(a.clone()));
            prop_assert!(a.is_subset(&union) && b.is_subset(&union));
            let both = a.intersection(&b);
            prop_assert_eq!(&both, &b.intersection(&a));
            prop_assert_eq!(a.len() + b.len(), union.len() + both.len());
            prop_assert_eq!(&a.clone().difference(&b).union(both), &a);
            prop_assert!(a.clone().difference(&a).is_empty());
            prop_assert!(a.clone().recursive_difference(&b).is_subset(&a.clone().difference(&b)));
        }

        #[test]
        fn any_key_is_read_or_refused(key in "[fkvi.]?:?\\PC{0,12}") {
            let mut map = Map::new();
            map.insert(key, json!({}));
            let _ = FieldSet::parse(&Value::Object(map));
        }
    }
}
