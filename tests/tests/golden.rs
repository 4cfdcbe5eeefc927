//! Golden files: what comes of known clusters, as text that a person has read.
//!
//! `UPDATE_GOLDEN=1 cargo test -p virt-autopilot-tests --test golden` writes them anew; the difference is to be reviewed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use virt_autopilot::diagnostic::Diagnostic;
use virt_autopilot::plan::Stage;
use virt_autopilot::{Behavior, Catalog, Cluster, Plan, PlanOptions, RenderOptions, demo, output, plan, render, yaml};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Compares a text with its golden file or, when asked to, writes it.
fn check(path: &Path, text: &str, failures: &mut Vec<String>) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, text).unwrap();
        return;
    }
    let golden = fs::read_to_string(path).unwrap_or_default();
    if golden != text {
        let line = golden.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
        let (name, dir) = (path.file_name().unwrap(), path.parent().unwrap().file_name().unwrap());
        failures.push(format!("{}/{} differs from line {line} on", dir.display(), name.display()));
    }
}

fn cases(folder: &str) -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = fs::read_dir(here(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(!cases.is_empty());
    cases
}

fn cluster(path: &Path) -> Cluster {
    let text = fs::read_to_string(path).unwrap();
    Cluster::from_values(yaml::parse_stream(&text).unwrap().into_iter().map(|document| document.value))
}

/// The files of a folder, by their paths in it.
fn folder(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

fn sample() -> Catalog {
    Catalog::from_files("sample", Behavior::V4_23, folder(&here("catalogs/sample"))).unwrap()
}

#[test]
fn the_embedded_catalog_is_the_folder() {
    let catalog = Catalog::builtin("4.22").unwrap();
    assert_eq!(*catalog.files(), folder(&here("../core/catalogs/4.22")));
    assert_eq!(catalog.diagnostics(), []);
}

#[test]
fn the_embedded_situations_are_the_folder() {
    let files = folder(&here("../core/demo/situations"));
    let mut names: Vec<&str> = files.keys().map(|name| name.trim_end_matches(".yaml")).collect();
    names.sort_unstable();
    let embedded: Vec<&str> = virt_autopilot::demo::SITUATIONS.iter().map(|situation| situation.name).collect();
    assert_eq!(embedded, names);
    for situation in virt_autopilot::demo::SITUATIONS {
        assert!(situation.title().ends_with('.'), "{} has no title", situation.name);
        assert!(yaml::parse_stream(situation.yaml).is_ok_and(|documents| !documents.is_empty()), "{}", situation.name);
    }
}

#[test]
fn renderings() {
    let mut failures = Vec::new();
    let catalogs = [Catalog::builtin("4.22").unwrap(), sample()];
    for case in cases("golden/render") {
        let cluster = cluster(&case.join("cluster.yaml"))
            .with_images([("RELATED_IMAGE_EXPORTER".to_owned(), "registry.example.com/exporter:1".to_owned())]);
        for catalog in &catalogs {
            let options = RenderOptions { show_excluded: true, ..RenderOptions::default() };
            let rendering = render(catalog, &cluster, &options).unwrap();
            let mut text = output::status(&rendering);
            for finding in &rendering.diagnostics {
                text += &format!("\n{:?} {}: {}", finding.severity, finding.code, finding.message);
            }
            text += "\n\n";
            text += &output::yaml(&render(catalog, &cluster, &RenderOptions::default()).unwrap());
            check(&case.join(format!("{}.txt", catalog.name())), &text, &mut failures);
        }
    }
    assert_eq!(failures, Vec::<String>::new());
}

/// A plan as a person would go through it: outcomes, changes, owners, costs, what would be told.
fn plan_text(plan: &Plan) -> String {
    let mut text = format!("catalog {}, behaviour {}, {}\n", plan.catalog, plan.behavior, line(&plan.activation));
    for asset in &plan.assets {
        text += &format!("\n{}: {}\n", asset.asset, line(&asset.outcome));
        for step in asset.steps.iter().filter(|step| !step.changes.is_empty() && step.stage != Stage::Apply) {
            text += &format!("  step {}: {}\n", line(&step.stage), step.changes.len());
        }
        for change in &asset.changes {
            let side = |value: &Option<serde_json::Value>| value.as_ref().map_or("-".to_owned(), brief);
            text += &format!(
                "  {} {}: {} -> {}\n",
                line(&change.kind),
                change.pointer,
                side(&change.before),
                side(&change.after)
            );
        }
        for change in &asset.ownership {
            text += &format!("  owner {}\n", line(change));
        }
        text += &findings(&asset.diagnostics);
    }
    for tombstone in &plan.tombstones {
        text += &format!("\ntombstone {}: {}", tombstone.object, line(&tombstone.outcome));
    }
    for left in &plan.left_behind {
        text +=
            &format!("\nleft behind {} of {}: {}", left.object, left.asset.as_deref().unwrap_or("nobody"), left.note);
    }
    for pool in &plan.impact.pools {
        let causes: Vec<String> =
            pool.causes.iter().map(|cause| format!("{} {}", cause.object, cause.change)).collect();
        text += &format!(
            "\npool {}{}: {} ({})",
            pool.pool,
            if pool.paused { ", paused" } else { "" },
            pool.nodes.join(" "),
            causes.join(", ")
        );
    }
    text += &format!("\nwithout reboot: {}\n", plan.impact.without_reboot.join(" "));
    text += &findings(&plan.impact.diagnostics);
    text += &findings(&plan.diagnostics);
    text += &format!("error: {}\n\n", plan.error.as_deref().unwrap_or("none"));
    for event in &plan.events {
        text += &format!("{:?} {}: {}\n", event.event_type, event.reason, event.note);
    }
    text += "\n";
    text + &plan.metrics.to_text().lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n") + "\n"
}

fn line(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn brief(value: &serde_json::Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 100 { text } else { text.chars().take(99).chain(['…']).collect() }
}

fn findings(diagnostics: &[Diagnostic]) -> String {
    let finding = |finding: &Diagnostic| {
        let help = finding.help.as_ref().map(|help| format!(" [{help}]")).unwrap_or_default();
        format!("  {:?} {}: {}{help}\n", finding.severity, finding.code, finding.message)
    };
    diagnostics.iter().map(finding).collect()
}

#[test]
fn plans() {
    let mut failures = Vec::new();
    let catalog = Catalog::builtin("4.22").unwrap();
    let folder = here("golden/plan");
    let mut check_plan = |name: &str, cluster: &Cluster, options: &PlanOptions| {
        let plan = plan(&catalog, cluster, options).unwrap();
        check(&folder.join(format!("{name}.txt")), &plan_text(&plan), &mut failures);
        plan
    };
    let options = PlanOptions::default();
    let newer = PlanOptions { behavior: Some(Behavior::V4_23), ..PlanOptions::default() };
    let demo = demo::cluster();
    let first = check_plan("demo", &demo, &options);
    check_plan("demo-applied", &first.apply_to(&demo), &options);
    for situation in demo::SITUATIONS {
        check_plan(situation.name, &situation.cluster(), &options);
    }
    for name in ["hco-in-v1", "hco-in-v1beta1"] {
        check_plan(&format!("{name}-under-4.23"), &demo::Situation::named(name).unwrap().cluster(), &newer);
    }
    let pretend = PlanOptions { allow_refused_kinds: true, ..PlanOptions::default() };
    check_plan(
        "patch-refused-kind-allowed",
        &demo::Situation::named("patch-refused-kind").unwrap().cluster(),
        &pretend,
    );
    let list = PlanOptions { activation: Some("swap-enable".to_owned()), ..PlanOptions::default() };
    check_plan("what-if-list", &demo, &list);
    assert_eq!(failures, Vec::<String>::new());
}
