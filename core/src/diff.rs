//! What differs between two objects: as a list of fields, and as text.
