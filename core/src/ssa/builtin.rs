//! The kinds of Kubernetes itself that catalogs use, from a table of this crate.
//!
//! The table has a line for each type: its name, then groups of fields that share a type, `type:name,name`. A name with
//! slashes is a kind, `group/version/Kind`, to which the fields of every object are added. Types are `s` (string), `n`
//! (number), `b` (boolean), `u` (any scalar), `*` (anything), `{T}` (map), `[]T` (atomic list), `[=]T` (set),
//! `[key,key]T` (list with keys), or the name of another line. `!` before a map, or before the name of a line, makes it
//! one field. `s=TCP` is a string with a default, given for the keys of lists only. Field names and list types are
//! those of the Kubernetes API reference, 1.36.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::schema::{
    DEDUCED, Field, Fields, GroupVersionKind, ListType, MapType, Scalar, Schema, Type, TypeId, TypesBuilder,
};

const TABLE: &str = include_str!("builtin/types.txt");

/// The schema of a kind of the table.
pub(super) fn schema(group: &str, version: &str, kind: &str) -> Option<Schema> {
    static SCHEMAS: OnceLock<Vec<Schema>> = OnceLock::new();
    let matches = |schema: &&Schema| {
        schema
            .kind
            .as_ref()
            .is_some_and(|known| (&*known.group, &*known.version, &*known.kind) == (group, version, kind))
    };
    SCHEMAS.get_or_init(all).iter().find(matches).cloned()
}

/// Adds the type of `metadata` of every object.
pub(super) fn object_meta(types: &mut TypesBuilder) -> TypeId {
    Reader::new(types).named("ObjectMeta").unwrap_or(DEDUCED)
}

fn all() -> Vec<Schema> {
    let mut types = TypesBuilder::new();
    let mut reader = Reader::new(&mut types);
    let metadata = reader.named("ObjectMeta").unwrap_or(DEDUCED);
    let kinds: Vec<_> = TABLE.lines().filter_map(kind_of).collect();
    let mut roots = Vec::with_capacity(kinds.len());
    for (name, kind) in kinds {
        if let Some(root) = reader.named(name) {
            reader.types.add_object_fields(root, metadata);
            roots.push((root, kind));
        }
    }
    let types = Arc::new(types.finish());
    let schema = |(root, kind)| {
        let has_status = types.get(root).map.as_ref().is_some_and(|map| map.field("status").is_some());
        let kind = Some(Arc::new(kind));
        Schema { types: types.clone(), root, kind, versions: None, resets_status: has_status }
    };
    roots.into_iter().map(schema).collect()
}

/// The name of a line and the kind that it describes, if it describes one.
fn kind_of(line: &str) -> Option<(&str, GroupVersionKind)> {
    let name = line.split(' ').next()?;
    let (api_version, kind) = name.rsplit_once('/')?;
    let (group, version) = crate::object::split_api_version(api_version);
    Some((name, GroupVersionKind { group: group.to_owned(), version: version.to_owned(), kind: kind.to_owned() }))
}

/// Reads lines of the table into types, each once.
struct Reader<'t> {
    types: &'t mut TypesBuilder,
    lines: BTreeMap<&'static str, (bool, &'static str)>,
    read: BTreeMap<&'static str, TypeId>,
}

