//! The autopilot's loop against a Kubernetes API: how a native program drives [`Machine`].
//!
//! The machine decides, the [`Driver`] carries out: it reads, applies and deletes by `kube`, answers the machine, and
//! wakes it when it wants to be woken. Instead of watching it looks again, which is enough for an example. Nothing here
//! knows what the autopilot does.

mod api;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use virt_autopilot::cluster::{HCO_GROUP, HCO_NAME};
use virt_autopilot::object::{FIELD_MANAGER, ObjectRef};
use virt_autopilot::reconcile::events::EventRecord;
use virt_autopilot::reconcile::{ApiError, Effect, Event, Machine, Millis};
use virt_autopilot::{Catalog, Cluster, Object};

pub use api::Api;

/// Kinds that conditions and templates look at: apiVersion and kind.
const FACTS: [(&str, &str); 5] = [
    ("v1", "Node"),
    ("v1", "Namespace"),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    ("config.openshift.io/v1", "Infrastructure"),
    ("config.openshift.io/v1", "Scheduler"),
];

/// The machine, and the API that it is run against.
pub struct Driver {
    api: Api,
    machine: Machine,
    /// What is looked at: apiVersion and kind.
    kinds: Vec<(String, String)>,
    /// The errors in which passes ended, `None` for a pass that ended well.
    passes: Vec<Option<String>>,
}

impl Driver {
    /// A driver that has not looked at anything yet. `patience`: how long it waits for an answer of the API server.
    pub fn new(catalog: Catalog, client: kube::Client, patience: Duration) -> Self {
        let hco = (format!("{HCO_GROUP}/{}", catalog.behavior().hco_version()), "HyperConverged".to_owned());
        let facts = FACTS.into_iter().map(|(version, kind)| (version.to_owned(), kind.to_owned()));
        let assets = catalog.assets().iter().filter_map(|asset| asset.type_name());
        let assets = assets.map(|(version, kind)| (version.to_owned(), kind.to_owned()));
        let mut kinds: Vec<_> = facts.chain([hco]).chain(assets).collect();
        kinds.sort();
        kinds.dedup();
        Self { api: Api::new(client, patience), machine: Machine::new(catalog), kinds, passes: Vec::new() }
    }

    /// The machine, for its metrics and its state.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// How the passes ended so far, in the controller's words.
    pub fn passes(&self) -> &[Option<String>] {
        &self.passes
    }

    /// Looks at the cluster, and tells the machine what is new. Where that fails nothing is told: what could not be
    /// seen is not gone.
    ///
    /// # Errors
    ///
    /// Where the API server does not answer, or refuses.
    pub async fn look(&mut self, now: Millis) -> Result<(), ApiError> {
        let mut found = Vec::new();
        for (api_version, kind) in &self.kinds {
            found.extend(self.api.list(api_version, kind).await?);
        }
        if self.machine.cluster().objects().next().is_none() {
            let images = self.machine.cluster().images().clone();
            self.handle(now, Event::Snapshot(Cluster::from_objects(found).with_images(images))).await;
            return Ok(());
        }
        let seen = Cluster::from_objects(found.iter().cloned());
        let is_looked_at = |object: &Object| {
            self.kinds.iter().any(|(version, kind)| version == object.api_version() && kind == object.kind())
        };
        let known = self.machine.cluster().objects().filter(|object| is_looked_at(object));
        let gone: Vec<ObjectRef> =
            known.map(|object| object.reference()).filter(|object| seen.get(object).is_none()).collect();
        for object in gone {
            self.handle(now, Event::Deleted(object)).await;
        }
        for object in found {
            let known = self.machine.cluster().get(&object.reference());
            if known.is_none_or(|known| **known != object) {
                self.handle(now, Event::Changed(Arc::new(object))).await;
            }
        }
        Ok(())
    }

    /// Wakes the machine.
    pub async fn tick(&mut self, now: Millis) {
        self.handle(now, Event::Tick).await;
    }

    /// Hands an event to the machine, and carries out what comes of it, to the end.
    async fn handle(&mut self, now: Millis, event: Event) {
        let mut queue = VecDeque::from(self.machine.handle(now, event));
        while let Some(effect) = queue.pop_front() {
            let (id, answer) = match effect {
                Effect::Get { id, object } => (id, self.api.get(&object).await),
                Effect::DryRun { id, object } => (id, self.api.apply(&object, FIELD_MANAGER, true).await),
                Effect::Apply { id, object } => (id, self.api.apply(&object, FIELD_MANAGER, false).await),
                Effect::Annotate { id, object, key, value } => (id, self.api.annotate(&object, &key, &value).await),
                Effect::Delete { id, object } => (id, self.api.delete(&object).await),
                Effect::Event { event } => {
                    self.emit(&event).await;
                    continue;
                }
                // The machine keeps the metrics; whoever scrapes reads them from there.
                Effect::Metric { .. } => continue,
                Effect::Finished { error } => {
                    self.passes.push(error);
                    continue;
                }
            };
            queue.extend(self.machine.handle(now, Event::Done { id, answer }));
        }
    }

    /// Records an event on the HyperConverged. An event that gets lost is no reason to stop.
    async fn emit(&self, event: &EventRecord) {
        let namespace = self.machine.cluster().namespace();
        let _ = self.api.emit(event, namespace, HCO_NAME).await;
    }
}
