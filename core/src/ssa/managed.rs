//! The managed fields of an object: who owns which, in what form the object keeps that, and in what order.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::field_set::FieldSet;
use super::fields_v1::FieldsV1Error;
use super::value;
use crate::object::json_type;

/// Most owners by update that an object keeps apart; the oldest beyond that become one.
const MAX_UPDATERS: usize = 10;
/// The owner into which the oldest owners by update are merged.
const ANCIENT_CHANGES: &str = "ancient-changes";

/// How a field manager came to own fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Operation {
    /// By server-side apply.
    Apply,
    /// By a create, an update or a patch.
    Update,
}

impl Operation {
    /// The word that managed fields have for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Apply => "Apply",
            Self::Update => "Update",
        }
    }
}

/// An owner of fields of an object.
///
/// Displays as the server names it in conflicts: `"name"`, or `"name" using apps/v1` for an owner by update.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// Name of the field manager.
    pub manager: String,
    /// How it owns.
    pub operation: Operation,
    /// The `apiVersion` in which it wrote.
    pub api_version: String,
    /// The endpoint that it wrote to, `status` for example; empty for the object itself.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub subresource: String,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        value::quote(&self.manager, &mut text);
        if !self.subresource.is_empty() {
            text.push_str(" with subresource ");
            value::quote(&self.subresource, &mut text);
        }
        if self.operation == Operation::Update {
            text.push_str(" using ");
            text.push_str(&self.api_version);
        }
        f.write_str(&text)
    }
}

/// Why an object's managed fields cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManagedFieldsError {
    /// They are no list.
    #[error("managed fields are a list, this is {found}")]
    NotAList {
        /// The JSON type that was found.
        found: &'static str,
    },
    /// An entry is no map.
    #[error("entry {index} of the managed fields is {found}, not a map")]
    NotAMap {
        /// Place of the entry, from 0.
        index: usize,
        /// The JSON type that was found.
        found: &'static str,
    },
    /// A field of an entry has a value that it cannot have.
    #[error("`{field}` of entry {index} of the managed fields must be {expected}")]
    BadField {
        /// Place of the entry, from 0.
        index: usize,
        /// The field.
        field: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// The fields of an entry are no field set.
    #[error("the fields of entry {index} of the managed fields: {cause}")]
    BadFields {
        /// Place of the entry, from 0.
        index: usize,
        /// Why.
        #[source]
        cause: FieldsV1Error,
    },
}

/// What tells an owner from the others of an object. Who applies is one owner, whatever version it applies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OwnerId<'a> {
    pub(super) manager: Cow<'a, str>,
    pub(super) operation: Operation,
    /// Empty for one who applies.
    pub(super) api_version: Cow<'a, str>,
    pub(super) subresource: Cow<'a, str>,
}

impl<'a> OwnerId<'a> {
    pub(super) fn new(manager: &'a str, operation: Operation, api_version: &'a str) -> Self {
        let manager = if manager.is_empty() { "unknown" } else { manager };
        let api_version = if operation == Operation::Apply { "" } else { api_version };
        Self {
            manager: Cow::Borrowed(manager),
            operation,
            api_version: Cow::Borrowed(api_version),
            subresource: Cow::Borrowed(""),
        }
    }

    /// The text by which the server orders owners.
    pub(super) fn sort_key(&self) -> String {
        let mut text = String::from("{");
        let fields = [
            ("manager", &*self.manager),
            ("operation", self.operation.as_str()),
            ("apiVersion", &*self.api_version),
            ("subresource", &*self.subresource),
        ];
        for (name, field) in fields.into_iter().filter(|(_, field)| !field.is_empty()) {
            if text.len() > 1 {
                text.push(',');
            }
            value::write_json_text(name, true, &mut text);
            text.push(':');
            value::write_json_text(field, true, &mut text);
        }
        text.push('}');
        text
    }
}

/// What an owner owns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry<'a> {
    pub(super) api_version: Cow<'a, str>,
    /// RFC 3339, as it was given.
    pub(super) time: Option<Cow<'a, str>>,
    pub(super) fields: FieldSet<'a>,
}

impl Entry<'_> {
    fn seconds(&self) -> i64 {
        self.time.as_deref().and_then(unix_seconds).unwrap_or_default()
    }

    pub(super) fn owner(&self, id: &OwnerId<'_>) -> Owner {
        Owner {
            manager: id.manager.clone().into_owned(),
            operation: id.operation,
            api_version: self.api_version.clone().into_owned(),
            subresource: id.subresource.clone().into_owned(),
        }
    }
}

