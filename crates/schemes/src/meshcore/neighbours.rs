//! Which repeaters a node hears itself: `simple_repeater/MyMesh.cpp`, `putNeighbour`; and what the proposals conclude from
//! their number.

use std::collections::BTreeMap;

use multihop_core::{Duration, NodeId, Time};

use super::path::{Key, Path};

/// Entries of the table (`MAX_NEIGHBOURS`).
const MAX_NEIGHBOURS: usize = 50;

/// For so long a neighbour counts for waits (`DelayTuning.h`).
const TUNED_FOR: Duration = Duration::from_millis(7 * 24 * 3_600_000);

/// For so long it counts for redundancy (`updateAdaptiveFloodParams`).
const FRESH_FOR: Duration = Duration::from_millis(600_000);

/// More neighbours than this do not make waits longer.
const MOST_TUNED: usize = 12;

/// The waits that follow from the number of neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Delays {
    pub(super) tx: f64,
    pub(super) direct: f64,
    pub(super) rx: f64,
}

impl Delays {
    /// Those of so many neighbours.
    pub(super) fn of(neighbours: usize) -> Self {
        let count = neighbours.min(MOST_TUNED) as f64;
        Delays { tx: 0.5 + 0.6 * count, direct: 0.3 * count, rx: 1.0 + 0.6 * count }
    }
}

#[derive(Clone, Copy, Debug)]
struct Neighbour {
    heard: Time,
    /// Signal-to-noise ratio in dB of its last advert.
    snr: f64,
}

/// The neighbours whose adverts a node has heard.
#[derive(Debug, Default)]
pub(super) struct Neighbours(BTreeMap<NodeId, Neighbour>);

impl Neighbours {
    /// How many are known.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// An advert of `node` was heard from itself. If there are too many, the one that was heard first gives way.
    pub(super) fn hear(&mut self, node: NodeId, snr: f64, now: Time) {
        if self.0.len() >= MAX_NEIGHBOURS
            && !self.0.contains_key(&node)
            && let Some((oldest, _)) = self.0.iter().min_by_key(|(_, known)| known.heard)
        {
            let oldest = *oldest;
            self.0.remove(&oldest);
        }
        self.0.insert(node, Neighbour { heard: now, snr });
    }

    /// A flood has come on this path: those that its last hash names are still there.
    pub(super) fn touch(&mut self, path: &Path, keys: u64, now: Time) {
        let relayed = self.0.iter_mut().filter(|(node, _)| path.ends_with(&Key::of(**node, keys)));
        relayed.for_each(|(_, known)| known.heard = now);
    }

    /// The waits that follow from those above 0 dB.
    pub(super) fn delays(&self, now: Time) -> Delays {
        let counts = |known: &&Neighbour| known.snr > 0.0 && now.since(known.heard) <= TUNED_FOR;
        Delays::of(self.0.values().filter(counts).count())
    }

    /// How many were heard a short time ago.
    pub(super) fn fresh(&self, now: Time) -> usize {
        self.0.values().filter(|known| now.since(known.heard) <= FRESH_FOR).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(s: u64) -> Time {
        Time::ZERO + Duration::from_millis(1_000 * s)
    }

    #[test]
    fn waits_grow_with_strong_neighbours_up_to_twelve() {
        let mut neighbours = Neighbours::default();
        neighbours.hear(NodeId(1), -3.0, at(0));
        assert_eq!(neighbours.delays(at(1)), Delays { tx: 0.5, direct: 0.0, rx: 1.0 });
        (2..5).for_each(|node| neighbours.hear(NodeId(node), 4.0, at(0)));
        assert!((neighbours.delays(at(1)).tx - 2.3).abs() < 1e-9);
        assert_eq!(neighbours.delays(at(8 * 24 * 3_600)), Delays::of(0), "a week has passed");
        assert_eq!(Delays::of(30), Delays::of(12));
    }

    #[test]
    fn a_neighbour_is_fresh_for_ten_minutes_after_its_advert_or_its_last_relay() {
        let mut neighbours = Neighbours::default();
        neighbours.hear(NodeId(1), 4.0, at(0));
        let path = Path::empty(3).with(&Key::of(NodeId(2), 1)).expect("there is room");
        neighbours.touch(&path, 1, at(500));
        assert_eq!([600, 601].map(|s| neighbours.fresh(at(s))), [1, 0], "another one relayed");
        let path = path.with(&Key::of(NodeId(1), 1)).expect("there is room");
        neighbours.touch(&path, 1, at(500));
        assert_eq!([1_100, 1_101].map(|s| neighbours.fresh(at(s))), [1, 0]);
    }

    #[test]
    fn the_neighbour_that_was_heard_first_gives_way() {
        let mut neighbours = Neighbours::default();
        (0..51).for_each(|node| neighbours.hear(NodeId(node), 1.0, at(node.into())));
        assert_eq!(neighbours.len(), MAX_NEIGHBOURS);
        assert!(!neighbours.0.contains_key(&NodeId(0)));
    }
}
