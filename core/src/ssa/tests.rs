//! Whole requests, and the laws that every one of them obeys.

use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::object::Object;

const NOON: &str = "2026-12-01T12:00:00Z";

fn widget_schema() -> Schema {
    let text = || json!({"type": "string"});
    let texts = || json!({"type": "object", "additionalProperties": {"type": "string"}});
    Schema::of_structural(&json!({
        "type": "object",
        "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Widget"}],
        "properties": {
            "apiVersion": text(), "kind": text(),
            "metadata": {"type": "object", "properties": {
                "name": text(), "namespace": text(), "uid": text(), "labels": texts(), "annotations": texts(),
                "managedFields": {"type": "array", "items": {"type": "object"}},
            }},
            "spec": {"type": "object", "properties": {
                "replicas": {"type": "integer"}, "mode": text(), "enabled": {"type": "boolean"},
                "list": {"type": "array", "items": {"type": "string"}},
                "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
                "ports": {
                    "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
                    "items": {"type": "object", "properties": {
                        "port": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"}, "name": text(),
                    }},
                },
                "selector": {
                    "type": "object", "additionalProperties": {"type": "string"}, "x-kubernetes-map-type": "atomic",
                },
                "settings": texts(),
                "nested": {"type": "object", "properties": {"a": {"type": "object", "properties": {"x": text(), "y": text()}}, "b": text()}},
                "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                "either": {"x-kubernetes-int-or-string": true},
            }},
            "status": {"type": "object", "properties": {"phase": text()}},
        },
    }))
    .unwrap()
}

