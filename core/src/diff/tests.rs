use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::payload::{PayloadContent, encode_gzip};

/// Each change as one line: kind, pointer, and the values.
fn brief(before: Option<&Value>, after: Option<&Value>, options: DiffOptions) -> Vec<String> {
    let found = changes(before, after, options);
    let value = |value: &Option<Value>| value.as_ref().map_or(String::new(), |value| format!(" {value}"));
    found
        .iter()
        .map(|change| {
            let sign = match change.kind {
                ChangeKind::Added => "+",
                ChangeKind::Removed => "-",
                ChangeKind::Replaced => "~",
                ChangeKind::TypeOnly => "t",
            };
            format!("{sign}{}{}{}", change.pointer, value(&change.before), value(&change.after))
        })
        .collect()
}

fn check(before: Value, after: Value, expect: &[&str]) {
    assert_eq!(brief(Some(&before), Some(&after), DiffOptions::EVERYTHING), expect, "{before} {after}");
    check_laws(&before, &after);
}

fn check_laws(before: &Value, after: &Value) {
    let found = changes(Some(before), Some(after), DiffOptions::EVERYTHING);
    assert_eq!(apply_changes(Some(before), &found).unwrap().as_ref(), Some(after), "{found:?}");
    let patch = to_patch(before, after);
    let mut patched = before.clone();
    let operations: json_patch::Patch = serde_json::from_value(patch.clone()).unwrap();
    json_patch::patch(&mut patched, &operations).unwrap_or_else(|error| panic!("{error}: {patch}"));
    assert_eq!(&patched, after, "{patch}");
    let written = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Change>>(&written).unwrap(), found);
    let mut leaves = Vec::new();
    leaves_of(&tree(Some(before), Some(after), DiffOptions::EVERYTHING), &mut leaves);
    assert!(leaves.iter().all(|leaf| found.contains(leaf)) && leaves.len() == found.len());
}

fn leaves_of(node: &ChangeNode, leaves: &mut Vec<Change>) {
    leaves.extend(node.change.clone());
    assert!(node.change.is_none() || node.children.is_empty());
    node.children.iter().for_each(|child| leaves_of(child, leaves));
}

#[test]
fn maps() {
    check(json!({"a": 1, "b": {"c": 1}}), json!({"a": 1, "b": {"c": 1}}), &[]);
    check(json!({"a": {"b": {"c": 1}}}), json!({"a": {}}), &["-/a/b {\"c\":1}"]);
    check(json!({}), json!({"a": {"b": {"c": 1}}}), &["+/a {\"b\":{\"c\":1}}"]);
    check(json!({"a": null}), json!({}), &["-/a null"]);
    check(json!({}), json!({"a": null}), &["+/a null"]);
    check(json!({"a/b": {"~": 1}}), json!({"a/b": {"~": 2}}), &["~/a~1b/~0 1 2"]);
    check(json!({"a": {"b": 1}}), json!({"a": [1]}), &["~/a {\"b\":1} [1]"]);
    check(json!([]), json!({}), &["~ [] {}"]);
}

#[test]
fn types() {
    check(json!({"a": "true"}), json!({"a": true}), &["t/a \"true\" true"]);
    check(json!({"a": 3}), json!({"a": "3"}), &["t/a 3 \"3\""]);
    check(json!({"a": 3}), json!({"a": 3.0}), &["t/a 3 3.0"]);
    check(json!({"a": null}), json!({"a": "null"}), &["t/a null \"null\""]);
    check(json!({"a": "yes"}), json!({"a": true}), &["~/a \"yes\" true"]);
    check(json!(["1", "x"]), json!([1, "x"]), &["t/0 \"1\" 1"]);
}

#[test]
fn lists_without_identity() {
    check(json!(["a", "b", "c"]), json!(["a", "x", "c"]), &["~/1 \"b\" \"x\""]);
    check(json!([1, 2, 3, 4]), json!([2, 4, 5]), &["-/2 3", "-/0 1", "+/2 5"]);
    check(json!([]), json!([1, 2]), &["+/0 1", "+/1 2"]);
    check(json!([1, 2]), json!([]), &["-/1 2", "-/0 1"]);
    check(json!([[1, 2], [3]]), json!([[0], [1, 2, 9], [3]]), &["-/0/1 2", "~/0/0 1 0", "+/1 [1,2,9]"]);
    check(
        json!([{"verbs": ["get"], "apiGroups": [""]}, {"verbs": ["list"]}]),
        json!([{"verbs": ["get", "watch"], "apiGroups": [""]}, {"verbs": ["list"]}]),
        &["+/0/verbs/1 \"watch\""],
    );
}

