//! The parts of the engine one by one, for who makes tools of their own.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use virt_autopilot::cluster::{Hardware, Topology};
use virt_autopilot::diagnostic::Source;
use virt_autopilot::overrides::exclusion::{self, Rule};
use virt_autopilot::overrides::mask::mask;
use virt_autopilot::overrides::patch::{PatchOptions, apply_patch, apply_rfc6902};
use virt_autopilot::overrides::{self, DISABLED_RESOURCES, IGNORE_FIELDS, PATCH, glob};
use virt_autopilot::scope::Activation;
use virt_autopilot::template::{Context, Template};
use virt_autopilot::{Behavior, Diagnostic, Object, ObjectRef};
use wasm_bindgen::prelude::*;

use crate::Answer;
use crate::catalog::parse_behavior;
use crate::encoding::{Refusal, read, take, to_js, value};
use crate::positions::in_texts;
use crate::snapshot;

/// Renders a template: `{output}` or `{error}`.
#[wasm_bindgen]
pub fn tools_render_template(text: &str, scene: &JsValue) -> Answer {
    let mut scene = value(scene)?;
    let hco = match take(&mut scene, "hco") {
        Value::Null => json!({"apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged"}),
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        value => value,
    };
    let hco = object(hco, "hco")?;
    let topology: Topology = read(take(&mut scene, "topology"))?;
    let hardware: Hardware = read(take(&mut scene, "hardware"))?;
    let images: BTreeMap<String, String> = read(take(&mut scene, "images"))?;
    let params: BTreeMap<String, String> = read(take(&mut scene, "params"))?;
    let behavior = match take(&mut scene, "behavior") {
        Value::String(name) => parse_behavior(&name)?,
        _ => Behavior::default(),
    };
    let (cluster, _) = snapshot::objects(take(&mut scene, "objects"));
    let rendered = Template::parse("template", text, behavior).and_then(|template| {
        template.render(&Context {
            hco: &hco,
            hardware,
            topology: &topology,
            images: &images,
            params: &params,
            lookup: &cluster,
        })
    });
    to_js(&match rendered {
        Ok(output) => json!({"output": output}),
        Err(error) => json!({"error": {
            "stage": error.stage.as_str(),
            "line": error.line,
            "column": error.column,
            "sourceLine": error.source_line,
            "message": error.to_string(),
        }}),
    })
}

/// Whether a name matches a glob, and whether the glob is malformed.
#[wasm_bindgen]
pub fn tools_match_glob(pattern: &str, name: &str) -> Answer {
    let outcome = glob::matches(pattern, name);
    to_js(&json!({"matches": outcome == Ok(true), "badPattern": outcome.is_err()}))
}

/// What a value of the activation annotation means; `undefined` is an absent annotation.
#[wasm_bindgen]
pub fn tools_parse_activation(annotation: Option<String>, behavior: &str) -> Answer {
    to_js(&Activation::parse(annotation.as_deref(), parse_behavior(behavior)?))
}

#[derive(Serialize)]
struct Exclusions<'a> {
    error: Option<String>,
    rules: &'a [Rule],
    excluded: Vec<Option<&'a Rule>>,
    diagnostics: Vec<Diagnostic>,
}

/// Which objects a value of `disabled-resources` leaves out, each with the rule that does.
#[wasm_bindgen]
pub fn tools_disabled_resources(text: &str, references: &JsValue) -> Answer {
    let references: Vec<ObjectRef> = read(value(references)?)?;
    let (rules, mut diagnostics) = exclusion::read(text, &ObjectRef::default());
    for diagnostic in &mut diagnostics {
        in_texts(diagnostic, |source| is(source, DISABLED_RESOURCES).then_some(text));
    }
    let excluded = references
        .iter()
        .map(|reference| exclusion::find(&rules, &reference.kind, &reference.namespace, &reference.name));
    to_js(&Exclusions {
        error: exclusion::parse(text).err().map(|error| error.to_string()),
        excluded: excluded.collect(),
        rules: &rules,
        diagnostics,
    })
}

/// What becomes of a patch annotation on a baseline.
#[wasm_bindgen]
pub fn tools_apply_patch(baseline: &JsValue, text: &str, live: &JsValue, options: &JsValue) -> Answer {
    let baseline = object(value(baseline)?, "baseline")?;
    let live = if live.is_undefined() { None } else { Some(object(value(live)?, "live")?) };
    let options: PatchOptions = read(value(options)?)?;
    let mut outcome = apply_patch(&baseline, text, live.as_ref(), options);
    for diagnostic in &mut outcome.diagnostics {
        in_texts(diagnostic, |source| annotation(source, (PATCH, text), &baseline));
    }
    to_js(&outcome)
}

/// What becomes of an ignore-fields annotation of live on a desired object.
#[wasm_bindgen]
pub fn tools_apply_mask(desired: &JsValue, live: &JsValue, text: &str) -> Answer {
    let live = object(value(live)?, "live")?;
    let mut outcome = mask(&object(value(desired)?, "desired")?, &live, text);
    for diagnostic in &mut outcome.diagnostics {
        in_texts(diagnostic, |source| annotation(source, (IGNORE_FIELDS, text), &live));
    }
    to_js(&outcome)
}

#[derive(Serialize)]
struct Annotations {
    invalid: Option<String>,
    paused: bool,
    mode: overrides::Mode,
    diagnostics: Vec<Diagnostic>,
}

/// What an object's annotations mean, and what is wrong with them.
#[wasm_bindgen]
pub fn tools_validate_annotations(subject: &JsValue) -> Answer {
    let object = object(value(subject)?, "the object")?;
    let mut diagnostics = overrides::diagnose(&object);
    for diagnostic in &mut diagnostics {
        in_texts(diagnostic, |source| object.annotation(source.annotation.as_deref()?));
    }
    to_js(&Annotations {
        invalid: overrides::invalid_reason(&object),
        paused: overrides::is_paused(&object),
        mode: overrides::mode(&object),
        diagnostics,
    })
}

/// A JSON Patch as RFC 6902 has it: `{result}` or `{error}`.
#[wasm_bindgen]
pub fn tools_json_patch(document: &JsValue, patch: &JsValue) -> Answer {
    to_js(&match apply_rfc6902(&value(document)?, &value(patch)?) {
        Ok(result) => json!({"result": result}),
        Err(error) => json!({"error": error.to_string()}),
    })
}

/// A value as an object; the refusal says what it was to be.
pub fn object(value: Value, what: &str) -> Result<Object, Refusal> {
    Object::from_value(value).map_err(|error| Refusal::new("request.no-object", format!("{what}: {error}")))
}

fn is(source: &Source, key: &str) -> bool {
    source.annotation.as_deref() == Some(key)
}

/// The text of the annotation that a place is in: one that is handed over, or one of the object.
fn annotation<'a>(source: &Source, (key, text): (&str, &'a str), object: &'a Object) -> Option<&'a str> {
    if is(source, key) { Some(text) } else { object.annotation(source.annotation.as_deref()?) }
}
