//! Edit wars beforehand: the loop, a cluster in memory, and opponents that follow a script, on a virtual clock.

mod actor;
#[cfg(test)]
mod laws;
mod server;
mod timeline;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use actor::{Actor, Backoff};
pub use server::Server;
pub use timeline::{Action, ObjectVerdict, Simulation, TimelineEntry};

use crate::catalog::Catalog;
use crate::limits::MAX_SIMULATION_TURNS;
use crate::object::{FIELD_MANAGER, ObjectRef};
use crate::reconcile::events::Reason;
use crate::reconcile::{Answer, Effect, Event, Machine, Millis, REQUEUE};
use crate::{Cluster, Object};

/// What is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Script {
    /// The opponents.
    pub actors: Vec<Actor>,
    /// How long it is played, in milliseconds.
    pub duration_ms: Millis,
    /// Most entries that the timeline keeps; what is beyond is counted.
    pub max_entries: usize,
}

/// One hour without opponents.
impl Default for Script {
    fn default() -> Self {
        Self { actors: Vec::new(), duration_ms: 3_600_000, max_entries: 2_000 }
    }
}

/// Plays a script against the controller on a cluster in memory.
///
/// The clock is virtual, and every call to the API server takes no time. The first pass runs at 0.
///
/// # Examples
///
/// ```
/// use virt_autopilot::simulate::{Actor, Script, simulate};
/// use virt_autopilot::{Catalog, demo};
///
/// let cluster = demo::cluster();
/// let descheduler = cluster.find("operator.openshift.io", "KubeDescheduler", "openshift-kube-descheduler-operator", "cluster");
/// let argocd = Actor::argocd(descheduler.unwrap().reference(), serde_json::json!({"spec": {"deschedulingIntervalSeconds": 300}}));
/// let script = Script { actors: vec![argocd.every(1_000)], duration_ms: 600_000, max_entries: 100 };
/// let simulation = simulate(&Catalog::builtin("4.22").unwrap(), &cluster, &script);
/// assert!(simulation.verdicts.iter().any(|verdict| verdict.paused_at_ms.is_some()));
/// ```
pub fn simulate(catalog: &Catalog, cluster: &Cluster, script: &Script) -> Simulation {
    simulate_with(catalog, cluster, script, &mut |_| {})
}

/// Plays a script as [`simulate`] does, and says now and then how far it has come, in milliseconds of its own clock.
pub fn simulate_with(
    catalog: &Catalog,
    cluster: &Cluster,
    script: &Script,
    progress: &mut dyn FnMut(Millis),
) -> Simulation {
    let mut stage = Stage::new(catalog, cluster, script);
    let complete = stage.play(progress);
    stage.timeline.finish(&stage.server, stage.now, complete)
}

/// Turns of the clock between two reports of the progress.
const REPORT_EVERY: usize = 256;

/// Everything that takes part.
struct Stage {
    server: Server,
    machine: Machine,
    actors: Vec<actor::Player>,
    timeline: timeline::Recorder,
    now: Millis,
    end: Millis,
    /// Changes that the machine and the actors have not been told of.
    news: Vec<News>,
}

#[derive(Clone, Debug)]
enum News {
    Changed(Arc<Object>),
    Deleted(ObjectRef),
}

impl Stage {
    fn new(catalog: &Catalog, cluster: &Cluster, script: &Script) -> Self {
        let mut server = Server::new(cluster.clone());
        let actors = script.actors.iter().filter_map(|actor| actor.player(&mut server)).collect();
        Self {
            server,
            machine: Machine::new(catalog.clone()).on_live_snapshot(),
            actors,
            timeline: timeline::Recorder::new(script.max_entries),
            now: 0,
            end: script.duration_ms,
            news: Vec::new(),
        }
    }

    /// Plays to the end, or to the limit of turns: whether it came to the end.
    fn play(&mut self, progress: &mut dyn FnMut(Millis)) -> bool {
        let effects = self.machine.handle(0, Event::Snapshot(self.server.cluster().clone()));
        self.carry_out(effects);
        self.spread();
        for turn in 1..=MAX_SIMULATION_TURNS {
            let Some(next) = self.next_time().filter(|next| *next <= self.end) else {
                self.now = self.end;
                return true;
            };
            self.now = next.max(self.now);
            self.act();
            let effects = self.machine.handle(self.now, Event::Tick);
            self.carry_out(effects);
            self.spread();
            if turn % REPORT_EVERY == 0 {
                progress(self.now);
            }
        }
        false
    }

