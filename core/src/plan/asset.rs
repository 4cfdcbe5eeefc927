//! The plan of one asset: how it goes, and what it does to which fields.

use std::sync::Arc;

use serde::Serialize;

use super::baseline::{Preparation, Prepared, differs, prepare};
use super::{PlanOptions, Schemas};
use crate::catalog::{Asset, Catalog};
use crate::conditions::ConditionVerdict;
use crate::diagnostic::{Diagnostic, Source};
use crate::diff::{self, Change, DiffOptions};
use crate::object::{FIELD_MANAGER, ObjectRef};
use crate::overrides::patch::PatchOptions;
use crate::reconcile::journal::Journal;
use crate::reconcile::metrics::Customization;
use crate::render::{Attempt, Pass, Skip};
use crate::ssa::{self, Operation, OwnershipChange, Schema};
use crate::{Object, payload};

/// What one pass does with an asset.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AssetPlan {
    /// The asset's name.
    pub asset: String,
    /// The name that it shares with others.
    pub group: Option<String>,
    /// Path of its file.
    pub path: String,
    /// Its kind, for display.
    pub component: String,
    /// The features that it belongs to.
    pub features: Vec<String>,
    /// The object that it comes to; `None` where it was not rendered.
    pub object: Option<ObjectRef>,
    /// How it goes.
    pub outcome: Outcome,
    /// The verdicts on its conditions.
    pub conditions: Vec<ConditionVerdict>,
    /// What the file comes to.
    pub baseline: Option<Arc<Object>>,
    /// With the patch on it, where one applies.
    pub patched: Option<Arc<Object>>,
    /// What is applied: with live's values in ignored fields, and the label.
    pub desired: Option<Arc<Object>>,
    /// What is there.
    pub live: Option<Arc<Object>>,
    /// What will be there, with its managed fields.
    pub predicted: Option<Arc<Object>>,
    /// What was done, from the file to the prediction, with what each step changed.
    pub steps: Vec<Step>,
    /// What changes on the cluster: from live to the prediction.
    pub changes: Vec<Change>,
    /// Who gains and who loses which field.
    pub ownership: Vec<OwnershipChange>,
    /// How people have the object differ.
    pub customizations: Vec<Customization>,
    /// What is wrong or surprising.
    pub diagnostics: Vec<Diagnostic>,
}

/// How an asset goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Outcome {
    /// An earlier asset's failure ends the pass before this one.
    NotReached {
        /// The earlier asset.
        by: String,
    },
    /// Live is paused.
    Paused,
    /// Live is unmanaged.
    Unmanaged,
    /// A pointer of ignore-fields stops the asset.
    MaskFailed {
        /// Why.
        message: String,
    },
    /// The patch brings down the controller's patch library, which ends the asset.
    PatchCrashed {
        /// Why.
        message: String,
    },
    /// The API server refuses the apply.
    ApplyRefused {
        /// Why, as the server says it.
        message: String,
    },
    /// The target namespace does not exist.
    NamespaceMissing {
        /// Its name.
        namespace: String,
    },
    /// Live is as it should be.
    InSync,
    /// The object is created.
    Create,
    /// Live is changed.
    Update,
    /// It is not applied.
    #[serde(untagged)]
    Skipped(Skip),
}

impl Outcome {
    /// Whether the object is written.
    pub fn writes(&self) -> bool {
        matches!(self, Self::Create | Self::Update)
    }

    /// Whether the asset gets as far as being rendered, so that it counts among the assets of the pass.
    pub fn is_attempted(&self) -> bool {
        match self {
            Self::NotReached { .. } => false,
            Self::Skipped(skip) => {
                matches!(skip, Skip::RendersEmpty | Skip::RenderFailed { .. } | Skip::ExcludedByRule { .. })
            }
            _ => true,
        }
    }

    /// Whether the object is managed by this pass, written or not.
    pub fn is_in_play(&self) -> bool {
        !matches!(self, Self::Skipped(_) | Self::NotReached { .. })
    }

    /// A stable word for the outcome, as JSON has it in `kind`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NotReached { .. } => "notReached",
            Self::Paused => "paused",
            Self::Unmanaged => "unmanaged",
            Self::MaskFailed { .. } => "maskFailed",
            Self::PatchCrashed { .. } => "patchCrashed",
            Self::ApplyRefused { .. } => "applyRefused",
            Self::NamespaceMissing { .. } => "namespaceMissing",
            Self::InSync => "inSync",
            Self::Create => "create",
            Self::Update => "update",
            Self::Skipped(skip) => skip.word(),
        }
    }
}

