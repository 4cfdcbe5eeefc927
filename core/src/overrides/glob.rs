//! Shell globs as Go's `path/filepath.Match` reads them on Linux.
//!
//! `*` and `?` match anything but `/`; `[a-z]` and `[^a-z]` one character of a class; `\` takes the next character as it
//! is. Names are compared byte by byte, classes character by character.

/// A pattern with an unclosed class, an empty range or a `\` at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the glob has a syntax error")]
pub struct BadPattern;

/// Whether `name` as a whole matches `pattern`.
///
/// # Errors
///
/// Where the pattern is malformed in a part that the name reaches: what follows a mismatch is not looked at.
///
/// # Examples
///
/// ```
/// use virt_autopilot::overrides::glob;
///
/// assert_eq!(glob::matches("90-*", "90-worker-swap-online"), Ok(true));
/// assert_eq!(glob::matches("*", "a/b"), Ok(false));
/// ```
pub fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let mut pattern = pattern.as_bytes();
    let mut name = name.as_bytes();
    while !pattern.is_empty() {
        let (star, chunk, rest) = split_chunk(pattern);
        pattern = rest;
        if star && chunk.is_empty() {
            return Ok(!name.contains(&b'/'));
        }
        // Every place where the chunk may begin: here, and behind a star anywhere before the next slash.
        let reach = if star { name.iter().position(|byte| *byte == b'/').unwrap_or(name.len()) } else { 0 };
        let mut found = None;
        for start in 0..=reach {
            let Some(tail) = name.get(start..) else { break };
            if let Some(after) = match_chunk(chunk, tail)?
                && (after.is_empty() || !pattern.is_empty())
            {
                found = Some(after);
                break;
            }
        }
        match found {
            Some(after) => name = after,
            None => return Ok(false),
        }
    }
    Ok(name.is_empty())
}

/// Whether the pattern is well-formed.
///
/// # Errors
///
/// Where it is not.
pub fn check(pattern: &str) -> Result<(), BadPattern> {
    check_syntax(pattern.as_bytes())
}

fn check_syntax(mut pattern: &[u8]) -> Result<(), BadPattern> {
    while !pattern.is_empty() {
        let (_, chunk, rest) = split_chunk(pattern);
        match_chunk(chunk, b"")?;
        pattern = rest;
    }
    Ok(())
}

/// Splits leading stars and the text up to the next star that is in no class.
fn split_chunk(pattern: &[u8]) -> (bool, &[u8], &[u8]) {
    let stars = pattern.iter().take_while(|byte| **byte == b'*').count();
    let body = pattern.get(stars..).unwrap_or_default();
    let mut in_class = false;
    let mut escaped = false;
    let end = body.iter().position(|byte| {
        match byte {
            _ if escaped => {
                escaped = false;
                return false;
            }
            b'\\' => escaped = true,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'*' => return !in_class,
            _ => {}
        }
        false
    });
    let (chunk, rest) = body.split_at(end.unwrap_or(body.len()));
    (stars > 0, chunk, rest)
}

/// Matches a chunk without stars at the start of `name`, and gives what is left of it. Reads the chunk to its end even
/// after a mismatch, so that its syntax is checked.
fn match_chunk<'a>(mut chunk: &[u8], name: &'a [u8]) -> Result<Option<&'a [u8]>, BadPattern> {
    let mut left = Some(name);
    while let Some((first, rest)) = chunk.split_first() {
        chunk = rest;
        left = left.filter(|name| !name.is_empty());
        match first {
            b'[' => {
                let (subject, after) = left.map_or((None, None), |name| {
                    let (char, width) = first_char(name);
                    (Some(char), name.get(width..))
                });
                let (hit, after_class) = match_class(chunk, subject)?;
                chunk = after_class;
                left = after.filter(|_| hit);
            }
            b'?' => {
                left = left.and_then(|name| {
                    let (char, width) = first_char(name);
                    name.get(width..).filter(|_| char != '/')
                });
            }
            b'\\' => {
                let (literal, rest) = chunk.split_first().ok_or(BadPattern)?;
                chunk = rest;
                left = left.and_then(|name| name.strip_prefix(&[*literal]));
            }
            literal => left = left.and_then(|name| name.strip_prefix(&[*literal])),
        }
    }
    Ok(left)
}

/// Matches the class that begins behind `[`, and gives what follows its `]`.
fn match_class(mut class: &[u8], subject: Option<char>) -> Result<(bool, &[u8]), BadPattern> {
    let negated = class.first() == Some(&b'^');
    if negated {
        class = class.get(1..).unwrap_or_default();
    }
    let mut hit = false;
    let mut empty = true;
    loop {
        if let Some((b']', after)) = class.split_first()
            && !empty
        {
            return Ok((hit != negated, after));
        }
        let (low, rest) = class_char(class)?;
        class = rest;
        let mut high = low;
        if let Some((b'-', rest)) = class.split_first() {
            (high, class) = class_char(rest)?;
        }
        hit |= subject.is_some_and(|subject| (low..=high).contains(&subject));
        empty = false;
    }
}

/// The next character of a class; something has to follow it.
fn class_char(class: &[u8]) -> Result<(char, &[u8]), BadPattern> {
    let class = match class.split_first() {
        None | Some((b'-' | b']', _)) => return Err(BadPattern),
        Some((b'\\', rest)) => rest,
        Some(_) => class,
    };
    let (char, width) = first_char(class);
    let rest = class.get(width..).filter(|rest| !rest.is_empty()).ok_or(BadPattern)?;
    Ok((char, rest))
}

/// The first character and its width in bytes; a byte that is part of no character counts as U+FFFD.
fn first_char(bytes: &[u8]) -> (char, usize) {
    let head = bytes.get(..bytes.len().min(4)).unwrap_or_default();
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(head.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default(),
    };
    valid.chars().next().map_or((char::REPLACEMENT_CHARACTER, 1), |char| (char, char.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, name: &str, expect: Result<bool, BadPattern>) {
        assert_eq!(matches(pattern, name), expect, "{pattern} on {name}");
    }

    #[test]
    fn stars_stop_at_slashes() {
        check("a*/b", "abc/b", Ok(true));
        check("a*/b", "a/c/b", Ok(false));
        check("a*b*c*d*e*/f", "axbxcxdxexxx/f", Ok(true));
        check("*x", "xxx", Ok(true));
        check("", "", Ok(true));
        check("*", "", Ok(true));
    }

    #[test]
    fn classes() {
        check("ab[b-d]", "abc", Ok(true));
        check("ab[^e-g]", "abc", Ok(true));
        check("[\\]a]", "]", Ok(true));
        check("[☃]", "☃", Ok(true));
        check("a[^a]b", "a☺b", Ok(true));
        check("[a-ζ]*", "α", Ok(true));
    }

    #[test]
    fn bad_patterns_are_told_as_far_as_the_name_reaches() {
        check("[]a]", "]", Err(BadPattern));
        check("[", "a", Err(BadPattern));
        check("[^", "a", Err(BadPattern));
        check("[a-", "a", Err(BadPattern));
        check("a[", "ab", Err(BadPattern));
        check("x*[", "a", Ok(false));
        check("x*[", "xa", Err(BadPattern));
        check("a*\\", "/", Ok(false));
        check("\\", "a", Err(BadPattern));
        check("[a-b-c]", "a", Err(BadPattern));
    }

    #[test]
    fn many_stars_end_soon() {
        let pattern = "*a".repeat(2_000) + "b";
        check(&pattern, &"a".repeat(4_000), Ok(false));
    }
}
