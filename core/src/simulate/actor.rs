//! The opponents: who else writes to the objects, when and how.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Server;
use crate::object::ObjectRef;
use crate::reconcile::{ApiError, Millis};
use crate::{Object, Pointer};

/// Somebody who writes to an object of the autopilot's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Actor {
    /// A GitOps tool that heals what differs from Git.
    #[serde(rename = "argocd")]
    ArgoCd {
        /// Its field manager.
        #[serde(default = "argocd_manager")]
        manager: String,
        /// The object.
        object: ObjectRef,
        /// The fields that Git has, without apiVersion, kind, name and namespace.
        fields: Value,
        /// A fixed time between noticing a difference and healing it, in milliseconds; `None`: by the back-off.
        #[serde(default)]
        period_ms: Option<Millis>,
        /// How long it waits before healing again.
        #[serde(default)]
        backoff: Backoff,
        /// Whether it writes by a forced server-side apply, or else by an update.
        #[serde(default)]
        server_side_apply: bool,
        /// Fields that it does not compare: ignoreDifferences.
        #[serde(default)]
        ignore: Vec<Pointer>,
        /// Whether it leaves the fields that it does not compare out of its writes too.
        #[serde(default)]
        respect_ignore_differences: bool,
    },
    /// A person who edits an object once.
    Person {
        /// When, in milliseconds from the start.
        at_ms: Millis,
        /// The object.
        object: ObjectRef,
        /// A JSON merge patch (RFC 7386).
        patch: Value,
        /// The field manager.
        #[serde(default = "person_manager")]
        manager: String,
    },
    /// A webhook that sets fields where they are absent.
    Webhook {
        /// The object.
        object: ObjectRef,
        /// The fields.
        defaults: Value,
    },
    /// Another controller that writes fields again and again.
    Controller {
        /// Its field manager.
        manager: String,
        /// The object.
        object: ObjectRef,
        /// The fields.
        fields: Value,
        /// Time between its looks, in milliseconds.
        period_ms: Millis,
    },
}

/// How the wait grows between one healing and the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Backoff {
    /// The first wait, in milliseconds.
    pub initial_ms: Millis,
    /// By how much it grows each time.
    pub factor: u32,
    /// The longest wait, in milliseconds.
    pub cap_ms: Millis,
}

/// Argo CD's defaults: 2 s, three times as long each time, at most 5 min.
impl Default for Backoff {
    fn default() -> Self {
        Self { initial_ms: 2_000, factor: 3, cap_ms: 300_000 }
    }
}

impl Backoff {
    fn wait(self, attempts: u32) -> Millis {
        let grown = Millis::from(self.factor).saturating_pow(attempts).saturating_mul(self.initial_ms);
        grown.min(self.cap_ms).max(1)
    }
}

fn argocd_manager() -> String {
    "argocd-controller".to_owned()
}

fn person_manager() -> String {
    "kubectl-edit".to_owned()
}

impl Actor {
    /// Argo CD with its default back-off, which has these fields of an object in Git.
    pub fn argocd(object: ObjectRef, fields: Value) -> Self {
        Self::ArgoCd {
            manager: argocd_manager(),
            object,
            fields,
            period_ms: None,
            backoff: Backoff::default(),
            server_side_apply: false,
            ignore: Vec::new(),
            respect_ignore_differences: false,
        }
    }

    /// The same actor with a fixed time between its writes, in milliseconds.
    #[must_use]
    pub fn every(mut self, period: Millis) -> Self {
        match &mut self {
            Self::ArgoCd { period_ms, .. } => *period_ms = Some(period),
            Self::Controller { period_ms, .. } => *period_ms = period,
            Self::Person { .. } | Self::Webhook { .. } => {}
        }
        self
    }

    /// The actor on the stage; a webhook joins the server instead.
    pub(super) fn player(&self, server: &mut Server) -> Option<Player> {
        let (name, target, due, role) = match self {
            Self::ArgoCd { manager, object, .. } => (manager, object, 0, Role::Healer(self.healer()?)),
            Self::Person { manager, object, at_ms, patch } => (manager, object, *at_ms, Role::Once(patch.clone())),
            Self::Controller { manager, object, period_ms, fields } => {
                let role = Role::Repeater { fields: fields.clone(), period: (*period_ms).max(1), looked: 0 };
                (manager, object, *period_ms, role)
            }
            Self::Webhook { object, defaults } => {
                server.set_defaults(object.clone(), defaults.clone());
                return None;
            }
        };
        Some(Player { name: name.clone(), target: target.clone(), due: Some(due), role })
    }

    fn healer(&self) -> Option<Healer> {
        let Self::ArgoCd { object, fields, period_ms, backoff, server_side_apply, ignore, .. } = self else {
            return None;
        };
        let Self::ArgoCd { respect_ignore_differences, .. } = self else { return None };
        let whole = manifest(object, fields);
        let mut compared = whole.clone();
        for pointer in ignore {
            remove(&mut compared, pointer.tokens());
        }
        let written = if *respect_ignore_differences { compared.clone() } else { whole };
        Some(Healer {
            compared,
            written: Arc::new(Object::from_value(written).ok()?),
            by_apply: *server_side_apply,
            period: *period_ms,
            backoff: *backoff,
            attempts: 0,
            healed: None,
        })
    }
}

