//! What differs between two objects: as a list of fields, as a tree, as text, and as a patch.
//!
//! Lists are aligned before they are compared: lists of maps that have an identifying field (`name`, `path`, `key` and
//! the like, with a value of its own in every item) by that field, other lists by their longest common part.

mod align;
mod carrier;
mod compare;
mod patch;
mod unified;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

pub use patch::{ChangeError, apply_changes, to_patch};
pub use unified::{UnifiedOptions, unified};

use crate::limits::MAX_PAYLOAD_BYTES;
use crate::payload::PayloadChange;
use crate::pointer::Pointer;
use carrier::Carrier;
use compare::{Node, Step};

/// What a comparison looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DiffOptions {
    /// Also what the API server writes by itself: `managedFields`, `creationTimestamp`, `resourceVersion`, `generation`,
    /// `uid` and `selfLink` of the object's `metadata`.
    pub noise: bool,
    /// Also the object's `status`.
    pub status: bool,
}

impl DiffOptions {
    /// Leaves out nothing.
    pub const EVERYTHING: Self = Self { noise: true, status: true };
}

/// One field that differs: the largest subtree that is wholly there on one side only, or a value that is another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Where, in the object as the changes before this one leave it.
    pub pointer: Pointer,
    /// How it differs.
    pub kind: ChangeKind,
    /// The value before; `None` for what is added.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub before: Option<Value>,
    /// The value after; `None` for what is removed.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub after: Option<Value>,
    /// For a file or unit of a MachineConfig: its contents, decoded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payload: Option<PayloadChange>,
}

/// Reads a value that is there, null among them; an absent one is left to the default.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// How a field differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// It is there after, not before.
    Added,
    /// It is there before, not after.
    Removed,
    /// Its value is another.
    Replaced,
    /// Its value is written the same in another type: `"true"` and `true`, `3` and `"3"`, `3` and `3.0`.
    TypeOnly,
}

/// A field on the way to one that differs, or one that differs itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeNode {
    /// The key in the map, or the position in the list, above; empty for the object itself. What is removed from a
    /// list has its position before, everything else in a list its position after.
    pub key: String,
    /// For an item of a list that is aligned by an identifying field: the value of that field.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub item: Option<String>,
    /// Whether the children are items of a list.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub list: bool,
    /// How it differs; `None` where only the children do.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub change: Option<Change>,
    /// What differs inside, in the order of the object.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub children: Vec<ChangeNode>,
}

/// The fields that differ, in an order in which [`apply_changes`] can make them one after the other.
///
/// Within a list, first items are removed from the back to the front, then the others are added and changed from the
/// front to the back. So a removed item's pointer has the position that the item had, an added or changed one's the
/// position that it will have. What is nested deeper than [`crate::limits::MAX_DEPTH`] is compared as a whole.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::diff::{ChangeKind, DiffOptions, changes};
///
/// let before = json!({"spec": {"tuned": "true", "limits": {"cpu": 1}}});
/// let after = json!({"spec": {"tuned": true}});
/// let found = changes(Some(&before), Some(&after), DiffOptions::default());
/// let brief: Vec<_> = found.iter().map(|change| (change.pointer.to_string(), change.kind)).collect();
/// assert_eq!(brief, [
///     ("/spec/limits".to_owned(), ChangeKind::Removed),
///     ("/spec/tuned".to_owned(), ChangeKind::TypeOnly),
/// ]);
/// ```
pub fn changes(before: Option<&Value>, after: Option<&Value>, options: DiffOptions) -> Vec<Change> {
    let mut found = Vec::new();
    if let Some(node) = compare::compare(before, after, options) {
        let mut walk = Walk::new(options);
        walk.list(&node, &Pointer::default(), None, &mut found);
    }
    found
}

/// The same as [`changes`], as a tree in the order of the object; a node without change and children where nothing
/// differs.
pub fn tree(before: Option<&Value>, after: Option<&Value>, options: DiffOptions) -> ChangeNode {
    match compare::compare(before, after, options) {
        Some(node) => Walk::new(options).tree(&node, &Pointer::default(), None),
        None => ChangeNode::default(),
    }
}

/// Makes changes of the borrowed nodes.
struct Walk {
    options: DiffOptions,
    /// Bytes of payloads that may still be decoded.
    budget: usize,
}

impl Walk {
    fn new(options: DiffOptions) -> Self {
        Self { options, budget: 2 * MAX_PAYLOAD_BYTES }
    }

    fn list(&mut self, node: &Node<'_>, pointer: &Pointer, carrier: Option<&Carrier<'_>>, found: &mut Vec<Change>) {
        let entered = Carrier::enter(&node.step, pointer, carrier);
        let carrier = entered.as_ref().or(carrier);
        found.extend(self.change(&node.step, pointer, carrier));
        for child in node.step.in_order_of_application() {
            self.list(child, &pointer.child(&*child.key), carrier, found);
        }
    }

    fn tree(&mut self, node: &Node<'_>, pointer: &Pointer, carrier: Option<&Carrier<'_>>) -> ChangeNode {
        let entered = Carrier::enter(&node.step, pointer, carrier);
        let carrier = entered.as_ref().or(carrier);
        let change = self.change(&node.step, pointer, carrier);
        let children = node.step.children().iter();
        ChangeNode {
            key: node.key.clone().into_owned(),
            item: node.identity.map(|(_, value)| value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
            list: matches!(node.step, Step::List { .. }),
            change,
            children: children.map(|child| self.tree(child, &pointer.child(&*child.key), carrier)).collect(),
        }
    }

    fn change(&mut self, step: &Step<'_>, pointer: &Pointer, carrier: Option<&Carrier<'_>>) -> Option<Change> {
        let kind = step.kind()?;
        let shown = |value: Option<&Value>| value.map(|value| compare::shown(value, pointer.tokens(), self.options));
        let (before, after) = (shown(step.before()), shown(step.after()));
        let payload = carrier.and_then(|carrier| carrier.payload(pointer, &mut self.budget));
        Some(Change { pointer: pointer.clone(), kind, before, after, payload })
    }
}

#[cfg(test)]
mod tests;
