//! What happened in a simulation, and what it comes to.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Server, Writes};
use crate::Object;
use crate::diff::{self, DiffOptions};
use crate::object::{FIELD_MANAGER, ObjectRef};
use crate::reconcile::Millis;
use crate::reconcile::throttle::REFILL;
use crate::ssa::{self, Operation, OwnershipChange};

/// What came of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Simulation {
    /// How long was played, in milliseconds.
    pub duration_ms: Millis,
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
    Pause,
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
    writes: Writes,
    throttles: u64,
    paused_at: Option<Millis>,
    fields: BTreeSet<String>,
    rollouts: u64,
    /// When each actor wrote last, to tell how long a round takes.
    last_write: Millis,
    first_write: Option<Millis>,
}

impl Recorder {
    pub(super) fn new(max_entries: usize) -> Self {
        let (timeline, objects) = (Vec::new(), BTreeMap::new());
        Self { max_entries, timeline, truncated: 0, failed_passes: 0, objects, at_rest: false }
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.at_rest
    }

    pub(super) fn finished(&mut self, _now: Millis, error: Option<String>) {
        self.failed_passes += u64::from(error.is_some());
        self.at_rest = error.is_none();
    }

    pub(super) fn note(&mut self, now: Millis, actor: &str, action: Action, object: &ObjectRef, note: &str) {
        if action == Action::Throttled {
            self.objects.entry(object.clone()).or_default().throttles += 1;
        }
        self.add(TimelineEntry {
            at_ms: now,
            actor: actor.to_owned(),
            action,
            object: object.clone(),
            fields: Vec::new(),
            note: note.to_owned(),
        });
    }

    /// A write that changed something.
    pub(super) fn wrote(&mut self, now: Millis, actor: &str, action: Action, before: Option<&Object>, after: &Object) {
        self.at_rest = false;
        let object = after.reference();
        let changes = diff::changes(before.map(Object::as_value), Some(after.as_value()), DiffOptions::default());
        let fields: Vec<String> = changes.iter().map(|change| change.pointer.to_string()).collect();
        let tally = self.objects.entry(object.clone()).or_default();
        *tally.writes.entry(actor.to_owned()).or_default() += 1;
        tally.last_write = now;
        tally.first_write.get_or_insert(now);
        tally.fields.extend(fields.iter().filter(|_| before.is_some()).cloned());
        if action == Action::Pause {
            tally.paused_at.get_or_insert(now);
        }
        let on_nodes = matches!(object.kind.as_str(), "MachineConfig" | "KubeletConfig");
        if on_nodes && before.is_none_or(|before| before.at(&["spec"]) != after.at(&["spec"])) {
            tally.rollouts += 1;
        }
        self.add(TimelineEntry { at_ms: now, actor: actor.to_owned(), action, object, fields, note: String::new() });
    }

    fn add(&mut self, entry: TimelineEntry) {
        if self.timeline.len() < self.max_entries {
            self.timeline.push(entry);
        } else {
            self.truncated += 1;
        }
    }

    pub(super) fn finish(self, server: &Server, duration_ms: Millis) -> Simulation {
        let verdicts = self.objects.into_iter().map(|(object, tally)| tally.judge(object, server)).collect();
        Simulation {
            duration_ms,
            timeline: self.timeline,
            truncated: self.truncated,
            failed_passes: self.failed_passes,
            verdicts,
        }
    }
}

impl Tally {
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
        if let Some(at) = self.paused_at {
            return format!(
                "paused after {} s: {} throttles in a row, for it was written faster than one token returns each {} s",
                seconds(at),
                self.throttles + 1,
                REFILL / 1_000
            );
        }
        match (ours, others) {
            (_, 0) => "no fight: only the autopilot wrote".to_owned(),
            (0, _) => "no fight: the autopilot had nothing to correct".to_owned(),
            (ours, others) if ours > 2 && others > 2 => {
                let span = self.last_write - self.first_write.unwrap_or_default();
                format!(
                    "never paused: a correction every {} s on average is slower than the bucket refills, \
                     so the fight goes on for as long as both do",
                    seconds(span / ours)
                )
            }
            _ => "no pause: the autopilot corrected it, and it stayed so".to_owned(),
        }
    }
}

/// Seconds with one digit after the point.
fn seconds(millis: Millis) -> String {
    format!("{}.{}", millis / 1_000, millis % 1_000 / 100)
}
