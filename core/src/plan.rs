//! One pass of the controller over a snapshot: what would change, on which fields, taken from whom.
