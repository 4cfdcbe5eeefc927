//! A Kubernetes API server in memory: as much of it as the loop and its opponents need.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::object::ObjectRef;
use crate::plan::Schemas;
use crate::reconcile::{Answer, ApiError, ApiErrorKind};
use crate::ssa::{self, ApplyError, Schema};
use crate::{Cluster, Object};

/// A cluster that takes server-side applies, updates, merge patches and deletions, and keeps managed fields.
///
/// # Examples
///
/// ```
/// use virt_autopilot::simulate::Server;
/// use virt_autopilot::{Cluster, Object};
///
/// let mut server = Server::new(Cluster::default());
/// let object = Object::from_value(serde_json::json!({
///     "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "b"}, "data": {"x": "1"},
/// })).unwrap();
/// let written = server.apply(&object.into(), "somebody", false).unwrap().unwrap();
/// assert_eq!(written.at(&["metadata", "managedFields"]).and_then(|fields| fields.as_array()).map(Vec::len), Some(1));
/// ```
pub struct Server {
    cluster: Cluster,
    schemas: Schemas,
    /// Fields that a webhook sets on objects where they are absent.
    defaults: Vec<(ObjectRef, Value)>,
    /// The last writes to each object. A fight goes to and fro between few states, which are worked out once.
    recent: BTreeMap<ObjectRef, VecDeque<Recent>>,
}

/// A write, and what came of it.
struct Recent {
    live: Option<Arc<Object>>,
    write: Write,
    manager: String,
    result: Arc<Object>,
}

/// How many writes to an object are remembered.
const MOST_RECENT: usize = 16;

#[derive(PartialEq)]
enum Write {
    Apply { object: Arc<Object>, force: bool },
    Update { object: Arc<Object> },
    Merge { patch: Value },
}

impl Server {
    /// A server that holds a cluster's objects.
    pub fn new(cluster: Cluster) -> Self {
        let schemas = Schemas::of(&cluster);
        Self { cluster, schemas, defaults: Vec::new(), recent: BTreeMap::new() }
    }

    /// The same server without the schema of any kind: maps are granular, lists atomic, and whatever is written fits.
    #[must_use]
    pub fn without_schemas(mut self) -> Self {
        self.schemas = Schemas::none();
        self.recent.clear();
        self
    }

    /// The objects as they are.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Has a webhook set fields of an object where they are absent, from now on.
    pub fn set_defaults(&mut self, object: ObjectRef, defaults: Value) {
        self.recent.remove(&object);
        self.defaults.push((object, defaults));
    }

    pub(super) fn schema(&self, object: &ObjectRef) -> Schema {
        self.schemas.of_object(object)
    }

    /// Reads an object. Where no Namespace is known at all, each that is asked for is there.
    pub fn get(&self, object: &ObjectRef) -> Option<Arc<Object>> {
        let found = self.cluster.get(object).cloned();
        if found.is_some() || (object.group(), object.kind.as_str()) != ("", "Namespace") {
            return found;
        }
        let made = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": object.name}});
        Object::from_value(made).ok().filter(|_| self.cluster.has_namespace(&object.name)).map(Arc::new)
    }

    /// What a forced server-side apply would lead to.
    ///
    /// # Errors
    ///
    /// As the API server has them.
    pub fn dry_run(&mut self, object: &Arc<Object>, manager: &str) -> Answer {
        self.work_out(&object.reference(), Write::Apply { object: Arc::clone(object), force: true }, manager).map(Some)
    }

    /// Applies an object by server-side apply. An apply that changes nothing answers with the very object that is there.
    ///
    /// # Errors
    ///
    /// As the API server has them; without `force`, a conflict where another manager owns a field.
    pub fn apply(&mut self, object: &Arc<Object>, manager: &str, force: bool) -> Answer {
        self.write(&object.reference(), Write::Apply { object: Arc::clone(object), force }, manager)
    }

    /// Creates an object, or puts it in the place of the one that is there.
    ///
    /// # Errors
    ///
    /// As the API server has them.
    pub fn update(&mut self, object: &Arc<Object>, manager: &str) -> Answer {
        self.write(&object.reference(), Write::Update { object: Arc::clone(object) }, manager)
    }

    /// Changes an object by a JSON merge patch (RFC 7386).
    ///
    /// # Errors
    ///
    /// Where the object is not there, or the API server refuses what comes of it.
    pub fn merge_patch(&mut self, object: &ObjectRef, patch: &Value, manager: &str) -> Answer {
        self.write(object, Write::Merge { patch: patch.clone() }, manager)
    }

    /// Sets an annotation as the controller does: it reads the object, and writes it back whole.
    ///
    /// # Errors
    ///
    /// Where the object is not there, or the API server refuses what comes of it.
    pub fn annotate(&mut self, object: &ObjectRef, key: &str, value: &str, manager: &str) -> Answer {
        let live = self.get(object).ok_or_else(|| not_found(object))?;
        let mut annotated = Object::clone(&live);
        annotated.set_annotation(key, Some(value));
        self.update(&Arc::new(annotated), manager)
    }

    /// Puts an object in its place as it is, past namespaces, webhooks and managed fields.
    pub fn put(&mut self, object: Arc<Object>) {
        let reference = object.reference();
        self.cluster.put(object);
        self.note_crd(&reference);
    }

    /// Deletes an object.
    pub fn delete(&mut self, object: &ObjectRef) -> Option<Arc<Object>> {
        let gone = self.cluster.remove(object)?;
        self.note_crd(object);
        Some(gone)
    }

