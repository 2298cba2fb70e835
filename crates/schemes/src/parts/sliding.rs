//! Sums over the last periods of time.

use multihop_core::{Duration, Time};

/// A sum of times over the last `N` periods, the current one included.
#[derive(Debug)]
pub struct Sliding<const N: usize> {
    period: Duration,
    sums: [Duration; N],
    /// The number of the current period.
    at: u64,
}

impl<const N: usize> Sliding<N> {
    /// Nothing yet, over periods of this length.
    pub const fn new(period: Duration) -> Self {
        Sliding { period, sums: [Duration::ZERO; N], at: 0 }
    }

    /// Adds `time` at `now`. Times never go back.
    pub fn add(&mut self, now: Time, time: Duration) {
        let at = now.since(Time::ZERO) / self.period;
        for passed in (self.at + 1..=at).rev().take(N) {
            self.sums[(passed % N as u64) as usize] = Duration::ZERO;
        }
        self.at = at;
        self.sums[(at % N as u64) as usize] += time;
    }

    /// The sum as a share of all periods, from 0 to 1.
    pub fn share(&self) -> f64 {
        let all: f64 = self.sums.iter().map(|sum| sum.seconds()).sum();
        all / (self.period.seconds() * N as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_older_than_all_periods_does_not_count() {
        let second = Duration::from_millis(1_000);
        let at = |s: u64| Time::ZERO + second * s;
        let mut sum: Sliding<4> = Sliding::new(second * 10);
        sum.add(at(5), second * 4);
        sum.add(at(39), second * 4);
        assert!((sum.share() - 0.2).abs() < 1e-9);
        sum.add(at(40), Duration::ZERO);
        assert!((sum.share() - 0.1).abs() < 1e-9, "the first period is gone");
        sum.add(at(1_000), second);
        assert!((sum.share() - 1.0 / 40.0).abs() < 1e-9);
    }
}
