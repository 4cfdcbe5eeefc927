//! What an apply or an update does to ownership, field by field.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::field_set::{FieldSet, PathElement};
use super::managed::{Managed, ManagedFieldsError, Operation, Owner, OwnerId};
use super::place::{Level, Place};
use super::schema::Schema;
use crate::object::Object;

/// What became of a field's ownership between two states of an object, as one manager sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "camelCase")]
#[non_exhaustive]
pub enum OwnershipChange {
    /// The manager owns it, and others do not any more: it took the field from them.
    Taken {
        /// The field.
        field: Place,
        /// Who owned it.
        from: Vec<Owner>,
    },
    /// The manager now owns it together with others.
    Shared {
        /// The field.
        field: Place,
        /// Who else owns it.
        with: Vec<Owner>,
    },
    /// The manager now owns it alone, and nobody else did before.
    Claimed {
        /// The field.
        field: Place,
    },
    /// The manager owned it, and it is gone.
    Removed {
        /// The field, with its place in the object as it was.
        field: Place,
        /// Who else owned it.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        owners: Vec<Owner>,
    },
    /// The manager owned it and does not any more, but it stays.
    GivenUp {
        /// The field.
        field: Place,
        /// Who owns it now.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        owners: Vec<Owner>,
    },
    /// Others lost it, and the manager does not own it either.
    Lost {
        /// The field.
        field: Place,
        /// Who owned it.
        owners: Vec<Owner>,
    },
    /// Others own it, and the manager leaves it alone.
    Foreign {
        /// The field.
        field: Place,
        /// Who owns it.
        owners: Vec<Owner>,
    },
}

impl OwnershipChange {
    /// The field that it is about.
    pub fn field(&self) -> &Place {
        match self {
            Self::Taken { field, .. }
            | Self::Shared { field, .. }
            | Self::Claimed { field }
            | Self::Removed { field, .. }
            | Self::GivenUp { field, .. }
            | Self::Lost { field, .. }
            | Self::Foreign { field, .. } => field,
        }
    }
}

/// What became of the ownership of fields between two states of an object, as a manager sees it who applied or updated
/// in between. Fields that the manager owned and still owns, and nobody lost, are left out.
///
/// # Errors
///
/// Where the managed fields of one of the objects cannot be read.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::Object;
/// use virt_autopilot::ssa::{Operation, OwnershipChange, Request, Schema, apply, ownership};
///
/// let schema = Schema::untyped();
/// let object = |replicas| Object::from_value(json!({"apiVersion": "v1", "kind": "X", "replicas": replicas}));
/// let request = |manager| Request { manager, force: true, schema: &schema, time: None };
/// let before = apply(None, &object(1)?, &request("theirs"))?.object.into_owned();
/// let after = apply(Some(&before), &object(2)?, &request("ours"))?.object.into_owned();
///
/// let changes = ownership(Some(&before), &after, &schema, "ours", Operation::Apply)?;
/// assert!(matches!(&changes[..], [OwnershipChange::Taken { field, from }]
///     if field.path == ".replicas" && from[0].manager == "theirs"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ownership(
    before: Option<&Object>,
    after: &Object,
    schema: &Schema,
    manager: &str,
    operation: Operation,
) -> Result<Vec<OwnershipChange>, ManagedFieldsError> {
    let nothing = Map::new();
    let before = before.map_or(&nothing, Object::fields);
    let own = OwnerId::new(manager, operation, after.api_version());
    let stays = as_written(before) == as_written(after.fields());
    if stays && is_owned_by(after, manager, operation) {
        return Ok(Vec::new());
    }
    let mut is = Managed::decode(after.fields())?;
    let was = if stays {
        // Where everyone owns what they owned, which is most of the time, the manager's own fields are nothing to report.
        leave_out(&mut is, &own);
        is.clone()
    } else {
        Managed::decode(before)?
    };

    let mut owners: Vec<Owner> = Vec::new();
    let mut numbers: BTreeMap<&OwnerId<'_>, usize> = BTreeMap::new();
    let mut tree = Tree::default();
    for (managed, is_now) in [(&was, false), (&is, true)] {
        for (id, entry) in &managed.entries {
            let owner = *numbers.entry(id).or_insert_with(|| {
                owners.push(entry.owner(id));
                owners.len() - 1
            });
            let holder = if *id == own { Holder::Own } else { Holder::Other(owner) };
            tree.add(&entry.fields, holder, is_now);
        }
    }
    let mut report = Report { owners: &owners, changes: Vec::new() };
    let levels = (Level::root(schema, Some(before)), Level::root(schema, Some(after.fields())));
    report.visit(&tree, &levels, &mut String::new(), Some(&[]));
    Ok(report.changes)
}

/// The managed fields of an object, unread.
fn as_written(fields: &Map<String, Value>) -> Option<&Value> {
    fields.get("metadata")?.get("managedFields")
}