    fn write(&mut self, reference: &ObjectRef, write: Write, manager: &str) -> Answer {
        if !self.cluster.has_namespace(&reference.namespace) {
            let message = format!("namespaces \"{}\" not found", reference.namespace);
            return Err(ApiError { kind: ApiErrorKind::NamespaceNotFound, message });
        }
        let result = self.work_out(reference, write, manager)?;
        if self.cluster.get(reference).is_none_or(|live| !Arc::ptr_eq(live, &result)) {
            self.cluster.put(Arc::clone(&result));
            self.note_crd(reference);
        }
        Ok(Some(result))
    }

    fn note_crd(&mut self, object: &ObjectRef) {
        if object.kind == "CustomResourceDefinition" && !self.schemas.is_none() {
            self.schemas = Schemas::of(&self.cluster);
            self.recent.clear();
        }
    }

    /// The object that a write leads to: live itself, where it changes nothing.
    fn work_out(&mut self, reference: &ObjectRef, write: Write, manager: &str) -> Result<Arc<Object>, ApiError> {
        let parts =
            [("apiVersion", &reference.api_version), ("kind", &reference.kind), ("metadata.name", &reference.name)];
        if let Some((part, _)) = parts.iter().find(|(_, text)| text.is_empty()) {
            let message = format!("an object without `{part}` has no place on the server");
            return Err(ApiError { kind: ApiErrorKind::Invalid, message });
        }
        let live = self.cluster.get(reference).cloned();
        let is_same = |known: &Recent| {
            let same_live = match (&known.live, &live) {
                (Some(known), Some(live)) => Arc::ptr_eq(known, live),
                (None, None) => true,
                _ => false,
            };
            same_live && known.manager == manager && known.write == write
        };
        if let Some(known) = self.recent.get(reference).and_then(|recent| recent.iter().find(|known| is_same(known))) {
            return Ok(Arc::clone(&known.result));
        }
        let mut result = Arc::new(self.compute(reference, live.as_deref(), &write, manager)?);
        let recent = self.recent.entry(reference.clone()).or_default();
        let states = recent.iter().map(|known| &known.result);
        if let Some(known) = live.iter().chain(states).find(|known| **known == result) {
            result = Arc::clone(known);
        }
        if recent.len() >= MOST_RECENT {
            recent.pop_front();
        }
        recent.push_back(Recent { live, write, manager: manager.to_owned(), result: Arc::clone(&result) });
        Ok(result)
    }

    fn compute(
        &self,
        reference: &ObjectRef,
        live: Option<&Object>,
        write: &Write,
        manager: &str,
    ) -> Result<Object, ApiError> {
        // An object is kept in the version in which it was given. To who writes it in another it is taken as it is, by no
        // schema, as in a plan: which fields moved is not known.
        let stored = live.map(|live| live.api_version().to_owned());
        let converted = live.and_then(|live| live.in_version(&reference.api_version));
        let schema = if converted.is_some() { Schema::untyped() } else { self.schemas.of_object(reference) };
        let live = converted.as_ref().or(live);
        let request = |force| ssa::Request { manager, force, schema: &schema, time: None };
        let merged;
        let written = match write {
            Write::Apply { object, force } => ssa::apply(live, object, &request(*force)),
            Write::Update { object } => ssa::update(live, object, &request(false)),
            Write::Merge { patch } => {
                let mut value = live.ok_or_else(|| not_found(reference))?.to_value();
                json_patch::merge(&mut value, patch);
                merged = Object::from_value(value)
                    .map_err(|error| ApiError { kind: ApiErrorKind::Invalid, message: error.to_string() })?;
                ssa::update(live, &merged, &request(false))
            }
        };
        let admitted = self.admit(written.map_err(refused)?.object.into_owned());
        Ok(stored.and_then(|version| admitted.in_version(&version)).unwrap_or(admitted))
    }

    /// What is stored of an object: without empty maps of labels and annotations, and with what the webhooks set. They
    /// come after the managed fields are settled, so that nobody owns that.
    fn admit(&self, mut object: Object) -> Object {
        for map in ["annotations", "labels"] {
            if let Some(Value::Object(metadata)) = object.fields_mut().get_mut("metadata")
                && metadata.get(map).and_then(Value::as_object).is_some_and(Map::is_empty)
            {
                metadata.remove(map);
            }
        }
        let reference = object.reference();
        for (_, defaults) in self.defaults.iter().filter(|(target, _)| *target == reference) {
            if let Value::Object(defaults) = defaults {
                fill(object.fields_mut(), defaults);
            }
        }
        object
    }
}

/// Sets what is absent.
fn fill(map: &mut Map<String, Value>, defaults: &Map<String, Value>) {
    for (key, default) in defaults {
        match (map.get_mut(key), default) {
            (None, _) => {
                map.insert(key.clone(), default.clone());
            }
            (Some(Value::Object(inner)), Value::Object(more)) => fill(inner, more),
            _ => {}
        }
    }
}

fn not_found(object: &ObjectRef) -> ApiError {
    ApiError { kind: ApiErrorKind::NotFound, message: format!("{object} not found") }
}

fn refused(error: ApplyError) -> ApiError {
    let kind = match &error {
        ApplyError::Conflicts { .. } => ApiErrorKind::Conflict,
        _ => ApiErrorKind::Invalid,
    };
    ApiError { kind, message: error.to_string() }
}
