//! What one pass tells the world: events and metrics, recorded side by side.

use super::events::{self, EventRecord};
use super::metrics::{Customization, Metrics};
use crate::Behavior;
use crate::object::ObjectRef;

/// Events and metrics. Each method is something that happens to an asset or to the pass as a whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    pub(crate) events: Vec<EventRecord>,
    pub(crate) metrics: Metrics,
}

impl Journal {
    pub(crate) fn crd(&mut self, asset: &str, crd: &str, installed: bool, behavior: Behavior) {
        self.metrics.set_dependency(crd, !installed, behavior);
        if !installed {
            self.events.push(events::crd_missing(asset, crd));
        }
    }

    pub(crate) fn excluded_by_rule(&mut self, object: &ObjectRef) {
        self.metrics.clear_compliance(object);
        self.metrics.set_paused(object, false);
    }

    pub(crate) fn paused(&mut self, object: &ObjectRef) {
        self.metrics.set_paused(object, true);
    }

    pub(crate) fn unmanaged(&mut self, object: &ObjectRef) {
        self.metrics.clear_customizations(object);
        self.metrics.clear_compliance(object);
        self.metrics.set_paused(object, false);
        self.metrics.set_customization(object, Customization::Unmanaged);
        self.events.push(events::unmanaged_mode(object));
    }

    pub(crate) fn patch_applied(&mut self, object: &ObjectRef, operations: usize) {
        self.events.push(events::patch_applied(object, operations));
    }

    pub(crate) fn invalid_patch(&mut self, object: &ObjectRef, cause: &str) {
        self.events.push(events::invalid_patch(object, cause));
    }

    pub(crate) fn mask_failed(&mut self, object: &ObjectRef, cause: &str) {
        self.events.push(events::invalid_ignore_fields(object, cause));
    }

    pub(crate) fn dry_run_failed(&mut self, object: &ObjectRef) {
        self.metrics.set_compliance(object, false);
    }

    pub(crate) fn in_sync(&mut self, object: &ObjectRef) {
        self.metrics.set_compliance(object, true);
        self.metrics.set_paused(object, false);
    }

    pub(crate) fn drift(&mut self, object: &ObjectRef) {
        self.events.push(events::drift_detected(object));
    }

    pub(crate) fn throttled(&mut self, object: &ObjectRef) {
        self.events.push(events::throttled(object));
    }

    pub(crate) fn thrashing(&mut self, object: &ObjectRef, throttles: u32) {
        self.metrics.count_thrashing(object);
        self.events.push(events::thrashing_detected(object, throttles));
    }

    pub(crate) fn applied(&mut self, asset: &str, object: &ObjectRef, existed: bool) {
        self.metrics.set_compliance(object, true);
        self.metrics.set_paused(object, false);
        self.events.push(events::asset_applied(asset, object));
        if existed {
            self.events.push(events::drift_corrected(object));
        }
    }

    pub(crate) fn apply_failed(&mut self, asset: &str, object: &ObjectRef, cause: &str) {
        self.metrics.set_compliance(object, false);
        self.events.push(events::apply_failed(asset, object, cause));
    }

    pub(crate) fn tombstone_gone(&mut self, object: &ObjectRef) {
        self.metrics.set_tombstone(object, 0);
    }

    pub(crate) fn tombstone_deleted(&mut self, object: &ObjectRef, path: &str) {
        self.metrics.set_tombstone(object, 0);
        self.events.push(events::tombstone_deleted(object, path));
    }

    pub(crate) fn tombstone_skipped(&mut self, object: &ObjectRef) {
        self.metrics.set_tombstone(object, -2);
        self.events.push(events::tombstone_skipped(object));
    }

    pub(crate) fn tombstone_failed(&mut self, object: &ObjectRef, cause: &str) {
        self.metrics.set_tombstone(object, -1);
        self.events.push(events::tombstone_failed(object, cause));
    }

    pub(crate) fn succeeded(&mut self, applied: usize, assets: usize) {
        self.events.push(events::reconcile_succeeded(applied, assets));
    }
}