/// One step from the file to the prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Which step.
    pub stage: Stage,
    /// What it is, in a sentence.
    pub note: String,
    /// What it changed.
    pub changes: Vec<Change>,
}

/// A step from the file to the prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// The file is rendered.
    Baseline,
    /// The patch on live is put on it.
    Patch,
    /// Ignored fields take live's values.
    Mask,
    /// The managed-by label is set.
    Label,
    /// Payloads that decode to live's content take live's bytes.
    Payload,
    /// The API server merges it with what others own.
    Apply,
}

impl AssetPlan {
    pub(super) fn without_object(asset: &Asset, catalog: &Catalog, outcome: Outcome) -> Self {
        Self {
            asset: asset.name.clone(),
            group: asset.group.clone(),
            path: asset.path.clone(),
            component: asset.component.clone(),
            features: catalog.features_of(asset).into_iter().map(str::to_owned).collect(),
            object: None,
            outcome,
            conditions: Vec::new(),
            baseline: None,
            patched: None,
            desired: None,
            live: None,
            predicted: None,
            steps: Vec::new(),
            changes: Vec::new(),
            ownership: Vec::new(),
            customizations: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    pub(super) fn skipped(asset: &Asset, catalog: &Catalog, skip: Skip) -> Self {
        Self::without_object(asset, catalog, Outcome::Skipped(skip))
    }

    /// Why the asset fails, in the controller's words up to the cause.
    pub(crate) fn error(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Skipped(Skip::RenderFailed { error }) => Some(error.in_controllers_words(&self.asset)),
            Outcome::MaskFailed { message } => Some(format!("failed to mask ignored fields: {message}")),
            Outcome::PatchCrashed { message } => Some(message.clone()),
            Outcome::ApplyRefused { message } if self.live.is_some() => {
                Some(format!("drift detection failed: failed to perform dry-run apply: {message}"))
            }
            Outcome::ApplyRefused { message } => {
                Some(format!("failed to apply asset {}: failed to apply object: {message}", self.asset))
            }
            _ => None,
        }
    }
}

/// Plans one asset, and records what the controller would tell about it.
pub(super) fn plan_asset(
    pass: &Pass<'_>,
    asset: &Asset,
    screening: Attempt,
    schemas: &Schemas,
    options: &PlanOptions,
    journal: &mut Journal,
) -> AssetPlan {
    let attempt = pass.realize(asset, screening, journal);
    let mut plan = AssetPlan::without_object(asset, pass.catalog, Outcome::InSync);
    plan.conditions = attempt.conditions;
    plan.object = attempt.object.as_ref().map(|object| object.reference());
    plan.baseline = attempt.object;
    let (Some(baseline), Some(reference)) = (plan.baseline.clone(), plan.object.clone()) else {
        let skip = attempt.skip.unwrap_or(Skip::RendersEmpty);
        plan.outcome = Outcome::Skipped(skip);
        return plan;
    };
    let schema = plan.find_live(&reference, pass, schemas);
    if let Some(skip) = attempt.skip {
        plan.outcome = Outcome::Skipped(skip);
        return plan;
    }
    let patch_options = PatchOptions { allow_refused_kinds: options.allow_refused_kinds };
    let live = plan.live.clone();
    let preparation = prepare(&baseline, live.as_deref(), patch_options, journal);
    plan.decide(preparation, pass, &schema, journal);
    plan.explain(&schema, options);
    for finding in &mut plan.diagnostics {
        finding.source.get_or_insert_with(Box::<Source>::default).asset.get_or_insert_with(|| asset.name.clone());
    }
    plan
}

impl AssetPlan {
    /// Finds the live object and the schema to apply by. Live in another version than the one that is applied is taken as
    /// it is, by no schema: the API server would convert it, but fields that moved are not known here.
    fn find_live(&mut self, reference: &ObjectRef, pass: &Pass<'_>, schemas: &Schemas) -> Schema {
        self.live = pass.cluster.get(reference).cloned();
        let Some(live) = self.live.as_mut().filter(|live| live.api_version() != reference.api_version) else {
            return schemas.of_object(reference);
        };
        let message = format!(
            "{reference} is in the snapshot as {}, but applied as {}; fields that moved between them are not converted",
            live.api_version(),
            reference.api_version
        );
        let finding = Diagnostic::warning("plan.live-version", message);
        let finding = finding.help(format!("add it to the snapshot as {}", reference.api_version));
        self.diagnostics.push(finding.at(|source| source.object = Some(reference.clone())));
        let version = serde_json::Value::from(reference.api_version.as_str());
        Arc::make_mut(live).fields_mut().insert("apiVersion".to_owned(), version);
        Schema::untyped()
    }

