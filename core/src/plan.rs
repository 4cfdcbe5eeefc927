//! One pass of the controller over a snapshot: what would change, on which fields, taken from whom.

mod asset;
mod baseline;
mod impact;
mod left_behind;
mod options;
mod schemas;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use asset::{AssetPlan, Outcome, Stage, Step};
pub use impact::{Cause, Impact, PoolImpact};
pub use left_behind::LeftBehind;
pub use options::{AnnotationEdit, PlanOptions};

pub(crate) use asset::{Planned, Situation};
pub(crate) use baseline::{Prepared, differs, prepare};
pub(crate) use schemas::Schemas;

use asset::End;

use crate::catalog::{Catalog, CatalogError, GOLDEN_CONFIG, NO_GOLDEN_CONFIG};
use crate::diagnostic::Diagnostic;
use crate::object::ObjectRef;
use crate::reconcile::events::EventRecord;
use crate::reconcile::journal::Journal;
use crate::reconcile::metrics::Metrics;
use crate::render::{Attempt, Pass, Skip, check_input};
use crate::scope::Activation;
use crate::{Behavior, Cluster, Object};

/// What the controller would do to a cluster in one pass, as a value: equal inputs give equal plans.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The catalog's name.
    pub catalog: String,
    /// The behaviour that was followed.
    pub behavior: Behavior,
    /// What the HyperConverged activates; `None` where there is no HyperConverged.
    pub activation: Option<Activation>,
    /// The assets, in the order in which they are reconciled; shared, so that an unchanged one costs nothing.
    pub assets: Vec<Arc<AssetPlan>>,
    /// What becomes of the objects that are to be deleted.
    pub tombstones: Vec<TombstonePlan>,
    /// Objects labelled as managed that no asset of this pass manages any more.
    pub left_behind: Vec<LeftBehind>,
    /// What it costs: the nodes that would be updated.
    pub impact: Impact,
    /// What is wrong or surprising about the input as a whole. Each asset has its own.
    pub diagnostics: Vec<Diagnostic>,
    /// The events that would be emitted, in order.
    pub events: Vec<EventRecord>,
    /// The metrics after the pass, for a controller that has just started.
    pub metrics: Metrics,
    /// Why the pass would end with an error, in the controller's words.
    pub error: Option<String>,
}

/// What becomes of an object that is to be deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TombstonePlan {
    /// The file that lists it.
    pub path: String,
    /// The object.
    pub object: ObjectRef,
    /// What becomes of it.
    pub outcome: TombstoneOutcome,
}

/// What becomes of a tombstone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum TombstoneOutcome {
    /// It is not there.
    Absent,
    /// It is deleted.
    Delete,
    /// It is there without the managed-by label, and left alone.
    Skip,
    /// The autopilot is not enabled, so that tombstones are not looked at.
    NotEnabled,
}

/// Runs one pass of the controller over a snapshot, without a cluster: render, overrides, masking, server-side apply,
/// drift, decision.
///
/// # Errors
///
/// Where the options ask for a behaviour under which the catalog cannot be loaded.
///
/// # Examples
///
/// ```
/// use virt_autopilot::plan::Outcome;
/// use virt_autopilot::{Catalog, demo, plan};
///
/// let catalog = Catalog::builtin("4.22").unwrap();
/// let plan = plan(&catalog, &demo::cluster(), &Default::default())?;
/// let created = plan.assets.iter().filter(|asset| asset.outcome == Outcome::Create).count();
/// assert!(created > 0);
/// # Ok::<(), virt_autopilot::catalog::CatalogError>(())
/// ```
pub fn plan(catalog: &Catalog, cluster: &Cluster, options: &PlanOptions) -> Result<Plan, CatalogError> {
    let catalog = match options.behavior {
        Some(behavior) => &catalog.with_behavior(behavior)?,
        None => catalog,
    };
    let behavior = catalog.behavior();
    let (cluster, findings) = options::what_if(cluster, options, behavior);
    let hco = cluster.hco(behavior).cloned();
    let mut diagnostics = cluster.diagnostics().to_vec();
    diagnostics.extend(findings);
    diagnostics.extend(check_input(&cluster, hco.as_deref(), behavior));
    let mut plan = Plan {
        catalog: catalog.name().to_owned(),
        behavior,
        activation: None,
        assets: Vec::new(),
        tombstones: Vec::new(),
        left_behind: Vec::new(),
        impact: Impact::default(),
        diagnostics,
        events: Vec::new(),
        metrics: Metrics::default(),
        error: None,
    };
    match hco {
        Some(hco) => run(&mut plan, catalog, cluster, &hco, options),
        None => {
            let outcome = Outcome::Skipped(Skip::NoHyperConverged);
            let skipped = |asset| Arc::new(AssetPlan::without_object(asset, catalog, outcome.clone()));
            plan.assets = catalog.assets().iter().map(skipped).collect();
        }
    }
    Ok(plan)
}

