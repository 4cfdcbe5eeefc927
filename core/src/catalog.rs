//! The catalog: what the autopilot applies, under which conditions.

mod builtin;
mod bundle;
mod features;
mod metadata;
mod required_crd;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use features::{FeatureStatus, Features, Framework, Maturity};

use crate::diagnostic::{Diagnostic, Severity};
use crate::memo::Memo;
use crate::object::ObjectRef;
use crate::plan::{Planned, Situation};
use crate::template::{Template, TemplateError};
use crate::yaml::YamlError;
use crate::{Behavior, Object};

/// The name of the asset that is reconciled first, and that changes what the others see.
pub const GOLDEN_CONFIG: &str = "hco-golden-config";
/// How a pass ends that looks for the golden config in a catalog without it, in the controller's words.
pub(crate) const NO_GOLDEN_CONFIG: &str = "failed to get HCO asset: asset hco-golden-config not found";
/// Path of the file that says what the catalog has.
pub const METADATA: &str = "active/metadata.yaml";

/// A release's catalog: assets, features and tombstones, with the files they are made of.
///
/// Templates and static files are parsed once, when the catalog is loaded. A clone is cheap.
///
/// # Examples
///
/// ```
/// use virt_autopilot::Catalog;
///
/// let catalog = Catalog::builtin("4.22").unwrap();
/// assert!(catalog.asset("swap-enable").is_some());
/// assert_eq!(catalog.behavior().as_str(), "4.22");
/// ```
#[derive(Clone, Debug)]
pub struct Catalog(Arc<Content>);

#[derive(Debug)]
struct Content {
    name: String,
    behavior: Behavior,
    files: Files,
    metadata: metadata::Metadata,
    assets: Vec<Asset>,
    tombstones: Vec<Tombstone>,
    diagnostics: Vec<Diagnostic>,
}

/// The files of a catalog, by their path in its folder.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Something that the autopilot applies: one object, from one file.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Its name, unique in the catalog.
    pub name: String,
    /// A name that it shares with others, and by which the activation list can name it too.
    pub group: Option<String>,
    /// A CRD that has to be installed besides the one of its own kind.
    pub gate_crd: Option<String>,
    /// Path of its file.
    pub path: String,
    /// Number for display.
    pub phase: i64,
    /// Whether it is applied unless its conditions fail, or only where they are all met.
    pub install: Install,
    /// A kind, for display.
    pub component: String,
    /// Its place in the order: the lesser, the earlier.
    pub reconcile_order: i64,
    /// What has to hold.
    pub conditions: Vec<Condition>,
    /// `.Params` of its template.
    pub template_params: BTreeMap<String, String>,
    /// Its parsed file.
    pub body: Body,
    type_name: Option<required_crd::TypeName>,
    /// What its template came to last.
    pub(crate) rendered: Memo<String, Arc<Object>>,
    /// How it went last.
    pub(crate) planned: Memo<Situation, Arc<Planned>>,
}

/// When an asset is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Install {
    /// Unless a condition fails.
    Always,
    /// Only where it has conditions, and they hold.
    OptIn,
}

