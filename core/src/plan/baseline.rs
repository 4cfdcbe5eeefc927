//! The patched baseline: what the controller makes of a rendered object before it applies it.

use std::sync::Arc;

use serde_json::Value;

use crate::Object;
use crate::diagnostic::Diagnostic;
use crate::object::{FIELD_MANAGER, MANAGED_BY, ObjectRef};
use crate::overrides::mask::{self, MaskVerdict};
use crate::overrides::patch::{self, FailureKind, PatchOptions, PatchVerdict};
use crate::overrides::{self, Mode};
use crate::reconcile::journal::Journal;
use crate::reconcile::metrics::Customization;

/// What became of a rendered object on its way to the apply.
#[derive(Clone, Debug)]
pub(crate) struct Preparation {
    pub(crate) prepared: Prepared,
    /// With the patch, where one applies.
    pub(crate) patched: Option<Arc<Object>>,
    /// With live's values, where fields are ignored.
    pub(crate) masked: Option<Arc<Object>>,
    /// What became of the patch annotation, where there is one.
    pub(crate) patch: Option<PatchVerdict>,
    pub(crate) customizations: Vec<Customization>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Whether there is something to apply.
#[derive(Clone, Debug)]
pub(crate) enum Prepared {
    /// Live is paused.
    Paused,
    /// Live is unmanaged.
    Unmanaged,
    /// A pointer of ignore-fields stops the asset, for this reason.
    MaskFailed(String),
    /// The patch crashes the controller's library, which ends the asset with this error.
    PatchCrashed(String),
    /// This is to be applied.
    Desired(Arc<Object>),
}

/// Takes a rendered object through the overrides on live: pause, mode, patch, ignored fields, label.
pub(crate) fn prepare(baseline: &Arc<Object>, live: Option<&Object>, options: PatchOptions) -> Preparation {
    let mut preparation = Preparation {
        prepared: Prepared::Paused,
        patched: None,
        masked: None,
        patch: None,
        customizations: Vec::new(),
        diagnostics: Vec::new(),
    };
    let mut desired = Arc::clone(baseline);
    if let Some(live) = live {
        preparation.diagnostics = overrides::diagnose(live);
        if overrides::is_paused(live) {
            return preparation;
        }
        if overrides::mode(live) == Mode::Unmanaged {
            preparation.customizations.push(Customization::Unmanaged);
            preparation.prepared = Prepared::Unmanaged;
            return preparation;
        }
        if let Some(text) = live.annotation(overrides::PATCH).filter(|text| !text.is_empty()) {
            preparation.customizations.push(Customization::Patch);
            match preparation.patch(&desired, text, live, options) {
                Ok(patched) => desired = patched,
                Err(crash) => {
                    preparation.prepared = Prepared::PatchCrashed(crash);
                    return preparation;
                }
            }
        }
        if let Some(text) = live.annotation(overrides::IGNORE_FIELDS) {
            preparation.customizations.push(Customization::Ignore);
            let outcome = mask::mask(&desired, live, text);
            preparation.diagnostics.extend(outcome.diagnostics);
            match outcome.verdict {
                MaskVerdict::Masked { desired: masked } => {
                    desired = Arc::clone(preparation.masked.insert(Arc::new(masked)));
                }
                MaskVerdict::Failed { error, .. } => {
                    preparation.prepared = Prepared::MaskFailed(error);
                    return preparation;
                }
            }
        }
    }
    let mut labelled = Arc::unwrap_or_clone(desired);
    labelled.set_label(MANAGED_BY, Some(FIELD_MANAGER));
    preparation.prepared = Prepared::Desired(Arc::new(labelled));
    preparation
}

impl Preparation {
    /// The object with which the controller goes on, patched or not; an error where the patch brings it down.
    fn patch(
        &mut self,
        baseline: &Object,
        text: &str,
        live: &Object,
        options: PatchOptions,
    ) -> Result<Arc<Object>, String> {
        let outcome = patch::apply_patch(baseline, text, Some(live), options);
        self.diagnostics.extend(outcome.diagnostics);
        let desired = Arc::new(outcome.desired);
        let crash = match &outcome.verdict {
            PatchVerdict::Failed { reason: FailureKind::Crash, error, .. } => Some(error.clone()),
            _ => None,
        };
        if matches!(outcome.verdict, PatchVerdict::Applied { .. }) {
            self.patched = Some(Arc::clone(&desired));
        }
        self.patch = Some(outcome.verdict);
        crash.map_or(Ok(desired), Err)
    }

