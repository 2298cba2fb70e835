//! How much of an hour relays may take: pull request 3450, issue 3278.

use multihop_core::{Duration, Time};

use crate::parts::sliding::Sliding;

/// A minute: an hour is counted in 60 of them.
const MINUTE: Duration = Duration::from_millis(60_000);

/// What relays have taken of the last hour, and may take.
#[derive(Debug)]
pub(super) struct Budget {
    relays: (Sliding<60>, f64),
    floods: (Sliding<60>, f64),
}

impl Budget {
    /// Relays may take a share `relays` of an hour, and floods among them a share `floods`.
    pub(super) fn new(relays: f64, floods: f64) -> Self {
        let of = |share| (Sliding::new(MINUTE), share);
        Budget { relays: of(relays), floods: of(floods) }
    }

    fn counted(&mut self, flood: bool) -> impl Iterator<Item = &mut (Sliding<60>, f64)> {
        [Some(&mut self.relays), flood.then_some(&mut self.floods)].into_iter().flatten()
    }

    /// Whether a relay of this length, of a flood or not, is within it.
    pub(super) fn admits(&mut self, now: Time, flood: bool, air_time: Duration) -> bool {
        let more = air_time.seconds() / (MINUTE.seconds() * 60.0);
        self.counted(flood).all(|(taken, share)| {
            taken.add(now, Duration::ZERO);
            *share >= 1.0 || taken.share() + more <= *share
        })
    }

    /// A relay has taken this time.
    pub(super) fn spend(&mut self, now: Time, flood: bool, air_time: Duration) {
        self.counted(flood).for_each(|(taken, _)| taken.add(now, air_time));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floods_leave_the_rest_of_the_hour_to_what_follows_a_path() {
        let (mut budget, second) = (Budget::new(0.02, 0.01), Duration::from_millis(1_000));
        let at = |s: u64| Time::ZERO + second * s;
        budget.spend(at(0), true, second * 30);
        assert!(budget.admits(at(1), true, second * 6) && !budget.admits(at(1), true, second * 7));
        assert!(budget.admits(at(1), false, second * 40));
        budget.spend(at(1), false, second * 40);
        assert!(!budget.admits(at(2), false, second * 3), "all relays have a share, too");
        assert!(budget.admits(at(3_600), true, second * 7), "an hour has passed");
        assert!(Budget::new(1.0, 1.0).admits(at(0), true, second * 4_000), "no limit");
    }
}
