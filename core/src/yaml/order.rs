//! The order in which the library writes the keys of a map: numbers inside of keys by their value.
//!
//! That order is not transitive (`a9` < `a10` < `a1a` < `a9`), so the standard library's sorts, which may panic on such
//! an order, cannot be used. Where keys form such a ring, the order that the controller writes is not stable.

use std::cmp::Ordering;

/// Longest run of keys that is sorted by insertion.
const RUN: usize = 12;

/// Sorts the entries of a map by their keys.
pub(super) fn sort<T: Copy>(entries: &mut Vec<(&str, T)>) {
    for run in entries.chunks_mut(RUN) {
        insertion_sort(run);
    }
    let mut width = RUN;
    while width < entries.len() {
        let mut merged = Vec::with_capacity(entries.len());
        for pair in entries.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at_checked(width).unwrap_or((pair, &[]));
            while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
                if is_less(second.0, first.0) {
                    merged.push(*second);
                    right = right_rest;
                } else {
                    merged.push(*first);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        *entries = merged;
        width *= 2;
    }
}

fn insertion_sort<T: Copy>(run: &mut [(&str, T)]) {
    for end in 1..run.len() {
        let mut at = end;
        while let Some([before, here]) = at.checked_sub(1).and_then(|from| run.get_mut(from..=at)) {
            if !is_less(here.0, before.0) {
                break;
            }
            std::mem::swap(before, here);
            at -= 1;
        }
    }
}

/// Whether a key is written before another.
fn is_less(a: &str, b: &str) -> bool {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    if let (Some(a_byte), Some(b_byte)) = (a.as_bytes().get(same), b.as_bytes().get(same))
        && a_byte.is_ascii_alphabetic()
        && b_byte.is_ascii_alphabetic()
    {
        return a_byte < b_byte;
    }
    let start = (0..=same).rev().find(|at| a.is_char_boundary(*at) && b.is_char_boundary(*at)).unwrap_or(0);
    let (a_rest, b_rest) = (a.get(start..).unwrap_or_default(), b.get(start..).unwrap_or_default());
    let (Some(a_char), Some(b_char)) = (a_rest.chars().next(), b_rest.chars().next()) else {
        return a.len() < b.len();
    };
    match (a_char.is_alphabetic(), b_char.is_alphabetic()) {
        (true, true) => return a_char < b_char,
        (false, false) => {}
        (_, b_is_letter) => return b_is_letter,
    }
    // A zero inside of a number that has begun before is a digit like any other.
    let digits_before = || a.get(..start).unwrap_or_default().bytes().rev().take_while(u8::is_ascii_digit);
    let inside = (a_char == '0' || b_char == '0') && digits_before().any(|digit| digit != b'0');
    let number = |rest: &str| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit);
        digits.fold((i64::from(inside), 0), |(number, length), digit| {
            (number.wrapping_mul(10).wrapping_add(i64::from(digit - b'0')), length + 1)
        })
    };
    match number(a_rest).cmp(&number(b_rest)) {
        Ordering::Equal => a_char < b_char,
        order => order == Ordering::Less,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sorted: &[&str]) {
        let mut keys: Vec<(&str, ())> = sorted.iter().map(|key| (*key, ())).collect();
        keys.sort_unstable();
        sort(&mut keys);
        assert_eq!(keys.iter().map(|(key, ())| *key).collect::<Vec<_>>(), sorted);
    }

    #[test]
    fn numbers_sort_by_value_and_letters_last() {
        check(&["-x", "_x", "9", "10", "C", "a", "a9", "a10", "b"]);
        check(&["Item", "item", "item-1", "item.1", "item_1", "item10", "item1a", "item9"]);
        check(&["a1", "a01", "a2", "a02", "a100"]);
        check(&["v1", "v1beta1", "é", "日本"]);
    }

    #[test]
    fn long_maps_are_merged_from_runs() {
        let keys: Vec<String> = (0..1000).map(|number| format!("key{number}")).collect();
        check(&keys.iter().map(String::as_str).collect::<Vec<_>>());
    }
}
