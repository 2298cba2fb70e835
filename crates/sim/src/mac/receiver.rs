//! Reception and capture: the rules that a scenario calls `ns2`.
//!
//! - A frame below the sense threshold does not exist.
//! - The radio locks on to the first frame that it senses, even one that it cannot decode.
//! - A later frame that is weaker by the capture ratio is ignored; any other destroys both, and
//!   the radio stays locked on whichever ends last. A later stronger frame is never captured,
//!   unless the scenario asks for the rules `message-in-message`.
//! - While the radio transmits, arriving frames are lost.
//! - Interference is pairwise, never summed.
//!
//! The receiver is lazy: a frame's fate is settled when somebody asks after its end, so that
//! bystanders cost no event.

use multihop_core::{Duration, Time};
use multihop_scenario::setup::Reception;

use super::frame::{BROADCAST, Frame, Profile};

/// A frame as it reaches one radio.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The frame.
    pub frame: Frame,
    /// Its power, on the scale of the profile's [`Capture`](super::frame::Capture).
    pub power: f64,
    /// When its first bit arrives.
    pub start: Time,
    /// Why it cannot be decoded, whatever else happens; `None` if it can.
    pub spoiled: Option<LossCause>,
}

/// Why a radio lost a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LossCause {
    /// Another frame overlapped.
    Collision,
    /// The radio was locked on to a much stronger frame.
    CaptureLost,
    /// A bit error.
    BitError,
    /// The signal was too weak to decode.
    TooWeak,
    /// The radio was transmitting itself.
    Transmitting,
}

impl LossCause {
    /// Its name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            LossCause::Collision => "collision",
            LossCause::CaptureLost => "capture_lost",
            LossCause::BitError => "bit_error",
            LossCause::TooWeak => "too_weak",
            LossCause::Transmitting => "transmitting",
        }
    }
}

/// How many frames addressed to a node were lost, by [`LossCause`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses(pub [u64; 5]);

impl Losses {
    pub(super) const fn count_one(&mut self, cause: LossCause) {
        self.0[cause as usize] += 1;
    }

    /// How many were lost for `cause`.
    pub const fn count(&self, cause: LossCause) -> u64 {
        self.0[cause as usize]
    }
}

/// The frame that a radio is locked on to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lock {
    pub arrival: Arrival,
    pub end: Time,
    /// When the medium first became busy in this unbroken reception.
    pub busy_from: Time,
}

/// What a newly arriving frame did to the frame that a radio is locked on to.
pub(super) enum Effect {
    /// It was ignored; the medium counts as busy until this time.
    Captured {
        /// When the ignored frame ends.
        until: Time,
    },
    /// It and the frame before it are lost.
    Collided,
}

impl Arrival {
    pub fn end(&self) -> Time {
        self.start + self.frame.air_time
    }

    /// Whether the frame is meant for `me`.
    pub fn is_for(&self, me: u32) -> bool {
        self.frame.to == me || self.frame.to == BROADCAST
    }
}

impl Lock {
    pub fn on(arrival: Arrival) -> Self {
        Lock { end: arrival.end(), busy_from: arrival.start, arrival }
    }

    /// Another frame arrives while this one is locked. Lost frames are handed to `lose`.
    pub fn interfere(
        &mut self,
        mut late: Arrival,
        profile: &Profile,
        mut lose: impl FnMut(&Arrival, LossCause),
    ) -> Effect {
        if late.start < self.arrival.start {
            // Two frames within one propagation delay of each other: the transmissions are
            // handed to the receiver in the order of their starts at the transmitters, but the
            // nearer transmitter's frame is the first here.
            std::mem::swap(&mut late, &mut self.arrival);
            self.end = self.arrival.end();
            self.busy_from = self.arrival.start;
        }
        if profile.reception == Reception::MessageInMessage
            && profile.capture.survives(late.power, self.arrival.power)
        {
            // The newcomer takes over, and the earlier frame is the one that is ignored.
            std::mem::swap(&mut late, &mut self.arrival);
            self.end = self.arrival.end();
        }
        if profile.capture.survives(self.arrival.power, late.power) {
            if late.spoiled.is_none() {
                lose(&late, LossCause::CaptureLost);
            }
            return Effect::Captured { until: late.end() };
        }
        for arrival in [&mut self.arrival, &mut late] {
            if arrival.spoiled.is_none() {
                lose(arrival, LossCause::Collision);
                arrival.spoiled = Some(LossCause::Collision);
            }
        }
        if late.end() > self.end {
            self.end = late.end();
            self.arrival = late;
        }
        Effect::Collided
    }

    /// How long the medium stays reserved after the frame's end, for the node `me`.
    pub fn reserves(&self, me: u32, eifs: Duration) -> Duration {
        if self.arrival.spoiled.is_some() {
            eifs
        } else if self.arrival.frame.to == me {
            Duration::ZERO
        } else {
            self.arrival.frame.reserved
        }
    }
}