/// Something that has to hold for an asset to be applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Condition {
    /// The HyperConverged has an annotation.
    Annotation {
        /// Its key.
        key: String,
        /// Its value; `None`: any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
    /// The HyperConverged has a feature gate on.
    FeatureGate {
        /// The gate's name.
        value: String,
    },
    /// Some node has the hardware.
    HardwareDetection {
        /// The detector's name, such as `gpuPresent`.
        detector: String,
    },
    /// The controller was given an image.
    Image {
        /// The image's name.
        key: String,
    },
    /// A field of the HyperConverged is absent, null or an empty map.
    HcoFieldUnconfigured {
        /// The field's path, with dots.
        path: String,
    },
    /// The cluster has a shape.
    Topology {
        /// The field's name, such as `isHCP`.
        field: String,
        /// `false` inverts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
}

/// The parsed file of an asset. A file that cannot be parsed fails its asset, not the catalog.
#[derive(Clone, Debug)]
pub enum Body {
    /// A Go template.
    Template(Result<Template, Box<TemplateError>>),
    /// A static object.
    Static(Result<Arc<Object>, StaticError>),
}

/// Why a static file is no object.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StaticError {
    /// It is no YAML.
    #[error("{0}")]
    Yaml(#[from] YamlError),
    /// It is YAML, but no Kubernetes object.
    #[error("{0}")]
    Object(#[from] crate::object::ObjectError),
}

/// An object that an earlier release applied, and that is to be deleted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tombstone {
    /// The file that lists it.
    pub path: String,
    /// The object.
    pub object: ObjectRef,
}

/// Why a catalog cannot be used: everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the catalog has {} problem{}: {}", problems.len(), if problems.len() == 1 { "" } else { "s" },
    problems.first().map(|first| first.message.as_str()).unwrap_or_default())]
pub struct CatalogError {
    /// The problems, in the order of the files.
    pub problems: Vec<Diagnostic>,
}

impl Catalog {
    /// Loads a catalog from the files of a release's folder.
    ///
    /// # Errors
    ///
    /// Where something in it is wrong: all problems at once, each with its file.
    pub fn from_files(name: &str, behavior: Behavior, files: Files) -> Result<Self, CatalogError> {
        let mut problems = Vec::new();
        let metadata = metadata::parse(&files, &mut problems);
        let assets: Vec<Asset> =
            metadata.assets.iter().filter_map(|entry| load_asset(entry, &files, behavior, &mut problems)).collect();
        let tombstones = load_tombstones(&files, &mut problems);
        let (errors, diagnostics): (Vec<_>, Vec<_>) =
            problems.into_iter().partition(|problem| problem.severity == Severity::Error);
        if !errors.is_empty() {
            return Err(CatalogError { problems: errors.into_iter().chain(diagnostics).collect() });
        }
        let mut assets = assets;
        assets.sort_by_key(|asset| asset.reconcile_order);
        let mut diagnostics = diagnostics;
        if !assets.iter().any(|asset| asset.name == GOLDEN_CONFIG) {
            let message = format!("the catalog has no asset `{GOLDEN_CONFIG}`: a pass that looks for it ends there");
            let help = "add it, or have the HyperConverged activate assets by a list of names";
            diagnostics.push(in_file(Diagnostic::warning("catalog.no-golden-config", message).help(help), METADATA));
        }
        let name = name.to_owned();
        Ok(Self(Arc::new(Content { name, behavior, files, metadata, assets, tombstones, diagnostics })))
    }

    /// Loads a catalog from a one-file bundle.
    ///
    /// # Errors
    ///
    /// Where the bundle is malformed, was changed after it was made, or the catalog in it is wrong.
    pub fn from_bundle(bytes: &[u8]) -> Result<Self, CatalogError> {
        bundle::read(bytes)
    }

    /// The catalog as a one-file bundle: JSON text.
    pub fn to_bundle(&self) -> String {
        bundle::write(self)
    }

    /// The built-in catalog of a release.
    pub fn builtin(name: &str) -> Option<Self> {
        builtin::load(name)
    }

