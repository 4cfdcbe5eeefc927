//! Why an apply or an update is refused.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::managed::{ManagedFieldsError, Owner};
use super::place::Place;
use super::typed::FieldError;

/// Why the API server refuses an apply or an update. Displays as the server reports it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The live object's managed fields cannot be read.
    #[error("failed to decode managed fields: {cause}")]
    ManagedFields {
        /// Why.
        #[from]
        cause: ManagedFieldsError,
    },
    /// The configuration is of another kind or version than the live object or its schema.
    #[error("invalid object type: {found}")]
    WrongKind {
        /// The configuration's kind, for example `apps/v1, Kind=DaemonSet`.
        found: String,
    },
    /// The configuration has managed fields of its own.
    #[error("metadata.managedFields must be nil")]
    ManagedFieldsApplied,
    /// An object does not fit its schema.
    #[error("{subject} ({object}){}: {}", subject.after(), Listed(errors))]
    Invalid {
        /// Which object.
        subject: Subject,
        /// Its name as the server prints it: `namespace/name; group/version, Kind=kind`.
        object: String,
        /// What is wrong with it; never empty.
        errors: Vec<FieldError>,
    },
    /// Others own what the configuration would change, and the apply is not forced.
    #[error("{}", Conflicts(conflicts))]
    Conflicts {
        /// The fields, by owner; never empty.
        conflicts: Vec<Conflict>,
    },
}

/// Which object of an apply or an update does not fit the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The applied configuration.
    Config,
    /// The live object to which it is applied.
    Live,
    /// The live object, whose fields have no owner yet.
    Unowned,
    /// The object of an update.
    Updated,
    /// The live object that an update changes.
    LiveOfUpdate,
}

impl Subject {
    fn after(self) -> &'static str {
        match self {
            Self::Config | Self::Live => "",
            Self::Unowned | Self::Updated | Self::LiveOfUpdate => " to smd typed",
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Config => "failed to create typed patch object",
            Self::Live => "failed to create typed live object",
            Self::Unowned => "failed to create manager for existing fields: failed to convert new object",
            Self::Updated => "failed to convert new object",
            Self::LiveOfUpdate => "failed to convert live object",
        })
    }
}

/// A field that a configuration would change and another owns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// Who owns it.
    pub owner: Owner,
    /// The field, with its place in the live object.
    pub field: Place,
}

struct Listed<'a>(&'a [FieldError]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [only] => only.fmt(f),
            several => {
                f.write_str("errors:")?;
                several.iter().try_for_each(|error| write!(f, "\n  {error}"))
            }
        }
    }
}

struct Conflicts<'a>(&'a [Conflict]);

impl fmt::Display for Conflicts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [Conflict { owner, field }] = self.0 {
            return write!(f, "Apply failed with 1 conflict: conflict with {owner}: {}", field.path);
        }
        write!(f, "Apply failed with {} conflicts: ", self.0.len())?;
        for (position, group) in self.0.chunk_by(|a, b| a.owner == b.owner).enumerate() {
            if position > 0 {
                f.write_str("\n")?;
            }
            if let Some(Conflict { owner, .. }) = group.first() {
                write!(f, "conflicts with {owner}:")?;
            }
            group.iter().try_for_each(|conflict| write!(f, "\n- {}", conflict.field.path))?;
        }
        Ok(())
    }
}
