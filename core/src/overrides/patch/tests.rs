//! What a patch comes to, and what is said about it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::overrides::IGNORE_FIELDS;

fn baseline() -> Object {
    Object::from_value(json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "cm", "namespace": "ns", "labels": {"app.kubernetes.io/name": "x"}, "annotations": {"k": "v"}},
        "data": {"x": "1"},
        "spec": {"list": [1, 2], "num": 1, "on": true, "nodeSelector": {}, "text": "t"},
    }))
    .unwrap()
}

fn live() -> Object {
    let mut live = baseline();
    live.fields_mut().insert("extra".to_owned(), json!({"a": {"b/c": 1}}));
    live
}

fn outcome_of(text: &str) -> PatchOutcome {
    apply_patch(&baseline(), text, Some(&live()), PatchOptions::default())
}

/// The codes, and of the first the place in the text and the texts that would mend it.
fn check(text: &str, codes: &[&str], place: &str, fixes: &[&str]) {
    let found = outcome_of(text).diagnostics;
    let seen: Vec<_> = found.iter().map(|it| it.code.as_ref()).collect();
    assert_eq!(seen, codes, "{text}\n{found:#?}");
    let Some(first) = found.first() else {
        return;
    };
    let span = first.source.as_ref().and_then(|source| source.span).unwrap_or_default();
    assert_eq!(text.get(span.start..span.end), Some(place), "{text}");
    let offered: Vec<_> = first.fixes.iter().map(|fix| fix.value.as_deref().unwrap_or("-")).collect();
    assert_eq!(offered, fixes, "{text}");
}

