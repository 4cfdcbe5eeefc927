//! What is known of a cluster: its objects, and what follows from them.

mod hardware;
mod topology;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value};

pub use hardware::Hardware;
pub use topology::{Topology, TopologyField};

use crate::diagnostic::Diagnostic;
use crate::object::ObjectRef;
use crate::template::Lookup;
use crate::{Behavior, Object};

/// The name of the HyperConverged that the controller reads.
pub const HCO_NAME: &str = "kubevirt-hyperconverged";
/// The group of the HyperConverged.
pub const HCO_GROUP: &str = "hco.kubevirt.io";
/// The namespace where the autopilot runs unless told otherwise.
pub const DEFAULT_NAMESPACE: &str = "openshift-cnv";

/// A snapshot of a cluster: its objects, in any mix and order, and the images that the controller was started with.
///
/// Objects are shared, so that a clone and a changed copy are cheap.
///
/// # Examples
///
/// ```
/// use virt_autopilot::Cluster;
///
/// let cluster = Cluster::from_values([serde_json::json!({
///     "apiVersion": "v1", "kind": "Node",
///     "metadata": {"name": "m0", "labels": {"node-role.kubernetes.io/master": ""}},
/// })]);
/// assert_eq!(cluster.topology().master_count, 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    objects: BTreeMap<Arc<Key>, Arc<Object>>,
    images: BTreeMap<String, String>,
    namespace: String,
    diagnostics: Vec<Diagnostic>,
}

/// What an object is filed under; the version comes last, so that all versions of an object stand together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    group: String,
    kind: String,
    namespace: String,
    name: String,
    version: String,
}

impl Key {
    fn of(reference: &ObjectRef) -> Arc<Self> {
        Arc::new(Self {
            group: reference.group().to_owned(),
            kind: reference.kind.clone(),
            namespace: reference.namespace.clone(),
            name: reference.name.clone(),
            version: reference.version().to_owned(),
        })
    }

    fn names_the_same(&self, other: &Self) -> bool {
        (&self.group, &self.kind, &self.namespace, &self.name)
            == (&other.group, &other.kind, &other.namespace, &other.name)
    }
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            objects: BTreeMap::new(),
            images: BTreeMap::new(),
            namespace: DEFAULT_NAMESPACE.to_owned(),
            diagnostics: Vec::new(),
        }
    }
}

impl Cluster {
    /// A cluster of the objects that the values are. Lists are taken apart; what is no object becomes a diagnostic.
    pub fn from_values(values: impl IntoIterator<Item = Value>) -> Self {
        let mut cluster = Self::default();
        for (index, value) in values.into_iter().enumerate() {
            cluster.add_value(value, &format!("object {index}"));
        }
        cluster.sort_diagnostics();
        cluster
    }

    /// A cluster of objects.
    pub fn from_objects(objects: impl IntoIterator<Item = Object>) -> Self {
        let mut cluster = Self::default();
        for object in objects {
            cluster.add(object);
        }
        cluster.sort_diagnostics();
        cluster
    }

    /// The same cluster with the autopilot in another namespace.
    #[must_use]
    pub fn in_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// The same cluster with these images, by the names that templates use. A variable's name
    /// (`RELATED_IMAGE_FOO_BAR`) is turned into its image's (`foo-bar`).
    #[must_use]
    pub fn with_images(mut self, images: impl IntoIterator<Item = (String, String)>) -> Self {
        self.images.extend(images.into_iter().map(|(name, reference)| (image_name(name), reference)));
        self
    }

    /// The same cluster with another's objects in the places of its own of the same name, or beside them.
    #[must_use]
    pub fn with_objects_of(mut self, other: Self) -> Self {
        for reference in other.objects.values().map(|object| object.reference()) {
            self.remove(&reference);
        }
        self.objects.extend(other.objects);
        self.diagnostics.extend(other.diagnostics);
        self.sort_diagnostics();
        self
    }

    fn add_value(&mut self, value: Value, place: &str) {
        if let Some(items) = list_items(&value) {
            for (index, item) in items.into_iter().enumerate() {
                self.add_value(item, &format!("{place}, item {index}"));
            }
            return;
        }
        match Object::from_value(value) {
            Ok(object) => self.add(object),
            Err(error) => {
                let finding = Diagnostic::warning("cluster.no-object", format!("{place} is left out: {error}"));
                self.diagnostics.push(finding.help("give Kubernetes objects, each with `apiVersion` and `kind`"));
            }
        }
    }

