//! Tokens to JSON values.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::limits::{MAX_DEPTH, MAX_TEXT_BYTES, MAX_YAML_NODES};

use super::error::{Problem, YamlError};
use super::scalar::{self, Scalar};
use super::scanner::Scanner;
use super::token::{Kind, Mark};

type Result<T, E = YamlError> = std::result::Result<T, E>;

/// A document with the places that messages name.
pub(super) struct Composed {
    pub value: Value,
    pub start: Mark,
    pub end: usize,
    /// Where each entry of the root map's list `items` begins and ends.
    pub items: Vec<(Mark, usize)>,
}

/// Reads documents off a text, one after the other.
pub(super) struct Composer<'a> {
    scanner: Scanner<'a>,
    anchors: BTreeMap<String, Anchor>,
    tag_prefixes: BTreeMap<String, String>,
    /// End of the token that was taken last, in bytes.
    end: usize,
    depth: usize,
    size: Size,
    /// Nodes that aliases have added.
    alias_nodes: usize,
    first: bool,
    collect_items: bool,
    items: Vec<(Mark, usize)>,
}

/// How much has been read, as if every alias were written out.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    nodes: usize,
    bytes: usize,
}

#[derive(Clone)]
enum Anchor {
    /// The node of this number has begun and not ended.
    Open(usize),
    Done(Node, Size),
}

#[derive(Clone)]
enum Node {
    Scalar(Scalar),
    /// A scalar `<<` that means to merge if it is a key.
    Merge,
    Collection(Value),
}

/// What may stand where a node is expected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Flow,
    Block,
    /// Like `Block`; and a list may begin at the indentation of the map around it.
    MapEntry,
}

impl Node {
    fn into_value(self) -> Result<Value, Problem> {
        match self {
            Self::Scalar(scalar) => scalar.into_value(),
            Self::Merge => Ok(Value::from("<<")),
            Self::Collection(value) => Ok(value),
        }
    }

    fn into_key(self) -> Result<String, Problem> {
        match self {
            Self::Scalar(scalar) => scalar.into_key(),
            Self::Merge => Ok("<<".to_owned()),
            Self::Collection(value) => Err(Problem::Key { found: crate::object::json_type(&value) }),
        }
    }
}

