//! How often the controller writes to one object: a token bucket, and the pause after throttles in a row.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A moment, in milliseconds since any fixed start.
pub type Millis = u64;

/// Tokens of a full bucket.
pub const CAPACITY: u32 = 10;
/// Time in which one token returns, in milliseconds.
pub const REFILL: Millis = 6_000;
/// Throttles in a row after which an object is paused.
pub const PAUSE_AFTER: u32 = 3;
/// Time after which an unused bucket is dropped, in milliseconds.
pub const STALE_AFTER: Millis = 3_600_000;
/// The limit as events and errors tell it.
pub(crate) const LIMIT_TEXT: &str = "10 updates per 1m0s";

/// The buckets and the throttles in a row, by object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Throttle {
    buckets: BTreeMap<String, Bucket>,
    in_a_row: BTreeMap<String, Row>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bucket {
    tokens: u32,
    /// When the last whole token returned; what has passed since is carried over.
    filled: Millis,
    used: Millis,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    throttles: u32,
    told: bool,
}

/// Whether a write may go ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may; a token is taken.
    Go,
    /// There is no token.
    Throttled,
    /// There is no token, for the third time in a row or later.
    Pause {
        /// Throttles in a row.
        throttles: u32,
        /// It is the first time that this edit war comes to a pause.
        first: bool,
    },
}

impl Throttle {
    /// Asks for a write to an object.
    pub fn ask(&mut self, key: &str, now: Millis) -> Verdict {
        if self.take(key, now) {
            return Verdict::Go;
        }
        let row = self.in_a_row.entry(key.to_owned()).or_default();
        row.throttles = row.throttles.saturating_add(1);
        if row.throttles < PAUSE_AFTER {
            return Verdict::Throttled;
        }
        let first = !std::mem::replace(&mut row.told, true);
        Verdict::Pause { throttles: row.throttles, first }
    }

    fn take(&mut self, key: &str, now: Millis) -> bool {
        let Some(bucket) = self.buckets.get_mut(key) else {
            self.buckets.insert(key.to_owned(), Bucket { tokens: CAPACITY - 1, filled: now, used: now });
            return true;
        };
        bucket.used = now;
        let returned = now.saturating_sub(bucket.filled) / REFILL;
        if returned > 0 {
            let more = u32::try_from(returned).unwrap_or(u32::MAX);
            bucket.tokens = bucket.tokens.saturating_add(more).min(CAPACITY);
            bucket.filled += returned * REFILL;
        }
        let taken = bucket.tokens > 0;
        bucket.tokens -= u32::from(taken);
        taken
    }

    /// A write succeeded: the next throttle is the first in a row again.
    pub fn succeeded(&mut self, key: &str) {
        self.in_a_row.remove(key);
    }

    /// The object is not paused. If the row had come to the pause, a person has lifted it, and all starts afresh.
    pub fn not_paused(&mut self, key: &str) {
        if self.in_a_row.get(key).is_some_and(|row| row.throttles >= PAUSE_AFTER) {
            self.in_a_row.remove(key);
            self.buckets.remove(key);
        }
    }

    /// Drops the buckets that were not used for [`STALE_AFTER`].
    pub fn drop_stale(&mut self, now: Millis) {
        self.buckets.retain(|_, bucket| now.saturating_sub(bucket.used) <= STALE_AFTER);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ten_at_once_then_one_each_six_seconds() {
        let mut throttle = Throttle::default();
        assert!((0..10).all(|_| throttle.ask("k", 0) == Verdict::Go));
        assert_eq!(throttle.ask("k", 5_999), Verdict::Throttled);
        assert_eq!(throttle.ask("k", 6_000), Verdict::Go);
        assert_eq!(throttle.ask("k", 11_000), Verdict::Throttled, "the count goes on until a write succeeds");
        assert_eq!(throttle.ask("k", 11_500), Verdict::Pause { throttles: 3, first: true });
        assert_eq!(throttle.ask("k", 11_600), Verdict::Pause { throttles: 4, first: false });
        throttle.not_paused("k");
        assert_eq!(throttle.ask("k", 11_700), Verdict::Go);
    }

    #[test]
    fn a_stale_bucket_is_dropped() {
        let mut throttle = Throttle::default();
        throttle.ask("k", 0);
        throttle.drop_stale(STALE_AFTER);
        assert_eq!(throttle.buckets.len(), 1);
        throttle.drop_stale(STALE_AFTER + 1);
        assert!(throttle.buckets.is_empty());
    }

    proptest! {
        #[test]
        fn never_more_than_the_bucket_gives(gaps in prop::collection::vec(0..20_000u64, 1..200)) {
            let mut throttle = Throttle::default();
            let mut now = 0;
            let mut granted: Vec<Millis> = Vec::new();
            for gap in gaps {
                now += gap;
                if throttle.ask("k", now) == Verdict::Go {
                    granted.push(now);
                    throttle.succeeded("k");
                }
            }
            for (i, start) in granted.iter().enumerate() {
                for (j, end) in granted.iter().enumerate().skip(i) {
                    let allowed = u64::from(CAPACITY) + (end - start) / REFILL + 1;
                    prop_assert!((j - i + 1) as u64 <= allowed);
                }
            }
        }
    }
}
