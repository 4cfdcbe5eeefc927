//! Which CRD an asset needs, read off its file before it is rendered.

use crate::object::split_api_version;
use crate::{Behavior, Object};

/// The apiVersion and kind that a file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypeName {
    pub(super) api_version: String,
    pub(super) kind: String,
}

/// What stands for an action while a template's type is read.
const PLACEHOLDER: &str = "placeholder";

impl TypeName {
    pub(super) fn of(object: &Object) -> Self {
        Self { api_version: object.api_version().to_owned(), kind: object.kind().to_owned() }
    }

    /// The name of the CRD, `plural.group`; `None` for built-in kinds.
    pub(super) fn required_crd(&self, behavior: Behavior) -> Option<String> {
        let group = split_api_version(&self.api_version).0;
        let built_in = group.ends_with(".k8s.io") || matches!(group, "apps" | "batch" | "policy" | "autoscaling");
        if group.is_empty() || (built_in && behavior.exempts_builtin_groups()) {
            return None;
        }
        Some(format!("{}.{group}", plural(&self.kind)))
    }
}

/// The plural by which the controller guesses a CRD's name.
pub(crate) fn plural(kind: &str) -> String {
    let singular = kind.to_lowercase();
    if singular == "securitycontextconstraints" {
        return singular;
    }
    let ending = if singular.ends_with(['s', 'x']) || singular.ends_with("ch") { "es" } else { "s" };
    singular + ending
}

/// The type that a template's first document names: lines that are only an action are dropped, other actions replaced.
pub(super) fn of_template(text: &str) -> Option<TypeName> {
    let mut kept = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !is_only_action(line)) {
        replace_actions(line, &mut kept);
        kept.push('\n');
    }
    match crate::yaml::parse(&kept).ok().and_then(|value| Object::from_value(value).ok()) {
        Some(object) => Some(TypeName::of(&object)),
        None => of_lines(&kept),
    }
}

fn is_only_action(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("{{") && line.ends_with("}}")
}

fn replace_actions(line: &str, kept: &mut String) {
    let mut rest = line;
    while let Some((before, action)) = rest.split_once("{{") {
        kept.push_str(before);
        kept.push_str(PLACEHOLDER);
        rest = action.split_once("}}").map(|(_, after)| after).unwrap_or_default();
    }
    kept.push_str(rest);
}

/// What is left where the rest of a template is no YAML: the first top-level lines of these keys.
fn of_lines(text: &str) -> Option<TypeName> {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        let value = line.trim().trim_matches(['"', '\'']);
        (!value.is_empty()).then(|| value.to_owned())
    };
    Some(TypeName { api_version: value("apiVersion:")?, kind: value("kind:")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, expect: Option<&str>) {
        let found = of_template(template).and_then(|name| name.required_crd(Behavior::V4_23));
        assert_eq!(found.as_deref(), expect, "{template}");
    }

    #[test]
    fn required() {
        check("{{- if .X }}\napiVersion: example.com/v1\nkind: Widget\n{{- end }}\n", Some("widgets.example.com"));
        check("apiVersion: apps/v1\nkind: DaemonSet\n", None);
        check("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n", None);
        check("apiVersion: v1\nkind: {{ .Params.kind }}\n", None);
        check("apiVersion: a.b/v1\nkind: Box\nx: {{ .Y }}{{ .Z }}\n", Some("boxes.a.b"));
        check(
            "apiVersion: security.openshift.io/v1\nkind: SecurityContextConstraints\n",
            Some("securitycontextconstraints.security.openshift.io"),
        );
        check("apiVersion: a.b/v1\nkind: Patch\nd: |\n{{ toYaml .X | indent 4 }}\n  x\n: :\n", Some("patches.a.b"));
        check("nothing", None);
    }

    #[test]
    fn built_in_groups_under_4_22() {
        let name = of_template("apiVersion: apps/v1\nkind: DaemonSet\n").unwrap();
        assert_eq!(name.required_crd(Behavior::V4_22).as_deref(), Some("daemonsets.apps"));
    }
}
