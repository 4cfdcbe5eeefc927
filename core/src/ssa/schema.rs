//! What is known of a kind's fields: which are lists and maps, and whether these are one field or many.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::builtin;
use crate::limits::MAX_DEPTH;
use crate::object::{Object, split_api_version};

/// The fields of a kind, as server-side apply sees them. Cheap to clone.
///
/// It decides what can be owned on its own: an atomic list or map is one field, the items of a list of type `set` or
/// `map` and the entries of a granular map are fields of their own.
///
/// # Examples
///
/// ```
/// use virt_autopilot::ssa::Schema;
///
/// assert!(Schema::builtin("", "v1", "ConfigMap").is_some());
/// assert!(Schema::builtin("example.com", "v1", "Widget").is_none());
/// let schema = Schema::of_structural(&serde_json::json!({
///     "type": "object",
///     "properties": {"spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}}},
/// }))?;
/// # Ok::<(), virt_autopilot::ssa::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Schema {
    pub(super) types: Arc<Types>,
    pub(super) root: TypeId,
    /// The kind that it describes, where that is known.
    pub(super) kind: Option<Arc<GroupVersionKind>>,
    /// The versions in which the kind exists, where that is known: fields managed in any other have no owner.
    pub(super) versions: Option<Arc<[String]>>,
    /// Whether `status` is written through its own endpoint alone.
    pub(super) resets_status: bool,
}

/// Why a structural schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// A schema is no map.
    #[error("a schema is a map, under `{path}` is {found}")]
    NotAMap {
        /// The fields that lead to it, with dots.
        path: String,
        /// The JSON type that was found.
        found: &'static str,
    },
    /// An extension or a type has a value that is not known.
    #[error("`{key}` of the schema at `{path}` has a value that is not known")]
    UnknownValue {
        /// The fields that lead to it, with dots.
        path: String,
        /// The keyword.
        key: &'static str,
    },
    /// A keyword that the others call for is absent.
    #[error("`{key}` is missing in the schema at `{path}`")]
    Missing {
        /// The fields that lead to it, with dots.
        path: String,
        /// The keyword.
        key: &'static str,
    },
    /// The schema is nested deeper than [`MAX_DEPTH`].
    #[error("the schema is nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

/// A group, a version and a kind.
///
/// Displays as the server prints it: `apps/v1, Kind=DaemonSet`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupVersionKind {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
}

impl GroupVersionKind {
    pub(super) fn of(object: &Object) -> Self {
        let (group, version) = split_api_version(object.api_version());
        Self { group: group.to_owned(), version: version.to_owned(), kind: object.kind().to_owned() }
    }

    pub(super) fn is_of(&self, object: &Object) -> bool {
        split_api_version(object.api_version()) == (self.group.as_str(), self.version.as_str())
            && object.kind() == self.kind
    }
}

impl std::fmt::Display for GroupVersionKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}, Kind={}", self.group, self.version, self.kind)
    }
}

/// All types of a schema, referred to by their place.
#[derive(Debug)]
pub(super) struct Types(Vec<Type>);

/// The place of a type in its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeId(usize);

/// A type whose lists and maps are one field.
pub(super) const ATOMIC: TypeId = TypeId(0);
/// A type that is told from the value: maps are granular, lists atomic.
pub(super) const DEDUCED: TypeId = TypeId(1);

/// What a value may be: any of these that is there.
#[derive(Clone, Debug, Default)]
pub(super) struct Type {
    pub(super) scalar: Option<Scalar>,
    pub(super) list: Option<ListType>,
    pub(super) map: Option<MapType>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Numeric,
    Text,
    Boolean,
    Untyped,
}

#[derive(Clone, Debug)]
pub(super) struct ListType {
    pub(super) items: TypeId,
    pub(super) atomic: bool,
    /// The fields by which the items of a list of type `map` are told apart; none for a list of type `set`.
    pub(super) keys: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct MapType {
    /// The declared fields.
    pub(super) fields: Fields,
    /// The type of what is not declared; `None` refuses it.
    pub(super) others: Option<TypeId>,
    pub(super) atomic: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Box<str>,
    pub(super) of: TypeId,
    /// What the field is where it is absent; kept for scalars, since only the keys of lists ask for it.
    pub(super) default: Option<Value>,
}

/// The declared fields of a map, sorted by name.
///
/// Most names differ in their first eight bytes, so that a search compares numbers that lie side by side.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    prefixes: Vec<u64>,
    fields: Vec<Field>,
}