fn widget(spec: Value) -> Object {
    let metadata = json!({"name": "w", "namespace": "ns"});
    Object::from_value(json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": spec}))
        .unwrap()
}

fn request<'a>(schema: &'a Schema, manager: &'a str, force: bool) -> Request<'a> {
    Request { manager, force, schema, time: Some(NOON) }
}

fn applied(
    schema: &Schema,
    live: Option<&Object>,
    manager: &str,
    force: bool,
    spec: Value,
) -> Result<Object, ApplyError> {
    apply(live, &widget(spec), &request(schema, manager, force)).map(|applied| applied.object.into_owned())
}

fn updated(schema: &Schema, live: Option<&Object>, manager: &str, object: &Object) -> Object {
    update(live, object, &request(schema, manager, false)).unwrap().object.into_owned()
}

/// The entries of an object, each as `manager Operation: path path`.
fn owners(object: &Object) -> Vec<String> {
    let entries = object.at(&["metadata", "managedFields"]).and_then(Value::as_array).cloned().unwrap_or_default();
    let shown = |entry: &Value| {
        let set = FieldSet::parse(&entry["fieldsV1"]).unwrap();
        let paths: Vec<String> = set.paths().iter().map(ToString::to_string).collect();
        format!("{} {}: {}", entry["manager"].as_str().unwrap(), entry["operation"].as_str().unwrap(), paths.join(" "))
    };
    entries.iter().map(shown).collect()
}

#[test]
fn an_apply_that_changes_nothing_gives_live_back() {
    let schema = widget_schema();
    let config =
        widget(json!({"replicas": 3, "set": ["a", "b"], "ports": [{"port": 80}], "free": {"l": [1, {"a": 2}]}}));
    let first = apply(None, &config, &request(&schema, "ours", false)).unwrap();
    assert!(first.changed);
    let live = first.object.into_owned();
    let later = Request { time: Some("2027-01-01T00:00:00Z"), ..request(&schema, "ours", false) };
    let again = apply(Some(&live), &config, &later).unwrap();
    assert!(matches!(again.object, Cow::Borrowed(same) if std::ptr::eq(same, &live)));
    assert!(!again.changed);
}

#[test]
fn sharing_leaves_the_entry_without_a_time() {
    let schema = widget_schema();
    let live = applied(&schema, None, "b", false, json!({"replicas": 3})).unwrap();
    let shared = apply(Some(&live), &widget(json!({"replicas": 3})), &request(&schema, "z", false)).unwrap();
    assert!(!shared.changed);
    assert_eq!(owners(&shared.object), ["z Apply: .spec.replicas", "b Apply: .spec.replicas"]);
    let entries = shared.object.at(&["metadata", "managedFields"]).unwrap();
    assert_eq!((entries[0].get("time"), entries[1].get("time")), (None, Some(&json!(NOON))));
}

#[test]
fn a_number_written_otherwise_is_the_same() {
    let schema = Schema::untyped();
    let live = applied(&schema, None, "ours", false, json!({"ratio": 1})).unwrap();
    let again = apply(Some(&live), &widget(json!({"ratio": 1.0})), &request(&schema, "theirs", false)).unwrap();
    assert!(!again.changed);
    assert_eq!(again.object.at(&["spec", "ratio"]), Some(&json!(1)));
}

#[test]
fn errors_are_those_of_the_server() {
    let schema = widget_schema();
    let check = |spec: Value, expect: &str| {
        let error = applied(&schema, None, "ours", false, spec).unwrap_err();
        let expect = format!("failed to create typed patch object (ns/w; example.com/v1, Kind=Widget): {expect}");
        assert_eq!(error.to_string(), expect);
    };
    check(json!({"bogus": 1}), ".spec.bogus: field not declared in schema");
    check(json!({"set": "x"}), ".spec.set: expected list, got &{x}");
    check(json!({"nested": [1, "a"]}), ".spec.nested: expected map, got &{[1 a]}");
    check(json!({"replicas": "3"}), ".spec.replicas: expected numeric (int or float), got string");
    check(json!({"mode": 3}), ".spec.mode: expected string, got &value.valueUnstructured{Value:3}");
    check(json!({"enabled": {"a": 1}}), ".spec.enabled: expected boolean, got &{map[a:1]}");
    check(json!({"set": ["a", "a"]}), ".spec.set: duplicate entries for key [=\"a\"]");
    check(
        json!({"set": ["a", {}]}),
        ".spec.set: element 1: associative list without keys has an element that's a map type",
    );
    check(
        json!({"set": [null]}),
        ".spec.set: element 0: associative list without keys has an element that's an explicit null",
    );
    check(json!({"ports": [null]}), ".spec.ports: element 0: associative list with keys may not have a null element");
    check(json!({"ports": [1]}), ".spec.ports: element 0: associative list with keys may not have non-map elements");
    check(
        json!({"ports": [{"port": 80}, {"port": 80, "protocol": "TCP"}]}),
        ".spec.ports: duplicate entries for key [port=80,protocol=\"TCP\"]",
    );
    check(
        json!({"ports": [{"port": 80, "x": 1}]}),
        ".spec.ports[port=80,protocol=\"TCP\"].x: field not declared in schema",
    );
    check(json!({"list": ["a", 1]}), ".spec.list[1]: expected string, got &value.valueUnstructured{Value:1}");
    check(
        json!({"replicas": "3", "mode": false}),
        "errors:\n  .spec.mode: expected string, got &value.valueUnstructured{Value:false}\n  \
         .spec.replicas: expected numeric (int or float), got string",
    );
}

#[test]
fn errors_have_pointers() {
    let error = applied(&widget_schema(), None, "ours", false, json!({"ports": [{"port": 1}, {"port": 2, "x": 1}]}));
    let Err(ApplyError::Invalid { errors, .. }) = error else { panic!("{error:?}") };
    assert_eq!(errors[0].pointer.to_string(), "/spec/ports/1/x");
    assert_eq!(errors[0].problem, FieldProblem::Undeclared);
}

#[test]
fn requests_that_are_refused() {
    let schema = widget_schema();
    let live = applied(&schema, None, "ours", false, json!({"replicas": 1})).unwrap();
    let check = |change: &dyn Fn(&mut Map<String, Value>), expect: &str| {
        let mut config = widget(json!({}));
        change(config.fields_mut());
        let error = apply(Some(&live), &config, &request(&schema, "ours", true)).unwrap_err();
        assert_eq!(error.to_string(), expect);
    };
    check(&|config| _ = config.insert("kind".into(), json!("X")), "invalid object type: example.com/v1, Kind=X");
    check(&|config| _ = config.insert("apiVersion".into(), json!("v2")), "invalid object type: /v2, Kind=Widget");
    check(&|config| config["metadata"]["managedFields"] = json!([]), "metadata.managedFields must be nil");
}

#[test]
fn live_objects_that_do_not_fit() {
    let schema = widget_schema();
    let mut live = widget(json!({"bogus": 1}));
    let error = applied(&schema, Some(&live), "ours", false, json!({})).unwrap_err().to_string();
    assert_eq!(
        error,
        "failed to create manager for existing fields: failed to convert new object (ns/w; example.com/v1, \
         Kind=Widget) to smd typed: .spec.bogus: field not declared in schema"
    );
    live.fields_mut()["metadata"]["managedFields"] = json!([{
        "manager": "a", "operation": "Apply", "apiVersion": "example.com/v1", "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:mode": {}}},
    }]);
    let error = applied(&schema, Some(&live), "ours", false, json!({})).unwrap_err().to_string();
    assert!(error.starts_with("failed to create typed live object (ns/w; "), "{error}");
    let error = update(None, &live, &request(&schema, "ours", false)).unwrap_err().to_string();
    assert!(error.starts_with("failed to convert new object (ns/w; example.com/v1, Kind=Widget) to smd"), "{error}");
    live.fields_mut()["metadata"]["managedFields"][0]["fieldsV1"] = json!({"spec": {}});
    let error = applied(&schema, Some(&live), "ours", false, json!({})).unwrap_err().to_string();
    assert!(error.starts_with("failed to decode managed fields: the fields of entry 0"), "{error}");
}

