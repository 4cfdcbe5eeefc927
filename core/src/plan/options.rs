//! What to plan for, besides the snapshot as it is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Diagnostic;
use crate::scope::AUTOPILOT;
use crate::{Behavior, Cluster, Object};

/// Questions of the kind "what if", asked without editing the input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PlanOptions {
    /// Another value of the activation annotation.
    pub activation: Option<String>,
    /// Annotations to set on objects, or to take away.
    pub annotations: Vec<AnnotationEdit>,
    /// More images, by name.
    pub images: BTreeMap<String, String>,
    /// Another behaviour than the catalog's.
    pub behavior: Option<Behavior>,
    /// Show the effect of patches on kinds where the controller refuses them, as if it allowed them.
    pub allow_refused_kinds: bool,
    /// Keep changes of managed fields, timestamps and versions among the changes.
    pub noise: bool,
}

/// An annotation to set or to take away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnnotationEdit {
    /// The object's kind.
    pub kind: String,
    /// Its namespace, empty for a cluster-scoped one.
    #[serde(default)]
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The annotation's key.
    pub key: String,
    /// The value; `None` takes the annotation away.
    pub value: Option<String>,
}

/// The snapshot with what the options change.
pub(super) fn what_if(cluster: &Cluster, options: &PlanOptions, behavior: Behavior) -> (Cluster, Vec<Diagnostic>) {
    let mut changed = cluster.clone();
    let mut findings = Vec::new();
    if !options.images.is_empty() {
        changed = changed.with_images(options.images.clone());
    }
    if let Some(value) = &options.activation
        && let Some(hco) = changed.hco(behavior)
    {
        let mut hco = Object::clone(hco);
        hco.set_annotation(AUTOPILOT, Some(value));
        changed.put(hco);
    }
    for edit in &options.annotations {
        let named = |object: &Object| {
            (object.kind(), object.namespace(), object.name()) == (&edit.kind, &edit.namespace, &edit.name)
        };
        let found: Vec<_> = changed.objects().filter(|object| named(object)).cloned().collect();
        if found.is_empty() {
            let message = format!(
                "{}/{}/{} is not in the snapshot and cannot be annotated",
                edit.kind, edit.namespace, edit.name
            );
            let finding = Diagnostic::warning("plan.annotate-missing", message);
            findings.push(finding.help("an override takes effect on an object that exists; add it to the snapshot"));
        }
        for object in found {
            let mut object = Object::clone(&object);
            object.set_annotation(&edit.key, edit.value.as_deref());
            changed.put(object);
        }
    }
    (changed, findings)
}
