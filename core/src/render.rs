//! Which assets the controller would render, why or why not, and what they come to.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::catalog::{Asset, Body, Catalog, GOLDEN_CONFIG};
use crate::conditions::{self, ConditionVerdict, Facts};
use crate::diagnostic::Diagnostic;
use crate::overrides;
use crate::overrides::exclusion::{self, Rule};
use crate::reconcile::journal::Journal;
use crate::scope::{self, AUTOPILOT, Activation};
use crate::template::{Context, Lookup, TemplateError};
use crate::{Behavior, Cluster, Object};

/// What to render.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RenderOptions {
    /// Only this asset; `None`: all.
    pub asset: Option<String>,
    /// Keep assets that are not rendered in the result, with the reason.
    pub show_excluded: bool,
    /// Leave out assets whose CRD is not installed, even of those that are shown with their reason.
    pub only_installed: bool,
    /// Render as if the HyperConverged activated every asset.
    pub ignore_activation: bool,
}

/// What the controller would render.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rendering {
    /// The catalog's name.
    pub catalog: String,
    /// The behaviour that was followed.
    pub behavior: Behavior,
    /// What the HyperConverged activates; `None` where there is no HyperConverged.
    pub activation: Option<Activation>,
    /// The assets, in the order in which they are reconciled.
    pub assets: Vec<AssetRendering>,
    /// What is wrong or surprising about the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// One asset of a rendering.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AssetRendering {
    /// The asset's name.
    pub asset: String,
    /// Path of its file.
    pub path: String,
    /// Its kind, for display.
    pub component: String,
    /// The controller's word for how it went.
    pub status: Status,
    /// The controller's words for why, or ours where it has none.
    pub reason: Option<String>,
    /// Why it is not rendered, in detail.
    pub skip: Option<Skip>,
    /// The verdicts on its conditions, empty where they were not reached.
    pub conditions: Vec<ConditionVerdict>,
    /// What it comes to. An asset that a rule leaves out is rendered, but not applied.
    pub object: Option<Arc<Object>>,
}

/// How rendering an asset went, in the controller's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Rendered.
    Included,
    /// Not rendered, or rendered to nothing.
    Excluded,
    /// Rendered, and left out by a rule of `disabled-resources`.
    Filtered,
    /// Rendering failed.
    Error,
}

impl Status {
    /// The controller's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Included => "INCLUDED",
            Self::Excluded => "EXCLUDED",
            Self::Filtered => "FILTERED",
            Self::Error => "ERROR",
        }
    }
}

/// Why an asset is not applied, from the first thing that the controller looks at to the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Skip {
    /// There is no HyperConverged in the autopilot's namespace.
    NoHyperConverged,
    /// The HyperConverged does not activate the autopilot.
    NotEnabled {
        /// The annotation's value; `None`: absent.
        annotation: Option<String>,
    },
    /// The activation list names neither the asset nor its group.
    NotListed,
    /// A CRD is not installed.
    CrdMissing {
        /// The CRD's name.
        crd: String,
        /// It is the gate of the asset, not the CRD of its own kind.
        gate: bool,
    },
    /// A condition does not hold.
    ConditionsNotMet {
        /// The verdicts on all its conditions.
        conditions: Vec<ConditionVerdict>,
    },
    /// The template comes to white space.
    RendersEmpty,
    /// The template or file is broken, or what it comes to is no object.
    RenderFailed {
        /// What is wrong.
        error: RenderError,
    },
    /// A rule of `disabled-resources` leaves it out.
    ExcludedByRule {
        /// The rule.
        rule: Rule,
    },
    /// Its reconcile order is 0, which only the golden config's place is: the controller passes it over.
    NeverReconciled,
}

/// Why rendering failed, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenderError {
    /// What is wrong.
    pub message: String,
    /// The file.
    pub path: String,
    /// Line in the file or, for output that is no object, in the output; from 1.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// The text of that line.
    pub source_line: Option<String>,
    /// What was being done.
    pub stage: RenderStage,
}

/// A stage of rendering at which it can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RenderStage {
    /// Reading a static file.
    Static,
    /// Parsing a template.
    Parse,
    /// Executing a template.
    Execute,
    /// Reading what a template wrote.
    Output,
}

