//! The controller's loop over time.
