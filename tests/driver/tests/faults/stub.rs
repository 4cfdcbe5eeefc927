//! An API server over loopback, as much of one as the driver speaks to, that fails when it is told to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use virt_autopilot::object::ObjectRef;
use virt_autopilot::reconcile::{ApiError, ApiErrorKind};
use virt_autopilot::simulate::Server;
use virt_autopilot::{Cluster, Object};

/// A request that goes wrong: the first of that method whose path contains the text.
#[derive(Clone, Copy)]
pub struct Fault {
    pub method: &'static str,
    pub path: &'static str,
    pub how: How,
}

#[derive(Clone, Copy)]
pub enum How {
    /// Refused with that status and message, and not carried out.
    Status(u16, &'static str),
    /// Not answered, and not carried out.
    Silence,
    /// Carried out, and not answered.
    LostAnswer,
    /// The connection is cut before it is carried out.
    Cut,
    /// It is carried out, and the connection is cut before the answer.
    CutAnswer,
    /// It is carried out and answered, and then the connection is cut.
    CutAfterwards,
}

/// What the stub is and has seen.
pub struct State {
    server: Server,
    kinds: Vec<Kind>,
    revisions: BTreeMap<ObjectRef, u64>,
    revision: u64,
    pub faults: Vec<Fault>,
    /// Writes that were stored, by object.
    pub stored: BTreeMap<ObjectRef, usize>,
    pub events: Vec<Value>,
}

#[derive(Clone)]
struct Kind {
    api_version: String,
    kind: String,
    plural: String,
    namespaced: bool,
}

struct Request {
    method: String,
    path: String,
    query: String,
    body: Value,
}

impl State {
    pub fn new(cluster: Cluster, faults: Vec<Fault>) -> Self {
        let kinds = kinds(&cluster);
        let (revisions, stored) = (BTreeMap::new(), BTreeMap::new());
        Self { server: Server::new(cluster), kinds, revisions, revision: 1, faults, stored, events: Vec::new() }
    }

    /// The objects as they are.
    pub fn cluster(&self) -> &Cluster {
        self.server.cluster()
    }

    /// Somebody else's write.
    pub fn merge(&mut self, object: &ObjectRef, patch: &Value) {
        let before = self.server.get(object);
        let after = self.server.merge_patch(object, patch, "somebody-else").unwrap();
        if before.zip(after).is_none_or(|(before, after)| !Arc::ptr_eq(&before, &after)) {
            self.revision += 1;
            self.revisions.insert(object.clone(), self.revision);
        }
    }

    fn fault(&mut self, request: &Request) -> Option<How> {
        let whole = format!("{}?{}", request.path, request.query);
        let place =
            self.faults.iter().position(|fault| fault.method == request.method && whole.contains(fault.path))?;
        Some(self.faults.remove(place).how)
    }

    /// Carries out a request: status and body.
    fn answer(&mut self, request: &Request) -> (u16, Value) {
        let parts: Vec<&str> = request.path.trim_matches('/').split('/').collect();
        let (api_version, rest) = match parts.as_slice() {
            ["api", version, rest @ ..] => ((*version).to_owned(), rest),
            ["apis", group, version, rest @ ..] => (format!("{group}/{version}"), rest),
            _ => return status(404, "the server could not find the requested resource"),
        };
        if rest.is_empty() {
            return self.describe(&api_version);
        }
        let (namespace, rest) = match rest {
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
            rest => ("", rest),
        };
        if let ["events"] = rest {
            self.events.push(request.body.clone());
            return (201, request.body.clone());
        }
        let plural = rest.first().copied().unwrap_or_default();
        let kind = self.kinds.iter().find(|kind| kind.api_version == api_version && kind.plural == plural).cloned();
        let Some(kind) = kind else {
            return status(404, "the server could not find the requested resource");
        };
        let Some(name) = rest.get(1) else { return self.list(&kind) };
        let reference =
            ObjectRef { api_version, kind: kind.kind, namespace: namespace.to_owned(), name: (*name).to_owned() };
        let outcome = self.carry_out(request, &reference);
        match outcome {
            Ok(object) => (200, self.written(&object)),
            Err(error) => {
                let code = match error.kind {
                    ApiErrorKind::NotFound | ApiErrorKind::NamespaceNotFound => 404,
                    ApiErrorKind::Conflict => 409,
                    ApiErrorKind::Invalid => 422,
                    ApiErrorKind::Unknown => 500,
                };
                status(code, &error.message)
            }
        }
    }

    fn carry_out(&mut self, request: &Request, reference: &ObjectRef) -> Result<Arc<Object>, ApiError> {
        let missing = ApiError { kind: ApiErrorKind::NotFound, message: format!("{reference} not found") };
        let before = self.server.get(reference);
        let manager = request.query.split('&').find_map(|pair| pair.strip_prefix("fieldManager=")).unwrap_or("unknown");
        let body = || {
            let mut value = request.body.clone();
            if let Some(metadata) = value["metadata"].as_object_mut() {
                metadata.remove("resourceVersion");
            }
            let object = Object::from_value(value);
            object.map(Arc::new).map_err(|error| ApiError { kind: ApiErrorKind::Invalid, message: error.to_string() })
        };
        let after = match request.method.as_str() {
            "GET" => return before.ok_or(missing),
            "PATCH" if request.query.contains("dryRun=All") => {
                return self.server.dry_run(&body()?, manager)?.ok_or(missing);
            }
            "PATCH" => self.server.apply(&body()?, manager, request.query.contains("force=true"))?,
            "PUT" => {
                let revision = request.body["metadata"]["resourceVersion"].as_str();
                if revision.is_some_and(|revision| revision != self.revision_of(reference)) {
                    let message = "the object has been modified; please apply your changes to the latest version";
                    return Err(ApiError { kind: ApiErrorKind::Conflict, message: message.to_owned() });
                }
                self.server.update(&body()?, manager)?
            }
            "DELETE" => {
                self.stored.entry(reference.clone()).and_modify(|count| *count += 1).or_insert(1);
                return self.server.delete(reference).ok_or(missing);
            }
            other => {
                return Err(ApiError { kind: ApiErrorKind::Invalid, message: format!("there is no method {other}") });
            }
        };
        let after = after.ok_or(missing)?;
        if before.is_none_or(|before| !Arc::ptr_eq(&before, &after)) {
            self.revision += 1;
            self.revisions.insert(reference.clone(), self.revision);
            *self.stored.entry(reference.clone()).or_default() += 1;
        }
        Ok(after)
    }