#[test]
fn what_is_no_patch_is_told() {
    let patch = r#"[{"op":"remove","path":"/data/x"}]"#;
    check("- op: remove", &["patch.not-json"], " ", &[]);
    check(&format!("'{patch}'"), &["patch.not-json"], "'", &[patch]);
    check(&format!("{patch},"), &["patch.not-json"], ",", &[patch]);
    let operation = r#"{"op":"remove","path":"/data/x"}"#;
    check(operation, &["patch.not-a-list"], operation, &[patch]);
    let merge = r#"{"data":{"x":null,"y":"2"}}"#;
    let operations = r#"[{"op":"remove","path":"/data/x"},{"op":"add","path":"/data/y","value":"2"}]"#;
    check(merge, &["patch.not-a-list"], merge, &[operations]);
    check("[1]", &["patch.operation.not-a-map"], "1", &[]);
    check(
        r#"[{"op":"Delete","path":"/data/x"}]"#,
        &["patch.operation.unknown"],
        "\"Delete\"",
        &[r#"[{"op":"remove","path":"/data/x"}]"#],
    );
    check(r#"[{"op":"add","path":"/a"}]"#, &["patch.operation.missing-member"], r#"{"op":"add","path":"/a"}"#, &[]);
    check(r#"[{"op":"remove","path":1}]"#, &["patch.operation.bad-member"], "1", &[]);
    let found = &outcome_of("[\n  {'op'}]").diagnostics[0];
    assert_eq!(found.message, "the patch is no JSON: line 2, column 4 should be a member's name in double quotes");
}

#[test]
fn what_is_refused_is_told() {
    check(
        r#"[{"op":"remove","path":"/data/x"},{"op":"replace","path":"/metadata/name","value":"n"}]"#,
        &["patch.refused.path"],
        "\"/metadata/name\"",
        &[r#"[{"op":"remove","path":"/data/x"}]"#],
    );
    check(r#"[{"op":"add","path":"/a","value":1,"Path":"/kind"}]"#, &["patch.refused.path"], "\"/kind\"", &["-"]);

    let mut object = baseline();
    object.fields_mut().insert("kind".to_owned(), "MachineConfig".into());
    let text = r#"[{"op":"add","path":"/spec/num","value":2}]"#;
    let refused = apply_patch(&object, text, None, PatchOptions::default());
    assert_eq!(refused.desired, object);
    assert_eq!(refused.diagnostics[0].code, "patch.refused.kind");
    assert_eq!(refused.diagnostics[0].fixes[0].annotation, crate::overrides::MODE);
    let pretended = apply_patch(&object, text, None, PatchOptions { allow_refused_kinds: true });
    assert_eq!(pretended.verdict, PatchVerdict::Applied { operations: 1 });
    assert_eq!(pretended.desired.at(&["spec", "num"]), Some(&json!(2)));
    assert_eq!(pretended.diagnostics[0].code, "patch.refused.kind");

    let mut odd = baseline();
    odd.set_annotation(IGNORE_FIELDS, Some("a"));
    let refused = apply_patch(&odd, text, None, PatchOptions::default());
    assert_eq!(refused.diagnostics[0].code, "patch.refused.annotation");
}

#[test]
fn what_fails_is_told() {
    check(
        r#"[{"op":"replace","path":"/spec/new","value":1}]"#,
        &["patch.failed.missing-target"],
        "\"/spec/new\"",
        &[r#"[{"op":"add","path":"/spec/new","value":1}]"#],
    );
    check(
        r#"[{"op":"add","path":"/extra/a/list/-","value":1}]"#,
        &["patch.failed.missing-parent"],
        "\"/extra/a/list/-\"",
        &[r#"[{"op":"add","path":"/extra","value":{"a": {"list": [1]}}}]"#],
    );
    let found = outcome_of(r#"[{"op":"add","path":"/extra/x","value":1}]"#).diagnostics;
    assert!(found[0].message.ends_with("though live does"), "{found:?}");
    check(r#"[{"op":"add","path":"/spec/num/x","value":1}]"#, &["patch.failed.missing-parent"], "\"/spec/num/x\"", &[]);
    check(
        r#"[{"op":"add","path":"/spec/list/5","value":1}]"#,
        &["patch.failed.index"],
        "\"/spec/list/5\"",
        &[r#"[{"op":"add","path":"/spec/list/-","value":1}]"#],
    );
    check(
        r#"[{"op":"test","path":"/spec/num","value":2},{"op":"remove","path":"/data/x"}]"#,
        &["patch.failed.test"],
        "\"/spec/num\"",
        &[
            r#"[{"op":"test","path":"/spec/num","value":1},{"op":"remove","path":"/data/x"}]"#,
            r#"[{"op":"remove","path":"/data/x"}]"#,
        ],
    );
    check(r#"[{"op":"replace","path":"","value":[]}]"#, &["patch.failed.root", "patch.path.protected-parent"], "", &[]);
}

#[test]
fn paths_that_lead_elsewhere_are_told() {
    check(
        r#"[{"op":"replace","path":"spec.num","value":2}]"#,
        &["patch.path.no-slash"],
        "\"spec.num\"",
        &[r#"[{"op":"replace","path":"/spec/num","value":2}]"#],
    );
    for (path, meant) in [
        ("/metadata/labels/app.kubernetes.io/name", "/metadata/labels/app.kubernetes.io~1name"),
        ("/spec/nodeSelector/node-role.kubernetes.io/worker", "/spec/nodeSelector/node-role.kubernetes.io~1worker"),
        ("/extra/a/b/c", "/extra/a/b~1c"),
    ] {
        let text = |path: &str| format!(r#"[{{"op":"add","path":"{path}","value":"v"}}]"#);
        check(&text(path), &["patch.path.unescaped-slash"], &format!("\"{path}\""), &[&text(meant)]);
    }
    check(
        r#"[{"op":"add","path":"/data/a~b","value":"v"}]"#,
        &["patch.path.bad-escape", "patch.rfc6902"],
        "\"/data/a~b\"",
        &[r#"[{"op":"add","path":"/data/a~0b","value":"v"}]"#],
    );
    let metadata = r#"[{"op":"replace","path":"/metadata","value":{"name":"cm","namespace":"ns"}}]"#;
    check(metadata, &["patch.path.protected-parent"], "\"/metadata\"", &[]);
    let renamed = outcome_of(r#"[{"op":"replace","path":"/metadata","value":{"name":"other"}}]"#);
    assert_eq!(renamed.diagnostics[0].code, "patch.identity");
}

#[test]
fn values_and_repetitions_are_told() {
    check(
        r#"[{"op":"add","path":"/spec/new","value":"{\"a\": 1}"}]"#,
        &["patch.value.json-in-string"],
        r#""{\"a\": 1}""#,
        &[r#"[{"op":"add","path":"/spec/new","value":{"a": 1}}]"#],
    );
    check(r#"[{"op":"add","path":"/data/json","value":"{\"a\": 1}"}]"#, &[], "", &[]);
    check(
        r#"[{"op":"replace","path":"/spec/on","value":"false"}]"#,
        &["patch.value.type"],
        "\"false\"",
        &[r#"[{"op":"replace","path":"/spec/on","value":false}]"#],
    );
    check(
        r#"[{"op":"replace","path":"/data/x","value":2}]"#,
        &["patch.value.type"],
        "2",
        &[r#"[{"op":"replace","path":"/data/x","value":"2"}]"#],
    );
    check(r#"[{"op":"add","path":"/a","value":1,"value":2}]"#, &["patch.member.repeated"], "\"value\":1", &[]);
    let second = r#"{"op":"replace","path":"/spec","value":{}}"#;
    let twice = format!(r#"[{{"op":"add","path":"/spec/num","value":2}},{second}]"#);
    check(&twice, &["patch.operation.overwritten"], second, &[&format!("[{second}]")]);
    check(
        r#"[{"op":"add","path":"/spec/num","value":2},{"op":"test","path":"/spec","value":{"list":[1,2],"num":2,"on":true,"nodeSelector":{},"text":"t"}},{"op":"remove","path":"/spec/num"}]"#,
        &[],
        "",
        &[],
    );
    check(
        r#"[{"op":"add","path":"/spec/list/0","value":2},{"op":"add","path":"/spec/list/0","value":3}]"#,
        &[],
        "",
        &[],
    );
    check(r#"[{"op":"replace","path":"/spec/num","value":1}]"#, &["patch.no-change"], "", &["-"]);
    check(r#"[{"op":"add","path":"/spec/big","value":9007199254740993}]"#, &["patch.number-rounded"], "", &[]);
    check(r#"[{"op":"remove","path":"/spec/list/-1"}]"#, &["patch.rfc6902"], "", &[]);
}

#[test]
fn the_annotation_stays_unless_the_patch_is_refused() {
    let carries = |text: &str| outcome_of(text).desired.annotation(PATCH) == Some(text);
    assert!(carries(r#"[{"op":"remove","path":"/data/x"}]"#));
    assert!(carries(r#"[{"op":"remove","path":"/data/none"}]"#), "failed, yet the baseline carries it");
    assert!(!carries("no patch"));
    assert_eq!(outcome_of("").verdict, PatchVerdict::Absent);
}

#[test]
fn hostile_patches_end() {
    let many = |operation: Value, times: usize| Value::Array(vec![operation; times]).to_string();
    let limit = |text: &str| {
        let verdict = outcome_of(text).verdict;
        assert!(matches!(verdict, PatchVerdict::Failed { reason: FailureKind::Limit, .. }), "{verdict:?}");
    };
    limit(&many(json!({"op": "remove", "path": "/data/x"}), MAX_PATCH_OPERATIONS + 1));
    limit(&format!("[{{\"op\":\"add\",\"path\":\"/a\",\"value\":{}{}}}]", "[".repeat(5_000), "]".repeat(5_000)));
    limit(&many(json!({"op": "copy", "from": "", "path": "/a"}), 10_000));
    for path in ["/a".repeat(32 << 10), "~".repeat(64 << 10), format!("/metadata/labels/{}", ".a/".repeat(20 << 10))] {
        let found = outcome_of(&many(json!({"op": "add", "path": path, "value": 1}), 20));
        assert!(matches!(found.verdict, PatchVerdict::Failed { .. }));
    }
    let full = outcome_of(&many(json!({"op": "add", "path": "/data/x", "value": "1"}), MAX_PATCH_OPERATIONS));
    assert_eq!(full.verdict, PatchVerdict::Applied { operations: MAX_PATCH_OPERATIONS });
    assert!(full.diagnostics.len() < 100);
    let failed = outcome_of(&many(json!({"op": "replace", "path": "/spec/none", "value": "[]"}), 1_000)).diagnostics;
    assert!(failed.iter().any(|it| it.code == "patch.failed.missing-target") && failed.len() < 100);
}

/// Texts that are nearly patches.
fn patches() -> impl Strategy<Value = String> {
    let path = prop_oneof![
        Just(String::new()),
        prop::collection::vec(
            prop_oneof!["[a-z~/.0-9-]{0,3}", Just("spec".into()), Just("list".into()), Just("metadata".into())],
            0..4
        )
        .prop_map(|keys| keys.iter().map(|key| format!("/{key}")).collect::<String>()),
    ];
    let op = prop_oneof![Just("add"), Just("remove"), Just("replace"), Just("move"), Just("copy"), Just("test")];
    let value = prop_oneof![
        Just(json!(null)),
        Just(json!([1, null])),
        Just(json!({"a": 1})),
        Just(json!("2")),
        Just(json!(1.5))
    ];
    let operation = (op, path.clone(), path, value)
        .prop_map(|(op, path, from, value)| json!({"op": op, "path": path, "from": from, "value": value}));
    prop::collection::vec(operation, 0..5).prop_map(|operations| Value::Array(operations).to_string())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_patch_that_does_not_apply_changes_nothing(text in patches()) {
        let outcome = outcome_of(&text);
        if !matches!(outcome.verdict, PatchVerdict::Applied { .. }) {
            let mut desired = outcome.desired;
            desired.set_annotation(PATCH, None);
            prop_assert_eq!(desired, baseline());
        }
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,40}", cut in 0usize..60, patch in patches()) {
        for text in [text.as_str(), patch.get(cut..).unwrap_or_default(), patch.get(..cut).unwrap_or_default()] {
            let outcome = outcome_of(text);
            prop_assert_eq!(matches!(outcome.verdict, PatchVerdict::Refused { .. }), refusal_reason(text, "ConfigMap").is_some() && !text.is_empty());
            for fix in outcome.diagnostics.iter().flat_map(|found| &found.fixes) {
                prop_assert!(fix.value.as_deref() != Some(text));
            }
        }
    }

    #[test]
    fn both_verdicts_agree_on_plain_patches(key in "[a-z]{1,3}", number in 0i64..100, at in 0usize..3) {
        let patch = json!([
            {"op": "add", "path": format!("/spec/{key}"), "value": number},
            {"op": "test", "path": format!("/spec/{key}"), "value": number},
            {"op": "add", "path": format!("/spec/list/{at}"), "value": {"k": [number]}},
            {"op": "copy", "from": "/spec/list", "path": "/data/y"},
            {"op": "move", "from": format!("/spec/list/{at}"), "path": "/data/z"},
        ]);
        prop_assume!(key != "list");
        let document = baseline().to_value();
        prop_assert_eq!(apply_dialect(&document, &patch.to_string()).ok(), apply_rfc6902(&document, &patch).ok());
    }
}
