//! What a list of ignored fields comes to, and what is said about it.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn object(rest: Value) -> Object {
    let mut object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm", "namespace": "ns"}});
    object.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    Object::from_value(object).unwrap()
}

fn desired() -> Object {
    object(json!({"data": {"x": "1", "y": "2"}, "spec": {"num": 1, "list": [1], "nul": null, "a,b": 1}}))
}

fn live() -> Object {
    object(json!({
        "data": {"x": "9", "a/b": "8"},
        "spec": {"num": 5, "list": [{"k": 1.0}], "nul": {"k": 1}, "deep": {"er": "7"}, "text": "t", "a,b": 2},
    }))
}

#[test]
fn live_is_copied_or_the_field_removed() {
    let check = |text: &str, keys: &[&str], expect: Option<Value>, effects: &[MaskEffect]| {
        let outcome = mask(&desired(), &live(), text);
        let MaskVerdict::Masked { desired } = outcome.verdict else {
            panic!("{text}: {:?}", outcome.verdict);
        };
        assert_eq!(desired.at(keys), expect.as_ref(), "{text}");
        assert_eq!(outcome.pointers.iter().map(|it| it.effect).collect::<Vec<_>>(), effects, "{text}");
    };
    check("/data/x", &["data", "x"], Some(json!("9")), &[MaskEffect::Copied]);
    check("/data/a~1b", &["data", "a/b"], Some(json!("8")), &[MaskEffect::Copied]);
    check("/data/y", &["data", "y"], None, &[MaskEffect::Removed]);
    check("/spec/deep/er", &["spec", "deep", "er"], Some(json!("7")), &[MaskEffect::Copied]);
    check(" /kind ,, /none/at/all\n", &["kind"], Some(json!("ConfigMap")), &[MaskEffect::Same, MaskEffect::Nothing]);
    check("/spec/num,/spec/num", &["spec", "num"], Some(json!(5)), &[MaskEffect::Copied, MaskEffect::Same]);
    check("", &["spec", "num"], Some(json!(1)), &[]);
}

#[test]
fn what_stops_the_asset_says_why_in_the_words_of_the_controller() {
    let check = |text: &str, reason: MaskFailure, expect: &str| {
        let verdict = mask(&desired(), &live(), text).verdict;
        assert!(
            matches!(&verdict, MaskVerdict::Failed { reason: found, error, .. } if *found == reason && error == expect),
            "{text}: {verdict:?}"
        );
    };
    check(
        "/data/x,/spec/list/0",
        MaskFailure::IntoList,
        "failed to mask field /spec/list/0: failed to get field from source: .spec.list.0 accessor error: [map[k:1]] is \
         of the type []interface {}, expected map[string]interface{}",
    );
    check(
        "/spec/text/k/l",
        MaskFailure::ThroughScalar,
        "failed to mask field /spec/text/k/l: failed to get field from source: .spec.text.k accessor error: t is of the \
         type string, expected map[string]interface{}",
    );
    check(
        "/spec/nul/k",
        MaskFailure::Blocked,
        "failed to mask field /spec/nul/k: failed to set field in dest: value cannot be set because .spec.nul is not a \
         map[string]interface{}",
    );
    check("data", MaskFailure::NoLeadingSlash, "failed to mask field data: JSON pointer must start with /: data");
}

