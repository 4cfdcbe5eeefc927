//! Applying a configuration to a live object, and what an update by anyone else does to ownership.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::compare::{Comparison, compare};
use super::error::{ApplyError, Conflict, Subject};
use super::field_set::{FieldSet, PathElement};
use super::last_applied;
use super::managed::{Entry, Managed, Operation, Owner, OwnerId};
use super::merge::{copy_without, merge_objects, remove_fields};
use super::place::places;
use super::schema::{GroupVersionKind, Schema};
use super::typed::{add_named_parents, check, field_set, reconcile};
use super::value::equal;
use crate::object::Object;

/// The owner of what was there before the first apply.
const BEFORE_FIRST_APPLY: &str = "before-first-apply";

/// Who writes, and how.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Name of the field manager.
    pub manager: &'a str,
    /// Whether to take fields from their owners. Updates always do.
    pub force: bool,
    /// The schema of the object.
    pub schema: &'a Schema,
    /// The time of the request in RFC 3339, which goes to the managed fields. Without it the entries that the request
    /// makes have none, and count as the oldest.
    pub time: Option<&'a str>,
}

/// What an apply or an update leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied<'a> {
    /// The object as it would be stored, with its managed fields. Borrowed from live where not even these change.
    pub object: Cow<'a, Object>,
    /// Whether anything but managed fields differs from live.
    pub changed: bool,
}

/// Applies a configuration to a live object, which may not exist yet.
///
/// The result is what a dry run would answer: the field manager's part of server-side apply, without defaulting,
/// admission and validation, and without `generation`, `resourceVersion` and `uid`. Managed fields of another version
/// are taken for fields of this one, since objects are not converted.
///
/// # Errors
///
/// As the API server refuses: an object that does not fit the schema, managed fields that cannot be read, a
/// configuration of another kind, and conflicts, unless the request has `force`.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::Object;
/// use virt_autopilot::ssa::{Request, Schema, apply};
///
/// let schema = Schema::builtin("", "v1", "ConfigMap").unwrap_or_default();
/// let object = |data| Object::from_value(json!({
///     "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm", "namespace": "ns"}, "data": data,
/// }));
/// let request = |manager| Request { manager, force: false, schema: &schema, time: None };
///
/// let ours = apply(None, &object(json!({"a": "1"}))?, &request("ours"))?.object.into_owned();
/// let both = apply(Some(&ours), &object(json!({"b": "2"}))?, &request("theirs"))?;
/// assert_eq!(both.object.at(&["data"]), Some(&json!({"a": "1", "b": "2"})));
///
/// let refused = apply(Some(&ours), &object(json!({"a": "2"}))?, &request("theirs")).unwrap_err();
/// assert_eq!(refused.to_string(), "Apply failed with 1 conflict: conflict with \"ours\": .data.a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn apply<'a>(live: Option<&'a Object>, config: &Object, request: &Request<'_>) -> Result<Applied<'a>, ApplyError> {
    let nothing = bare(config);
    let live_fields = live.map_or(&nothing, Object::fields);
    let mut managed = Managed::decode(live_fields)?;
    check_kind(live, config, request.schema)?;

    let api_version = config.api_version();
    let mut as_written = managed.as_written;
    if managed.is_empty() && live.is_some() {
        check_object(request.schema, live_fields, true, Subject::Unowned)?;
        let id = OwnerId::new(BEFORE_FIRST_APPLY, Operation::Update, api_version);
        managed = track(request, managed, &nothing, live_fields, id, api_version);
        as_written &= managed.is_empty();
    }
    if config.at(&["metadata", "managedFields"]).is_some_and(Value::is_array) {
        return Err(ApplyError::ManagedFieldsApplied);
    }
    check_object(request.schema, config.fields(), false, Subject::Config)?;
    check_object(request.schema, live_fields, true, Subject::Live)?;
    as_written &= !bring_up_to_date(&mut managed, request.schema);

    let merged = if request.manager == last_applied::MANAGER && !request.force {
        merge(request, live_fields, config, managed.clone(), false).or_else(|conflicts| {
            let conflicts = last_applied::remaining_conflicts(request.schema, live_fields, api_version, conflicts);
            if conflicts.is_empty() { merge(request, live_fields, config, managed, true) } else { Err(conflicts) }
        })
    } else {
        merge(request, live_fields, config, managed, request.force)
    };
    let merged = merged.map_err(|conflicts| refusal(request.schema, live_fields, conflicts))?;

    let mut object = merged.object;
    let changed = object.is_some();
    if request.manager == last_applied::MANAGER {
        last_applied::renew(&mut object, live_fields, config);
    }
    if let Some(live) = live
        && object.is_none()
        && as_written
        && merged.same_owners
    {
        return Ok(Applied { object: Cow::Borrowed(live), changed });
    }
    let managed_fields = merged.managed.encode();
    let mut fields = object.unwrap_or_else(|| copy_without_managed_fields(live_fields));
    set_managed_fields(&mut fields, managed_fields);
    Ok(Applied { object: Cow::Owned(Object::from_fields(fields)), changed })
}

