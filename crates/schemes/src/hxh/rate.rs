//! HxH 5.1.2: the rate-limited version, with a rate of our own finding.
//!
//! The thesis names the goal, "the highest possible rate that still allows every packet to be
//! successfully sent on its first attempt", and leaves open how to find it. Here every node keeps
//! a least interval between the starts of its transmissions. A packet that the MAC has sent on the
//! first attempt raises the rate by a fixed step; one that needed a retry lowers it by an eighth
//! (additive increase, multiplicative decrease). The step is a share of the highest rate that the
//! node has ever reached, so that it fits every link speed.

use multihop_core::{Duration, Outcome, Time, TxDone};

/// The step upwards, as a share of the highest rate.
const STEP: f64 = 1.0 / 400.0;

/// What is left of the rate after a retry.
const DECREASE: f64 = 7.0 / 8.0;

/// The lowest rate, as a share of the highest.
const LEAST: f64 = 1.0 / 100.0;

/// Whether a node limits its rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    Unlimited,
    Limited,
}

/// When a node may start its next transmission.
#[derive(Clone, Debug)]
pub(super) struct Pacer {
    pace: Pace,
    /// The least time that the MAC has needed for a packet: the inverse of the highest rate.
    shortest: Duration,
    /// The rate, as a share of the highest.
    rate: f64,
    not_before: Time,
    /// Whether `not_before` still has to come.
    waits: bool,
}

impl Pacer {
    /// Of a node that starts with the highest rate.
    pub(super) fn new(pace: Pace) -> Self {
        Pacer { pace, shortest: Duration::ZERO, rate: 1.0, not_before: Time::ZERO, waits: false }
    }

    /// Whether a transmission may start.
    pub(super) fn permits(&self, now: Time) -> bool {
        self.pace == Pace::Unlimited || self.not_before <= now
    }

    /// A transmission starts.
    pub(super) fn on_start(&mut self, now: Time) {
        if self.pace == Pace::Limited {
            self.not_before = now + self.shortest.scaled(1.0 / self.rate);
            self.waits = self.not_before > now;
        }
    }

    /// A transmission has ended.
    pub(super) fn on_done(&mut self, done: &TxDone) {
        if self.pace == Pace::Unlimited || done.outcome == Outcome::Withdrawn {
            return;
        }
        if self.shortest == Duration::ZERO || done.service < self.shortest {
            self.shortest = done.service;
        }
        self.rate = if done.retries == 0 && done.outcome != Outcome::Failed {
            (self.rate + STEP).min(1.0)
        } else {
            (self.rate * DECREASE).max(LEAST)
        };
    }

    /// The time has come.
    pub(super) fn on_timeout(&mut self, now: Time) {
        self.waits &= self.not_before > now;
    }

    /// When the next transmission may start, if that is still to come.
    pub(super) fn deadline(&self) -> Time {
        if self.waits { self.not_before } else { Time::NEVER }
    }
}
