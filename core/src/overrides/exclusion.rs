//! Which objects `disabled-resources` leaves out.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Span};
use crate::object::{ObjectRef, json_type};
use crate::overrides::{DISABLED_RESOURCES, glob};
use crate::yaml::{self, YamlError};

/// One entry of the annotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// The kind, compared exactly.
    pub kind: String,
    /// A glob for the name.
    pub name: String,
    /// A glob for the namespace; empty matches any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
}

/// Why the annotation as a whole is ignored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExclusionError {
    /// It is no YAML.
    #[error("disabled-resources is not YAML: {source}")]
    NotYaml {
        /// What the reader says.
        source: YamlError,
    },
    /// It is YAML, but no list.
    #[error("disabled-resources is a list of rules, this is {found}")]
    NotAList {
        /// The JSON type that was found.
        found: &'static str,
    },
    /// A rule is no map.
    #[error("rule {index}: a rule is a map of `kind`, `name` and `namespace`, this is {found}")]
    NotAMap {
        /// Index of the rule, from 0.
        index: usize,
        /// The JSON type that was found.
        found: &'static str,
    },
    /// A field of a rule is no text.
    #[error("rule {index}: `{field}` is a text, this is {found}")]
    NotAText {
        /// Index of the rule, from 0.
        index: usize,
        /// The field's name.
        field: &'static str,
        /// The JSON type that was found.
        found: &'static str,
    },
    /// A rule lacks `kind` or `name`.
    #[error("rule {index}: {field} is required")]
    MissingField {
        /// Index of the rule, from 0.
        index: usize,
        /// The field's name.
        field: &'static str,
    },
}

/// Reads the annotation's rules.
///
/// # Errors
///
/// Where it is not a YAML list of rules that all have a kind and a name: the controller then excludes nothing.
///
/// # Examples
///
/// ```
/// use virt_autopilot::overrides::exclusion;
///
/// let rules = exclusion::parse("- kind: MachineConfig\n  name: 90-*\n")?;
/// assert!(exclusion::find(&rules, "MachineConfig", "", "90-worker-swap-online").is_some());
/// # Ok::<(), exclusion::ExclusionError>(())
/// ```
pub fn parse(text: &str) -> Result<Vec<Rule>, ExclusionError> {
    // White space around the whole is taken off before it is read, so that the first line may be indented.
    let trimmed = text.trim_start();
    let indent = text.len() - trimmed.len();
    let place = |span: Span| Span::in_text(text, indent + span.start, indent + span.end);
    let not_yaml =
        |error: YamlError| ExclusionError::NotYaml { source: YamlError { span: place(error.span), ..error } };
    let items = match yaml::parse(trimmed.trim_end()).map_err(not_yaml)? {
        Value::Null => return Ok(Vec::new()),
        Value::Array(items) => items,
        other => return Err(ExclusionError::NotAList { found: json_type(&other) }),
    };
    // A field of the wrong type fails the decoding of the whole list, before any rule is looked at.
    let rules: Vec<Rule> =
        items.iter().enumerate().map(|(index, item)| decode_rule(index, item)).collect::<Result<_, _>>()?;
    for (index, rule) in rules.iter().enumerate() {
        for (field, text) in [("kind", &rule.kind), ("name", &rule.name)] {
            if text.is_empty() {
                return Err(ExclusionError::MissingField { index, field });
            }
        }
    }
    Ok(rules)
}

fn decode_rule(index: usize, item: &Value) -> Result<Rule, ExclusionError> {
    let empty = Map::new();
    let map = match item {
        Value::Null => &empty,
        Value::Object(map) => map,
        other => return Err(ExclusionError::NotAMap { index, found: json_type(other) }),
    };
    let text = |field: &'static str| {
        let mut found = String::new();
        // Keys match whatever their case, and the last one wins, as in Go's decoder.
        for (_, value) in map.iter().filter(|(key, _)| key.eq_ignore_ascii_case(field)) {
            match value {
                Value::Null => {}
                Value::String(text) => found.clone_from(text),
                Value::Bool(_) | Value::Number(_) => found = value.to_string(),
                other => return Err(ExclusionError::NotAText { index, field, found: json_type(other) }),
            }
        }
        Ok(found)
    };
    Ok(Rule { kind: text("kind")?, name: text("name")?, namespace: text("namespace")? })
}

/// The first rule that leaves an object out. A rule with a malformed glob matches nothing.
pub fn find<'a>(rules: &'a [Rule], kind: &str, namespace: &str, name: &str) -> Option<&'a Rule> {
    rules.iter().find(|rule| {
        rule.kind == kind
            && glob::matches(&rule.name, name) == Ok(true)
            && (rule.namespace.is_empty() || glob::matches(&rule.namespace, namespace) == Ok(true))
    })
}

