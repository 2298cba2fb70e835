//! Which frames reach a radio, and which of them destroys which, for those who watch every frame.
//!
//! A station itself needs neither: it has no numbers of frames, and keeps no copy of what it cannot
//! decode. Stations that nobody watches have no tracer, and pay nothing.

use multihop_core::{LossCause, Time};

use super::frame::{Frame, NO_FRAME};
use super::ports::Action;

/// A frame at one radio.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub number: u32,
    pub from: u32,
    pub end: Time,
}

const NOTHING: Known = Known { number: NO_FRAME, from: u32::MAX, end: Time::ZERO };

/// The frames that a radio deals with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracer {
    /// The frame that it is locked on to, or was.
    pub locked: Known,
    /// The frame that has come last.
    pub newcomer: Known,
}

impl Default for Tracer {
    fn default() -> Self {
        Tracer { locked: NOTHING, newcomer: NOTHING }
    }
}

impl Tracer {
    /// The frame that the radio was locked on to is decoded.
    pub fn heard(&self, frame: Frame) -> Action {
        Action::Heard(frame, self.locked.number)
    }

    /// `frame` is lost.
    pub fn lost(&self, frame: Frame, cause: LossCause) -> Action {
        let (it, other) = if frame.from == self.newcomer.from {
            (self.newcomer, self.locked)
        } else {
            (self.locked, self.newcomer)
        };
        let by = match cause {
            LossCause::Collision | LossCause::CaptureLost => other.number,
            _ => NO_FRAME,
        };
        Action::Lost { frame, number: it.number, end: it.end, cause, by }
    }
}
