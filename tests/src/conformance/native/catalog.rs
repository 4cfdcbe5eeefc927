//! Catalogs, and the templates in them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use virt_autopilot::catalog::{CatalogError, Files};
use virt_autopilot::cluster::{Hardware, Topology};
use virt_autopilot::template::{Context, Template};
use virt_autopilot::{Behavior, Catalog, Cluster, Object};

use super::{error, text};

/// The catalog that the input has the files of.
pub(super) fn load(input: &Value) -> Result<Catalog, CatalogError> {
    let files = input["catalog"].as_object().into_iter().flatten();
    let files: Files =
        files.map(|(path, text)| (path.clone(), text.as_str().unwrap_or_default().as_bytes().to_vec())).collect();
    Catalog::from_files(text(input, "name"), Behavior::V4_23, files)
}

pub(super) fn catalog(input: &Value) -> Value {
    let catalog = match load(input) {
        Ok(catalog) => catalog,
        Err(problem) => return error(problem),
    };
    let required = catalog.assets().iter().map(|asset| {
        let crd = asset.required_crd(Behavior::V4_23).unwrap_or_default();
        (asset.name.clone(), Value::from(crd))
    });
    let tombstones = catalog.tombstones().iter().map(|tombstone| {
        let object = &tombstone.object;
        json!({"path": tombstone.path, "kind": object.kind, "namespace": object.namespace, "name": object.name})
    });
    json!({
        "features": catalog.features(),
        "requiredCRD": required.collect::<Map<_, _>>(),
        "tombstones": tombstones.collect::<Vec<_>>(),
    })
}

pub(super) fn template(input: &Value) -> Value {
    let context = &input["context"];
    let texts =
        |key: &str| -> BTreeMap<String, String> { serde_json::from_value(context[key].clone()).unwrap_or_default() };
    let value =
        |text: &Value| -> Value { text.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default() };
    let hco = match Object::from_value(value(&input["hco"])) {
        Ok(hco) => hco,
        Err(problem) => return error(problem),
    };
    let hardware: Hardware = serde_json::from_value(context["hardware"].clone()).unwrap_or_default();
    let topology: Topology = serde_json::from_value(context["topology"].clone()).unwrap_or_default();
    let cluster = Cluster::from_values(input["objects"].as_array().into_iter().flatten().map(value));
    let rendered = Template::parse("case", text(input, "template"), Behavior::V4_23).and_then(|template| {
        template.render(&Context {
            hco: &hco,
            hardware,
            topology: &topology,
            images: &texts("images"),
            params: &texts("params"),
            lookup: &cluster,
        })
    });
    match rendered {
        Ok(output) => json!({"output": output}),
        Err(problem) => json!({
            "error": {"stage": problem.stage.as_str(), "line": problem.line, "message": problem.to_string()},
        }),
    }
}
