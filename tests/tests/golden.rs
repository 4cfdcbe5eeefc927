//! Golden files: what comes of known clusters, as text that a person has read.
//!
//! `UPDATE_GOLDEN=1 cargo test -p virt-autopilot-tests --test golden` writes them anew; the difference is to be reviewed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use virt_autopilot::{Behavior, Catalog, Cluster, RenderOptions, output, render, yaml};

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