impl Fields {
    pub(super) const fn none() -> Self {
        Self { prefixes: Vec::new(), fields: Vec::new() }
    }

    pub(super) fn new(mut fields: Vec<Field>) -> Self {
        fields.sort_by(|a, b| a.name.cmp(&b.name));
        Self { prefixes: fields.iter().map(|field| prefix(&field.name)).collect(), fields }
    }

    fn get(&self, name: &str) -> Option<&Field> {
        let prefix = prefix(name);
        let first = self.prefixes.partition_point(|known| *known < prefix);
        let same = self.prefixes.iter().skip(first).take_while(|known| **known == prefix);
        self.fields.iter().skip(first).zip(same).map(|(field, _)| field).find(|field| *field.name == *name)
    }
}

fn prefix(name: &str) -> u64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(name.bytes()) {
        *to = from;
    }
    u64::from_be_bytes(bytes)
}

impl MapType {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.get(name)
    }

    /// The type of the field of that name, declared or not.
    pub(super) fn type_of(&self, name: &str) -> Option<TypeId> {
        self.field(name).map(|field| field.of).or(self.others)
    }

    /// Whether the map declares nothing and takes anything.
    pub(super) fn is_deduced(&self) -> bool {
        self.fields.fields.is_empty() && self.others == Some(DEDUCED)
    }
}

/// The one thing that a value is taken for.
#[derive(Clone, Copy)]
pub(super) enum Shape<'s> {
    Map(&'s MapType),
    Scalar(Scalar),
    List(&'s ListType),
}

impl Type {
    /// What a value of this type is taken for: what it is, or where the type does not know that (null among others),
    /// the first that the type knows.
    pub(super) fn shape(&self, value: &Value) -> Shape<'_> {
        let own = match value {
            Value::Null => None,
            Value::Array(_) => self.list.as_ref().map(Shape::List),
            Value::Object(_) => self.map.as_ref().map(Shape::Map),
            _ => self.scalar.map(Shape::Scalar),
        };
        own.unwrap_or_else(|| self.first_shape())
    }

    /// The first thing that the type knows: a map, a scalar, a list.
    pub(super) fn first_shape(&self) -> Shape<'_> {
        match (&self.map, self.scalar, &self.list) {
            (Some(map), ..) => Shape::Map(map),
            (None, Some(scalar), _) => Shape::Scalar(scalar),
            (None, None, Some(list)) => Shape::List(list),
            (None, None, None) => Shape::Scalar(Scalar::Untyped),
        }
    }
}

impl Types {
    pub(super) fn get(&self, id: TypeId) -> &Type {
        static NOTHING: Type = Type { scalar: Some(Scalar::Untyped), list: None, map: None };
        self.0.get(id.0).unwrap_or(&NOTHING)
    }
}

impl Schema {
    /// No schema: maps are granular, lists are atomic, every field is allowed.
    pub fn untyped() -> Self {
        Self::new(TypesBuilder::new().finish(), DEDUCED)
    }

    /// The schema of a kind that Kubernetes itself has, of those that this crate knows.
    ///
    /// The core group is empty.
    pub fn builtin(group: &str, version: &str, kind: &str) -> Option<Self> {
        builtin::schema(group, version, kind)
    }

