//! One pass of the loop, step by step: tombstones, the golden config, then the rest on the HyperConverged as it is then.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::recall::{Rendered, Screened};
use super::{Machine, Next};
use crate::catalog::{Asset, Condition, GOLDEN_CONFIG, NO_GOLDEN_CONFIG};
use crate::cluster::{HCO_GROUP, HCO_NAME, TopologyField};
use crate::conditions::ConditionVerdict;
use crate::object::ObjectRef;
use crate::overrides::patch::PatchOptions;
use crate::overrides::{self, RECONCILE_PAUSED};
use crate::plan::{Prepared, Tally, differs, prepare};
use crate::reconcile::effect::{Answer, ApiError, ApiErrorKind, Effect};
use crate::reconcile::journal::Journal;
use crate::reconcile::throttle::{LIMIT_TEXT, PAUSE_AFTER, Verdict};
use crate::render::{Attempt, Pass, Skip};
use crate::scope::{AUTOPILOT, Activation};
use crate::{Object, payload};

/// A pass that is under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    at: At,
    /// The HyperConverged as it was read last.
    hco: Option<Arc<Object>>,
    waits_for: Option<(u64, Step)>,
    /// The assets that were let through, by their places in the catalog; known once the golden config is done.
    queue: Vec<usize>,
    tally: Tally,
    /// Something happened meanwhile, so that another pass follows.
    pub(super) again: bool,
}

/// How far a pass has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum At {
    Start,
    Tombstone(usize),
    Golden,
    Reread,
    Asset(usize),
}

/// What an answer is waited for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Step {
    ReadHco,
    ReadTombstone,
    Delete,
    ReadAgain,
    ReadLive { baseline: Arc<Object> },
    DryRun(Write),
    ReadNamespace(Write),
    Apply(Write),
    Pause(Write),
}

/// What is about to be written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Write {
    live: Option<Arc<Object>>,
    desired: Arc<Object>,
}

impl Machine {
    pub(super) fn start(&mut self) {
        self.state.due = None;
        let (queue, tally) = (Vec::new(), Tally::default());
        self.state.run = Some(Run { at: At::Start, hco: None, waits_for: None, queue, tally, again: false });
        self.go_on();
    }

    pub(super) fn answered(&mut self, id: u64, answer: Answer) {
        let step = self.state.run.as_mut().and_then(|run| run.waits_for.take_if(|(waited, _)| *waited == id));
        if let Some((_, step)) = step {
            self.take_in(step, answer);
            self.go_on();
        }
    }

    /// Goes on until an answer is waited for, or the pass is over.
    fn go_on(&mut self) {
        while let Some(Run { at, waits_for: None, .. }) = self.state.run {
            match at {
                At::Start => self.get_hco(Step::ReadHco),
                At::Tombstone(index) => match self.catalog.tombstones().get(index) {
                    Some(tombstone) => {
                        let object = tombstone.object.clone();
                        self.get(Step::ReadTombstone, object);
                    }
                    None => self.move_to(At::Golden),
                },
                At::Golden => self.begin_golden(),
                At::Reread => self.get_hco(Step::ReadAgain),
                At::Asset(index) => self.begin_queued(index),
            }
        }
    }

    fn move_to(&mut self, at: At) {
        if let Some(run) = &mut self.state.run {
            run.at = at;
        }
    }

    /// Asks for an object. On a live snapshot it is at hand.
    fn get(&mut self, step: Step, object: ObjectRef) {
        if self.recall.is_none() {
            self.ask(step, |id| Effect::Get { id, object });
            return;
        }
        let found = self.cluster.get(&object).cloned();
        self.take_in(step, Ok(found));
    }

    fn get_hco(&mut self, step: Step) {
        if self.recall.is_some() {
            let found = self.cluster.hco(self.catalog.behavior()).cloned();
            self.take_in(step, Ok(found));
        } else {
            let object = self.hco_reference();
            self.ask(step, |id| Effect::Get { id, object });
        }
    }

    /// Takes what was read into the snapshot, unless it came from there.
    fn learn_read(&mut self, object: &Arc<Object>) {
        if self.recall.is_none() {
            self.learn(Arc::clone(object));
        }
    }

    fn ask(&mut self, step: Step, make: impl FnOnce(u64) -> Effect) {
        let id = self.state.next_id;
        self.state.next_id += 1;
        self.effects.push(make(id));
        if let Some(run) = &mut self.state.run {
            run.waits_for = Some((id, step));
        }
    }