#[test]
fn conflicts_are_grouped_by_owner() {
    let schema = widget_schema();
    let live =
        applied(&schema, None, "b", false, json!({"replicas": 1, "ports": [{"port": 80, "name": "x"}]})).unwrap();
    let mut object = live.clone();
    object.fields_mut()["spec"]["mode"] = json!("m");
    let live = updated(&schema, Some(&live), "a", &object);
    let config = json!({"replicas": 2, "mode": "n", "ports": [{"port": 80, "name": "y"}]});
    let error = applied(&schema, Some(&live), "ours", false, config).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Apply failed with 3 conflicts: conflicts with \"a\" using example.com/v1:\n- .spec.mode\nconflicts with \
         \"b\":\n- .spec.replicas\n- .spec.ports[port=80,protocol=\"TCP\"].name"
    );
    let ApplyError::Conflicts { conflicts } = error else { panic!("{error:?}") };
    let pointers: Vec<_> = conflicts.iter().map(|c| c.field.pointer.as_ref().unwrap().to_string()).collect();
    assert_eq!(pointers, ["/spec/mode", "/spec/replicas", "/spec/ports/0/name"]);
    assert_eq!(conflicts[0].owner.operation, Operation::Update);
}

#[test]
fn updates_and_the_managed_fields_they_carry() {
    let schema = widget_schema();
    let live = applied(&schema, None, "ours", false, json!({"replicas": 1})).unwrap();
    let mut object = live.clone();
    object.fields_mut()["spec"]["mode"] = json!("m");
    let kept = ["ours Apply: .spec.replicas", "edit Update: .spec.mode"];
    assert_eq!(owners(&updated(&schema, Some(&live), "edit", &object)), kept);
    object.fields_mut()["metadata"].as_object_mut().unwrap().remove("managedFields");
    assert_eq!(owners(&updated(&schema, Some(&live), "edit", &object)), kept, "a client that does not know them");
    for reset in [json!([]), json!([{}])] {
        object.fields_mut()["metadata"]["managedFields"] = reset;
        assert_eq!(owners(&updated(&schema, Some(&live), "edit", &object)), ["edit Update: .spec.mode"]);
    }
}

#[test]
fn an_update_does_not_begin_to_track() {
    let schema = widget_schema();
    let mut live = widget(json!({"replicas": 1}));
    live.fields_mut()["metadata"]["uid"] = json!("1");
    let mut object = live.clone();
    object.fields_mut()["spec"]["replicas"] = json!(2);
    let result = update(Some(&live), &object, &request(&schema, "edit", false)).unwrap();
    assert!(result.changed && owners(&result.object).is_empty());
    let after = applied(&schema, Some(&result.object), "ours", false, json!({"mode": "m"})).unwrap();
    let first = "before-first-apply Update: .spec .spec.replicas";
    assert_eq!(owners(&after), ["ours Apply: .spec.mode", first]);
}

fn crd(spec: Value) -> Object {
    Object::from_value(json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "spec": {"group": "example.com", "names": {"kind": "Widget"}, "versions": [{
            "name": "v1", "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                "spec": spec, "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            }}},
        }]},
    }))
    .unwrap()
}

