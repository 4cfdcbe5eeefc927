//! The plan of one asset: how it goes, and what it does to which fields.

use std::sync::Arc;

use serde::Serialize;

use super::baseline::{Preparation, Prepared, differs, prepare};
use super::{PlanOptions, Schemas};
use crate::catalog::{Asset, Catalog, GOLDEN_CONFIG};
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
    /// The patch brings down the controller's patch library, which ends the whole pass.
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
    /// The plan of an asset of which no object comes.
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

    /// The failure that ends the whole pass: any of the golden config, and a crash, which is caught around the pass.
    pub(super) fn ends_pass(&self) -> Option<End> {
        let error = match &self.outcome {
            Outcome::PatchCrashed { message } => message.clone(),
            _ if self.asset == GOLDEN_CONFIG => format!("failed to reconcile HCO: {}", self.error()?),
            _ => return None,
        };
        Some(End { by: self.asset.clone(), error })
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

/// A failure that ends the pass.
pub(super) struct End {
    /// The asset that fails.
    pub(super) by: String,
    /// The pass's error, in the controller's words.
    pub(super) error: String,
}

/// What an asset's plan depends on, once it is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Situation {
    conditions: Vec<ConditionVerdict>,
    baseline: Arc<Object>,
    live: Option<Arc<Object>>,
    /// The CRD whose schema it is applied by.
    crd: Option<Arc<Object>>,
    has_namespace: bool,
    options: AssetOptions,
}

/// The options that concern a single asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AssetOptions {
    allow_refused_kinds: bool,
    noise: bool,
}

/// A plan, and what the controller would tell about it.
#[derive(Debug)]
pub(crate) struct Planned {
    plan: Arc<AssetPlan>,
    preparation: Preparation,
}

/// Plans one asset, and records what the controller would tell about it.
pub(super) fn plan_asset(
    pass: &Pass<'_>,
    asset: &Asset,
    screening: Attempt,
    schemas: &Schemas,
    options: &PlanOptions,
    journal: &mut Journal,
) -> Arc<AssetPlan> {
    let Attempt { skip, conditions, object } = pass.realize(asset, screening, journal);
    let blank = AssetPlan::without_object(asset, pass.catalog, Outcome::InSync);
    let Some(baseline) = object else {
        let outcome = Outcome::Skipped(skip.unwrap_or(Skip::RendersEmpty));
        return Arc::new(AssetPlan { outcome, conditions, ..blank });
    };
    let reference = baseline.reference();
    let live = pass.cluster.get(&reference).cloned();
    if let Some(skip) = skip {
        let outcome = Outcome::Skipped(skip);
        let (object, baseline) = (Some(reference), Some(baseline));
        return Arc::new(AssetPlan { outcome, conditions, object, baseline, live, ..blank });
    }
    let situation = Situation {
        conditions,
        live,
        crd: schemas.crd_of(&reference).cloned(),
        has_namespace: pass.cluster.has_namespace(&reference.namespace),
        options: AssetOptions { allow_refused_kinds: options.allow_refused_kinds, noise: options.noise },
        baseline,
    };
    let planned = asset.planned.get(&situation).unwrap_or_else(|| {
        let planned = Arc::new(situation.plan(reference, blank, schemas));
        asset.planned.put(situation, Arc::clone(&planned));
        planned
    });
    planned.tell(journal);
    Arc::clone(&planned.plan)
}

impl Situation {
    /// Takes the baseline through the overrides, the merge and the comparison.
    fn plan(&self, reference: ObjectRef, mut plan: AssetPlan, schemas: &Schemas) -> Planned {
        plan.conditions.clone_from(&self.conditions);
        plan.baseline = Some(Arc::clone(&self.baseline));
        plan.live.clone_from(&self.live);
        let schema = plan.fit_live(&reference).unwrap_or_else(|| schemas.of_object(&reference));
        let patch_options = PatchOptions { allow_refused_kinds: self.options.allow_refused_kinds };
        let mut preparation = prepare(&self.baseline, plan.live.as_deref(), patch_options);
        plan.object = Some(reference);
        plan.decide(&mut preparation, self.has_namespace, &schema);
        plan.explain(&schema, self.options.noise);
        for finding in &mut plan.diagnostics {
            let source = finding.source.get_or_insert_with(Box::<Source>::default);
            source.asset.get_or_insert_with(|| plan.asset.clone());
        }
        Planned { plan: Arc::new(plan), preparation }
    }
}

