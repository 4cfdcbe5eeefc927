//! The values that a template computes with, and the heap that holds what it makes.
//!
//! Values mirror Go's types: an integer of a template's text (`int`) is not one of an object (`int64`), strings are
//! bytes, maps are shared and can be changed. Lists and maps that a template makes live in a [`Heap`] and are known by
//! number, so that a map can hold itself, nothing leaks, and nothing nested is dropped recursively. The objects of the
//! cluster are only borrowed; a borrowed map that a template changes is copied to the heap, and found there again by
//! its address.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::ptr;
use std::rc::Rc;

use serde_json::{Map as JsonMap, Value as Json};

use super::error::{ErrorKind, Fail};
use crate::limits;

/// A string: bytes, borrowed or shared.
#[derive(Clone, Debug)]
pub(super) enum Str<'a> {
    Borrowed(&'a [u8]),
    Owned(Rc<[u8]>),
}

impl Deref for Str<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl<'a> From<&'a str> for Str<'a> {
    fn from(text: &'a str) -> Self {
        Self::Borrowed(text.as_bytes())
    }
}

/// The static type of what a list or map holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elem {
    Any,
    Str,
    Bool,
    /// Lists of anything.
    List,
}

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value<'a> {
    Nil,
    Bool(bool),
    /// Go's `int`.
    Int(i64),
    /// Go's `int64`.
    Int64(i64),
    /// Go's `uint8`: a byte of a string.
    Byte(u8),
    Float(f64),
    Complex(f64, f64),
    Str(Str<'a>),
    List(List<'a>),
    Map(Map<'a>),
    Struct(Struct),
}

/// A slice. Nothing changes a slice once it is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    pub elem: Elem,
    pub items: Items<'a>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Items<'a> {
    Nil,
    Json(&'a [Json]),
    /// A part of a list of the heap.
    Heap {
        id: usize,
        start: usize,
        len: usize,
    },
}

/// A map whose keys are strings.
#[derive(Clone, Copy, Debug)]
pub(super) enum Map<'a> {
    Nil(Elem),
    Json(&'a JsonMap<String, Json>),
    Strings(&'a BTreeMap<String, String>),
    Heap { id: usize, elem: Elem },
}

/// The structs that the data consists of, behind pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Struct {
    Root,
    Hco,
    Hardware,
    Topology,
}

impl Struct {
    pub fn type_name(self) -> &'static str {
        match self {
            Self::Root => "*context.RenderContext",
            Self::Hco => "*unstructured.Unstructured",
            Self::Hardware => "*context.HardwareContext",
            Self::Topology => "*context.TopologyContext",
        }
    }
}

impl<'a> Value<'a> {
    pub fn text(text: &'a str) -> Self {
        Self::Str(text.into())
    }

    pub fn from_json(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::Nil,
            Json::Bool(value) => Self::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(int) => Self::Int64(int),
                None => Self::Float(number.as_f64().unwrap_or_default()),
            },
            Json::String(text) => Self::text(text),
            Json::Array(items) => Self::List(List { elem: Elem::Any, items: Items::Json(items) }),
            Json::Object(map) => Self::Map(Map::Json(map)),
        }
    }

    /// Go's name of the type, `<nil>` for none.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Nil => "<nil>",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Int64(_) => "int64",
            Self::Byte(_) => "uint8",
            Self::Float(_) => "float64",
            Self::Complex(..) => "complex128",
            Self::Str(_) => "string",
            Self::List(list) => match list.elem {
                Elem::Any => "[]interface {}",
                Elem::Str => "[]string",
                Elem::Bool => "[]bool",
                Elem::List => "[][]interface {}",
            },
            Self::Map(map) => match map.elem() {
                Elem::Str => "map[string]string",
                Elem::Bool => "map[string]bool",
                Elem::Any | Elem::List => "map[string]interface {}",
            },
            Self::Struct(kind) => kind.type_name(),
        }
    }

    /// Go's name of the kind, as sprig's messages have it.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::List(_) => "slice",
            Self::Map(_) => "map",
            Self::Struct(_) => "ptr",
            _ => self.type_name(),
        }
    }
}

impl List<'_> {
    pub const EMPTY: Self = Self { elem: Elem::Any, items: Items::Heap { id: 0, start: 0, len: 0 } };

    pub fn len(&self) -> usize {
        match self.items {
            Items::Nil => 0,
            Items::Json(items) => items.len(),
            Items::Heap { len, .. } => len,
        }
    }

    pub fn is_nil(&self) -> bool {
        matches!(self.items, Items::Nil)
    }
}

impl Map<'_> {
    pub fn elem(&self) -> Elem {
        match self {
            Self::Nil(elem) | Self::Heap { elem, .. } => *elem,
            Self::Json(_) => Elem::Any,
            Self::Strings(_) => Elem::Str,
        }
    }

    pub fn is_nil(&self) -> bool {
        matches!(self, Self::Nil(_))
    }
}

/// The entries of a map that a template made.
type Entries<'a> = BTreeMap<Vec<u8>, Value<'a>>;

