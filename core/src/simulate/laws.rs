//! What holds for any script.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::object::MANAGED_BY;
use crate::overrides::{IGNORE_FIELDS, MODE, PATCH, RECONCILE_PAUSED};
use crate::reconcile::throttle::{CAPACITY, REFILL};
use crate::reconcile::{FIRST_RETRY, State};
use crate::{demo, plan};

fn catalog() -> Catalog {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::builtin("4.22").unwrap());
    CATALOG.clone()
}

fn demo() -> Cluster {
    static DEMO: LazyLock<Cluster> = LazyLock::new(demo::cluster);
    DEMO.clone()
}

/// What the catalog comes to on the demo's cluster, as it is there after a pass.
fn managed() -> Vec<Arc<Object>> {
    let plan = plan(&catalog(), &demo(), &Default::default()).unwrap();
    plan.assets.into_iter().filter_map(|asset| asset.predicted.clone()).collect()
}

/// A change of an object: a field that the controller sets, its label, or something that is nobody's.
fn change(object: &Object, which: u8) -> Value {
    match which {
        0 => json!({"metadata": {"labels": {MANAGED_BY: "someone-else"}}}),
        1 => json!({"metadata": {"labels": {"nobody": "cares"}}}),
        2 => json!({"metadata": {"labels": {MANAGED_BY: null}}}),
        _ => {
            let spec =
                object.fields().iter().filter(|(key, _)| !["metadata", "apiVersion", "kind"].contains(&key.as_str()));
            let changed = spec.filter_map(|(key, value)| Some((key.clone(), other(value)?)));
            changed.take(1).collect::<serde_json::Map<_, _>>().into()
        }
    }
}

/// A merge patch that changes the first scalar.
fn other(value: &Value) -> Option<Value> {
    match value {
        Value::Object(map) => map.iter().find_map(|(key, value)| Some(json!({key: other(value)?}))),
        Value::String(text) => Some(json!(format!("{text}-changed"))),
        Value::Number(number) => Some(json!(number.as_f64()? + 1.0)),
        _ => None,
    }
}

fn actor() -> impl Strategy<Value = Actor> {
    let objects = managed();
    let picks =
        (0..objects.len(), prop_oneof![Just(0u8), Just(1), Just(3), Just(3)], 0..4u8, 400..40_000u64, any::<bool>());
    picks.prop_map(move |(index, which, kind, time, flag)| {
        let object = objects[index].reference();
        let fields = change(&objects[index], which);
        match kind {
            0 => match Actor::argocd(object, fields) {
                Actor::ArgoCd { manager, object, fields, backoff, .. } => Actor::ArgoCd {
                    manager,
                    object,
                    fields,
                    backoff,
                    period_ms: (time % 3 > 0).then_some(time / 2),
                    server_side_apply: flag,
                    ignore: Vec::new(),
                    respect_ignore_differences: false,
                },
                other => other,
            },
            1 => Actor::Person { at_ms: time * 10, object, patch: fields, manager: "person".to_owned() },
            2 => Actor::Controller { manager: "operator".to_owned(), object, fields, period_ms: time },
            _ => Actor::Webhook { object, defaults: json!({"metadata": {"annotations": {"defaulted": "yes"}}}) },
        }
    })
}

/// Plays a script, and hands out the stage as it is in the end.
fn played(actors: Vec<Actor>, duration_ms: Millis) -> (Simulation, Cluster) {
    let script = Script { actors, duration_ms, max_entries: usize::MAX };
    let mut stage = Stage::new(&catalog(), &demo(), &script);
    let complete = stage.play(&mut |_| {});
    let cluster = stage.server.cluster().clone();
    (stage.timeline.finish(&stage.server, stage.now, complete), cluster)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_rate_is_kept_and_the_pause_comes_at_the_third_throttle(actors in prop::collection::vec(actor(), 1..4)) {
        let (simulation, _) = played(actors, 300_000);
        prop_assert!(simulation.complete);
        let mut last = 0;
        let mut applied: BTreeMap<&ObjectRef, Vec<Millis>> = BTreeMap::new();
        let mut throttled: BTreeMap<&ObjectRef, u32> = BTreeMap::new();
        for entry in &simulation.timeline {
            prop_assert!(entry.at_ms >= last, "time goes backwards");
            last = entry.at_ms;
            let in_a_row = throttled.entry(&entry.object).or_default();
            match entry.action {
                Action::Apply => {
                    applied.entry(&entry.object).or_default().push(entry.at_ms);
                    *in_a_row = 0;
                }
                Action::Throttled => {
                    *in_a_row += 1;
                    prop_assert!(*in_a_row < 3, "the third is a pause: {entry:?}");
                }
                Action::Paused => {
                    prop_assert_eq!(*in_a_row, 2, "a pause before the third throttle: {:?}", entry);
                    *in_a_row = 0;
                }
                _ => {}
            }
        }
        for times in applied.values() {
            for (first, start) in times.iter().enumerate() {
                for (count, end) in times.iter().skip(first).enumerate() {
                    let most = u64::from(CAPACITY) + (end - start) / REFILL + 1;
                    prop_assert!((count as u64) < most, "{times:?}");
                }
            }
        }
    }

    #[test]
    fn it_comes_to_rest_when_the_others_do(actors in prop::collection::vec(actor(), 0..4)) {
        let ends = |actor: &Actor| matches!(actor, Actor::Person { .. } | Actor::Webhook { .. });
        let (simulation, cluster) = played(actors.into_iter().filter(ends).collect(), 1_100_000);
        let quiet = simulation.timeline.iter().all(|entry| entry.at_ms <= 400_000 + REQUEUE);
        prop_assert!(quiet, "{:?}", simulation.timeline.last());
        let after = plan(&catalog(), &cluster, &Default::default()).unwrap();
        let writing: Vec<_> = after.assets.iter().filter(|asset| asset.outcome.writes()).map(|asset| &asset.asset).collect();
        prop_assert!(writing.is_empty(), "{writing:?}");
    }
}