    /// The schema of a version of a CustomResourceDefinition; `None` where it has no such version.
    ///
    /// A version without a schema, or with one that the server could not use, takes any field, as the server has it.
    pub fn of_crd(crd: &Object, version: &str) -> Option<Self> {
        let versions = crd.at(&["spec", "versions"])?.as_array()?;
        let named = |entry: &Value| entry.get("name").and_then(Value::as_str).map(str::to_owned);
        let entry = versions.iter().find(|entry| entry.get("name").and_then(Value::as_str) == Some(version))?;
        let text = |path: &[&str]| crd.at(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        let group = text(&["spec", "group"]);
        let keeps_all = crd.at(&["spec", "preserveUnknownFields"]) == Some(&Value::Bool(true));
        let structural = entry.get("schema").and_then(|schema| schema.get("openAPIV3Schema"));

        let mut schema = match structural {
            Some(structural) => of_custom_resource(structural, keeps_all).unwrap_or_else(|_| Self::untyped()),
            None => Self::untyped(),
        };
        let api_version = |version: String| if group.is_empty() { version } else { format!("{group}/{version}") };
        schema.versions = Some(versions.iter().filter_map(named).map(api_version).collect());
        schema.resets_status = entry.get("subresources").and_then(|all| all.get("status")).is_some();
        let kind = text(&["spec", "names", "kind"]);
        schema.kind = Some(Arc::new(GroupVersionKind { group, version: version.to_owned(), kind }));
        Some(schema)
    }

    /// The schema of a whole object in OpenAPI v3 with the `x-kubernetes-` extensions, `metadata` and all.
    ///
    /// # Errors
    ///
    /// Where an extension or a type has an unknown value, a list has no `items` or no keys, or it is nested too deep.
    pub fn of_structural(structural: &Value) -> Result<Self, SchemaError> {
        let mut types = TypesBuilder::new();
        let mut reader = Reader { types: &mut types, metadata: None, path: Vec::new() };
        let root = reader.read(structural, false)?;
        let mut schema = Self::new(types.finish(), root);
        if schema.types.get(root).map.is_none() {
            return Err(SchemaError::UnknownValue { path: String::new(), key: "type" });
        }
        schema.kind = declared_kind(structural).map(Arc::new);
        Ok(schema)
    }

    pub(super) fn new(types: Types, root: TypeId) -> Self {
        Self { types: Arc::new(types), root, kind: None, versions: None, resets_status: false }
    }

    /// The type of a whole object.
    pub(super) fn object(&self) -> &MapType {
        static ANYTHING: MapType = MapType { fields: Fields::none(), others: Some(DEDUCED), atomic: false };
        self.types.get(self.root).map.as_ref().unwrap_or(&ANYTHING)
    }

    /// Whether an owner's fields in this version mean anything.
    pub(super) fn knows_version(&self, api_version: &str) -> bool {
        self.versions.as_ref().is_none_or(|known| known.iter().any(|version| version == api_version))
    }
}

impl Default for Schema {
    fn default() -> Self {
        Self::untyped()
    }
}

/// The schema of a custom resource, whose type and object metadata are those of every object.
fn of_custom_resource(structural: &Value, keeps_all: bool) -> Result<Schema, SchemaError> {
    let mut types = TypesBuilder::new();
    let metadata = builtin::object_meta(&mut types);
    let mut reader = Reader { types: &mut types, metadata: Some(metadata), path: Vec::new() };
    let root = reader.read(structural, keeps_all)?;
    Ok(Schema::new(types.finish(), root))
}

fn declared_kind(structural: &Value) -> Option<GroupVersionKind> {
    let declared = structural.get("x-kubernetes-group-version-kind")?.as_array()?.first()?;
    let text = |key: &str| Some(declared.get(key)?.as_str()?.to_owned());
    Some(GroupVersionKind { group: text("group")?, version: text("version")?, kind: text("kind")? })
}

/// Collects the types of a schema.
pub(super) struct TypesBuilder(Vec<Type>);

impl TypesBuilder {
    pub(super) fn new() -> Self {
        let free = |inner: TypeId, atomic: bool| Type {
            scalar: Some(Scalar::Untyped),
            list: Some(ListType { items: ATOMIC, atomic: true, keys: Vec::new() }),
            map: Some(MapType { fields: Fields::none(), others: Some(inner), atomic }),
        };
        Self(vec![free(ATOMIC, true), free(DEDUCED, false)])
    }

    pub(super) fn add(&mut self, kind: Type) -> TypeId {
        self.0.push(kind);
        TypeId(self.0.len() - 1)
    }

    pub(super) fn scalar(&mut self, scalar: Scalar) -> TypeId {
        self.add(Type { scalar: Some(scalar), ..Type::default() })
    }

    /// Keeps a place for a type that refers to itself.
    pub(super) fn set(&mut self, id: TypeId, kind: Type) {
        if let Some(place) = self.0.get_mut(id.0) {
            *place = kind;
        }
    }