/// What a template made, and what it may still spend.
pub(super) struct Heap<'a> {
    lists: Vec<Vec<Value<'a>>>,
    maps: Vec<Entries<'a>>,
    /// Where the borrowed maps went that the template changed, by their address.
    changed: BTreeMap<usize, usize>,
    steps: usize,
    bytes: usize,
}

/// What an entry of a map costs beside its key.
const ENTRY_BYTES: usize = 128;
/// How many bytes are looked at for the price of one step.
const BYTES_A_STEP: usize = 64;

impl<'a> Heap<'a> {
    pub fn new() -> Self {
        Self {
            // The list that every empty one is a part of.
            lists: vec![Vec::new()],
            maps: Vec::new(),
            changed: BTreeMap::new(),
            steps: limits::MAX_TEMPLATE_STEPS,
            bytes: limits::MAX_TEMPLATE_BYTES,
        }
    }

    // The budget.

    pub fn step(&mut self) -> Result<(), Fail> {
        self.spend(1)
    }

    fn spend(&mut self, steps: usize) -> Result<(), Fail> {
        match self.steps.checked_sub(steps) {
            Some(left) => self.steps = left,
            None => return Err(Fail::new(ErrorKind::TooManySteps, "the template takes too many steps")),
        }
        Ok(())
    }

    /// Pays for looking at so many bytes.
    pub fn read(&mut self, bytes: usize) -> Result<(), Fail> {
        self.spend(bytes / BYTES_A_STEP)
    }

    /// Pays for so many new bytes, before they are made.
    pub fn allocate(&mut self, bytes: usize) -> Result<(), Fail> {
        match self.bytes.checked_sub(bytes) {
            Some(left) => self.bytes = left,
            None => return Err(Fail::new(ErrorKind::TooLarge, "the template makes too much text or data")),
        }
        self.read(bytes)
    }

    /// What is left of the bytes.
    pub fn room(&self) -> usize {
        self.bytes
    }

    // Strings.

