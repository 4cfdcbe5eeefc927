//! Server-side apply, as the API server does it.

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
