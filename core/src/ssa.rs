//! Server-side apply, as the API server does it.
//!
//! [`apply`] merges a configuration into a live object and tells who owns which field afterwards; [`update`] tells what
//! a plain write does to ownership; [`ownership`] tells it field by field, as one manager sees it. What is a field of
//! its own is for the [`Schema`] to say: that of a CustomResourceDefinition, of a kind of Kubernetes itself, or none.
//!
//! The rules are those of the Kubernetes documentation, "Server-Side Apply", as the field manager of Kubernetes has
//! them: the same objects, managed fields in the same order, and errors in the same words. It stops where the field
//! manager stops: nothing is defaulted, validated, admitted or converted between versions.

mod apply;
mod builtin;
mod compare;
mod error;
mod field_set;
mod fields_v1;
mod last_applied;
mod managed;
mod merge;
mod ownership;
mod place;
mod schema;
#[cfg(test)]
mod tests;
mod typed;
mod value;

pub use apply::{Applied, Request, apply, update};
pub use error::{ApplyError, Conflict, Subject};
pub use field_set::{FieldPath, FieldSet, PathElement};
pub use fields_v1::FieldsV1Error;
pub use managed::{ManagedFieldsError, Operation, Owner};
pub use ownership::{OwnershipChange, ownership};
pub use place::Place;
pub use schema::{Schema, SchemaError};
pub use typed::{FieldError, FieldProblem, ItemProblem};
