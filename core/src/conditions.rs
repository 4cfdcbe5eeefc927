//! Whether an asset's conditions hold, and why not.