#[test]
fn what_is_wrong_is_told() {
    // Of the first finding the place in the text and the texts that would mend it; the note on ownership is left out.
    let check = |text: &str, codes: &[&str], place: &str, fixes: &[&str]| {
        let mut found = mask(&desired(), &live(), text).diagnostics;
        found.retain(|it| it.code != "mask.co-owned");
        assert_eq!(found.iter().map(|it| it.code.as_ref()).collect::<Vec<_>>(), codes, "{text}\n{found:#?}");
        let Some(first) = found.first() else {
            return;
        };
        let span = first.source.as_ref().and_then(|source| source.span).unwrap_or_default();
        assert_eq!(text.get(span.start..span.end), Some(place), "{text}");
        let offered: Vec<_> = first.fixes.iter().map(|fix| fix.value.as_deref().unwrap_or("-")).collect();
        assert_eq!(offered, fixes, "{text}");
    };
    check("/data/x, /spec/list/0/k", &["mask.into-list"], "/spec/list/0/k", &["/data/x, /spec/list", "/data/x"]);
    check("/spec/text/k,/data/x", &["mask.through-scalar"], "/spec/text/k", &["/spec/text,/data/x", "/data/x"]);
    check("/spec/nul/k", &["mask.blocked"], "/spec/nul/k", &["/spec/nul", "-"]);
    check("spec.num", &["mask.no-leading-slash"], "spec.num", &["/spec/num"]);
    check("/spec/a,b", &["mask.comma-in-key", "mask.matches-nothing"], "/spec/a,b", &[]);
    check("/data/x\n/spec/num", &["mask.separator"], "/data/x\n/spec/num", &["/data/x,/spec/num"]);
    check("/data/x; /spec/num", &["mask.separator"], "/data/x; /spec/num", &["/data/x,/spec/num"]);
    check("[\"/data/x\"]", &["mask.separator"], "[\"/data/x\"]", &["/data/x"]);
    check("- /data/x\n- /spec/num\n", &["mask.separator"], "- /data/x\n- /spec/num\n", &["/data/x,/spec/num"]);
    check("/data/x,\n/spec/num\n", &[], "", &[]);
    check("/data/x,\u{a0}/spec/num\u{a0}", &[], "", &[]);
    check("/data/a~b", &["mask.bad-escape", "mask.matches-nothing"], "/data/a~b", &["/data/a~0b"]);
    check("/data/a/b", &["mask.unescaped-slash"], "/data/a/b", &["/data/a~1b"]);
    check("/spec/Deep/er", &["mask.matches-nothing"], "/spec/Deep/er", &["/spec/deep/er"]);
    check("/data/x,/none", &["mask.matches-nothing"], "/none", &["/data/x"]);
    check("/metadata", &["mask.metadata"], "/metadata", &["-"]);
    check(" , ", &["mask.empty"], " , ", &["-"]);
}

#[test]
fn that_the_autopilot_becomes_an_owner_is_told() {
    let found = mask(&desired(), &live(), "/data/x,/spec/num").diagnostics;
    assert_eq!((found.len(), found[0].code.as_ref()), (1, "mask.co-owned"));
    assert!(mask(&desired(), &live(), "/data/y").diagnostics.is_empty());
}

#[test]
fn hostile_lists_end() {
    let many = mask(&desired(), &live(), &"/data/x,".repeat(MAX_MASK_POINTERS));
    assert!(matches!(many.verdict, MaskVerdict::Failed { reason: MaskFailure::Limit, .. }));
    for text in ["/a".repeat(32 << 10), "~/".repeat(32 << 10), format!("/metadata/labels/{}", ".a/".repeat(20 << 10))] {
        let text = vec![text; 20].join(",");
        assert!(mask(&desired(), &live(), &text).diagnostics.len() < 100);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn masking_twice_is_masking_once(
        pointers in prop::collection::vec("(/(data|spec|x|y|num|nul|k|deep|er|a~1b|~|)){1,3}", 0..5),
    ) {
        let text = pointers.join(",");
        if let MaskVerdict::Masked { desired: once } = mask(&desired(), &live(), &text).verdict {
            prop_assert_eq!(mask(&once, &live(), &text).verdict, MaskVerdict::Masked { desired: once });
        }
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,40}") {
        let outcome = mask(&desired(), &live(), &text);
        for fix in outcome.diagnostics.iter().flat_map(|found| &found.fixes) {
            prop_assert!(fix.value.as_deref() != Some(&*text));
        }
    }
}