/// Stores an object as it is, as a create, an update or a patch does: what it changes becomes the manager's, what it
/// removes is nobody's.
///
/// Managed fields that the object carries replace those of live, as the server has it; an empty list resets them.
///
/// # Errors
///
/// Where one of the objects does not fit the schema. (The server lets such an update pass and keeps the managed fields
/// as they were.)
pub fn update<'a>(
    live: Option<&'a Object>,
    object: &'a Object,
    request: &Request<'_>,
) -> Result<Applied<'a>, ApplyError> {
    let nothing = bare(object);
    let live_fields = live.map_or(&nothing, Object::fields);
    let fields = object.fields();
    let managed = given_or_live(live_fields, fields);

    let exists =
        live.and_then(|live| live.at(&["metadata", "uid"])).and_then(Value::as_str).is_some_and(|uid| !uid.is_empty());
    let managed = if managed.is_empty() && exists {
        // Nobody was ever tracked on this object, and an update does not begin with it.
        managed
    } else {
        check_object(request.schema, fields, true, Subject::Updated)?;
        check_object(request.schema, live_fields, true, Subject::LiveOfUpdate)?;
        let api_version = object.api_version();
        let id = OwnerId::new(request.manager, Operation::Update, api_version);
        track(request, managed, live_fields, fields, id, api_version)
    };
    let changed = live.is_none() || !equal_objects(live_fields, fields);
    let managed_fields = managed.encode();
    if object.at(&["metadata", "managedFields"]) == managed_fields.as_ref() {
        return Ok(Applied { object: Cow::Borrowed(object), changed });
    }
    let mut fields = copy_without_managed_fields(fields);
    set_managed_fields(&mut fields, managed_fields);
    Ok(Applied { object: Cow::Owned(Object::from_fields(fields)), changed })
}

/// An object that says only of what kind it is, as the server has it before there is one.
fn bare(object: &Object) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("apiVersion".to_owned(), Value::from(object.api_version()));
    fields.insert("kind".to_owned(), Value::from(object.kind()));
    fields
}

fn check_kind(live: Option<&Object>, config: &Object, schema: &Schema) -> Result<(), ApplyError> {
    let fits_schema = schema.kind.as_ref().is_none_or(|kind| kind.is_of(config));
    let fits_live = live.is_none_or(|live| live.api_version() == config.api_version() && live.kind() == config.kind());
    if fits_schema && fits_live {
        return Ok(());
    }
    Err(ApplyError::WrongKind { found: GroupVersionKind::of(config).to_string() })
}

