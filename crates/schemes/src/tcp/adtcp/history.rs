//! Relative sample density: what is high, and what is low, is a matter of what was there before.

use std::collections::VecDeque;

/// The recent samples of one measure, and which part of them counts as the upper and the lower end.
#[derive(Clone, Debug)]
pub(super) struct History {
    samples: VecDeque<f64>,
    most: usize,
    least: usize,
    density: f64,
}

/// Where a sample lies among those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Level {
    High,
    Low,
    #[default]
    Between,
}

impl History {
    /// Of `most` samples; with fewer than `least` none is high or low.
    pub(super) const fn new(most: usize, least: usize, density: f64) -> Self {
        History { samples: VecDeque::new(), most, least, density }
    }

    /// Take a sample in. Where it lies among those before it: high if all but the share `density` are
    /// smaller, low if all but that share are larger.
    pub(super) fn take(&mut self, sample: f64) -> Level {
        let count = self.samples.len();
        let smaller = self.samples.iter().filter(|other| **other < sample).count();
        let larger = self.samples.iter().filter(|other| **other > sample).count();
        let enough = (1.0 - self.density) * count as f64;
        self.samples.push_back(sample);
        if self.samples.len() > self.most {
            self.samples.pop_front();
        }
        match () {
            () if count < self.least => Level::Between,
            () if smaller as f64 >= enough && smaller > 0 => Level::High,
            () if larger as f64 >= enough && larger > 0 => Level::Low,
            () => Level::Between,
        }
    }
}

#[cfg(test)]
mod tests;
