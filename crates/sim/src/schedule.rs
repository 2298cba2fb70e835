//! Who must be woken next.
//!
//! Every node is one entry with one wake-up time. A tournament tree over these times gives the
//! earliest in constant time and moves one entry in log2(nodes) steps, without garbage: a
//! wake-up that has moved leaves nothing behind.

use multihop_core::{NodeId, Time};

/// The wake-up times of all nodes.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// `tree[1]` is the earliest time of all; `tree[leaves + n]` is that of node n, and every
    /// inner place holds the earlier of the two below it.
    tree: Vec<Time>,
    leaves: usize,
}

impl Schedule {
    /// A schedule in which none of `nodes` is to be woken.
    pub fn new(nodes: usize) -> Self {
        let leaves = nodes.next_power_of_two();
        Schedule { tree: vec![Time::NEVER; 2 * leaves], leaves }
    }

    /// Wake `node` at `at`, and not at the time that was set before.
    pub fn set(&mut self, node: usize, at: Time) {
        let mut place = self.leaves + node;
        let mut earliest = at;
        while self.tree[place] != earliest {
            self.tree[place] = earliest;
            if place == 1 {
                return;
            }
            earliest = earliest.min(self.tree[place ^ 1]);
            place /= 2;
        }
    }

    /// The earliest wake-up, and whose it is. Among equal times the lowest number comes first.
    pub fn next(&self) -> (Time, NodeId) {
        let earliest = self.tree[1];
        let mut place = 1;
        while place < self.leaves {
            place *= 2;
            if self.tree[place] != earliest {
                place += 1;
            }
        }
        (earliest, NodeId((place - self.leaves) as u32))
    }
}

/// A node's wake-up times, split by who set them: what carries its frames, and everything else.
#[derive(Clone, Debug)]
pub struct Wakes {
    schedule: Schedule,
    below: Vec<Time>,
    above: Vec<Time>,
}

impl Wakes {
    /// Nobody is to be woken.
    pub fn new(nodes: usize) -> Self {
        let never = vec![Time::NEVER; nodes];
        Wakes { schedule: Schedule::new(nodes), below: never.clone(), above: never }
    }

    /// What carries the frames of `node` wants to be woken at `at`.
    #[expect(clippy::inline_always, reason = "`make bench`: 5 % for the four of them")]
    #[inline(always)]
    pub fn set_below(&mut self, node: NodeId, at: Time) {
        let node = node.index();
        if self.below[node] != at {
            self.below[node] = at;
            self.schedule.set(node, at.min(self.above[node]));
        }
    }

    /// The protocols and applications of `node` want to be woken at `at`.
    pub fn set_above(&mut self, node: NodeId, at: Time) {
        let node = node.index();
        self.above[node] = at;
        self.schedule.set(node, at.min(self.below[node]));
    }

    /// The earliest wake-up, and whose it is.
    pub fn next(&self) -> (Time, NodeId) {
        self.schedule.next()
    }

    /// Whether what carries the frames of `node` is to be woken by `now`.
    pub fn is_below_due(&self, node: NodeId, now: Time) -> bool {
        self.below[node.index()] <= now
    }

    /// Whether the protocols and applications of `node` are to be woken by `now`.
    pub fn is_above_due(&self, node: NodeId, now: Time) -> bool {
        self.above[node.index()] <= now
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_next_is_always_the_earliest(
            moves in prop::collection::vec((0usize..13, 0u64..50), 1..200),
        ) {
            let mut schedule = Schedule::new(13);
            let mut times = [u64::MAX; 13];
            for (node, at) in moves {
                times[node] = at;
                schedule.set(node, Time::from_nanos(at));
                let earliest = (0..13).min_by_key(|&n| (times[n], n)).expect("13 nodes");
                let expected = (Time::from_nanos(times[earliest]), NodeId(earliest as u32));
                prop_assert_eq!(schedule.next(), expected);
            }
        }
    }
}