fn check_object(
    schema: &Schema,
    fields: &Map<String, Value>,
    repeats: bool,
    subject: Subject,
) -> Result<(), ApplyError> {
    check(schema, fields, repeats).map_err(|errors| {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let metadata = |name: &str| text(fields.get("metadata").and_then(|metadata| metadata.get(name)));
        let api_version = text(fields.get("apiVersion"));
        let (group, version) = crate::object::split_api_version(&api_version);
        let kind = text(fields.get("kind"));
        let object = format!("{}/{}; {group}/{version}, Kind={kind}", metadata("namespace"), metadata("name"));
        ApplyError::Invalid { subject, object, errors }
    })
}

/// The managed fields that an update begins with: those that it carries if they are of use, else those of live.
fn given_or_live<'a>(live: &'a Map<String, Value>, given: &'a Map<String, Value>) -> Managed<'a> {
    let list = given.get("metadata").and_then(|metadata| metadata.get("managedFields")).and_then(Value::as_array);
    let resets = list.is_some_and(|list| match list.as_slice() {
        [] => true,
        [Value::Object(only)] => only.is_empty(),
        _ => false,
    });
    if resets {
        return Managed::default();
    }
    match Managed::decode(given) {
        Ok(managed) if !managed.is_empty() => managed,
        _ => Managed::decode(live).unwrap_or_default(),
    }
}

/// Leaves out owners in versions that there are no more, and what became one field; tells whether there was any.
fn bring_up_to_date(managed: &mut Managed<'_>, schema: &Schema) -> bool {
    let before = managed.entries.len();
    managed.entries.retain(|_, entry| schema.knows_version(&entry.api_version));
    let mut changed = managed.entries.len() != before;
    for entry in managed.entries.values_mut() {
        if let Some(fields) = reconcile(&schema.types, schema.root, &entry.fields) {
            entry.fields = fields;
            changed = true;
        }
    }
    changed
}

/// Gives to an owner by update what differs between two objects.
fn track<'f>(
    request: &Request<'f>,
    mut managed: Managed<'f>,
    before: &'f Map<String, Value>,
    after: &'f Map<String, Value>,
    id: OwnerId<'f>,
    api_version: &'f str,
) -> Managed<'f> {
    bring_up_to_date(&mut managed, request.schema);
    let comparison = differences(request.schema, before, after);
    let touched = comparison.modified.union(comparison.added);
    give_up(&mut managed, &touched, &comparison.removed);
    let mut fields = touched;
    strip(&mut fields);
    if !fields.is_empty() {
        let previous = managed.entries.remove(&id).map(|entry| entry.fields).unwrap_or_default();
        let fields = fields.union(previous);
        let time = request.time.map(Cow::Borrowed);
        managed.entries.insert(id, Entry { api_version: Cow::Borrowed(api_version), time, fields });
    }
    managed.cap_updaters();
    managed
}

fn differences<'f>(
    schema: &'f Schema,
    before: &'f Map<String, Value>,
    after: &'f Map<String, Value>,
) -> Comparison<'f> {
    let mut comparison = compare(schema, before, after);
    if schema.resets_status {
        comparison.ignore("status");
    }
    comparison
}

/// Takes from owners what was changed and what is gone; who is left with nothing is no owner.
fn give_up(managed: &mut Managed<'_>, touched: &FieldSet<'_>, removed: &FieldSet<'_>) {
    for entry in managed.entries.values_mut() {
        let fields = std::mem::take(&mut entry.fields);
        entry.fields = fields.difference(touched).difference(removed);
    }
    managed.entries.retain(|_, entry| !entry.fields.is_empty());
}

/// What a merge leaves: the object where it differs from live, and the owners.
struct Merged<'f> {
    object: Option<Map<String, Value>>,
    managed: Managed<'f>,
    /// Whether everyone owns what they owned.
    same_owners: bool,
}

