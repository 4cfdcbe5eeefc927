//! A Kubernetes API server in memory: as much of it as the loop and its opponents need.

use std::collections::BTreeMap;
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
/// let written = server.apply(&object, "somebody", false).unwrap().unwrap();
/// assert_eq!(written.at(&["metadata", "managedFields"]).and_then(|fields| fields.as_array()).map(Vec::len), Some(1));
/// ```
pub struct Server {
    cluster: Cluster,
    schemas: Schemas,
    revision: u64,
    /// Fields that a webhook sets on objects where they are absent.
    defaults: Vec<(ObjectRef, Value)>,
    dry_runs: BTreeMap<ObjectRef, DryRun>,
}

/// The last dry run of an object.
struct DryRun {
    asked: Arc<Object>,
    live: Arc<Object>,
    answer: Arc<Object>,
}

impl Server {
    /// A server that holds a cluster's objects.
    pub fn new(cluster: Cluster) -> Self {
        let schemas = Schemas::of(&cluster);
        Self { cluster, schemas, revision: 1, defaults: Vec::new(), dry_runs: BTreeMap::new() }
    }

    /// The objects as they are.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Has a webhook set fields of an object where they are absent, from now on.
    pub fn set_defaults(&mut self, object: ObjectRef, defaults: Value) {
        self.defaults.push((object, defaults));
    }

    pub(super) fn schema(&self, object: &ObjectRef) -> Schema {
        self.schemas.of_object(object)
    }

    /// Reads an object.
    pub fn get(&self, object: &ObjectRef) -> Option<Arc<Object>> {
        self.cluster.get(object).cloned()
    }

    /// What a forced server-side apply would lead to.
    ///
    /// # Errors
    ///
    /// As the API server has them.
    pub fn dry_run(&mut self, object: &Arc<Object>, manager: &str) -> Answer {
        let reference = object.reference();
        let live = self.get(&reference);
        if let (Some(last), Some(live)) = (self.dry_runs.get(&reference), &live)
            && Arc::ptr_eq(&last.live, live)
            && (Arc::ptr_eq(&last.asked, object) || last.asked == *object)
        {
            return Ok(Some(Arc::clone(&last.answer)));
        }
        let merged = self.merge(live.as_ref(), object, manager, true)?;
        if let Some(live) = live {
            let last = DryRun { asked: Arc::clone(object), live, answer: Arc::clone(&merged) };
            self.dry_runs.insert(reference, last);
        }
        Ok(Some(merged))
    }

    /// Applies an object by server-side apply.
    ///
    /// # Errors
    ///
    /// As the API server has them; without `force`, a conflict where another manager owns a field.
    pub fn apply(&mut self, object: &Object, manager: &str, force: bool) -> Answer {
        let reference = object.reference();
        self.check_namespace(&reference)?;
        let live = self.get(&reference);
        let merged = self.merge(live.as_ref(), object, manager, force)?;
        if live.as_ref().is_some_and(|live| Arc::ptr_eq(live, &merged)) {
            return Ok(live);
        }
        Ok(Some(self.store(Arc::unwrap_or_clone(merged))))
    }

    /// Creates an object, or puts it in the place of the one that is there.
    ///
    /// # Errors
    ///
    /// As the API server has them.
    pub fn update(&mut self, object: &Object, manager: &str) -> Answer {
        let reference = object.reference();
        self.check_namespace(&reference)?;
        let live = self.get(&reference);
        let object = self.admit(object.clone());
        let schema = self.schemas.of_object(&reference);
        let request = ssa::Request { manager, force: false, schema: &schema, time: None };
        let updated = ssa::update(live.as_deref(), &object, &request).map_err(refused)?;
        match live {
            Some(live) if !updated.changed => Ok(Some(live)),
            _ => Ok(Some(self.store(updated.object.into_owned()))),
        }
    }

    /// Changes an object by a JSON merge patch (RFC 7386).
    ///
    /// # Errors
    ///
    /// Where the object is not there, or the API server refuses what comes of it.
    pub fn merge_patch(&mut self, object: &ObjectRef, patch: &Value, manager: &str) -> Answer {
        let Some(live) = self.get(object) else {
            let message = format!("{object} not found");
            return Err(ApiError { kind: ApiErrorKind::NotFound, message });
        };
        let mut value = live.to_value();
        json_patch::merge(&mut value, patch);
        match Object::from_value(value) {
            Ok(changed) => self.update(&changed, manager),
            Err(error) => Err(ApiError { kind: ApiErrorKind::Invalid, message: error.to_string() }),
        }
    }

    /// Deletes an object.
    pub fn delete(&mut self, object: &ObjectRef) -> Option<Arc<Object>> {
        self.cluster.remove(object)
    }

    fn check_namespace(&self, object: &ObjectRef) -> Result<(), ApiError> {
        if self.cluster.has_namespace(&object.namespace) {
            return Ok(());
        }
        let message = format!("namespaces \"{}\" not found", object.namespace);
        Err(ApiError { kind: ApiErrorKind::NamespaceNotFound, message })
    }

    /// The object that an apply leads to: live itself, where it changes nothing.
    fn merge(
        &self,
        live: Option<&Arc<Object>>,
        object: &Object,
        manager: &str,
        force: bool,
    ) -> Result<Arc<Object>, ApiError> {
        let schema = self.schemas.of_object(&object.reference());
        let request = ssa::Request { manager, force, schema: &schema, time: None };
        let applied = ssa::apply(live.map(Arc::as_ref), object, &request).map_err(refused)?;
        match live {
            Some(live) if !applied.changed => Ok(Arc::clone(live)),
            _ => Ok(Arc::new(self.admit(applied.object.into_owned()))),
        }
    }

    /// What the webhooks make of an object.
    fn admit(&self, object: Object) -> Object {
        let reference = object.reference();
        let mut fields = object;
        for (_, defaults) in self.defaults.iter().filter(|(target, _)| *target == reference) {
            if let Value::Object(defaults) = defaults {
                fill(fields.fields_mut(), defaults);
            }
        }
        fields
    }

    fn store(&mut self, mut object: Object) -> Arc<Object> {
        self.revision += 1;
        let version = self.revision.to_string();
        let metadata = object.fields_mut().entry("metadata").or_insert_with(|| json!({}));
        if let Value::Object(metadata) = metadata {
            metadata.insert("resourceVersion".to_owned(), Value::from(version));
        }
        let object = Arc::new(object);
        self.cluster.put(Arc::clone(&object));
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

fn refused(error: ApplyError) -> ApiError {
    let kind = match &error {
        ApplyError::Conflicts { .. } => ApiErrorKind::Conflict,
        _ => ApiErrorKind::Invalid,
    };
    ApiError { kind, message: error.to_string() }
}
