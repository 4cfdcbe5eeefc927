//! Which assets the activation annotation puts in play.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Behavior;
use crate::catalog::{Asset, Catalog};
use crate::diagnostic::Diagnostic;
use crate::object::PREFIX;
pub use crate::overrides::AUTOPILOT;

/// What the activation annotation says.
///
/// # Examples
///
/// ```
/// use virt_autopilot::{Behavior, scope::Activation};
///
/// let list = Activation::parse(Some("swap-enable, descheduler-loadaware"), Behavior::V4_23);
/// assert!(list.includes("swap-enable", None));
/// assert!(list.includes("psi-enable", Some("descheduler-loadaware")));
/// assert_eq!(Activation::parse(Some("false"), Behavior::V4_23), Activation::Idle);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Activation {
    /// Nothing is reconciled; tombstones still are.
    Idle,
    /// Every asset.
    All,
    /// The assets whose name or group is listed.
    Only {
        /// The listed names, sorted and distinct.
        names: BTreeSet<String>,
    },
}

impl Activation {
    /// Reads the annotation's value; `None` where it is absent.
    pub fn parse(annotation: Option<&str>, behavior: Behavior) -> Self {
        match annotation.map(str::trim) {
            None | Some("false") => Self::Idle,
            Some("true") => Self::All,
            Some(_) if behavior.inverts_activation() => Self::All,
            Some(list) => {
                let names: BTreeSet<String> =
                    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
                if names.is_empty() { Self::Idle } else { Self::Only { names } }
            }
        }
    }

    /// Whether an asset of this name and group is in play.
    pub fn includes(&self, name: &str, group: Option<&str>) -> bool {
        match self {
            Self::Idle => false,
            Self::All => true,
            Self::Only { names } => names.contains(name) || group.is_some_and(|group| names.contains(group)),
        }
    }

    /// Whether an asset of the catalog is in play.
    pub fn includes_asset(&self, asset: &Asset) -> bool {
        self.includes(&asset.name, asset.group.as_deref())
    }
}

/// What is surprising about an activation: names that the catalog does not know, assets that come along by their group,
/// and a golden config that is left out.
pub fn check(activation: &Activation, catalog: &Catalog) -> Vec<Diagnostic> {
    let Activation::Only { names } = activation else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    let place = |finding: Diagnostic| finding.at(|source| source.annotation = Some(AUTOPILOT.to_owned()));
    for name in names {
        let known =
            catalog.assets().iter().any(|asset| asset.name == *name || asset.group.as_deref() == Some(name.as_str()));
        if !known {
            findings.push(place(unknown_name(name, names.len() == 1, catalog)));
        }
    }
    for asset in catalog.assets().iter().filter(|asset| !names.contains(&asset.name)) {
        if let Some(group) = asset.group.as_deref().filter(|group| names.contains(*group)) {
            let message = format!("`{group}` is the group of asset `{}` too, which comes with it", asset.name);
            findings
                .push(place(Diagnostic::info("scope.by-group", message)).at(|s| s.asset = Some(asset.name.clone())));
        }
    }
    findings
}

fn unknown_name(name: &str, alone: bool, catalog: &Catalog) -> Diagnostic {
    let message = format!("no asset or group is called `{name}`, so it activates nothing");
    let finding = Diagnostic::warning("scope.unknown-asset", message);
    match name.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" if alone => finding.help("write `true`, in lower case, to activate every asset"),
        "false" | "no" | "off" | "0" if alone => finding.help("write `false`, in lower case, to switch it off"),
        _ if name.contains([' ', ';', '\n']) => finding.help("separate the names by commas"),
        _ if name.starts_with(PREFIX) => finding.help("list the names of assets, not of annotations"),
        lower => match nearest(lower, catalog) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("`virt-autopilot features` lists the names"),
        },
    }
}

/// The asset or group whose name begins like this one or is nearest to it, within a third of its length.
fn nearest<'a>(name: &str, catalog: &'a Catalog) -> Option<&'a str> {
    let names = catalog.assets().iter().flat_map(|asset| [Some(asset.name.as_str()), asset.group.as_deref()]).flatten();
    if let Some(longer) = names.clone().filter(|candidate| name.len() > 2 && candidate.starts_with(name)).min() {
        return Some(longer);
    }
    let near = names.map(|candidate| (distance(name, candidate), candidate)).min()?;
    (near.0 <= near.1.len() / 3).then_some(near.1)
}

/// The number of characters to add, drop or change to make one text the other; long texts count as far apart.
fn distance(from: &str, to: &str) -> usize {
    if from.len() > 100 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (b, above) in to.chars().zip(row.iter().skip(1)) {
            left = (left + 1).min(above + 1).min(diagonal + usize::from(a != b));
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(annotation: &str, expect: Activation) {
        assert_eq!(Activation::parse(Some(annotation), Behavior::V4_23), expect, "{annotation:?}");
    }

    fn only(names: &[&str]) -> Activation {
        Activation::Only { names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn values() {
        check("", Activation::Idle);
        check(" false ", Activation::Idle);
        check(",,", Activation::Idle);
        check(" true\n", Activation::All);
        check("True", only(&["True"]));
        check("a, b,,a", only(&["a", "b"]));
        assert_eq!(Activation::parse(None, Behavior::Ga), Activation::Idle);
        assert_eq!(Activation::parse(Some("a,b"), Behavior::Ga), Activation::All);
    }

    #[test]
    fn distances() {
        assert_eq!(distance("swap-enabel", "swap-enable"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}
