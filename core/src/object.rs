//! A Kubernetes object as the API gives it, and the name by which it is known.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Prefix of every annotation and label key that the autopilot reads or writes.
pub const PREFIX: &str = "platform.kubevirt.io/";
/// The field manager under which the autopilot applies, and the value of its managed-by label.
pub const FIELD_MANAGER: &str = "virt-platform-autopilot";
/// Label that marks an object as managed by the autopilot.
pub const MANAGED_BY: &str = "platform.kubevirt.io/managed-by";

/// A Kubernetes object: a JSON object with `apiVersion` and `kind`.
///
/// # Examples
///
/// ```
/// use virt_autopilot::Object;
///
/// let object = Object::from_value(serde_json::json!({
///     "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm", "namespace": "ns"},
/// }))?;
/// assert_eq!(object.reference().to_string(), "ConfigMap/ns/cm");
/// # Ok::<(), virt_autopilot::object::ObjectError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Object(Value);

/// Why a value is not a Kubernetes object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObjectError {
    /// The value is a list, a scalar or null.
    #[error("a Kubernetes object is a map, this is {found}")]
    NotAMap {
        /// The JSON type that was found.
        found: &'static str,
    },
    /// `apiVersion` or `kind` is absent, empty or not a string.
    #[error("a Kubernetes object has a `{field}`, a string that is not empty")]
    MissingField {
        /// `apiVersion` or `kind`.
        field: &'static str,
    },
    /// The object is nested deeper than [`crate::limits::MAX_DEPTH`].
    #[error("the object is nested deeper than {} levels", crate::limits::MAX_DEPTH)]
    TooDeep,
}

impl Object {
    /// Takes a JSON value as a Kubernetes object.
    ///
    /// # Errors
    ///
    /// Where the value is not a map, has no `apiVersion` or `kind`, or is nested too deep.
    pub fn from_value(value: Value) -> Result<Self, ObjectError> {
        if exceeds_depth(&value, crate::limits::MAX_DEPTH) {
            return Err(ObjectError::TooDeep);
        }
        let Value::Object(map) = &value else {
            return Err(ObjectError::NotAMap { found: json_type(&value) });
        };
        for field in ["apiVersion", "kind"] {
            if map.get(field).and_then(Value::as_str).is_none_or(str::is_empty) {
                return Err(ObjectError::MissingField { field });
            }
        }
        Ok(Self(value))
    }

    /// Takes fields that are known to be those of a Kubernetes object.
    pub(crate) fn from_fields(fields: Map<String, Value>) -> Self {
        Self(Value::Object(fields))
    }

    /// The object's fields.
    #[expect(clippy::unreachable, reason = "an object is a map from its making on")]
    pub fn fields(&self) -> &Map<String, Value> {
        match &self.0 {
            Value::Object(map) => map,
            _ => unreachable!(),
        }
    }

    /// The same object under another version of its group, with no field converted; `None` where it is of that version.
    pub(crate) fn in_version(&self, api_version: &str) -> Option<Self> {
        if self.api_version() == api_version {
            return None;
        }
        let mut other = self.clone();
        other.fields_mut().insert("apiVersion".to_owned(), Value::from(api_version));
        Some(other)
    }

    /// The object's fields, to be changed.
    #[expect(clippy::unreachable, reason = "an object is a map from its making on")]
    pub fn fields_mut(&mut self) -> &mut Map<String, Value> {
        match &mut self.0 {
            Value::Object(map) => map,
            _ => unreachable!(),
        }
    }

    /// The object as a JSON value.
    pub fn as_value(&self) -> &Value {
        &self.0
    }

    /// The object as a JSON value.
    pub fn into_value(self) -> Value {
        self.0
    }

    /// The object as a JSON value, copied.
    pub fn to_value(&self) -> Value {
        self.0.clone()
    }

