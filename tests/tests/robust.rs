//! Any bytes end in a result or an error, never in a panic.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use virt_autopilot::overrides::exclusion;
use virt_autopilot::{Behavior, Catalog, Cluster, PlanOptions, RenderOptions, diff, plan, render, yaml};

/// Runs a text through every reader.
fn read_everything(text: &str) {
    let _ = yaml::parse(text);
    let _ = yaml::parse_bytes(text.as_bytes());
    let _ = yaml::parse_stream(text);
    let _ = exclusion::parse(text);
    let _ = Catalog::from_bundle(text.as_bytes());
    let files = |path: &str| [(path.to_owned(), text.as_bytes().to_vec())].into();
    let _ = Catalog::from_files("x", Behavior::V4_23, files("active/metadata.yaml"));
    let _ = Catalog::from_files("x", Behavior::V4_22, files("tombstones/a.yaml"));
    let metadata = "assets: [{name: a, path: active/a.tpl, install: always}]\nexcluded_assets: [a]\n";
    let with_template = [
        ("active/metadata.yaml".to_owned(), metadata.as_bytes().to_vec()),
        ("active/a.tpl".to_owned(), text.as_bytes().to_vec()),
    ];
    let catalog = Catalog::from_files("x", Behavior::V4_23, with_template.into()).unwrap();
    let hco = json!({
        "apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged",
        "metadata": {"name": "kubevirt-hyperconverged", "namespace": "openshift-cnv", "annotations": {
            "platform.kubevirt.io/autopilot": "true", "platform.kubevirt.io/disabled-resources": text,
        }},
    });
    let rendering = render(&catalog, &Cluster::from_values([hco]), &RenderOptions::default()).unwrap();
    assert!(rendering.assets.len() <= 1);
}

/// What fuzzing and users found, for good.
#[test]
fn crashers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crashers");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let _ = yaml::parse_bytes(&bytes);
        let _ = Catalog::from_bundle(&bytes);
        read_everything(&String::from_utf8_lossy(&bytes));
        count += 1;
    }
    assert!(count > 0);
}

/// Any JSON value, with the keys that matter among its keys.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        "[a-z/~.:{}\\[\\]\"-]{0,12}".prop_map(Value::from),
        Just(json!("platform.kubevirt.io/patch")),
    ];
    let key = prop_oneof![
        Just("metadata".to_owned()),
        Just("annotations".to_owned()),
        Just("labels".to_owned()),
        Just("spec".to_owned()),
        Just("status".to_owned()),
        Just("managedFields".to_owned()),
        Just("items".to_owned()),
        "[a-z]{0,4}",
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        read_everything(&text);
    }

    #[test]
    fn any_yaml_like_text(text in "[-a-z0-9:{}\\[\\]\"'&*!|>%@` \n\t#,?.]{0,120}") {
        read_everything(&text);
    }

    #[test]
    fn any_template_like_text(text in "(\\{\\{-? ?(if|range|with|end|else|define|template|\\.|\\$x|:=|index|printf|dict|list|set|\"a\"|1|-1|\\||\\(|\\)| |\\.HCO)* ?-?\\}\\}|[a-z: \n]){0,30}") {
        read_everything(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = yaml::parse_bytes(&bytes);
        let _ = Catalog::from_bundle(&bytes);
        let _ = Catalog::from_files("x", Behavior::V4_23, [("active/metadata.yaml".to_owned(), bytes)].into());
    }

    #[test]
    fn any_objects(kind in "(Node|HyperConverged|MachineConfigPool|CustomResourceDefinition|KubeDescheduler|Service)", body in value()) {
        let mut object = json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": "a"}});
        if let (Value::Object(all), Value::Object(more)) = (&mut object, body.clone()) {
            all.extend(more);
        }
        let hco = json!({
            "apiVersion": "hco.kubevirt.io/v1beta1", "kind": "HyperConverged",
            "metadata": {"name": "kubevirt-hyperconverged", "namespace": "openshift-cnv",
                "annotations": {"platform.kubevirt.io/autopilot": "true"}},
            "spec": body,
        });
        let cluster = Cluster::from_values([object, hco]);
        let catalog = Catalog::builtin("4.22").unwrap();
        render(&catalog, &cluster, &RenderOptions::default()).unwrap();
        plan(&catalog, &cluster, &PlanOptions::default()).unwrap();
    }

    #[test]
    fn any_difference(a in value(), b in value()) {
        let changes = diff::changes(Some(&a), Some(&b), diff::DiffOptions::EVERYTHING);
        prop_assert_eq!(diff::apply_changes(Some(&a), &changes).unwrap(), Some(b));
    }
}

/// Objects and annotations of sizes that nobody means, through a whole plan.
#[test]
fn a_plan_of_what_nobody_means() {
    let keys: serde_json::Map<String, Value> = (0..100_000).map(|n| (format!("k{n}"), json!(n))).collect();
    let mut deep = json!(1);
    for _ in 0..1_000 {
        deep = json!({"d": deep});
    }
    let fields: serde_json::Map<String, Value> = (0..40_000).map(|n| (format!("f:field{n}"), json!({}))).collect();
    let operations: Vec<Value> =
        (0..10_000).map(|n| json!({"op": "add", "path": format!("/spec/k{n}"), "value": n})).collect();
    let live = |annotations: Value, managed: Value, spec: Value| {
        json!({
            "apiVersion": "operator.openshift.io/v1", "kind": "KubeDescheduler",
            "metadata": {"name": "cluster", "namespace": "openshift-kube-descheduler-operator",
                "annotations": annotations, "managedFields": managed},
            "spec": spec,
        })
    };
    let owner = json!([{"manager": "x", "operation": "Apply", "apiVersion": "operator.openshift.io/v1",
        "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": fields}}]);
    let subjects = [
        live(json!({}), json!([]), Value::Object(keys)),
        live(json!({}), json!([]), deep),
        live(json!({}), owner, json!({})),
        live(json!({"platform.kubevirt.io/patch": Value::from(operations).to_string()}), json!([]), json!({})),
        live(
            json!({"platform.kubevirt.io/ignore-fields": format!("/spec/{}", "x".repeat(65_536))}),
            json!([]),
            json!({}),
        ),
        live(json!({}), json!("no list"), json!([])),
    ];
    let catalog = Catalog::builtin("4.22").unwrap();
    for subject in subjects {
        let mut cluster = virt_autopilot::demo::cluster();
        let given = Cluster::from_values([subject]);
        let refused = given.diagnostics().iter().any(|finding| finding.code == "cluster.no-object");
        for object in given.objects() {
            cluster.put(object.clone());
        }
        let plan = plan(&catalog, &cluster, &PlanOptions::default()).unwrap();
        assert_eq!(refused, given.objects().next().is_none(), "what is too deep is told");
        assert_eq!(plan.assets.len(), catalog.assets().len());
    }
}
