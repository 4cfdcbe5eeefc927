//! The features of a catalog, with what follows from their assets.

use serde::{Deserialize, Serialize};

use super::metadata::Metadata;
use super::{Asset, Condition, Install};

/// The features, as the controller lists them: sorted by maturity, then name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Features {
    /// The autopilot itself.
    pub framework: Framework,
    /// The features.
    pub features: Vec<FeatureStatus>,
}

/// The maturity of the autopilot itself, and how one opts in to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Framework {
    /// Maturity, in upper case.
    pub maturity: String,
    /// The annotation, `key=value`.
    pub opt_in: String,
}

/// One feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureStatus {
    /// Its name.
    pub name: String,
    /// What it does, in a sentence.
    pub description: String,
    /// Its own maturity, or what follows from its assets.
    pub maturity: Maturity,
    /// Whether some asset of it has to be asked for.
    pub install: Install,
    /// How one asks for it; `None` where nothing has to be done.
    pub opt_in: Option<String>,
    /// Operators that it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// Operators that it is better with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recommended: Vec<String>,
}

/// How mature a feature is. Ordered as the list is sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Maturity {
    /// Generally available.
    #[serde(rename = "GA")]
    Ga,
    /// A Technology Preview.
    #[serde(rename = "TP")]
    Tp,
    /// A Developer Preview.
    #[serde(rename = "DP")]
    Dp,
    /// A word that is none of these, in upper case.
    #[serde(untagged)]
    Other(String),
}

impl Maturity {
    fn parse(word: &str) -> Self {
        match word.to_uppercase().as_str() {
            "GA" => Self::Ga,
            "TP" => Self::Tp,
            "DP" => Self::Dp,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The word, in upper case.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Ga => "GA",
            Self::Tp => "TP",
            Self::Dp => "DP",
            Self::Other(word) => word,
        }
    }
}

pub(super) fn derive(metadata: &Metadata, assets: &[Asset]) -> Features {
    let mut features: Vec<FeatureStatus> = metadata
        .features
        .iter()
        .map(|feature| {
            let own: Vec<&Asset> = assets_in_catalog_order(metadata, assets).filter(|a| feature.covers(a)).collect();
            let opt_in = own.iter().any(|asset| asset.install == Install::OptIn);
            let derived = if opt_in { Maturity::Dp } else { Maturity::Ga };
            let stated = feature.maturity.as_deref().filter(|word| !word.is_empty());
            FeatureStatus {
                name: feature.name.clone(),
                description: feature.description.clone(),
                maturity: stated.map_or(derived, Maturity::parse),
                install: if opt_in { Install::OptIn } else { Install::Always },
                opt_in: opt_in_text(&own),
                requires: feature.requires.clone(),
                recommended: feature.recommended.clone(),
            }
        })
        .collect();
    features.sort_by(|a, b| (&a.maturity, &a.name).cmp(&(&b.maturity, &b.name)));
    let framework =
        Framework { maturity: metadata.framework.maturity.to_uppercase(), opt_in: metadata.framework.opt_in.clone() };
    Features { framework, features }
}

/// The assets as the metadata lists them, not as they are reconciled.
fn assets_in_catalog_order<'a>(metadata: &'a Metadata, assets: &'a [Asset]) -> impl Iterator<Item = &'a Asset> {
    metadata.assets.iter().filter_map(|entry| assets.iter().find(|asset| asset.name == entry.name))
}

/// The distinct conditions that a person can meet, in the order of the assets.
fn opt_in_text(assets: &[&Asset]) -> Option<String> {
    let mut texts: Vec<String> = Vec::new();
    for condition in assets.iter().flat_map(|asset| &asset.conditions) {
        let text = match condition {
            Condition::Annotation { key, value } => format!("{key}={}", value.as_deref().unwrap_or_default()),
            Condition::FeatureGate { value } => format!("featureGate:{value}"),
            Condition::HcoFieldUnconfigured { path } => format!("hcoUnconfigured:{path}"),
            Condition::Topology { .. } | Condition::HardwareDetection { .. } | Condition::Image { .. } => continue,
        };
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    (!texts.is_empty()).then(|| texts.join(", "))
}
