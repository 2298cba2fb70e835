//! Copies of floods that were overheard, and what they weigh: pull requests 1745 and 3019.

use std::collections::VecDeque;

use super::firmware::MAX_PACKET_HASHES;

/// What overheard copies weigh, and from which weight on a relay is needless.
#[derive(Clone, Copy, Debug)]
pub(super) struct Redundancy {
    /// 0 for never.
    pub(super) most: u32,
    /// Signal-to-noise ratios in dB.
    pub(super) weak: f64,
    pub(super) strong: f64,
    pub(super) adapts: bool,
}

impl Redundancy {
    /// The weight of a copy with this signal-to-noise ratio in dB.
    pub(super) fn weight(&self, snr: f64) -> u32 {
        if snr < self.weak { 0 } else { 1 + u32::from(snr >= self.strong) }
    }

    /// From which weight on a node with so many fresh neighbours gives up a relay, if ever.
    pub(super) fn threshold(&self, neighbours: impl FnOnce() -> usize) -> Option<u32> {
        match (self.most, self.adapts) {
            (0, _) => None,
            (most, false) => Some(most),
            (most, true) => match neighbours() {
                0 => Some(most),
                1 | 2 => None,
                3 | 4 => Some(3),
                _ => Some(2),
            },
        }
    }
}

/// The floods that a node has heard last, and what their copies after the first weigh.
#[derive(Debug, Default)]
pub(super) struct Overheard(VecDeque<(u64, u32)>);

impl Overheard {
    /// How many floods it knows.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// A copy was heard. Returns what all of them weigh.
    pub(super) fn hear(&mut self, name: u64, weight: u32) -> u32 {
        if let Some((_, sum)) = self.0.iter_mut().find(|(known, _)| *known == name) {
            *sum = sum.saturating_add(weight);
            return *sum;
        }
        if self.0.len() == MAX_PACKET_HASHES {
            self.0.pop_front();
        }
        self.0.push_back((name, 0));
        0
    }

    /// What copies of this flood after the first weigh.
    pub(super) fn weight(&self, name: u64) -> u32 {
        self.0.iter().find(|(known, _)| *known == name).map_or(0, |(_, sum)| *sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_follows_from_the_neighbours_only_if_it_adapts() {
        let of = |most, adapts| Redundancy { most, weak: 0.0, strong: 9.0, adapts };
        assert_eq!(of(0, true).threshold(|| 9), None);
        assert_eq!(of(5, false).threshold(|| 1), Some(5));
        let adapted = [0, 1, 2, 3, 4, 5, 40].map(|count| of(5, true).threshold(|| count));
        assert_eq!(adapted, [Some(5), None, None, Some(3), Some(3), Some(2), Some(2)]);
        assert_eq!([-0.1, 0.0, 8.9, 9.0].map(|snr| of(2, false).weight(snr)), [0, 1, 1, 2]);
    }

    #[test]
    fn the_first_copy_weighs_nothing_and_old_floods_are_forgotten() {
        let mut overheard = Overheard::default();
        assert_eq!([overheard.hear(0, 2), overheard.hear(0, 2), overheard.hear(0, 1)], [0, 2, 3]);
        assert_eq!((overheard.weight(0), overheard.weight(1)), (3, 0));
        (1..=160).for_each(|name| _ = overheard.hear(name, 1));
        assert_eq!((overheard.weight(0), overheard.len()), (0, 160));
    }
}
