//! What the strings of a MachineConfig carry: the contents of files as `data:` URLs, gzipped or not.
//!
//! The format is Ignition's: `spec.config.storage.files[]` have a `path`, a `mode` and `contents` with a `source`
//! (RFC 2397) and a `compression`.

mod gzip;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use gzip::encode_gzip;

use crate::encoding::from_base_64;
use crate::limits::MAX_PAYLOAD_BYTES;
use crate::object::Object;
use crate::pointer::Pointer;

/// Where an Ignition config inside a MachineConfig lists its files.
const FILES: [&str; 4] = ["spec", "config", "storage", "files"];

/// The decoded contents of a `data:` URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// The media type as the URL gives it, empty where it gives none.
    pub media_type: String,
    /// The contents, decompressed.
    pub bytes: Vec<u8>,
}

impl Payload {
    /// The contents as text, if they are UTF-8 without a NUL.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok().filter(|text| !text.contains('\0'))
    }
}

/// Why a payload cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// The source has another scheme, or none.
    #[error("the source is no `data:` URL")]
    NotADataUrl,
    /// The URL has no comma between its media type and its contents.
    #[error("the `data:` URL has no comma before its contents")]
    NoComma,
    /// A `%` is not followed by two hexadecimal digits.
    #[error("in the contents of a `data:` URL `%` is followed by two hexadecimal digits")]
    BadEscape {
        /// Byte offset of the `%` in the contents.
        offset: usize,
    },
    /// The contents are not base64.
    #[error("the contents of the `data:` URL are not base64")]
    BadBase64 {
        /// Byte offset in the contents, after percent-decoding.
        offset: usize,
    },
    /// The compression is neither empty nor `gzip`.
    #[error("the compression `{name}` is not known")]
    UnknownCompression {
        /// The compression that was asked for.
        name: String,
    },
    /// The contents are no gzip stream, or a damaged one.
    #[error("the gzip stream {fault}")]
    BadGzip {
        /// What is wrong with it.
        fault: GzipFault,
    },
    /// The contents are longer than the limit.
    #[error("the contents are longer than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}

/// What is wrong with a gzip stream (RFC 1952).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GzipFault {
    /// It does not begin with a gzip header.
    #[error("has no gzip header")]
    Header,
    /// It ends too early.
    #[error("is cut short")]
    Truncated,
    /// Its compressed data are damaged.
    #[error("is damaged")]
    Deflate,
    /// What it holds has another checksum than it says.
    #[error("does not have the checksum that it says")]
    Checksum,
    /// What it holds has another length than it says.
    #[error("does not have the length that it says")]
    Length,
}

/// Decodes the `source` of an Ignition resource (a `data:` URL, RFC 2397) under its `compression` (absent, empty or
/// `gzip`).
///
/// # Errors
///
/// Where the source is no `data:` URL, is badly encoded, or holds more than [`MAX_PAYLOAD_BYTES`].
///
/// # Examples
///
/// ```
/// use virt_autopilot::payload::decode;
///
/// assert_eq!(decode("data:,vm.swappiness%3D10", None)?.text(), Some("vm.swappiness=10"));
/// assert_eq!(decode("data:text/plain;base64,aGVsbG8=", None)?.text(), Some("hello"));
/// # Ok::<(), virt_autopilot::payload::PayloadError>(())
/// ```
pub fn decode(source: &str, compression: Option<&str>) -> Result<Payload, PayloadError> {
    decode_within(source, compression, MAX_PAYLOAD_BYTES)
}

/// [`decode`] with another limit, so that many payloads can share one.
pub(crate) fn decode_within(source: &str, compression: Option<&str>, limit: usize) -> Result<Payload, PayloadError> {
    let (header, contents) = split(source)?;
    let mut bytes = percent_decode(contents)?;
    let media_type = match strip_suffix_ignore_case(header, ";base64") {
        Some(media_type) => {
            bytes = from_base_64(&bytes).map_err(|offset| PayloadError::BadBase64 { offset })?;
            media_type
        }
        None => header,
    };
    match compression.unwrap_or_default() {
        "" if bytes.len() > limit => return Err(PayloadError::TooLarge { limit }),
        "" => {}
        "gzip" => bytes = gzip::decode_gzip(&bytes, limit)?,
        other => return Err(PayloadError::UnknownCompression { name: other.to_owned() }),
    }
    Ok(Payload { media_type: media_type.to_owned(), bytes })
}

