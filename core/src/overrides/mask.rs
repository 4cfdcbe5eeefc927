//! `ignore-fields`: fields that keep live's value.
