//! What is known of a cluster: its objects, and what follows from them.

mod hardware;
mod topology;

pub use hardware::Hardware;
pub use topology::Topology;