/// A machine with an API server of its own, and all that it did to it and told.
struct Rig {
    machine: Machine,
    server: Server,
    told: Vec<Effect>,
}

impl Rig {
    fn new(machine: Machine) -> Self {
        Self { machine, server: Server::new(demo()), told: Vec::new() }
    }

    /// Hands in an event and carries out what comes of it. What changes on the way is told afterwards.
    fn handle(&mut self, now: Millis, event: Event) {
        let mut queue = std::collections::VecDeque::from(self.machine.handle(now, event));
        let mut news = Vec::new();
        while let Some(effect) = queue.pop_front() {
            let (id, answer) = match &effect {
                Effect::Get { id, object } => (*id, Ok(self.server.get(object))),
                Effect::DryRun { id, object } => (*id, self.server.dry_run(object, FIELD_MANAGER)),
                Effect::Apply { id, object } => (*id, self.server.apply(object, FIELD_MANAGER, true)),
                Effect::Annotate { id, object, key, value } => {
                    (*id, self.server.annotate(object, key, value, FIELD_MANAGER))
                }
                Effect::Delete { id, object } => (*id, Ok(self.server.delete(object))),
                Effect::Event { .. } | Effect::Metric { .. } | Effect::Finished { .. } => {
                    self.told.push(effect);
                    continue;
                }
            };
            if let (Effect::Apply { .. } | Effect::Annotate { .. }, Ok(Some(written))) = (&effect, &answer) {
                news.push(Arc::clone(written));
            }
            if !matches!(effect, Effect::Get { .. } | Effect::DryRun { .. }) {
                self.told.push(without_id(effect));
            }
            queue.extend(self.machine.handle(now, Event::Done { id, answer }));
        }
        for object in news {
            self.handle(now, Event::Changed(object));
        }
    }

    fn write(&mut self, now: Millis, object: &ObjectRef, patch: &Value) {
        if let Ok(Some(written)) = self.server.merge_patch(object, patch, "somebody") {
            self.handle(now, Event::Changed(written));
        }
    }
}

fn without_id(effect: Effect) -> Effect {
    match effect {
        Effect::Apply { object, .. } => Effect::Apply { id: 0, object },
        Effect::Annotate { object, key, value, .. } => Effect::Annotate { id: 0, object, key, value },
        Effect::Delete { object, .. } => Effect::Delete { id: 0, object },
        other => other,
    }
}

/// Writes of others, with the time since the one before: overrides and their removal among them.
fn writes() -> impl Strategy<Value = Vec<(Millis, ObjectRef, Value)>> {
    let objects = managed();
    let hco = demo().hco(catalog().behavior()).unwrap().reference();
    let annotate = |key: &str, value: Value| json!({"metadata": {"annotations": {key: value}}});
    let overrides = [
        annotate(RECONCILE_PAUSED, json!("true")),
        annotate(RECONCILE_PAUSED, json!(null)),
        annotate(MODE, json!("unmanaged")),
        annotate(MODE, json!(null)),
        annotate(PATCH, json!("[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {\"a\": \"b\"}}]")),
        annotate(PATCH, json!("[{\"op\": \"remove\", \"path\": \"/none\"}]")),
        annotate(PATCH, json!(null)),
        annotate(IGNORE_FIELDS, json!("/spec")),
        annotate(IGNORE_FIELDS, json!("spec")),
        annotate(IGNORE_FIELDS, json!(null)),
    ];
    let activations = ["true", "false", "swap-enable", "descheduler-loadaware,psi-enable", "hco-golden-config"];
    let one = (0..300_000u64, 0..objects.len() + 2, 0..14usize).prop_map(move |(gap, index, which)| {
        let Some(object) = objects.get(index) else {
            let key = crate::scope::AUTOPILOT;
            return (gap, hco.clone(), annotate(key, json!(activations[which % activations.len()])));
        };
        let patch = overrides.get(which).cloned().unwrap_or_else(|| change(object, (which - overrides.len()) as u8));
        (if which.is_multiple_of(3) { gap } else { gap % 3_000 }, object.reference(), patch)
    });
    prop::collection::vec(one, 0..24)
}