    /// From the overrides to the outcome.
    fn decide(&mut self, preparation: Preparation, pass: &Pass<'_>, schema: &Schema, journal: &mut Journal) {
        let Some(reference) = self.object.clone() else { return };
        self.patched = preparation.patched;
        self.customizations = preparation.customizations;
        self.diagnostics.extend(preparation.diagnostics);
        let mut desired = match preparation.prepared {
            Prepared::Paused => {
                self.outcome = Outcome::Paused;
                return;
            }
            Prepared::Unmanaged => {
                self.outcome = Outcome::Unmanaged;
                return;
            }
            Prepared::MaskFailed(message) => {
                self.outcome = Outcome::MaskFailed { message };
                return;
            }
            Prepared::PatchCrashed(message) => {
                self.outcome = Outcome::PatchCrashed { message };
                return;
            }
            Prepared::Desired(desired) => desired,
        };
        self.record_steps(preparation.masked, &desired);
        if let Some(live) = &self.live {
            let mut kept = Object::clone(&desired);
            if !payload::keep_equal_payloads(&mut kept, live).is_empty() {
                let note = "payloads that decode to the same content keep live's bytes";
                self.step(Stage::Payload, note, &desired, &kept);
                desired = Arc::new(kept);
            }
        }
        let request = ssa::Request { manager: FIELD_MANAGER, force: true, schema, time: None };
        let applied = ssa::apply(self.live.as_deref(), &desired, &request);
        self.desired = Some(desired);
        self.outcome = match applied {
            Err(error) => {
                let message = error.to_string();
                match &self.live {
                    Some(_) => journal.dry_run_failed(&reference),
                    None => {
                        journal.apply_failed(&self.asset, &reference, &format!("failed to apply object: {message}"))
                    }
                }
                Outcome::ApplyRefused { message }
            }
            Ok(applied) => {
                let unchanged = self.live.clone().filter(|_| !applied.changed);
                self.predicted = Some(unchanged.unwrap_or_else(|| Arc::new(applied.object.into_owned())));
                self.compare(&reference, pass, journal)
            }
        };
    }

    /// From the dry run to the outcome.
    fn compare(&mut self, reference: &ObjectRef, pass: &Pass<'_>, journal: &mut Journal) -> Outcome {
        let existed = self.live.is_some();
        if let (Some(live), Some(predicted)) = (&self.live, &self.predicted) {
            if !differs(live, predicted) {
                journal.in_sync(reference);
                return Outcome::InSync;
            }
            journal.drift(reference);
        }
        if !pass.cluster.has_namespace(&reference.namespace) {
            return Outcome::NamespaceMissing { namespace: reference.namespace.clone() };
        }
        journal.applied(&self.asset, reference, existed);
        if existed { Outcome::Update } else { Outcome::Create }
    }

    fn record_steps(&mut self, masked: Option<Arc<Object>>, desired: &Arc<Object>) {
        let Some(mut last) = self.baseline.clone() else { return };
        let note = format!("{} is rendered", self.path);
        self.steps.push(Step { stage: Stage::Baseline, note, changes: Vec::new() });
        let stages = [
            (Stage::Patch, "the patch annotation on live is put on the baseline", self.patched.clone()),
            (Stage::Mask, "ignored fields take live's values", masked),
            (Stage::Label, "the managed-by label is set", Some(Arc::clone(desired))),
        ];
        for (stage, note, next) in stages {
            if let Some(next) = next {
                self.step(stage, note, &last, &next);
                last = next;
            }
        }
    }

    fn step(&mut self, stage: Stage, note: &str, before: &Object, after: &Object) {
        let changes = diff::changes(Some(before.as_value()), Some(after.as_value()), DiffOptions::default());
        self.steps.push(Step { stage, note: note.to_owned(), changes });
    }

    /// Says what changes on the cluster, and who gains and loses what.
    fn explain(&mut self, schema: &Schema, options: &PlanOptions) {
        let (Some(desired), Some(predicted)) = (self.desired.clone(), self.predicted.clone()) else { return };
        self.step(Stage::Apply, "the API server merges it with what others own", &desired, &predicted);
        let noise = DiffOptions { noise: options.noise, ..DiffOptions::default() };
        let live = self.live.as_deref().map(Object::as_value);
        if self.outcome.writes() {
            self.changes = diff::changes(live, Some(predicted.as_value()), noise);
        }
        let live = self.live.as_deref();
        match ssa::ownership(live, &predicted, schema, FIELD_MANAGER, Operation::Apply) {
            Ok(changes) => self.ownership = changes,
            Err(error) => self.diagnostics.push(Diagnostic::warning("ssa.managed-fields", error.to_string())),
        }
    }
}