    /// Gives a map the fields that every Kubernetes object has.
    pub(super) fn add_object_fields(&mut self, id: TypeId, metadata: TypeId) {
        let text = self.scalar(Scalar::Text);
        if let Some(map) = self.0.get_mut(id.0).and_then(|kind| kind.map.as_mut()) {
            let mut fields = std::mem::take(&mut map.fields.fields);
            for (name, of) in [("apiVersion", text), ("kind", text), ("metadata", metadata)] {
                fields.retain(|field| &*field.name != name);
                fields.push(Field { name: name.into(), of, default: None });
            }
            map.fields = Fields::new(fields);
        }
    }

    pub(super) fn finish(self) -> Types {
        Types(self.0)
    }
}

/// Reads OpenAPI v3 into types.
struct Reader<'t, 's> {
    types: &'t mut TypesBuilder,
    /// The type of object metadata, where the root and embedded resources are to have the fields of an object.
    metadata: Option<TypeId>,
    path: Vec<&'s str>,
}

impl<'s> Reader<'_, 's> {
    fn read(&mut self, schema: &'s Value, keeps_all: bool) -> Result<TypeId, SchemaError> {
        if self.path.len() >= MAX_DEPTH {
            return Err(SchemaError::TooDeep);
        }
        let Some(keywords) = schema.as_object() else {
            return Err(SchemaError::NotAMap { path: self.at(), found: crate::object::json_type(schema) });
        };
        let keeps_all = keeps_all || is_true(keywords, "x-kubernetes-preserve-unknown-fields");
        let is_object = self.path.is_empty() || is_true(keywords, "x-kubernetes-embedded-resource");
        let metadata = self.metadata.filter(|_| is_object);
        let format = keywords.get("format").and_then(Value::as_str).unwrap_or_default();
        let mut kind = Type::default();
        match type_name(keywords) {
            "" => {
                kind.scalar = Some(Scalar::Untyped);
                kind.list = Some(self.list(keywords, keeps_all, false)?);
                kind.map = Some(self.map(keywords, keeps_all, metadata.is_some())?);
            }
            "object" => kind.map = Some(self.map(keywords, keeps_all, metadata.is_some())?),
            "array" => kind.list = Some(self.list(keywords, keeps_all, true)?),
            "integer" | "number" => kind.scalar = Some(Scalar::Numeric),
            "boolean" => kind.scalar = Some(Scalar::Boolean),
            "string" if matches!(format, "" | "byte") => kind.scalar = Some(Scalar::Text),
            "string" => kind.scalar = Some(Scalar::Untyped),
            _ => return Err(self.unknown("type")),
        }
        let id = self.types.add(kind);
        if let Some(metadata) = metadata {
            self.types.add_object_fields(id, metadata);
        }
        Ok(id)
    }

    fn map(
        &mut self,
        keywords: &'s Map<String, Value>,
        keeps_all: bool,
        is_object: bool,
    ) -> Result<MapType, SchemaError> {
        let mut fields = Vec::new();
        if let Some(properties) = keywords.get("properties").and_then(Value::as_object) {
            for (name, property) in properties {
                let of = self.descend(name, property, keeps_all)?;
                let default = property.get("default").filter(|value| !value.is_array() && !value.is_object());
                let default = default.filter(|value| !value.is_null()).cloned();
                fields.push(Field { name: name.as_str().into(), of, default });
            }
        }
        let others = match keywords.get("additionalProperties") {
            // A map that says nothing takes anything; an object has fields even where its schema does not name them.
            None => (keeps_all || (fields.is_empty() && !is_object)).then_some(DEDUCED),
            Some(Value::Bool(allowed)) => allowed.then_some(DEDUCED),
            Some(schema) => Some(self.descend("*", schema, keeps_all)?),
        };
        let atomic = match keywords.get("x-kubernetes-map-type").map(Value::as_str) {
            None | Some(Some("granular")) => false,
            Some(Some("atomic")) => true,
            Some(_) => return Err(self.unknown("x-kubernetes-map-type")),
        };
        Ok(MapType { fields: Fields::new(fields), others, atomic })
    }