/// The fields in conflict, by owner in the server's order.
pub(super) type ConflictSets = Vec<(Owner, FieldSet<'static>)>;

/// Merges a valid configuration into a valid live object.
fn merge<'f>(
    request: &Request<'f>,
    live: &Map<String, Value>,
    config: &'f Object,
    mut managed: Managed<'f>,
    force: bool,
) -> Result<Merged<'f>, ConflictSets> {
    let schema = request.schema;
    let id = OwnerId::new(request.manager, Operation::Apply, config.api_version());
    let mut fields = field_set(schema, config.fields());
    if schema.resets_status {
        fields.nodes.retain(|node| !matches!(&node.element, PathElement::Field(name) if name == "status"));
    }
    let mut object = merge_objects(schema, live, config.fields());
    let last = managed.entries.remove(&id);
    let mut own = Entry {
        api_version: Cow::Borrowed(config.api_version()),
        time: last.as_ref().and_then(|last| last.time.clone()),
        fields,
    };
    if let Some(last) = &last
        && !last.fields.is_subset(&own.fields)
    {
        let merged = object.take().unwrap_or_else(|| copy_without_managed_fields(live));
        object = Some(prune(schema, merged, &managed, &own, last));
    }
    if let Some(object) = object.as_mut().filter(|_| schema.resets_status) {
        match live.get("status") {
            Some(status) => object.insert("status".to_owned(), status.clone()),
            None => object.remove("status"),
        };
    }
    let object = object.filter(|object| !equal_objects(live, object));

    let others = managed.entries.len();
    if let Some(object) = &object {
        let comparison = differences(schema, live, object);
        let touched = comparison.modified.union(comparison.added);
        let conflicts = if force { Vec::new() } else { conflicts(&managed, &touched) };
        if !conflicts.is_empty() {
            return Err(conflicts);
        }
        give_up(&mut managed, &touched, &comparison.removed);
        own.time = request.time.map(Cow::Borrowed);
    } else {
        managed.entries.retain(|_, entry| !entry.fields.is_empty());
    }
    strip(&mut own.fields);
    let own = Some(own).filter(|own| !own.fields.is_empty());
    let same_owners = object.is_none() && own == last && managed.entries.len() == others;
    managed.entries.extend(own.map(|own| (id, own)));
    Ok(Merged { object, managed, same_owners })
}

fn conflicts(managed: &Managed<'_>, touched: &FieldSet<'_>) -> ConflictSets {
    let sets = managed.entries.iter().map(|(id, entry)| (id, entry, entry.fields.intersection(touched)));
    let mut conflicts: Vec<_> = sets
        .filter(|(.., set)| !set.is_empty())
        .map(|(id, entry, set)| (id.sort_key(), entry.owner(id), set.into_owned()))
        .collect();
    conflicts.sort_by(|a, b| a.0.cmp(&b.0));
    conflicts.into_iter().map(|(_, owner, set)| (owner, set)).collect()
}

fn refusal(schema: &Schema, live: &Map<String, Value>, sets: ConflictSets) -> ApplyError {
    let mut conflicts = Vec::new();
    for (owner, set) in sets {
        let of_owner = places(schema, &set, live).into_iter();
        conflicts.extend(of_owner.map(|field| Conflict { owner: owner.clone(), field }));
    }
    ApplyError::Conflicts { conflicts }
}

