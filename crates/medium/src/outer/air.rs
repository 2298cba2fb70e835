//! What radios of another program do with their time.

use multihop_core::{AirTime, Time};

use crate::dcf::{Meter, View};

/// What a radio senses from now on, apart from what it sends itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensed {
    /// A frame that it can decode so far, which ends then unless it says otherwise.
    Frame(Time),
    /// Something that it cannot decode, until then.
    Noise(Time),
    /// No frame any more.
    Silence,
    /// The medium is reserved until then, at least.
    Reservation(Time),
    /// Nobody has answered the last frame of this station's own exchange.
    NoAnswer,
}

/// The time of one radio, if somebody asks for it.
#[derive(Default)]
pub(super) struct Air {
    meter: Option<Meter>,
    view: View,
    /// There is noise until then, also behind a frame that is received.
    noise: Time,
}

impl Air {
    /// Somebody asks for it.
    pub fn watch(&mut self) {
        self.meter.get_or_insert_default();
    }

    /// What the radio has done up to `now`.
    pub fn until(&mut self, now: Time) -> AirTime {
        let Some(meter) = &mut self.meter else { return AirTime::default() };
        meter.count(now, &self.view);
        meter.air
    }

    /// It sends from `now` on, until then; whether in an exchange of its own, in which it awaits an answer.
    pub fn sends(&mut self, now: Time, until: Time, awaits: bool) {
        self.until(now);
        self.view.transmitting = (now, until);
        self.view.exchanging |= awaits;
    }

    /// Its own exchange is over.
    pub fn exchange_ends(&mut self, now: Time) {
        self.until(now);
        self.view.exchanging = false;
    }

    /// It senses something else from `now` on.
    pub fn senses(&mut self, now: Time, sensed: Sensed) {
        self.until(now);
        let view = &mut self.view;
        match sensed {
            Sensed::Frame(until) => (view.receiving, view.decodable) = ((now, until), true),
            Sensed::Noise(until) => {
                self.noise = self.noise.max(until);
                let receives = view.decodable && now < view.receiving.1;
                if !receives {
                    (view.receiving, view.decodable) = ((now, self.noise), false);
                }
            }
            Sensed::Silence => {
                (view.receiving, view.decodable) = ((now, self.noise.max(now)), false);
            }
            Sensed::Reservation(until) => view.idle_from = view.idle_from.max(until),
            Sensed::NoAnswer => view.exchanging = false,
        }
    }
}