    /// The name of the HyperConverged that the controller reads.
    fn hco_reference(&self) -> ObjectRef {
        let behavior = self.catalog.behavior();
        if let Some(hco) = self.cluster.hco(behavior) {
            return hco.reference();
        }
        ObjectRef {
            api_version: format!("{HCO_GROUP}/{}", behavior.hco_version()),
            kind: "HyperConverged".to_owned(),
            namespace: self.cluster.namespace().to_owned(),
            name: HCO_NAME.to_owned(),
        }
    }

    /// Takes in the answer to a step.
    fn take_in(&mut self, step: Step, answer: Answer) {
        match step {
            Step::ReadHco => self.take_hco(answer),
            Step::ReadTombstone => self.take_tombstone(answer),
            Step::Delete => self.took_away(answer),
            Step::ReadAgain => self.take_hco_again(answer),
            Step::ReadLive { baseline } => self.take_live(&baseline, answer),
            Step::DryRun(write) => self.take_prediction(write, answer),
            Step::ReadNamespace(write) => self.take_namespace(write, answer),
            Step::Apply(write) => self.applied(&write, answer),
            Step::Pause(write) => {
                if let Ok(paused) = answer {
                    self.tell(|journal| journal.paused(&write.desired.reference()));
                    paused.into_iter().for_each(|paused| self.learn(paused));
                }
                self.asset_done(Err(paused_error()));
            }
        }
    }

    fn take_hco(&mut self, answer: Answer) {
        let hco = match answer {
            Ok(Some(hco)) => hco,
            Ok(None) | Err(ApiError { kind: ApiErrorKind::NotFound, .. }) => {
                self.unlearn(&self.hco_reference());
                self.finish(Next::WhenSomethingHappens);
                return;
            }
            Err(error) => {
                self.finish(Next::Retry(error.to_string()));
                return;
            }
        };
        self.learn_read(&hco);
        if Activation::parse(hco.annotation(AUTOPILOT), self.catalog.behavior()) == Activation::Idle {
            self.finish(Next::AfterAWhile);
        } else if let Some(run) = &mut self.state.run {
            run.hco = Some(hco);
            run.at = At::Tombstone(0);
        }
    }

    fn take_tombstone(&mut self, answer: Answer) {
        let Some((index, object, _)) = self.tombstone() else { return };
        match answer {
            Ok(Some(live)) if live.is_managed() => {
                self.ask(Step::Delete, |id| Effect::Delete { id, object });
                return;
            }
            Ok(Some(_)) => self.tell(|journal| journal.tombstone_skipped(&object)),
            Ok(None) | Err(ApiError { kind: ApiErrorKind::NotFound, .. }) => {
                self.tell(|journal| journal.tombstone_gone(&object));
            }
            Err(error) => {
                self.tell(|journal| journal.tombstone_failed(&object, &format!("Failed to get resource: {error}")));
            }
        }
        self.move_to(At::Tombstone(index + 1));
    }

    fn took_away(&mut self, answer: Answer) {
        let Some((index, object, path)) = self.tombstone() else { return };
        match answer {
            Ok(_) => {
                self.unlearn(&object);
                self.tell(|journal| journal.tombstone_deleted(&object, &path));
            }
            Err(error) => {
                self.tell(|journal| journal.tombstone_failed(&object, &format!("Failed to delete: {error}")));
            }
        }
        self.move_to(At::Tombstone(index + 1));
    }

    /// The tombstone that the pass is at: its index, the object and the file.
    fn tombstone(&self) -> Option<(usize, ObjectRef, String)> {
        let At::Tombstone(index) = self.state.run.as_ref()?.at else { return None };
        let tombstone = self.catalog.tombstones().get(index)?;
        Some((index, tombstone.object.clone(), tombstone.path.clone()))
    }

    /// Reconciles the golden config, unless the list leaves it out.
    fn begin_golden(&mut self) {
        let Some(hco) = self.state.run.as_ref().and_then(|run| run.hco.clone()) else { return };
        let activation = Activation::parse(hco.annotation(AUTOPILOT), self.catalog.behavior());
        if !activation.includes(GOLDEN_CONFIG, None) {
            self.move_to(At::Reread);
            return;
        }
        match self.golden_place() {
            Some(place) => self.begin_asset(place),
            None => self.finish(Next::Retry(NO_GOLDEN_CONFIG.to_owned())),
        }
    }

