//! Which assets the activation annotation puts in play.
