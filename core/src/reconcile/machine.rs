//! The loop itself, without IO: events go in, effects come out.

mod pass;
mod recall;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::pass::Run;
use self::recall::Recall;
use super::effect::{Effect, Event};
use super::events;
use super::journal::Journal;
use super::metrics::Metrics;
use super::throttle::{Millis, Throttle};
use crate::catalog::{Asset, Catalog};
use crate::cluster::{HCO_GROUP, HCO_NAME};
use crate::object::{ObjectRef, split_api_version};
use crate::{Cluster, Object};

/// Time between two passes when nothing happens, in milliseconds.
pub const REQUEUE: Millis = 300_000;
/// Wait after the first failed pass, in milliseconds; it doubles with each further failure in a row.
pub const FIRST_RETRY: Millis = 5;
/// Longest wait after a failed pass, in milliseconds.
pub const LONGEST_RETRY: Millis = 1_000_000;

/// The controller's loop: it reads, decides and asks for effects, one at a time, and never does anything by itself.
///
/// The driver feeds it what happens, carries out the effects in their order, answers those that have an `id`, and wakes
/// it at [`Machine::next_wakeup`]. While an answer is awaited the machine waits for nothing else.
///
/// # Examples
///
/// ```
/// use virt_autopilot::reconcile::{Effect, Event, Machine};
/// use virt_autopilot::{Catalog, demo};
///
/// let mut machine = Machine::new(Catalog::builtin("4.22").unwrap());
/// let effects = machine.handle(0, Event::Snapshot(demo::cluster()));
/// assert!(matches!(effects.last(), Some(Effect::Get { .. })));
/// ```
#[derive(Clone, Debug)]
pub struct Machine {
    catalog: Catalog,
    cluster: Cluster,
    watched: Watched,
    state: State,
    /// What need not be found out again, on a snapshot that is live.
    recall: Option<Recall>,
    /// What the driver is to do, so far.
    effects: Vec<Effect>,
}

/// What the machine remembers besides the snapshot. It serialises, and a machine that is restored from it goes on as if
/// nothing had been. A restarted controller remembers nothing of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct State {
    throttle: Throttle,
    metrics: Metrics,
    /// When the next pass is due; `None`: only when something happens.
    due: Option<Millis>,
    /// Passes that failed, in a row.
    failures: u32,
    run: Option<Run>,
    next_id: u64,
    now: Millis,
}

impl Machine {
    /// A machine that has just been started and knows nothing yet.
    pub fn new(catalog: Catalog) -> Self {
        Self::restore(catalog, Cluster::default(), State::default())
    }

    /// A machine that goes on from a state that another one had, on the snapshot that it had.
    pub fn restore(catalog: Catalog, cluster: Cluster, state: State) -> Self {
        let watched = Watched::of(&catalog, &cluster);
        Self { catalog, cluster, watched, state, recall: None, effects: Vec::new() }
    }

    /// The same machine for a driver that tells it of every change at once, as the simulation does. It takes objects
    /// from its snapshot rather than asking for them, and what it found in sync is so until it changes.
    #[must_use]
    pub fn on_live_snapshot(mut self) -> Self {
        self.recall = Some(Recall::new(&self.catalog));
        self
    }

    /// What the machine remembers besides the snapshot.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The snapshot as the machine knows it.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The metrics as they are now.
    pub fn metrics(&self) -> &Metrics {
        &self.state.metrics
    }

    /// Whether a pass is under way.
    pub fn is_busy(&self) -> bool {
        self.state.run.is_some()
    }

    /// When the machine wants a [`Event::Tick`]; `None`: only when something happens or an effect is answered.
    pub fn next_wakeup(&self) -> Option<Millis> {
        self.state.due.filter(|_| self.state.run.is_none())
    }

    /// Takes in what happened, and says what is to be done. Time never goes backwards: an earlier `now` is taken as the
    /// latest one seen.
    pub fn handle(&mut self, now: Millis, event: Event) -> Vec<Effect> {
        self.state.now = now.max(self.state.now);
        match event {
            Event::Snapshot(cluster) => {
                self.watched = Watched::of(&self.catalog, &cluster);
                self.cluster = cluster;
                self.recall = self.recall.is_some().then(|| Recall::new(&self.catalog));
                self.wake();
            }
            Event::Changed(object) => self.changed(object),
            Event::Deleted(object) => self.deleted(&object),
            Event::Done { id, answer } => self.answered(id, answer),
            Event::Tick => {}
        }
        if self.state.run.is_none() && self.state.due.is_some_and(|due| due <= self.state.now) {
            self.start();
        }
        std::mem::take(&mut self.effects)
    }

    /// A change of the HyperConverged, of a CRD or of a watched kind brings about a pass.
    fn changed(&mut self, object: Arc<Object>) {
        let reference = object.reference();
        let wakes = self.watches(&reference, Some(&object));
        let is_new_crd = is_crd(&reference) && self.cluster.crd(&reference.name).is_none();
        self.learn(object);
        if is_new_crd && needs_crd(&self.catalog, &reference.name) && !self.watched.crds.contains(&reference.name) {
            if self.cluster.hco(self.catalog.behavior()).is_some() {
                let needing = |asset: &&Asset| needs(asset, &self.catalog, &reference.name);
                let assets = self.catalog.assets().iter().filter(needing).map(|asset| asset.name.as_str());
                let event = events::crd_discovered(&assets.collect::<Vec<_>>(), &reference.name);
                self.effects.push(Effect::Event { event });
            }
            self.restart();
        } else if wakes {
            self.wake();
        }
    }