    fn list(
        &mut self,
        keywords: &'s Map<String, Value>,
        keeps_all: bool,
        needs_items: bool,
    ) -> Result<ListType, SchemaError> {
        let items = match keywords.get("items") {
            Some(items) => self.descend("*", items, keeps_all)?,
            None if needs_items => return Err(SchemaError::Missing { path: self.at(), key: "items" }),
            None => ATOMIC,
        };
        let (atomic, keys) = self.relation(keywords)?;
        Ok(ListType { items, atomic, keys })
    }

    /// Whether a list is one field, and if not, the keys of its items.
    fn relation(&self, keywords: &Map<String, Value>) -> Result<(bool, Vec<String>), SchemaError> {
        if let Some(list_type) = keywords.get("x-kubernetes-list-type") {
            const KEYS: &str = "x-kubernetes-list-map-keys";
            return match (list_type.as_str(), keywords.get(KEYS)) {
                (Some("atomic"), _) => Ok((true, Vec::new())),
                (Some("set"), _) => Ok((false, Vec::new())),
                (Some("map"), Some(Value::Array(keys))) => {
                    Ok((false, keys.iter().filter_map(Value::as_str).map(str::to_owned).collect()))
                }
                (Some("map"), None) => Err(SchemaError::Missing { path: self.at(), key: KEYS }),
                (Some("map"), Some(_)) => Err(self.unknown(KEYS)),
                _ => Err(self.unknown("x-kubernetes-list-type")),
            };
        }
        // The older way to say the same.
        match keywords.get("x-kubernetes-patch-strategy").map(Value::as_str) {
            None | Some(Some("retainKeys")) => Ok((true, Vec::new())),
            Some(Some("merge" | "merge,retainKeys")) => match keywords.get("x-kubernetes-patch-merge-key") {
                None => Ok((false, Vec::new())),
                Some(Value::String(key)) => Ok((false, vec![key.clone()])),
                Some(_) => Err(self.unknown("x-kubernetes-patch-merge-key")),
            },
            Some(_) => Err(self.unknown("x-kubernetes-patch-strategy")),
        }
    }

    fn descend(&mut self, name: &'s str, schema: &'s Value, keeps_all: bool) -> Result<TypeId, SchemaError> {
        self.path.push(name);
        let id = self.read(schema, keeps_all)?;
        self.path.pop();
        Ok(id)
    }

    fn at(&self) -> String {
        self.path.join(".")
    }

    fn unknown(&self, key: &'static str) -> SchemaError {
        SchemaError::UnknownValue { path: self.at(), key }
    }
}

fn is_true(keywords: &Map<String, Value>, key: &str) -> bool {
    keywords.get(key) == Some(&Value::Bool(true))
}

