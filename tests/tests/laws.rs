//! What holds of every plan.

use proptest::prelude::*;
use serde_json::{Value, json};
use virt_autopilot::object::FIELD_MANAGER;
use virt_autopilot::plan::AnnotationEdit;
use virt_autopilot::simulate::{Action, Script, simulate};
use virt_autopilot::{Behavior, Catalog, Cluster, Object, Plan, PlanOptions, demo, plan};

fn run(cluster: &Cluster, options: &PlanOptions) -> Plan {
    plan(&Catalog::builtin("4.22").unwrap(), cluster, options).unwrap()
}

/// The assets that are written.
fn written(plan: &Plan) -> Vec<&str> {
    plan.assets.iter().filter(|asset| asset.outcome.writes()).map(|asset| asset.asset.as_str()).collect()
}

/// Applying a plan and planning again changes nothing, and equal inputs give equal plans.
fn check_fixpoint(cluster: &Cluster) {
    let first = run(cluster, &PlanOptions::default());
    assert_eq!(first, run(cluster, &PlanOptions::default()));
    let after = first.apply_to(cluster);
    let second = run(&after, &PlanOptions::default());
    assert_eq!(written(&second), Vec::<&str>::new());
    assert_eq!(second.apply_to(&after), after);
}

#[test]
fn every_situation_comes_to_rest() {
    check_fixpoint(&demo::cluster());
    for situation in demo::SITUATIONS {
        check_fixpoint(&situation.cluster());
    }
}

/// The first pass of the loop, on a cluster in memory, writes what the plan says, in its order, and fails where it says.
#[test]
fn the_loop_does_what_the_plan_says() {
    let script = Script { duration_ms: 0, ..Script::default() };
    for situation in demo::SITUATIONS {
        let cluster = situation.cluster();
        let plan = run(&cluster, &PlanOptions::default());
        let played = simulate(&Catalog::builtin("4.22").unwrap(), &cluster, &script);
        let planned =
            plan.assets.iter().filter(|asset| asset.outcome.writes()).filter_map(|asset| asset.object.as_ref());
        let expect: Vec<String> = planned.map(ToString::to_string).collect();
        let played_applies = played.timeline.iter().filter(|entry| entry.action == Action::Apply);
        let applied: Vec<String> = played_applies.map(|entry| entry.object.to_string()).collect();
        assert_eq!(applied, expect, "{}", situation.name);
        assert_eq!(played.failed_passes > 0, plan.error.is_some(), "{}", situation.name);
    }
}

/// Without a golden config a pass ends where the controller looks for it, unless the activation list leaves it out.
#[test]
fn a_catalog_without_a_golden_config() {
    let files = [
        (
            "active/metadata.yaml",
            "assets:\n- {name: a, path: active/a.yaml, install: always, reconcile_order: 1}\nexcluded_assets: [a]\n",
        ),
        ("active/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: openshift-cnv}\n"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
    let catalog = Catalog::from_files("bare", Behavior::V4_22, files.into()).unwrap();
    let check = |activation: &str, expect: &[&str]| {
        let options = PlanOptions { activation: Some(activation.to_owned()), ..PlanOptions::default() };
        let plan = plan(&catalog, &demo::cluster(), &options).unwrap();
        assert_eq!(written(&plan), expect);
        assert_eq!(plan.error.is_some(), expect.is_empty());
        let mut hco = Object::clone(demo::cluster().hco(Behavior::V4_22).unwrap());
        hco.set_annotation("platform.kubevirt.io/autopilot", Some(activation));
        let cluster = demo::cluster().with_objects_of(Cluster::from_objects([hco]));
        let played = simulate(&catalog, &cluster, &Script { duration_ms: 0, ..Script::default() });
        assert_eq!(played.failed_passes > 0, expect.is_empty());
    };
    check("true", &[]);
    check("a", &["a"]);
}

/// Every leaf of an object outside its identity, as a list of keys.
fn leaves(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, inner) in map {
                path.push(key.clone());
                leaves(inner, path, found);
                path.pop();
            }
        }
        _ => found.push(path.clone()),
    }
}

