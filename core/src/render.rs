//! Which assets the controller would render, why or why not, and what they come to.
