//! Go's text/template with the value model and the functions that the controller has.
//!
//! A template is parsed once and rendered often. Rendering follows Go with the option `missingkey=error`: the data is
//! `.HCO`, `.Hardware`, `.Topology`, `.Images` and `.Params`; the functions are Go's own, a safe part of sprig's, and
//! the controller's. Whatever the text, parsing and rendering end within the bounds of [`crate::limits`].

mod ast;
mod call;
mod error;
mod exec;
mod field;
mod fmt;
mod functions;
mod lexer;
mod number;
mod parser;
mod text;
mod value;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use error::{ErrorKind, Stage, TemplateError};

use crate::behavior::Behavior;
use crate::cluster::{Hardware, Topology};
use crate::object::Object;

/// A parsed template. Cloning it is cheap.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
/// use virt_autopilot::template::{Context, NoObjects, Template};
/// use virt_autopilot::{Behavior, Object, cluster::{Hardware, Topology}};
///
/// let template = Template::parse("greeting", "name: {{ .HCO.GetName | quote }}", Behavior::default())?;
/// let hco = Object::from_value(serde_json::json!({
///     "apiVersion": "hco.kubevirt.io/v1", "kind": "HyperConverged", "metadata": {"name": "hco"},
/// }))?;
/// let rendered = template.render(&Context {
///     hco: &hco,
///     hardware: Hardware::default(),
///     topology: &Topology::default(),
///     images: &BTreeMap::new(),
///     params: &BTreeMap::new(),
///     lookup: &NoObjects,
/// })?;
/// assert_eq!(rendered, "name: \"hco\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Template(Arc<Parsed>);

/// The text of a template and the trees in it.
#[derive(Debug)]
struct Parsed {
    name: String,
    text: String,
    /// By name, that of the whole text included.
    templates: BTreeMap<String, ast::Block>,
}

/// What a template sees.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// `.HCO`: the HyperConverged.
    pub hco: &'a Object,
    /// `.Hardware`
    pub hardware: Hardware,
    /// `.Topology`
    pub topology: &'a Topology,
    /// `.Images`: image references by their names.
    pub images: &'a BTreeMap<String, String>,
    /// `.Params`: what the asset's metadata hands to its template.
    pub params: &'a BTreeMap<String, String>,
    /// Where the functions that look at the cluster and the catalog look.
    pub lookup: &'a dyn Lookup,
}

/// The objects of the cluster and the files of the catalog, as templates look at them.
pub trait Lookup {
    /// The CustomResourceDefinition of that name.
    fn crd(&self, name: &str) -> Option<&Object>;
    /// An object by its name.
    fn object(&self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Option<&Object>;
    /// Every object of a kind, in any order.
    fn list(&self, group: &str, kind: &str) -> Vec<&Object>;
    /// A file of the catalog, by its path under `active/`.
    fn asset(&self, path: &str) -> Option<&[u8]>;
}

/// A cluster without objects, and a catalog without files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObjects;

impl Lookup for NoObjects {
    fn crd(&self, _: &str) -> Option<&Object> {
        None
    }

    fn object(&self, _: &str, _: &str, _: &str, _: &str) -> Option<&Object> {
        None
    }

    fn list(&self, _: &str, _: &str) -> Vec<&Object> {
        Vec::new()
    }

    fn asset(&self, _: &str) -> Option<&[u8]> {
        None
    }
}

impl Template {
    /// Parses a template. `name` is what errors call it.
    ///
    /// # Errors
    ///
    /// Where the text is no template, or calls a function that templates of that release do not have.
    pub fn parse(name: &str, text: &str, behavior: Behavior) -> Result<Self, Box<TemplateError>> {
        let templates = parser::parse(name, text, behavior)?;
        Ok(Self(Arc::new(Parsed { name: name.to_owned(), text: text.to_owned(), templates })))
    }

    /// The name under which it was parsed.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The text that was parsed.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Runs the template.
    ///
    /// A template can write bytes that are no UTF-8, as with `b64dec`; each such sequence becomes `U+FFFD`, which is
    /// what reading the result as YAML would make of it or refuse.
    ///
    /// # Errors
    ///
    /// Where an expression fails, as on a missing key, or a limit is met.
    pub fn render(&self, context: &Context<'_>) -> Result<String, Box<TemplateError>> {
        exec::run(&self.0, context)
    }
}

#[cfg(test)]
mod tests;