    /// The names of the built-in catalogs, the newest last.
    pub fn builtin_names() -> &'static [&'static str] {
        builtin::NAMES
    }

    /// The release's name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// How the release's controller behaves.
    pub fn behavior(&self) -> Behavior {
        self.0.behavior
    }

    /// The same catalog under another behaviour.
    ///
    /// # Errors
    ///
    /// As [`Catalog::from_files`]: templates are parsed anew, for releases differ in their functions.
    pub fn with_behavior(&self, behavior: Behavior) -> Result<Self, CatalogError> {
        if behavior == self.behavior() {
            return Ok(self.clone());
        }
        Self::from_files(self.name(), behavior, self.0.files.clone())
    }

    /// The assets, in the order in which they are reconciled.
    pub fn assets(&self) -> &[Asset] {
        &self.0.assets
    }

    /// The asset of that name.
    pub fn asset(&self, name: &str) -> Option<&Asset> {
        self.assets().iter().find(|asset| asset.name == name)
    }

    /// The objects that are to be deleted.
    pub fn tombstones(&self) -> &[Tombstone] {
        &self.0.tombstones
    }

    /// The features, as the controller lists them.
    pub fn features(&self) -> Features {
        features::derive(&self.0.metadata, self.assets())
    }

    /// The names of the features that an asset belongs to.
    pub fn features_of(&self, asset: &Asset) -> Vec<&str> {
        let features = self.0.metadata.features.iter().filter(|feature| feature.covers(asset));
        features.map(|feature| feature.name.as_str()).collect()
    }

    /// The operators that the features of an asset need, each with the feature's name.
    pub fn operators_of(&self, asset: &Asset) -> Vec<(&str, &str)> {
        let features = self.0.metadata.features.iter().filter(|feature| feature.covers(asset));
        let needs = features
            .flat_map(|feature| feature.requires.iter().map(|operator| (feature.name.as_str(), operator.as_str())));
        needs.collect()
    }

    /// A file, by its path.
    pub fn file(&self, path: &str) -> Option<&[u8]> {
        self.0.files.get(path).map(Vec::as_slice)
    }

    /// The files, by their paths.
    pub fn files(&self) -> &Files {
        &self.0.files
    }

    /// What is suspicious but no obstacle, such as a template that does not parse: its asset fails when it is rendered.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }
}

impl Asset {
    /// The CRD that has to be installed for the asset's own kind; `None` where the kind is built in.
    pub fn required_crd(&self, behavior: Behavior) -> Option<String> {
        self.type_name.as_ref()?.required_crd(behavior)
    }

    /// The apiVersion and kind that the file names, as far as they are known before it is rendered.
    pub fn type_name(&self) -> Option<(&str, &str)> {
        self.type_name.as_ref().map(|name| (name.api_version.as_str(), name.kind.as_str()))
    }
}

fn load_asset(
    entry: &metadata::AssetEntry,
    files: &Files,
    behavior: Behavior,
    problems: &mut Vec<Diagnostic>,
) -> Option<Asset> {
    let Some(bytes) = files.get(&entry.path) else {
        let message = format!("asset `{}` names the file `{}`, which is not there", entry.name, entry.path);
        problems.push(entry.place(Diagnostic::error("catalog.missing-file", message)));
        return None;
    };
    let is_template = entry.path.ends_with(".tpl") || entry.path.ends_with(".tmpl");
    let text = String::from_utf8_lossy(bytes);
    let (body, type_name) = if is_template {
        let template = Template::parse(&entry.name, &text, behavior);
        if let Err(error) = &template {
            problems.push(in_file(Diagnostic::warning("catalog.template", error.to_string()), &entry.path));
        }
        (Body::Template(template), required_crd::of_template(&text))
    } else {
        let object = crate::yaml::parse_bytes(bytes).map_err(StaticError::from);
        let object = object.and_then(|value| Ok(Arc::new(Object::from_value(value)?)));
        let type_name = object.as_ref().ok().map(|object| required_crd::TypeName::of(object));
        if let Err(error) = &object {
            problems.push(in_file(Diagnostic::warning("catalog.static", error.to_string()), &entry.path));
        }
        (Body::Static(object), type_name)
    };
    Some(Asset {
        name: entry.name.clone(),
        group: entry.group.clone(),
        gate_crd: entry.gate_crd.clone(),
        path: entry.path.clone(),
        phase: entry.phase,
        install: entry.install,
        component: entry.component.clone(),
        reconcile_order: entry.reconcile_order,
        conditions: entry.conditions.clone(),
        template_params: entry.template_params.clone(),
        body,
        type_name,
        rendered: Memo::default(),
        planned: Memo::default(),
    })
}

