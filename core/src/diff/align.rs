//! Which items of two sequences belong together.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, IndentHeuristic, IndentLevel, InternedInput};

use crate::limits::MAX_ALIGNED_ITEMS;

/// How many equal items before the first and after the last difference take part in placing them.
const SURROUNDINGS: usize = 200;

/// A range of each sequence where they differ; either may be empty, not both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

/// Where two sequences differ, in order; what lies between is equal.
pub(super) fn hunks(before: &[&str], after: &[&str]) -> Vec<Hunk> {
    let prefix = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (before_rest, after_rest) = (before.get(prefix..).unwrap_or_default(), after.get(prefix..).unwrap_or_default());
    if before_rest.is_empty() && after_rest.is_empty() {
        return Vec::new();
    }
    let suffix = before_rest.iter().rev().zip(after_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle = Hunk { before: prefix..before.len() - suffix, after: prefix..after.len() - suffix };
    if middle.before.len().max(middle.after.len()) > MAX_ALIGNED_ITEMS {
        return vec![middle];
    }
    // Some of what is equal goes in as well, for a hunk may be moved into it where it reads better there.
    let (start, end) = (prefix.saturating_sub(SURROUNDINGS), suffix.saturating_sub(SURROUNDINGS));
    let mut input = InternedInput::<&str>::default();
    input.update_before(before.iter().take(before.len() - end).skip(start).copied());
    input.update_after(after.iter().take(after.len() - end).skip(start).copied());
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_with_heuristic(
        &input,
        IndentHeuristic::new(|token| IndentLevel::for_ascii_line(input.interner[token].bytes(), 8)),
    );
    let shifted = |range: Range<u32>| start + range.start as usize..start + range.end as usize;
    diff.hunks().map(|hunk| Hunk { before: shifted(hunk.before), after: shifted(hunk.after) }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        text.split_inclusive('\n').collect()
    }

    #[test]
    fn where_sequences_differ() {
        let check = |before: &str, after: &str, expect: &[(Range<usize>, Range<usize>)]| {
            let (before, after): (Vec<_>, Vec<_>) = (before.split(' ').collect(), after.split(' ').collect());
            let found: Vec<_> = hunks(&before, &after).into_iter().map(|hunk| (hunk.before, hunk.after)).collect();
            assert_eq!(found, expect, "{before:?} {after:?}");
        };
        check("a b c", "a b c", &[]);
        check("a b c", "a x c", &[(1..2, 1..2)]);
        check("a b c d", "b c x d", &[(0..1, 0..0), (3..3, 2..3)]);
        check("a a", "a a a", &[(2..2, 2..3)]);
    }

    #[test]
    fn a_new_item_of_a_yaml_list_is_not_torn() {
        let before = lines("l:\n- name: a\n  value: x\n- name: c\n  value: x\n");
        let after = lines("l:\n- name: a\n  value: x\n- name: b\n  value: x\n- name: c\n  value: x\n");
        assert_eq!(hunks(&before, &after), [Hunk { before: 3..3, after: 3..5 }]);
    }

    #[test]
    fn what_is_too_long_differs_as_a_whole() {
        let before: Vec<&str> = ["same"].into_iter().chain(std::iter::repeat_n("a", MAX_ALIGNED_ITEMS + 1)).collect();
        let after = ["same", "b", "a"];
        let expect = Hunk { before: 1..before.len() - 1, after: 1..2 };
        assert_eq!(hunks(&before, &after), [expect]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn what_is_between_hunks_is_equal(
            before in proptest::collection::vec(0..4usize, 0..60),
            after in proptest::collection::vec(0..4usize, 0..60),
        ) {
            let name = |list: &[usize]| list.iter().map(|at| ["", "a\n", "  b", " c"][*at]).collect::<Vec<_>>();
            let (before, after) = (name(&before), name(&after));
            let mut rebuilt: Vec<&str> = Vec::new();
            let mut from = 0;
            for hunk in hunks(&before, &after) {
                rebuilt.extend(&before[from..hunk.before.start]);
                prop_assert_eq!(rebuilt.len(), hunk.after.start);
                rebuilt.extend(&after[hunk.after]);
                from = hunk.before.end;
            }
            rebuilt.extend(&before[from..]);
            prop_assert_eq!(rebuilt, after);
        }
    }
}