    /// Reconciles the next asset of the queue, or ends the pass.
    fn begin_queued(&mut self, index: usize) {
        let Some(run) = &self.state.run else { return };
        if let Some(place) = run.queue.get(index) {
            self.begin_asset(*place);
            return;
        }
        match run.tally.error() {
            Some(error) => self.finish(Next::Retry(error)),
            None => {
                let (applied, assets) = (run.tally.applied, run.tally.assets);
                self.tell(|journal| journal.succeeded(applied, assets));
                self.finish(Next::AfterAWhile);
            }
        }
    }

    /// Renders an asset and asks for its live object.
    fn begin_asset(&mut self, place: usize) {
        let Some(hco) = self.state.run.as_ref().and_then(|run| run.hco.clone()) else { return };
        if let Some(events) = self.recall.as_ref().and_then(|recall| recall.settled(place, &hco)) {
            self.effects.extend(events.iter().cloned().map(|event| Effect::Event { event }));
            self.asset_done(Ok(false));
            return;
        }
        let rendered = match self.recall.as_ref().and_then(|recall| recall.rendered(place, &hco)) {
            Some(rendered) => Ok(rendered),
            None => self.render(place, &hco),
        };
        match rendered {
            Ok(Rendered::Object(baseline)) => {
                let object = baseline.reference();
                self.get(Step::ReadLive { baseline }, object);
            }
            Ok(Rendered::Excluded(object)) => {
                self.tell(|journal| journal.excluded_by_rule(&object));
                if let Some(recall) = &mut self.recall {
                    recall.unsettle(&object);
                }
                self.asset_done(Ok(false));
            }
            Ok(Rendered::Nothing) => self.asset_done(Ok(false)),
            Err(error) => self.asset_done(Err(error)),
        }
    }

    fn render(&mut self, place: usize, hco: &Arc<Object>) -> Result<Rendered, String> {
        let Some(asset) = self.catalog.assets().get(place) else { return Ok(Rendered::Nothing) };
        let pass = Pass::new(&self.catalog, &self.cluster, hco);
        let attempt = pass.realize(asset, Attempt::default(), &mut Journal::default());
        let rendered = match (attempt.skip, attempt.object) {
            (None, Some(object)) => Rendered::Object(object),
            (Some(Skip::RenderFailed { error }), _) => return Err(error.in_controllers_words(&asset.name)),
            (Some(Skip::ExcludedByRule { .. }), Some(object)) => Rendered::Excluded(object.reference()),
            _ => Rendered::Nothing,
        };
        if let Some(recall) = &mut self.recall {
            recall.remember_rendered(place, hco, rendered.clone());
        }
        Ok(rendered)
    }

    /// The HyperConverged as it is after the golden config: the rest of the pass sees it so.
    fn take_hco_again(&mut self, answer: Answer) {
        let hco = match answer {
            Ok(Some(hco)) => hco,
            Ok(None) => {
                let error = format!("hyperconvergeds.{HCO_GROUP} \"{HCO_NAME}\" not found");
                self.finish(Next::Retry(error));
                return;
            }
            Err(error) => {
                self.finish(Next::Retry(error.to_string()));
                return;
            }
        };
        self.learn_read(&hco);
        self.state.throttle.drop_stale(self.state.now);
        let mut journal = self.journal();
        let queue = match self.recall.as_mut().and_then(|recall| recall.screened(&hco, &mut journal)) {
            Some(queue) => queue,
            None => self.screen(&hco, &mut journal),
        };
        self.record(journal);
        if let Some(run) = &mut self.state.run {
            run.hco = Some(hco);
            run.tally.assets = queue.len();
            run.queue = queue;
            run.at = At::Asset(0);
        }
    }

    /// Says which assets are let through, by their places in the catalog. Series of the others are dropped.
    fn screen(&mut self, hco: &Arc<Object>, journal: &mut Journal) -> Vec<usize> {
        let pass = Pass::new(&self.catalog, &self.cluster, hco);
        let (mut queue, mut forgotten) = (Vec::new(), Vec::new());
        for (place, asset) in self.catalog.assets().iter().enumerate().filter(|(_, asset)| asset.name != GOLDEN_CONFIG)
        {
            let attempt = pass.screen(asset, journal);
            match attempt.skip {
                None => queue.push(place),
                Some(Skip::NeverReconciled) => {}
                Some(Skip::ConditionsNotMet { .. }) if ends_in_error(asset, &attempt.conditions, &pass) => {}
                // The object whose series are dropped is known by rendering it.
                Some(_) => forgotten.extend(pass.render(asset).ok().flatten().map(|object| object.reference())),
            }
        }
        forgotten.iter().for_each(|object| journal.metrics.forget(object));
        if let Some(recall) = &mut self.recall {
            recall.remember_screened(hco, Screened { queue: queue.clone(), events: journal.events.clone(), forgotten });
        }
        queue
    }

