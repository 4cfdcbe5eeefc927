//! How people override the baseline: annotations on the objects it applies.

pub mod exclusion;
pub mod glob;
pub mod mask;
pub mod patch;
