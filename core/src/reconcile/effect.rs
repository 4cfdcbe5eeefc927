//! What the machine asks of its driver, and what the driver tells the machine.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::events::EventRecord;
use super::metrics::MetricChange;
use crate::Object;
use crate::object::ObjectRef;

/// Something that the driver is to do. Those with an `id` are answered by [`Event::Done`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Effect {
    /// Read an object.
    Get {
        /// Names the effect in its answer.
        id: u64,
        /// The object.
        object: ObjectRef,
    },
    /// Ask the API server what a forced server-side apply would lead to.
    DryRun {
        /// Names the effect in its answer.
        id: u64,
        /// What would be applied.
        object: Arc<Object>,
    },
    /// Apply an object by server-side apply, forced.
    Apply {
        /// Names the effect in its answer.
        id: u64,
        /// What is applied.
        object: Arc<Object>,
    },
    /// Read an object anew, set an annotation on it and write it back whole.
    Annotate {
        /// Names the effect in its answer.
        id: u64,
        /// The object.
        object: ObjectRef,
        /// The annotation's key.
        key: String,
        /// Its value.
        value: String,
    },
    /// Delete an object.
    Delete {
        /// Names the effect in its answer.
        id: u64,
        /// The object.
        object: ObjectRef,
    },
    /// Record a Kubernetes event on the HyperConverged. Not answered.
    Event {
        /// The event.
        event: EventRecord,
    },
    /// Change a metric. Not answered.
    Metric {
        /// The change.
        change: MetricChange,
    },
    /// A pass has ended. Not answered.
    Finished {
        /// The error in which it ended, in the controller's words; `None`: none.
        error: Option<String>,
    },
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The whole snapshot is known anew, as after a start.
    Snapshot(crate::Cluster),
    /// An object was created or changed.
    Changed(Arc<Object>),
    /// An object was deleted.
    Deleted(ObjectRef),
    /// An effect was carried out. An answer that is not waited for is ignored.
    Done {
        /// The effect's id.
        id: u64,
        /// How it went.
        answer: Answer,
    },
    /// Time has passed.
    Tick,
}

/// How an effect went: the object as it is then (`None`: it is not there), or the error.
pub type Answer = Result<Option<Arc<Object>>, ApiError>;

/// An error of the API server, or on the way to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
#[serde(rename_all = "camelCase")]
pub struct ApiError {
    /// What kind of error it is.
    pub kind: ApiErrorKind,
    /// What the server says.
    pub message: String,
}

/// A kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ApiErrorKind {
    /// The target namespace does not exist (404).
    NamespaceNotFound,
    /// The object does not exist (404).
    NotFound,
    /// Another writer was faster (409).
    Conflict,
    /// The server refuses the object (400, 403, 422).
    Invalid,
    /// The answer did not come: whether the effect was carried out is not known.
    Unknown,
}
