//! Seeded randomness: one independent stream per (seed, node, purpose).

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::NodeId;

/// What a stream is used for. Streams of different purposes are independent, so that a change
/// in one model does not shift the random numbers of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
#[non_exhaustive]
pub enum Purpose {
    /// Backoff of the MAC.
    Mac = 1,
    /// Propagation and bit errors.
    Medium = 2,
    /// Start times and gaps of traffic sources.
    Traffic = 3,
    /// Decisions of the protocols of one node.
    Protocol = 4,
    /// Random positions of nodes.
    Topology = 5,
    /// Tests and other uses outside a run.
    Other = 6,
    /// Random movement of nodes.
    Mobility = 7,
    /// Jitter of the intervals of traffic sources.
    Jitter = 8,
    /// Sizes of transfers.
    Size = 9,
    /// Which of several shortest paths a flow takes.
    Ties = 10,
    /// Which nodes have a role.
    Roles = 11,
}

/// xoshiro256++, pinned: the same stream on every platform and in every version of multihop.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream of `node` for `purpose` in the run with `seed`.
    pub fn stream(seed: u64, node: NodeId, purpose: Purpose) -> Self {
        // SplitMix64 inside `seed_from_u64` spreads the bits; the odd constants keep
        // (seed, node, purpose) triples apart.
        let mixed = seed
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(u64::from(node.0).wrapping_mul(0xD1B5_4A32_D192_ED03))
            .rotate_left(29)
            .wrapping_add((purpose as u64).wrapping_mul(0x8CB9_2BA7_2F3D_8DD7));
        Rng(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `0..bound` (Lemire's multiplication; its bias is below 2^-32 for these bounds).
    ///
    /// # Panics
    /// If `bound` is zero.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a random number below zero was asked for");
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u32
    }

    /// Uniform in [0, 1) with 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Uniform in [`low`, `high`).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with `probability`.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_pinned_and_independent() {
        let mut a = Rng::stream(1, NodeId(0), Purpose::Mac);
        let mut b = Rng::stream(1, NodeId(0), Purpose::Medium);
        let mut c = Rng::stream(1, NodeId(1), Purpose::Mac);
        let first = [a.next_u64(), b.next_u64(), c.next_u64()];
        assert_eq!(
            first,
            [PIN[0], PIN[1], PIN[2]],
            "the streams changed: every seed would give other results"
        );
    }

    const PIN: [u64; 3] =
        [14_861_500_912_269_698_216, 12_677_737_715_927_429_954, 15_249_343_166_925_180_333];

    #[test]
    fn below_reaches_every_value_evenly() {
        let mut rng = Rng::stream(7, NodeId(3), Purpose::Other);
        let mut counts = [0u32; 31];
        for _ in 0..31_000 {
            counts[rng.below(31) as usize] += 1;
        }
        assert!(counts.iter().all(|&n| (850..1150).contains(&n)), "{counts:?}");
    }
}
