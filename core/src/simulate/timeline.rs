//! What happened in a simulation, and what it comes to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::Server;
use crate::Object;
use crate::diff::{self, DiffOptions};
use crate::object::{FIELD_MANAGER, ObjectRef};
use crate::reconcile::Millis;
use crate::reconcile::throttle::{PAUSE_AFTER, REFILL};
use crate::ssa::{self, Operation, OwnershipChange};

/// What came of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Simulation {
    /// How long was played, in milliseconds.
    pub duration_ms: Millis,
    /// Whether it was played to the end: a script in which more happens than
    /// [`MAX_SIMULATION_TURNS`](crate::limits::MAX_SIMULATION_TURNS) is cut short.
    pub complete: bool,
    /// What happened, in order.
    pub timeline: Vec<TimelineEntry>,
    /// Entries beyond those that the timeline keeps.
    pub truncated: u64,
    /// Passes of the controller that ended in an error.
    pub failed_passes: u64,
    /// What it comes to, for each object that somebody wrote to.
    pub verdicts: Vec<ObjectVerdict>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntry {
    /// When, in milliseconds from the start.
    pub at_ms: Millis,
    /// Who: the field manager.
    pub actor: String,
    /// What was done.
    pub action: Action,
    /// To which object.
    pub object: ObjectRef,
    /// The fields that changed, as JSON pointers.
    pub fields: Vec<String>,
    /// More about it.
    pub note: String,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// A forced server-side apply of the controller's.
    Apply,
    /// A write of an opponent's.
    Update,
    /// The controller was out of tokens.
    Throttled,
    /// The controller paused the object.
    Paused,
    /// The controller deleted a tombstone.
    Delete,
    /// A write was refused.
    Conflict,
}

/// What a simulation comes to for one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectVerdict {
    /// The object.
    pub object: ObjectRef,
    /// Writes that changed something, by field manager.
    pub writes: BTreeMap<String, u64>,
    /// How often the controller was out of tokens.
    pub throttles: u64,
    /// When the controller paused it, in milliseconds; `None`: never.
    pub paused_at_ms: Option<Millis>,
    /// How it ended and why, in a sentence.
    pub reason: String,
    /// Who holds each contested field in the end, by JSON pointer.
    pub owners: BTreeMap<String, Vec<String>>,
    /// Writes to a MachineConfig or KubeletConfig that would each have started a rollout.
    pub rollouts: u64,
}

/// Takes down what happens.
pub(super) struct Recorder {
    max_entries: usize,
    timeline: Vec<TimelineEntry>,
    truncated: u64,
    failed_passes: u64,
    objects: BTreeMap<ObjectRef, Tally>,
    /// The last pass ended without an error, and nothing was written since.
    at_rest: bool,
}

#[derive(Default)]
struct Tally {
    writes: BTreeMap<String, u64>,
    throttles: u64,
    paused_at: Option<Millis>,
    fields: BTreeSet<String>,
    rollouts: u64,
    /// When the controller wrote the last two times.
    corrections: [Millis; 2],
    recent: Vec<Known>,
}

/// A write that was seen before, and the fields that it changes.
struct Known {
    before: Option<Arc<Object>>,
    after: Arc<Object>,
    fields: Arc<[String]>,
    rolls_out: bool,
}

/// How many different writes to an object are remembered.
const MOST_KNOWN: usize = 8;

impl Recorder {
    pub(super) fn new(max_entries: usize) -> Self {
        let (timeline, objects) = (Vec::new(), BTreeMap::new());
        Self { max_entries, timeline, truncated: 0, failed_passes: 0, objects, at_rest: false }
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.at_rest
    }

    pub(super) fn finished(&mut self, error: Option<&str>) {
        self.failed_passes += u64::from(error.is_some());
        self.at_rest = error.is_none();
    }

    pub(super) fn note(&mut self, now: Millis, actor: &str, action: Action, object: &ObjectRef, note: &str) {
        if action == Action::Throttled {
            self.objects.entry(object.clone()).or_default().throttles += 1;
        }
        self.add(|| TimelineEntry {
            at_ms: now,
            actor: actor.to_owned(),
            action,
            object: object.clone(),
            fields: Vec::new(),
            note: note.to_owned(),
        });
    }

    /// A write. One that changed nothing is none.
    pub(super) fn wrote(
        &mut self,
        now: Millis,
        actor: &str,
        action: Action,
        before: Option<&Arc<Object>>,
        after: &Arc<Object>,
    ) {
        if before.is_some_and(|before| Arc::ptr_eq(before, after)) {
            return;
        }
        self.at_rest = false;
        let object = after.reference();
        let tally = self.objects.entry(object.clone()).or_default();
        match tally.writes.get_mut(actor) {
            Some(count) => *count += 1,
            None => drop(tally.writes.insert(actor.to_owned(), 1)),
        }
        if action == Action::Apply {
            tally.corrections = [tally.corrections[1], now];
        }
        if action == Action::Paused {
            tally.paused_at.get_or_insert(now);
        }
        let (fields, rolls_out) = tally.effect(before, after);
        tally.rollouts += u64::from(rolls_out);
        self.add(|| TimelineEntry {
            at_ms: now,
            actor: actor.to_owned(),
            action,
            object,
            fields: fields.to_vec(),
            note: String::new(),
        });
    }