impl Skip {
    /// Why, in a few words: the controller's own where it has any.
    pub fn reason(&self) -> String {
        match self {
            Self::NoHyperConverged => "No HyperConverged".to_owned(),
            Self::NotEnabled { annotation: None } => "Autopilot not enabled".to_owned(),
            Self::NotEnabled { annotation: Some(value) } => format!("Autopilot not enabled ({AUTOPILOT} is `{value}`)"),
            Self::NotListed => "Not in the activation list".to_owned(),
            Self::CrdMissing { crd, gate: false } => format!("CRD {crd} not installed"),
            Self::CrdMissing { crd, gate: true } => format!("Gate CRD {crd} not installed"),
            Self::ConditionsNotMet { .. } => "Conditions not met".to_owned(),
            Self::RendersEmpty => "Conditional template rendered empty".to_owned(),
            Self::RenderFailed { error } => error.message.clone(),
            Self::ExcludedByRule { .. } => "Root exclusion (disabled-resources annotation)".to_owned(),
            Self::NeverReconciled => "Reconcile order 0 is the golden config's alone".to_owned(),
        }
    }

    /// A stable word for it, as JSON has it in `kind`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NoHyperConverged => "noHyperConverged",
            Self::NotEnabled { .. } => "notEnabled",
            Self::NotListed => "notListed",
            Self::CrdMissing { .. } => "crdMissing",
            Self::ConditionsNotMet { .. } => "conditionsNotMet",
            Self::RendersEmpty => "rendersEmpty",
            Self::RenderFailed { .. } => "renderFailed",
            Self::ExcludedByRule { .. } => "excludedByRule",
            Self::NeverReconciled => "neverReconciled",
        }
    }

    /// The status that the controller's output would show.
    pub fn status(&self) -> Status {
        match self {
            Self::RenderFailed { .. } => Status::Error,
            Self::ExcludedByRule { .. } => Status::Filtered,
            _ => Status::Excluded,
        }
    }
}

/// Says for every asset whether the controller would render it, why or why not, and what it renders.
///
/// # Errors
///
/// Where the options name an asset that the catalog does not have.
///
/// # Examples
///
/// ```
/// use virt_autopilot::{Catalog, demo, render};
///
/// let catalog = Catalog::builtin("4.22").unwrap();
/// let rendering = render(&catalog, &demo::cluster(), &Default::default())?;
/// assert!(rendering.assets.iter().any(|asset| asset.asset == "swap-enable"));
/// # Ok::<(), virt_autopilot::render::UnknownAsset>(())
/// ```
pub fn render(catalog: &Catalog, cluster: &Cluster, options: &RenderOptions) -> Result<Rendering, UnknownAsset> {
    if let Some(name) = options.asset.as_ref().filter(|name| catalog.asset(name).is_none()) {
        return Err(UnknownAsset { asset: name.clone() });
    }
    let behavior = catalog.behavior();
    let mut diagnostics = cluster.diagnostics().to_vec();
    let hco = cluster.hco(behavior).map(Arc::as_ref);
    diagnostics.extend(check_input(cluster, hco, behavior));
    let mut pass = hco.map(|hco| Pass::new(catalog, cluster, hco));
    if let Some(pass) = &mut pass {
        diagnostics.append(&mut pass.diagnostics);
        if options.ignore_activation {
            pass.activation = Activation::All;
        }
    }
    let chosen = |asset: &&Asset| options.asset.as_ref().is_none_or(|name| *name == asset.name);
    let assets = catalog.assets().iter().filter(chosen).filter_map(|asset| {
        let attempt = match &pass {
            Some(pass) => pass.attempt(asset, &mut Journal::default()),
            None => Attempt::skipped(Skip::NoHyperConverged),
        };
        let uninstalled = matches!(attempt.skip, Some(Skip::CrdMissing { .. }));
        let shown = match &attempt.skip {
            None | Some(Skip::RenderFailed { .. }) => true,
            // Of a single asset one wants to know why.
            Some(_) => options.show_excluded || options.asset.is_some(),
        };
        (shown && !(uninstalled && options.only_installed)).then(|| present(asset, attempt))
    });
    let assets = assets.collect();
    let activation = pass.as_ref().map(|pass| pass.activation.clone());
    Ok(Rendering { catalog: catalog.name().to_owned(), behavior, activation, assets, diagnostics })
}

/// The options name an asset that the catalog does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the catalog has no asset `{asset}`")]
pub struct UnknownAsset {
    /// The name.
    pub asset: String,
}

fn present(asset: &Asset, attempt: Attempt) -> AssetRendering {
    AssetRendering {
        asset: asset.name.clone(),
        path: asset.path.clone(),
        component: asset.component.clone(),
        status: attempt.skip.as_ref().map_or(Status::Included, Skip::status),
        reason: attempt.skip.as_ref().map(Skip::reason),
        skip: attempt.skip,
        conditions: attempt.conditions,
        object: attempt.object,
    }
}

