//! The loop itself, without IO: events go in, effects come out.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::effect::{Answer, ApiError, ApiErrorKind, Effect, Event};
use super::events;
use super::journal::Journal;
use super::metrics::Metrics;
use super::throttle::{LIMIT_TEXT, Millis, PAUSE_AFTER, Throttle, Verdict};
use crate::catalog::{Asset, Catalog, GOLDEN_CONFIG};
use crate::object::ObjectRef;
use crate::overrides::patch::PatchOptions;
use crate::overrides::{self, RECONCILE_PAUSED};
use crate::plan::{Prepared, Tally, differs, prepare};
use crate::render::{Attempt, Pass, Skip};
use crate::scope::{AUTOPILOT, Activation};
use crate::{Cluster, Object};

/// Time between two passes when nothing happens, in milliseconds.
pub const REQUEUE: Millis = 300_000;
/// Wait after the first failed pass, in milliseconds; it doubles with each further failure in a row.
pub const FIRST_RETRY: Millis = 5;
/// Longest wait after a failed pass, in milliseconds.
pub const LONGEST_RETRY: Millis = 1_000_000;

/// The controller's loop: it reads, decides and asks for effects, one at a time, and never does anything by itself.
///
/// The driver feeds it what happens, carries out the effects, answers them, and wakes it at [`Machine::next_wakeup`].
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
    /// The CRDs that were there at the start: kinds that are watched.
    watched: BTreeSet<String>,
    state: State,
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

/// A pass that is under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    hco: Arc<Object>,
    at: At,
    waits_for: Option<(u64, Step)>,
    /// The assets that were let through, by name; known once the golden config is done.
    queue: Vec<String>,
    tally: Tally,
    /// Something happened meanwhile, so that another pass follows.
    again: bool,
}

/// How far a pass has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum At {
    Tombstone(usize),
    Golden,
    Reread,
    Asset(usize),
}

/// What an answer is waited for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Step {
    ReadTombstone,
    Delete,
    ReadHco,
    ReadLive { baseline: Arc<Object> },
    DryRun { live: Arc<Object>, desired: Arc<Object> },
    Apply { existed: bool, desired: Arc<Object> },
    Pause { object: ObjectRef },
}

impl Machine {
    /// A machine that has just been started and knows nothing yet.
    pub fn new(catalog: Catalog) -> Self {
        Self { catalog, cluster: Cluster::default(), watched: BTreeSet::new(), state: State::default() }
    }

    /// A machine that goes on from a state that another one had, on the snapshot that it had.
    pub fn restore(catalog: Catalog, cluster: Cluster, state: State) -> Self {
        let watched = watched_crds(&catalog, &cluster);
        Self { catalog, cluster, watched, state }
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
        let now = now.max(self.state.now);
        self.state.now = now;
        let mut effects = Vec::new();
        match event {
            Event::Snapshot(cluster) => {
                self.watched = watched_crds(&self.catalog, &cluster);
                self.cluster = cluster;
                self.wake(now);
            }
            Event::Changed(object) => self.changed(now, object, &mut effects),
            Event::Deleted(object) => {
                let watched = self.watches(&object);
                self.cluster.remove(&object);
                if watched {
                    self.wake(now);
                }
            }
            Event::Done { id, answer } => self.answered(now, id, answer, &mut effects),
            Event::Tick => {}
        }
        if self.state.run.is_none() && self.state.due.is_some_and(|due| due <= now) {
            self.start(now, &mut effects);
        }
        effects
    }

    /// A change of the HyperConverged, of a CRD or of a watched kind brings about a pass.
    fn changed(&mut self, now: Millis, object: Arc<Object>, effects: &mut Vec<Effect>) {
        let reference = object.reference();
        let is_new_crd = reference.kind == "CustomResourceDefinition" && self.cluster.crd(&reference.name).is_none();
        self.cluster.put(object);
        if is_new_crd && needs_crd(&self.catalog, &reference.name) && !self.watched.contains(&reference.name) {
            // The controller restarts to watch the new kind, and so forgets what it remembered.
            let assets = self.catalog.assets().iter().filter(|asset| needs(asset, &self.catalog, &reference.name));
            let assets: Vec<&str> = assets.map(|asset| asset.name.as_str()).collect();
            effects.push(Effect::Event { event: events::crd_discovered(&assets, &reference.name) });
            let next_id = self.state.next_id;
            self.state = State { next_id, now, ..State::default() };
            self.watched = watched_crds(&self.catalog, &self.cluster);
            self.wake(now);
        } else if self.watches(&reference) {
            self.wake(now);
        }
    }

