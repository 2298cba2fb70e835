//! Whether capture is a matter of chance here (rule 8): how much the signals of neighbours vary.

use multihop_core::{Duration, NodeId, SignalStrength, Time};

/// How many neighbours are remembered.
const MOST_NEIGHBOURS: usize = 1_024;
/// Signals of a neighbour that are farther apart may differ because it has moved.
const APART: Duration = Duration::from_millis(200);
/// So many differences have to be known.
const FEWEST: u32 = 8;
/// The mean is one in which a new difference weighs one in so many.
const SAMPLES: u32 = 32;
/// The standard deviation of normally distributed signals in times of the mean difference of two: half the root of pi.
const DEVIATIONS: f64 = 0.886_226_925_452_758;

/// How strong a neighbour was when it was heard last.
#[derive(Clone, Copy, Debug)]
struct Heard {
    from: NodeId,
    at: Time,
    signal: SignalStrength,
}

/// By how many dB two signals differ.
fn difference(one: SignalStrength, other: SignalStrength) -> f64 {
    // Most are alike, and logarithms take time.
    if one == other { 0.0 } else { (one.dbm() - other.dbm()).abs() }
}

/// How much the signals of neighbours vary.
#[derive(Debug, Default)]
pub(super) struct Fading {
    heard: Vec<Heard>,
    /// How many differences are in the mean, as far as that matters.
    differences: u32,
    /// The mean difference of two signals of a neighbour that followed each other, in dB.
    mean: f64,
    is_chance: bool,
}

impl Fading {
    /// The neighbour `from` was heard with `signal`. Whether it has changed by that if capture is a matter of chance: it
    /// is where signals deviate by `limit` dB, until they deviate by less than half of it.
    pub(super) fn on_heard(
        &mut self,
        from: NodeId,
        at: Time,
        signal: SignalStrength,
        limit: f64,
    ) -> bool {
        let now = Heard { from, at, signal };
        if let Some(last) = self.heard.iter_mut().find(|last| last.from == from) {
            let last = std::mem::replace(last, now);
            let difference = difference(signal, last.signal);
            if at < last.at + APART && difference.is_finite() {
                self.differences = (self.differences + 1).min(SAMPLES);
                self.mean += (difference - self.mean) / f64::from(self.differences);
            }
        } else if self.heard.len() < MOST_NEIGHBOURS {
            self.heard.push(now);
        } else if let Some(oldest) = self.heard.iter_mut().min_by_key(|last| last.at) {
            *oldest = now;
        }
        let enough = if self.is_chance { limit / 2.0 } else { limit };
        let before = self.is_chance;
        self.is_chance = self.differences >= FEWEST && self.mean * DEVIATIONS >= enough;
        self.is_chance != before
    }

    /// Whether capture is a matter of chance.
    pub(super) fn is_chance(&self) -> bool {
        self.is_chance
    }

    pub(super) fn len(&self) -> usize {
        self.heard.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use multihop_core::{Purpose, Rng};

    use super::*;

    const LIMIT: f64 = 1.0;

    /// What is said after signals so strong, in dBm, of one neighbour, so many ms apart.
    fn said(signals: &[f64], apart: u64) -> Vec<bool> {
        let (mut fading, mut now) = (Fading::default(), Time::ZERO);
        let mut hear = |dbm: &f64| {
            now += Duration::from_millis(apart);
            fading.on_heard(NodeId(1), now, SignalStrength::from_dbw(dbm - 30.0), LIMIT);
            fading.is_chance()
        };
        signals.iter().map(&mut hear).collect()
    }

    fn alternating(difference: f64, times: usize) -> Vec<f64> {
        (0..times).map(|number| -60.0 - difference * (number % 2) as f64).collect()
    }

    #[test]
    fn signals_that_vary_make_capture_a_matter_of_chance_once_enough_of_them_are_known() {
        let said = said(&alternating(2.0, 20), 50);
        assert_eq!(said.iter().position(|chance| *chance), Some(FEWEST as usize));
        assert!(said[FEWEST as usize..].iter().all(|chance| *chance));
    }

    #[test]
    fn signals_that_are_alike_do_not() {
        assert!(!said(&alternating(0.0, 50), 50).contains(&true));
        assert!(!said(&alternating(1.0, 50), 50).contains(&true), "they deviate by 0.89 dB");
    }

    #[test]
    fn it_takes_half_the_deviation_to_believe_in_waves_again() {
        let heard = |later: f64| {
            let signals = [alternating(4.0, 40), alternating(later, 200)].concat();
            said(&signals, 50)
        };
        assert_eq!(heard(0.7).last(), Some(&true));
        assert_eq!(heard(0.5).last(), Some(&false));
    }

    #[test]
    fn a_neighbour_that_is_rarely_heard_may_have_moved() {
        assert!(!said(&alternating(6.0, 50), 200).contains(&true));
    }

    #[test]
    fn neighbours_are_compared_with_themselves_and_only_so_many_are_remembered() {
        let mut fading = Fading::default();
        for number in 0..3 * MOST_NEIGHBOURS as u32 {
            let at = Time::ZERO + Duration::from_micros(number.into());
            let signal = SignalStrength::from_dbw(-90.0 - f64::from(number % 7));
            assert!(!fading.on_heard(NodeId(number % 7), at, signal, LIMIT));
            fading.on_heard(NodeId(number + 7), at, signal, LIMIT);
        }
        assert_eq!(fading.len(), MOST_NEIGHBOURS);
    }

    proptest! {
        #[test]
        fn the_deviation_of_normal_signals_is_found(
            seed in 0u64..1_000, (deviation, chance) in prop::sample::select(vec![(0.4, false), (2.0, true), (8.0, true)]),
        ) {
            let mut rng = Rng::stream(seed, NodeId(0), Purpose::Other);
            // The sum of twelve has a variance of 1, and is as good as normal here.
            let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            let signals: Vec<f64> = (0..100).map(|_| -60.0 + deviation * normal()).collect();
            let said = said(&signals, 50);
            prop_assert_eq!(said.last(), Some(&chance));
        }
    }
}
