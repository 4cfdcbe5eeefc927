//! Objects that the autopilot once applied and no longer manages. Nothing deletes them or rolls them back.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{AssetPlan, Outcome, Plan, TombstoneOutcome};
use crate::object::ObjectRef;
use crate::render::Pass;

/// An object labelled as managed that no asset of the pass manages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftBehind {
    /// The object.
    pub object: ObjectRef,
    /// The asset that comes to this object, were it in play.
    pub asset: Option<String>,
    /// What it means that it stays.
    pub note: String,
}

pub(super) fn find(pass: &Pass<'_>, plan: &Plan) -> Vec<LeftBehind> {
    let key = |object: &ObjectRef| {
        (object.group().to_owned(), object.kind.clone(), object.namespace.clone(), object.name.clone())
    };
    let in_play =
        plan.assets.iter().filter(|asset| asset.outcome.is_in_play()).filter_map(|asset| asset.object.as_ref());
    let deleted = plan.tombstones.iter().filter(|tombstone| tombstone.outcome != TombstoneOutcome::Absent);
    let known: BTreeSet<_> = in_play.chain(deleted.map(|tombstone| &tombstone.object)).map(key).collect();
    let orphans: Vec<ObjectRef> = pass
        .cluster
        .objects()
        .filter(|object| object.is_managed())
        .map(|object| object.reference())
        .filter(|reference| !known.contains(&key(reference)))
        .collect();
    if orphans.is_empty() {
        return Vec::new();
    }
    // What an asset comes to that the pass did not render is known by rendering it.
    let object_of = |planned: &AssetPlan| {
        let rendered = || pass.render(pass.catalog.asset(&planned.asset)?).ok().flatten();
        planned.object.clone().or_else(|| Some(rendered()?.reference()))
    };
    let known = plan.assets.iter().filter_map(|planned| Some((key(&object_of(planned)?), planned.asset.clone())));
    let assets: BTreeMap<_, _> = known.collect();
    let describe = |object: ObjectRef| {
        let asset = assets.get(&key(&object)).cloned();
        // What a pass that ends early does not come to is not told here.
        let outcome = asset.as_ref().and_then(|asset| plan.asset(asset)).map(|planned| &planned.outcome);
        let told = !matches!(outcome, Some(Outcome::NotReached { .. }));
        told.then(|| LeftBehind { asset, note: note(&object).to_owned(), object })
    };
    orphans.into_iter().filter_map(describe).collect()
}

fn note(object: &ObjectRef) -> &'static str {
    match object.kind.as_str() {
        "MachineConfig" => "keeps its effect on the nodes until it is deleted and its pool has drained and rebooted",
        "KubeletConfig" => "keeps its effect on the nodes until it is deleted and its pool has been updated",
        _ => "stays as it is; nothing corrects or deletes it any more",
    }
}