    fn watches(&self, object: &ObjectRef) -> bool {
        let is_hco = object.group() == crate::cluster::HCO_GROUP
            && (object.name.as_str(), object.namespace.as_str())
                == (crate::cluster::HCO_NAME, self.cluster.namespace());
        is_hco
            || object.kind == "CustomResourceDefinition"
            || self.watched.iter().any(|crd| {
                self.cluster.crd(crd).is_some_and(|crd| {
                    let text = |path: &[&str]| crd.at(path).and_then(Value::as_str).unwrap_or_default();
                    text(&["spec", "group"]) == object.group() && text(&["spec", "names", "kind"]) == object.kind
                })
            })
    }

    fn wake(&mut self, now: Millis) {
        match &mut self.state.run {
            Some(run) => run.again = true,
            None => self.state.due = Some(now),
        }
    }

    fn start(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        self.state.due = None;
        let behavior = self.catalog.behavior();
        let Some(hco) = self.cluster.hco(behavior).cloned() else {
            return;
        };
        if Activation::parse(hco.annotation(AUTOPILOT), behavior) == Activation::Idle {
            self.state.due = Some(now + REQUEUE);
            self.state.failures = 0;
            return;
        }
        let at = At::Tombstone(0);
        let (queue, tally) = (Vec::new(), Tally::default());
        self.state.run = Some(Run { hco, at, waits_for: None, queue, tally, again: false });
        self.go_on(now, effects);
    }

    fn answered(&mut self, now: Millis, id: u64, answer: Answer, effects: &mut Vec<Effect>) {
        let Some(run) = &mut self.state.run else { return };
        let Some((_, step)) = run.waits_for.take_if(|(waited, _)| *waited == id) else { return };
        let mut journal = self.journal();
        let done = self.take_in(now, step, answer, &mut journal, effects);
        self.write(journal, effects);
        match done {
            Progress::Waiting => {}
            Progress::AssetDone(result) => {
                self.asset_done(now, result, effects);
                self.go_on(now, effects);
            }
            Progress::StepDone => self.go_on(now, effects),
        }
    }

    fn journal(&mut self) -> Journal {
        Journal { events: Vec::new(), metrics: std::mem::take(&mut self.state.metrics) }
    }

    /// Turns what was recorded into effects.
    fn write(&mut self, mut journal: Journal, effects: &mut Vec<Effect>) {
        effects.extend(journal.metrics.take_changes().into_iter().map(|change| Effect::Metric { change }));
        effects.extend(journal.events.into_iter().map(|event| Effect::Event { event }));
        self.state.metrics = journal.metrics;
    }

    fn ask(&mut self, step: Step, make: impl FnOnce(u64) -> Effect, effects: &mut Vec<Effect>) -> Progress {
        let id = self.state.next_id;
        self.state.next_id += 1;
        effects.push(make(id));
        if let Some(run) = &mut self.state.run {
            run.waits_for = Some((id, step));
        }
        Progress::Waiting
    }

    /// Goes on until an answer is waited for, or the pass is over.
    fn go_on(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        while let Some(run) = &self.state.run {
            match run.at {
                At::Tombstone(index) => match self.catalog.tombstones().get(index) {
                    Some(tombstone) => {
                        let object = tombstone.object.clone();
                        self.ask(Step::ReadTombstone, |id| Effect::Get { id, object }, effects);
                        return;
                    }
                    None => self.move_to(At::Golden),
                },
                At::Golden => {
                    if self.begin_golden(now, effects) {
                        return;
                    }
                }
                At::Reread => {
                    let object = run.hco.reference();
                    self.ask(Step::ReadHco, |id| Effect::Get { id, object }, effects);
                    return;
                }
                At::Asset(index) => {
                    let asset = run.queue.get(index).and_then(|name| self.catalog.asset(name)).cloned();
                    let Some(asset) = asset else {
                        let error = run.tally.error();
                        let (applied, assets) = (run.tally.applied, run.tally.assets);
                        if error.is_none() {
                            let mut journal = self.journal();
                            journal.succeeded(applied, assets);
                            self.write(journal, effects);
                        }
                        self.finish(now, error, effects);
                        return;
                    };
                    if self.begin_asset(now, &asset, effects) {
                        return;
                    }
                }
            }
        }
    }

