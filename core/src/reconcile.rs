//! The controller's loop over time.

pub mod events;
pub(crate) mod journal;
pub mod metrics;
pub mod throttle;