/// Reads the annotation as the controller does, which ignores it where it is broken, and says what is wrong with it.
pub fn read(text: &str, hco: &ObjectRef) -> (Vec<Rule>, Vec<Diagnostic>) {
    let place = |finding: Diagnostic| {
        finding.at(|source| {
            source.object = Some(hco.clone());
            source.annotation = Some(DISABLED_RESOURCES.to_owned());
        })
    };
    match parse(text) {
        Ok(rules) => {
            let findings =
                rules.iter().enumerate().flat_map(|(index, rule)| check_rule(index, rule)).map(place).collect();
            (rules, findings)
        }
        Err(error) => (Vec::new(), vec![place(explain(text, &error))]),
    }
}

fn explain(text: &str, error: &ExclusionError) -> Diagnostic {
    let message = format!("{error}; the whole annotation is ignored, so nothing is left out");
    let finding = Diagnostic::error("exclusion.ignored", message);
    let help: Cow<'static, str> = match error {
        ExclusionError::NotYaml { source } => {
            let span = source.span;
            let unquoted = text.lines().any(|line| line.contains(": *"));
            let help = if unquoted { "put quotes around a glob that begins with `*`" } else { "write a YAML list" };
            return finding.help(help).at(|place| place.span = Some(span));
        }
        ExclusionError::NotAList { .. } => "put a `-` before each rule: `- kind: …` and, below it, `name: …`".into(),
        ExclusionError::NotAMap { .. } => "write `- kind: …` and, below it, `name: …`".into(),
        ExclusionError::NotAText { field, .. } => format!("write `{field}` as one text").into(),
        ExclusionError::MissingField { field, .. } => format!("add `{field}` to the rule").into(),
    };
    finding.help(help)
}

fn check_rule(index: usize, rule: &Rule) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (field, pattern) in [("name", &rule.name), ("namespace", &rule.namespace)] {
        if glob::check(pattern).is_err() {
            let message =
                format!("rule {index}: the glob `{pattern}` in `{field}` is malformed, so the rule is skipped");
            findings
                .push(Diagnostic::error("exclusion.bad-glob", message).help("close every `[`, or escape it as `\\[`"));
        }
    }
    if rule.kind.contains(['*', '?', '[']) {
        let message = format!("rule {index}: `kind` is compared exactly, `{}` is no glob", rule.kind);
        findings.push(Diagnostic::warning("exclusion.kind-glob", message).help("write one rule for each kind"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: Result<&[(&str, &str, &str)], &str>) {
        let found = parse(text).map_err(|error| error.to_string());
        let expect = expect.map_err(str::to_owned).map(|rules| {
            let rule = |(kind, name, namespace): &(&str, &str, &str)| Rule {
                kind: (*kind).to_owned(),
                name: (*name).to_owned(),
                namespace: (*namespace).to_owned(),
            };
            rules.iter().map(rule).collect::<Vec<_>>()
        });
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn rules() {
        check("", Ok(&[]));
        check("[{Kind: A, NAME: b, namespace: c}]", Ok(&[("A", "b", "c")]));
        check("- kind: A\n  name: 1\n", Ok(&[("A", "1", "")]));
        check(
            "  - kind: A\n    name: b\n\t",
            Err("disabled-resources is not YAML: line 2, column 9: a `key: value` is not allowed here"),
        );
        check("\t- kind: A\n  name: b\n \t", Ok(&[("A", "b", "")]));
        check("- kind: A\n", Err("rule 0: name is required"));
        check("kind: A", Err("disabled-resources is a list of rules, this is a map"));
        check("- {kind: A, name: b}\n- {kind: [], name: b}\n", Err("rule 1: `kind` is a text, this is a list"));
    }

    #[test]
    fn findings_name_the_rule() {
        let (rules, findings) = read("- kind: A*\n  name: '[x'\n", &ObjectRef::default());
        assert_eq!(rules.len(), 1);
        let codes: Vec<_> = findings.iter().map(|finding| finding.code.as_ref()).collect();
        assert_eq!(codes, ["exclusion.bad-glob", "exclusion.kind-glob"]);
        let (rules, findings) = read("- kind: A\n  name: *x\n", &ObjectRef::default());
        assert!(rules.is_empty());
        assert_eq!(findings[0].help.as_deref(), Some("put quotes around a glob that begins with `*`"));
    }
}
