//! The channel access adaptation: the window that follows from what the successor has.

use super::parameters::Settings;

/// With which window packets go to one successor.
#[derive(Debug)]
pub(super) struct Access {
    /// The logarithm to base 2 of the window.
    exponent: u32,
    /// Samples since the last mean, and their sum.
    samples: u32,
    sum: usize,
    /// How many means in a row were too large, and too small, since the window changed.
    up: u32,
    down: u32,
}

impl Access {
    pub(super) fn new(settings: &Settings) -> Self {
        Access { exponent: settings.first_exponent, samples: 0, sum: 0, up: 0, down: 0 }
    }

    /// The successor has so many packets now.
    pub(super) fn on_sample(&mut self, backlog: usize, settings: &Settings) {
        (self.samples, self.sum) = (self.samples + 1, self.sum + backlog);
        if self.samples < settings.samples {
            return;
        }
        let mean = self.sum as f64 / f64::from(self.samples);
        (self.samples, self.sum) = (0, 0);
        self.on_mean(mean, settings);
    }

    /// The larger a window is, the later it grows further, and the sooner it shrinks.
    fn on_mean(&mut self, mean: f64, settings: &Settings) {
        let is_large = mean > settings.max_backlog;
        let is_small = !is_large && mean < settings.min_backlog;
        self.up = if is_large { self.up + 1 } else { 0 };
        self.down = if is_small { self.down + 1 } else { 0 };
        if is_large && self.up >= self.exponent {
            self.exponent = (self.exponent + 1).min(settings.max_exponent);
            self.up = 0;
        } else if is_small && self.down >= settings.max_exponent - self.exponent {
            self.exponent = (self.exponent - 1).max(settings.min_exponent);
            self.down = 0;
        }
    }

    /// The largest backoff of a first attempt, in slots.
    pub(super) fn slots(&self) -> u32 {
        (1 << self.exponent) - 1
    }
}
