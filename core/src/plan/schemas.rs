//! Which schema the API server would apply an object by.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::object::ObjectRef;
use crate::ssa::Schema;
use crate::{Cluster, Object};

/// The schemas of a snapshot, compiled when they are first asked for.
pub(crate) struct Schemas {
    /// Whether kinds without a CRD have the schema that is built in.
    builtin: bool,
    crds: BTreeMap<(String, String), Arc<Object>>,
    compiled: RefCell<BTreeMap<String, Schema>>,
}

impl Schemas {
    pub(crate) fn of(cluster: &Cluster) -> Self {
        let text = |crd: &Object, path: &[&str]| crd.at(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        let crds = cluster.list("apiextensions.k8s.io", "CustomResourceDefinition").map(|crd| {
            let key = (text(crd, &["spec", "group"]), text(crd, &["spec", "names", "kind"]));
            (key, Arc::clone(crd))
        });
        Self { builtin: true, crds: crds.collect(), compiled: RefCell::default() }
    }

    /// No schema for any kind.
    pub(crate) fn none() -> Self {
        Self { builtin: false, crds: BTreeMap::new(), compiled: RefCell::default() }
    }

    /// Whether it is the one of [`Schemas::none`].
    pub(crate) fn is_none(&self) -> bool {
        !self.builtin
    }

    /// The CRD of an object's kind.
    pub(crate) fn crd_of(&self, object: &ObjectRef) -> Option<&Arc<Object>> {
        self.crds.get(&(object.group().to_owned(), object.kind.clone()))
    }

    /// The schema of an object's kind: its CRD's, else a built-in one, else none.
    pub(crate) fn of_object(&self, object: &ObjectRef) -> Schema {
        let key = format!("{} {}", object.api_version, object.kind);
        if let Some(schema) = self.compiled.borrow().get(&key) {
            return schema.clone();
        }
        let schema = self
            .crd_of(object)
            .and_then(|crd| Schema::of_crd(crd, object.version()))
            .or_else(|| Schema::builtin(object.group(), object.version(), &object.kind).filter(|_| self.builtin))
            .unwrap_or_else(Schema::untyped);
        self.compiled.borrow_mut().insert(key, schema.clone());
        schema
    }
}