impl<'t> Reader<'t> {
    fn new(types: &'t mut TypesBuilder) -> Self {
        let line = |line: &'static str| {
            let (name, groups) = line.split_once(' ')?;
            let plain = name.strip_prefix('!');
            Some((plain.unwrap_or(name), (plain.is_some(), groups)))
        };
        Self { types, lines: TABLE.lines().filter_map(line).collect(), read: BTreeMap::new() }
    }

    fn named(&mut self, name: &str) -> Option<TypeId> {
        if let Some(id) = self.read.get(name) {
            return Some(*id);
        }
        let (name, (atomic, groups)) = self.lines.get_key_value(name).map(|(name, line)| (*name, *line))?;
        let id = self.types.add(Type::default());
        self.read.insert(name, id);
        let mut fields = Vec::new();
        for group in groups.split(' ') {
            let (kind, names) = group.rsplit_once(':')?;
            let (kind, default) = match kind.split_once("s=") {
                Some(("", default)) => ("s", Some(Value::from(default))),
                _ => (kind, None),
            };
            let of = self.of(kind)?;
            let field = |name: &str| Field { name: name.into(), of, default: default.clone() };
            fields.extend(names.split(',').map(field));
        }
        let fields = Fields::new(fields);
        self.types.set(id, Type { map: Some(MapType { fields, others: None, atomic }), ..Type::default() });
        Some(id)
    }

    fn of(&mut self, kind: &str) -> Option<TypeId> {
        let scalar = match kind {
            "s" => Scalar::Text,
            "n" => Scalar::Numeric,
            "b" => Scalar::Boolean,
            "u" => Scalar::Untyped,
            "*" => return Some(DEDUCED),
            _ => return self.container(kind),
        };
        Some(self.types.scalar(scalar))
    }

    fn container(&mut self, kind: &str) -> Option<TypeId> {
        if let Some(list) = kind.strip_prefix('[') {
            let (keys, items) = list.split_once(']')?;
            let items = self.of(items)?;
            let atomic = keys.is_empty();
            let keys = if atomic || keys == "=" { Vec::new() } else { keys.split(',').map(str::to_owned).collect() };
            return Some(self.types.add(Type { list: Some(ListType { items, atomic, keys }), ..Type::default() }));
        }
        let (atomic, plain) = kind.strip_prefix('!').map_or((false, kind), |plain| (true, plain));
        match plain.strip_prefix('{').and_then(|map| map.strip_suffix('}')) {
            Some(values) => {
                let others = Some(self.of(values)?);
                let map = MapType { fields: Fields::none(), others, atomic };
                Some(self.types.add(Type { map: Some(map), ..Type::default() }))
            }
            None => self.named(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_used() {
        let mut types = TypesBuilder::new();
        let mut reader = Reader::new(&mut types);
        assert_eq!(reader.lines.len(), TABLE.lines().count(), "no name is given twice");
        for kind in TABLE.lines().filter_map(kind_of) {
            assert!(reader.named(kind.0).is_some(), "{}", kind.0);
        }
        let unused: Vec<_> = reader.lines.keys().filter(|name| !reader.read.contains_key(*name)).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }

    #[test]
    fn lists_of_built_in_kinds() {
        let check = |group: &str, kind: &str, path: &str, atomic: bool, keys: &[&str]| {
            let schema = schema(group, "v1", kind).unwrap();
            let step = |of: TypeId, name: &str| match (&schema.types.get(of).map, &schema.types.get(of).list) {
                (Some(map), _) => map.type_of(name).unwrap(),
                (None, list) => list.as_ref().unwrap().items,
            };
            let list = schema.types.get(path.split('.').fold(schema.root, step)).list.as_ref().unwrap();
            assert_eq!(
                (list.atomic, &list.keys[..]),
                (atomic, &keys.iter().map(|k| (*k).into()).collect::<Vec<String>>()[..])
            );
        };
        check("", "Service", "spec.ports", false, &["port", "protocol"]);
        check("", "ConfigMap", "metadata.finalizers", false, &[]);
        check("", "ConfigMap", "metadata.ownerReferences", false, &["uid"]);
        check("apps", "DaemonSet", "spec.template.spec.containers", false, &["name"]);
        check("apps", "DaemonSet", "spec.template.spec.containers.*.ports", false, &["containerPort", "protocol"]);
        check("apps", "DaemonSet", "spec.template.spec.containers.*.args", true, &[]);
        check("apps", "Deployment", "spec.template.spec.tolerations", true, &[]);
        check("rbac.authorization.k8s.io", "ClusterRole", "rules", true, &[]);
    }

    #[test]
    fn status_has_its_own_endpoint() {
        assert!(schema("", "v1", "Service").unwrap().resets_status);
        assert!(!schema("", "v1", "ConfigMap").unwrap().resets_status);
        assert!(schema("apps", "v1", "ConfigMap").is_none());
    }
}