    /// Records what the controller tells of the overrides on live, in its order.
    pub(crate) fn tell(&self, baseline: &ObjectRef, live: Option<&Object>, journal: &mut Journal) {
        let Some(live) = live else { return };
        match self.prepared {
            Prepared::Paused => return journal.paused(baseline),
            Prepared::Unmanaged => return journal.unmanaged(baseline),
            _ => journal.metrics.clear_customizations(baseline),
        }
        // A patch may make another object of it, which the controller speaks of from then on.
        let patched = self.patched.as_ref().map(|patched| patched.reference());
        let object = patched.as_ref().unwrap_or(baseline);
        for customization in &self.customizations {
            let subject = if *customization == Customization::Patch { baseline } else { object };
            journal.metrics.set_customization(subject, *customization);
        }
        match &self.patch {
            Some(PatchVerdict::Applied { operations }) => journal.patch_applied(object, *operations),
            Some(PatchVerdict::Failed { reason: FailureKind::Crash, .. } | PatchVerdict::Absent) | None => {}
            Some(PatchVerdict::Refused { error, .. } | PatchVerdict::Failed { error, .. }) => {
                journal.invalid_patch(baseline, error);
            }
        }
        if let Prepared::MaskFailed(error) = &self.prepared {
            journal.mask_failed(&live.reference(), error);
        }
    }
}

/// Whether the controller sees drift: a difference in anything but status, and in metadata only in name, namespace,
/// labels and annotations.
pub(crate) fn differs(live: &Object, predicted: &Object) -> bool {
    if std::ptr::eq(live, predicted) {
        return false;
    }
    let keys = live.fields().keys().chain(predicted.fields().keys());
    keys.filter(|key| *key != "status").any(|key| {
        let (a, b) = (live.fields().get(key), predicted.fields().get(key));
        if key == "metadata" { metadata_differs(a, b) } else { a != b }
    })
}

fn metadata_differs(a: Option<&Value>, b: Option<&Value>) -> bool {
    fn field<'v>(metadata: Option<&'v Value>, key: &str) -> Option<&'v Value> {
        metadata?.get(key)
    }
    ["name", "namespace", "labels", "annotations"].iter().any(|key| field(a, key) != field(b, key))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(live: Value, predicted: Value, expect: bool) {
        let object = |spec: &Value| {
            let mut object = json!({"apiVersion": "v1", "kind": "X"});
            if let (Value::Object(all), Value::Object(more)) = (&mut object, spec) {
                all.extend(more.clone());
            }
            Object::from_value(object).unwrap()
        };
        assert_eq!(differs(&object(&live), &object(&predicted)), expect, "{live} {predicted}");
    }

    #[test]
    fn what_counts_as_drift() {
        check(json!({"a": 1}), json!({"a": 1}), false);
        check(json!({"a": 1}), json!({"a": 2}), true);
        check(json!({"a": 1}), json!({}), true);
        check(json!({"status": 1}), json!({"status": 2}), false);
        check(json!({"metadata": {"uid": "1"}}), json!({"metadata": {"uid": "2"}}), false);
        check(json!({"metadata": {"labels": {"a": "1"}}}), json!({"metadata": {}}), true);
        check(json!({"a": {"b": {}}}), json!({"a": {"b": null}}), true);
        check(json!({"a": {}}), json!({}), true);
    }
}
