//! The catalog: what the autopilot applies, under which conditions.
