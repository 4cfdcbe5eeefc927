//! The cluster of a request: its objects as values and as texts, on top of those that were kept from an earlier one.

use std::collections::BTreeMap;

use serde_json::Value;
use virt_autopilot::catalog::Files;
use virt_autopilot::diagnostic::Source;
use virt_autopilot::yaml::{self, YamlError};
use virt_autopilot::{Catalog, Cluster, Diagnostic};

use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::catalog::file_text;
use crate::encoding::{Refusal, read, take, to_js, value};
use crate::positions::{in_text, in_texts};
use crate::table::Table;

thread_local! {
    static CLUSTERS: Table<(Cluster, Vec<Diagnostic>)> = const { Table::new() };
}

/// Keeps the cluster of a request, so that what does not change need not cross again.
#[wasm_bindgen]
pub fn cluster_new(request: &JsValue) -> Answer<u32> {
    let cluster = cluster(&mut value(request)?)?;
    Ok(CLUSTERS.with(|clusters| clusters.keep(cluster)))
}

/// What was wrong with the objects of a cluster that is kept.
#[wasm_bindgen]
pub fn cluster_diagnostics(number: u32) -> Answer {
    let (cluster, mut findings) = CLUSTERS.with(|clusters| clusters.with(number, |kept| kept.clone()))?;
    findings.extend_from_slice(cluster.diagnostics());
    to_js(&findings)
}

/// Forgets a cluster.
#[wasm_bindgen]
pub fn cluster_free(number: u32) {
    CLUSTERS.with(|clusters| clusters.free(number));
}

/// The cluster of a request, and what is wrong with texts that could not be read: they are left out.
pub fn cluster(request: &mut Value) -> Result<(Cluster, Vec<Diagnostic>), Refusal> {
    let (mut cluster, mut unreadable) = objects(take(request, "objects"));
    if let Some(number) = read::<Option<u32>>(take(request, "cluster"))? {
        let (kept, findings) = CLUSTERS.with(|clusters| clusters.with(number, |kept| kept.clone()))?;
        cluster = kept.with_objects_of(cluster);
        unreadable.splice(0..0, findings);
    }
    let images: BTreeMap<String, String> = read(take(request, "images"))?;
    let cluster = cluster.with_images(images);
    Ok(match take(request, "namespace") {
        Value::String(namespace) => (cluster.in_namespace(namespace), unreadable),
        _ => (cluster, unreadable),
    })
}

/// A cluster of a list of objects, texts, and texts that have a file's name.
pub fn objects(list: Value) -> (Cluster, Vec<Diagnostic>) {
    let entries = match list {
        Value::Array(entries) => entries,
        Value::Null => Vec::new(),
        single => vec![single],
    };
    let mut values = Vec::new();
    let mut unreadable = Vec::new();
    for (index, entry) in entries.into_iter().enumerate() {
        let Some((file, text)) = named_text(index, &entry) else {
            values.push(entry);
            continue;
        };
        match read_text(text) {
            Ok(objects) => values.extend(objects),
            Err(error) => {
                let mut finding = error.to_diagnostic();
                in_text(&mut finding, text);
                unreadable.push(finding.at(|source| source.file = Some(file)));
            }
        }
    }
    (Cluster::from_values(values), unreadable)
}

fn named_text(index: usize, entry: &Value) -> Option<(String, &str)> {
    match entry {
        Value::String(text) => Some((format!("text {}", index + 1), text)),
        Value::Object(map) => Some((map.get("file")?.as_str()?.to_owned(), map.get("text")?.as_str()?)),
        _ => None,
    }
}

/// The objects of a text. What an API server wrote is JSON, which tells `2.0` from `2` and is read faster than YAML.
fn read_text(text: &str) -> Result<Vec<Value>, YamlError> {
    if text.trim_start().starts_with(['{', '['])
        && let Ok(value) = serde_json::from_str(text)
    {
        return Ok(match value {
            Value::Array(items) => items,
            other => vec![other],
        });
    }
    Ok(yaml::objects(text)?.into_iter().map(|document| document.value).collect())
}

/// Counts the positions of a result's diagnostics: they are in annotations of the cluster's objects and in the catalog's
/// files.
pub fn count_positions(diagnostics: &mut [Diagnostic], cluster: &Cluster, catalog: &Catalog) {
    for diagnostic in diagnostics {
        in_texts(diagnostic, |source| text_of(source, cluster, catalog.files()));
    }
}

fn text_of<'a>(source: &Source, cluster: &'a Cluster, files: &'a Files) -> Option<&'a str> {
    match (&source.annotation, &source.object) {
        (Some(key), Some(reference)) => cluster.get(reference)?.annotation(key),
        _ => file_text(source, files),
    }
}
