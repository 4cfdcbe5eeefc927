//! What a machine on a live snapshot remembers so as not to find it out again.
//!
//! It changes no result: all of it follows from the catalog and the snapshot. It is what lets a year be played in
//! seconds, in which most assets of most passes are as they were.

use std::sync::Arc;

use crate::Object;
use crate::catalog::{Asset, Body, Catalog};
use crate::object::ObjectRef;
use crate::reconcile::events::EventRecord;
use crate::reconcile::journal::Journal;

/// HyperConvergeds for which renderings are kept: a fight about its fields goes to and fro between two or three.
const MOST_VIEWS: usize = 4;

/// What is known.
#[derive(Clone, Debug)]
pub(super) struct Recall {
    views: Vec<View>,
    /// By the asset's place in the catalog.
    slots: Vec<Slot>,
    looks_at: LooksAt,
    /// The HyperConverged on which assets were screened last.
    screened_on: Option<Arc<Object>>,
}

/// The catalog as it is on one HyperConverged.
#[derive(Clone, Debug)]
struct View {
    hco: Arc<Object>,
    screened: Option<Screened>,
    /// By the asset's place in the catalog.
    rendered: Vec<Option<Rendered>>,
}

/// Which assets are let through.
#[derive(Clone, Debug)]
pub(super) struct Screened {
    /// Those, by their places in the catalog.
    pub(super) queue: Vec<usize>,
    /// What is told of the others.
    pub(super) events: Vec<EventRecord>,
    /// The objects whose series are dropped.
    pub(super) forgotten: Vec<ObjectRef>,
}

/// What an asset comes to.
#[derive(Clone, Debug)]
pub(super) enum Rendered {
    /// Nothing.
    Nothing,
    /// An object that a rule leaves out.
    Excluded(ObjectRef),
    /// An object.
    Object(Arc<Object>),
}

/// How an asset was found last.
#[derive(Clone, Debug, Default)]
struct Slot {
    baseline: Option<Arc<Object>>,
    target: ObjectRef,
    /// What is told of it whenever it is looked at.
    events: Vec<EventRecord>,
    /// It was left alone, and nothing that it looks at has changed since.
    settled: bool,
}

/// What the catalog's templates look at besides the HyperConverged, the nodes and the cluster's configuration.
#[derive(Clone, Copy, Debug, Default)]
struct LooksAt {
    config_maps: bool,
    monitoring: bool,
    storage_profiles: bool,
}

impl Recall {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let calls = |function: &str| catalog.assets().iter().any(|asset| calls(asset, function));
        let looks_at = LooksAt {
            config_maps: calls("getConfigMapData"),
            monitoring: calls("objectExists") || calls("prometheusRuleHasRecordingRule"),
            storage_profiles: calls("storageProfileRWXClass"),
        };
        let slots = vec![Slot::default(); catalog.assets().len()];
        Self { views: Vec::new(), slots, looks_at, screened_on: None }
    }

    /// An object was changed, created or deleted.
    pub(super) fn changed(&mut self, object: &ObjectRef) {
        self.unsettle(object);
        let group = object.group();
        let concerns_all = match (group, object.kind.as_str()) {
            ("", "Node") | ("apiextensions.k8s.io", "CustomResourceDefinition") => true,
            ("", "ConfigMap") => self.looks_at.config_maps,
            ("cdi.kubevirt.io", "StorageProfile") => self.looks_at.storage_profiles,
            _ => group == "config.openshift.io" || group == "monitoring.coreos.com" && self.looks_at.monitoring,
        };
        if concerns_all {
            self.views.clear();
            self.screened_on = None;
        }
    }

    /// Assets of that object have to be looked at again.
    pub(super) fn unsettle(&mut self, object: &ObjectRef) {
        let is_it = |target: &ObjectRef| {
            (&target.name, &target.kind, &target.namespace) == (&object.name, &object.kind, &object.namespace)
        };
        self.slots.iter_mut().filter(|slot| is_it(&slot.target)).for_each(|slot| slot.settled = false);
    }

    /// The queue on a known HyperConverged, with what is told and dropped on the way to it.
    pub(super) fn screened(&mut self, hco: &Arc<Object>, journal: &mut Journal) -> Option<Vec<usize>> {
        let Screened { queue, events, forgotten } = self.view(hco)?.screened.as_ref()?;
        journal.events.extend(events.iter().cloned());
        if self.screened_on.as_ref().is_some_and(|last| Arc::ptr_eq(last, hco)) {
            return Some(queue.clone());
        }
        let (queue, forgotten) = (queue.clone(), forgotten.clone());
        for object in &forgotten {
            journal.metrics.forget(object);
            self.unsettle(object);
        }
        self.screened_on = Some(Arc::clone(hco));
        Some(queue)
    }

    fn view(&self, hco: &Arc<Object>) -> Option<&View> {
        self.views.iter().find(|view| Arc::ptr_eq(&view.hco, hco))
    }

    pub(super) fn rendered(&self, place: usize, hco: &Arc<Object>) -> Option<Rendered> {
        self.view(hco)?.rendered.get(place)?.clone()
    }

    /// What is told of an asset that is settled; `None`: it has to be looked at.
    pub(super) fn settled(&self, place: usize, hco: &Arc<Object>) -> Option<&[EventRecord]> {
        let slot = self.slots.get(place).filter(|slot| slot.settled)?;
        let Some(Some(Rendered::Object(baseline))) = self.view(hco)?.rendered.get(place) else { return None };
        slot.baseline.as_ref().filter(|known| Arc::ptr_eq(known, baseline))?;
        Some(&slot.events)
    }

    pub(super) fn remember_rendered(&mut self, place: usize, hco: &Arc<Object>, rendered: Rendered) {
        if let Some(known) = self.view_mut(hco).rendered.get_mut(place) {
            *known = Some(rendered);
        }
    }

    pub(super) fn remember_screened(&mut self, hco: &Arc<Object>, screened: Screened) {
        screened.forgotten.iter().for_each(|object| self.unsettle(object));
        self.view_mut(hco).screened = Some(screened);
        self.screened_on = Some(Arc::clone(hco));
    }

    fn view_mut(&mut self, hco: &Arc<Object>) -> &mut View {
        let place = self.views.iter().position(|view| Arc::ptr_eq(&view.hco, hco)).unwrap_or_else(|| {
            if self.views.len() >= MOST_VIEWS {
                self.views.remove(0);
            }
            let rendered = vec![None; self.slots.len()];
            self.views.push(View { hco: Arc::clone(hco), screened: None, rendered });
            self.views.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "it was found or pushed just now")]
        &mut self.views[place]
    }

    /// An asset was prepared, and this was told of it.
    pub(super) fn prepared(&mut self, place: usize, baseline: &Arc<Object>, events: Vec<EventRecord>) {
        if let Some(slot) = self.slots.get_mut(place) {
            let (baseline, target) = (Some(Arc::clone(baseline)), baseline.reference());
            *slot = Slot { baseline, target, events, settled: false };
        }
    }

    /// The asset that was prepared was left alone.
    pub(super) fn settle(&mut self, place: usize) {
        if let Some(slot) = self.slots.get_mut(place) {
            slot.settled = true;
        }
    }
}

fn calls(asset: &Asset, function: &str) -> bool {
    matches!(&asset.body, Body::Template(Ok(template)) if template.text().contains(function))
}