    fn take_live(&mut self, baseline: &Arc<Object>, answer: Answer) {
        let live = match answer {
            Ok(live) => live,
            Err(ApiError { kind: ApiErrorKind::NotFound, .. }) => None,
            Err(error) => {
                self.asset_done(Err(format!("failed to get live object: {error}")));
                return;
            }
        };
        match &live {
            Some(live) => self.learn_read(live),
            None => self.unlearn(&baseline.reference()),
        }
        if let Some(live) = live.as_deref().filter(|live| !overrides::is_paused(live)) {
            self.state.throttle.not_paused(&throttle_key(&live.reference()));
        }
        let mut journal = self.journal();
        let preparation = prepare(baseline, live.as_deref(), PatchOptions::default());
        preparation.tell(&baseline.reference(), live.as_deref(), &mut journal);
        let events = if self.recall.is_some() { journal.events.clone() } else { Vec::new() };
        self.record(journal);
        let place = self.current_place();
        match preparation.prepared {
            Prepared::Paused | Prepared::Unmanaged => {
                if let (Some(recall), Some(place)) = (&mut self.recall, place) {
                    recall.prepared(place, baseline, events);
                    recall.settle(place);
                }
                self.asset_done(Ok(false));
            }
            Prepared::MaskFailed(error) => self.asset_done(Err(format!("failed to mask ignored fields: {error}"))),
            // A crash is caught around the whole pass, which so ends with it.
            Prepared::PatchCrashed(error) => self.finish(Next::Retry(error)),
            Prepared::Desired(mut desired) => {
                if let (Some(recall), Some(place)) = (&mut self.recall, place) {
                    recall.prepared(place, baseline, events);
                }
                if let Some(live) = live.as_deref() {
                    payload::keep_equal_payloads(&mut desired, live);
                }
                self.look_for_drift(Write { live, desired });
            }
        }
    }

    fn look_for_drift(&mut self, write: Write) {
        if write.live.is_some() {
            let object = Arc::clone(&write.desired);
            self.ask(Step::DryRun(write), |id| Effect::DryRun { id, object });
        } else {
            self.look_for_namespace(write);
        }
    }

    fn take_prediction(&mut self, write: Write, answer: Answer) {
        let reference = write.desired.reference();
        match answer {
            Ok(predicted) => {
                let differs = match (&write.live, &predicted) {
                    (Some(live), Some(predicted)) => differs(live, predicted),
                    _ => true,
                };
                if differs {
                    self.tell(|journal| journal.drift(&reference));
                    self.look_for_namespace(write);
                    return;
                }
                self.tell(|journal| journal.in_sync(&reference));
                if let (Some(place), Some(recall)) = (self.current_place(), &mut self.recall) {
                    recall.settle(place);
                }
                self.asset_done(Ok(false));
            }
            Err(error) => {
                self.tell(|journal| journal.dry_run_failed(&reference));
                let message = format!("drift detection failed: failed to perform dry-run apply: {error}");
                self.asset_done(Err(message));
            }
        }
    }

    fn look_for_namespace(&mut self, write: Write) {
        let name = write.desired.namespace().to_owned();
        if name.is_empty() {
            self.write_through(write);
            return;
        }
        if self.recall.is_some() && self.cluster.has_namespace(&name) {
            self.write_through(write);
            return;
        }
        let (api_version, kind, namespace) = ("v1".to_owned(), "Namespace".to_owned(), String::new());
        let object = ObjectRef { api_version, kind, namespace, name };
        self.ask(Step::ReadNamespace(write), |id| Effect::Get { id, object });
    }

    fn take_namespace(&mut self, write: Write, answer: Answer) {
        match answer {
            Ok(Some(_)) => self.write_through(write),
            Ok(None) | Err(ApiError { kind: ApiErrorKind::NotFound, .. }) => self.asset_done(Ok(false)),
            Err(error) => {
                let namespace = write.desired.namespace();
                self.asset_done(Err(format!("failed to verify target namespace {namespace}: {error}")));
            }
        }
    }