    /// When something happens next. The passes of a machine at rest are all alike, so that all but the last before the
    /// next actor are left out.
    fn next_time(&self) -> Option<Millis> {
        let actor = self.actors.iter().filter_map(|actor| actor.due).min();
        let machine = self.machine.next_wakeup();
        match (actor, machine) {
            (actor, Some(due)) if self.timeline.is_at_rest() => {
                let until = actor.unwrap_or(self.end).min(self.end);
                let skipped = until.saturating_sub(due + 1) / REQUEUE * REQUEUE;
                let due = due + skipped;
                Some(actor.map_or(due, |actor| actor.min(due)))
            }
            (Some(actor), Some(due)) => Some(actor.min(due)),
            (actor, due) => actor.or(due),
        }
    }

    /// Has the actors write whose time has come. All hear of what one wrote before the next writes.
    fn act(&mut self) {
        for index in 0..self.actors.len() {
            let due = |player: &&mut actor::Player| player.due.is_some_and(|due| due <= self.now);
            let Some(player) = self.actors.get_mut(index).filter(due) else { continue };
            match player.act(self.now, &mut self.server) {
                Ok(Some((before, after))) => {
                    self.timeline.wrote(self.now, &player.name, Action::Update, before.as_ref(), &after);
                    self.news.push(News::Changed(after));
                    self.spread();
                }
                Ok(None) => {}
                Err(error) => {
                    self.timeline.note(self.now, &player.name, Action::Conflict, &player.target, &error.to_string());
                }
            }
        }
    }

    /// Tells everybody of the changes, until there are no more.
    fn spread(&mut self) {
        while !self.news.is_empty() {
            for item in std::mem::take(&mut self.news) {
                let (reference, object) = match &item {
                    News::Changed(object) => (object.reference(), Some(object.as_ref())),
                    News::Deleted(reference) => (reference.clone(), None),
                };
                for player in &mut self.actors {
                    player.notice(self.now, &reference, object);
                }
                let event = match item {
                    News::Changed(object) => Event::Changed(object),
                    News::Deleted(object) => Event::Deleted(object),
                };
                let effects = self.machine.handle(self.now, event);
                self.carry_out(effects);
            }
        }
    }

    /// Carries out what the machine asks for, and answers it.
    fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut queue = std::collections::VecDeque::from(effects);
        while let Some(effect) = queue.pop_front() {
            if let Some((id, answer)) = self.carry_out_one(effect) {
                queue.extend(self.machine.handle(self.now, Event::Done { id, answer }));
            }
        }
    }

    fn carry_out_one(&mut self, effect: Effect) -> Option<(u64, Answer)> {
        match effect {
            Effect::Get { id, object } => Some((id, Ok(self.server.get(&object)))),
            Effect::DryRun { id, object } => Some((id, self.server.dry_run(&object, FIELD_MANAGER))),
            Effect::Apply { id, object } => {
                let before = self.server.get(&object.reference());
                let answer = self.server.apply(&object, FIELD_MANAGER, true);
                self.tell(Action::Apply, before, &answer);
                Some((id, answer))
            }
            Effect::Annotate { id, object, key, value } => {
                let before = self.server.get(&object);
                let answer = self.server.annotate(&object, &key, &value, FIELD_MANAGER);
                self.tell(Action::Paused, before, &answer);
                Some((id, answer))
            }
            Effect::Delete { id, object } => {
                let gone = self.server.delete(&object);
                self.timeline.note(self.now, FIELD_MANAGER, Action::Delete, &object, "tombstone");
                self.news.push(News::Deleted(object));
                Some((id, Ok(gone)))
            }
            Effect::Event { event } => {
                if let (Reason::Throttled, Some(object)) = (event.reason, &event.object) {
                    self.timeline.note(self.now, FIELD_MANAGER, Action::Throttled, object, &event.note);
                }
                None
            }
            Effect::Metric { .. } => None,
            Effect::Finished { error } => {
                self.timeline.finished(error.as_deref());
                None
            }
        }
    }

    fn tell(&mut self, action: Action, before: Option<Arc<Object>>, answer: &Answer) {
        if let Ok(Some(after)) = answer {
            self.timeline.wrote(self.now, FIELD_MANAGER, action, before.as_ref(), after);
            self.news.push(News::Changed(Arc::clone(after)));
        }
    }
}
