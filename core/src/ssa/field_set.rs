//! Sets of fields: who owns what.
//!
//! A set is a tree of path elements. A field is in the set where its node is a member; a node that is none only leads
//! to fields below it.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use serde_json::Value;

use super::value;

/// One step of a path from an object's root to a field.
///
/// Displays as the API server prints paths: `.field`, `[name="x"]`, `[="x"]`, `[3]`.
#[derive(Clone, Debug)]
pub enum PathElement<'a> {
    /// A field of a map.
    Field(Cow<'a, str>),
    /// The item of a list that has these fields, sorted by name (`x-kubernetes-list-type: map`).
    Key(Vec<(Cow<'a, str>, Cow<'a, Value>)>),
    /// The item of a list that has this value (`x-kubernetes-list-type: set`).
    Value(Cow<'a, Value>),
    /// The item of a list at this place.
    Index(i64),
}

impl PathElement<'_> {
    /// The same step, free of what it was made from.
    #[must_use]
    pub fn into_owned(self) -> PathElement<'static> {
        match self {
            Self::Field(name) => PathElement::Field(Cow::Owned(name.into_owned())),
            Self::Key(fields) => {
                let owned = |(name, value): (Cow<'_, str>, Cow<'_, Value>)| {
                    (Cow::Owned(name.into_owned()), Cow::Owned(value.into_owned()))
                };
                PathElement::Key(fields.into_iter().map(owned).collect())
            }
            Self::Value(value) => PathElement::Value(Cow::Owned(value.into_owned())),
            Self::Index(index) => PathElement::Index(index),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Field(_) => 0,
            Self::Key(_) => 1,
            Self::Value(_) => 2,
            Self::Index(_) => 3,
        }
    }
}

impl Ord for PathElement<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Field(a), Self::Field(b)) => a.cmp(b),
            (Self::Key(a), Self::Key(b)) => {
                let fields = a.iter().zip(b);
                let mut orders =
                    fields.map(|((a_name, a), (b_name, b))| a_name.cmp(b_name).then_with(|| value::compare(a, b)));
                orders.find(|order| order.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            (Self::Value(a), Self::Value(b)) => value::compare(a, b),
            (Self::Index(a), Self::Index(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for PathElement<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PathElement<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PathElement<'_> {}

impl fmt::Display for PathElement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        match self {
            Self::Field(name) => return write!(f, ".{name}"),
            Self::Key(fields) => {
                text.push('[');
                for (position, (name, value)) in fields.iter().enumerate() {
                    if position > 0 {
                        text.push(',');
                    }
                    text.push_str(name);
                    text.push('=');
                    value::display(value, &mut text);
                }
            }
            Self::Value(value) => {
                text.push_str("[=");
                value::display(value, &mut text);
            }
            Self::Index(index) => return write!(f, "[{index}]"),
        }
        write!(f, "{text}]")
    }
}

/// A path from an object's root to a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldPath<'a>(pub Vec<PathElement<'a>>);

impl FieldPath<'_> {
    /// The same path, free of what it was made from.
    #[must_use]
    pub fn into_owned(self) -> FieldPath<'static> {
        FieldPath(self.0.into_iter().map(PathElement::into_owned).collect())
    }
}

impl fmt::Display for FieldPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|element| element.fmt(f))
    }
}

/// A set of fields of an object, as an entry of its managed fields holds it.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::ssa::FieldSet;
///
/// let fields = json!({"f:spec": {"f:replicas": {}, "f:ports": {"k:{\"port\":80}": {".": {}, "f:port": {}}}}});
/// let set = FieldSet::parse(&fields)?;
/// let paths: Vec<String> = set.paths().iter().map(ToString::to_string).collect();
/// assert_eq!(paths, [".spec.replicas", ".spec.ports[port=80]", ".spec.ports[port=80].port"]);
/// assert_eq!(set.to_fields_v1(), fields);
/// # Ok::<(), virt_autopilot::ssa::FieldsV1Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet<'a> {
    /// Sorted by element, each once. None is empty: a node is a member or has children.
    pub(super) nodes: Vec<Node<'a>>,
}

/// A step in the tree of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node<'a> {
    pub(super) element: PathElement<'a>,
    pub(super) member: bool,
    pub(super) children: FieldSet<'a>,
}

impl Node<'_> {
    fn is_empty(&self) -> bool {
        !self.member && self.children.is_empty()
    }
}

/// How much longer one list of nodes has to be for a search in it to beat a walk along both.
const SEARCH_RATIO: usize = 8;

impl<'a> FieldSet<'a> {
    /// Whether no field is in the set.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many fields are in the set.
    pub fn len(&self) -> usize {
        self.nodes.iter().map(|node| usize::from(node.member) + node.children.len()).sum()
    }

    /// Adds a field; the root itself is no field.
    pub fn insert(&mut self, path: &FieldPath<'a>) {
        let mut set = self;
        let Some((last, parents)) = path.0.split_last() else { return };
        for element in parents {
            set = &mut set.node_mut(element).children;
        }
        set.node_mut(last).member = true;
    }

