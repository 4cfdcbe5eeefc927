//! Kubernetes YAML: read and written as sigs.k8s.io/yaml does.
//!
//! That is YAML 1.1: `y`, `yes` and `on` are booleans, `0644` is octal, keys are turned to strings, the last of two
//! equal keys wins, and dates stay text. The scanner is our own, for the readers of YAML 1.2 differ on tabs, line breaks,
//! directives, flow collections and what they refuse.

mod compose;
mod error;
mod order;
mod scalar;
mod scanner;
mod token;
mod write;

use serde_json::{Map, Value};

use crate::diagnostic::Span;
use crate::limits::{MAX_DEPTH, MAX_TEXT_BYTES};
use crate::object::exceeds_depth;

use compose::{Composed, Composer};
pub use error::{Problem, YamlError};
use token::Mark;
pub(crate) use write::is_writable;
pub use write::write;

/// A document of a text, or an object of one, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// What it says.
    pub value: Value,
    /// Where it is in the text, in bytes. Comments around it do not count.
    pub span: Span,
}

/// Reads the first document of a text as sigs.k8s.io/yaml does; a text without one is null.
///
/// What follows the first document is not looked at.
///
/// # Errors
///
/// Where sigs.k8s.io/yaml refuses the text, and where a limit of [`crate::limits`] is exceeded.
///
/// # Examples
///
/// ```
/// let value = virt_autopilot::yaml::parse("mode: 0644\nenabled: on\n")?;
/// assert_eq!(value, serde_json::json!({"mode": 420, "enabled": true}));
/// # Ok::<(), virt_autopilot::yaml::YamlError>(())
/// ```
pub fn parse(text: &str) -> Result<Value, YamlError> {
    let readable = Readable::new(text)?;
    let mut composer = Composer::new(readable.text);
    let document = composer.document();
    readable.check(composer.mark().at)?;
    Ok(document?.map_or(Value::Null, |document| document.value))
}

/// Reads the first document of bytes in UTF-8, or in UTF-16 with a byte order mark.
///
/// # Errors
///
/// Like [`parse`], and where the bytes are no text. The span of an error in UTF-16 is in bytes of the text in UTF-8.
pub fn parse_bytes(bytes: &[u8]) -> Result<Value, YamlError> {
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(Mark::default().error(Problem::TooLong));
    }
    let from_utf16 = |units: &[u8], decode: fn([u8; 2]) -> u16| {
        let (units, rest) = units.as_chunks();
        let text = char::decode_utf16(units.iter().map(|unit| decode(*unit))).collect::<Result<String, _>>();
        text.ok().filter(|_| rest.is_empty()).ok_or_else(|| Mark::default().error(Problem::NotUtf8))
    };
    match bytes {
        [0xFF, 0xFE, units @ ..] => parse(&from_utf16(units, u16::from_le_bytes)?),
        [0xFE, 0xFF, units @ ..] => parse(&from_utf16(units, u16::from_be_bytes)?),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => parse(text),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let valid = std::str::from_utf8(valid).unwrap_or_default();
                Err(YamlError { problem: Problem::NotUtf8, span: Span::in_text(valid, valid.len(), valid.len()) })
            }
        },
    }
}

/// Reads all documents of a text; those that say nothing are left out.
///
/// JSON that is no YAML 1.1 (escaped surrogates, `\/`) is read too.
///
/// # Errors
///
/// Like [`parse`], for every document.
pub fn parse_stream(text: &str) -> Result<Vec<Document>, YamlError> {
    let documents = compose_all(text)?.into_iter();
    Ok(documents.map(|found| Document { span: found.start.span_to(found.end), value: found.value }).collect())
}

/// Reads all objects of a text, a `List` (or `ConfigMapList` and so on) being as many as it has items.
///
/// An item without `apiVersion` or `kind` has those of its list: an item of a `ConfigMapList` is a `ConfigMap`. What is
/// no object is returned as it is, for the caller to complain about.
///
/// # Errors
///
/// Like [`parse_stream`].
///
/// # Examples
///
/// ```
/// let text = "kind: ConfigMapList\napiVersion: v1\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n";
/// let objects = virt_autopilot::yaml::objects(text)?;
/// assert_eq!(objects[1].value["kind"], "ConfigMap");
/// assert_eq!(objects[1].span.line, 5);
/// # Ok::<(), virt_autopilot::yaml::YamlError>(())
/// ```
pub fn objects(text: &str) -> Result<Vec<Document>, YamlError> {
    let mut objects = Vec::new();
    for found in compose_all(text)? {
        let span = found.start.span_to(found.end);
        match into_items(found.value) {
            Ok(items) => {
                let spans = found.items.iter().map(|(start, end)| start.span_to(*end));
                for (item, span) in items.into_iter().zip(spans.chain(std::iter::repeat(span))) {
                    flatten(item, span, &mut objects);
                }
            }
            Err(value) => objects.push(Document { value, span }),
        }
    }
    Ok(objects)
}