    fn move_to(&mut self, at: At) {
        if let Some(run) = &mut self.state.run {
            run.at = at;
        }
    }

    /// Renders the golden config. True: an answer is waited for, or the pass is over.
    fn begin_golden(&mut self, now: Millis, effects: &mut Vec<Effect>) -> bool {
        let asset = self.catalog.asset(GOLDEN_CONFIG).cloned();
        match asset {
            Some(asset) => self.begin_asset(now, &asset, effects),
            None => {
                self.move_to(At::Reread);
                false
            }
        }
    }

    /// Renders an asset and asks for its live object. True: an answer is waited for, or the pass is over.
    fn begin_asset(&mut self, now: Millis, asset: &Asset, effects: &mut Vec<Effect>) -> bool {
        let Some(hco) = self.state.run.as_ref().map(|run| Arc::clone(&run.hco)) else { return true };
        let mut journal = self.journal();
        let attempt = {
            let pass = Pass::new(&self.catalog, &self.cluster, &hco);
            let golden = asset.name == GOLDEN_CONFIG;
            let screening = if golden { pass.screen(asset, &mut journal) } else { Attempt::default() };
            pass.realize(asset, screening, &mut journal)
        };
        self.write(journal, effects);
        let result = match (attempt.skip, attempt.object) {
            (None, Some(baseline)) => {
                let object = baseline.reference();
                self.ask(Step::ReadLive { baseline }, |id| Effect::Get { id, object }, effects);
                return true;
            }
            (Some(Skip::RenderFailed { error }), _) => Err(error.in_controllers_words(&asset.name)),
            _ => Ok(false),
        };
        self.asset_done(now, result, effects);
        self.state.run.is_none()
    }

    /// Counts an asset and moves to the next.
    fn asset_done(&mut self, now: Millis, result: Result<bool, String>, effects: &mut Vec<Effect>) {
        let Some(run) = &mut self.state.run else { return };
        match (run.at, result) {
            (At::Asset(index), result) => {
                run.at = At::Asset(index + 1);
                let name = run.queue.get(index).cloned().unwrap_or_default();
                run.tally.add(&name, result);
            }
            (_, Ok(_)) => run.at = At::Reread,
            (_, Err(cause)) => self.finish(now, Some(format!("failed to reconcile HCO: {cause}")), effects),
        }
    }

    fn finish(&mut self, now: Millis, error: Option<String>, effects: &mut Vec<Effect>) {
        let again = self.state.run.take().is_some_and(|run| run.again);
        let wait = match &error {
            None => {
                self.state.failures = 0;
                REQUEUE
            }
            Some(_) => {
                let wait = FIRST_RETRY.saturating_mul(1 << self.state.failures.min(30)).min(LONGEST_RETRY);
                self.state.failures = self.state.failures.saturating_add(1);
                wait
            }
        };
        self.state.due = Some(if again { now } else { now + wait });
        effects.push(Effect::Finished { error });
    }

    /// Takes in the answer to a step.
    fn take_in(
        &mut self,
        now: Millis,
        step: Step,
        answer: Answer,
        journal: &mut Journal,
        effects: &mut Vec<Effect>,
    ) -> Progress {
        match step {
            Step::ReadTombstone => self.take_tombstone(answer, journal, effects),
            Step::Delete => self.took_away(answer, journal),
            Step::ReadHco => self.take_hco(now, answer, journal, effects),
            Step::ReadLive { baseline } => self.take_live(now, &baseline, answer, journal, effects),
            Step::DryRun { live, desired } => match answer {
                Ok(Some(predicted)) if !differs(&live, &predicted) => {
                    journal.in_sync(&desired.reference());
                    Progress::AssetDone(Ok(false))
                }
                Ok(_) => {
                    journal.drift(&desired.reference());
                    self.write_through(now, true, desired, journal, effects)
                }
                Err(error) => {
                    journal.dry_run_failed(&desired.reference());
                    let message = format!("drift detection failed: failed to perform dry-run apply: {error}");
                    Progress::AssetDone(Err(message))
                }
            },
            Step::Apply { existed, desired } => self.applied(existed, &desired, answer, journal),
            Step::Pause { object } => {
                if let Ok(paused) = answer {
                    journal.paused(&object);
                    if let Some(paused) = paused {
                        self.cluster.put(paused);
                    }
                }
                let message = format!("reconciliation paused due to edit war (threshold: {PAUSE_AFTER} throttles)");
                Progress::AssetDone(Err(message))
            }
        }
    }