/// The part of a `data:` URL between the scheme and the comma, and the part after it.
fn split(source: &str) -> Result<(&str, &str), PayloadError> {
    let rest = match source.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("data") => rest,
        _ => return Err(PayloadError::NotADataUrl),
    };
    rest.split_once(',').ok_or(PayloadError::NoComma)
}

fn strip_suffix_ignore_case<'a>(text: &'a str, suffix: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
    tail.eq_ignore_ascii_case(suffix).then_some(head)
}

fn percent_decode(text: &str) -> Result<Vec<u8>, PayloadError> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes().enumerate();
    while let Some((offset, byte)) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let mut digit = || bytes.next().and_then(|(_, byte)| char::from(byte).to_digit(16));
        match (digit(), digit()) {
            (Some(high), Some(low)) => decoded.extend(u8::try_from(high * 16 + low)),
            _ => return Err(PayloadError::BadEscape { offset }),
        }
    }
    Ok(decoded)
}

/// A file of an Ignition config, as far as it is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct File<'a> {
    /// Position in the list of files.
    pub index: usize,
    pub path: &'a str,
    /// Permission bits.
    pub mode: Option<u64>,
    pub source: Option<&'a str>,
    pub compression: Option<&'a str>,
}

impl<'a> File<'a> {
    /// Reads a file; `None` where it has no path.
    pub(crate) fn from_value(index: usize, value: &'a Value) -> Option<Self> {
        let contents = value.get("contents");
        let text = |key| contents.and_then(|contents| contents.get(key)).and_then(Value::as_str);
        Some(Self {
            index,
            path: value.get("path")?.as_str()?,
            mode: value.get("mode").and_then(mode_of),
            source: text("source"),
            compression: text("compression").filter(|text| !text.is_empty()),
        })
    }
}

/// The whole number that a mode is, written as an integer or as a float.
fn mode_of(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|mode| mode.fract() == 0.0 && (0.0..=65535.0).contains(mode));
    value.as_u64().or_else(|| float().map(|mode| mode as u64))
}

/// A mode as people read it, octal, and as the object has it, decimal: `0755 (493)`.
pub fn mode_text(mode: u64) -> String {
    format!("{mode:04o} ({mode})")
}

/// The files of the Ignition config of an object, in order, the first of each path.
pub(crate) fn files(object: &Value) -> Vec<File<'_>> {
    let list = FILES.iter().try_fold(object, |value, key| value.get(key)).and_then(Value::as_array);
    let mut seen = std::collections::BTreeSet::new();
    list.into_iter()
        .flatten()
        .enumerate()
        .filter_map(|(index, value)| File::from_value(index, value))
        .filter(|file| seen.insert(file.path))
        .collect()
}

/// A payload on one side of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PayloadContent {
    /// Permission bits of the file; decimal, as the object has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<u64>,
    /// Length of the decoded contents in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
    /// The decoded contents, where they are text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why they could not be decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What an object of kind MachineConfig carries as a file or a unit, before and after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PayloadChange {
    /// Path of the file, name of the unit, or `UNIT.d/NAME` of a drop-in.
    pub path: String,
    /// The payload before; `None` where there was none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<PayloadContent>,
    /// The payload after; `None` where there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<PayloadContent>,
    /// Whether only the encoding differs and the decoded contents are the same.
    pub same_content: bool,
}

/// Gives the payloads of `desired` the bytes that they have in `live`, where the two say the same; answers with the
/// places where that happened.
///
/// The bytes of a gzip stream depend on the compressor's version and are no contract. So a file of a MachineConfig
/// whose contents are gzip under the same media type, whose mode is equal and whose decoded contents are equal takes
/// live's `source`. Files are aligned by `path`; a path that is there more than once is left alone. Contents that
/// are not compressed have one encoding only, so that a difference there is a real one.
pub fn keep_equal_payloads(desired: &mut Arc<Object>, live: &Object) -> Vec<Pointer> {
    if ![&**desired, live].iter().all(|object| is_machine_config(object)) {
        return Vec::new();
    }
    let mut budget = MAX_PAYLOAD_BYTES;
    let theirs = files_by_path(live);
    let kept: Vec<(usize, String)> = files_by_path(desired)
        .into_iter()
        .filter_map(|(path, ours)| {
            let (ours, theirs) = (ours?, (*theirs.get(path)?)?);
            let source = theirs.source?;
            equal_but_for_bytes(&ours, &theirs, &mut budget).then(|| (ours.index, source.to_owned()))
        })
        .collect();
    let mut pointers = Vec::with_capacity(kept.len());
    for (index, source) in kept {
        if let Some(place) = source_mut(Arc::make_mut(desired), index) {
            *place = Value::from(source);
            let index = index.to_string();
            let tokens = FILES.into_iter().chain([index.as_str(), "contents", "source"]);
            pointers.push(Pointer::from_tokens(tokens));
        }
    }
    pointers
}

