//! The Kubernetes API as the driver needs it, with its errors as the machine knows them.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kube::api::{ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use kube::discovery::{Scope, pinned_kind};
use kube::{Client, Error};
use serde_json::json;
use virt_autopilot::Object;
use virt_autopilot::object::{FIELD_MANAGER, ObjectRef, split_api_version};
use virt_autopilot::reconcile::events::EventRecord;
use virt_autopilot::reconcile::{Answer, ApiError, ApiErrorKind};

type Dynamic = kube::Api<DynamicObject>;

/// A client that asks one thing at a time and waits no longer than its patience lasts.
pub struct Api {
    client: Client,
    patience: Duration,
    /// The kinds that were asked for, by apiVersion and kind.
    kinds: Mutex<BTreeMap<(String, String), (ApiResource, Scope)>>,
}

impl Api {
    /// A client of that patience.
    pub fn new(client: Client, patience: Duration) -> Self {
        Self { client, patience, kinds: Mutex::default() }
    }

    /// Every object of a kind; none where the kind is not served.
    ///
    /// # Errors
    ///
    /// Where the API server does not answer, or refuses.
    pub async fn list(&self, api_version: &str, kind: &str) -> Result<Vec<Object>, ApiError> {
        let (resource, _) = match self.kind(api_version, kind).await {
            Err(error) if error.kind == ApiErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let listed = self.wait(Dynamic::all_with(self.client.clone(), &resource).list(&ListParams::default())).await?;
        // The items of a list do not say what they are.
        let items = listed.items.into_iter().map(|mut item| {
            item.types.get_or_insert_with(|| kube::api::TypeMeta {
                api_version: resource.api_version.clone(),
                kind: resource.kind.clone(),
            });
            object_of(item)
        });
        items.collect()
    }

    /// Reads an object.
    ///
    /// # Errors
    ///
    /// Where the API server does not answer, or refuses.
    pub async fn get(&self, object: &ObjectRef) -> Answer {
        let api = match self.at(object).await {
            Err(error) if error.kind == ApiErrorKind::NotFound => return Ok(None),
            other => other?,
        };
        self.wait(api.get_opt(&object.name)).await?.map(found).transpose().map(Option::flatten)
    }

    /// Applies an object by forced server-side apply, or asks what would come of it.
    ///
    /// # Errors
    ///
    /// Where the API server does not answer, or refuses.
    pub async fn apply(&self, object: &Object, manager: &str, dry_run: bool) -> Answer {
        let reference = object.reference();
        let parameters = PatchParams { dry_run, ..PatchParams::apply(manager).force() };
        let api = self.at(&reference).await?;
        found(self.wait(api.patch(&reference.name, &parameters, &Patch::Apply(object.as_value()))).await?)
    }

    /// Reads an object, sets an annotation on it and writes it back whole. If somebody was faster it is a conflict.
    ///
    /// # Errors
    ///
    /// Where the object is gone, or the API server does not answer, or refuses.
    pub async fn annotate(&self, object: &ObjectRef, key: &str, value: &str) -> Answer {
        let api = self.at(object).await?;
        let mut fresh = self.wait(api.get(&object.name)).await?;
        fresh.metadata.annotations.get_or_insert_default().insert(key.to_owned(), value.to_owned());
        let parameters = PostParams { field_manager: Some(FIELD_MANAGER.to_owned()), ..PostParams::default() };
        found(self.wait(api.replace(&object.name, &parameters, &fresh)).await?)
    }

    /// Deletes an object.
    ///
    /// # Errors
    ///
    /// Where the object is gone, or the API server does not answer, or refuses.
    pub async fn delete(&self, object: &ObjectRef) -> Answer {
        let api = self.at(object).await?;
        self.wait(api.delete(&object.name, &DeleteParams::default())).await?;
        Ok(None)
    }

    /// Records an event on the HyperConverged of that name.
    ///
    /// # Errors
    ///
    /// Where the API server does not answer, or refuses.
    pub async fn emit(&self, event: &EventRecord, namespace: &str, hco: &str) -> Result<(), ApiError> {
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("events.k8s.io", "v1", "Event"));
        let api = Dynamic::namespaced_with(self.client.clone(), namespace, &kind);
        let value = json!({
            "apiVersion": "events.k8s.io/v1", "kind": "Event",
            "metadata": {"generateName": format!("{hco}."), "namespace": namespace},
            "regarding": {"kind": "HyperConverged", "name": hco, "namespace": namespace},
            "type": event.event_type, "reason": event.reason, "action": event.action, "note": event.note,
            "reportingController": FIELD_MANAGER,
        });
        let event = serde_json::from_value(value).map_err(|error| unknown(&error))?;
        self.wait(api.create(&PostParams::default(), &event)).await.map(drop)
    }

    /// Where an object is served.
    async fn at(&self, object: &ObjectRef) -> Result<Dynamic, ApiError> {
        let (resource, scope) = self.kind(&object.api_version, &object.kind).await?;
        Ok(match scope {
            Scope::Cluster => Dynamic::all_with(self.client.clone(), &resource),
            Scope::Namespaced => Dynamic::namespaced_with(self.client.clone(), &object.namespace, &resource),
        })
    }

    /// How a kind is served. What the API server once served is remembered, and what it does not is asked anew.
    async fn kind(&self, api_version: &str, kind: &str) -> Result<(ApiResource, Scope), ApiError> {
        let key = (api_version.to_owned(), kind.to_owned());
        if let Some(known) = self.kinds.lock().ok().and_then(|kinds| kinds.get(&key).cloned()) {
            return Ok(known);
        }
        let (group, version) = split_api_version(api_version);
        let asked = GroupVersionKind::gvk(group, version, kind);
        let (resource, capabilities) = self.wait(pinned_kind(&self.client, &asked)).await?;
        let known = (resource, capabilities.scope);
        if let Ok(mut kinds) = self.kinds.lock() {
            kinds.insert(key, known.clone());
        }
        Ok(known)
    }

    /// Waits for an answer. One that does not come leaves open whether the request was carried out.
    async fn wait<T>(&self, request: impl Future<Output = Result<T, Error>>) -> Result<T, ApiError> {
        match tokio::time::timeout(self.patience, request).await {
            Ok(answer) => answer.map_err(|error| api_error(&error)),
            Err(_) => Err(unknown(&format!("no answer within {:?}", self.patience))),
        }
    }
}

fn unknown(message: &impl ToString) -> ApiError {
    ApiError { kind: ApiErrorKind::Unknown, message: message.to_string() }
}

fn api_error(error: &Error) -> ApiError {
    match error {
        Error::Api(status) => {
            let message = status.message.clone();
            let kind = match status.code {
                404 if message.starts_with("namespaces \"") => ApiErrorKind::NamespaceNotFound,
                404 => ApiErrorKind::NotFound,
                409 => ApiErrorKind::Conflict,
                400 | 403 | 422 => ApiErrorKind::Invalid,
                _ => ApiErrorKind::Unknown,
            };
            ApiError { kind, message }
        }
        Error::Discovery(_) => ApiError { kind: ApiErrorKind::NotFound, message: error.to_string() },
        other => unknown(&other.to_string()),
    }
}

fn found(object: DynamicObject) -> Answer {
    object_of(object).map(|object| Some(Arc::new(object)))
}

fn object_of(object: DynamicObject) -> Result<Object, ApiError> {
    let value = serde_json::to_value(object).map_err(|error| unknown(&error))?;
    Object::from_value(value).map_err(|error| unknown(&error))
}