    /// Takes in a string whose bytes are paid for.
    pub fn paid_string(bytes: Vec<u8>) -> Value<'a> {
        Value::Str(Str::Owned(bytes.into()))
    }

    pub fn string(&mut self, bytes: impl AsRef<[u8]>) -> Result<Value<'a>, Fail> {
        let bytes = bytes.as_ref();
        self.allocate(bytes.len())?;
        Ok(Value::Str(Str::Owned(bytes.into())))
    }

    // Lists.

    pub fn list(&mut self, elem: Elem, items: Vec<Value<'a>>) -> Result<List<'a>, Fail> {
        if items.is_empty() {
            return Ok(List { elem, ..List::EMPTY });
        }
        self.allocate(items.len() * size_of::<Value<'_>>() + size_of::<Vec<Value<'_>>>())?;
        let (id, len) = (self.lists.len(), items.len());
        self.lists.push(items);
        Ok(List { elem, items: Items::Heap { id, start: 0, len } })
    }

    pub fn list_value(&mut self, elem: Elem, items: Vec<Value<'a>>) -> Result<Value<'a>, Fail> {
        Ok(Value::List(self.list(elem, items)?))
    }

    pub fn item(&self, list: &List<'a>, at: usize) -> Option<Value<'a>> {
        match list.items {
            Items::Nil => None,
            Items::Json(items) => items.get(at).map(Value::from_json),
            Items::Heap { id, start, len } if at < len => self.lists.get(id)?.get(start + at).cloned(),
            Items::Heap { .. } => None,
        }
    }

    /// The items of a list, copied.
    pub fn items(&mut self, list: &List<'a>) -> Result<Vec<Value<'a>>, Fail> {
        self.allocate(list.len() * size_of::<Value<'_>>())?;
        Ok((0..list.len()).filter_map(|at| self.item(list, at)).collect())
    }

    /// The part of a list from one index up to another, which can reach beyond its end into what it is a part of.
    pub fn slice(&self, list: &List<'a>, from: usize, to: usize) -> Option<List<'a>> {
        let items = match list.items {
            Items::Nil => return (from == 0 && to == 0).then_some(*list),
            Items::Json(items) => Items::Json(items.get(from..to)?),
            Items::Heap { id, start, .. } => {
                let whole = self.lists.get(id)?;
                whole.get(start + from..start.checked_add(to)?)?;
                Items::Heap { id, start: start + from, len: to - from }
            }
        };
        Some(List { elem: list.elem, items })
    }

    // Maps.

    pub fn map(&mut self, elem: Elem) -> Result<Map<'a>, Fail> {
        self.allocate(ENTRY_BYTES)?;
        self.maps.push(Entries::new());
        Ok(Map::Heap { id: self.maps.len() - 1, elem })
    }

    /// The number of a map on the heap, if it is there.
    fn heap_id(&self, map: &Map<'a>) -> Option<usize> {
        match map {
            Map::Heap { id, .. } => Some(*id),
            Map::Json(json) if !self.changed.is_empty() => self.changed.get(&ptr::from_ref(*json).addr()).copied(),
            _ => None,
        }
    }

    pub fn get(&self, map: &Map<'a>, key: &[u8]) -> Option<Value<'a>> {
        if let Some(id) = self.heap_id(map) {
            return self.maps.get(id)?.get(key).cloned();
        }
        match map {
            Map::Json(json) => json.get(std::str::from_utf8(key).ok()?).map(Value::from_json),
            Map::Strings(strings) => strings.get(std::str::from_utf8(key).ok()?).map(|text| Value::text(text)),
            Map::Nil(_) | Map::Heap { .. } => None,
        }
    }

    pub fn map_len(&self, map: &Map<'a>) -> usize {
        if let Some(id) = self.heap_id(map) {
            return self.maps.get(id).map_or(0, BTreeMap::len);
        }
        match map {
            Map::Json(json) => json.len(),
            Map::Strings(strings) => strings.len(),
            Map::Nil(_) | Map::Heap { .. } => 0,
        }
    }

    /// The entries of a map as it is now, sorted by their keys' bytes.
    pub fn entries(&mut self, map: &Map<'a>) -> Result<Vec<(Str<'a>, Value<'a>)>, Fail> {
        self.allocate(self.map_len(map) * size_of::<(Str<'_>, Value<'_>)>())?;
        if let Some(id) = self.heap_id(map) {
            let sizes = self.maps.get(id).map_or(0, |entries| entries.keys().map(Vec::len).sum());
            self.allocate(sizes)?;
            let entries = self.maps.get(id).into_iter().flatten();
            return Ok(entries.map(|(key, value)| (Str::Owned(key.as_slice().into()), value.clone())).collect());
        }
        let mut entries: Vec<(Str<'_>, Value<'_>)> = match map {
            Map::Json(json) => json.iter().map(|(key, json)| (key.as_str().into(), Value::from_json(json))).collect(),
            Map::Strings(strings) => {
                strings.iter().map(|(key, text)| (key.as_str().into(), Value::text(text))).collect()
            }
            Map::Nil(_) | Map::Heap { .. } => Vec::new(),
        };
        // An object can be in the order of its text.
        if !entries.is_sorted_by(|(left, _), (right, _)| **left < **right) {
            entries.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
        }
        Ok(entries)
    }

    /// Moves a borrowed map to the heap to be changed. `None` for a nil map and for one that cannot change.
    fn changeable(&mut self, map: &Map<'a>) -> Result<Option<usize>, Fail> {
        if let Some(id) = self.heap_id(map) {
            return Ok(Some(id));
        }
        let Map::Json(json) = map else { return Ok(None) };
        let entries = self.entries(map)?;
        let Map::Heap { id, .. } = self.map(Elem::Any)? else { return Ok(None) };
        self.changed.insert(ptr::from_ref(*json).addr(), id);
        for (key, value) in entries {
            self.insert_at(id, &key, value)?;
        }
        Ok(Some(id))
    }

    /// Sets a key. Answers whether the map can be changed at all.
    pub fn insert(&mut self, map: &Map<'a>, key: &[u8], value: Value<'a>) -> Result<bool, Fail> {
        let Some(id) = self.changeable(map)? else { return Ok(false) };
        self.insert_at(id, key, value)?;
        Ok(true)
    }

    fn insert_at(&mut self, id: usize, key: &[u8], value: Value<'a>) -> Result<(), Fail> {
        self.allocate(key.len() + ENTRY_BYTES)?;
        if let Some(entries) = self.maps.get_mut(id) {
            entries.insert(key.to_vec(), value);
        }
        Ok(())
    }

    pub fn remove(&mut self, map: &Map<'a>, key: &[u8]) -> Result<(), Fail> {
        if self.get(map, key).is_some()
            && let Some(id) = self.changeable(map)?
            && let Some(entries) = self.maps.get_mut(id)
        {
            entries.remove(key);
        }
        Ok(())
    }

    /// Whether two maps are one.
    pub fn same_map(&self, left: &Map<'a>, right: &Map<'a>) -> bool {
        match (self.heap_id(left), self.heap_id(right)) {
            (Some(left), Some(right)) => left == right,
            (None, None) => match (left, right) {
                (Map::Json(left), Map::Json(right)) => ptr::eq(*left, *right),
                (Map::Strings(left), Map::Strings(right)) => ptr::eq(*left, *right),
                _ => false,
            },
            _ => false,
        }
    }

    /// Makes a value of the heap from JSON that will not live as long, every number a float, as Go's decoder does.
    pub fn import(&mut self, json: &Json) -> Result<Value<'a>, Fail> {
        self.step()?;
        Ok(match json {
            Json::Null => Value::Nil,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => Value::Float(number.as_f64().unwrap_or_default()),
            Json::String(text) => self.string(text)?,
            Json::Array(items) => {
                let items = items.iter().map(|item| self.import(item)).collect::<Result<Vec<_>, _>>()?;
                self.list_value(Elem::Any, items)?
            }
            Json::Object(entries) => {
                let map = self.map(Elem::Any)?;
                for (key, value) in entries {
                    let value = self.import(value)?;
                    self.insert(&map, key.as_bytes(), value)?;
                }
                Value::Map(map)
            }
        })
    }
}

impl Ord for Str<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl PartialOrd for Str<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Str<'_> {}