#[test]
fn status_is_not_applied_where_it_has_its_own_endpoint() {
    let schema =
        Schema::of_crd(&crd(json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})), "v1").unwrap();
    let mut config = widget(json!({"replicas": 1}));
    config.fields_mut().insert("status".into(), json!({"phase": "x"}));
    let created = apply(None, &config, &request(&schema, "ours", false)).unwrap().object.into_owned();
    assert_eq!(created.fields().get("status"), None);
    assert_eq!(owners(&created), ["ours Apply: .spec.replicas"]);
    let mut live = created.clone();
    live.fields_mut().insert("status".into(), json!({"phase": "y"}));
    let again = apply(Some(&live), &config, &request(&schema, "ours", false)).unwrap();
    assert!(!again.changed);
    assert_eq!(again.object.at(&["status", "phase"]), Some(&json!("y")));
}

#[test]
fn owners_in_a_version_that_is_gone_are_dropped() {
    let schema =
        Schema::of_crd(&crd(json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})), "v1").unwrap();
    let mut live = applied(&schema, None, "theirs", false, json!({"replicas": 1})).unwrap();
    live.fields_mut()["metadata"]["managedFields"][0]["apiVersion"] = json!("example.com/v1alpha1");
    let after = applied(&schema, Some(&live), "ours", false, json!({"replicas": 2})).unwrap();
    assert_eq!(owners(&after), ["ours Apply: .spec.replicas"]);
}

#[test]
fn fields_that_became_one_are_owned_as_one() {
    let texts = |more: Value| {
        let mut spec = json!({"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "string"}},
            "l": {"type": "array", "items": {"type": "string"}}}});
        for (field, key, value) in
            [("m", "x-kubernetes-map-type", &more["m"]), ("l", "x-kubernetes-list-type", &more["l"])]
        {
            spec["properties"][field][key] = value.clone();
        }
        Schema::of_crd(&crd(spec), "v1").unwrap()
    };
    let many = texts(json!({"m": "granular", "l": "set"}));
    let one = texts(json!({"m": "atomic", "l": "atomic"}));
    let live = applied(&many, None, "theirs", false, json!({"m": {"a": "1"}, "l": ["x"]})).unwrap();
    assert_eq!(owners(&live), ["theirs Apply: .spec.l[=\"x\"] .spec.m.a"]);
    let after = applied(&one, Some(&live), "ours", false, json!({"m": {"a": "1"}})).unwrap();
    assert_eq!(owners(&after), ["ours Apply: .spec.m", "theirs Apply: .spec.l .spec.m"]);
}

#[test]
fn kubectl_takes_over_what_it_applied_on_the_client() {
    let schema = widget_schema();
    let key = "kubectl.kubernetes.io/last-applied-configuration";
    let was = widget(json!({"replicas": 1, "mode": "m"})).into_value();
    let mut live = widget(json!({"replicas": 1, "mode": "changed"}));
    live.set_annotation(key, Some(&was.to_string()));
    let live = updated(&schema, None, "kubectl-client-side-apply", &live);

    let refused = applied(&schema, Some(&live), "kubectl", false, json!({"replicas": 2, "mode": "n"})).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using example.com/v1: .spec.mode"
    );
    let after = applied(&schema, Some(&live), "kubectl", false, json!({"replicas": 2})).unwrap();
    assert_eq!(after.at(&["spec", "replicas"]), Some(&json!(2)));
    let annotation = after.annotation(key).unwrap();
    assert_eq!(serde_json::from_str::<Value>(annotation).unwrap(), widget(json!({"replicas": 2})).into_value());
    assert!(annotation.ends_with('\n'));
    let refused = applied(&schema, Some(&live), "ours", false, json!({"replicas": 2})).unwrap_err();
    assert!(matches!(refused, ApplyError::Conflicts { .. }));
}

#[test]
fn a_default_is_part_of_a_key() {
    let schema = Schema::builtin("", "v1", "Service").unwrap();
    let service = |ports: Value| {
        Object::from_value(
            json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"ports": ports}}),
        )
        .unwrap()
    };
    let live = apply(None, &service(json!([{"port": 80}])), &request(&schema, "a", false)).unwrap().object.into_owned();
    let config = service(json!([{"port": 80, "protocol": "TCP", "name": "http"}, {"port": 80, "protocol": "UDP"}]));
    let after = apply(Some(&live), &config, &request(&schema, "b", false)).unwrap();
    let expect = json!([{"port": 80, "protocol": "TCP", "name": "http"}, {"port": 80, "protocol": "UDP"}]);
    assert_eq!(after.object.at(&["spec", "ports"]), Some(&expect));
}

