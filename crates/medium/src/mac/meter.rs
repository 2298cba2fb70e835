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
    /// Where the moment `at` counts, and until when the same holds, `until` at the latest.
    #[inline]
    fn at<'a>(
        &self,
        at: Time,
        until: Time,
        air: &'a mut AirTime,
    ) -> (Option<&'a mut Duration>, Time) {
        let (mut until, (begins, ends)) = (until, self.transmitting);
        if is_within(at, self.transmitting) {
            return (Some(&mut air.sending), until.min(ends));
        }
        if at < begins {
            until = until.min(begins);
        }
        let (arrives, leaves) = self.receiving;
        if is_within(at, self.receiving) {
            let kind = if self.decodable { &mut air.receiving } else { &mut air.sensed };
            return (Some(kind), until.min(leaves));
        }
        if at < arrives {
            until = until.min(arrives);
        }
        if self.exchanging {
            (Some(&mut air.waiting), until)
        } else if at < self.reserved_until {
            (Some(&mut air.reserved), until.min(self.reserved_until))
        } else {
            (None, until)
        }
    }
}

impl Meter {
    /// Count up to `until`, during which `view` holds.
    pub(super) fn count(&mut self, until: Time, view: &View) {
        while self.until < until {
            let (kind, next) = view.at(self.until, until, &mut self.air);
            if let Some(kind) = kind {
                *kind += next.since(self.until);
            }
            self.until = next;
        }
    }
}