/// One pass, in the controller's order: tombstones, the golden config, then the rest on the HyperConverged as it is then.
fn run(plan: &mut Plan, catalog: &Catalog, mut cluster: Cluster, hco: &Object, options: &PlanOptions) {
    let before = cluster.clone();
    let schemas = Schemas::of(&before);
    let mut journal = Journal::default();
    let first = Pass::new(catalog, &before, hco);
    plan.activation = Some(first.activation.clone());
    plan.diagnostics.extend(first.diagnostics.iter().cloned());
    let enabled = first.activation != Activation::Idle;
    plan.tombstones = bury(catalog, &mut cluster, enabled, &mut journal);

    let mut hco = Arc::new(hco.clone());
    let mut golden = None;
    if let Some(asset) = catalog.asset(GOLDEN_CONFIG) {
        let screening = first.screen(asset, &mut journal);
        let planned = asset::plan_asset(&first, asset, screening, &schemas, options, &mut journal);
        if let Some(predicted) = planned.predicted.clone().filter(|_| planned.outcome.writes()) {
            cluster.remove(&predicted.reference());
            cluster.put(Arc::clone(&predicted));
            hco = predicted;
        }
        golden = Some(planned);
    }
    let mut ended = match &golden {
        Some(golden) => golden.ends_pass(),
        None if !first.activation.includes(GOLDEN_CONFIG, None) => None,
        None => Some(End { by: GOLDEN_CONFIG.to_owned(), error: NO_GOLDEN_CONFIG.to_owned() }),
    };
    plan.assets.extend(golden);
    let rest = Pass::new(catalog, &cluster, &hco);
    let mut tally = Tally::default();
    let others = catalog.assets().iter().filter(|asset| asset.name != GOLDEN_CONFIG);
    // All are screened before the first of them is rendered.
    let screened: Vec<_> = match ended {
        Some(_) => others.map(|asset| (asset, Attempt::default())).collect(),
        None => others.map(|asset| (asset, rest.screen(asset, &mut journal))).collect(),
    };
    for (asset, screening) in screened {
        let planned = match &ended {
            Some(end) => {
                let outcome = Outcome::NotReached { by: end.by.clone() };
                Arc::new(AssetPlan::without_object(asset, catalog, outcome))
            }
            None => asset::plan_asset(&rest, asset, screening, &schemas, options, &mut journal),
        };
        tally.count(&planned);
        ended = ended.or_else(|| planned.ends_pass());
        plan.assets.push(planned);
    }
    plan.error = ended.map(|end| end.error).or_else(|| tally.error());
    if enabled && plan.error.is_none() {
        journal.succeeded(tally.applied, tally.assets);
    }
    plan.left_behind = left_behind::find(&rest, plan);
    plan.impact = impact::of(catalog, &cluster, plan);
    plan.events = journal.events;
    plan.metrics = journal.metrics;
}

/// Says what becomes of the tombstones, and takes those away that are deleted.
fn bury(catalog: &Catalog, cluster: &mut Cluster, enabled: bool, journal: &mut Journal) -> Vec<TombstonePlan> {
    let mut decide = |object: &ObjectRef, path: &str| {
        if !enabled {
            return TombstoneOutcome::NotEnabled;
        }
        match cluster.get(object) {
            None => {
                journal.tombstone_gone(object);
                TombstoneOutcome::Absent
            }
            Some(live) if live.is_managed() => {
                journal.tombstone_deleted(object, path);
                cluster.remove(object);
                TombstoneOutcome::Delete
            }
            Some(_) => {
                journal.tombstone_skipped(object);
                TombstoneOutcome::Skip
            }
        }
    };
    let planned = catalog.tombstones().iter().map(|tombstone| TombstonePlan {
        path: tombstone.path.clone(),
        object: tombstone.object.clone(),
        outcome: decide(&tombstone.object, &tombstone.path),
    });
    planned.collect()
}

/// How the assets of a pass went, all but the golden config.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) applied: usize,
    pub(crate) assets: usize,
    pub(crate) errors: Vec<String>,
}

impl Tally {
    fn count(&mut self, planned: &AssetPlan) {
        if planned.outcome.is_attempted() {
            self.assets += 1;
            self.add(&planned.asset, planned.error().map_or(Ok(planned.outcome.writes()), Err));
        }
    }

    /// Adds an asset that was written, was not, or failed.
    pub(crate) fn add(&mut self, asset: &str, result: Result<bool, String>) {
        match result {
            Ok(written) => self.applied += usize::from(written),
            Err(cause) => self.errors.push(format!("[{asset}: {cause}]")),
        }
    }

    /// The error in which the pass ends, in the controller's words.
    pub(crate) fn error(&self) -> Option<String> {
        let (failed, errors) = (self.errors.len(), self.errors.join("; "));
        (failed > 0).then(|| format!("failed to reconcile {failed}/{} assets: {errors}", self.assets))
    }
}

impl Plan {
    /// The plan of an asset.
    pub fn asset(&self, name: &str) -> Option<&AssetPlan> {
        self.assets.iter().map(Arc::as_ref).find(|asset| asset.asset == name)
    }

    /// The snapshot as it would be after the pass.
    pub fn apply_to(&self, cluster: &Cluster) -> Cluster {
        let mut after = cluster.clone();
        for tombstone in self.tombstones.iter().filter(|t| t.outcome == TombstoneOutcome::Delete) {
            after.remove(&tombstone.object);
        }
        for asset in self.assets.iter().filter(|asset| asset.outcome.writes()) {
            if let Some(predicted) = &asset.predicted {
                after.remove(&predicted.reference());
                after.put(Arc::clone(predicted));
            }
        }
        after
    }
}