fn load_tombstones(files: &Files, problems: &mut Vec<Diagnostic>) -> Vec<Tombstone> {
    let is_tombstone = |path: &str| path.starts_with("tombstones/") && path.ends_with(".yaml");
    let mut tombstones = Vec::new();
    for (path, bytes) in files.iter().filter(|(path, _)| is_tombstone(path)) {
        let mut refuse = |message: String| {
            problems.push(in_file(Diagnostic::error("catalog.tombstone", message), path));
        };
        let documents = match crate::yaml::parse_stream(&String::from_utf8_lossy(bytes)) {
            Ok(documents) => documents,
            Err(error) => {
                refuse(format!("the tombstone cannot be read: {error}"));
                continue;
            }
        };
        for document in documents {
            match Object::from_value(document.value) {
                Ok(object) if object.is_managed() => {
                    tombstones.push(Tombstone { path: path.clone(), object: object.reference() });
                }
                Ok(object) => refuse(format!(
                    "the tombstone of {} lacks the label `{}: {}`",
                    object.reference(),
                    crate::object::MANAGED_BY,
                    crate::object::FIELD_MANAGER
                )),
                Err(error) => refuse(format!("the tombstone cannot be read: {error}")),
            }
        }
    }
    tombstones
}

fn in_file(finding: Diagnostic, path: &str) -> Diagnostic {
    finding.at(|source| source.file = Some(path.to_owned()))
}

impl PartialEq for Catalog {
    fn eq(&self, other: &Self) -> bool {
        let same_text = |a: &Content, b: &Content| (&a.name, a.behavior, &a.files) == (&b.name, b.behavior, &b.files);
        Arc::ptr_eq(&self.0, &other.0) || same_text(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
assets:
  - {name: a, path: active/a.yaml, install: always, component: ConfigMap, reconcile_order: 1}
features:
  - {name: F, assets: [a]}
";

    fn load(files: &[(&str, &str)]) -> Result<Catalog, Vec<(String, String)>> {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        Catalog::from_files("test", Behavior::V4_23, files).map_err(|error| {
            error.problems.into_iter().map(|problem| (problem.code.into_owned(), problem.message)).collect()
        })
    }

    const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";

    #[test]
    fn a_good_catalog() {
        let catalog = load(&[(METADATA, GOOD), ("active/a.yaml", CONFIG_MAP)]).unwrap();
        let asset = catalog.asset("a").unwrap();
        assert_eq!(asset.required_crd(Behavior::V4_23), None);
        assert_eq!(catalog.features_of(asset), ["F"]);
    }

    #[test]
    fn all_problems_at_once() {
        let metadata = "\
assets:
  - {name: a, path: active/a.yaml, install: sometimes, component: X}
  - {name: a, path: active/gone.yaml, install: always, conditions: [{type: moon}]}
  - {path: active/a.yaml, install: always}
features: []
";
        let tombstone = "apiVersion: v1\nkind: X\nmetadata: {name: old}\n";
        let problems = load(&[(METADATA, metadata), ("active/a.yaml", CONFIG_MAP), ("tombstones/x/t.yaml", tombstone)])
            .unwrap_err();
        let codes: Vec<&str> = problems.iter().map(|(code, _)| code.as_str()).collect();
        for code in [
            "catalog.install",
            "catalog.duplicate",
            "catalog.condition",
            "catalog.asset-name",
            "catalog.missing-file",
            "catalog.no-feature",
            "catalog.tombstone",
        ] {
            assert!(codes.contains(&code), "{code} is not among {problems:?}");
        }
    }

    #[test]
    fn what_is_no_obstacle() {
        let catalog = load(&[(METADATA, GOOD), ("active/a.yaml", "a: [")]).unwrap();
        let codes: Vec<&str> = catalog.diagnostics().iter().map(|finding| &*finding.code).collect();
        assert_eq!(codes, ["catalog.static", "catalog.no-golden-config"]);
    }

    #[test]
    fn no_metadata() {
        let problems = load(&[]).unwrap_err();
        assert_eq!(problems[0].0, "catalog.no-metadata");
    }
}
