//! `active/metadata.yaml`: which assets and features there are.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Asset, Condition, Files, Install, METADATA};
use crate::diagnostic::{Diagnostic, Span};

/// What the file says, after validation.
#[derive(Clone, Debug, Default)]
pub(super) struct Metadata {
    pub(super) assets: Vec<AssetEntry>,
    pub(super) features: Vec<Feature>,
    pub(super) framework: FrameworkEntry,
}

/// One asset's entry.
#[derive(Clone, Debug)]
pub(super) struct AssetEntry {
    pub(super) name: String,
    pub(super) group: Option<String>,
    pub(super) gate_crd: Option<String>,
    pub(super) path: String,
    pub(super) phase: i64,
    pub(super) install: Install,
    pub(super) component: String,
    pub(super) reconcile_order: i64,
    pub(super) conditions: Vec<Condition>,
    pub(super) template_params: BTreeMap<String, String>,
    line: Option<usize>,
}

/// One feature's entry.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Feature {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) maturity: Option<String>,
    pub(super) assets: Vec<String>,
    pub(super) groups: Vec<String>,
    pub(super) requires: Vec<String>,
    pub(super) recommended: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FrameworkEntry {
    pub(super) maturity: String,
    pub(super) opt_in: String,
}

/// An asset's entry as it is written, each part to be checked by itself.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct RawAsset {
    name: Option<String>,
    group: Option<String>,
    gate_crd: Option<String>,
    path: Option<String>,
    phase: i64,
    install: Option<String>,
    component: String,
    reconcile_order: i64,
    conditions: Option<Vec<Value>>,
    template_params: Option<BTreeMap<String, Value>>,
}

impl Feature {
    pub(super) fn covers(&self, asset: &Asset) -> bool {
        self.names(&asset.name, asset.group.as_deref())
    }

    fn names(&self, asset: &str, group: Option<&str>) -> bool {
        self.assets.iter().any(|name| name == asset)
            || group.is_some_and(|group| self.groups.iter().any(|name| name == group))
    }
}

impl AssetEntry {
    /// Places a finding at the entry.
    pub(super) fn place(&self, finding: Diagnostic) -> Diagnostic {
        at_line(finding, self.line).at(|source| source.asset = Some(self.name.clone()))
    }
}

/// Reads the file, and tells everything that is wrong with it.
pub(super) fn parse(files: &Files, problems: &mut Vec<Diagnostic>) -> Metadata {
    let Some(bytes) = files.get(METADATA) else {
        let finding = Diagnostic::error("catalog.no-metadata", format!("the catalog has no file `{METADATA}`"));
        problems.push(finding.help("give the folder that holds `active` and `tombstones`"));
        return Metadata::default();
    };
    let text = String::from_utf8_lossy(bytes);
    let document = match crate::yaml::parse_bytes(bytes) {
        Ok(document) => document,
        Err(error) => {
            let finding = Diagnostic::error("catalog.metadata", error.to_string());
            problems.push(at_line(finding, Some(error.span.line)));
            return Metadata::default();
        }
    };
    let entries = list(&document, "assets", problems);
    let assets: Vec<AssetEntry> =
        entries.iter().enumerate().filter_map(|(index, entry)| read_asset(index, entry, &text, problems)).collect();
    let mut names = BTreeSet::new();
    for asset in &assets {
        if !names.insert(&asset.name) {
            let message = format!("more than one asset is called `{}`", asset.name);
            problems.push(asset.place(Diagnostic::error("catalog.duplicate", message)));
        }
    }
    let features = list(&document, "features", problems);
    let features: Vec<Feature> = features
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| decode(entry, &format!("/features/{index}"), problems))
        .collect();
    let excluded: Vec<String> = optional(&document, "excluded_assets", problems).unwrap_or_default();
    for asset in &assets {
        let covered = excluded.contains(&asset.name)
            || features.iter().any(|feature| feature.names(&asset.name, asset.group.as_deref()));
        if !covered {
            let message = format!("asset `{}` belongs to no feature", asset.name);
            let finding = Diagnostic::error("catalog.no-feature", message);
            problems.push(asset.place(finding.help("add it to a feature or to `excluded_assets`")));
        }
    }
    check_references(&features, &excluded, &assets, &text, problems);
    let framework = optional(&document, "framework", problems).unwrap_or_default();
    Metadata { assets, features, framework }
}