/// The `type` of a schema; the first where it is a list, empty where there is none.
fn type_name(keywords: &Map<String, Value>) -> &str {
    let first = match keywords.get("type") {
        Some(Value::Array(names)) => names.first(),
        other => other,
    };
    first.and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at<'s>(schema: &'s Schema, path: &[&str]) -> &'s Type {
        let step = |of: &'s Type, name: &&str| match (&of.map, &of.list) {
            (Some(map), _) => schema.types.get(map.type_of(name).unwrap()),
            (None, Some(list)) => schema.types.get(list.items),
            _ => panic!("a scalar has no `{name}`"),
        };
        path.iter().fold(schema.types.get(schema.root), step)
    }

    #[test]
    fn types_of_openapi() {
        let check = |structural: Value, scalar: Option<Scalar>| {
            let schema = Schema::of_structural(&json!({"type": "object", "properties": {"a": structural}})).unwrap();
            assert_eq!(at(&schema, &["a"]).scalar, scalar);
        };
        check(json!({"type": "integer"}), Some(Scalar::Numeric));
        check(json!({"type": "number"}), Some(Scalar::Numeric));
        check(json!({"type": "boolean"}), Some(Scalar::Boolean));
        check(json!({"type": "string"}), Some(Scalar::Text));
        check(json!({"type": "string", "format": "byte"}), Some(Scalar::Text));
        check(json!({"type": "string", "format": "date-time"}), Some(Scalar::Untyped));
        check(json!({"x-kubernetes-int-or-string": true}), Some(Scalar::Untyped));
        check(json!({"type": "object"}), None);
    }

    #[test]
    fn unknown_fields_are_kept_below_the_one_that_says_so() {
        let structural = json!({"type": "object", "properties": {
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
                "a": {"type": "object", "properties": {"b": {"type": "string"}}}}},
            "strict": {"type": "object", "properties": {"b": {"type": "string"}}},
            "open": {"type": "object"},
            "shut": {"type": "object", "additionalProperties": false},
        }});
        let schema = Schema::of_structural(&structural).unwrap();
        let others = |path: &[&str]| at(&schema, path).map.as_ref().unwrap().others;
        assert_eq!(others(&["free"]), Some(DEDUCED));
        assert_eq!(others(&["free", "a"]), Some(DEDUCED));
        assert_eq!(others(&["strict"]), None);
        assert_eq!(others(&["open"]), Some(DEDUCED));
        assert_eq!(others(&["shut"]), None);
        assert_eq!(others(&[]), None);
    }

    #[test]
    fn schemas_that_cannot_be_used() {
        let check = |structural: Value, expect: SchemaError| {
            let schema = json!({"type": "object", "properties": {"a": structural}});
            assert_eq!(Schema::of_structural(&schema).unwrap_err(), expect);
        };
        let path = || "a".to_owned();
        check(json!([]), SchemaError::NotAMap { path: path(), found: "a list" });
        check(json!({"type": "text"}), SchemaError::UnknownValue { path: path(), key: "type" });
        assert_eq!(
            Schema::of_structural(&json!({"type": "string"})).unwrap_err(),
            SchemaError::UnknownValue { path: String::new(), key: "type" }
        );
        check(json!({"type": "array"}), SchemaError::Missing { path: path(), key: "items" });
        let list = |list_type: &str| json!({"type": "array", "items": {}, "x-kubernetes-list-type": list_type});
        check(list("map"), SchemaError::Missing { path: path(), key: "x-kubernetes-list-map-keys" });
        check(list("bag"), SchemaError::UnknownValue { path: path(), key: "x-kubernetes-list-type" });
        let deep = (0..300).fold(json!({"type": "string"}), |inner, _| json!({"type": "array", "items": inner}));
        assert_eq!(Schema::of_structural(&deep).unwrap_err(), SchemaError::TooDeep);
    }

    fn crd(schema: Value) -> Object {
        Object::from_value(json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "spec": {
                "group": "example.com", "names": {"kind": "Widget"},
                "versions": [
                    {"name": "v1", "schema": {"openAPIV3Schema": schema}, "subresources": {"status": {}}},
                    {"name": "v1beta1"},
                ],
            },
        }))
        .unwrap()
    }

    #[test]
    fn a_crd_gives_metadata_to_its_objects_and_to_embedded_ones() {
        let embedded = json!({"type": "object", "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true});
        let crd = crd(json!({"type": "object", "properties": {"metadata": {"type": "object"}, "inner": embedded}}));
        let schema = Schema::of_crd(&crd, "v1").unwrap();
        for path in [&["metadata"][..], &["inner", "metadata"]] {
            let metadata = at(&schema, path).map.as_ref().unwrap();
            let owners = schema.types.get(metadata.field("ownerReferences").unwrap().of).list.as_ref().unwrap();
            assert_eq!(owners.keys, ["uid"]);
            assert_eq!(metadata.others, None);
        }
        assert_eq!(schema.kind.as_ref().unwrap().to_string(), "example.com/v1, Kind=Widget");
        assert!(schema.resets_status);
        assert!(schema.knows_version("example.com/v1beta1") && !schema.knows_version("example.com/v2"));
    }

    #[test]
    fn a_crd_without_a_usable_schema_takes_any_field() {
        let broken = crd(json!({"type": "object", "properties": {"a": {"type": "array"}}}));
        assert_eq!(Schema::of_crd(&broken, "v1").unwrap().root, DEDUCED);
        let without = Schema::of_crd(&broken, "v1beta1").unwrap();
        assert_eq!((without.root, without.resets_status), (DEDUCED, false));
        assert!(Schema::of_crd(&broken, "v2").is_none());
    }
}
