//! HxH 5.1.2: the rate-limited version, with a rate of our own finding.
//!
//! The thesis names the goal, "the highest possible rate that still allows every packet to be
//! successfully sent on its first attempt", and leaves open how to find it. Here every node keeps
//! a least interval between the starts of its transmissions. A packet that the MAC has sent on the
//! first attempt raises the rate by a fixed step; one that needed a retry lowers it by an eighth
//! (additive increase, multiplicative decrease). The step is a share of the highest rate that the
//! node has ever reached, so that it fits every link speed.

use multihop_core::{Duration, Outcome, TxDone};

use crate::parts::pacer::Allowance;

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

/// How often a node starts a transmission.
#[derive(Clone, Debug)]
pub(super) struct Rate {
    pace: Pace,
    /// The least time that the MAC has needed for a packet: the inverse of the highest rate.
    shortest: Duration,
    /// The rate, as a share of the highest.
    share: f64,
}

impl Rate {
    /// Of a node that starts with the highest rate.
    pub(super) fn new(pace: Pace) -> Self {
        Rate { pace, shortest: Duration::ZERO, share: 1.0 }
    }

    /// What the node may do, whatever its neighbours allow.
    pub(super) fn allowance(&self) -> Allowance {
        match self.pace {
            Pace::Unlimited => Allowance::pace(Duration::ZERO),
            Pace::Limited => Allowance::pace(self.shortest.scaled(1.0 / self.share)),
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
        self.share = if done.retries == 0 && done.outcome != Outcome::Failed {
            (self.share + STEP).min(1.0)
        } else {
            (self.share * DECREASE).max(LEAST)
        };
    }
}
