//! The difference as text, in the format of `diff -u`.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::align::{Hunk, hunks};
use super::{DiffOptions, compare};
use crate::limits::MAX_PAYLOAD_BYTES;
use crate::payload::{self, File, decode_within, mode_text};
use crate::yaml;

/// How a difference is written as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UnifiedOptions {
    /// Equal lines shown before and after what differs.
    pub context: usize,
    /// Name of the object before, for the first header line.
    pub before_label: String,
    /// Name of the object after, for the second header line.
    pub after_label: String,
    /// What is compared.
    pub fields: DiffOptions,
    /// Whether long payloads that can be decoded are written as a summary in the YAML, as they are shown decoded
    /// below it.
    pub fold_payloads: bool,
}

impl Default for UnifiedOptions {
    fn default() -> Self {
        Self {
            context: 3,
            before_label: "live".to_owned(),
            after_label: "desired".to_owned(),
            fields: DiffOptions::default(),
            fold_payloads: true,
        }
    }
}

/// Shortest `data:` URL that is folded, in bytes.
const LONG_URL: usize = 100;

/// The difference of two objects as YAML, in the format of `diff -u`; empty where nothing differs.
///
/// The contents of the files of a MachineConfig follow, decoded, each with its path and its mode (octal and decimal)
/// in the header lines.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use virt_autopilot::diff::{UnifiedOptions, unified};
///
/// let before = json!({"spec": {"replicas": 1}});
/// let after = json!({"spec": {"replicas": 2}});
/// assert_eq!(
///     unified(Some(&before), Some(&after), &UnifiedOptions::default()),
///     "--- live\n+++ desired\n@@ -1,2 +1,2 @@\n spec:\n-  replicas: 1\n+  replicas: 2\n",
/// );
/// ```
pub fn unified(before: Option<&Value>, after: Option<&Value>, options: &UnifiedOptions) -> String {
    let [old, new] = [before, after].map(|object| {
        let shown = compare::shown(object?, &[] as &[&str], options.fields);
        Some(yaml::write(&if options.fold_payloads { folded(shown) } else { shown }))
    });
    let mut text = String::new();
    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
    write_difference(&old, &new, [&options.before_label, &options.after_label], options.context, &mut text);
    write_payloads(before, after, options, &mut text);
    text
}

/// Writes header lines and hunks, nothing where the texts are equal.
fn write_difference(before: &str, after: &str, labels: [&str; 2], context: usize, text: &mut String) {
    let [old, new] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let hunks = hunks(&old, &new);
    if hunks.is_empty() {
        return;
    }
    write_header(labels, text);
    // Hunks whose context meets are written as one.
    for group in hunks.chunk_by(|a, b| b.before.start - a.before.end <= context.saturating_mul(2)) {
        write_group(group, &old, &new, context, text);
    }
}

fn write_header([before, after]: [&str; 2], text: &mut String) {
    for (sign, label) in [("---", before), ("+++", after)] {
        text.extend([sign, " ", label, "\n"]);
    }
}

fn write_group(group: &[Hunk], old: &[&str], new: &[&str], context: usize, text: &mut String) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else {
        return;
    };
    let lead = first.before.start.min(context);
    let trail = (old.len() - last.before.end).min(context);
    let before = first.before.start - lead..last.before.end + trail;
    let after = first.after.start - lead..last.after.end + trail;
    text.extend(["@@ -", &range_text(&before), " +", &range_text(&after), " @@\n"]);
    let mut at = before.start;
    for hunk in group {
        write_lines(' ', old, at..hunk.before.start, text);
        write_lines('-', old, hunk.before.clone(), text);
        write_lines('+', new, hunk.after.clone(), text);
        at = hunk.before.end;
    }
    write_lines(' ', old, at..before.end, text);
}

/// First line and number of lines; the number is left out if it is one, and an empty range names the line before it.
fn range_text(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        length => format!("{},{length}", range.start + 1),
    }
}

