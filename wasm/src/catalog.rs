//! Catalogs.

use js_sys::{Array, Object, Uint8Array};
use serde::Serialize;
use virt_autopilot::catalog::{CatalogError, Features, Files, Tombstone};
use virt_autopilot::diagnostic::Source;
use virt_autopilot::{Behavior, Catalog, Diagnostic};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::encoding::{Refusal, to_js};
use crate::positions::in_texts;
use crate::table::Table;

thread_local! {
    static CATALOGS: Table<Catalog> = const { Table::new() };
}

/// The catalog of a number.
pub fn catalog(number: u32) -> Result<Catalog, Refusal> {
    CATALOGS.with(|catalogs| catalogs.with(number, |catalog| catalog.clone()))
}

fn keep(catalog: Catalog) -> u32 {
    CATALOGS.with(|catalogs| catalogs.keep(catalog))
}

/// The names of the built-in catalogs, the newest last.
#[wasm_bindgen]
pub fn catalog_names() -> Answer {
    to_js(Catalog::builtin_names())
}

/// Loads a built-in catalog.
#[wasm_bindgen]
pub fn catalog_builtin(name: &str) -> Answer<u32> {
    let unknown = || {
        let message = format!("no catalog is called `{name}`; there is {}", Catalog::builtin_names().join(", "));
        Refusal::new("catalog.unknown", message)
    };
    Ok(keep(Catalog::builtin(name).ok_or_else(unknown)?))
}

/// Loads a catalog from files: an object of path to text or bytes.
#[wasm_bindgen]
pub fn catalog_from_files(files: &Object, name: &str, behavior: &str) -> Answer<u32> {
    let mut map = Files::new();
    for entry in Object::entries(files).iter() {
        let entry = Array::from(&entry);
        let path = entry.get(0).as_string().unwrap_or_default();
        let content = entry.get(1);
        let bytes = match (content.as_string(), content.dyn_ref::<Uint8Array>()) {
            (Some(text), _) => text.into_bytes(),
            (None, Some(bytes)) => bytes.to_vec(),
            (None, None) => {
                let message = format!("the file `{path}` is neither a string nor a Uint8Array");
                return Err(Refusal::new("request.unreadable", message).into());
            }
        };
        map.insert(path, bytes);
    }
    let texts = map.clone();
    let loaded = Catalog::from_files(name, parse_behavior(behavior)?, map);
    Ok(keep(loaded.map_err(|error| invalid(error, &texts))?))
}

/// Loads a catalog from the text of a bundle.
#[wasm_bindgen]
pub fn catalog_from_bundle(bytes: &[u8]) -> Answer<u32> {
    Ok(keep(Catalog::from_bundle(bytes).map_err(|error| invalid(error, &Files::new()))?))
}

/// The same catalog under another behaviour.
#[wasm_bindgen]
pub fn catalog_with_behavior(number: u32, behavior: &str) -> Answer<u32> {
    let catalog = catalog(number)?;
    let changed = catalog.with_behavior(parse_behavior(behavior)?);
    Ok(keep(changed.map_err(|error| invalid(error, catalog.files()))?))
}

/// Forgets a catalog.
#[wasm_bindgen]
pub fn catalog_free(number: u32) {
    CATALOGS.with(|catalogs| catalogs.free(number));
}

/// The catalog as the text of a bundle.
#[wasm_bindgen]
pub fn catalog_bundle(number: u32) -> Answer<String> {
    Ok(catalog(number)?.to_bundle())
}

/// The features as a table.
#[wasm_bindgen]
pub fn catalog_features_text(number: u32) -> Answer<String> {
    Ok(virt_autopilot::output::features(&catalog(number)?.features()))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Described<'a> {
    name: &'a str,
    behavior: Behavior,
    features: Features,
    assets: Vec<DescribedAsset<'a>>,
    tombstones: &'a [Tombstone],
    diagnostics: Vec<Diagnostic>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DescribedAsset<'a> {
    name: &'a str,
    group: Option<&'a str>,
    path: &'a str,
    api_version: Option<&'a str>,
    kind: Option<&'a str>,
    component: &'a str,
    phase: i64,
    reconcile_order: i64,
    install: virt_autopilot::catalog::Install,
    conditions: &'a [virt_autopilot::catalog::Condition],
    features: Vec<&'a str>,
    required_crd: Option<String>,
    gate_crd: Option<&'a str>,
}

/// What is in a catalog.
#[wasm_bindgen]
pub fn catalog_describe(number: u32) -> Answer {
    let catalog = catalog(number)?;
    let assets = catalog.assets().iter().map(|asset| DescribedAsset {
        name: &asset.name,
        group: asset.group.as_deref(),
        path: &asset.path,
        api_version: asset.type_name().map(|(api_version, _)| api_version),
        kind: asset.type_name().map(|(_, kind)| kind),
        component: &asset.component,
        phase: asset.phase,
        reconcile_order: asset.reconcile_order,
        install: asset.install,
        conditions: &asset.conditions,
        features: catalog.features_of(asset),
        required_crd: asset.required_crd(catalog.behavior()),
        gate_crd: asset.gate_crd.as_deref(),
    });
    to_js(&Described {
        name: catalog.name(),
        behavior: catalog.behavior(),
        features: catalog.features(),
        assets: assets.collect(),
        tombstones: catalog.tombstones(),
        diagnostics: in_files(catalog.diagnostics().to_vec(), catalog.files()),
    })
}

/// A file's text; `undefined` where there is none.
#[wasm_bindgen]
pub fn catalog_file(number: u32, path: &str) -> Answer<Option<String>> {
    Ok(catalog(number)?.file(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
}

/// A behaviour by its name.
pub fn parse_behavior(name: &str) -> Result<Behavior, Refusal> {
    name.parse().map_err(|error| Refusal::new("behavior.unknown", error))
}

fn invalid(error: CatalogError, files: &Files) -> Refusal {
    let message = error.to_string();
    Refusal::new("catalog.invalid", message).problems(in_files(error.problems, files))
}

fn in_files(mut diagnostics: Vec<Diagnostic>, files: &Files) -> Vec<Diagnostic> {
    for diagnostic in &mut diagnostics {
        in_texts(diagnostic, |source| file_text(source, files));
    }
    diagnostics
}

/// The text of the catalog's file that a place is in.
pub fn file_text<'a>(source: &Source, files: &'a Files) -> Option<&'a str> {
    std::str::from_utf8(files.get(source.file.as_ref()?)?).ok()
}