    /// Adds an object. Where one of the same name is there already, the one with the greater resource version stays,
    /// so that the order of the objects does not matter.
    fn add(&mut self, object: Object) {
        let reference = object.reference();
        let key = Key::of(&reference);
        let Some(there) = self.objects.get(&key) else {
            self.objects.insert(key, Arc::new(object));
            return;
        };
        if **there == object {
            return;
        }
        let message = format!("{reference} is there more than once, and not the same; the newest is taken");
        let finding = Diagnostic::warning("cluster.duplicate", message).at(|source| source.object = Some(reference));
        if !self.diagnostics.contains(&finding) {
            self.diagnostics.push(finding);
        }
        if age_key(&object) > age_key(there) {
            self.objects.insert(key, Arc::new(object));
        }
    }

    fn sort_diagnostics(&mut self) {
        self.diagnostics.sort_by(|a, b| (&a.code, &a.message).cmp(&(&b.code, &b.message)));
    }

    /// Puts an object in the place of the one of the same name and version, or adds it.
    pub fn put(&mut self, object: impl Into<Arc<Object>>) {
        let object = object.into();
        self.objects.insert(Key::of(&object.reference()), object);
    }

    /// Takes an object away, in all its versions.
    pub fn remove(&mut self, reference: &ObjectRef) -> Option<Arc<Object>> {
        let key = self.key_of(reference)?;
        let removed = self.objects.remove(&key);
        while let Some(other) = self.key_of(reference) {
            self.objects.remove(&other);
        }
        removed
    }

    /// The object of that name. Where it is not there in that version, it is taken in another.
    pub fn get(&self, reference: &ObjectRef) -> Option<&Arc<Object>> {
        self.objects.get(&self.key_of(reference)?)
    }

    fn key_of(&self, reference: &ObjectRef) -> Option<Arc<Key>> {
        let exact = Key::of(reference);
        if self.objects.contains_key(&exact) {
            return Some(exact);
        }
        let first = Key { version: String::new(), ..Key::clone(&exact) };
        let others = self.objects.range(first..).take_while(|(key, _)| key.names_the_same(&exact));
        others.last().map(|(key, _)| Arc::clone(key))
    }

    /// The object of a group's kind, whatever its version.
    pub fn find(&self, group: &str, kind: &str, namespace: &str, name: &str) -> Option<&Arc<Object>> {
        self.get(&ObjectRef {
            api_version: if group.is_empty() { String::new() } else { format!("{group}/") },
            kind: kind.to_owned(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        })
    }

    /// All objects of a group's kind, by namespace and name. Of an object that is there in several versions, each.
    pub fn list<'a>(&'a self, group: &str, kind: &str) -> impl Iterator<Item = &'a Arc<Object>> + use<'a> {
        let (group, kind) = (group.to_owned(), kind.to_owned());
        let (namespace, name, version) = (String::new(), String::new(), String::new());
        let first = Key { group: group.clone(), kind: kind.clone(), namespace, name, version };
        let of_kind = self.objects.range(first..).take_while(move |(key, _)| key.group == group && key.kind == kind);
        of_kind.map(|(_, object)| object)
    }

    /// Every object, by group, kind, namespace and name.
    pub fn objects(&self) -> impl Iterator<Item = &Arc<Object>> {
        self.objects.values()
    }

    /// The namespace where the autopilot and its HyperConverged live.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The images that the controller was started with, by name.
    pub fn images(&self) -> &BTreeMap<String, String> {
        &self.images
    }

    /// What was wrong with the objects that were given.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The HyperConverged that the controller reads, in the version of the behaviour where it is there in several.
    pub fn hco(&self, behavior: Behavior) -> Option<&Arc<Object>> {
        self.get(&ObjectRef {
            api_version: format!("{HCO_GROUP}/{}", behavior.hco_version()),
            kind: "HyperConverged".to_owned(),
            namespace: self.namespace.clone(),
            name: HCO_NAME.to_owned(),
        })
    }

    /// The CustomResourceDefinition of that name, `plural.group`.
    pub fn crd(&self, name: &str) -> Option<&Arc<Object>> {
        self.find("apiextensions.k8s.io", "CustomResourceDefinition", "", name)
    }

    /// Whether a CRD is installed. A snapshot without a single CRD tells nothing, and all are taken to be there.
    pub fn has_crd(&self, name: &str) -> bool {
        !self.knows_crds() || self.crd(name).is_some()
    }

    /// Whether the snapshot has CRDs at all.
    pub fn knows_crds(&self) -> bool {
        self.list("apiextensions.k8s.io", "CustomResourceDefinition").next().is_some()
    }