/// The owners of an object's fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Managed<'a> {
    pub(super) entries: BTreeMap<OwnerId<'a>, Entry<'a>>,
    /// Whether the object has the entries just as [`Managed::encode`] would write them.
    pub(super) as_written: bool,
}

impl<'a> Managed<'a> {
    /// Reads `metadata.managedFields` of an object.
    pub(super) fn decode(object: &'a Map<String, Value>) -> Result<Self, ManagedFieldsError> {
        let list = match object.get("metadata").and_then(|metadata| metadata.get("managedFields")) {
            None => return Ok(Self { as_written: true, ..Self::default() }),
            Some(Value::Null) => return Ok(Self::default()),
            Some(Value::Array(list)) => list,
            Some(other) => return Err(ManagedFieldsError::NotAList { found: json_type(other) }),
        };
        let mut managed = Self { as_written: !list.is_empty(), ..Self::default() };
        let mut sort_keys = Vec::with_capacity(list.len());
        for (index, item) in list.iter().enumerate() {
            let Value::Object(item) = item else {
                return Err(ManagedFieldsError::NotAMap { index, found: json_type(item) });
            };
            let (id, entry) = decode_entry(index, item, &mut managed.as_written)?;
            sort_keys.push(Self::sort_key(&id, &entry));
            managed.entries.insert(id, entry);
        }
        managed.as_written &= sort_keys.is_sorted() && managed.entries.len() == list.len();
        Ok(managed)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes the entries in the server's order: who applies before who updates, the oldest first, then by name.
    /// `None` where nobody owns anything.
    pub(super) fn encode(&self) -> Option<Value> {
        if self.is_empty() {
            return None;
        }
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by_cached_key(|(id, entry)| Self::sort_key(id, entry));
        Some(Value::Array(entries.into_iter().map(|(id, entry)| encode_entry(id, entry)).collect()))
    }

    fn sort_key(id: &OwnerId<'a>, entry: &Entry<'a>) -> (Operation, i64, Cow<'a, str>, Cow<'a, str>, Cow<'a, str>) {
        let (manager, subresource) = (id.manager.clone(), id.subresource.clone());
        (id.operation, entry.seconds(), manager, entry.api_version.clone(), subresource)
    }

    /// Merges the oldest owners by update of each version, so that not too many remain.
    pub(super) fn cap_updaters(&mut self) {
        let updaters = self.entries.iter().filter(|(id, _)| id.operation == Operation::Update);
        let mut updaters: Vec<_> = updaters.map(|(id, entry)| (entry.seconds(), id.sort_key(), id.clone())).collect();
        let mut count = updaters.len();
        if count <= MAX_UPDATERS {
            return;
        }
        updaters.sort();
        let mut first_of_version: BTreeMap<Cow<'a, str>, OwnerId<'a>> = BTreeMap::new();
        for (.., id) in updaters {
            if count <= MAX_UPDATERS {
                break;
            }
            let version = id.api_version.clone();
            let Some(first) = first_of_version.get(&version) else {
                first_of_version.insert(version, id);
                continue;
            };
            let bucket =
                OwnerId { manager: Cow::Borrowed(ANCIENT_CHANGES), subresource: Cow::Borrowed(""), ..id.clone() };
            if !self.entries.contains_key(&bucket)
                && let Some(oldest) = self.entries.remove(first)
            {
                self.entries.insert(bucket.clone(), oldest);
            }
            if let Some(merged) = self.entries.remove(&id) {
                let ancient = self.entries.remove(&bucket).map(|ancient| ancient.fields).unwrap_or_default();
                let fields = merged.fields.union(ancient);
                self.entries.insert(bucket, Entry { fields, ..merged });
            }
            count -= 1;
        }
    }
}

fn decode_entry<'a>(
    index: usize,
    item: &'a Map<String, Value>,
    as_written: &mut bool,
) -> Result<(OwnerId<'a>, Entry<'a>), ManagedFieldsError> {
    const KNOWN: [&str; 7] = ["apiVersion", "fieldsType", "fieldsV1", "manager", "operation", "subresource", "time"];
    let bad = |field, expected| ManagedFieldsError::BadField { index, field, expected };
    let text = |field: &'static str| match item.get(field) {
        None | Some(Value::Null) => Ok(""),
        Some(Value::String(text)) => Ok(text.as_str()),
        Some(_) => Err(bad(field, "a string")),
    };
    let operation = match text("operation")? {
        "Apply" => Operation::Apply,
        "Update" => Operation::Update,
        _ => return Err(bad("operation", "`Apply` or `Update`")),
    };
    let api_version = text("apiVersion")?;
    if api_version.is_empty() {
        return Err(bad("apiVersion", "a string that is not empty"));
    }
    if text("fieldsType")? != "FieldsV1" {
        return Err(bad("fieldsType", "`FieldsV1`"));
    }
    let time = Some(text("time")?).filter(|time| !time.is_empty());
    if time.is_some_and(|time| unix_seconds(time).is_none()) {
        return Err(bad("time", "a time as in RFC 3339"));
    }
    let fields = match item.get("fieldsV1") {
        None => {
            *as_written = false;
            FieldSet::default()
        }
        Some(fields) => FieldSet::parse_noting(fields, as_written)
            .map_err(|cause| ManagedFieldsError::BadFields { index, cause })?,
    };
    let subresource = text("subresource")?;
    let given = |field: &&str| item.get(*field).is_some_and(|value| !value.is_null() && value.as_str() != Some(""));
    *as_written &= KNOWN.iter().filter(|field| given(field)).count() == item.len();

    let of_id = if operation == Operation::Apply { "" } else { api_version };
    let id = OwnerId {
        manager: Cow::Borrowed(text("manager")?),
        operation,
        api_version: Cow::Borrowed(of_id),
        subresource: Cow::Borrowed(subresource),
    };
    Ok((id, Entry { api_version: Cow::Borrowed(api_version), time: time.map(Cow::Borrowed), fields }))
}