/// Whether some manager owns the field or something that it is a part of.
fn is_owned(object: &Object, path: &[String]) -> bool {
    let managers = object.at(&["metadata", "managedFields"]).and_then(Value::as_array);
    managers.into_iter().flatten().any(|entry| {
        let mut fields = &entry["fieldsV1"];
        for key in path {
            match fields.get(format!("f:{key}")) {
                Some(inner) => fields = inner,
                None => return false,
            }
            if fields.as_object().is_some_and(serde_json::Map::is_empty) {
                return true;
            }
        }
        true
    })
}

#[test]
fn what_is_created_is_owned() {
    let plan = run(&demo::cluster(), &PlanOptions::default());
    let mut checked = 0;
    for asset in plan.assets.iter().filter(|asset| asset.live.is_none()) {
        let Some(predicted) = &asset.predicted else { continue };
        let mut found = Vec::new();
        leaves(predicted.as_value(), &mut Vec::new(), &mut found);
        for path in found.iter().filter(|path| path[0] == "spec" || path.get(1).is_some_and(|key| key == "labels")) {
            assert!(is_owned(predicted, path), "{}: {path:?}", asset.asset);
            checked += 1;
        }
    }
    assert!(checked > 20);
}

/// An annotation on the descheduler, as people and fuzzers write them.
fn override_annotation() -> impl Strategy<Value = (String, String)> {
    let pointer = prop_oneof![
        Just("/spec/deschedulingIntervalSeconds"),
        Just("/spec/profiles"),
        Just("/spec/profiles/0"),
        Just("/spec/evictionLimits/total"),
        Just("/spec/none/such"),
        Just("/metadata/labels/x"),
        Just("spec/mode"),
        Just("/spec"),
    ];
    let operation = (prop_oneof![Just("add"), Just("replace"), Just("remove"), Just("test")], pointer.clone(), 0..3i64)
        .prop_map(|(op, path, value)| json!({"op": op, "path": path, "value": value}));
    let patch = prop::collection::vec(operation, 0..4).prop_map(|operations| Value::from(operations).to_string());
    prop_oneof![
        patch.prop_map(|patch| ("platform.kubevirt.io/patch".to_owned(), patch)),
        prop::collection::vec(pointer, 0..3)
            .prop_map(|pointers| ("platform.kubevirt.io/ignore-fields".to_owned(), pointers.join(","))),
        "(unmanaged|Unmanaged|)".prop_map(|mode| ("platform.kubevirt.io/mode".to_owned(), mode)),
        "(true|false)".prop_map(|paused| ("platform.kubevirt.io/reconcile-paused".to_owned(), paused)),
        "\\PC{0,20}".prop_map(|text| ("platform.kubevirt.io/patch".to_owned(), text)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_overrides_come_to_rest(edits in prop::collection::vec(override_annotation(), 0..3)) {
        let edit = |(key, value)| AnnotationEdit {
            kind: "KubeDescheduler".to_owned(),
            namespace: "openshift-kube-descheduler-operator".to_owned(),
            name: "cluster".to_owned(),
            key,
            value: Some(value),
        };
        let options = PlanOptions { annotations: edits.into_iter().map(edit).collect(), ..PlanOptions::default() };
        let cluster = demo::cluster();
        let first = run(&cluster, &options);
        let descheduler = first.asset("descheduler-loadaware").unwrap();
        // What is not written stays as it is.
        if !descheduler.outcome.writes() && descheduler.predicted.is_some() {
            prop_assert!(descheduler.changes.is_empty());
        }
        let after = first.apply_to(&cluster);
        let second = run(&after, &options);
        prop_assert_eq!(written(&second), Vec::<&str>::new());
        // A field that the autopilot applies is its own, whatever was done to it.
        if let Some(predicted) = &descheduler.predicted {
            let managers = predicted.at(&["metadata", "managedFields"]).and_then(Value::as_array).unwrap();
            prop_assert!(managers.iter().any(|entry| entry["manager"] == FIELD_MANAGER && entry["operation"] == "Apply"));
        }
    }
}