    /// Whether a namespace exists. A snapshot without a single Namespace tells nothing, and all are taken to be there.
    pub fn has_namespace(&self, name: &str) -> bool {
        name.is_empty() || self.list("", "Namespace").next().is_none() || self.find("", "Namespace", "", name).is_some()
    }

    /// What the nodes say about their hardware.
    pub fn hardware(&self) -> Hardware {
        Hardware::of_nodes(self.list("", "Node").map(Arc::as_ref))
    }

    /// The shape of the cluster.
    pub fn topology(&self) -> Topology {
        let config = |kind| self.find("config.openshift.io", kind, "", "cluster").map(Arc::as_ref);
        Topology::of(self.list("", "Node").map(Arc::as_ref), config("Infrastructure"), config("Scheduler"))
    }
}

/// What a template sees of a cluster where there is no catalog.
impl Lookup for Cluster {
    fn crd(&self, name: &str) -> Option<&Object> {
        self.crd(name).map(Arc::as_ref)
    }

    fn object(&self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Option<&Object> {
        let group = crate::object::split_api_version(api_version).0;
        self.find(group, kind, namespace, name).map(Arc::as_ref)
    }

    fn list(&self, group: &str, kind: &str) -> Vec<&Object> {
        self.list(group, kind).map(Arc::as_ref).collect()
    }

    fn asset(&self, _: &str) -> Option<&[u8]> {
        None
    }
}

/// The feature gates that are on in a HyperConverged.
pub fn feature_gates(hco: &Object, behavior: Behavior) -> BTreeSet<String> {
    let gates = hco.at(&["spec", "featureGates"]).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let name = |gate: &Value| {
        if !behavior.gates_have_states() {
            return gate.as_str().map(str::to_owned);
        }
        let off = gate.get("state").and_then(Value::as_str) == Some("Disabled");
        gate.get("name").and_then(Value::as_str).filter(|_| !off).map(str::to_owned)
    };
    gates.iter().filter_map(name).collect()
}

/// The image's name that a variable `RELATED_IMAGE_FOO_BAR` stands for; any other name stays.
fn image_name(name: String) -> String {
    match name.strip_prefix("RELATED_IMAGE_") {
        Some(rest) => rest.to_ascii_lowercase().replace('_', "-"),
        None => name,
    }
}

/// The items of a `List` or of a typed list, each with the kind that the list implies.
fn list_items(value: &Value) -> Option<Vec<Value>> {
    let kind = value.get("kind").and_then(Value::as_str)?;
    let item_kind = kind.strip_suffix("List")?;
    let items = value.get("items").and_then(Value::as_array)?;
    let api_version = value.get("apiVersion").cloned().unwrap_or_default();
    let complete = |item: &Value| {
        let mut item = item.clone();
        if let Some(map) = item.as_object_mut().filter(|_| !item_kind.is_empty()) {
            map.entry("apiVersion").or_insert_with(|| api_version.clone());
            map.entry("kind").or_insert_with(|| Value::from(item_kind));
        }
        item
    };
    Some(items.iter().map(complete).collect())
}

/// By which two copies of an object are told apart: the resource version, then their text.
fn age_key(object: &Object) -> (u64, String) {
    let version = object.at(&["metadata", "resourceVersion"]).and_then(Value::as_str);
    let fields: &Map<String, Value> = object.fields();
    (version.and_then(|text| text.parse().ok()).unwrap_or_default(), serde_json::to_string(fields).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn hco(api_version: &str, spec: Value) -> Value {
        json!({"apiVersion": api_version, "kind": "HyperConverged",
            "metadata": {"name": HCO_NAME, "namespace": DEFAULT_NAMESPACE}, "spec": spec})
    }

    fn node(name: &str, roles: &[&str], capacity: Value) -> Value {
        let labels: Map<String, Value> =
            roles.iter().map(|role| (format!("node-role.kubernetes.io/{role}"), json!(""))).collect();
        json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels},
            "status": {"capacity": capacity}})
    }

    #[test]
    fn lists_are_taken_apart() {
        let cluster = Cluster::from_values([
            json!({"apiVersion": "v1", "kind": "List", "items": [node("a", &[], json!({}))]}),
            json!({"apiVersion": "v1", "kind": "NodeList", "items": [{"metadata": {"name": "b"}}, 3]}),
        ]);
        assert_eq!(cluster.list("", "Node").count(), 2);
        assert_eq!(cluster.diagnostics().len(), 1);
    }

    #[test]
    fn the_version_asked_for_comes_first() {
        let cluster = Cluster::from_values([
            hco("hco.kubevirt.io/v1", json!({"v": 1})),
            hco("hco.kubevirt.io/v1beta1", json!({"v": 0})),
        ]);
        assert_eq!(cluster.hco(Behavior::V4_23).unwrap().at(&["spec", "v"]), Some(&json!(1)));
        assert_eq!(cluster.hco(Behavior::V4_22).unwrap().at(&["spec", "v"]), Some(&json!(0)));
        let only_old = Cluster::from_values([hco("hco.kubevirt.io/v1beta1", json!({"v": 0}))]);
        assert_eq!(only_old.hco(Behavior::V4_23).unwrap().api_version(), "hco.kubevirt.io/v1beta1");
    }

    #[test]
    fn gates_by_behaviour() {
        let check = |gates: Value, behavior, expect: &[&str]| {
            let hco = Object::from_value(hco("hco.kubevirt.io/v1", json!({"featureGates": gates}))).unwrap();
            assert_eq!(feature_gates(&hco, behavior).iter().collect::<Vec<_>>(), expect);
        };
        let list = json!([{"name": "A"}, {"name": "B", "state": "Disabled"}, {"name": "C", "state": "Enabled"}]);
        check(list.clone(), Behavior::V4_23, &["A", "C"]);
        check(list, Behavior::V4_22, &[]);
        check(json!(["A"]), Behavior::V4_22, &["A"]);
        check(json!({"A": true}), Behavior::V4_23, &[]);
    }

    #[test]
    fn topology_and_hardware() {
        let compact =
            Cluster::from_values(["a", "b", "c"].map(|name| node(name, &["master", "worker"], json!({"cpu": "8"}))));
        assert!(compact.topology().is_compact);
        assert_eq!(compact.hardware(), Hardware::default());
        let gpu = Cluster::from_values([
            node("a", &["control-plane"], json!({})),
            node("b", &["worker"], json!({"nvidia.com/gpu": "1"})),
        ]);
        assert!(!gpu.topology().is_compact);
        assert_eq!(gpu.topology().worker_count, 1);
        assert!(gpu.hardware().gpu_present && gpu.hardware().pci_devices_present);
    }

    #[test]
    fn images_by_variable() {
        let cluster = Cluster::default().with_images([("RELATED_IMAGE_FOO_BAR".to_owned(), "x".to_owned())]);
        assert_eq!(cluster.images().get("foo-bar").map(String::as_str), Some("x"));
    }

    #[test]
    fn objects_take_the_place_of_others() {
        let base = Cluster::from_values([
            hco("hco.kubevirt.io/v1", json!({"v": 0})),
            hco("hco.kubevirt.io/v1beta1", json!({"v": 1})),
            node("a", &[], json!({})),
        ]);
        let edited = base.with_objects_of(Cluster::from_values([hco("hco.kubevirt.io/v1", json!({"v": 2})), json!(3)]));
        assert_eq!(edited.objects().count(), 2);
        assert_eq!(edited.hco(Behavior::V4_22).unwrap().at(&["spec", "v"]), Some(&json!(2)));
        assert_eq!(edited.diagnostics().len(), 1);
    }

    #[test]
    fn removal_takes_every_version() {
        let mut cluster =
            Cluster::from_values([hco("hco.kubevirt.io/v1", json!({})), hco("hco.kubevirt.io/v1beta1", json!({}))]);
        let reference = cluster.hco(Behavior::V4_23).unwrap().reference();
        assert!(cluster.remove(&reference).is_some());
        assert_eq!(cluster.objects().count(), 0);
    }

    proptest! {
        #[test]
        fn the_order_of_objects_does_not_matter(
            picks in prop::collection::vec((0..4usize, 0..3u8, prop::option::of(0..3u8)), 0..12),
            seed in any::<prop::sample::Index>(),
        ) {
            let mut values: Vec<Value> = picks
                .into_iter()
                .map(|(name, content, version)| {
                    let version = version.map(|v| v.to_string());
                    json!({"apiVersion": "v1", "kind": "ConfigMap",
                        "metadata": {"name": format!("n{name}"), "resourceVersion": version}, "data": {"v": content}})
                })
                .collect();
            let forward = Cluster::from_values(values.clone());
            if !values.is_empty() {
                let at = seed.index(values.len());
                values.rotate_left(at);
                values.reverse();
            }
            prop_assert_eq!(forward, Cluster::from_values(values));
        }
    }
}