    /// Whether a field is in the set.
    pub fn contains(&self, path: &FieldPath<'_>) -> bool {
        let Some((last, parents)) = path.0.split_last() else { return false };
        let parent = parents.iter().try_fold(self, |set, element| set.get(element).map(|node| &node.children));
        parent.and_then(|set| set.get(last)).is_some_and(|node| node.member)
    }

    /// The fields, those nearer the root before those below, as the server lists them.
    pub fn paths(&self) -> Vec<FieldPath<'a>> {
        let mut paths = Vec::new();
        self.collect_paths(&mut Vec::new(), &mut paths);
        paths
    }

    fn collect_paths(&self, prefix: &mut Vec<PathElement<'a>>, paths: &mut Vec<FieldPath<'a>>) {
        for node in self.nodes.iter().filter(|node| node.member) {
            let path = prefix.iter().chain([&node.element]).cloned().collect();
            paths.push(FieldPath(path));
        }
        for node in self.nodes.iter().filter(|node| !node.children.is_empty()) {
            prefix.push(node.element.clone());
            node.children.collect_paths(prefix, paths);
            prefix.pop();
        }
    }

    /// What is in this set, in the other, or in both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let mut nodes = Vec::with_capacity(self.nodes.len().max(other.nodes.len()));
        let mut ours = self.nodes.into_iter().peekable();
        let mut theirs = other.nodes.into_iter().peekable();
        while let (Some(a), Some(b)) = (ours.peek(), theirs.peek()) {
            match a.element.cmp(&b.element) {
                Ordering::Less => nodes.extend(ours.next()),
                Ordering::Greater => nodes.extend(theirs.next()),
                Ordering::Equal => {
                    if let (Some(a), Some(b)) = (ours.next(), theirs.next()) {
                        let children = a.children.union(b.children);
                        nodes.push(Node { element: a.element, member: a.member || b.member, children });
                    }
                }
            }
        }
        nodes.extend(ours);
        nodes.extend(theirs);
        Self { nodes }
    }

    /// What is in this set and not in the other. A field whose parent alone is in the other stays.
    #[must_use]
    pub fn difference(self, other: &FieldSet<'_>) -> Self {
        self.without(other, false)
    }

    /// What is in this set and neither in the other nor below a field of the other.
    #[must_use]
    pub fn recursive_difference(self, other: &FieldSet<'_>) -> Self {
        self.without(other, true)
    }

    fn without(mut self, other: &FieldSet<'_>, recursive: bool) -> Self {
        if other.is_empty() {
            return self;
        }
        let mut cursor = Cursor::new(other, self.nodes.len());
        self.nodes.retain_mut(|node| {
            let Some(taken) = cursor.advance_to(&node.element) else { return true };
            if taken.member {
                if recursive {
                    return false;
                }
                node.member = false;
            }
            if !taken.children.is_empty() {
                let children = std::mem::take(&mut node.children);
                node.children = children.without(&taken.children, recursive);
            }
            !node.is_empty()
        });
        self
    }

    /// What is in both sets.
    #[must_use]
    pub fn intersection(&self, other: &FieldSet<'_>) -> Self {
        let both = |a: &Node<'a>, b: &Node<'_>| {
            let children = a.children.intersection(&b.children);
            let node = Node { element: a.element.clone(), member: a.member && b.member, children };
            (!node.is_empty()).then_some(node)
        };
        let nodes = if self.nodes.len() > other.nodes.len() {
            let mut cursor = Cursor::new(self, other.nodes.len());
            other.nodes.iter().filter_map(|b| cursor.advance_to(&b.element).and_then(|a| both(a, b))).collect()
        } else {
            let mut cursor = Cursor::new(other, self.nodes.len());
            self.nodes.iter().filter_map(|a| cursor.advance_to(&a.element).and_then(|b| both(a, b))).collect()
        };
        Self { nodes }
    }

    /// Whether every field of this set is in the other.
    pub fn is_subset(&self, other: &FieldSet<'_>) -> bool {
        let mut cursor = Cursor::new(other, self.nodes.len());
        self.nodes.iter().all(|node| {
            cursor
                .advance_to(&node.element)
                .is_some_and(|theirs| (theirs.member || !node.member) && node.children.is_subset(&theirs.children))
        })
    }

    /// The same set, free of what it was made from.
    #[must_use]
    pub fn into_owned(self) -> FieldSet<'static> {
        let owned = |node: Node<'_>| Node {
            element: node.element.into_owned(),
            member: node.member,
            children: node.children.into_owned(),
        };
        FieldSet { nodes: self.nodes.into_iter().map(owned).collect() }
    }

    pub(super) fn get(&self, element: &PathElement<'_>) -> Option<&Node<'a>> {
        let place = self.nodes.binary_search_by(|node| node.element.cmp(element)).ok()?;
        self.nodes.get(place)
    }

    fn node_mut(&mut self, element: &PathElement<'a>) -> &mut Node<'a> {
        let place = match self.nodes.binary_search_by(|node| node.element.cmp(element)) {
            Ok(place) => place,
            Err(place) => {
                let node = Node { element: element.clone(), member: false, children: FieldSet::default() };
                self.nodes.insert(place, node);
                place
            }
        };
        #[expect(clippy::indexing_slicing, reason = "the search gave the place, or a node was put there")]
        &mut self.nodes[place]
    }

    /// Makes a set of nodes in any order, an element given twice being one.
    pub(super) fn from_unsorted(mut nodes: Vec<Node<'a>>) -> Self {
        if !nodes.is_sorted_by(|a, b| a.element < b.element) {
            nodes.sort_by(|a, b| a.element.cmp(&b.element));
            nodes.dedup_by(|later, first| {
                let same = later.element == first.element;
                if same {
                    first.member |= later.member;
                    if !later.children.is_empty() {
                        first.children = std::mem::take(&mut later.children);
                    }
                }
                same
            });
        }
        Self { nodes }
    }

    /// Adds a node at the end, if it is not empty; the caller goes through the elements in order.
    pub(super) fn push(&mut self, element: PathElement<'a>, member: bool, children: FieldSet<'a>) {
        if member || !children.is_empty() {
            self.nodes.push(Node { element, member, children });
        }
    }
}

/// Goes through a set's nodes in step with sorted elements of another: by walking, or by searching where it is far
/// longer, so that many small sets against a large one stay cheap.
struct Cursor<'s, 'a> {
    nodes: &'s [Node<'a>],
    search: bool,
}