fn is_machine_config(object: &Object) -> bool {
    let (group, _) = crate::object::split_api_version(object.api_version());
    object.kind() == "MachineConfig" && group == "machineconfiguration.openshift.io"
}

/// The files by path; `None` for a path that is there more than once.
fn files_by_path(object: &Object) -> BTreeMap<&str, Option<File<'_>>> {
    let mut files = BTreeMap::new();
    let list = object.at(&FILES).and_then(Value::as_array);
    for (index, value) in list.into_iter().flatten().enumerate() {
        if let Some(file) = File::from_value(index, value) {
            files.entry(file.path).and_modify(|known| *known = None).or_insert(Some(file));
        }
    }
    files
}

fn equal_but_for_bytes(ours: &File<'_>, theirs: &File<'_>, budget: &mut usize) -> bool {
    let (Some(source), Some(other)) = (ours.source, theirs.source) else {
        return false;
    };
    let comparable = ours.compression == Some("gzip") && theirs.compression == Some("gzip") && ours.mode == theirs.mode;
    let headers = split(source).ok().zip(split(other).ok());
    if source == other || !comparable || headers.is_none_or(|((ours, _), (theirs, _))| ours != theirs) {
        return false;
    }
    let mut contents = |source| {
        let payload = decode_within(source, Some("gzip"), *budget).ok()?;
        *budget -= payload.bytes.len();
        Some(payload.bytes)
    };
    contents(source).is_some_and(|ours| contents(other).is_some_and(|theirs| ours == theirs))
}

