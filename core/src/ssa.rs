//! Server-side apply, as the API server does it.

mod field_set;
mod fields_v1;
mod value;

pub use field_set::{FieldPath, FieldSet, PathElement};
pub use fields_v1::FieldsV1Error;
