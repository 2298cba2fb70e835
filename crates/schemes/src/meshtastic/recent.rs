//! Which of many things was seen the longest time ago, without a look at all of them.

use std::collections::VecDeque;

use multihop_core::Time;

/// The things of a table in the order in which they were seen.
#[derive(Debug)]
pub(super) struct Recent<K> {
    /// One entry each time that a thing was seen: only the last one of each counts.
    order: VecDeque<(Time, K)>,
    /// The entries that it keeps without a look whether they count.
    most: usize,
}

impl<K: Copy> Recent<K> {
    /// Nothing was seen yet, of a table of so many things at most.
    pub(super) fn new(most: usize) -> Self {
        Recent { order: VecDeque::new(), most: 4 * most }
    }

    /// This thing is seen now. `last` says of a thing of the table when it was seen last.
    pub(super) fn see(&mut self, key: K, now: Time, last: impl Fn(K) -> Option<Time>) {
        if self.order.len() >= self.most {
            self.order.retain(|(at, key)| last(*key) == Some(*at));
        }
        self.order.push_back((now, key));
    }

    /// Takes out the thing of the table that was seen the longest time ago.
    pub(super) fn take_oldest(&mut self, last: impl Fn(K) -> Option<Time>) -> Option<K> {
        loop {
            let (at, key) = self.order.pop_front()?;
            if last(key) == Some(at) {
                return Some(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use multihop_core::Duration;

    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    /// Beside a search of the whole table.
    #[test]
    fn the_thing_that_was_seen_first_of_all_comes_out() {
        let mut table: BTreeMap<u64, Time> = BTreeMap::new();
        let mut recent = Recent::new(8);
        let mut number = 1_u64;
        for ms in 0..20_000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
            let key = (number >> 40) % 12;
            if !table.contains_key(&key) && table.len() == 8 {
                let oldest = table.iter().min_by_key(|(_, seen)| **seen).map(|(key, _)| *key);
                assert_eq!(recent.take_oldest(|key| table.get(&key).copied()), oldest);
                table.remove(&oldest.expect("the table is full"));
            }
            recent.see(key, at(ms), |key| table.get(&key).copied());
            table.insert(key, at(ms));
            assert!(recent.order.len() <= 32, "it has a bound");
        }
    }
}