fn source_mut(object: &mut Object, index: usize) -> Option<&mut Value> {
    let (first, rest) = FILES.split_first()?;
    let spec = object.fields_mut().get_mut(*first)?;
    let list = rest.iter().try_fold(spec, |value, key| value.get_mut(key))?;
    list.get_mut(index)?.get_mut("contents")?.get_mut("source")
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn gzip_url(bytes: &[u8]) -> String {
        format!("data:;base64,{}", BASE64.encode(bytes))
    }

    #[test]
    fn data_urls() {
        let check = |source: &str, expect: Result<(&str, &str), PayloadError>| {
            let payload = decode(source, None);
            let found = payload.as_ref().map(|payload| (payload.media_type.as_str(), payload.text().unwrap()));
            assert_eq!(found.map_err(Clone::clone), expect, "{source}");
        };
        check("data:,", Ok(("", "")));
        check("data:,a%20b,c+d", Ok(("", "a b,c+d")));
        check("DATA:text/plain;charset=utf-8,%C3%b1", Ok(("text/plain;charset=utf-8", "ñ")));
        check("data:text/plain;BASE64,aGk=", Ok(("text/plain", "hi")));
        check("data:;base64,aGk%3D", Ok(("", "hi")));
        check("data:;base64,aG\r\nk=", Ok(("", "hi")));
        check("data:;base64,", Ok(("", "")));
        check("data:;base64,aGk", Err(PayloadError::BadBase64 { offset: 0 }));
        check("data:;base64,ñ", Err(PayloadError::BadBase64 { offset: 0 }));
        check("data:ñ,x", Ok(("ñ", "x")));
        check("data:,a%2", Err(PayloadError::BadEscape { offset: 1 }));
        check("data:,%+1", Err(PayloadError::BadEscape { offset: 0 }));
        check("data:text/plain", Err(PayloadError::NoComma));
        check("https://a/b,c", Err(PayloadError::NotADataUrl));
        check("", Err(PayloadError::NotADataUrl));
    }

    #[test]
    fn compression() {
        let url = gzip_url(&encode_gzip(b"hello"));
        assert_eq!(decode(&url, Some("gzip")).unwrap().bytes, b"hello");
        assert_ne!(decode(&url, Some("")).unwrap().bytes, b"hello");
        let unknown = PayloadError::UnknownCompression { name: "xz".into() };
        assert_eq!(decode(&url, Some("xz")), Err(unknown));
        assert_eq!(decode_within("data:,abcd", None, 3), Err(PayloadError::TooLarge { limit: 3 }));
    }

    #[test]
    fn modes() {
        assert_eq!(mode_text(420), "0644 (420)");
        assert_eq!(mode_text(0o4755), "4755 (2541)");
        assert_eq!([mode_of(&json!(420)), mode_of(&json!(420.0))], [Some(420), Some(420)]);
        assert_eq!([mode_of(&json!("420")), mode_of(&json!(-1)), mode_of(&json!(1e300))], [None; 3]);
    }

    fn machine_config(files: Value) -> Object {
        Object::from_value(json!({
            "apiVersion": "machineconfiguration.openshift.io/v1",
            "kind": "MachineConfig",
            "metadata": {"name": "90-worker"},
            "spec": {"config": {"storage": {"files": files}}},
        }))
        .unwrap()
    }

    fn file(path: &str, source: &str, compression: &str, mode: u32) -> Value {
        json!({"path": path, "mode": mode, "contents": {"source": source, "compression": compression}})
    }

    /// The same text in a stored deflate block, as no compressor of ours would write it.
    fn stored(text: &[u8]) -> Vec<u8> {
        let mut stream = encode_gzip(text);
        let trailer = stream.split_off(stream.len() - 8);
        stream.truncate(10);
        let length = text.len() as u16;
        stream.push(1);
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(text);
        stream.extend(trailer);
        stream
    }

    #[test]
    fn equal_payloads_keep_the_bytes_of_live() {
        let check = |desired: Value, live: Value, expect: &[&str]| {
            let (mut desired, live) = (Arc::new(machine_config(desired)), machine_config(live));
            let untouched = Arc::clone(&desired);
            let kept = keep_equal_payloads(&mut desired, &live);
            assert_eq!(kept.iter().map(ToString::to_string).collect::<Vec<_>>(), expect);
            for pointer in &kept {
                assert_ne!(pointer.get(&desired.to_value()), pointer.get(&untouched.to_value()));
            }
            assert_eq!(desired == untouched, expect.is_empty());
        };
        let ours = gzip_url(&encode_gzip(b"echo hello"));
        let same = gzip_url(&stored(b"echo hello"));
        let other = gzip_url(&stored(b"echo other"));
        let typed = same.replace("data:;", "data:text/plain;");
        let plain = json!([file("/b", "data:,x", "", 420)]);
        check(
            json!([file("/b", &ours, "gzip", 493)]),
            json!([file("/a", &other, "gzip", 493), file("/b", &same, "gzip", 493)]),
            &["/spec/config/storage/files/0/contents/source"],
        );
        check(json!([file("/b", &ours, "gzip", 493)]), json!([file("/b", &ours, "gzip", 493)]), &[]);
        check(json!([file("/b", &ours, "gzip", 493)]), json!([file("/b", &other, "gzip", 493)]), &[]);
        check(json!([file("/b", &ours, "gzip", 493)]), json!([file("/b", &same, "gzip", 420)]), &[]);
        check(json!([file("/b", &ours, "gzip", 493)]), json!([file("/b", &same, "", 493)]), &[]);
        check(json!([file("/b", &ours, "gzip", 493)]), json!([file("/b", &typed, "gzip", 493)]), &[]);
        check(json!([file("/b", &ours, "gzip", 493)]), json!([file("/c", &same, "gzip", 493)]), &[]);
        let twice = json!([file("/b", &same, "gzip", 493), file("/b", &same, "gzip", 493)]);
        check(json!([file("/b", &ours, "gzip", 493)]), twice, &[]);
        check(plain.clone(), json!([file("/b", "data:,%78", "", 420)]), &[]);
        check(plain, json!("no list"), &[]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn decoding_undoes_encoding(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let compressed = gzip_url(&encode_gzip(&bytes));
            prop_assert_eq!(decode(&compressed, Some("gzip")).unwrap().bytes, bytes.clone());
            let escaped: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
            prop_assert_eq!(decode(&format!("data:,{escaped}"), None).unwrap().bytes, bytes);
        }

        #[test]
        fn any_source_is_answered(source in "(data:)?[ -~ñ]{0,40}", tail in ".{0,20}") {
            let _ = decode(&format!("{source},{tail}"), Some("gzip"));
            let _ = decode(&source, None);
        }
    }
}
