//! The Kubernetes events that the controller emits, all of them on the HyperConverged.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::throttle;
use crate::object::ObjectRef;

/// An event as `oc get events` shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventRecord {
    /// Whether it is a warning.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// Why it was emitted.
    pub reason: Reason,
    /// The reason with what it is about: events of the same action are folded into one series.
    pub action: String,
    /// What happened, in a sentence.
    pub note: String,
    /// The object that it is about.
    pub object: Option<ObjectRef>,
}

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventType {
    /// Something went as it should.
    Normal,
    /// Something needs a look.
    Warning,
}

/// The reason of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the controller's own words, as `oc get events` shows them")]
pub enum Reason {
    AssetApplied,
    DriftCorrected,
    PatchApplied,
    ReconcileSucceeded,
    UnmanagedMode,
    DriftDetected,
    Throttled,
    ThrashingDetected,
    InvalidPatch,
    InvalidIgnoreFields,
    #[serde(rename = "CRDMissing")]
    CrdMissing,
    #[serde(rename = "CRDDiscovered")]
    CrdDiscovered,
    ApplyFailed,
    TombstoneDeleted,
    TombstoneFailed,
    TombstoneSkipped,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CrdMissing => f.write_str("CRDMissing"),
            Self::CrdDiscovered => f.write_str("CRDDiscovered"),
            other => fmt::Debug::fmt(other, f),
        }
    }
}

impl Reason {
    fn event_type(self) -> EventType {
        match self {
            Self::AssetApplied
            | Self::DriftCorrected
            | Self::PatchApplied
            | Self::ReconcileSucceeded
            | Self::UnmanagedMode
            | Self::CrdDiscovered
            | Self::TombstoneDeleted => EventType::Normal,
            _ => EventType::Warning,
        }
    }
}

fn record(reason: Reason, subject: Option<&str>, note: String) -> EventRecord {
    let action = subject.map_or_else(|| reason.to_string(), |subject| format!("{reason} {subject}"));
    EventRecord { event_type: reason.event_type(), reason, action, note, object: None }
}

fn about(reason: Reason, object: &ObjectRef, note: String) -> EventRecord {
    EventRecord { object: Some(object.clone()), ..record(reason, Some(&object.to_string()), note) }
}

pub(crate) fn asset_applied(asset: &str, object: &ObjectRef) -> EventRecord {
    about(Reason::AssetApplied, object, format!("Applied asset {asset}: {object}"))
}

pub(crate) fn drift_detected(object: &ObjectRef) -> EventRecord {
    about(Reason::DriftDetected, object, format!("Drift detected for {object}"))
}

pub(crate) fn drift_corrected(object: &ObjectRef) -> EventRecord {
    about(Reason::DriftCorrected, object, format!("Corrected drift for {object}"))
}

pub(crate) fn patch_applied(object: &ObjectRef, operations: usize) -> EventRecord {
    about(Reason::PatchApplied, object, format!("Applied {operations} JSON patch operation(s) to {object}"))
}

pub(crate) fn invalid_patch(object: &ObjectRef, cause: &str) -> EventRecord {
    about(Reason::InvalidPatch, object, format!("Invalid JSON patch for {object}: {cause}"))
}

pub(crate) fn invalid_ignore_fields(object: &ObjectRef, cause: &str) -> EventRecord {
    about(Reason::InvalidIgnoreFields, object, format!("Invalid ignore-fields annotation for {object}: {cause}"))
}

pub(crate) fn unmanaged_mode(object: &ObjectRef) -> EventRecord {
    let note = format!("Resource {object} is in unmanaged mode, skipping reconciliation");
    about(Reason::UnmanagedMode, object, note)
}

pub(crate) fn throttled(object: &ObjectRef) -> EventRecord {
    let note = format!("Update throttled for {object} (limit: {})", throttle::LIMIT_TEXT);
    about(Reason::Throttled, object, note)
}

pub(crate) fn thrashing_detected(object: &ObjectRef, throttles: u32) -> EventRecord {
    let note = format!(
        "Edit war detected for {object} after {throttles} consecutive throttles. Reconciliation paused. Another actor is \
         modifying this resource, conflicting with operator management. Remove annotation \
         'platform.kubevirt.io/reconcile-paused=true' to resume, or set 'platform.kubevirt.io/mode=unmanaged' if external \
         management is intentional."
    );
    about(Reason::ThrashingDetected, object, note)
}

pub(crate) fn apply_failed(asset: &str, object: &ObjectRef, cause: &str) -> EventRecord {
    let note = format!("Failed to apply asset {asset}: {cause}");
    EventRecord { object: Some(object.clone()), ..record(Reason::ApplyFailed, Some(asset), note) }
}

pub(crate) fn crd_missing(asset: &str, crd: &str) -> EventRecord {
    let note = format!("CRD {crd} not installed, skipping {asset} assets (soft dependency)");
    record(Reason::CrdMissing, Some(crd), note)
}

pub(crate) fn crd_discovered(assets: &[&str], crd: &str) -> EventRecord {
    let assets = match assets {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => assets.concat(),
    };
    let note = format!("CRD {crd} discovered, {assets} assets can now be reconciled");
    record(Reason::CrdDiscovered, Some(crd), note)
}

pub(crate) fn tombstone_deleted(object: &ObjectRef, path: &str) -> EventRecord {
    about(Reason::TombstoneDeleted, object, format!("Deleted tombstoned resource {object} (from {path})"))
}

pub(crate) fn tombstone_failed(object: &ObjectRef, cause: &str) -> EventRecord {
    about(Reason::TombstoneFailed, object, format!("Failed to delete tombstoned resource {object}: {cause}"))
}

pub(crate) fn tombstone_skipped(object: &ObjectRef) -> EventRecord {
    let why = "Label mismatch - resource not managed by virt-platform-autopilot";
    about(Reason::TombstoneSkipped, object, format!("Skipped tombstone deletion for {object}: {why}"))
}

pub(crate) fn reconcile_succeeded(applied: usize, assets: usize) -> EventRecord {
    let note = format!("Reconciliation succeeded: {applied}/{assets} assets applied");
    record(Reason::ReconcileSucceeded, None, note)
}