    fn deleted(&mut self, reference: &ObjectRef) {
        let wakes = self.watches(reference, None);
        self.unlearn(reference);
        if is_crd(reference) && self.watched.crds.contains(&reference.name) {
            self.restart();
        } else if wakes {
            self.wake();
        }
    }

    /// The controller ends and is started again, to watch a kind or to stop watching it: it forgets what it remembered.
    fn restart(&mut self) {
        let State { next_id, now, .. } = self.state;
        self.state = State { next_id, now, ..State::default() };
        self.watched = Watched::of(&self.catalog, &self.cluster);
        self.recall = self.recall.is_some().then(|| Recall::new(&self.catalog));
        self.wake();
    }

    /// Whether a change of an object is heard of. Of the watched kinds, only objects that carry the managed-by label, or
    /// did so until now, are.
    fn watches(&self, object: &ObjectRef, now: Option<&Object>) -> bool {
        let is_hco = object.group() == HCO_GROUP
            && (object.name.as_str(), object.namespace.as_str()) == (HCO_NAME, self.cluster.namespace());
        if is_hco || is_crd(object) {
            return true;
        }
        self.watched.has(object)
            && (now.is_some_and(Object::is_managed)
                || self.cluster.get(object).is_some_and(|before| before.is_managed()))
    }

    /// Takes an object into the snapshot.
    fn learn(&mut self, object: Arc<Object>) {
        let reference = object.reference();
        if self.cluster.get(&reference).is_some_and(|known| Arc::ptr_eq(known, &object)) {
            return;
        }
        self.cluster.put(object);
        if let Some(recall) = &mut self.recall {
            recall.changed(&reference);
        }
    }

    /// Takes an object out of the snapshot.
    fn unlearn(&mut self, reference: &ObjectRef) {
        if self.cluster.remove(reference).is_some()
            && let Some(recall) = &mut self.recall
        {
            recall.changed(reference);
        }
    }

    fn wake(&mut self) {
        match &mut self.state.run {
            Some(run) => run.again = true,
            None => self.state.due = Some(self.state.now),
        }
    }

    /// Ends the pass, and says when the next one is due.
    fn finish(&mut self, next: Next) {
        let again = self.state.run.take().is_some_and(|run| run.again);
        let now = self.state.now;
        let (due, error) = match next {
            Next::WhenSomethingHappens => (None, None),
            Next::AfterAWhile => (Some(now + REQUEUE), None),
            Next::Retry(error) => {
                let wait = FIRST_RETRY.saturating_mul(1 << self.state.failures.min(30)).min(LONGEST_RETRY);
                (Some(now + wait), Some(error))
            }
        };
        self.state.failures = if error.is_some() { self.state.failures.saturating_add(1) } else { 0 };
        self.state.due = if again { Some(now) } else { due };
        self.effects.push(Effect::Finished { error });
    }

    /// Begins to record. What is recorded becomes effects with [`Machine::record`].
    fn journal(&mut self) -> Journal {
        Journal { events: Vec::new(), metrics: std::mem::take(&mut self.state.metrics) }
    }

    fn record(&mut self, mut journal: Journal) {
        self.effects.extend(journal.metrics.take_changes().into_iter().map(|change| Effect::Metric { change }));
        self.effects.extend(journal.events.into_iter().map(|event| Effect::Event { event }));
        self.state.metrics = journal.metrics;
    }

    /// Records one thing.
    fn tell(&mut self, what: impl FnOnce(&mut Journal)) {
        let mut journal = self.journal();
        what(&mut journal);
        self.record(journal);
    }
}

/// When the next pass is due, after one that ended.
enum Next {
    WhenSomethingHappens,
    AfterAWhile,
    /// Soon, for it ended in this error.
    Retry(String),
}

fn is_crd(object: &ObjectRef) -> bool {
    object.kind == "CustomResourceDefinition"
}

/// The assets' own kinds, as far as they were installed at the start.
#[derive(Clone, Debug)]
struct Watched {
    crds: BTreeSet<String>,
    /// Group and kind.
    kinds: Vec<(String, String)>,
}

impl Watched {
    fn of(catalog: &Catalog, cluster: &Cluster) -> Self {
        let (mut crds, mut kinds) = (BTreeSet::new(), Vec::new());
        for asset in catalog.assets() {
            let required = asset.required_crd(catalog.behavior());
            let Some(name) = required.filter(|name| cluster.has_crd(name) && !crds.contains(name)) else { continue };
            // Where the CRD itself is not known, the asset tells its kind.
            let kind = match (cluster.crd(&name), asset.type_name()) {
                (Some(crd), _) => {
                    let text = |path: &[&str]| crd.at(path).and_then(Value::as_str).unwrap_or_default().to_owned();
                    Some((text(&["spec", "group"]), text(&["spec", "names", "kind"])))
                }
                (None, Some((version, kind))) => Some((split_api_version(version).0.to_owned(), kind.to_owned())),
                (None, None) => None,
            };
            kinds.extend(kind);
            crds.insert(name);
        }
        Self { crds, kinds }
    }

    fn has(&self, object: &ObjectRef) -> bool {
        self.kinds.iter().any(|(group, kind)| *kind == object.kind && group == object.group())
    }
}

fn needs(asset: &Asset, catalog: &Catalog, crd: &str) -> bool {
    asset.required_crd(catalog.behavior()).as_deref() == Some(crd) || asset.gate_crd.as_deref() == Some(crd)
}

fn needs_crd(catalog: &Catalog, crd: &str) -> bool {
    catalog.assets().iter().any(|asset| needs(asset, catalog, crd))
}