/// An actor on the stage.
pub(super) struct Player {
    pub(super) name: String,
    pub(super) target: ObjectRef,
    /// When it acts next; `None`: not until the object changes.
    pub(super) due: Option<Millis>,
    role: Role,
}

enum Role {
    Healer(Healer),
    /// A merge patch, once.
    Once(Value),
    /// A merge patch, whenever the object differs from it as a period is over.
    Repeater {
        fields: Value,
        period: Millis,
        looked: Millis,
    },
}

/// A GitOps tool.
struct Healer {
    /// What live has to contain.
    compared: Value,
    written: Arc<Object>,
    by_apply: bool,
    period: Option<Millis>,
    backoff: Backoff,
    attempts: u32,
    healed: Option<Millis>,
}

/// What a write did: the object before and after it. `None`: nothing was written.
pub(super) type Written = Result<Option<(Option<Arc<Object>>, Arc<Object>)>, ApiError>;

impl Player {
    /// Does what it has to do now.
    pub(super) fn act(&mut self, now: Millis, server: &mut Server) -> Written {
        self.due = None;
        let before = server.get(&self.target);
        let answer = match &mut self.role {
            Role::Healer(healer) => {
                if !healer.sees_difference(before.as_deref()) {
                    return Ok(None);
                }
                healer.attempts = healer.attempts.saturating_add(1);
                healer.healed = Some(now);
                if healer.by_apply {
                    server.apply(&healer.written, &self.name, true)?
                } else if before.is_none() {
                    server.update(&healer.written, &self.name)?
                } else {
                    server.merge_patch(&self.target, healer.written.as_value(), &self.name)?
                }
            }
            Role::Once(patch) => server.merge_patch(&self.target, patch, &self.name)?,
            Role::Repeater { fields, looked, period } => {
                *looked = now;
                let written = server.merge_patch(&self.target, fields, &self.name)?;
                self.due = Some(now + *period);
                written
            }
        };
        let changed = answer.filter(|after| before.as_ref().is_none_or(|before| !Arc::ptr_eq(before, after)));
        if changed.is_none() {
            self.due = None;
        }
        Ok(changed.map(|after| (before, after)))
    }

    /// Hears of a change of an object; `None`: it is gone.
    pub(super) fn notice(&mut self, now: Millis, reference: &ObjectRef, object: Option<&Object>) {
        if self.due.is_some() || *reference != self.target {
            return;
        }
        self.due = match &mut self.role {
            Role::Healer(healer) => healer.sees_difference(object).then(|| healer.heals_at(now)),
            Role::Once(_) => None,
            Role::Repeater { period, looked, .. } => {
                Some(*looked + (now.saturating_sub(*looked) / *period + 1) * *period)
            }
        };
    }
}

impl Healer {
    /// Whether live differs from Git in a field that is compared.
    fn sees_difference(&self, live: Option<&Object>) -> bool {
        live.is_none_or(|live| !contains(live.as_value(), &self.compared))
    }

    fn heals_at(&mut self, now: Millis) -> Millis {
        let Backoff { cap_ms, .. } = self.backoff;
        if self.healed.is_some_and(|healed| now.saturating_sub(healed) > cap_ms + cap_ms / 10) {
            self.attempts = 0;
        }
        match self.period {
            Some(period) => now + period.max(1),
            None => {
                let wait = self.attempts.checked_sub(1).map_or(0, |grown| self.backoff.wait(grown));
                (self.healed.unwrap_or(now) + wait).max(now + 1)
            }
        }
    }
}

/// The object that Git has.
fn manifest(target: &ObjectRef, fields: &Value) -> Value {
    let mut whole = fields.clone();
    if !whole.is_object() {
        whole = json!({});
    }
    let mut name = json!({"apiVersion": target.api_version, "kind": target.kind, "metadata": {"name": target.name}});
    if !target.namespace.is_empty() {
        json_patch::merge(&mut name, &json!({"metadata": {"namespace": target.namespace}}));
    }
    json_patch::merge(&mut whole, &name);
    whole
}

/// Whether live has every field that the manifest has, with its value. Lists are compared whole.
fn contains(live: &Value, wanted: &Value) -> bool {
    match (live, wanted) {
        (Value::Object(live), Value::Object(wanted)) => {
            wanted.iter().all(|(key, value)| live.get(key).is_some_and(|found| contains(found, value)))
        }
        (live, wanted) => live == wanted,
    }
}

fn remove(value: &mut Value, path: &[String]) {
    let Some((first, rest)) = path.split_first() else { return };
    let Value::Object(map) = value else { return };
    if rest.is_empty() {
        map.remove(first);
    } else if let Some(inner) = map.get_mut(first) {
        remove(inner, rest);
    }
}
