//! What differs between the controller's releases: one small table.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A release of the controller, as far as its behaviour differs.
///
/// # Examples
///
/// ```
/// use virt_autopilot::Behavior;
///
/// let behavior: Behavior = "4.22".parse()?;
/// assert_eq!(behavior.hco_version(), "v1beta1");
/// # Ok::<(), virt_autopilot::behavior::UnknownBehavior>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Behavior {
    /// The Developer Preview of OpenShift Virtualization 4.22.
    V4_22,
    /// 4.23 and later.
    #[default]
    V4_23,
    /// The announced general availability: activation is inverted, the list is gone.
    Ga,
}

/// A text that names no behaviour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no behaviour is called `{name}`; there are 4.22, 4.23 and ga")]
pub struct UnknownBehavior {
    /// The text.
    pub name: String,
}

impl Behavior {
    /// Every behaviour, the oldest first.
    pub const ALL: [Self; 3] = [Self::V4_22, Self::V4_23, Self::Ga];

    /// The name: `4.22`, `4.23` or `ga`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V4_22 => "4.22",
            Self::V4_23 => "4.23",
            Self::Ga => "ga",
        }
    }

    /// The version of `hco.kubevirt.io` as which the HyperConverged is read.
    pub fn hco_version(self) -> &'static str {
        match self {
            Self::V4_22 => "v1beta1",
            Self::V4_23 | Self::Ga => "v1",
        }
    }

    /// Whether `spec.featureGates` is read as a list of `{name, state}`; else as a list of names.
    pub fn gates_have_states(self) -> bool {
        self != Self::V4_22
    }

    /// Whether assets in built-in groups such as `apps` are known to need no CRD.
    pub fn exempts_builtin_groups(self) -> bool {
        self != Self::V4_22
    }

    /// Whether templates have `hasAnnotation` and `storageProfileRWXClass`.
    pub fn has_late_functions(self) -> bool {
        self != Self::V4_22
    }

    /// Whether any activation value but `false` means every asset.
    pub fn inverts_activation(self) -> bool {
        self == Self::Ga
    }
}

impl fmt::Display for Behavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Behavior {
    type Err = UnknownBehavior;

    fn from_str(name: &str) -> Result<Self, UnknownBehavior> {
        let found = Self::ALL.into_iter().find(|behavior| behavior.as_str() == name);
        found.ok_or_else(|| UnknownBehavior { name: name.to_owned() })
    }
}

impl TryFrom<String> for Behavior {
    type Error = UnknownBehavior;

    fn try_from(name: String) -> Result<Self, UnknownBehavior> {
        name.parse()
    }
}

impl From<Behavior> for &'static str {
    fn from(behavior: Behavior) -> Self {
        behavior.as_str()
    }
}
