//! The comparison itself: a tree of borrowed nodes, of which lists, trees and patches are made.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::align::hunks;
use super::{ChangeKind, DiffOptions};
use crate::limits::MAX_DEPTH;

/// Fields of `metadata` that the API server writes by itself.
const NOISE: [&str; 6] = ["managedFields", "creationTimestamp", "resourceVersion", "generation", "uid", "selfLink"];

/// Fields that tell the items of a list apart, the most telling first; pointers into an item.
const IDENTITIES: [&str; 13] = [
    "/name",
    "/path",
    "/key",
    "/metadata/name",
    "/pciDeviceSelector",
    "/mdevNameSelector",
    "/resourceName",
    "/mountPath",
    "/containerPort",
    "/port",
    "/topologyKey",
    "/type",
    "/id",
];

/// A place that differs, or that leads to one.
pub(super) struct Node<'a> {
    /// Key or position in what is above.
    pub(super) key: Cow<'a, str>,
    /// The pointer into this item of a list by which the list is aligned, and the value there.
    pub(super) identity: Option<(&'static str, &'a Value)>,
    pub(super) step: Step<'a>,
}

/// How a place differs.
pub(super) enum Step<'a> {
    /// There after only; `last` if nothing of the list follows it that was there before.
    Added { after: &'a Value, last: bool },
    /// There before only.
    Removed { before: &'a Value },
    /// Another value.
    Replaced { before: &'a Value, after: &'a Value },
    /// Differs inside.
    Map { before: &'a Value, after: &'a Value, children: Vec<Node<'a>> },
    /// Differs inside.
    List { before: &'a Value, after: &'a Value, children: Vec<Node<'a>> },
}

impl<'a> Step<'a> {
    pub(super) fn before(&self) -> Option<&'a Value> {
        match *self {
            Self::Added { .. } => None,
            Self::Removed { before }
            | Self::Replaced { before, .. }
            | Self::Map { before, .. }
            | Self::List { before, .. } => Some(before),
        }
    }

    pub(super) fn after(&self) -> Option<&'a Value> {
        match *self {
            Self::Removed { .. } => None,
            Self::Added { after, .. }
            | Self::Replaced { after, .. }
            | Self::Map { after, .. }
            | Self::List { after, .. } => Some(after),
        }
    }

    /// How the place itself differs; `None` where only its children do.
    pub(super) fn kind(&self) -> Option<ChangeKind> {
        match self {
            Self::Added { .. } => Some(ChangeKind::Added),
            Self::Removed { .. } => Some(ChangeKind::Removed),
            Self::Replaced { before, after } if same_but_for_type(before, after) => Some(ChangeKind::TypeOnly),
            Self::Replaced { .. } => Some(ChangeKind::Replaced),
            Self::Map { .. } | Self::List { .. } => None,
        }
    }

    /// In the order of the object.
    pub(super) fn children(&self) -> &[Node<'a>] {
        match self {
            Self::Map { children, .. } | Self::List { children, .. } => children,
            _ => &[],
        }
    }

    /// In an order in which each child's position holds when its turn comes: in a list what is removed from back to
    /// front, then the rest from front to back.
    pub(super) fn in_order_of_application(&self) -> impl Iterator<Item = &Node<'a>> {
        let is_list = matches!(self, Self::List { .. });
        let first = move |node: &&Node<'a>| is_list && matches!(node.step, Step::Removed { .. });
        let removed = self.children().iter().rev().filter(first);
        removed.chain(self.children().iter().filter(move |node| !first(node)))
    }
}

/// Compares two objects; `None` where nothing differs.
pub(super) fn compare<'a>(
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    options: DiffOptions,
) -> Option<Node<'a>> {
    let step = match (before, after) {
        (None, None) => return None,
        (None, Some(after)) => Step::Added { after, last: true },
        (Some(before), None) => Step::Removed { before },
        (Some(before), Some(after)) => {
            let mut path = Vec::new();
            values(before, after, &mut path, options)?
        }
    };
    Some(Node { key: Cow::Borrowed(""), identity: None, step })
}

/// Whether the field of that key in the map at `path` is left out.
fn hidden<T: AsRef<str>>(path: &[T], key: &str, options: DiffOptions) -> bool {
    match path {
        [] => key == "status" && !options.status,
        [metadata] => metadata.as_ref() == "metadata" && NOISE.contains(&key) && !options.noise,
        _ => false,
    }
}

/// The value at `path` without what is left out.
pub(super) fn shown<T: AsRef<str>>(value: &Value, path: &[T], options: DiffOptions) -> Value {
    let Value::Object(map) = value else {
        return value.clone();
    };
    let fields = map.iter().filter(|(key, _)| !hidden(path, key, options)).map(|(key, field)| {
        let at_metadata = path.is_empty() && key == "metadata";
        (key.clone(), if at_metadata { shown(field, &["metadata"], options) } else { field.clone() })
    });
    Value::Object(fields.collect())
}

