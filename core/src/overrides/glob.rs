//! A glob as Go's `filepath.Match` reads it.