fn encode_entry(id: &OwnerId<'_>, entry: &Entry<'_>) -> Value {
    let mut item = Map::new();
    let texts = [
        ("manager", &*id.manager),
        ("operation", id.operation.as_str()),
        ("apiVersion", &*entry.api_version),
        ("subresource", &*id.subresource),
        ("time", entry.time.as_deref().unwrap_or_default()),
        ("fieldsType", "FieldsV1"),
    ];
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        item.insert(name.to_owned(), Value::from(text));
    }
    item.insert("fieldsV1".to_owned(), entry.fields.to_fields_v1());
    Value::Object(item)
}

/// Seconds since 1970 of a time in RFC 3339; fractions are dropped.
fn unix_seconds(time: &str) -> Option<i64> {
    let (date, rest) = time.split_once(['T', 't'])?;
    let number = |text: &str, digits: usize| {
        (text.len() == digits && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<i64>().ok()).flatten()
    };
    let mut date = date.split('-');
    let (year, month, day) = (number(date.next()?, 4)?, number(date.next()?, 2)?, number(date.next()?, 2)?);
    if date.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let at_zone = rest.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = rest.split_at_checked(at_zone)?;
    let clock = match clock.split_once('.') {
        Some((clock, fraction)) if fraction.bytes().all(|b| b.is_ascii_digit()) => clock,
        Some(_) => return None,
        None => clock,
    };
    let mut clock = clock.split(':');
    let (hours, minutes, seconds) = (number(clock.next()?, 2)?, number(clock.next()?, 2)?, number(clock.next()?, 2)?);
    if clock.next().is_some() || hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let offset = match zone {
        "Z" | "z" => 0,
        _ => {
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            let offset = number(hours, 2)? * 3600 + number(minutes, 2)? * 60;
            if zone.starts_with('-') { -offset } else { offset }
        }
    };
    // Days since 1970 in the Gregorian calendar, with years that begin in March.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days =
        365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day
            - 1
            - 719_468;
    Some(days * 86_400 + hours * 3600 + minutes * 60 + seconds - offset)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times() {
        let check = |time: &str, expect: Option<i64>| assert_eq!(unix_seconds(time), expect, "{time}");
        check("1970-01-01T00:00:00Z", Some(0));
        check("2000-02-29T12:34:56Z", Some(951_827_696));
        check("2026-12-01T12:22:00+01:30", Some(1_796_122_320));
        check("1969-12-31T23:59:59.999Z", Some(-1));
        check("0000-01-01T00:00:00Z", Some(-62_167_219_200));
        for bad in [
            "",
            "2026-12-01",
            "2026-13-01T00:00:00Z",
            "2026-12-01T00:00:00",
            "2026-12-01T0:00:00Z",
            "T",
            "xTZ",
            "2026-12-01T00:00:00.xZ",
        ] {
            check(bad, None);
        }
    }

    fn decode(entries: &Value) -> Result<(Value, bool), ManagedFieldsError> {
        let object = json!({"metadata": {"managedFields": entries}});
        let managed = Managed::decode(object.as_object().unwrap())?;
        Ok((managed.encode().unwrap_or_default(), managed.as_written))
    }

    fn entry(manager: &str, operation: &str, time: &str) -> Value {
        json!({"manager": manager, "operation": operation, "apiVersion": "v1", "time": time,
            "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:a": {}}}})
    }

    #[test]
    fn entries_are_kept_in_the_order_of_the_server() {
        let sorted = json!([
            entry("z", "Apply", "2026-01-01T00:00:00Z"),
            entry("a", "Apply", "2026-01-02T00:00:00Z"),
            entry("b", "Apply", "2026-01-02T00:00:00Z"),
            entry("a", "Update", "2025-01-01T00:00:00Z"),
        ]);
        assert_eq!(decode(&sorted), Ok((sorted.clone(), true)));
        let mut mixed = sorted.as_array().unwrap().clone();
        mixed.reverse();
        assert_eq!(decode(&json!(mixed)), Ok((sorted, false)));
    }

    #[test]
    fn what_the_server_would_write_otherwise_is_noticed() {
        let check = |key: &str, value: Value| {
            let mut changed = entry("a", "Apply", "2026-01-01T00:00:00Z");
            changed[key] = value;
            assert!(!decode(&json!([changed])).unwrap().1, "{key}");
        };
        check("extra", json!(1));
        check("subresource", json!(""));
        check("fieldsV1", json!({"x:new": {}, "f:a": {}}));
        check("fieldsV1", json!({"f:a": {".": {}}}));
        check("fieldsV1", json!(null));
        let twice = json!([entry("a", "Apply", "2026-01-01T00:00:00Z"), entry("a", "Apply", "2026-01-02T00:00:00Z")]);
        assert!(!decode(&twice).unwrap().1);
        assert!(!decode(&json!([])).unwrap().1);
        assert!(!decode(&json!(null)).unwrap().1);
    }

    #[test]
    fn managed_fields_that_cannot_be_read() {
        let check = |key: &str, value: Value, field: &'static str, expected: &'static str| {
            let mut changed = entry("a", "Apply", "2026-01-01T00:00:00Z");
            changed[key] = value;
            let error = ManagedFieldsError::BadField { index: 0, field, expected };
            assert_eq!(decode(&json!([changed])), Err(error));
        };
        check("operation", json!("Patch"), "operation", "`Apply` or `Update`");
        check("apiVersion", json!(""), "apiVersion", "a string that is not empty");
        check("fieldsType", json!("FieldsV2"), "fieldsType", "`FieldsV1`");
        check("manager", json!(1), "manager", "a string");
        check("time", json!("yesterday"), "time", "a time as in RFC 3339");
        assert_eq!(decode(&json!({})), Err(ManagedFieldsError::NotAList { found: "a map" }));
        assert_eq!(decode(&json!([1])), Err(ManagedFieldsError::NotAMap { index: 0, found: "a number" }));
        let mut changed = entry("a", "Apply", "2026-01-01T00:00:00Z");
        changed["fieldsV1"] = json!({"a": {}});
        assert!(matches!(decode(&json!([changed])), Err(ManagedFieldsError::BadFields { index: 0, .. })));
    }

    #[test]
    fn the_oldest_updaters_become_one() {
        let mut entries: Vec<Value> =
            (0..12).map(|i| entry(&format!("m{i:02}"), "Update", &format!("2026-01-{:02}T00:00:00Z", i + 1))).collect();
        for (i, entry) in entries.iter_mut().enumerate() {
            entry["fieldsV1"] = json!({format!("f:{i}"): {}});
        }
        let object = json!({"metadata": {"managedFields": entries}});
        let mut managed = Managed::decode(object.as_object().unwrap()).unwrap();
        managed.cap_updaters();
        let names: Vec<&str> = managed.entries.keys().map(|id| &*id.manager).collect();
        assert_eq!(names, ["ancient-changes", "m03", "m04", "m05", "m06", "m07", "m08", "m09", "m10", "m11"]);
        let ancient = managed.entries.first_key_value().unwrap().1;
        assert_eq!(ancient.fields.to_fields_v1(), json!({"f:0": {}, "f:1": {}, "f:2": {}}));
        assert_eq!(ancient.time.as_deref(), Some("2026-01-03T00:00:00Z"));
    }

    #[test]
    fn owners_print_as_in_conflicts() {
        let owner = |operation, subresource: &str| Owner {
            manager: "a\"b".into(),
            operation,
            api_version: "apps/v1".into(),
            subresource: subresource.into(),
        };
        assert_eq!(owner(Operation::Apply, "").to_string(), r#""a\"b""#);
        assert_eq!(owner(Operation::Update, "").to_string(), r#""a\"b" using apps/v1"#);
        assert_eq!(owner(Operation::Update, "status").to_string(), r#""a\"b" with subresource "status" using apps/v1"#);
    }
}
