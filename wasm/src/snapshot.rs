//! The cluster of a request: its objects as values and as texts.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use virt_autopilot::catalog::Files;
use virt_autopilot::diagnostic::Source;
use virt_autopilot::yaml::{self, YamlError};
use virt_autopilot::{Catalog, Cluster, Diagnostic};

use crate::catalog::file_text;
use crate::positions::{in_text, in_texts};

/// What a request says of a cluster.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Snapshot {
    objects: Vec<Value>,
    images: BTreeMap<String, String>,
    namespace: String,
}

impl Default for Snapshot {
    fn default() -> Self {
        let namespace = virt_autopilot::cluster::DEFAULT_NAMESPACE.to_owned();
        Self { objects: Vec::new(), images: BTreeMap::new(), namespace }
    }
}

impl Snapshot {
    /// A snapshot of nothing but objects.
    pub fn of_objects(objects: Vec<Value>) -> Self {
        Self { objects, ..Self::default() }
    }

    /// The cluster, and what is wrong with texts that could not be read: they are left out.
    pub fn into_cluster(self) -> (Cluster, Vec<Diagnostic>) {
        let mut values = Vec::new();
        let mut unreadable = Vec::new();
        for (index, entry) in self.objects.into_iter().enumerate() {
            let (file, text) = match &entry {
                Value::String(text) => (format!("text {}", index + 1), text),
                Value::Object(map) => match (map.get("file"), map.get("text")) {
                    (Some(Value::String(file)), Some(Value::String(text))) => (file.clone(), text),
                    _ => {
                        values.push(entry);
                        continue;
                    }
                },
                _ => {
                    values.push(entry);
                    continue;
                }
            };
            match read(text) {
                Ok(objects) => values.extend(objects),
                Err(error) => {
                    let mut finding = error.to_diagnostic();
                    in_text(&mut finding, text);
                    unreadable.push(finding.at(|source| source.file = Some(file)));
                }
            }
        }
        let cluster = Cluster::from_values(values).in_namespace(self.namespace).with_images(self.images);
        (cluster, unreadable)
    }
}

/// The objects of a text. What an API server wrote is JSON, which tells `2.0` from `2` and is read faster than YAML.
fn read(text: &str) -> Result<Vec<Value>, YamlError> {
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
