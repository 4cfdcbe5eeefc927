//! The controller's loop over time.
//!
//! [`Machine`] is the loop without IO: it takes in what happens, and answers with what is to be done. Time comes in as a
//! value.

mod effect;
pub mod events;
pub(crate) mod journal;
mod machine;
pub mod metrics;
pub mod throttle;

pub use effect::{Answer, ApiError, ApiErrorKind, Effect, Event};
pub use machine::{FIRST_RETRY, LONGEST_RETRY, Machine, REQUEUE, State};
pub use throttle::Millis;
