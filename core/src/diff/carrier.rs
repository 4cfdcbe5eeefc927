//! The parts of a MachineConfig that carry a payload, met on the way through a comparison.

use serde_json::Value;

use super::compare::Step;
use crate::payload::{File, PayloadChange, PayloadContent, decode_within};
use crate::pointer::Pointer;

/// A file, unit or drop-in, on both sides.
pub(super) struct Carrier<'a> {
    /// Its name for display.
    name: String,
    /// Number of pointer tokens that lead to it.
    depth: usize,
    is_file: bool,
    before: Option<&'a Value>,
    after: Option<&'a Value>,
}

impl<'a> Carrier<'a> {
    /// The carrier at that place, if there is one; `outer` is the one it is in.
    pub(super) fn enter(step: &Step<'a>, pointer: &Pointer, outer: Option<&Carrier<'_>>) -> Option<Self> {
        let tokens = pointer.tokens();
        // Cheaper than the patterns below, which nearly every place would meet in vain.
        if !matches!(tokens.len(), 5 | 7) || tokens.get(1).is_none_or(|token| token != "config") {
            return None;
        }
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let name = |key| [step.before(), step.after()].into_iter().flatten().find_map(|side| side.get(key)?.as_str());
        let (is_file, name) = match tokens.as_slice() {
            ["spec", "config", "storage", "files", _] => (true, name("path")?.to_owned()),
            ["spec", "config", "systemd", "units", _] => (false, name("name")?.to_owned()),
            ["spec", "config", "systemd", "units", _, "dropins", _] => {
                (false, format!("{}.d/{}", outer?.name, name("name")?))
            }
            _ => return None,
        };
        Some(Self { name, depth: tokens.len(), is_file, before: step.before(), after: step.after() })
    }

    /// The decoded payload, if the pointer leads to all of it. Decodes at most `budget` bytes, and takes them from it.
    pub(super) fn payload(&self, pointer: &Pointer, budget: &mut usize) -> Option<PayloadChange> {
        let whole = match pointer.tokens().get(self.depth..)? {
            [] => true,
            [contents] => contents == "contents",
            [contents, source] => self.is_file && contents == "contents" && source == "source",
            _ => false,
        };
        if !whole {
            return None;
        }
        let mut side = |value: Option<&Value>| {
            let value = value?;
            if self.is_file { file_content(value, budget) } else { unit_content(value) }
        };
        let (before, after) = (side(self.before), side(self.after));
        let same_content = match (&before, &after) {
            (None, None) => return None,
            (Some(before), Some(after)) => before.bytes.is_some() && before.bytes == after.bytes,
            _ => false,
        };
        let content = |side: Option<Side>| side.map(|side| side.content);
        Some(PayloadChange { path: self.name.clone(), before: content(before), after: content(after), same_content })
    }
}

struct Side {
    content: PayloadContent,
    /// What was decoded.
    bytes: Option<Vec<u8>>,
}

fn file_content(value: &Value, budget: &mut usize) -> Option<Side> {
    let file = File::from_value(0, value)?;
    let mut content = PayloadContent { mode: file.mode, ..PayloadContent::default() };
    let bytes = match decode_within(file.source?, file.compression, *budget) {
        Ok(payload) => {
            *budget -= payload.bytes.len();
            content.size = Some(payload.bytes.len());
            content.text = payload.text().map(str::to_owned);
            Some(payload.bytes)
        }
        Err(error) => {
            content.problem = Some(error.to_string());
            None
        }
    };
    Some(Side { content, bytes })
}

fn unit_content(value: &Value) -> Option<Side> {
    let text = value.get("contents")?.as_str()?;
    let content = PayloadContent { size: Some(text.len()), text: Some(text.to_owned()), ..PayloadContent::default() };
    Some(Side { content, bytes: Some(text.as_bytes().to_vec()) })
}
