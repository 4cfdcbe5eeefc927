//! The annotations by which people override the baseline, and the one that activates it.

use serde_json::{Map, Value, json};
use virt_autopilot::overrides::mask::{MaskVerdict, mask as apply_mask};
use virt_autopilot::overrides::patch::{PatchVerdict, apply_patch, apply_rfc6902};
use virt_autopilot::overrides::{self, IGNORE_FIELDS, Mode, PATCH, exclusion, glob as globs};
use virt_autopilot::scope::Activation;
use virt_autopilot::{Behavior, Object};

use super::{error, text};

pub(super) fn glob(input: &Value) -> Value {
    match globs::matches(text(input, "pattern"), text(input, "name")) {
        Ok(matches) => json!({"match": matches, "badPattern": false}),
        Err(_) => json!({"match": false, "badPattern": true}),
    }
}

pub(super) fn exclusion(input: &Value) -> Value {
    let rules = match exclusion::parse(text(input, "rules")) {
        Ok(rules) => rules,
        Err(problem) => return error(problem),
    };
    let part = |resource: &Value, at: usize| resource[at].as_str().unwrap_or_default().to_owned();
    let excluded = input["resources"].as_array().into_iter().flatten().filter(|resource| {
        exclusion::find(&rules, &part(resource, 0), &part(resource, 1), &part(resource, 2)).is_some()
    });
    json!({"excluded": excluded.collect::<Vec<_>>()})
}

pub(super) fn scope(input: &Value) -> Value {
    match Activation::parse(input["annotation"].as_str(), Behavior::V4_23) {
        Activation::Idle => json!({"enabled": false, "only": null}),
        Activation::All => json!({"enabled": true, "only": null}),
        Activation::Only { names } => json!({"enabled": true, "only": names}),
    }
}

pub(super) fn annotations(input: &Value) -> Value {
    let metadata = json!({"name": "name", "namespace": "namespace", "annotations": input["annotations"]});
    match object(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})) {
        Ok(object) => json!({
            "invalid": overrides::invalid_reason(&object),
            "paused": overrides::is_paused(&object),
            "unmanaged": overrides::mode(&object) == Mode::Unmanaged,
        }),
        Err(problem) => error(problem),
    }
}

pub(super) fn mask(input: &Value) -> Value {
    let (desired, mut live) = match (object(&input["desired"]), object(&input["live"])) {
        (Ok(desired), Ok(live)) => (desired, live),
        (Err(problem), _) | (_, Err(problem)) => return error(problem),
    };
    live.set_annotation(IGNORE_FIELDS, input["pointers"].as_str());
    match apply_mask(&desired, &live, text(input, "pointers")).verdict {
        MaskVerdict::Masked { desired } => json!({"result": desired}),
        MaskVerdict::Failed { error: problem, .. } => error(problem),
    }
}

pub(super) fn patch(input: &Value) -> Value {
    let mut baseline = input["object"].as_object().cloned().unwrap_or_else(Map::new);
    baseline.insert("kind".to_owned(), input["kind"].clone());
    let mut baseline = match object(&Value::Object(baseline)) {
        Ok(baseline) => baseline,
        Err(problem) => return error(problem),
    };
    baseline.set_annotation(PATCH, input["patch"].as_str());
    let outcome = apply_patch(&baseline, text(input, "patch"), None, Default::default());
    match outcome.verdict {
        PatchVerdict::Absent | PatchVerdict::Applied { .. } => json!({"result": outcome.desired}),
        PatchVerdict::Refused { error: problem, .. } => json!({"rejected": problem}),
        PatchVerdict::Failed { error: problem, .. } => error(problem),
    }
}

pub(super) fn json_patch(input: &Value) -> Value {
    match apply_rfc6902(&input["doc"], &input["patch"]) {
        Ok(result) => json!({"expected": result}),
        Err(problem) => error(problem),
    }
}

fn object(value: &Value) -> Result<Object, String> {
    Object::from_value(value.clone()).map_err(|problem| problem.to_string())
}