    fn take_tombstone(&mut self, answer: Answer, journal: &mut Journal, effects: &mut Vec<Effect>) -> Progress {
        let Some((index, tombstone)) = self.tombstone() else { return Progress::StepDone };
        match answer {
            Ok(Some(live)) if live.is_managed() => {
                return self.ask(Step::Delete, |id| Effect::Delete { id, object: tombstone.0 }, effects);
            }
            Ok(Some(_)) => journal.tombstone_skipped(&tombstone.0),
            Ok(None) | Err(ApiError { kind: ApiErrorKind::NotFound, .. }) => journal.tombstone_gone(&tombstone.0),
            Err(error) => journal.tombstone_failed(&tombstone.0, &format!("Failed to get resource: {error}")),
        }
        self.move_to(At::Tombstone(index + 1));
        Progress::StepDone
    }

    fn took_away(&mut self, answer: Answer, journal: &mut Journal) -> Progress {
        let Some((index, (object, path))) = self.tombstone() else { return Progress::StepDone };
        match answer {
            Ok(_) => {
                self.cluster.remove(&object);
                journal.tombstone_deleted(&object, &path);
            }
            Err(error) => journal.tombstone_failed(&object, &format!("Failed to delete: {error}")),
        }
        self.move_to(At::Tombstone(index + 1));
        Progress::StepDone
    }

    /// The tombstone that the pass is at: its index, the object and the file.
    fn tombstone(&self) -> Option<(usize, (ObjectRef, String))> {
        let At::Tombstone(index) = self.state.run.as_ref()?.at else { return None };
        let tombstone = self.catalog.tombstones().get(index)?;
        Some((index, (tombstone.object.clone(), tombstone.path.clone())))
    }

    /// The HyperConverged as it is after the golden config: the rest of the pass sees it so.
    fn take_hco(&mut self, now: Millis, answer: Answer, journal: &mut Journal, effects: &mut Vec<Effect>) -> Progress {
        let hco = match answer {
            Ok(Some(hco)) => hco,
            Ok(None) => {
                self.finish(now, Some("the HyperConverged is gone".to_owned()), effects);
                return Progress::Waiting;
            }
            Err(error) => {
                self.finish(now, Some(error.to_string()), effects);
                return Progress::Waiting;
            }
        };
        self.cluster.put(Arc::clone(&hco));
        self.state.throttle.drop_stale(now);
        let pass = Pass::new(&self.catalog, &self.cluster, &hco);
        let mut queue = Vec::new();
        for asset in self.catalog.assets().iter().filter(|asset| asset.name != GOLDEN_CONFIG) {
            match pass.screen(asset, journal).skip {
                None => queue.push(asset.name.clone()),
                Some(Skip::NeverReconciled) => {}
                Some(_) => {
                    // The series of an asset that is out of play are dropped; its object is known by rendering it.
                    if let Ok(Some(object)) = pass.render(asset) {
                        journal.metrics.forget(&object.reference());
                    }
                }
            }
        }
        if let Some(run) = &mut self.state.run {
            run.hco = hco;
            run.tally.assets = queue.len();
            run.queue = queue;
            run.at = At::Asset(0);
        }
        Progress::StepDone
    }

    fn take_live(
        &mut self,
        now: Millis,
        baseline: &Arc<Object>,
        answer: Answer,
        journal: &mut Journal,
        effects: &mut Vec<Effect>,
    ) -> Progress {
        let live = match answer {
            Ok(live) => live,
            Err(ApiError { kind: ApiErrorKind::NotFound, .. }) => None,
            Err(error) => return Progress::AssetDone(Err(format!("failed to get live object: {error}"))),
        };
        if let Some(live) = live.as_deref().filter(|live| !overrides::is_paused(live)) {
            self.state.throttle.not_paused(&live.reference().to_string());
        }
        match prepare(baseline, live.as_deref(), PatchOptions::default(), journal).prepared {
            Prepared::Paused | Prepared::Unmanaged => Progress::AssetDone(Ok(false)),
            Prepared::MaskFailed(error) => Progress::AssetDone(Err(format!("failed to mask ignored fields: {error}"))),
            Prepared::PatchCrashed(error) => Progress::AssetDone(Err(error)),
            Prepared::Desired(desired) => match live {
                Some(live) => {
                    let object = Arc::clone(&desired);
                    self.ask(Step::DryRun { live, desired }, |id| Effect::DryRun { id, object }, effects)
                }
                None => self.write_through(now, false, desired, journal, effects),
            },
        }
    }