/// `path` is as long as the place is deep, but for positions in lists only their number counts.
fn values<'a>(before: &'a Value, after: &'a Value, path: &mut Vec<&'a str>, options: DiffOptions) -> Option<Step<'a>> {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) if path.len() < MAX_DEPTH => {
            let children = maps(old, new, path, options);
            (!children.is_empty()).then_some(Step::Map { before, after, children })
        }
        (Value::Array(old), Value::Array(new)) if path.len() < MAX_DEPTH => {
            let children = lists(old, new, path, options);
            (!children.is_empty()).then_some(Step::List { before, after, children })
        }
        _ => (before != after).then_some(Step::Replaced { before, after }),
    }
}

fn maps<'a>(
    before: &'a Map<String, Value>,
    after: &'a Map<String, Value>,
    path: &mut Vec<&'a str>,
    options: DiffOptions,
) -> Vec<Node<'a>> {
    let mut keys: Vec<&str> = before.keys().chain(after.keys()).map(String::as_str).collect();
    keys.sort();
    keys.dedup();
    let mut nodes = Vec::new();
    for key in keys {
        if hidden(path, key, options) {
            continue;
        }
        let step = match (before.get(key), after.get(key)) {
            (Some(before), Some(after)) => {
                path.push(key);
                let step = values(before, after, path, options);
                path.pop();
                step
            }
            (Some(before), None) => Some(Step::Removed { before }),
            (None, Some(after)) => Some(Step::Added { after, last: false }),
            (None, None) => None,
        };
        nodes.extend(step.map(|step| Node { key: Cow::Borrowed(key), identity: None, step }));
    }
    nodes
}

fn lists<'a>(before: &'a [Value], after: &'a [Value], path: &mut Vec<&'a str>, options: DiffOptions) -> Vec<Node<'a>> {
    if before == after {
        return Vec::new();
    }
    let field = identity(before, after);
    let token = |item: &Value| match field {
        Some(field) => item.pointer(field).unwrap_or_default().to_string(),
        None => item.to_string(),
    };
    let tokens = [before, after].map(|list| list.iter().map(token).collect::<Vec<String>>());
    let [old, new] = tokens.each_ref().map(|tokens| tokens.iter().map(String::as_str).collect::<Vec<&str>>());

    let mut nodes = Vec::new();
    let mut node = |at: usize, item: &'a Value, step: Step<'a>| {
        let identity = field.and_then(|field| Some((field, item.pointer(field)?)));
        nodes.push(Node { key: Cow::Owned(at.to_string()), identity, step });
    };
    let mut pair = |at: usize, old: Option<&'a Value>, new: Option<&'a Value>| {
        let (old, new) = (old?, new?);
        path.push("");
        let step = values(old, new, path, options);
        path.pop();
        step.map(|step| (at, new, step))
    };
    let (mut i, mut j) = (0, 0);
    for hunk in hunks(&old, &new) {
        // Items with equal identity may differ inside; items that are equal as a whole may not.
        while field.is_some() && i < hunk.before.start {
            if let Some((at, item, step)) = pair(j, before.get(i), after.get(j)) {
                node(at, item, step);
            }
            (i, j) = (i + 1, j + 1);
        }
        (i, j) = (hunk.before.start, hunk.after.start);
        while field.is_none() && i < hunk.before.end && j < hunk.after.end {
            if let Some((at, item, step)) = pair(j, before.get(i), after.get(j)) {
                node(at, item, step);
            }
            (i, j) = (i + 1, j + 1);
        }
        for (at, item) in before.iter().enumerate().take(hunk.before.end).skip(i) {
            node(at, item, Step::Removed { before: item });
        }
        let last = hunk.before.end == before.len() && hunk.after.end == after.len();
        for (at, item) in after.iter().enumerate().take(hunk.after.end).skip(j) {
            node(at, item, Step::Added { after: item, last });
        }
        (i, j) = (hunk.before.end, hunk.after.end);
    }
    while field.is_some() && i < before.len() {
        if let Some((at, item, step)) = pair(j, before.get(i), after.get(j)) {
            node(at, item, step);
        }
        (i, j) = (i + 1, j + 1);
    }
    nodes
}

/// The field by which every item of both lists is known, with a value of its own in each list.
fn identity(before: &[Value], after: &[Value]) -> Option<&'static str> {
    let tells_apart = |list: &[Value], field: &str| {
        let mut seen = BTreeSet::new();
        list.iter().all(|item| match item.pointer(field) {
            Some(value @ (Value::String(_) | Value::Number(_))) => seen.insert(value.to_string()),
            _ => false,
        })
    };
    // An empty list would pass with any field; its items are all added or removed anyway.
    let empty = before.is_empty() || after.is_empty();
    IDENTITIES.into_iter().find(|field| !empty && tells_apart(before, field) && tells_apart(after, field))
}

/// Whether two scalars differ in their type only.
fn same_but_for_type(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Number(before), Value::Number(after)) => before.as_f64() == after.as_f64(),
        (Value::String(text), scalar) | (scalar, Value::String(text)) => {
            let written = match scalar {
                Value::Null | Value::Bool(_) | Value::Number(_) => scalar.to_string(),
                _ => return false,
            };
            written == *text
        }
        _ => false,
    }
}
