//! JSON pointers (RFC 6901).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A JSON pointer: the keys and indices from the root of a document to a value.
///
/// # Examples
///
/// ```
/// use virt_autopilot::Pointer;
///
/// let pointer = Pointer::parse("/metadata/labels/a~1b")?;
/// assert_eq!(pointer.tokens(), ["metadata", "labels", "a/b"]);
/// assert_eq!(pointer.to_string(), "/metadata/labels/a~1b");
/// # Ok::<(), virt_autopilot::pointer::PointerError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pointer(Vec<String>);

/// Why a text is not a JSON pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointerError {
    /// It is not empty and does not begin with `/`.
    #[error("a JSON pointer begins with `/`")]
    NoLeadingSlash,
    /// A `~` is not followed by `0` or `1`.
    #[error("in a JSON pointer `~` is followed by `0` (for `~`) or `1` (for `/`)")]
    BadEscape {
        /// Byte offset of the `~`.
        offset: usize,
    },
}

impl Pointer {
    /// Parses a pointer.
    ///
    /// # Errors
    ///
    /// Where the text does not follow RFC 6901.
    pub fn parse(text: &str) -> Result<Self, PointerError> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let Some(rest) = text.strip_prefix('/') else {
            return Err(PointerError::NoLeadingSlash);
        };
        let bytes = text.as_bytes();
        for (offset, _) in text.match_indices('~') {
            if !matches!(bytes.get(offset + 1), Some(b'0' | b'1')) {
                return Err(PointerError::BadEscape { offset });
            }
        }
        Ok(Self(rest.split('/').map(unescape).collect()))
    }

    /// A pointer of these keys.
    pub fn from_tokens<T: Into<String>>(tokens: impl IntoIterator<Item = T>) -> Self {
        Self(tokens.into_iter().map(Into::into).collect())
    }

    /// The keys and indices, unescaped.
    pub fn tokens(&self) -> &[String] {
        &self.0
    }

    /// The pointer one level down.
    #[must_use]
    pub fn child(&self, token: impl Into<String>) -> Self {
        let mut tokens = self.0.clone();
        tokens.push(token.into());
        Self(tokens)
    }

    /// The pointer one level up; `None` at the root.
    pub fn parent(&self) -> Option<Self> {
        let (_, rest) = self.0.split_last()?;
        Some(Self(rest.to_vec()))
    }

    /// Whether this pointer is `other` or leads to something inside it.
    pub fn is_at_or_below(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }

    /// The value it leads to.
    pub fn get<'a>(&self, document: &'a Value) -> Option<&'a Value> {
        self.0.iter().try_fold(document, |value, token| match value {
            Value::Object(map) => map.get(token),
            Value::Array(items) => items.get(list_index(token)?),
            _ => None,
        })
    }
}

/// The list index that a token is: digits without a leading zero.
pub fn list_index(token: &str) -> Option<usize> {
    let canonical = token == "0" || (!token.starts_with('0') && token.bytes().all(|b| b.is_ascii_digit()));
    canonical.then(|| token.parse().ok()).flatten()
}

/// Escapes a key for use in a pointer.
pub fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|token| write!(f, "/{}", escape(token)))
    }
}

impl TryFrom<String> for Pointer {
    type Error = PointerError;

    fn try_from(text: String) -> Result<Self, PointerError> {
        Self::parse(&text)
    }
}

impl From<Pointer> for String {
    fn from(pointer: Pointer) -> Self {
        pointer.to_string()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rfc_6901_section_5() {
        let document = json!({"foo": ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, "k\"l": 6});
        let check = |pointer: &str, expect: Value| {
            assert_eq!(Pointer::parse(pointer).unwrap().get(&document), Some(&expect), "{pointer}");
        };
        check("/foo", json!(["bar", "baz"]));
        check("/foo/0", json!("bar"));
        check("/", json!(0));
        check("/a~1b", json!(1));
        check("/m~0n", json!(8));
        check("/k\"l", json!(6));
        assert_eq!(Pointer::parse("").unwrap().get(&document), Some(&document));
    }

    #[test]
    fn broken_pointers() {
        assert_eq!(Pointer::parse("a"), Err(PointerError::NoLeadingSlash));
        assert_eq!(Pointer::parse("/a~2"), Err(PointerError::BadEscape { offset: 2 }));
        assert_eq!(Pointer::parse("/a~"), Err(PointerError::BadEscape { offset: 2 }));
        assert_eq!(list_index("01"), None);
        assert_eq!(list_index(""), None);
        assert_eq!(list_index("99999999999999999999999"), None);
    }
}