fn write_lines(sign: char, lines: &[&str], range: Range<usize>, text: &mut String) {
    for line in lines.get(range).unwrap_or_default() {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The object with a summary in place of each long payload that can be decoded.
fn folded(mut object: Value) -> Value {
    let mut budget = MAX_PAYLOAD_BYTES;
    let summaries: Vec<(usize, String)> = payload::files(&object)
        .into_iter()
        .filter_map(|file| {
            let source = file.source.filter(|source| source.len() >= LONG_URL)?;
            let decoded = decode(&file, &mut budget)?;
            let header = source.split_once(',').map_or("data:", |(header, _)| header);
            let digest = crate::encoding::hex(&Sha256::digest(source.as_bytes()));
            let digest = digest.get(..12).unwrap_or_default();
            Some((file.index, format!("{header},… ({} bytes decoded, sha256 of the URL {digest}…)", decoded.len())))
        })
        .collect();
    for (index, summary) in summaries {
        if let Some(source) = object.pointer_mut(&format!("/spec/config/storage/files/{index}/contents/source")) {
            *source = Value::from(summary);
        }
    }
    object
}

/// The decoded contents, taken from the budget.
fn decode(file: &File<'_>, budget: &mut usize) -> Option<Vec<u8>> {
    let payload = decode_within(file.source?, file.compression, *budget).ok()?;
    *budget -= payload.bytes.len();
    Some(payload.bytes)
}

/// Writes a section for each file whose mode or contents differ.
fn write_payloads(before: Option<&Value>, after: Option<&Value>, options: &UnifiedOptions, text: &mut String) {
    let [old, new] = [before, after].map(|object| object.map(payload::files).unwrap_or_default());
    let mut budget = 2 * MAX_PAYLOAD_BYTES;
    let find = |files: &[File<'_>], path: &str| files.iter().position(|file| file.path == path);
    for file in &old {
        let other = find(&new, file.path).and_then(|at| new.get(at));
        write_payload(Some(file), other, options, &mut budget, text);
    }
    for file in new.iter().filter(|file| find(&old, file.path).is_none()) {
        write_payload(None, Some(file), options, &mut budget, text);
    }
}

fn write_payload(
    before: Option<&File<'_>>,
    after: Option<&File<'_>>,
    options: &UnifiedOptions,
    budget: &mut usize,
    text: &mut String,
) {
    let unchanged = matches!((before, after), (Some(a), Some(b)) if File { index: 0, ..*a } == File { index: 0, ..*b });
    if unchanged {
        return;
    }
    // A line break in a path would forge lines of the output.
    let name = before.or(after).map_or("", |file| file.path).replace(char::is_control, "\u{fffd}");
    let labels = [(&options.before_label, before), (&options.after_label, after)].map(|(label, file)| {
        let mode = |mode| format!("{label}: {name}, mode {}", mode_text(mode));
        file.map_or_else(|| "/dev/null".to_owned(), |file| file.mode.map_or_else(|| format!("{label}: {name}"), mode))
    });
    let labels = labels.each_ref().map(String::as_str);
    // What cannot be decoded is only shown as the YAML above has it.
    let (Some(old), Some(new)) = (contents(before, budget), contents(after, budget)) else {
        return;
    };
    if old == new {
        match (before.map(|file| file.mode), after.map(|file| file.mode)) {
            (Some(old), Some(new)) if old == new => {
                text.extend(["# ", &*name, ": the same contents, encoded in another way\n"]);
            }
            _ => write_header(labels, text),
        }
        return;
    }
    match (std::str::from_utf8(&old), std::str::from_utf8(&new)) {
        (Ok(old), Ok(new)) if !old.contains('\0') && !new.contains('\0') => {
            write_difference(old, new, labels, options.context, text);
        }
        _ => text.extend(["Binary files ", labels[0], " and ", labels[1], " differ\n"]),
    }
}

/// The decoded contents, empty where there are none; `None` where they cannot be decoded.
fn contents(file: Option<&File<'_>>, budget: &mut usize) -> Option<Vec<u8>> {
    match file.filter(|file| file.source.is_some()) {
        Some(file) => decode(file, budget),
        None => Some(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64;
    use serde_json::json;

    use super::*;
    use crate::payload::encode_gzip;

    fn difference(before: &str, after: &str, context: usize) -> String {
        let mut text = String::new();
        write_difference(before, after, ["a", "b"], context, &mut text);
        text
    }

    #[test]
    fn hunks_have_the_header_of_diff() {
        let numbers = |list: std::ops::RangeInclusive<u32>| list.map(|at| format!("{at}\n")).collect::<String>();
        let check = |before: &str, after: &str, expect: &str| {
            assert_eq!(difference(before, after, 1), expect, "{before:?} {after:?}");
        };
        check("", "", "");
        check("", "1\n", "--- a\n+++ b\n@@ -0,0 +1 @@\n+1\n");
        check("1\n2\n", "", "--- a\n+++ b\n@@ -1,2 +0,0 @@\n-1\n-2\n");
        check("1\n2\n3\n", "1\n2\n", "--- a\n+++ b\n@@ -2,2 +2 @@\n 2\n-3\n");
        check("1", "1\n", "--- a\n+++ b\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+1\n");
        let before = numbers(1..=9);
        let near = before.replace("3\n", "x\n").replace("6\n", "y\n");
        check(&before, &near, "--- a\n+++ b\n@@ -2,6 +2,6 @@\n 2\n-3\n+x\n 4\n 5\n-6\n+y\n 7\n");
        let far = before.replace("3\n", "x\n").replace("7\n", "");
        check(&before, &far, "--- a\n+++ b\n@@ -2,3 +2,3 @@\n 2\n-3\n+x\n 4\n@@ -6,3 +6,2 @@\n 6\n-7\n 8\n");
        assert_eq!(difference("1\n2\n", "1\n3\n", 0), "--- a\n+++ b\n@@ -2 +2 @@\n-2\n+3\n");
        assert_eq!(difference("1\n2\n", "1\n3\n", usize::MAX).lines().count(), 6);
    }

    fn url(bytes: &[u8]) -> String {
        format!("data:;base64,{}", BASE64.encode(&encode_gzip(bytes)))
    }

    fn config(files: Value) -> Value {
        json!({"spec": {"config": {"storage": {"files": files}}}})
    }

    #[test]
    fn payloads_are_compared_decoded() {
        let check = |before: Value, after: Value, expect: &str| {
            let mut text = String::new();
            let options = UnifiedOptions::default();
            write_payloads(Some(&config(before)), Some(&config(after)), &options, &mut text);
            assert_eq!(text, expect);
        };
        let file = |mode: u32, source: &str| json!([{"path": "/usr/local/bin/x", "mode": mode, "contents": {"compression": "gzip", "source": source}}]);
        let script = url(b"#!/bin/sh\necho one\n");
        let other = url(b"#!/bin/sh\necho two\n");
        check(file(493, &script), file(493, &script), "");
        check(
            file(493, &script),
            file(420, &other),
            "--- live: /usr/local/bin/x, mode 0755 (493)\n+++ desired: /usr/local/bin/x, mode 0644 (420)\n\
             @@ -1,2 +1,2 @@\n #!/bin/sh\n-echo one\n+echo two\n",
        );
        check(
            file(493, &script),
            file(420, &script),
            "--- live: /usr/local/bin/x, mode 0755 (493)\n+++ desired: /usr/local/bin/x, mode 0644 (420)\n",
        );
        check(
            file(493, &script),
            file(493, &script.replace("data:", "data:text/plain")),
            "# /usr/local/bin/x: the same contents, encoded in another way\n",
        );
        check(
            json!([]),
            file(493, &script),
            "--- /dev/null\n+++ desired: /usr/local/bin/x, mode 0755 (493)\n\
             @@ -0,0 +1,2 @@\n+#!/bin/sh\n+echo one\n",
        );
        check(
            file(493, &script),
            file(493, &url(b"\0")),
            "Binary files live: /usr/local/bin/x, mode 0755 (493) and desired: /usr/local/bin/x, mode 0755 (493) \
             differ\n",
        );
        check(file(493, &script), file(493, "data:;base64,????"), "");
        let path = json!([{"path": "/a\n+b", "contents": {"source": "data:,x"}}]);
        let forged = "--- /dev/null\n+++ desired: /a\u{fffd}+b\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
        check(json!([]), path, forged);
    }

    #[test]
    fn long_payloads_are_folded() {
        let text: String = (0..200u32).map(|at| format!("{}\n", at.wrapping_mul(2_654_435_761))).collect();
        let source = |files: &Value| files["spec"]["config"]["storage"]["files"][0]["contents"]["source"].clone();
        let fold = |url: &str, compression: &str| {
            let contents = json!({"source": url, "compression": compression});
            source(&folded(config(json!([{"path": "/x", "contents": contents}]))))
        };
        let long = url(text.as_bytes());
        let folded = fold(&long, "gzip");
        let expect = format!("data:;base64,… ({} bytes decoded, sha256 of the URL ", text.len());
        assert!(folded.as_str().unwrap().starts_with(&expect), "{folded}");
        assert_eq!(fold(&long, "xz"), json!(long));
        assert_eq!(fold("data:,short", ""), json!("data:,short"));
    }
}