    fn add(&mut self, entry: impl FnOnce() -> TimelineEntry) {
        if self.timeline.len() < self.max_entries {
            self.timeline.push(entry());
        } else {
            self.truncated += 1;
        }
    }

    pub(super) fn finish(self, server: &Server, duration_ms: Millis, complete: bool) -> Simulation {
        let verdicts = self.objects.into_iter().map(|(object, tally)| tally.judge(object, server)).collect();
        Simulation {
            duration_ms,
            complete,
            timeline: self.timeline,
            truncated: self.truncated,
            failed_passes: self.failed_passes,
            verdicts,
        }
    }
}

impl Tally {
    /// The fields that a write changes, and whether nodes would be updated for it.
    fn effect(&mut self, before: Option<&Arc<Object>>, after: &Arc<Object>) -> (Arc<[String]>, bool) {
        let is_it = |known: &Known| {
            let same_before = match (&known.before, before) {
                (Some(known), Some(before)) => Arc::ptr_eq(known, before),
                (None, None) => true,
                _ => false,
            };
            same_before && Arc::ptr_eq(&known.after, after)
        };
        if let Some(known) = self.recent.iter().find(|known| is_it(known)) {
            return (Arc::clone(&known.fields), known.rolls_out);
        }
        let changes =
            diff::changes(before.map(|before| before.as_value()), Some(after.as_value()), DiffOptions::default());
        let fields: Arc<[String]> = changes.iter().map(|change| change.pointer.to_string()).collect();
        if before.is_some() {
            self.fields.extend(fields.iter().cloned());
        }
        let on_nodes = matches!(after.kind(), "MachineConfig" | "KubeletConfig");
        let rolls_out = on_nodes && before.is_none_or(|before| before.at(&["spec"]) != after.at(&["spec"]));
        if self.recent.len() >= MOST_KNOWN {
            self.recent.clear();
        }
        let (before, after) = (before.cloned(), Arc::clone(after));
        self.recent.push(Known { before, after, fields: Arc::clone(&fields), rolls_out });
        (fields, rolls_out)
    }

    fn judge(self, object: ObjectRef, server: &Server) -> ObjectVerdict {
        let reason = self.reason();
        let live = server.get(&object);
        let owners = live.map(|live| self.owners(&live, server)).unwrap_or_default();
        let (writes, throttles, paused_at_ms, rollouts) = (self.writes, self.throttles, self.paused_at, self.rollouts);
        ObjectVerdict { object, writes, throttles, paused_at_ms, reason, owners, rollouts }
    }

    /// Who holds each contested field, by JSON pointer.
    fn owners(&self, live: &Object, server: &Server) -> BTreeMap<String, Vec<String>> {
        let schema = server.schema(&live.reference());
        let held = ssa::ownership(None, live, &schema, "", Operation::Apply).unwrap_or_default();
        let mut owners = BTreeMap::new();
        for change in held {
            if let OwnershipChange::Foreign { field, owners: holders } = change
                && let Some(pointer) = field.pointer.map(|pointer| pointer.to_string())
                && self.fields.contains(&pointer)
            {
                owners.insert(pointer, holders.into_iter().map(|holder| holder.manager).collect());
            }
        }
        owners
    }

    fn reason(&self) -> String {
        let ours = self.writes.get(FIELD_MANAGER).copied().unwrap_or_default();
        let others: u64 = self.writes.iter().filter(|(actor, _)| *actor != FIELD_MANAGER).map(|(_, count)| count).sum();
        let refill = REFILL / 1_000;
        if let Some(at) = self.paused_at {
            return format!(
                "paused after {} s: it was corrected more often than one token returns each {refill} s, and with none \
                 left {PAUSE_AFTER} corrections in a row were throttled",
                seconds(at),
            );
        }
        let [last, latest] = self.corrections;
        let interval = latest.saturating_sub(last);
        match (ours, others) {
            (_, 0) => "no fight: only the autopilot wrote".to_owned(),
            (0, _) => "no fight: the autopilot had nothing to correct".to_owned(),
            (ours, others) if ours > 2 && others > 2 && interval >= REFILL => format!(
                "never paused: a correction each {} s is slower than the bucket refills (one token each {refill} s), so \
                 that the fight goes on for as long as both do",
                seconds(interval)
            ),
            (ours, others) if ours > 2 && others > 2 => format!(
                "not paused yet: a correction each {} s is faster than the bucket refills (one token each {refill} s), \
                 and some of its tokens were left",
                seconds(interval)
            ),
            _ => "no pause: the autopilot corrected it, and it stayed so".to_owned(),
        }
    }
}

/// Seconds with one digit after the point.
fn seconds(millis: Millis) -> String {
    format!("{}.{}", millis / 1_000, millis % 1_000 / 100)
}
