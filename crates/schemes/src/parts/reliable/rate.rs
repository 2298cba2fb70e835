//! The sending rate: its three phases, and what silence does to it.

use multihop_core::Duration;

use super::Settings;

/// What a feedback has done to the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The advertised rate is well above.
    Increase,
    /// The advertised rate is below.
    Decrease,
    /// Neither.
    Maintain,
}

/// S.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    phi: f64,
    increase_divisor: f64,
    silence_factor: f64,
    /// One packet per epoch: with less there would be no feedback.
    least: f64,
    /// S in packets per second.
    current: f64,
}

impl Rate {
    /// The least rate.
    pub fn new(settings: &Settings) -> Self {
        let least = 1.0 / settings.epoch.seconds();
        Rate {
            phi: settings.phi,
            increase_divisor: settings.increase_divisor,
            silence_factor: settings.silence_factor,
            least,
            current: least,
        }
    }

    /// S in packets per second.
    pub const fn current(&self) -> f64 {
        self.current
    }

    /// From one packet to the next.
    pub fn pace(&self) -> Duration {
        Duration::from_seconds(1.0 / self.current)
    }

    /// Quick start: one packet per `interval`.
    pub fn start(&mut self, interval: Duration) {
        self.current = self.least;
        if interval > Duration::ZERO {
            self.set(1.0 / interval.seconds());
        }
    }

    /// A feedback advertises one packet per `interval`, which is not zero.
    pub fn on_feedback(&mut self, interval: Duration) -> Phase {
        let advertised = 1.0 / interval.seconds();
        if self.current > advertised {
            self.set(advertised);
            Phase::Decrease
        } else if self.current < advertised - self.phi * self.current {
            self.set(self.current + (advertised - self.current) / self.increase_divisor);
            Phase::Increase
        } else {
            Phase::Maintain
        }
    }

    /// An epoch without feedback.
    pub fn on_silence(&mut self) {
        self.set(self.current * self.silence_factor);
    }

    fn set(&mut self, rate: f64) {
        self.current = rate.max(self.least);
    }
}