/// Removes from a merged object what the manager owned, does not apply any more, and nobody else owns.
fn prune(
    schema: &Schema,
    merged: Map<String, Value>,
    others: &Managed<'_>,
    own: &Entry<'_>,
    last: &Entry<'_>,
) -> Map<String, Value> {
    let with_parents = |mut set: FieldSet<'_>| {
        add_named_parents(&schema.types, Some(schema.root), &mut set);
        set.into_owned()
    };
    let fields_of = |object: &Map<String, Value>| with_parents(field_set(schema, object));
    let without = |set: &FieldSet<'_>| {
        let mut object = merged.clone();
        remove_fields(schema, &mut object, set);
        object
    };
    let last_fields = with_parents(last.fields.clone());
    let merged_fields = fields_of(&merged);

    // Everything that was owned goes, with what is below it; then what is owned now comes back, first in the version
    // of the last apply; and at last what nobody owns, for it was never the manager's to remove.
    let mut pruned = without(&last_fields);
    let mut owned: BTreeMap<(bool, &str), FieldSet<'_>> = BTreeMap::new();
    for entry in others.entries.values().chain([own]) {
        let version = (entry.api_version != last.api_version, &*entry.api_version);
        let all = owned.entry(version).or_default();
        *all = std::mem::take(all).union(entry.fields.clone());
    }
    for owned in owned.into_values() {
        let gone = merged_fields.clone().difference(&fields_of(&pruned)).difference(&with_parents(owned));
        pruned = without(&gone);
    }
    let gone = merged_fields.clone().difference(&fields_of(&pruned)).intersection(&last_fields);
    without(&gone)
}

/// Leaves out what nobody is said to own: what a kind and an object are called, and what the server itself sets.
fn strip(fields: &mut FieldSet<'_>) {
    const OF_METADATA: [&str; 9] = [
        "name",
        "namespace",
        "creationTimestamp",
        "selfLink",
        "uid",
        "clusterName",
        "generation",
        "managedFields",
        "resourceVersion",
    ];
    let is_one_of = |element: &PathElement<'_>, names: &[&str]| matches!(element, PathElement::Field(name) if names.contains(&name.as_ref()));
    for node in &mut fields.nodes {
        if is_one_of(&node.element, &["metadata"]) {
            for below in &mut node.children.nodes {
                below.member &= !is_one_of(&below.element, &OF_METADATA);
            }
            node.children.nodes.retain(|below| below.member || !below.children.is_empty());
        }
        node.member &= !is_one_of(&node.element, &["apiVersion", "kind", "metadata"]);
    }
    fields.nodes.retain(|node| node.member || !node.children.is_empty());
}

/// Whether two objects are equal for the server, but for their managed fields.
fn equal_objects(a: &Map<String, Value>, b: &Map<String, Value>) -> bool {
    fn metadata(object: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
        let metadata = object.get("metadata").and_then(Value::as_object);
        metadata.into_iter().flatten().filter(|(name, _)| *name != "managedFields")
    }
    let same = |(a, b): ((&String, &Value), (&String, &Value))| a.0 == b.0 && equal(a.1, b.1);
    let both_maps = |name: &str, a: &Value, b: &Value| name == "metadata" && a.is_object() && b.is_object();
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|((a_name, a), (b_name, b))| a_name == b_name && (both_maps(a_name, a, b) || equal(a, b)))
        && metadata(a).count() == metadata(b).count()
        && metadata(a).zip(metadata(b)).all(same)
}

/// Copies an object, but for its managed fields, which can be larger than all else.
pub(super) fn copy_without_managed_fields(fields: &Map<String, Value>) -> Map<String, Value> {
    let copy = |(name, value): (&String, &Value)| match value {
        Value::Object(metadata) if name == "metadata" => {
            (name.clone(), Value::Object(copy_without(metadata, "managedFields")))
        }
        other => (name.clone(), other.clone()),
    };
    fields.iter().map(copy).collect()
}

fn set_managed_fields(fields: &mut Map<String, Value>, managed_fields: Option<Value>) {
    let metadata = fields.get_mut("metadata").and_then(Value::as_object_mut);
    match (metadata, managed_fields) {
        (Some(metadata), Some(managed_fields)) => _ = metadata.insert("managedFields".to_owned(), managed_fields),
        (Some(metadata), None) => _ = metadata.remove("managedFields"),
        (None, Some(managed_fields)) => {
            let metadata = Map::from_iter([("managedFields".to_owned(), managed_fields)]);
            fields.insert("metadata".to_owned(), Value::Object(metadata));
        }
        (None, None) => {}
    }
}
