//! A catalog as one file: JSON with the release's name, its behaviour, its files and their digest.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Catalog, CatalogError, Files};
use crate::Behavior;
use crate::diagnostic::Diagnostic;
use crate::encoding::{base_64, from_base_64, hex};

/// The form of the file that this version writes and reads.
const FORMAT: &str = "virt-autopilot-catalog/1";

#[derive(Serialize, Deserialize)]
struct Bundle {
    format: String,
    name: String,
    behavior: Behavior,
    /// SHA-256 over name, behaviour and files, in hexadecimal.
    digest: String,
    files: std::collections::BTreeMap<String, Content>,
}

/// A file's text, or its bytes in base64 where they are no UTF-8.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Bytes { base64: String },
}

pub(super) fn write(catalog: &Catalog) -> String {
    let encode = |bytes: &Vec<u8>| match std::str::from_utf8(bytes) {
        Ok(text) => Content::Text(text.to_owned()),
        Err(_) => Content::Bytes { base64: base_64(bytes) },
    };
    let bundle = Bundle {
        format: FORMAT.to_owned(),
        name: catalog.name().to_owned(),
        behavior: catalog.behavior(),
        digest: digest(catalog.name(), catalog.behavior(), catalog.files()),
        files: catalog.files().iter().map(|(path, bytes)| (path.clone(), encode(bytes))).collect(),
    };
    serde_json::to_string_pretty(&bundle).unwrap_or_default() + "\n"
}

pub(super) fn read(bytes: &[u8]) -> Result<Catalog, CatalogError> {
    let refuse = |code, message: String, help: &str| CatalogError {
        problems: vec![Diagnostic::error(code, message).help(help)],
    };
    let bundle: Bundle = serde_json::from_slice(bytes).map_err(|error| {
        let help = "make a bundle with `virt-autopilot catalog bundle DIR`";
        refuse("catalog.bundle", format!("this is no catalog bundle: {error}"), help)
    })?;
    if bundle.format != FORMAT {
        let message = format!("the bundle's format is `{}`, not `{FORMAT}`", bundle.format);
        return Err(refuse("catalog.bundle-format", message, "make the bundle anew, or use a newer version"));
    }
    let mut files = Files::new();
    for (path, content) in bundle.files {
        let bytes = match content {
            Content::Text(text) => text.into_bytes(),
            Content::Bytes { base64 } => from_base_64(base64.as_bytes()).map_err(|at| {
                let message = format!("file `{path}` of the bundle is no base64, at byte {at}");
                refuse("catalog.bundle", message, "make it anew")
            })?,
        };
        files.insert(path, bytes);
    }
    if bundle.digest != digest(&bundle.name, bundle.behavior, &files) {
        let message = "the bundle was changed after it was made: its digest does not fit its files".to_owned();
        return Err(refuse("catalog.bundle-digest", message, "make the bundle anew from its folder"));
    }
    Catalog::from_files(&bundle.name, bundle.behavior, files)
}

/// Every part goes in behind its length, so that no two catalogs read the same.
fn digest(name: &str, behavior: Behavior, files: &Files) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    };
    add(name.as_bytes());
    add(behavior.as_str().as_bytes());
    for (path, bytes) in files {
        add(path.as_bytes());
        add(bytes);
    }
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Catalog {
        let metadata = b"assets: []\n".to_vec();
        let files =
            Files::from([(super::super::METADATA.to_owned(), metadata), ("active/x".to_owned(), vec![0xff, 0])]);
        Catalog::from_files("x", Behavior::V4_22, files).unwrap()
    }

    #[test]
    fn a_bundle_is_the_catalog() {
        assert_eq!(read(write(&sample()).as_bytes()), Ok(sample()));
    }

    #[test]
    fn a_changed_bundle_is_refused() {
        let changed = write(&sample()).replace("assets: []", "assets:   ");
        let error = read(changed.as_bytes()).unwrap_err();
        assert_eq!(error.problems[0].code, "catalog.bundle-digest");
    }

    #[test]
    fn what_is_no_bundle_is_refused() {
        assert_eq!(read(b"{").unwrap_err().problems[0].code, "catalog.bundle");
    }
}