    /// There is drift: the namespace, the throttle, then the apply.
    fn write_through(
        &mut self,
        now: Millis,
        existed: bool,
        desired: Arc<Object>,
        journal: &mut Journal,
        effects: &mut Vec<Effect>,
    ) -> Progress {
        let reference = desired.reference();
        if !self.cluster.has_namespace(&reference.namespace) {
            return Progress::AssetDone(Ok(false));
        }
        match self.state.throttle.ask(&reference.to_string(), now) {
            Verdict::Go => {
                let object = Arc::clone(&desired);
                self.ask(Step::Apply { existed, desired }, |id| Effect::Apply { id, object }, effects)
            }
            Verdict::Throttled => {
                journal.throttled(&reference);
                Progress::AssetDone(Err(format!("throttled: too many updates for {reference} ({LIMIT_TEXT})")))
            }
            Verdict::Pause { throttles, first } => {
                if first {
                    journal.thrashing(&reference, throttles);
                }
                if !existed {
                    let message = format!("reconciliation paused due to edit war (threshold: {PAUSE_AFTER} throttles)");
                    return Progress::AssetDone(Err(message));
                }
                let (key, value) = (RECONCILE_PAUSED.to_owned(), "true".to_owned());
                let object = reference.clone();
                let step = Step::Pause { object: reference };
                self.ask(step, |id| Effect::Annotate { id, object, key, value }, effects)
            }
        }
    }

    fn applied(&mut self, existed: bool, desired: &Object, answer: Answer, journal: &mut Journal) -> Progress {
        let reference = desired.reference();
        let asset = self.current_asset();
        match answer {
            Ok(written) => {
                if let Some(written) = written {
                    self.cluster.put(written);
                }
                self.state.throttle.succeeded(&reference.to_string());
                journal.applied(&asset, &reference, existed);
                Progress::AssetDone(Ok(true))
            }
            Err(error) if error.kind == ApiErrorKind::NamespaceNotFound && !reference.namespace.is_empty() => {
                Progress::AssetDone(Ok(false))
            }
            Err(error) => {
                let what = match error.kind {
                    ApiErrorKind::Conflict => "field ownership conflict (another controller owns fields)",
                    _ => "failed to apply object",
                };
                let cause = format!("{what}: {error}");
                journal.apply_failed(&asset, &reference, &cause);
                Progress::AssetDone(Err(format!("failed to apply asset {asset}: {cause}")))
            }
        }
    }

    fn current_asset(&self) -> String {
        match self.state.run.as_ref().map(|run| (run.at, &run.queue)) {
            Some((At::Asset(index), queue)) => queue.get(index).cloned().unwrap_or_default(),
            _ => GOLDEN_CONFIG.to_owned(),
        }
    }
}

/// What came of an answer.
enum Progress {
    /// Another answer is waited for, or the pass is over.
    Waiting,
    /// The step is done, and the pass goes on.
    StepDone,
    /// The asset is done: written or not, or failed.
    AssetDone(Result<bool, String>),
}

/// The CRDs of the assets' own kinds that are installed.
fn watched_crds(catalog: &Catalog, cluster: &Cluster) -> BTreeSet<String> {
    let needed = catalog.assets().iter().filter_map(|asset| asset.required_crd(catalog.behavior()));
    needed.filter(|crd| cluster.crd(crd).is_some()).collect()
}

fn needs(asset: &Asset, catalog: &Catalog, crd: &str) -> bool {
    asset.required_crd(catalog.behavior()).as_deref() == Some(crd) || asset.gate_crd.as_deref() == Some(crd)
}

fn needs_crd(catalog: &Catalog, crd: &str) -> bool {
    catalog.assets().iter().any(|asset| needs(asset, catalog, crd))
}