    fn list(&self, kind: &Kind) -> (u16, Value) {
        let is_it = |object: &&Arc<Object>| object.api_version() == kind.api_version && object.kind() == kind.kind;
        let items: Vec<Value> = self.cluster().objects().filter(is_it).map(|object| self.written(object)).collect();
        let (version, kind) = (&kind.api_version, format!("{}List", kind.kind));
        let metadata = json!({"resourceVersion": self.revision.to_string()});
        (200, json!({"apiVersion": version, "kind": kind, "metadata": metadata, "items": items}))
    }

    fn describe(&self, api_version: &str) -> (u16, Value) {
        let served = self.kinds.iter().filter(|kind| kind.api_version == api_version).map(|kind| {
            let verbs = ["get", "list", "patch", "update", "delete"];
            let singular = kind.kind.to_lowercase();
            json!({"name": kind.plural, "singularName": singular, "namespaced": kind.namespaced, "kind": kind.kind, "verbs": verbs})
        });
        let resources: Vec<Value> = served.collect();
        if resources.is_empty() {
            return status(404, "the server could not find the requested resource");
        }
        (
            200,
            json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": api_version, "resources": resources}),
        )
    }

    fn written(&self, object: &Object) -> Value {
        let mut value = object.to_value();
        value["metadata"]["resourceVersion"] = Value::from(self.revision_of(&object.reference()));
        value
    }

    fn revision_of(&self, object: &ObjectRef) -> String {
        self.revisions.get(object).copied().unwrap_or(1).to_string()
    }
}

/// The kinds that are served: some of Kubernetes' own, and those of the cluster's CRDs.
fn kinds(cluster: &Cluster) -> Vec<Kind> {
    let own = [
        ("v1", "Node", "nodes", false),
        ("v1", "Namespace", "namespaces", false),
        ("v1", "ConfigMap", "configmaps", true),
        ("v1", "Service", "services", true),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", false),
        ("config.openshift.io/v1", "Infrastructure", "infrastructures", false),
        ("config.openshift.io/v1", "Scheduler", "schedulers", false),
    ];
    let own = own.map(|(api_version, kind, plural, namespaced)| Kind {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        plural: plural.to_owned(),
        namespaced,
    });
    let mut kinds = own.to_vec();
    for crd in cluster.list("apiextensions.k8s.io", "CustomResourceDefinition") {
        let spec = &crd.as_value()["spec"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        for version in spec["versions"].as_array().into_iter().flatten() {
            kinds.push(Kind {
                api_version: format!("{}/{}", text(&spec["group"]), text(&version["name"])),
                kind: text(&spec["names"]["kind"]),
                plural: text(&spec["names"]["plural"]),
                namespaced: spec["scope"] == "Namespaced",
            });
        }
    }
    kinds
}

fn status(code: u16, message: &str) -> (u16, Value) {
    let reason = match code {
        404 => "NotFound",
        409 => "Conflict",
        422 => "Invalid",
        _ => "InternalError",
    };
    let body = json!({"apiVersion": "v1", "kind": "Status", "status": "Failure", "message": message, "reason": reason, "code": code});
    (code, body)
}

/// Serves until the runtime ends, and says where.
pub async fn serve(state: Arc<Mutex<State>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(talk(connection, Arc::clone(&state)));
        }
    });
    format!("http://{address}")
}

/// One connection, request by request.
async fn talk(mut connection: TcpStream, state: Arc<Mutex<State>>) {
    while let Some(request) = read(&mut connection).await {
        let fault = state.lock().unwrap().fault(&request);
        let (code, body) = match fault {
            Some(How::Cut) => return,
            Some(How::Silence) => std::future::pending().await,
            Some(How::Status(code, message)) => status(code, message),
            None | Some(How::CutAfterwards) => state.lock().unwrap().answer(&request),
            Some(How::CutAnswer | How::LostAnswer) => {
                state.lock().unwrap().answer(&request);
                match fault {
                    Some(How::CutAnswer) => return,
                    _ => std::future::pending().await,
                }
            }
        };
        let body = body.to_string();
        let head =
            format!("HTTP/1.1 {code} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
        if connection.write_all((head + &body).as_bytes()).await.is_err() || matches!(fault, Some(How::CutAfterwards)) {
            return;
        }
    }
}

/// Reads a request; `None`: the connection is closed.
async fn read(connection: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut part = [0; 8_192];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            let whole = end + 4 + length.unwrap_or_default();
            if bytes.len() >= whole {
                let mut line = head.lines().next()?.split(' ');
                let (method, target) = (line.next()?.to_owned(), line.next()?);
                let (path, query) = target.split_once('?').unwrap_or((target, ""));
                let body = serde_json::from_slice(&bytes[end + 4..whole]).unwrap_or_default();
                return Some(Request { method, path: path.to_owned(), query: query.to_owned(), body });
            }
        }
        match connection.read(&mut part).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&part[..count]),
        }
    }
}
