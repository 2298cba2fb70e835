//! Who must be woken next.
//!
//! Every node is one entry with one wake-up time. A wake-up that has moved leaves nothing behind.

use multihop_core::{NodeId, Time};

/// The low bits of a [`Key`] that hold the node.
const NODE_BITS: u32 = 4;

/// So few nodes are looked through one by one: quicker than a tree.
const FEW: usize = 1 << NODE_BITS;

/// A time from here on is as good as never: 36 years after the start. Runs end earlier, because no
/// scenario is longer (`multihop-scenario` refuses it).
pub const HORIZON: Time = Time::from_nanos(u64::MAX >> NODE_BITS);

/// A wake-up time before [`HORIZON`], and in its low bits whose it is.
type Key = u64;

/// The wake-up times of all nodes.
#[derive(Clone, Debug)]
pub enum Schedule {
    /// Of few nodes.
    List(Vec<Key>),
    /// Of many.
    Tree(Tree),
}

/// A tournament tree gives the earliest time at once, and moves one in log2(nodes) steps.
#[derive(Clone, Debug)]
pub struct Tree {
    /// `times[1]` is the earliest time of all; `times[leaves + n]` is that of node n, and every
    /// inner place holds the earlier of the two below it.
    times: Vec<Time>,
    leaves: usize,
}

const fn key(node: usize, at: Time) -> Key {
    let time = if at.nanos() < HORIZON.nanos() { at.nanos() } else { HORIZON.nanos() };
    time << NODE_BITS | node as u64
}

impl Schedule {
    /// A schedule in which none of `nodes` is to be woken.
    pub fn new(nodes: usize) -> Self {
        if nodes <= FEW {
            return Schedule::List((0..nodes).map(|node| key(node, Time::NEVER)).collect());
        }
        let leaves = nodes.next_power_of_two();
        Schedule::Tree(Tree { times: vec![Time::NEVER; 2 * leaves], leaves })
    }

    /// Wake `node` at `at`, and not at the time that was set before.
    #[inline]
    pub fn set(&mut self, node: usize, at: Time) {
        match self {
            Schedule::List(keys) => keys[node] = key(node, at),
            Schedule::Tree(tree) => tree.set(node, at),
        }
    }

    /// The earliest wake-up, and whose it is. Among equal times the lowest number comes first. If
    /// nobody is to be woken, the time is [`HORIZON`] or later.
    #[inline]
    pub fn next(&self) -> (Time, NodeId) {
        match self {
            Schedule::List(keys) => {
                // As a loop, because a fold is made into vectors, which takes twice as much.
                let mut first = Key::MAX;
                for key in keys {
                    first = first.min(*key);
                }
                (Time::from_nanos(first >> NODE_BITS), NodeId(first as u32 % FEW as u32))
            }
            Schedule::Tree(tree) => tree.next(),
        }
    }
}

impl Tree {
    fn set(&mut self, node: usize, at: Time) {
        let mut place = self.leaves + node;
        let mut earliest = at;
        while self.times[place] != earliest {
            self.times[place] = earliest;
            if place == 1 {
                return;
            }
            earliest = earliest.min(self.times[place ^ 1]);
            place /= 2;
        }
    }

    fn next(&self) -> (Time, NodeId) {
        let earliest = self.times[1];
        let mut place = 1;
        while place < self.leaves {
            place *= 2;
            if self.times[place] != earliest {
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
    #[expect(clippy::inline_always, reason = "`make count`: see ADR 0028")]
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

    /// Lists, trees, and where one becomes the other.
    fn sizes() -> impl Strategy<Value = usize> {
        prop::sample::select(vec![1, 2, FEW - 1, FEW, FEW + 1, 33, 1000])
    }

    proptest! {
        #[test]
        fn the_next_is_always_the_earliest(
            nodes in sizes(),
            moves in prop::collection::vec((any::<usize>(), 0u64..50), 1..300),
        ) {
            let mut schedule = Schedule::new(nodes);
            prop_assert!(schedule.next().0 >= HORIZON);
            let mut times = vec![Time::NEVER; nodes];
            for (node, at) in moves {
                // Few nodes of many, so that they are moved again; and some are cancelled.
                let node = node % nodes.min(40);
                let at = if at == 0 { Time::NEVER } else { Time::from_nanos(at) };
                times[node] = at;
                schedule.set(node, at);
                let earliest = (0..nodes).min_by_key(|&n| (times[n], n)).expect("some nodes");
                if times[earliest] == Time::NEVER {
                    prop_assert!(schedule.next().0 >= HORIZON);
                } else {
                    prop_assert_eq!(schedule.next(), (times[earliest], NodeId(earliest as u32)));
                }
            }
        }
    }

    #[test]
    fn a_time_beyond_the_horizon_never_comes_before_one_within() {
        let last = Time::from_nanos(HORIZON.nanos() - 1);
        for nodes in [2, FEW + 1] {
            for late in [HORIZON, Time::from_nanos(u64::MAX - 1), Time::NEVER] {
                let mut schedule = Schedule::new(nodes);
                schedule.set(0, late);
                schedule.set(1, last);
                assert_eq!(schedule.next(), (last, NodeId(1)));
            }
        }
    }
}
