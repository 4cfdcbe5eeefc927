//! The driver against an API server that fails: nothing is lost, and nothing is applied twice.

mod stub;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use stub::{Fault, How, State};
use virt_autopilot::object::ObjectRef;
use virt_autopilot::overrides::is_paused;
use virt_autopilot::{Catalog, Cluster, demo};
use virt_autopilot_driver_example::Driver;

/// How long the driver waits for an answer.
const PATIENT: Duration = Duration::from_secs(120);
/// The same where an answer will not come. On a slow machine some that would have come are not waited for either, which
/// is one fault more.
const IMPATIENT: Duration = Duration::from_millis(500);
/// Twenty minutes on the machine's clock, which here only moves from one wake-up to the next.
const HORIZON: u64 = 1_200_000;

struct Played {
    cluster: Cluster,
    stored: BTreeMap<ObjectRef, usize>,
    faults_left: usize,
    passes: Vec<Option<String>>,
    events: usize,
    metrics: String,
}

/// Plays the loop against a cluster with those faults.
fn play(faults: Vec<Fault>) -> Played {
    play_against(faults, None)
}

/// The same, with somebody who writes to the descheduler again and again at first.
fn play_against(faults: Vec<Fault>, opponent: Option<Value>) -> Played {
    let keeps_silent = |fault: &Fault| matches!(fault.how, How::Silence | How::LostAnswer);
    let patience = if faults.iter().any(keeps_silent) { IMPATIENT } else { PATIENT };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let state = Arc::new(Mutex::new(State::new(demo::cluster(), faults)));
        let address = stub::serve(Arc::clone(&state)).await;
        let client = kube::Client::try_from(kube::Config::new(address.parse().unwrap())).unwrap();
        let mut driver = Driver::new(Catalog::builtin("4.22").unwrap(), client, patience);
        let mut now = 0;
        while driver.look(now).await.is_err() {
            now += 1_000;
        }
        // More often than there are tokens, all within a second or two.
        for patch in std::iter::repeat_n(&opponent, 40).flatten() {
            state.lock().unwrap().merge(&descheduler(), patch);
            let _ = driver.look(now).await;
            while let Some(due) = driver.machine().next_wakeup().filter(|due| *due <= now + 50) {
                now = now.max(due);
                driver.tick(now).await;
            }
        }
        while let Some(due) = driver.machine().next_wakeup().filter(|due| *due <= HORIZON) {
            now = now.max(due);
            driver.tick(now).await;
            // A look that fails is made up for by the next one.
            let _ = driver.look(now).await;
        }
        let state = state.lock().unwrap();
        Played {
            cluster: state.cluster().clone(),
            stored: state.stored.clone(),
            faults_left: state.faults.len(),
            passes: driver.passes().to_vec(),
            events: state.events.len(),
            metrics: driver.machine().metrics().to_text(),
        }
    })
}

fn descheduler() -> ObjectRef {
    ObjectRef {
        api_version: "operator.openshift.io/v1".to_owned(),
        kind: "KubeDescheduler".to_owned(),
        namespace: "openshift-kube-descheduler-operator".to_owned(),
        name: "cluster".to_owned(),
    }
}

fn check(faults: &[Fault]) {
    let calm = play(Vec::new());
    let played = play(faults.to_vec());
    assert_eq!(played.faults_left, 0, "a fault did not come about");
    assert_eq!(played.stored, calm.stored, "something was lost, or written twice");
    assert_eq!(played.cluster, calm.cluster);
    assert_eq!(played.passes.last(), Some(&None), "{:?}", played.passes);
}

const GET: &str = "/kubedeschedulers/cluster?";
const DRY_RUN: &str = "/kubedeschedulers/cluster?&dryRun=All";
const APPLY: &str = "/kubedeschedulers/cluster?&force=true";
const CREATE: &str = "/machineconfigs/";

fn get(path: &'static str, how: How) -> Fault {
    Fault { method: "GET", path, how }
}

fn patch(path: &'static str, how: How) -> Fault {
    Fault { method: "PATCH", path, how }
}

#[test]
fn without_faults_each_object_is_written_once() {
    let calm = play(Vec::new());
    assert!(calm.stored.len() > 3, "{:?}", calm.stored);
    assert!(calm.stored.values().all(|count| *count == 1), "{:?}", calm.stored);
    assert!(calm.passes.iter().all(Option::is_none), "{:?}", calm.passes);
    assert!(calm.events > 10);
}

#[test]
fn a_conflict() {
    check(&[patch(APPLY, How::Status(409, "Operation cannot be fulfilled: the object has been modified"))]);
}

#[test]
fn a_namespace_that_is_not_there_yet() {
    let missing = How::Status(404, "namespaces \"openshift-kube-descheduler-operator\" not found");
    check(&[patch(APPLY, missing)]);
    check(&[get("/api/v1/namespaces/openshift-kube-descheduler-operator", missing)]);
}

#[test]
fn server_errors() {
    let broken = How::Status(500, "etcdserver: request timed out");
    check(&[patch(APPLY, broken), patch(APPLY, broken), patch(APPLY, broken)]);
    check(&[patch(DRY_RUN, broken), patch(CREATE, broken), get(GET, broken)]);
    check(&[get("/customresourcedefinitions", broken), get("/hyperconvergeds/kubevirt-hyperconverged", broken)]);
}

#[test]
fn answers_that_do_not_come() {
    check(&[patch(APPLY, How::Silence)]);
    check(&[patch(APPLY, How::LostAnswer), patch(CREATE, How::LostAnswer)]);
    check(&[patch(DRY_RUN, How::Silence), get(GET, How::Silence)]);
}

#[test]
fn a_connection_that_is_cut() {
    check(&[patch(APPLY, How::Cut), patch(CREATE, How::Cut)]);
    check(&[patch(APPLY, How::CutAnswer), patch(CREATE, How::CutAnswer)]);
}

#[test]
fn a_connection_that_is_cut_between_dry_run_and_apply() {
    check(&[patch(DRY_RUN, How::CutAfterwards)]);
    check(&[patch(DRY_RUN, How::CutAfterwards), patch(APPLY, How::Cut)]);
}

#[test]
fn events_that_get_lost() {
    let broken = How::Status(500, "etcdserver: request timed out");
    check(&[
        Fault { method: "POST", path: "/events", how: broken },
        Fault { method: "POST", path: "/events", how: How::Cut },
    ]);
}

/// Somebody else writes between the driver's reading and its writing back. The controller takes an object that it meant
/// to pause and finds unpaused for one that a person has let go on: the bucket is full again, and the war counts twice.
#[test]
fn a_pause_that_meets_a_conflict() {
    let conflict = How::Status(409, "the object has been modified");
    let war = |faults: Vec<Fault>| play_against(faults, Some(json!({"spec": {"deschedulingIntervalSeconds": 301}})));
    let calm = war(Vec::new());
    let played = war(vec![Fault { method: "PUT", path: "/kubedeschedulers/cluster", how: conflict }]);
    assert_eq!(played.faults_left, 0);
    for (played, wars) in [(calm, 1), (played, 2)] {
        let live = played.cluster.get(&descheduler());
        assert!(live.is_some_and(|live| is_paused(live)), "{:?}", played.passes);
        let counted = played.metrics.lines().find(|line| line.starts_with("kubevirt_autopilot_thrashing_total{"));
        assert!(counted.is_some_and(|line| line.ends_with(&format!(" {wars}"))), "{counted:?}");
    }
}