/// What is wrong or surprising about a snapshot as a whole.
pub(crate) fn check_input(cluster: &Cluster, hco: Option<&Object>, behavior: Behavior) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if !cluster.knows_crds() {
        let message = "the snapshot has no CustomResourceDefinition, so that every CRD is taken to be installed";
        let finding = Diagnostic::info("cluster.no-crds", message);
        findings.push(finding.help("add the output of `oc get crd -o yaml` for exact answers"));
    }
    let Some(hco) = hco else {
        let message = format!(
            "there is no HyperConverged `{}` in namespace `{}`, so that the controller does nothing",
            crate::cluster::HCO_NAME,
            cluster.namespace()
        );
        let finding = Diagnostic::warning("cluster.no-hco", message);
        findings.push(finding.help("add the output of `oc get hyperconverged -n openshift-cnv -o yaml`"));
        return findings;
    };
    findings.extend(overrides::diagnose(hco));
    let version = behavior.hco_version();
    if hco.reference().version() != version {
        let message = format!(
            "the HyperConverged is given as {}, but the controller of {behavior} reads {}/{version}, where fields have moved",
            hco.api_version(),
            crate::cluster::HCO_GROUP
        );
        let finding = Diagnostic::warning("cluster.hco-version", message)
            .help(format!("use the output of `oc get hyperconverged.{version}.{} -o yaml`", crate::cluster::HCO_GROUP));
        findings.push(finding.at(|source| source.object = Some(hco.reference())));
    }
    findings
}

/// One look at a cluster with one HyperConverged: what every asset of the pass shares.
pub(crate) struct Pass<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) cluster: &'a Cluster,
    pub(crate) facts: Facts<'a>,
    pub(crate) activation: Activation,
    pub(crate) rules: Vec<Rule>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// How far an asset came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attempt {
    pub(crate) skip: Option<Skip>,
    pub(crate) conditions: Vec<ConditionVerdict>,
    pub(crate) object: Option<Arc<Object>>,
}

impl Attempt {
    pub(crate) fn skipped(skip: Skip) -> Self {
        Self { skip: Some(skip), ..Self::default() }
    }
}

impl<'a> Pass<'a> {
    pub(crate) fn new(catalog: &'a Catalog, cluster: &'a Cluster, hco: &'a Object) -> Self {
        let behavior = catalog.behavior();
        let activation = Activation::parse(hco.annotation(AUTOPILOT), behavior);
        let mut diagnostics = scope::check(&activation, catalog);
        let (rules, findings) = match hco.annotation(overrides::DISABLED_RESOURCES) {
            Some(text) if !text.is_empty() => exclusion::read(text, &hco.reference()),
            _ => Default::default(),
        };
        diagnostics.extend(findings);
        for finding in &mut diagnostics {
            finding.source.get_or_insert_default().object.get_or_insert_with(|| hco.reference());
        }
        Self { catalog, cluster, facts: Facts::of(cluster, hco, behavior), activation, rules, diagnostics }
    }

    /// Takes an asset as far as it comes: scope, CRDs, conditions, rendering, rules.
    pub(crate) fn attempt(&self, asset: &Asset, journal: &mut Journal) -> Attempt {
        let screening = self.screen(asset, journal);
        self.realize(asset, screening, journal)
    }

    /// The part that needs no rendering. The controller goes through it with all assets before it renders the first.
    pub(crate) fn screen(&self, asset: &Asset, journal: &mut Journal) -> Attempt {
        let conditions = conditions::judge(asset, &self.facts);
        let skip = self.keep_out(asset, &conditions, journal);
        Attempt { skip, conditions, object: None }
    }

    /// Renders an asset that was let through.
    pub(crate) fn realize(&self, asset: &Asset, screening: Attempt, journal: &mut Journal) -> Attempt {
        if screening.skip.is_some() {
            return screening;
        }
        let (skip, object) = match self.render(asset) {
            Ok(None) => (Some(Skip::RendersEmpty), None),
            Ok(Some(object)) => (self.exclude(&object, journal), Some(object)),
            Err(error) => (Some(Skip::RenderFailed { error }), None),
        };
        Attempt { skip, object, ..screening }
    }