impl<'a> Composer<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            scanner: Scanner::new(text),
            anchors: BTreeMap::new(),
            tag_prefixes: BTreeMap::new(),
            end: 0,
            depth: 0,
            size: Size::default(),
            alias_nodes: 0,
            first: true,
            collect_items: false,
            items: Vec::new(),
        }
    }

    /// The place up to which the text has been read.
    pub fn mark(&self) -> Mark {
        self.scanner.mark()
    }

    /// The next document; `None` after the last.
    pub fn document(&mut self) -> Result<Option<Composed>> {
        self.anchors.clear();
        self.tag_prefixes.clear();
        self.size = Size { nodes: 1, bytes: 0 };
        self.alias_nodes = 0;
        self.depth = 0;
        let first = std::mem::replace(&mut self.first, false);
        let mut next = self.peek()?;
        while !first && next == Kind::DocumentEnd {
            self.take();
            next = self.peek()?;
        }
        if next == Kind::StreamEnd {
            return Ok(None);
        }
        let implicit = first && !matches!(next, Kind::VersionDirective | Kind::TagDirective | Kind::DocumentStart);
        let mut start = self.scanner.next_mark();
        if !implicit {
            self.directives()?;
            if self.peek()? != Kind::DocumentStart {
                return self.expected("a `---` line before the next document");
            }
            self.take();
        }
        let next = self.peek()?;
        let empty = matches!(
            next,
            Kind::VersionDirective | Kind::TagDirective | Kind::DocumentStart | Kind::DocumentEnd | Kind::StreamEnd
        );
        let value = if !implicit && empty {
            Value::Null
        } else {
            start = self.scanner.next_mark();
            self.value(Place::Block)?
        };
        let end = self.end;
        if self.peek()? == Kind::DocumentEnd {
            self.take();
        }
        Ok(Some(Composed { value, start, end, items: std::mem::take(&mut self.items) }))
    }

    fn peek(&mut self) -> Result<Kind> {
        self.scanner.peek()
    }

    fn take(&mut self) -> super::token::Token {
        let token = self.scanner.take();
        self.end = self.end.max(token.end);
        token
    }

    fn expected<T>(&self, what: &'static str) -> Result<T> {
        Err(self.scanner.next_mark().error(Problem::Expected { what }))
    }

    fn directives(&mut self) -> Result<()> {
        let mut versioned = false;
        loop {
            let mark = self.scanner.next_mark();
            let repeated = match self.peek()? {
                Kind::VersionDirective => {
                    let version = self.take().text;
                    if !matches!(version.as_str(), "1.1" | "01.1" | "1.01" | "01.01") {
                        return Err(mark.error(Problem::Version));
                    }
                    std::mem::replace(&mut versioned, true)
                }
                Kind::TagDirective => {
                    let token = self.take();
                    self.tag_prefixes.insert(token.text, token.suffix).is_some()
                }
                _ => return Ok(()),
            };
            if repeated {
                return Err(mark.error(Problem::Directive));
            }
        }
    }

    fn tag(&self, mark: Mark, handle: String, suffix: &str) -> Result<String> {
        let prefix = match (self.tag_prefixes.get(&handle), handle.as_str()) {
            (Some(prefix), _) => prefix,
            (None, handle @ ("" | "!")) => handle,
            (None, "!!") => "tag:yaml.org,2002:",
            (None, _) => return Err(mark.error(Problem::TagHandle { handle })),
        };
        Ok(format!("{prefix}{suffix}"))
    }

    fn value(&mut self, place: Place) -> Result<Value> {
        let mark = self.scanner.next_mark();
        self.node(place)?.into_value().map_err(|problem| self.problem(mark, problem))
    }

    fn problem(&self, mark: Mark, problem: Problem) -> YamlError {
        YamlError { problem, span: mark.span_to(self.end) }
    }

    /// Counts a node that is not written out.
    fn empty(&mut self) -> Value {
        self.size.nodes += 1;
        Value::Null
    }

    fn node(&mut self, place: Place) -> Result<Node> {
        let mut next = self.peek()?;
        let mark = self.scanner.next_mark();
        self.size.nodes += 1;
        if self.size.nodes > MAX_YAML_NODES {
            return Err(mark.error(Problem::TooLarge));
        }
        if next == Kind::Alias {
            return self.alias();
        }
        let (mut anchor, mut tag) = (None, None);
        loop {
            match next {
                Kind::Anchor if anchor.is_none() => anchor = Some(self.take().text),
                Kind::Tag if tag.is_none() => {
                    let token = self.take();
                    tag = Some(self.tag(token.start, token.text, &token.suffix)?);
                }
                _ => break,
            }
            next = self.peek()?;
        }
        let before = self.size;
        if let Some(anchor) = &anchor {
            self.anchors.insert(anchor.clone(), Anchor::Open(before.nodes));
        }
        let node = match next {
            Kind::PlainScalar | Kind::StyledScalar => {
                let text = self.take().text;
                self.size.bytes += text.len();
                self.scalar(tag.as_deref(), text, next == Kind::PlainScalar, mark)?
            }
            _ => match self.collection(next, place)? {
                Some(value) => Node::Collection(value),
                None if tag.is_some() => self.scalar(tag.as_deref(), String::new(), false, mark)?,
                None if anchor.is_some() => Node::Scalar(Scalar::Null),
                None => return self.expected("a value"),
            },
        };
        // A node inside of this one may have taken the name over.
        let own =
            |anchor: &String| matches!(self.anchors.get(anchor), Some(Anchor::Open(number)) if *number == before.nodes);
        if let Some(anchor) = anchor.filter(own) {
            let size = Size { nodes: self.size.nodes - before.nodes + 1, bytes: self.size.bytes - before.bytes };
            let kept = match &node {
                Node::Merge => Node::Scalar(Scalar::Text("<<".to_owned())),
                node => node.clone(),
            };
            self.anchors.insert(anchor, Anchor::Done(kept, size));
        }
        Ok(node)
    }

    fn scalar(&self, tag: Option<&str>, text: String, plain: bool, mark: Mark) -> Result<Node> {
        let merges = match tag {
            None => plain,
            Some(tag) => matches!(tag, "!" | "tag:yaml.org,2002:merge"),
        };
        if merges && text == "<<" {
            return Ok(Node::Merge);
        }
        match tag {
            None if !plain => Ok(Node::Scalar(Scalar::Text(text))),
            tag => scalar::resolve(tag.unwrap_or_default(), text)
                .map(Node::Scalar)
                .map_err(|problem| self.problem(mark, problem)),
        }
    }

    /// A copy of what an anchor names, if that does not make the document grow out of bounds.
    fn alias(&mut self) -> Result<Node> {
        let token = self.take();
        let error = |problem| Err(YamlError { problem, span: token.start.span_to(token.end) });
        match self.anchors.get(&token.text) {
            None => error(Problem::UnknownAnchor { name: token.text }),
            Some(Anchor::Open(_)) => error(Problem::SelfReference { name: token.text }),
            Some(Anchor::Done(node, size)) => {
                self.size.nodes += size.nodes;
                self.size.bytes += size.bytes;
                self.alias_nodes += size.nodes;
                let excessive = self.alias_nodes > 100
                    && self.size.nodes > 1000
                    && self.alias_nodes as f64 / self.size.nodes as f64 > allowed_alias_ratio(self.size.nodes);
                if excessive || self.size.nodes > MAX_YAML_NODES || self.size.bytes > 2 * MAX_TEXT_BYTES {
                    return error(Problem::TooLarge);
                }
                Ok(node.clone())
            }
        }
    }

    /// The collection that begins with this token; `None` where none does.
    fn collection(&mut self, next: Kind, place: Place) -> Result<Option<Value>> {
        let read = match next {
            Kind::BlockEntry if place == Place::MapEntry => Self::indentless_sequence,
            Kind::FlowSequenceStart => Self::flow_sequence,
            Kind::FlowMappingStart => Self::flow_mapping,
            Kind::BlockSequenceStart if place != Place::Flow => Self::block_sequence,
            Kind::BlockMappingStart if place != Place::Flow => Self::block_mapping,
            _ => return Ok(None),
        };
        if self.depth >= MAX_DEPTH {
            return Err(self.scanner.next_mark().error(Problem::TooDeep));
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(Some(value))
    }

    fn item(&mut self, list: &mut Vec<Value>, place: Place, collect: bool) -> Result<()> {
        let mark = self.scanner.next_mark();
        list.push(self.value(place)?);
        if collect {
            self.items.push((mark, self.end));
        }
        Ok(())
    }

    fn block_sequence(&mut self) -> Result<Value> {
        let collect = std::mem::take(&mut self.collect_items);
        let mut list = Vec::new();
        self.take();
        loop {
            match self.peek()? {
                Kind::BlockEntry => {
                    let mark = self.take().start;
                    match self.peek()? {
                        Kind::BlockEntry | Kind::BlockEnd => self.empty_item(&mut list, mark, collect),
                        _ => self.item(&mut list, Place::Block, collect)?,
                    }
                }
                Kind::BlockEnd => {
                    self.scanner.take();
                    return Ok(Value::Array(list));
                }
                _ => return self.expected("`- ` for the next entry of the list"),
            }
        }
    }

    fn indentless_sequence(&mut self) -> Result<Value> {
        let collect = std::mem::take(&mut self.collect_items);
        let mut list = Vec::new();
        while self.peek()? == Kind::BlockEntry {
            let mark = self.take().start;
            match self.peek()? {
                Kind::BlockEntry | Kind::Key | Kind::Value | Kind::BlockEnd => {
                    self.empty_item(&mut list, mark, collect);
                }
                _ => self.item(&mut list, Place::Block, collect)?,
            }
        }
        Ok(Value::Array(list))
    }

    fn empty_item(&mut self, list: &mut Vec<Value>, mark: Mark, collect: bool) {
        list.push(self.empty());
        if collect {
            self.items.push((mark, self.end));
        }
    }

    fn block_mapping(&mut self) -> Result<Value> {
        let mut map = Map::new();
        self.take();
        loop {
            match self.peek()? {
                Kind::Key => {
                    self.take();
                    let ends = |kind| matches!(kind, Kind::Key | Kind::Value | Kind::BlockEnd);
                    self.entry(&mut map, Place::MapEntry, ends)?;
                }
                Kind::BlockEnd => {
                    self.scanner.take();
                    return Ok(Value::Object(map));
                }
                _ => return self.expected("a key of the map, at its indentation"),
            }
        }
    }

    fn flow_sequence(&mut self) -> Result<Value> {
        let collect = std::mem::take(&mut self.collect_items);
        let mut list = Vec::new();
        self.take();
        loop {
            match self.peek()? {
                Kind::FlowSequenceEnd => break,
                Kind::Key => {
                    let mark = self.take().start;
                    if self.depth >= MAX_DEPTH {
                        return Err(mark.error(Problem::TooDeep));
                    }
                    let mut map = Map::new();
                    self.size.nodes += 1;
                    let ends = |kind| matches!(kind, Kind::Value | Kind::FlowEntry | Kind::FlowSequenceEnd);
                    self.entry(&mut map, Place::Flow, ends)?;
                    list.push(Value::Object(map));
                    if collect {
                        self.items.push((mark, self.end));
                    }
                }
                _ => self.item(&mut list, Place::Flow, collect)?,
            }
            match self.peek()? {
                Kind::FlowEntry => drop(self.take()),
                Kind::FlowSequenceEnd => break,
                _ => return self.expected("`,` or `]`"),
            }
        }
        self.take();
        Ok(Value::Array(list))
    }

    fn flow_mapping(&mut self) -> Result<Value> {
        let mut map = Map::new();
        self.take();
        loop {
            match self.peek()? {
                Kind::FlowMappingEnd => break,
                Kind::Key => {
                    self.take();
                    let ends = |kind| matches!(kind, Kind::Value | Kind::FlowEntry | Kind::FlowMappingEnd);
                    self.entry(&mut map, Place::Flow, ends)?;
                }
                _ => {
                    let mark = self.scanner.next_mark();
                    let key = self.node(Place::Flow)?;
                    let value = self.empty();
                    self.insert(&mut map, key, value, mark)?;
                }
            }
            match self.peek()? {
                Kind::FlowEntry => drop(self.take()),
                Kind::FlowMappingEnd => break,
                _ => return self.expected("`,` or `}`"),
            }
        }
        self.take();
        Ok(Value::Object(map))
    }

    /// A key and its value after the token that announces a key; `ends` tells what no node begins with.
    fn entry(&mut self, map: &mut Map<String, Value>, place: Place, ends: impl Fn(Kind) -> bool) -> Result<()> {
        let next = self.peek()?;
        let mark = self.scanner.next_mark();
        let key = if ends(next) {
            self.size.nodes += 1;
            Node::Scalar(Scalar::Null)
        } else {
            self.node(place)?
        };
        let mut written = false;
        if self.peek()? == Kind::Value {
            self.take();
            written = !ends(self.peek()?);
        }
        if matches!(key, Node::Merge) {
            // The library does not count this key.
            self.size.nodes -= 1;
            return self.merge(map, place, written);
        }
        self.collect_items = self.depth == 1 && matches!(&key, Node::Scalar(Scalar::Text(text)) if text == "items");
        let value = if written { self.value(place)? } else { self.empty() };
        self.collect_items = false;
        self.insert(map, key, value, mark)
    }

    fn insert(&self, map: &mut Map<String, Value>, key: Node, value: Value, mark: Mark) -> Result<()> {
        let key = key.into_key().map_err(|problem| self.problem(mark, problem))?;
        map.insert(key, value);
        Ok(())
    }

    /// Adds what a `<<` key brings; it replaces what is there already, and of several maps the first wins.
    fn merge(&mut self, map: &mut Map<String, Value>, place: Place, written: bool) -> Result<()> {
        let mark = self.scanner.next_mark();
        let is_alias = written && self.peek()? == Kind::Alias;
        let node = if written { self.node(place)? } else { Node::Scalar(Scalar::Null) };
        match node {
            Node::Collection(Value::Object(merged)) => map.extend(merged),
            Node::Collection(Value::Array(list)) if !is_alias && list.iter().all(Value::is_object) => {
                // The library does not count this list.
                self.size.nodes -= 1;
                for merged in list.into_iter().rev() {
                    if let Value::Object(merged) = merged {
                        map.extend(merged);
                    }
                }
            }
            _ => return Err(self.problem(mark, Problem::Merge)),
        }
        Ok(())
    }
}

/// How much of a document may come from aliases, by how many nodes it has: the library's own bound.
fn allowed_alias_ratio(nodes: usize) -> f64 {
    const LOW: f64 = 400_000.0;
    const HIGH: f64 = 4_000_000.0;
    0.99 - 0.89 * ((nodes as f64 - LOW) / (HIGH - LOW)).clamp(0.0, 1.0)
}
