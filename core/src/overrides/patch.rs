//! `patch`: an RFC 6902 patch of the baseline, in the controller's dialect.