    /// Why an asset is not rendered. Of the golden config, only its name in the list is looked at.
    fn keep_out(&self, asset: &Asset, conditions: &[ConditionVerdict], journal: &mut Journal) -> Option<Skip> {
        if self.activation == Activation::Idle {
            let annotation = self.facts.hco.annotation(AUTOPILOT).map(str::to_owned);
            return Some(Skip::NotEnabled { annotation });
        }
        if asset.name == GOLDEN_CONFIG {
            return (!self.activation.includes(&asset.name, None)).then_some(Skip::NotListed);
        }
        if asset.reconcile_order == 0 {
            return Some(Skip::NeverReconciled);
        }
        if !self.activation.includes_asset(asset) {
            return Some(Skip::NotListed);
        }
        let behavior = self.catalog.behavior();
        let own = asset.required_crd(behavior).map(|crd| (crd, false));
        let gate = asset.gate_crd.clone().map(|crd| (crd, true));
        for (crd, gate) in own.into_iter().chain(gate) {
            let installed = self.cluster.has_crd(&crd);
            journal.crd(&asset.name, &crd, installed, behavior);
            if !installed {
                return Some(Skip::CrdMissing { crd, gate });
            }
        }
        let holds = conditions::holds(asset, conditions);
        (!holds).then(|| Skip::ConditionsNotMet { conditions: conditions.to_vec() })
    }

    fn exclude(&self, object: &Object, journal: &mut Journal) -> Option<Skip> {
        let rule = exclusion::find(&self.rules, object.kind(), object.namespace(), object.name())?;
        journal.excluded_by_rule(&object.reference());
        Some(Skip::ExcludedByRule { rule: rule.clone() })
    }

    /// What the asset's file comes to; `None`: white space.
    pub(crate) fn render(&self, asset: &Asset) -> Result<Option<Arc<Object>>, RenderError> {
        let template = match &asset.body {
            Body::Static(Ok(object)) => return Ok(Some(Arc::clone(object))),
            Body::Static(Err(error)) => {
                return Err(RenderError::of_text(asset, error.to_string(), RenderStage::Static));
            }
            Body::Template(Ok(template)) => template,
            Body::Template(Err(error)) => return Err(RenderError::of_template(asset, error, RenderStage::Parse)),
        };
        let context = Context {
            hco: self.facts.hco,
            hardware: self.facts.hardware,
            topology: &self.facts.topology,
            images: self.facts.images,
            params: &asset.template_params,
            lookup: self,
        };
        let text =
            template.render(&context).map_err(|error| RenderError::of_template(asset, &error, RenderStage::Execute))?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        if let Some(object) = asset.rendered.get(&text) {
            return Ok(Some(object));
        }
        let value = crate::yaml::parse(&text).map_err(|error| RenderError {
            line: Some(error.span.line),
            column: Some(error.span.column),
            source_line: text.lines().nth(error.span.line.saturating_sub(1)).map(str::to_owned),
            ..RenderError::of_text(asset, format!("what the template writes is no YAML: {error}"), RenderStage::Output)
        })?;
        let object = Object::from_value(value)
            .map_err(|error| RenderError::of_text(asset, error.to_string(), RenderStage::Output))?;
        let object = Arc::new(object);
        asset.rendered.put(text, Arc::clone(&object));
        Ok(Some(object))
    }
}

impl RenderError {
    fn of_text(asset: &Asset, message: String, stage: RenderStage) -> Self {
        Self { message, path: asset.path.clone(), line: None, column: None, source_line: None, stage }
    }

    fn of_template(asset: &Asset, error: &TemplateError, stage: RenderStage) -> Self {
        Self {
            line: Some(error.line),
            column: Some(error.column),
            source_line: Some(error.source_line.clone()),
            ..Self::of_text(asset, error.to_string(), stage)
        }
    }

    /// The error as the controller has it, but for the cause's own words.
    pub(crate) fn in_controllers_words(&self, asset: &str) -> String {
        let Self { path, message, .. } = self;
        let cause = match self.stage {
            RenderStage::Static => format!("failed to parse asset {path} as YAML: {message}"),
            RenderStage::Parse => format!("failed to render template {path}: failed to parse template: {message}"),
            RenderStage::Execute => format!("failed to render template {path}: failed to execute template: {message}"),
            RenderStage::Output => format!("failed to parse rendered template {path}: failed to parse YAML: {message}"),
        };
        format!("failed to render asset {asset}: {cause}")
    }
}

impl Lookup for Pass<'_> {
    fn crd(&self, name: &str) -> Option<&Object> {
        Lookup::crd(self.cluster, name)
    }

    fn object(&self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Option<&Object> {
        self.cluster.object(api_version, kind, namespace, name)
    }

    fn list(&self, group: &str, kind: &str) -> Vec<&Object> {
        Lookup::list(self.cluster, group, kind)
    }

    fn asset(&self, path: &str) -> Option<&[u8]> {
        self.catalog.file(&format!("active/{path}"))
    }
}