#[test]
fn lists_with_identity() {
    check(
        json!([{"name": "a", "v": 1}, {"name": "b", "v": 1}, {"name": "c", "v": 1}]),
        json!([{"name": "z"}, {"name": "b", "v": 2}, {"name": "c", "v": 1}, {"name": "y"}]),
        &["-/0 {\"name\":\"a\",\"v\":1}", "+/0 {\"name\":\"z\"}", "~/1/v 1 2", "+/3 {\"name\":\"y\"}"],
    );
    check(
        json!([{"name": "a"}, {"name": "b", "v": 1}]),
        json!([{"name": "b", "v": 2}, {"name": "a"}]),
        &["-/0 {\"name\":\"a\"}", "~/0/v 1 2", "+/1 {\"name\":\"a\"}"],
    );
    check(
        json!([{"name": "a", "mountPath": "/a"}, {"name": "a", "mountPath": "/b"}]),
        json!([{"name": "a", "mountPath": "/b", "readOnly": true}]),
        &["-/0 {\"mountPath\":\"/a\",\"name\":\"a\"}", "+/0/readOnly true"],
    );
    check(json!([{"metadata": {"name": "x"}}]), json!([{"metadata": {"name": "x", "y": 1}}]), &["+/0/metadata/y 1"]);
}

#[test]
fn absent_objects() {
    let object = json!({"a": 1});
    let everything = DiffOptions::EVERYTHING;
    assert_eq!(brief(None, Some(&object), everything), ["+ {\"a\":1}"]);
    assert_eq!(brief(Some(&object), None, everything), ["- {\"a\":1}"]);
    assert_eq!(brief(None, None, everything), [""; 0]);
    for (before, after) in [(None, Some(&object)), (Some(&object), None), (None, None)] {
        let found = changes(before, after, everything);
        assert_eq!(apply_changes(before, &found).unwrap().as_ref(), after);
    }
}

#[test]
fn noise_is_left_out_unless_asked_for() {
    let before = json!({"metadata": {"uid": "1", "generation": 1, "name": "a"}, "status": {"a": 1}, "spec": {}});
    let after = json!({"metadata": {"uid": "2", "managedFields": [], "name": "a"}, "spec": {"uid": 1}});
    let check = |before, after, noise, status, expect: &[&str]| {
        assert_eq!(brief(before, after, DiffOptions { noise, status }), expect);
    };
    let (old, new) = (Some(&before), Some(&after));
    check(old, new, false, false, &["+/spec/uid 1"]);
    check(old, new, false, true, &["+/spec/uid 1", "-/status {\"a\":1}"]);
    let noisy =
        ["-/metadata/generation 1", "+/metadata/managedFields []", "~/metadata/uid \"1\" \"2\"", "+/spec/uid 1"];
    check(old, new, true, false, &noisy);
    check(None, new, false, false, &["+ {\"metadata\":{\"name\":\"a\"},\"spec\":{\"uid\":1}}"]);
}

#[test]
fn trees_name_the_items_of_lists() {
    let before = json!({"env": [{"name": "A", "value": "1"}, {"name": "B"}]});
    let after = json!({"env": [{"name": "A", "value": "2"}]});
    let found = tree(Some(&before), Some(&after), DiffOptions::default());
    let list = &found.children[0];
    assert_eq!((list.key.as_str(), list.list, list.children.len()), ("env", true, 2));
    assert_eq!(list.children[0].item.as_deref(), Some("A"));
    assert_eq!(list.children[0].children[0].change.as_ref().unwrap().kind, ChangeKind::Replaced);
    assert_eq!(list.children[1].change.as_ref().unwrap().kind, ChangeKind::Removed);
    assert_eq!(tree(Some(&before), Some(&before), DiffOptions::default()), ChangeNode::default());
}

#[test]
fn payloads_come_decoded() {
    let source = |text: &str| format!("data:;base64,{}", data_encoding::BASE64.encode(&encode_gzip(text.as_bytes())));
    let config = |files: Value, units: Value| json!({"spec": {"config": {"storage": {"files": files}, "systemd": {"units": units}}}});
    let file = |path: &str, source: &str| json!({"path": path, "mode": 493, "contents": {"compression": "gzip", "source": source}});
    let dropin = |text: &str| json!([{"name": "a.slice", "dropins": [{"name": "1.conf", "contents": text}]}]);
    let before = config(json!([file("/a", &source("one"))]), dropin("x"));
    let after = config(json!([file("/a", &source("two")), file("/b", "data:;base64,eA==")]), dropin("y"));
    let found = changes(Some(&before), Some(&after), DiffOptions::default());
    let payloads: Vec<_> = found
        .iter()
        .map(|change| {
            let payload = change.payload.as_ref().unwrap();
            let text = |side: &Option<PayloadContent>| side.as_ref().and_then(|side| side.text.clone());
            (payload.path.as_str(), text(&payload.before), text(&payload.after), payload.same_content)
        })
        .collect();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        payloads,
        [
            ("/a", text("one"), text("two"), false),
            ("/b", None, None, false),
            ("a.slice.d/1.conf", text("x"), text("y"), false),
        ]
    );
    let problem = found[1].payload.as_ref().unwrap().after.as_ref().unwrap().problem.as_deref();
    assert_eq!(problem, Some("the gzip stream has no gzip header"));
}

