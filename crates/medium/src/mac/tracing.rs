//! Which frames reach a radio, and which of them destroys which, for those who watch every frame.
//!
//! A station itself needs neither: it has no numbers of frames, and keeps no copy of what it cannot
//! decode. Stations that nobody watches have no tracer, and pay nothing.

use multihop_core::{LossCause, Time};

use super::frame::{Frame, NO_FRAME};
use super::ports::{Action, Deadline, Ports};
use super::receiver::Arrival;
use super::station::Station;

/// A frame at one radio.
#[derive(Clone, Copy, Debug)]
struct Known {
    number: u32,
    from: u32,
    end: Time,
}

const NOTHING: Known = Known { number: NO_FRAME, from: u32::MAX, end: Time::ZERO };

/// The frames that a radio deals with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracer {
    /// The frame that it is locked on to, or was.
    locked: Known,
    /// The frame that has come last.
    newcomer: Known,
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

impl Station {
    /// Tell of every frame that is decoded or lost.
    pub fn set_tracing(&mut self, on: bool) {
        self.tracer = on.then(Box::default);
    }

    /// [`Station::on_arrival`] of frame `number` at a station that somebody watches: its time, or what
    /// becomes of frames.
    pub fn on_watched_arrival(
        &mut self,
        number: u32,
        arrival: &Arrival,
        ports: &mut Ports,
    ) -> Deadline {
        let (start, end) = (arrival.start, arrival.start + arrival.frame.air_time);
        self.meter_arrival(ports.now, start);
        let newcomer = Known { number, from: arrival.frame.from, end };
        if let Some(tracer) = &mut self.tracer {
            tracer.newcomer = newcomer;
        }
        let deadline = self.on_arrival(arrival, ports);
        let is_newcomer =
            self.lock.as_ref().is_some_and(|lock| (lock.start, lock.end) == (start, end));
        if let Some(tracer) = self.tracer.as_mut().filter(|_| is_newcomer) {
            tracer.locked = newcomer;
        }
        deadline
    }
}