#[test]
fn ownership_tells_what_became_of_each_field() {
    let schema = widget_schema();
    let live =
        applied(&schema, None, "ours", false, json!({"replicas": 1, "mode": "m", "set": ["a"], "enabled": true}))
            .unwrap();
    let live = applied(
        &schema,
        Some(&live),
        "theirs",
        true,
        json!({"enabled": true, "selector": {"a": "1"}, "settings": {"k": "v"}}),
    )
    .unwrap();
    let config = json!({"replicas": 2, "set": ["b"], "selector": {"b": "2"}, "settings": {"k": "v"}});
    let after = applied(&schema, Some(&live), "ours", true, config).unwrap();
    let changes = ownership(Some(&live), &after, &schema, "ours", Operation::Apply).unwrap();
    let shown: Vec<String> = changes
        .iter()
        .map(|change| {
            let change = serde_json::to_value(change).unwrap();
            let owners = ["from", "with", "owners"].iter().find_map(|key| change.get(*key)?.as_array());
            let names: Vec<_> = owners.into_iter().flatten().map(|owner| owner["manager"].as_str().unwrap()).collect();
            let place = &change["field"];
            [
                change["change"].as_str().unwrap(),
                place["path"].as_str().unwrap(),
                place["pointer"].as_str().unwrap(),
                &names.join(","),
            ]
            .join(" ")
        })
        .collect();
    assert_eq!(
        shown,
        [
            "givenUp .spec.enabled /spec/enabled theirs",
            "removed .spec.mode /spec/mode ",
            "taken .spec.selector /spec/selector theirs",
            "removed .spec.set[=\"a\"] /spec/set/0 ",
            "claimed .spec.set[=\"b\"] /spec/set/0 ",
            "shared .spec.settings.k /spec/settings/k theirs",
        ]
    );
}

/// Large managed fields, lists and maps of many items, many owners.
#[test]
fn large_objects_are_no_trouble() {
    let schema = widget_schema();
    let names: Vec<String> = (0..20_000).map(|i| format!("n{i}")).collect();
    let settings: Map<String, Value> = names.iter().map(|name| (name.clone(), json!("v"))).collect();
    let spec = json!({"set": names, "settings": settings});
    let live = applied(&schema, None, "ours", false, spec.clone()).unwrap();
    let after =
        applied(&schema, Some(&live), "theirs", true, json!({"set": ["x", "n7"], "settings": {"n7": "w"}})).unwrap();
    assert_eq!(after.at(&["spec", "set"]).and_then(Value::as_array).map(Vec::len), Some(20_001));
    let last = applied(&schema, Some(&after), "ours", true, json!({"settings": {"n1": "v"}})).unwrap();
    assert_eq!(last.at(&["spec", "set"]), Some(&json!(["x", "n7"])));
    assert!(ownership(Some(&after), &last, &schema, "ours", Operation::Apply).unwrap().len() > 39_000);

    let mut many = applied(&schema, None, "ours", false, spec).unwrap();
    let entry = |i: usize| {
        json!({"manager": format!("m{i}"), "operation": "Apply", "apiVersion": "example.com/v1",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:settings": {format!("f:n{i}"): {}}}}})
    };
    many.fields_mut()["metadata"]["managedFields"] = (0..2_000).map(entry).collect();
    assert!(applied(&schema, Some(&many), "new", false, json!({"settings": {"n3": "other"}})).is_err());
    let forced = applied(&schema, Some(&many), "new", true, json!({"settings": {"n3": "other"}})).unwrap();
    assert_eq!(owners(&forced).len(), 2_000);
}

#[test]
fn objects_at_the_depth_limit() {
    let deep = |levels: usize| (0..levels).fold(json!("x"), |inner, _| json!({"a": inner}));
    let schema = Schema::untyped();
    let live = applied(&schema, None, "ours", false, deep(98)).unwrap();
    let after = applied(&schema, Some(&live), "theirs", true, json!({"b": 1})).unwrap();
    let last = applied(&schema, Some(&after), "ours", true, json!({"c": 1})).unwrap();
    assert_eq!(last.at(&["spec"]), Some(&json!({"b": 1, "c": 1})));
    let mut deeper = widget(json!({}));
    deeper.fields_mut().insert("spec".into(), deep(2_000));
    for schema in [schema, widget_schema()] {
        let error = apply(None, &deeper, &request(&schema, "ours", true)).unwrap_err();
        assert!(matches!(error, ApplyError::Invalid { .. }), "{error}");
    }
}

/// One request: who, how (`None` is an update), and with what.
type Step = (usize, Option<bool>, Value);

fn free_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(null)), any::<i8>().prop_map(|n| json!(n)), "[a-c]{0,2}".prop_map(|s| json!(s))];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|items| json!(items)),
            prop::collection::btree_map("[a-c]", inner, 0..3).prop_map(|map| json!(map)),
        ]
    })
}