    /// There is drift, and a namespace: the throttle, then the apply.
    fn write_through(&mut self, write: Write) {
        let reference = write.desired.reference();
        let key = throttle_key(&reference);
        match self.state.throttle.ask(&key, self.state.now) {
            Verdict::Go => {
                let object = Arc::clone(&write.desired);
                self.ask(Step::Apply(write), |id| Effect::Apply { id, object });
            }
            Verdict::Throttled => {
                self.tell(|journal| journal.throttled(&reference));
                self.asset_done(Err(format!("throttled: too many updates for {key} ({LIMIT_TEXT})")));
            }
            Verdict::Pause { throttles, first } => {
                if first {
                    self.tell(|journal| journal.thrashing(&reference, throttles));
                }
                let Some(object) = write.live.as_ref().map(|live| live.reference()) else {
                    self.asset_done(Err(paused_error()));
                    return;
                };
                let (key, value) = (RECONCILE_PAUSED.to_owned(), "true".to_owned());
                self.ask(Step::Pause(write), |id| Effect::Annotate { id, object, key, value });
            }
        }
    }

    fn applied(&mut self, write: &Write, answer: Answer) {
        let reference = write.desired.reference();
        let asset = self.current_asset();
        match answer {
            Ok(written) => {
                written.into_iter().for_each(|written| self.learn(written));
                self.state.throttle.succeeded(&throttle_key(&reference));
                self.tell(|journal| journal.applied(&asset, &reference, write.live.is_some()));
                self.asset_done(Ok(true));
            }
            Err(error) if error.kind == ApiErrorKind::NamespaceNotFound && !reference.namespace.is_empty() => {
                self.asset_done(Ok(false));
            }
            Err(error) => {
                let what = match error.kind {
                    ApiErrorKind::Conflict => "field ownership conflict (another controller owns fields)",
                    _ => "failed to apply object",
                };
                let cause = format!("{what}: {error}");
                self.tell(|journal| journal.apply_failed(&asset, &reference, &cause));
                self.asset_done(Err(format!("failed to apply asset {asset}: {cause}")));
            }
        }
    }

    /// Counts an asset, written or not or failed, and moves to the next.
    fn asset_done(&mut self, result: Result<bool, String>) {
        let Some(run) = &mut self.state.run else { return };
        match (run.at, result) {
            (At::Asset(index), result) => {
                run.at = At::Asset(index + 1);
                let asset = run.queue.get(index).and_then(|place| self.catalog.assets().get(*place));
                run.tally.add(asset.map_or("", |asset| &asset.name), result);
            }
            (_, Ok(_)) => run.at = At::Reread,
            (_, Err(cause)) => self.finish(Next::Retry(format!("failed to reconcile HCO: {cause}"))),
        }
    }

    /// The name of the asset that the pass is at.
    fn current_asset(&self) -> String {
        let asset = self.current_place().and_then(|place| self.catalog.assets().get(place));
        asset.map_or(GOLDEN_CONFIG, |asset| &asset.name).to_owned()
    }

    /// Where the asset that the pass is at stands in the catalog.
    fn current_place(&self) -> Option<usize> {
        match self.state.run.as_ref().map(|run| (run.at, &run.queue))? {
            (At::Asset(index), queue) => queue.get(index).copied(),
            _ => self.golden_place(),
        }
    }

    fn golden_place(&self) -> Option<usize> {
        self.catalog.assets().iter().position(|asset| asset.name == GOLDEN_CONFIG)
    }
}

/// The name under which writes to an object are counted.
fn throttle_key(object: &ObjectRef) -> String {
    let ObjectRef { kind, namespace, name, .. } = object;
    if namespace.is_empty() { format!("{kind}/{name}") } else { format!("{kind}/{namespace}/{name}") }
}

fn paused_error() -> String {
    format!("reconciliation paused due to edit war (threshold: {PAUSE_AFTER} throttles)")
}

/// Whether the first condition that does not hold is one that cannot be judged. The controller then leaves the asset's
/// series as they are.
fn ends_in_error(asset: &Asset, verdicts: &[ConditionVerdict], pass: &Pass<'_>) -> bool {
    let failed = asset.conditions.iter().zip(verdicts).find(|(_, verdict)| !verdict.holds);
    failed.is_some_and(|(condition, _)| match condition {
        Condition::Annotation { key, .. } => key.is_empty(),
        Condition::FeatureGate { value } => value.is_empty(),
        Condition::HardwareDetection { detector } => detector.is_empty(),
        Condition::HcoFieldUnconfigured { path } => path.is_empty(),
        Condition::Image { .. } => false,
        Condition::Topology { field, .. } => {
            field.is_empty() || matches!(pass.facts.topology.field(field), Some(TopologyField::Other))
        }
    })
}