    /// The value at a path of map keys.
    pub fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(&self.0, |value, key| value.get(key))
    }

    fn text(&self, path: &[&str]) -> &str {
        self.at(path).and_then(Value::as_str).unwrap_or_default()
    }

    /// `apiVersion`, for example `apps/v1`.
    pub fn api_version(&self) -> &str {
        self.text(&["apiVersion"])
    }

    /// `kind`.
    pub fn kind(&self) -> &str {
        self.text(&["kind"])
    }

    /// `metadata.name`, empty where absent.
    pub fn name(&self) -> &str {
        self.text(&["metadata", "name"])
    }

    /// `metadata.namespace`, empty for a cluster-scoped object.
    pub fn namespace(&self) -> &str {
        self.text(&["metadata", "namespace"])
    }

    /// The annotation of that key.
    ///
    /// As in the controller's library, a null is an empty text, and any other annotation that is no string makes all of
    /// them unreadable.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.string_map(&["metadata", "annotations"])?.get(key).map(|value| value.as_str().unwrap_or_default())
    }

    /// The label of that key, under the same rule as [`Object::annotation`].
    pub fn label(&self, key: &str) -> Option<&str> {
        self.string_map(&["metadata", "labels"])?.get(key).map(|value| value.as_str().unwrap_or_default())
    }

    /// Whether some annotation is no string, which makes all of them unreadable.
    pub fn annotation_is_no_string(&self) -> bool {
        let annotations = self.at(&["metadata", "annotations"]);
        annotations.is_some_and(|value| !value.is_null()) && self.string_map(&["metadata", "annotations"]).is_none()
    }

    /// The map at a path, if every value in it is a string or null.
    pub fn string_map(&self, path: &[&str]) -> Option<&Map<String, Value>> {
        self.at(path)
            .and_then(Value::as_object)
            .filter(|map| map.values().all(|value| value.is_string() || value.is_null()))
    }

    /// Sets an annotation; `None` removes it.
    pub fn set_annotation(&mut self, key: &str, value: Option<&str>) {
        self.set_metadata_entry("annotations", key, value);
    }

    /// Sets a label; `None` removes it.
    pub fn set_label(&mut self, key: &str, value: Option<&str>) {
        self.set_metadata_entry("labels", key, value);
    }

    fn set_metadata_entry(&mut self, map: &str, key: &str, value: Option<&str>) {
        match value {
            Some(text) => change_map(self.fields_mut(), "metadata", |metadata| {
                change_map(metadata, map, |entries| {
                    entries.insert(key.to_owned(), Value::from(text));
                });
            }),
            None => {
                let metadata = self.0.get_mut("metadata");
                if let Some(entries) =
                    metadata.and_then(|metadata| metadata.get_mut(map)).and_then(Value::as_object_mut)
                {
                    entries.remove(key);
                }
            }
        }
    }

    /// Whether the object carries the label [`MANAGED_BY`] with the autopilot's name.
    pub fn is_managed(&self) -> bool {
        self.label(MANAGED_BY) == Some(FIELD_MANAGER)
    }

    /// The name by which the object is known.
    pub fn reference(&self) -> ObjectRef {
        ObjectRef {
            api_version: self.api_version().to_owned(),
            kind: self.kind().to_owned(),
            namespace: self.namespace().to_owned(),
            name: self.name().to_owned(),
        }
    }
}

/// Changes the map under `key`, which is made where it is absent or no map.
fn change_map(map: &mut Map<String, Value>, key: &str, change: impl FnOnce(&mut Map<String, Value>)) {
    let mut inner = match map.remove(key) {
        Some(Value::Object(inner)) => inner,
        _ => Map::new(),
    };
    change(&mut inner);
    map.insert(key.to_owned(), Value::Object(inner));
}

impl TryFrom<Value> for Object {
    type Error = ObjectError;

    fn try_from(value: Value) -> Result<Self, ObjectError> {
        Self::from_value(value)
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        object.into_value()
    }
}

/// The name of an object: what kind it is of, where it lives and what it is called.
///
/// Displays as the controller writes it, `Kind/namespace/name`, with an empty namespace for cluster-scoped objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectRef {
    /// `apiVersion`, for example `apps/v1`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// Namespace, empty for a cluster-scoped object.
    #[serde(default)]
    pub namespace: String,
    /// Name.
    pub name: String,
}

impl ObjectRef {
    /// The API group, empty for the core group.
    pub fn group(&self) -> &str {
        split_api_version(&self.api_version).0
    }

    /// The version within the group.
    pub fn version(&self) -> &str {
        split_api_version(&self.api_version).1
    }
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind, self.namespace, self.name)
    }
}

/// Splits `group/version`; the core group is empty.
pub fn split_api_version(api_version: &str) -> (&str, &str) {
    api_version.rsplit_once('/').unwrap_or(("", api_version))
}

/// The JSON type of a value, as messages call it.
pub fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}

/// Whether a value is nested deeper than `depth` levels; visits no level beyond that.
pub fn exceeds_depth(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(items) => depth == 0 || items.iter().any(|item| exceeds_depth(item, depth - 1)),
        Value::Object(map) => depth == 0 || map.values().any(|item| exceeds_depth(item, depth - 1)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Object {
        Object::from_value(value).unwrap()
    }

    #[test]
    fn one_annotation_that_is_no_string_hides_all() {
        let mut value = json!({"apiVersion": "v1", "kind": "X", "metadata": {"annotations": {"a": "1", "b": true}}});
        assert_eq!(object(value.clone()).annotation("a"), None);
        value["metadata"]["annotations"]["b"] = json!(null);
        assert_eq!(object(value.clone()).annotation("b"), Some(""));
        assert_eq!(object(value).annotation("a"), Some("1"));
    }

    #[test]
    fn setting_an_annotation_makes_the_maps_that_lack() {
        let mut subject = object(json!({"apiVersion": "v1", "kind": "X", "metadata": null}));
        subject.set_annotation("a", Some("1"));
        assert_eq!(subject.annotation("a"), Some("1"));
        subject.set_annotation("a", None);
        assert_eq!(subject.annotation("a"), None);
    }

    #[test]
    fn depth_counts_levels() {
        assert!(!exceeds_depth(&json!({"a": [1]}), 2));
        assert!(exceeds_depth(&json!({"a": [[1]]}), 2));
    }

    #[test]
    fn what_is_no_object_is_refused() {
        assert_eq!(Object::from_value(json!([])), Err(ObjectError::NotAMap { found: "a list" }));
        let missing = Object::from_value(json!({"apiVersion": "v1", "kind": ""}));
        assert_eq!(missing, Err(ObjectError::MissingField { field: "kind" }));
    }
}
