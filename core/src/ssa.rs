//! Server-side apply, as the API server does it.

mod builtin;
mod field_set;
mod fields_v1;
mod schema;
mod value;

pub use field_set::{FieldPath, FieldSet, PathElement};
pub use fields_v1::FieldsV1Error;
pub use schema::{Schema, SchemaError};
