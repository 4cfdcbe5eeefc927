//! Renderings and plans as text, in the controller's own formats.

use std::fmt::Write as _;

use serde::Serialize;

use crate::catalog::Features;
use crate::conditions::ConditionVerdict;
use crate::overrides::exclusion::Rule;
use crate::render::{AssetRendering, Rendering, Status};
use crate::{Object, yaml};

/// A rendering as YAML documents, each under comment lines that say what it is. `oc apply -f -` accepts it.
///
/// # Examples
///
/// ```
/// use virt_autopilot::{Catalog, demo, output, render};
///
/// let catalog = Catalog::builtin("4.22").unwrap();
/// let rendering = render(&catalog, &demo::cluster(), &Default::default())?;
/// assert!(output::yaml(&rendering).starts_with("# Asset: hco-golden-config\n"));
/// # Ok::<(), virt_autopilot::render::UnknownAsset>(())
/// ```
pub fn yaml(rendering: &Rendering) -> String {
    let mut text = String::new();
    for asset in &rendering.assets {
        let head = [
            ("Asset", asset.asset.as_str()),
            ("Path", asset.path.as_str()),
            ("Component", asset.component.as_str()),
            ("Status", asset.status.as_str()),
        ];
        for (name, value) in head.into_iter().chain(asset.reason.as_deref().map(|reason| ("Reason", reason))) {
            // A line break would end the comment and make the rest a part of the document.
            let _ = writeln!(text, "# {name}: {}", value.replace(['\n', '\r'], " "));
        }
        if let Some(object) = applied(asset) {
            text.push_str(&yaml::write(object.as_value()));
        }
        text.push_str("---\n");
    }
    text
}

/// The object, if the controller would apply it.
fn applied(asset: &AssetRendering) -> Option<&Object> {
    asset.object.as_deref().filter(|_| asset.status == Status::Included)
}

/// A rendering as a JSON list.
pub fn json(rendering: &Rendering) -> String {
    #[derive(Serialize)]
    struct Entry<'a> {
        asset: &'a str,
        path: &'a str,
        component: &'a str,
        status: Status,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        conditions: &'a [ConditionVerdict],
        #[serde(skip_serializing_if = "Option::is_none")]
        object: Option<&'a Object>,
    }
    let entries: Vec<Entry<'_>> = rendering
        .assets
        .iter()
        .map(|asset| Entry {
            asset: &asset.asset,
            path: &asset.path,
            component: &asset.component,
            status: asset.status,
            reason: asset.reason.as_deref(),
            conditions: &asset.conditions,
            object: applied(asset),
        })
        .collect();
    serde_json::to_string_pretty(&entries).unwrap_or_default() + "\n"
}

/// A rendering as the controller's status table: columns of 30, 15 and 20 characters, then the reason.
pub fn status(rendering: &Rendering) -> String {
    let mut text = row("ASSET", "STATUS", "COMPONENT", "REASON");
    for asset in &rendering.assets {
        let reason = asset.reason.as_deref().unwrap_or_default().replace(['\n', '\r'], " ");
        text.push_str(&row(&asset.asset, asset.status.as_str(), &asset.component, &reason));
    }
    text
}

fn row(asset: &str, status: &str, component: &str, reason: &str) -> String {
    let line = format!("{asset:<30} {status:<15} {component:<20} {reason}");
    line.trim_end().to_owned() + "\n"
}

/// The rules of `disabled-resources`, and what each of them leaves out of a rendering, as a table.
pub fn exclusions(rules: &[Rule], rendering: &Rendering) -> String {
    if rules.is_empty() {
        return "No exclusion rules.\n".to_owned();
    }
    let mut text = format!("{:<25} {:<30} {:<30} LEAVES OUT\n", "KIND", "NAME", "NAMESPACE");
    for rule in rules {
        let namespace = if rule.namespace.is_empty() { "(any)" } else { &rule.namespace };
        let hits: Vec<&str> = rendering
            .assets
            .iter()
            .filter(|asset| matches!(&asset.skip, Some(crate::render::Skip::ExcludedByRule { rule: by }) if by == rule))
            .map(|asset| asset.asset.as_str())
            .collect();
        let hits = if hits.is_empty() { "(nothing)".to_owned() } else { hits.join(", ") };
        let _ = writeln!(text, "{:<25} {:<30} {:<30} {hits}", rule.kind, rule.name, namespace);
    }
    text
}

/// The features of a catalog as a table.
pub fn features(features: &Features) -> String {
    let mut text = format!(
        "Autopilot: {}, opt in with {}\n\n{:<30} {:<9} {:<8} OPT IN\n",
        features.framework.maturity, features.framework.opt_in, "FEATURE", "MATURITY", "INSTALL"
    );
    for feature in &features.features {
        let install = match feature.install {
            crate::catalog::Install::Always => "always",
            crate::catalog::Install::OptIn => "opt-in",
        };
        let opt_in = feature.opt_in.as_deref().unwrap_or_default();
        let line = format!("{:<30} {:<9} {install:<8} {opt_in}", feature.name, feature.maturity.as_str());
        let _ = writeln!(text, "{}", line.trim_end());
        for (what, names) in [("requires", &feature.requires), ("better with", &feature.recommended)] {
            if !names.is_empty() {
                let _ = writeln!(text, "  {what} {}", names.join(", "));
            }
        }
    }
    text
}