/// Whether an object has no other owner, as far as that is seen at a glance.
fn is_owned_by(object: &Object, manager: &str, operation: Operation) -> bool {
    let Some([entry]) = as_written(object.fields()).and_then(Value::as_array).map(Vec::as_slice) else { return false };
    let has = |field: &str, expected: &str| entry.get(field).and_then(Value::as_str) == Some(expected);
    has("manager", manager)
        && has("operation", operation.as_str())
        && has("apiVersion", object.api_version())
        && entry.get("subresource").is_none()
}

/// Leaves an owner out, and its fields out of the others'.
fn leave_out<'a>(managed: &mut Managed<'a>, owner: &OwnerId<'a>) {
    let Some(left_out) = managed.entries.remove(owner) else { return };
    for entry in managed.entries.values_mut() {
        entry.fields = std::mem::take(&mut entry.fields).difference(&left_out.fields);
    }
}

#[derive(Clone, Copy)]
enum Holder {
    Own,
    Other(usize),
}

/// Who held and who holds the fields below a node.
#[derive(Default)]
struct Tree<'t>(BTreeMap<&'t PathElement<'t>, Holding<'t>>);

#[derive(Default)]
struct Holding<'t> {
    own_before: bool,
    own_after: bool,
    before: BTreeSet<usize>,
    after: BTreeSet<usize>,
    below: Tree<'t>,
}

impl Holding<'_> {
    /// Nobody but the manager holds the field, and it did before; or it is only on the way to others.
    fn is_unremarkable(&self) -> bool {
        self.own_before == self.own_after && self.before.is_empty() && self.after.is_empty()
    }
}

impl<'t> Tree<'t> {
    fn add(&mut self, set: &'t FieldSet<'t>, holder: Holder, is_now: bool) {
        for node in &set.nodes {
            let holding = self.0.entry(&node.element).or_default();
            if node.member {
                match (holder, is_now) {
                    (Holder::Own, false) => holding.own_before = true,
                    (Holder::Own, true) => holding.own_after = true,
                    (Holder::Other(owner), false) => _ = holding.before.insert(owner),
                    (Holder::Other(owner), true) => _ = holding.after.insert(owner),
                }
            }
            holding.below.add(&node.children, holder, is_now);
        }
    }
}

struct Report<'t> {
    owners: &'t [Owner],
    changes: Vec<OwnershipChange>,
}

impl Report<'_> {
    fn visit(
        &mut self,
        tree: &Tree<'_>,
        (old, new): &(Level<'_>, Level<'_>),
        path: &mut String,
        tokens: Option<&[String]>,
    ) {
        for (element, holding) in &tree.0 {
            if holding.is_unremarkable() {
                continue;
            }
            let (was, is) = (old.step(element), new.step(element));
            let stays = is.value.is_some();
            let field = || {
                let token = if stays { is.token } else { was.token.or(is.token) };
                let pointer = tokens
                    .zip(token)
                    .map(|(tokens, token)| crate::Pointer::from_tokens(tokens.iter().cloned().chain([token])));
                Place { path: format!("{path}{element}"), pointer }
            };
            self.changes.extend(self.change_of(holding, stays, field));
        }
        for (element, holding) in tree.0.iter().filter(|(_, holding)| !holding.below.0.is_empty()) {
            let (was, is) = (old.step(element), new.step(element));
            let token = if is.value.is_some() { &is.token } else { &was.token }.clone().or_else(|| is.token.clone());
            let below: Option<Vec<String>> =
                tokens.zip(token).map(|(tokens, token)| tokens.iter().cloned().chain([token]).collect());
            let length = path.len();
            path.push_str(&element.to_string());
            let levels = (Level::below(old.types, was), Level::below(new.types, is));
            self.visit(&holding.below, &levels, path, below.as_deref());
            path.truncate(length);
        }
    }

    fn change_of(&self, holding: &Holding<'_>, stays: bool, field: impl FnOnce() -> Place) -> Option<OwnershipChange> {
        let named = |owners: &mut dyn Iterator<Item = &usize>| {
            owners.filter_map(|owner| self.owners.get(*owner).cloned()).collect::<Vec<_>>()
        };
        let lost = || named(&mut holding.before.difference(&holding.after));
        let now = || named(&mut holding.after.iter());
        let anyone_lost = holding.before.difference(&holding.after).next().is_some();
        let others = !holding.after.is_empty();
        Some(match (holding.own_before, holding.own_after) {
            (_, true) if anyone_lost => OwnershipChange::Taken { field: field(), from: lost() },
            (true, true) => return None,
            (false, true) if others => OwnershipChange::Shared { field: field(), with: now() },
            (false, true) => OwnershipChange::Claimed { field: field() },
            (true, false) if stays => OwnershipChange::GivenUp { field: field(), owners: now() },
            (true, false) => OwnershipChange::Removed { field: field(), owners: lost() },
            (false, false) if anyone_lost => OwnershipChange::Lost { field: field(), owners: lost() },
            (false, false) if others => OwnershipChange::Foreign { field: field(), owners: now() },
            (false, false) => return None,
        })
    }
}
