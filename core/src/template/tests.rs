//! The recorded cases, the limits, and cases of our own for each group of functions.

use serde_json::Value as Json;

use super::*;

mod functions;
mod language;
mod laws;
mod limits;

/// The world that the recorded cases share.
struct World {
    hco: Object,
    hardware: Hardware,
    topology: Topology,
    images: BTreeMap<String, String>,
    params: BTreeMap<String, String>,
    objects: Vec<Object>,
}

fn vectors() -> Json {
    serde_json::from_str(include_str!("../../../tests/conformance/vectors/template.json")).unwrap()
}

impl World {
    fn recorded() -> Self {
        let vectors = vectors();
        let part = |name: &str| vectors["context"][name].clone();
        Self {
            hco: Object::from_value(part("hco")).unwrap(),
            hardware: serde_json::from_value(part("hardware")).unwrap(),
            topology: serde_json::from_value(part("topology")).unwrap(),
            images: serde_json::from_value(part("images")).unwrap(),
            params: serde_json::from_value(part("params")).unwrap(),
            objects: serde_json::from_value(vectors["objects"].clone()).unwrap(),
        }
    }

    fn render(&self, text: &str) -> Result<String, Box<TemplateError>> {
        Template::parse("case", text, Behavior::default())?.render(&Context {
            hco: &self.hco,
            hardware: self.hardware,
            topology: &self.topology,
            images: &self.images,
            params: &self.params,
            lookup: self,
        })
    }
}

impl Lookup for World {
    fn crd(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|object| object.kind() == "CustomResourceDefinition" && object.name() == name)
    }

    fn object(&self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Option<&Object> {
        let wanted = (api_version, kind, namespace, name);
        self.objects
            .iter()
            .find(|object| (object.api_version(), object.kind(), object.namespace(), object.name()) == wanted)
    }

    fn list(&self, group: &str, kind: &str) -> Vec<&Object> {
        let wanted = |object: &&Object| object.reference().group() == group && object.kind() == kind;
        self.objects.iter().filter(wanted).collect()
    }

    fn asset(&self, path: &str) -> Option<&[u8]> {
        (path == "scripts/tune.sh").then_some(b"#!/bin/sh\n")
    }
}

/// Renders a template and compares what it writes.
fn check(text: &str, expect: &str) {
    match World::recorded().render(text) {
        Ok(output) => assert_eq!(output, expect, "{text}"),
        Err(error) => panic!("{text}: {error}"),
    }
}

/// Renders a template that fails; compares the stage, the line and a part of the message.
fn check_error(text: &str, stage: Stage, line: usize, message: &str) {
    match World::recorded().render(text) {
        Ok(output) => panic!("{text} writes {output}"),
        Err(error) => {
            assert_eq!((error.stage, error.line), (stage, line), "{text}: {error}");
            assert!(error.message.contains(message), "{text}: {error}");
        }
    }
}

#[test]
fn recorded_cases() {
    let world = World::recorded();
    let mut wrong = Vec::new();
    for case in vectors()["cases"].as_array().unwrap() {
        let text = case["template"].as_str().unwrap();
        let result = world.render(text);
        let agrees = match (&result, case.get("output"), case.get("error")) {
            (Ok(output), Some(expect), None) => expect == output.as_str(),
            (Err(error), None, Some(expect)) => expect["stage"] == error.stage.as_str() && expect["line"] == error.line,
            _ => false,
        };
        if !agrees {
            wrong.push(format!(
                "{text}\n  expected {:?} {:?}\n  got {result:?}",
                case.get("output"),
                case.get("error")
            ));
        }
        // Three messages differ: the depth, which is ours, a value that Go prints with a verb for strings, and `call`,
        // which does not repeat its argument.
        let same = |error: &TemplateError| {
            case["error"]["go"].as_str().is_none_or(|go| error.to_string() == go)
                || error.kind == ErrorKind::TooDeep
                || error.message.contains("non-comparable type")
                || error.message.contains("non-function of type")
        };
        if let Err(error) = &result
            && !same(error)
        {
            wrong.push(format!("{text}\n  says {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn templates_can_be_shared() {
    fn check<T: Send + Sync + Clone>() {}
    check::<Template>();
}