fn read_asset(index: usize, entry: &Value, text: &str, problems: &mut Vec<Diagnostic>) -> Option<AssetEntry> {
    let raw: RawAsset = decode(entry, &format!("/assets/{index}"), problems)?;
    let Some(name) = raw.name.filter(|name| !name.is_empty()) else {
        let finding = Diagnostic::error("catalog.asset-name", format!("asset {index} has no name"));
        problems.push(at_pointer(finding, &format!("/assets/{index}")));
        return None;
    };
    let line = line_of_name(text, &name);
    let mut refuse = |code, message: String, help: &str| {
        let finding = at_line(Diagnostic::error(code, message).help(help), line);
        problems.push(finding.at(|source| source.asset = Some(name.clone())));
    };
    let path = raw.path.filter(|path| !path.is_empty());
    if path.is_none() {
        refuse("catalog.asset-path", format!("asset `{name}` has no path"), "name its file under `active/`");
    }
    let install = match raw.install.as_deref() {
        Some("always") => Install::Always,
        Some("opt-in") => Install::OptIn,
        other => {
            let found = other.unwrap_or("nothing");
            refuse("catalog.install", format!("asset `{name}`: `install` is {found}"), "write `always` or `opt-in`");
            Install::OptIn
        }
    };
    let mut conditions = Vec::new();
    for condition in raw.conditions.unwrap_or_default() {
        match serde_json::from_value(stringify_value(condition)) {
            Ok(condition) => conditions.push(condition),
            Err(error) => refuse("catalog.condition", format!("asset `{name}` has an unusable condition: {error}"), ""),
        }
    }
    let params = raw.template_params.unwrap_or_default().into_iter().map(|(key, value)| (key, text_of(value)));
    Some(AssetEntry {
        path: path?,
        group: raw.group.filter(|group| !group.is_empty()),
        gate_crd: raw.gate_crd.filter(|crd| !crd.is_empty()),
        phase: raw.phase,
        install,
        component: raw.component,
        reconcile_order: raw.reconcile_order,
        conditions,
        template_params: params.collect(),
        line,
        name,
    })
}

/// Names in features and exclusions that no asset or group has.
fn check_references(
    features: &[Feature],
    excluded: &[String],
    assets: &[AssetEntry],
    text: &str,
    problems: &mut Vec<Diagnostic>,
) {
    let mut warn = |message: String, name: &str| {
        problems.push(at_line(Diagnostic::warning("catalog.unknown-name", message), line_of_name(text, name)));
    };
    let is_asset = |name: &String| assets.iter().any(|asset| asset.name == *name);
    let is_group = |name: &String| assets.iter().any(|asset| asset.group.as_ref() == Some(name));
    for feature in features {
        for name in feature.assets.iter().filter(|name| !is_asset(name)) {
            warn(format!("feature `{}` names the asset `{name}`, which is not there", feature.name), &feature.name);
        }
        for name in feature.groups.iter().filter(|name| !is_group(name)) {
            warn(format!("feature `{}` names the group `{name}`, which is not there", feature.name), &feature.name);
        }
    }
    for name in excluded.iter().filter(|name| !is_asset(name)) {
        warn(format!("`excluded_assets` names `{name}`, which is not there"), name);
    }
}

/// The list under a key, empty where it is absent.
fn list(document: &Value, key: &str, problems: &mut Vec<Diagnostic>) -> Vec<Value> {
    optional(document, key, problems).unwrap_or_default()
}

fn optional<T: DeserializeOwned>(document: &Value, key: &str, problems: &mut Vec<Diagnostic>) -> Option<T> {
    let value = document.get(key).filter(|value| !value.is_null())?;
    decode(value, &format!("/{key}"), problems)
}

fn decode<T: DeserializeOwned>(value: &Value, pointer: &str, problems: &mut Vec<Diagnostic>) -> Option<T> {
    match T::deserialize(value) {
        Ok(decoded) => Some(decoded),
        Err(error) => {
            problems.push(at_pointer(Diagnostic::error("catalog.metadata", format!("{pointer}: {error}")), pointer));
            None
        }
    }
}

/// A condition whose scalars are texts, as Go's YAML reader makes them for fields of type string.
fn stringify_value(condition: Value) -> Value {
    match condition {
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| {
                let value = if value.is_null() { value } else { Value::String(text_of(value)) };
                (key, value)
            })
            .collect(),
        other => other,
    }
}

fn text_of(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The line, from 1, on which an entry of that name begins.
fn line_of_name(text: &str, name: &str) -> Option<usize> {
    let names = |line: &str| {
        let entry = line.trim_start().trim_start_matches("- ").trim_start_matches('{').trim_start();
        let value = entry.strip_prefix("name:").or_else(|| entry.strip_prefix("- "))?;
        let value = value.split([',', '}', '#']).next()?.trim().trim_matches(['"', '\'']);
        (value == name).then_some(())
    };
    text.lines().position(|line| names(line).is_some()).map(|index| index + 1)
}

fn at_line(finding: Diagnostic, line: Option<usize>) -> Diagnostic {
    finding.at(|source| {
        source.file = Some(METADATA.to_owned());
        source.span = line.map(|line| Span { line, column: 1, ..Span::default() });
    })
}

fn at_pointer(finding: Diagnostic, pointer: &str) -> Diagnostic {
    at_line(finding, None).at(|source| source.pointer = Some(pointer.to_owned()))
}