fn spec() -> impl Strategy<Value = Value> {
    let texts = || prop::collection::btree_map("[a-c]", "[xy]", 1..3);
    let port = (prop::option::of("[ab]"),).prop_map(|(name,)| name);
    let fields = (
        prop::option::of(0..3_i32),
        prop::option::of(prop::option::of("[mn]")),
        prop::option::of(prop::collection::vec("[a-c]", 0..3)),
        prop::option::of(prop::sample::subsequence(vec!["a", "b", "c", "d"], 1..4).prop_shuffle()),
        prop::option::of(prop::collection::btree_map((1..3_i32, prop::option::of("UDP")), port, 1..4)),
        prop::option::of(texts()),
        prop::option::of(texts()),
        prop::option::of(prop::collection::btree_map("[a-c]", free_value(), 0..3)),
        prop::option::of((prop::option::of("[xy]"), prop::option::of("[xy]"))),
    );
    fields.prop_map(|(replicas, mode, list, set, ports, selector, settings, free, nested)| {
        let mut spec = Map::new();
        let mut put = |key: &str, value: Option<Value>| value.map(|value| spec.insert(key.to_owned(), value));
        put("replicas", replicas.map(|v| json!(v)));
        put("mode", mode.map(|v| json!(v)));
        put("list", list.map(|v| json!(v)));
        put("set", set.map(|v| json!(v)));
        let ports = ports.map(|ports| {
            let port = |((port, protocol), name): ((i32, Option<String>), Option<String>)| {
                let fields = [
                    ("port", Some(json!(port))),
                    ("protocol", protocol.map(|v| json!(v))),
                    ("name", name.map(|v| json!(v))),
                ];
                fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect::<Map<_, _>>()
            };
            ports.into_iter().map(port).map(Value::Object).collect()
        });
        put("ports", ports);
        put("selector", selector.map(|v| json!(v)));
        put("settings", settings.map(|v| json!(v)));
        put("free", free.map(|v| json!(v)));
        put("nested", nested.map(|(a, b)| json!({"a": {"x": a}, "b": b})));
        Value::Object(spec)
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..3_usize, prop::option::of(any::<bool>()), spec()), 1..6)
}

const MANAGERS: [&str; 3] = ["a", "b", "c"];

/// Takes the steps one after another; those that are refused change nothing.
fn run(schema: &Schema, steps: &[Step], mut each: impl FnMut(Option<&Object>, &Object, &Step)) -> Option<Object> {
    let mut live: Option<Object> = None;
    for step in steps {
        let (manager, force, spec) = step;
        let next = match force {
            Some(force) => applied(schema, live.as_ref(), MANAGERS[*manager], *force, spec.clone()),
            None => Ok(updated(schema, live.as_ref(), MANAGERS[*manager], &widget(spec.clone()))),
        };
        match next {
            Ok(next) => {
                each(live.as_ref(), &next, step);
                live = Some(next);
            }
            Err(error) => assert!(matches!(error, ApplyError::Conflicts { .. }) && *force == Some(false), "{error}"),
        }
    }
    live
}

/// The fields of an object that anyone owns.
fn all_owned(object: &Object) -> FieldSet<'static> {
    let entries = object.at(&["metadata", "managedFields"]).and_then(Value::as_array).cloned().unwrap_or_default();
    let sets = entries.iter().map(|entry| FieldSet::parse(&entry["fieldsV1"]).unwrap().into_owned());
    sets.fold(FieldSet::default(), FieldSet::union)
}