#[test]
fn changes_that_do_not_fit_are_refused() {
    let change = |pointer: &str, kind, after: Option<Value>| Change {
        pointer: Pointer::parse(pointer).unwrap(),
        kind,
        before: None,
        after,
        payload: None,
    };
    let refused = |change: Change, expect: fn(Pointer) -> ChangeError| {
        let pointer = change.pointer.clone();
        assert_eq!(apply_changes(Some(&json!({"a": [1], "b": 1})), &[change]), Err(expect(pointer)));
    };
    let no_place = |pointer| ChangeError::NoSuchPlace { pointer };
    refused(change("/c", ChangeKind::Removed, None), no_place);
    refused(change("/c", ChangeKind::Replaced, Some(json!(1))), no_place);
    refused(change("/c/d", ChangeKind::Added, Some(json!(1))), no_place);
    refused(change("/a/2", ChangeKind::Added, Some(json!(1))), no_place);
    refused(change("/a/1", ChangeKind::Removed, None), no_place);
    refused(change("/a/-", ChangeKind::Added, Some(json!(1))), no_place);
    refused(change("/b/c", ChangeKind::Added, Some(json!(1))), no_place);
    refused(change("/c", ChangeKind::Added, None), |pointer| ChangeError::NoValue { pointer });
}

#[test]
fn patches_guard_what_they_change_in_lists() {
    let before = json!({"args": ["a", "b", "c"], "env": [{"name": "A"}, {"name": "B", "v": 1}]});
    let after = json!({"args": ["a", "x", "c", "d"], "env": [{"name": "B", "v": 2}]});
    let expect = json!([
        {"op": "test", "path": "/args/1", "value": "b"},
        {"op": "replace", "path": "/args/1", "value": "x"},
        {"op": "add", "path": "/args/-", "value": "d"},
        {"op": "test", "path": "/env/0/name", "value": "A"},
        {"op": "remove", "path": "/env/0"},
        {"op": "test", "path": "/env/0/name", "value": "B"},
        {"op": "replace", "path": "/env/0/v", "value": 2},
    ]);
    assert_eq!(to_patch(&before, &after), expect);
    check_laws(&before, &after);
}

#[test]
fn deep_and_wide_objects_are_bounded() {
    let deep = |leaf: Value| (0..1000).fold(leaf, |value, _| json!({"a": value}));
    let (before, after) = (deep(json!(1)), deep(json!(2)));
    let found = changes(Some(&before), Some(&after), DiffOptions::EVERYTHING);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].pointer.tokens().len(), crate::limits::MAX_DEPTH);
    assert_eq!(apply_changes(Some(&before), &found).unwrap(), Some(after));
    let wide: Value = (0..100_000).map(|at| (at.to_string(), json!(at))).collect::<serde_json::Map<_, _>>().into();
    assert_eq!(changes(Some(&wide), Some(&json!({})), DiffOptions::EVERYTHING).len(), 100_000);
    let list: Value = (0..100_000).collect();
    assert_eq!(changes(Some(&list), Some(&json!([1, 5])), DiffOptions::EVERYTHING).len(), 100_000);
}

fn value() -> impl Strategy<Value = Value> {
    let key = || proptest::sample::select(vec!["name", "a", "b", "metadata", "", "x/y~z"]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..4i64).prop_map(Value::from),
        Just(json!(1.0)),
        proptest::sample::select(vec!["", "a", "b", "1", "true"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        let map = proptest::collection::btree_map(key(), inner.clone(), 0..5);
        let named = proptest::collection::btree_map(key(), inner.clone(), 0..3)
            .prop_flat_map(|map| (0..5i64).prop_map(move |name| (name, map.clone())))
            .prop_map(|(name, map)| {
                let mut item: serde_json::Map<_, _> = map.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
                item.insert("name".into(), json!(name.to_string()));
                Value::Object(item)
            });
        prop_oneof![
            map.prop_map(|map| map
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<serde_json::Map<_, _>>()
                .into()),
            proptest::collection::vec(inner, 0..6).prop_map(Value::from),
            proptest::collection::vec(named, 0..5).prop_map(Value::from),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn changes_turn_before_into_after(before in value(), after in value()) {
        check_laws(&before, &after);
    }

    #[test]
    fn nothing_differs_from_itself(value in value()) {
        prop_assert_eq!(changes(Some(&value), Some(&value), DiffOptions::EVERYTHING), []);
        prop_assert_eq!(to_patch(&value, &value), json!([]));
    }
}
