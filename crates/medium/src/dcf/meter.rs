//! What a station's radio does with its time, for protocols that ask ([`AirTime`]).
//!
//! Stations that nobody asks have no meter, and pay nothing.

use multihop_core::{AirTime, Duration, Time};

/// The time of one radio.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter {
    pub(crate) air: AirTime,
    /// So far it has counted.
    pub(crate) until: Time,
}

/// What a station knows of the medium, until it learns more.
#[derive(Default)]
pub(crate) struct View {
    /// Begin and end of its last transmission.
    pub(crate) transmitting: (Time, Time),
    /// Begin and end of the reception.
    pub(crate) receiving: (Time, Time),
    /// Whether the frame could be decoded, as far as is known.
    pub(crate) decodable: bool,
    /// Whether an exchange of its own is under way.
    pub(crate) exchanging: bool,
    /// From when on the medium is idle: what is not busy before is reserved.
    pub(crate) idle_from: Time,
}

/// No time at all.
pub(crate) const NEVER: (Time, Time) = (Time::ZERO, Time::ZERO);

type Span = (Time, Time);

#[inline]
fn length((from, until): Span) -> Duration {
    until.since(from)
}

/// What two spans have in common.
#[inline]
fn both((from, until): Span, (since, end): Span) -> Span {
    (from.max(since), until.min(end))
}

impl View {
    /// How much of `span` the radio transmits, and how much of it it receives and does not transmit.
    #[inline]
    fn on_air(&self, span: Span) -> (Duration, Duration) {
        let receiving = both(span, self.receiving);
        let meanwhile = length(both(receiving, self.transmitting));
        (length(both(span, self.transmitting)), length(receiving).saturating_sub(meanwhile))
    }

    /// How much of `span` it does neither.
    #[inline]
    fn rest(&self, span: Span) -> Duration {
        let (sending, receiving) = self.on_air(span);
        length(span).saturating_sub(sending + receiving)
    }
}

impl Meter {
    /// Count up to `until`, during which `view` holds.
    #[inline]
    pub(crate) fn count(&mut self, until: Time, view: &View) {
        if until <= self.until {
            return;
        }
        let span = (self.until, until);
        let quiet = view.transmitting.1 <= self.until && view.receiving.1 <= self.until;
        let (sending, receiving) =
            if quiet { (Duration::ZERO, Duration::ZERO) } else { view.on_air(span) };
        self.air.sending += sending;
        *(if view.decodable { &mut self.air.receiving } else { &mut self.air.sensed }) += receiving;
        if view.exchanging {
            self.air.waiting += length(span).saturating_sub(sending + receiving);
        } else if view.idle_from > self.until {
            let span = (self.until, until.min(view.idle_from));
            self.air.reserved += if quiet { length(span) } else { view.rest(span) };
        }
        self.until = until;
    }

    /// Count up to the end of a reception, in a station without an exchange of its own.
    #[inline]
    pub(crate) fn count_reception(
        &mut self,
        (begins, ends): (Time, Time),
        decodable: bool,
        idle_from: Time,
    ) {
        let kind = if decodable { &mut self.air.receiving } else { &mut self.air.sensed };
        *kind += ends.since(begins.max(self.until));
        self.air.reserved += idle_from.min(begins).since(self.until);
        self.until = self.until.max(ends);
    }
}