fn without_managed_fields(object: &Object) -> Value {
    let mut value = object.to_value();
    value["metadata"].as_object_mut().unwrap().remove("managedFields");
    value
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn applying_twice_changes_nothing(steps in steps(), typed in any::<bool>()) {
        let schema = if typed { widget_schema() } else { Schema::untyped() };
        run(&schema, &steps, |_, after, (manager, force, spec)| {
            let Some(force) = force else { return };
            let request = request(&schema, MANAGERS[*manager], *force);
            let config = widget(spec.clone());
            let again = apply(Some(after), &config, &request).unwrap();
            // What lost its last field is null, and an empty map or list once it is applied again.
            assert!(!again.changed || spec.to_string().contains("{}") || spec.to_string().contains("[]"));
            let third = apply(Some(&again.object), &config, &request).unwrap();
            assert!(!third.changed && matches!(third.object, Cow::Borrowed(_)));
        });
    }

    #[test]
    fn ownership_is_conserved(steps in steps(), typed in any::<bool>()) {
        let schema = if typed { widget_schema() } else { Schema::untyped() };
        let of_spec = |set: FieldSet<'_>| {
            let spec = set.nodes.into_iter().find(|node| node.element == PathElement::Field("spec".into()));
            spec.map(|node| node.children.into_owned()).unwrap_or_default()
        };
        run(&schema, &steps, |before, after, (manager, force, _)| {
            let nothing = Map::new();
            let differences = compare::compare(&schema, before.map_or(&nothing, Object::fields), after.fields());
            let mut owned = all_owned(after);
            typed::add_named_parents(&schema.types, Some(schema.root), &mut owned);
            // What was added or modified has an owner.
            let changed = of_spec(differences.added.union(differences.modified));
            let without = changed.difference(&of_spec(owned.clone()));
            assert!(without.is_empty(), "{:?}", without.paths());
            // What had an owner and is still there has one, or its owner gave it up.
            let had = before.map(all_owned).unwrap_or_default().difference(&differences.removed);
            let there = typed::field_set(&schema, after.fields());
            let lost = of_spec(had.intersection(&there).difference(&owned));
            let operation = if force.is_some() { Operation::Apply } else { Operation::Update };
            let changes = ownership(before, after, &schema, MANAGERS[*manager], operation).unwrap();
            for path in lost.paths() {
                let path = format!(".spec{path}");
                let gives_up = |change: &OwnershipChange| {
                    matches!(change, OwnershipChange::GivenUp { .. }) && change.field().path == path
                };
                assert!(changes.iter().any(gives_up), "{path}");
            }
        });
    }

    #[test]
    fn a_forced_apply_holds(steps in steps(), last in spec(), typed in any::<bool>()) {
        let schema = if typed { widget_schema() } else { Schema::untyped() };
        let live = run(&schema, &steps, |_, _, _| {});
        let after = applied(&schema, live.as_ref(), "a", true, last.clone()).unwrap();
        // Merging the configuration once more leaves the object as it is, but for what lost its last field.
        let merged = merge::merge_objects(&schema, after.fields(), widget(last.clone()).fields());
        let has_empty = ["{}", "[]"].iter().any(|empty| last.to_string().contains(empty));
        prop_assert!(merged.is_none() || has_empty);
        // Without the one who applied there is nothing left of what nobody else owns.
        let empty = applied(&schema, Some(&after), "a", true, json!({"replicas": 7})).unwrap();
        let again = applied(&schema, Some(&empty), "a", true, json!({"replicas": 7})).unwrap();
        prop_assert_eq!(without_managed_fields(&empty), without_managed_fields(&again));
    }

    #[test]
    fn any_managed_fields_are_read_or_refused(fields in free_value(), key in "[fkvi]:\\PC{0,6}", time in "[0-9T:Z-]{0,20}", spec in spec()) {
        let schema = widget_schema();
        let mut live = widget(spec.clone());
        let entry = json!({"manager": "m", "operation": "Apply", "apiVersion": "example.com/v1", "time": time,
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {key: fields.clone()}}});
        for managed in [json!([entry]), json!([fields.clone()]), fields] {
            live.fields_mut()["metadata"]["managedFields"] = managed;
            let _ = applied(&schema, Some(&live), "a", true, spec.clone());
            let _ = ownership(Some(&live), &live, &schema, "a", Operation::Apply);
        }
    }
}
