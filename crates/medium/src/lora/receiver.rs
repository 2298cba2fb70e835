//! What a radio receives: one frame at a time, and what overlapping frames do to each other.
//!
//! Frames of one spreading factor meet in pairs:
//!
//! - A frame survives another one if it is stronger by `capture_locked` where the receiver has seen `lock_symbols` of it
//!   before the other one began, or else by `capture_unlocked`.
//! - The later of the two survives only if the earlier one does not: a receiver keeps the frame that it is locked on to.
//!   A later frame that is stronger by `capture_unlocked` takes over at any time.
//! - An earlier frame that ends within the first `grace` symbols of a later one's preamble leaves enough of it.
//! - Overlaps up to `forgiven_symbols` are repaired by the code.
//! - Frames weaker than `interfere_from` do not matter. Those between this and the sensitivity cannot be received, but do
//!   harm.

use std::rc::Rc;

use multihop_core::{Duration, LossCause, Time};

use super::frame::Frame;
use super::parameters::Interferers;

/// The rounding of levels in dB: a signal in dBm has been a power in W.
const ROUNDING: f64 = 1e-9;

/// What overlapping frames do to each other.
#[derive(Clone, Copy, Debug)]
pub struct Overlap {
    /// Power in dBm from which a frame matters to others.
    pub interfere_from: f64,
    /// By how much, in dB, a frame must be stronger to survive, once the receiver is locked on to it.
    pub locked: f64,
    /// By how much before that, and to take over.
    pub unlocked: f64,
    /// How much of a preamble it takes to lock.
    pub lock: Duration,
    /// How much of a later frame's preamble an earlier frame may cover.
    pub grace: Duration,
    /// How long an overlap the code repairs.
    pub forgiven: Duration,
    /// Which frames do harm to later ones.
    pub interferers: Interferers,
}

/// How a frame began at a radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Its preamble could be received, so that the radio follows the frame to its end.
    Received,
    /// An earlier frame has destroyed it; its preamble may have been noticed.
    Destroyed,
    /// It was too weak, or the radio was transmitting.
    Unnoticed,
}

/// Why a frame is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The cause.
    pub cause: LossCause,
    /// Since when.
    pub at: Time,
    /// The number of the frame that has destroyed it.
    pub by: Option<u32>,
}

/// A frame that arrives at a radio.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// The frame.
    pub frame: Rc<Frame>,
    /// Its power in dBm.
    pub power: f64,
    /// When its first symbol arrives.
    pub start: Time,
    /// When its last one has arrived.
    pub end: Time,
    /// How it began.
    pub beginning: Beginning,
    /// Why it is lost, if it is.
    pub lost: Option<Lost>,
    /// Whether that was told.
    pub told: bool,
}

impl Incoming {
    /// Whether it is on the air at `at`.
    pub fn lasts(&self, at: Time) -> bool {
        self.start <= at && at < self.end
    }

    /// It is lost from `at` on, unless it was before.
    pub fn lose(&mut self, cause: LossCause, at: Time, by: Option<u32>) {
        self.lost.get_or_insert(Lost { cause, at, by });
    }
}

impl Overlap {
    /// A frame begins to arrive at a radio at which these others are on the air.
    pub fn arrive(&self, newcomer: &mut Incoming, others: &mut [Incoming]) {
        if newcomer.power < self.interfere_from {
            return;
        }
        for other in others {
            // Signals take microseconds: a later frame of a nearer node may arrive first.
            if other.start <= newcomer.start {
                self.meet(other, newcomer);
            } else {
                self.meet(newcomer, other);
            }
        }
    }

    /// Whether an earlier frame does harm to a later one.
    fn harms(&self, earlier: &Incoming, later: &Incoming) -> bool {
        let overlap = earlier.end.min(later.end).since(later.start);
        earlier.end > later.start + self.grace
            && overlap > self.forgiven
            && earlier.power >= self.interfere_from
            && (self.interferers == Interferers::All || earlier.beginning != Beginning::Destroyed)
    }

    fn meet(&self, earlier: &mut Incoming, later: &mut Incoming) {
        if !self.harms(earlier, later) {
            return;
        }
        let is_locked = later.start >= earlier.start + self.lock;
        let margin = if is_locked { self.locked } else { self.unlocked };
        let ahead = earlier.power - later.power;
        let stands = ahead >= margin - ROUNDING;
        let is_kept = stands && earlier.lost.is_none();
        let at = later.start;
        if is_kept || -ahead < self.unlocked - ROUNDING {
            let cause = if is_kept { LossCause::CaptureLost } else { LossCause::Collision };
            later.lose(cause, at, Some(earlier.frame.number));
            if later.beginning == Beginning::Received {
                later.beginning = Beginning::Destroyed;
            }
        }
        if !stands {
            earlier.lose(LossCause::Collision, at, Some(later.frame.number));
        }
    }
}