/// Adds an item of a list, or the items of a list in a list.
fn flatten(item: Value, span: Span, objects: &mut Vec<Document>) {
    let mut open = vec![item];
    while let Some(item) = open.pop() {
        match into_items(item) {
            Ok(items) => open.extend(items.into_iter().rev()),
            Err(Value::Null) => {}
            Err(value) => objects.push(Document { value, span }),
        }
    }
}

/// The items of a list kind, or the value if it is none.
fn into_items(value: Value) -> Result<Vec<Value>, Value> {
    let Value::Object(mut list) = value else {
        return Err(value);
    };
    let kind = list.get("kind").and_then(Value::as_str).and_then(|kind| kind.strip_suffix("List"));
    let Some(kind) = kind.map(str::to_owned) else {
        return Err(Value::Object(list));
    };
    let Some(Value::Array(mut items)) = list.remove("items") else {
        return Err(Value::Object(list));
    };
    for item in items.iter_mut().filter_map(Value::as_object_mut) {
        complete(item, "apiVersion", list.get("apiVersion").and_then(Value::as_str).unwrap_or_default());
        complete(item, "kind", &kind);
    }
    Ok(items)
}

fn complete(item: &mut Map<String, Value>, field: &str, text: &str) {
    if !text.is_empty() && item.get(field).is_none_or(Value::is_null) {
        item.insert(field.to_owned(), Value::from(text));
    }
}

fn compose_all(text: &str) -> Result<Vec<Composed>, YamlError> {
    let readable = Readable::new(text)?;
    let mut composer = Composer::new(readable.text);
    let mut documents = Vec::new();
    loop {
        match composer.document() {
            Ok(None) => break,
            Ok(Some(document)) => documents.extend(Some(document).filter(|found| !found.value.is_null())),
            Err(error) => {
                let json = text.trim_start().starts_with(['{', '[']).then(|| serde_json::from_str(text));
                return match json {
                    Some(Ok(value)) if !exceeds_depth(&value, MAX_DEPTH) => {
                        Ok(vec![Composed { value, start: Mark::default(), end: text.len(), items: Vec::new() }])
                    }
                    _ => readable.check(composer.mark().at).and(Err(error)),
                };
            }
        }
    }
    readable.check(text.len())?;
    Ok(documents)
}

/// The part of a text before the first character that YAML forbids.
struct Readable<'a> {
    text: &'a str,
    forbidden: Option<char>,
}

impl<'a> Readable<'a> {
    fn new(text: &'a str) -> Result<Self, YamlError> {
        if text.len() > MAX_TEXT_BYTES {
            return Err(Mark::default().error(Problem::TooLong));
        }
        let forbidden = text.char_indices().find(|(_, found)| is_forbidden(*found));
        Ok(match forbidden {
            Some((at, found)) => Self { text: text.get(..at).unwrap_or_default(), forbidden: Some(found) },
            None => Self { text, forbidden: None },
        })
    }

    /// Refuses the forbidden character if the text has been read up to near it: the controller's library reads ahead in
    /// blocks.
    fn check(&self, read: usize) -> Result<(), YamlError> {
        const BLOCK: usize = 512;
        match self.forbidden {
            Some(found) if (read / BLOCK + 1) * BLOCK > self.text.len() => {
                let code = u32::from(found);
                let span = Span::in_text(self.text, self.text.len(), self.text.len());
                Err(YamlError { problem: Problem::ControlCharacter { code }, span })
            }
            _ => Ok(()),
        }
    }
}

fn is_forbidden(found: char) -> bool {
    match found {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{FFFE}' | '\u{FFFF}' => true,
        _ => found.is_control(),
    }
}

#[cfg(test)]
mod tests;