impl Planned {
    fn tell(&self, journal: &mut Journal) {
        let AssetPlan { asset, object: Some(object), live, outcome, .. } = &*self.plan else { return };
        self.preparation.tell(object, live.as_deref(), journal);
        let object = &self.plan.desired.as_ref().map_or_else(|| object.clone(), |desired| desired.reference());
        match outcome {
            Outcome::ApplyRefused { .. } if live.is_some() => journal.dry_run_failed(object),
            Outcome::ApplyRefused { message } => {
                journal.apply_failed(asset, object, &format!("failed to apply object: {message}"));
            }
            Outcome::InSync => journal.in_sync(object),
            Outcome::NamespaceMissing { .. } if live.is_some() => journal.drift(object),
            Outcome::Update => {
                journal.drift(object);
                journal.applied(asset, object, true);
            }
            Outcome::Create => journal.applied(asset, object, false),
            _ => {}
        }
    }
}

impl AssetPlan {
    /// Live in another version than the one that is applied is taken as it is, by no schema: the API server would convert
    /// it, but fields that moved are not known here.
    fn fit_live(&mut self, reference: &ObjectRef) -> Option<Schema> {
        let live = self.live.as_mut()?;
        let given = live.api_version().to_owned();
        *live = Arc::new(live.in_version(&reference.api_version)?);
        let message = format!(
            "{reference} is in the snapshot as {given}, but applied as {}; fields that moved between them are not converted",
            reference.api_version
        );
        let finding = Diagnostic::warning("plan.live-version", message);
        let finding = finding.help(format!("add it to the snapshot as {}", reference.api_version));
        self.diagnostics.push(finding.at(|source| source.object = Some(reference.clone())));
        Some(Schema::untyped())
    }

    /// From the overrides to the outcome.
    fn decide(&mut self, preparation: &mut Preparation, has_namespace: bool, schema: &Schema) {
        self.patched.clone_from(&preparation.patched);
        self.customizations.clone_from(&preparation.customizations);
        self.diagnostics.append(&mut preparation.diagnostics);
        self.outcome = match &preparation.prepared {
            Prepared::Paused => Outcome::Paused,
            Prepared::Unmanaged => Outcome::Unmanaged,
            Prepared::MaskFailed(message) => Outcome::MaskFailed { message: message.clone() },
            Prepared::PatchCrashed(message) => Outcome::PatchCrashed { message: message.clone() },
            Prepared::Desired(desired) => {
                self.record_steps(preparation.masked.clone(), desired);
                self.apply(Arc::clone(desired), has_namespace, schema)
            }
        };
    }

    /// From what is applied to the outcome.
    fn apply(&mut self, mut desired: Arc<Object>, has_namespace: bool, schema: &Schema) -> Outcome {
        if let Some(live) = &self.live {
            let before = Arc::clone(&desired);
            if !payload::keep_equal_payloads(&mut desired, live).is_empty() {
                let note = "payloads that decode to the same content keep live's bytes";
                self.step(Stage::Payload, note, &before, &desired);
            }
        }
        let request = ssa::Request { manager: FIELD_MANAGER, force: true, schema, time: None };
        let applied = ssa::apply(self.live.as_deref(), &desired, &request);
        self.desired = Some(desired);
        let predicted = match (applied, &self.live) {
            (Err(error), _) => return Outcome::ApplyRefused { message: error.to_string() },
            (Ok(applied), Some(live)) if !applied.changed => Arc::clone(live),
            (Ok(applied), _) => Arc::new(applied.object.into_owned()),
        };
        let in_sync = self.live.as_ref().is_some_and(|live| !differs(live, &predicted));
        self.predicted = Some(predicted);
        match (&self.live, &self.object) {
            (Some(_), _) if in_sync => Outcome::InSync,
            (_, Some(object)) if !has_namespace => Outcome::NamespaceMissing { namespace: object.namespace.clone() },
            (Some(_), _) => Outcome::Update,
            (None, _) => Outcome::Create,
        }
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
    fn explain(&mut self, schema: &Schema, noise: bool) {
        let (Some(desired), Some(predicted)) = (self.desired.clone(), self.predicted.clone()) else { return };
        self.step(Stage::Apply, "the API server merges it with what others own", &desired, &predicted);
        let options = DiffOptions { noise, ..DiffOptions::default() };
        let live = self.live.as_deref().map(Object::as_value);
        if self.outcome.writes() {
            self.changes = diff::changes(live, Some(predicted.as_value()), options);
        }
        let live = self.live.as_deref();
        match ssa::ownership(live, &predicted, schema, FIELD_MANAGER, Operation::Apply) {
            Ok(changes) => self.ownership = changes,
            Err(error) => self.diagnostics.push(Diagnostic::warning("ssa.managed-fields", error.to_string())),
        }
    }
}
