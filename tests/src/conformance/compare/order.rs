//! The order in which a reconcile does and tells things, as far as it is the controller's: one object's events follow
//! each other as recorded, and so do assets of different reconcile orders. Assets of one order come in any.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use crate::conformance::kind::catalog;

/// The reconcile order of each object, as far as the record names its asset.
pub(super) type Ranks = BTreeMap<String, i64>;

/// The reconcile orders of the sample catalog, by asset.
static ORDERS: LazyLock<BTreeMap<String, i64>> = LazyLock::new(|| {
    let files = catalog("sample");
    let metadata = files["active/metadata.yaml"].as_str().unwrap_or_default();
    let metadata = virt_autopilot::yaml::parse(metadata).unwrap_or_default();
    let assets = metadata["assets"].as_array().into_iter().flatten();
    assets.filter_map(|asset| Some((asset["name"].as_str()?.to_owned(), asset["reconcile_order"].as_i64()?))).collect()
});

pub(super) fn ranks(rounds: &[Value]) -> Ranks {
    let events = rounds.iter().flat_map(|round| list(&round["events"]));
    let named = events.filter_map(|event| {
        let (asset, object) = event["note"].as_str()?.strip_prefix("Applied asset ")?.split_once(": ")?;
        Some((object.to_owned(), *ORDERS.get(asset)?))
    });
    named.collect()
}

pub(super) fn same(ranks: &Ranks, expect: &Value, actual: &Value) -> Result<(), String> {
    for (what, subject) in [("events", event_subject as fn(&Value) -> String), ("actions", action_subject)] {
        let (expect, actual) = (outline(ranks, &expect[what], subject), outline(ranks, &actual[what], subject));
        if expect != actual {
            return Err(format!("{what} in another order: expected {expect:?}, got {actual:?}"));
        }
    }
    Ok(())
}

/// What is told of each object in its order, and the ranks as they come.
fn outline(ranks: &Ranks, items: &Value, subject: fn(&Value) -> String) -> (BTreeMap<String, Vec<String>>, Vec<i64>) {
    let mut by_subject: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut order = Vec::new();
    for item in list(items) {
        let subject = subject(item);
        order.extend(ranks.get(&subject));
        let what = item.get("reason").or(item.get("action")).and_then(Value::as_str).unwrap_or_default();
        by_subject.entry(subject).or_default().push(what.to_owned());
    }
    order.dedup();
    (by_subject, order)
}

fn event_subject(event: &Value) -> String {
    let action = event["action"].as_str().unwrap_or_default();
    action.split_once(' ').map_or(action, |(_, subject)| subject).to_owned()
}

fn action_subject(action: &Value) -> String {
    let part = |key: &str| action[key].as_str().unwrap_or_default();
    format!("{}/{}/{}", part("kind"), part("namespace"), part("name"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