impl<'s, 'a> Cursor<'s, 'a> {
    fn new(set: &'s FieldSet<'a>, steps: usize) -> Self {
        Self { nodes: &set.nodes, search: set.nodes.len() / SEARCH_RATIO > steps }
    }

    /// The node of an element; elements have to be asked for in their order.
    fn advance_to(&mut self, element: &PathElement<'_>) -> Option<&'s Node<'a>> {
        if self.search {
            let before = self.nodes.partition_point(|node| node.element < *element);
            self.nodes = self.nodes.get(before..)?;
        }
        while let Some((first, rest)) = self.nodes.split_first() {
            match first.element.cmp(element) {
                Ordering::Less => self.nodes = rest,
                Ordering::Equal => {
                    self.nodes = rest;
                    return Some(first);
                }
                Ordering::Greater => return None,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A set of paths in a short form: `a.b` are fields.
    fn set(paths: &[&'static str]) -> FieldSet<'static> {
        let mut set = FieldSet::default();
        for path in paths {
            set.insert(&FieldPath(path.split('.').map(|name| PathElement::Field(name.into())).collect()));
        }
        set
    }

    fn shown(set: &FieldSet<'_>) -> Vec<String> {
        set.paths().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn elements_print_as_the_server_prints_them() {
        let check = |element: PathElement<'_>, expect: &str| assert_eq!(element.to_string(), expect);
        let key = |name: &'static str, value: Value| (Cow::Borrowed(name), Cow::Owned(value));
        check(PathElement::Field("a.b/c".into()), ".a.b/c");
        check(PathElement::Key(vec![key("name", json!("x"))]), "[name=\"x\"]");
        check(
            PathElement::Key(vec![key("port", json!(80.0)), key("protocol", json!("TCP"))]),
            "[port=80,protocol=\"TCP\"]",
        );
        check(PathElement::Value(Cow::Owned(json!("x"))), "[=\"x\"]");
        check(PathElement::Value(Cow::Owned(json!(true))), "[=true]");
        check(PathElement::Index(3), "[3]");
    }

    #[test]
    fn a_parent_and_its_child_are_two_fields() {
        assert_eq!(shown(&set(&["a", "a.b"]).difference(&set(&["a"]))), [".a.b"]);
        assert_eq!(shown(&set(&["a", "a.b"]).difference(&set(&["a.b"]))), [".a"]);
        assert_eq!(shown(&set(&["a.b"]).difference(&set(&["a"]))), [".a.b"]);
        assert!(set(&["a", "a.b"]).recursive_difference(&set(&["a"])).is_empty());
        assert_eq!(shown(&set(&["a", "a.b"]).recursive_difference(&set(&["a.b"]))), [".a"]);
        assert!(set(&["a.b"]).intersection(&set(&["a"])).is_empty());
        assert!(!set(&["a"]).is_subset(&set(&["a.b"])));
        assert!(set(&["a.b"]).is_subset(&set(&["a", "a.b", "c"])));
    }

    #[test]
    fn members_are_listed_before_what_is_below() {
        assert_eq!(shown(&set(&["a.b", "c", "a.d.e", "a"])), [".a", ".c", ".a.b", ".a.d.e"]);
    }

    #[test]
    fn small_against_large_is_searched() {
        let names: Vec<String> = (0..100).map(|i| format!("n{i:03}")).collect();
        let mut large = FieldSet::default();
        for name in &names {
            large.insert(&FieldPath(vec![PathElement::Field(name.into())]));
        }
        let small = set(&["a", "n050", "n099", "z"]);
        assert_eq!(shown(&small.intersection(&large)), [".n050", ".n099"]);
        assert_eq!(shown(&large.intersection(&small)), [".n050", ".n099"]);
        assert_eq!(shown(&small.clone().difference(&large)), [".a", ".z"]);
        assert_eq!(large.difference(&small).len(), 98);
    }
}
