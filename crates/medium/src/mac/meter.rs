//! What a station's radio does with its time, for protocols that ask ([`AirTime`]).
//!
//! Stations that nobody asks have no meter, and pay nothing.

use multihop_core::{AirTime, Duration, Time};

/// The time of one radio.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    pub(super) air: AirTime,
    /// So far it has counted.
    until: Time,
}

/// What a station knows of the medium, until it learns more.
pub(super) struct View {
    /// Begin and end of its last transmission.
    pub(super) transmitting: (Time, Time),
    /// Begin and end of the reception.
    pub(super) receiving: (Time, Time),
    /// Whether the frame could be decoded, as far as is known.
    pub(super) decodable: bool,
    /// Whether an exchange of its own is under way.
    pub(super) exchanging: bool,
    pub(super) reserved_until: Time,
}

/// No time at all.
pub(super) const NEVER: (Time, Time) = (Time::ZERO, Time::ZERO);

fn is_within(at: Time, (from, until): (Time, Time)) -> bool {
    from <= at && at < until
}

impl View {
    /// Where the moment `at` counts.
    fn kind<'a>(&self, at: Time, air: &'a mut AirTime) -> Option<&'a mut Duration> {
        if is_within(at, self.transmitting) {
            Some(&mut air.sending)
        } else if is_within(at, self.receiving) {
            Some(if self.decodable { &mut air.receiving } else { &mut air.sensed })
        } else if self.exchanging {
            Some(&mut air.waiting)
        } else if at < self.reserved_until {
            Some(&mut air.reserved)
        } else {
            None
        }
    }

    /// The first moment after `at` that may count elsewhere, `until` at the latest.
    fn change(&self, at: Time, until: Time) -> Time {
        let ((begins, ends), (arrives, leaves)) = (self.transmitting, self.receiving);
        let changes = [begins, ends, arrives, leaves, self.reserved_until].into_iter();
        changes.filter(|time| *time > at).fold(until, Time::min)
    }
}

impl Meter {
    /// Count up to `until`, during which `view` holds.
    pub(super) fn count(&mut self, until: Time, view: &View) {
        while self.until < until {
            let next = view.change(self.until, until);
            if let Some(kind) = view.kind(self.until, &mut self.air) {
                *kind += next.since(self.until);
            }
            self.until = next;
        }
    }
}
