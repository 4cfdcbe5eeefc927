//! The tables of docs/edit-wars.md are what the simulator says.
//!
//! `UPDATE_GOLDEN=1 cargo test -p virt-autopilot-tests --test edit_wars` writes them anew.

use std::fs;
use std::sync::LazyLock;

use serde_json::json;
use virt_autopilot::object::{FIELD_MANAGER, ObjectRef};
use virt_autopilot::simulate::{Action, Actor, ObjectVerdict, Script, Simulation, simulate};
use virt_autopilot::{Catalog, Cluster, PlanOptions, demo, plan};
use virt_autopilot_tests::root;

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;
const ARGOCD: &str = "argocd-controller";

fn descheduler() -> ObjectRef {
    ObjectRef {
        api_version: "operator.openshift.io/v1".to_owned(),
        kind: "KubeDescheduler".to_owned(),
        namespace: "openshift-kube-descheduler-operator".to_owned(),
        name: "cluster".to_owned(),
    }
}

fn argocd() -> Actor {
    Actor::argocd(descheduler(), json!({"spec": {"deschedulingIntervalSeconds": 301}}))
}

fn play(actor: Actor, duration_ms: u64) -> (Simulation, ObjectVerdict) {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::builtin("4.22").unwrap());
    // The fight begins on a cluster where all is as it should be.
    static CLUSTER: LazyLock<Cluster> = LazyLock::new(|| {
        let cluster = demo::cluster();
        plan(&CATALOG, &cluster, &PlanOptions::default()).unwrap().apply_to(&cluster)
    });
    let script = Script { actors: vec![actor], duration_ms, max_entries: usize::MAX };
    let simulation = simulate(&CATALOG, &CLUSTER, &script);
    assert!(simulation.complete);
    let verdict = simulation.verdicts.iter().find(|verdict| verdict.object == descheduler()).unwrap().clone();
    (simulation, verdict)
}

fn writes(verdict: &ObjectVerdict, manager: &str) -> u64 {
    verdict.writes.get(manager).copied().unwrap_or_default()
}

fn fixed_pace() -> String {
    let mut text = "| the other writes after | paused after | its writes until then | corrections until then |\n|---:|---:|---:|---:|\n".to_owned();
    for period in [500, 1_000, 2_000, 3_000, 4_000, 5_000, 5_500, 5_900, 6_000, 7_000, 8_000, 9_000, 10_000] {
        let (simulation, verdict) = play(argocd().every(period), 4 * HOUR);
        let row = match verdict.paused_at_ms {
            Some(at) => {
                let until =
                    simulation.timeline.iter().filter(|entry| entry.at_ms <= at && entry.object == descheduler());
                let corrections = until.filter(|entry| entry.action == Action::Apply).count();
                format!("{} | {} | {corrections}", duration(at), writes(&verdict, ARGOCD))
            }
            None => format!("never | {} in 4 h | {}", writes(&verdict, ARGOCD), writes(&verdict, FIELD_MANAGER)),
        };
        text += &format!("| {} | {row} |\n", duration(period));
    }
    text
}

fn back_off() -> String {
    let (simulation, _) = play(argocd(), HOUR);
    let heals = simulation.timeline.iter().filter(|entry| entry.actor == ARGOCD && entry.action == Action::Update);
    let times: Vec<u64> = heals.map(|entry| entry.at_ms).collect();
    let mut text = "| heal | after the first | after the one before |\n|---:|---:|---:|\n".to_owned();
    for (index, at) in times.iter().enumerate().take(10) {
        let since = index.checked_sub(1).map_or_else(|| "–".to_owned(), |last| duration(at - times[last]));
        text += &format!("| {} | {} | {since} |\n", index + 1, duration(at - times[0]));
    }
    text
}

fn back_off_totals() -> String {
    let mut text = "| played for | heals | corrections | throttled | paused |\n|---:|---:|---:|---:|---|\n".to_owned();
    for (words, hours) in [("1 h", 1), ("1 day", 24), ("30 days", 720)] {
        let (_, verdict) = play(argocd(), hours * HOUR);
        let paused = verdict.paused_at_ms.map_or_else(|| "never".to_owned(), duration);
        let (heals, corrections) = (writes(&verdict, ARGOCD), writes(&verdict, FIELD_MANAGER));
        text += &format!("| {words} | {heals} | {corrections} | {} | {paused} |\n", verdict.throttles);
    }
    text
}

/// Seconds below two minutes, else minutes and seconds.
fn duration(millis: u64) -> String {
    let (minutes, seconds) = (millis / 60_000, millis % 60_000);
    if minutes >= 2 {
        return format!("{minutes} min {} s", seconds / SECOND);
    }
    let text = format!("{:.3}", millis as f64 / 1_000.0);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

#[test]
fn the_tables_hold() {
    let path = root().join("docs/edit-wars.md");
    let text = fs::read_to_string(&path).unwrap();
    let mut expect = text.clone();
    for (name, table) in
        [("fixed pace", fixed_pace()), ("back-off", back_off()), ("back-off totals", back_off_totals())]
    {
        let (begin, end) = (format!("<!-- begin: {name} -->\n"), format!("<!-- end: {name} -->\n"));
        let (head, rest) = expect.split_once(&begin).unwrap();
        let (_, tail) = rest.split_once(&end).unwrap();
        expect = format!("{head}{begin}{table}{end}{tail}");
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &expect).unwrap();
    } else {
        assert_eq!(text, expect, "UPDATE_GOLDEN=1 writes the tables anew");
    }
}