/// Lets the machines' own passes run whose time comes before `until`.
fn tick(rigs: &mut [Rig], until: Millis) -> Result<(), TestCaseError> {
    let mut turns = 0;
    while let Some(due) = rigs[0].machine.next_wakeup().filter(|due| *due <= until) {
        turns += 1;
        prop_assert!(turns < 1_000, "it spins");
        for rig in rigs.iter_mut() {
            prop_assert_eq!(rig.machine.next_wakeup(), Some(due));
            rig.handle(due, Event::Tick);
            prop_assert!(!rig.machine.is_busy());
            prop_assert!(rig.machine.next_wakeup().is_none_or(|next| next >= due + FIRST_RETRY), "it spins");
        }
    }
    Ok(())
}

fn same(rigs: &[Rig]) -> Result<(), TestCaseError> {
    let [first, others @ ..] = rigs else { return Ok(()) };
    for other in others {
        let place = first.told.iter().zip(&other.told).position(|(a, b)| a != b);
        let excerpt = place.map(|place| (first.told.get(place), other.told.get(place)));
        prop_assert!(first.told.len() == other.told.len() && place.is_none(), "{excerpt:?}");
        prop_assert_eq!(first.machine.metrics().to_text(), other.machine.metrics().to_text());
        prop_assert_eq!(first.server.cluster(), other.server.cluster());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_restored_machine_behaves_the_same(writes in writes(), at in 0..24usize) {
        let mut rigs = [Rig::new(Machine::new(catalog())), Rig::new(Machine::new(catalog()))];
        rigs.iter_mut().for_each(|rig| rig.handle(0, Event::Snapshot(demo())));
        let mut now = 0;
        for (index, (gap, object, patch)) in writes.iter().enumerate() {
            if index == at {
                let machine = &rigs[1].machine;
                let state = serde_json::to_string(machine.state()).unwrap();
                let state: State = serde_json::from_str(&state).unwrap();
                prop_assert_eq!(&state, machine.state());
                rigs[1].machine = Machine::restore(catalog(), machine.cluster().clone(), state);
            }
            now += gap;
            tick(&mut rigs, now)?;
            rigs.iter_mut().for_each(|rig| rig.write(now, object, patch));
        }
        tick(&mut rigs, now + 900_000)?;
        same(&rigs)?;
    }

    #[test]
    fn a_live_snapshot_changes_nothing(writes in writes()) {
        let mut rigs = [Rig::new(Machine::new(catalog())), Rig::new(Machine::new(catalog()).on_live_snapshot())];
        rigs.iter_mut().for_each(|rig| rig.handle(0, Event::Snapshot(demo())));
        let mut now = 0;
        for (gap, object, patch) in &writes {
            now += gap;
            tick(&mut rigs, now)?;
            rigs.iter_mut().for_each(|rig| rig.write(now, object, patch));
            // The order of metrics among themselves is no matter, and what is set to what it is may go untold.
            rigs.iter_mut().for_each(|rig| rig.told.retain(|effect| !matches!(effect, Effect::Metric { .. })));
            same(&rigs)?;
        }
        tick(&mut rigs, now + 900_000)?;
        rigs.iter_mut().for_each(|rig| rig.told.retain(|effect| !matches!(effect, Effect::Metric { .. })));
        same(&rigs)?;
    }
}

/// In the middle of a pass as well: after each effect the machine is put away and taken up again.
#[test]
fn a_machine_is_restored_in_the_middle_of_a_pass() {
    let mut straight = Rig::new(Machine::new(catalog()));
    straight.handle(0, Event::Snapshot(demo()));

    let mut server = Server::new(demo());
    let mut machine = Machine::new(catalog());
    let mut told = Vec::new();
    let mut queue = std::collections::VecDeque::from(machine.handle(0, Event::Snapshot(demo())));
    while let Some(effect) = queue.pop_front() {
        let state = serde_json::from_str(&serde_json::to_string(machine.state()).unwrap()).unwrap();
        machine = Machine::restore(catalog(), machine.cluster().clone(), state);
        let (id, answer) = match &effect {
            Effect::Get { id, object } => (*id, Ok(server.get(object))),
            Effect::DryRun { id, object } => (*id, server.dry_run(object, FIELD_MANAGER)),
            Effect::Apply { id, object } => (*id, server.apply(object, FIELD_MANAGER, true)),
            Effect::Delete { id, object } => (*id, Ok(server.delete(object))),
            _ => {
                told.push(effect);
                continue;
            }
        };
        if !matches!(effect, Effect::Get { .. } | Effect::DryRun { .. }) {
            told.push(without_id(effect));
        }
        queue.extend(machine.handle(0, Event::Done { id, answer }));
    }
    assert!(told.len() > 20);
    assert_eq!(told, straight.told[..told.len()]);
}
