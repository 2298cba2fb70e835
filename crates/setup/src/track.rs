//! Where a node is, and when.

use multihop_core::Time;

/// A straight movement at a constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// When it begins.
    pub start: Time,
    /// When it ends; later than the start.
    pub end: Time,
    /// Position in metres at the start.
    pub from: (f64, f64),
    /// Position in metres at the end, where the node then stays.
    pub to: (f64, f64),
}

/// The whole movement of a node: it stays, moves along a leg, stays, and so on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// In order, none beginning before the one before it has ended.
    pub legs: Vec<Leg>,
    /// When its radio is on, from when until when, in order; always, if there are none.
    pub present: Vec<(Time, Time)>,
}

impl Track {
    /// From `place` to other places: each with when the node sets out for it, and when it is there.
    pub fn through(
        place: (f64, f64),
        stops: impl IntoIterator<Item = (Time, Time, (f64, f64))>,
    ) -> Self {
        let mut from = place;
        let leg = |(start, end, to)| Leg { start, end, from: std::mem::replace(&mut from, to), to };
        Track { legs: stops.into_iter().map(leg).collect(), present: Vec::new() }
    }

    /// Whether nothing about the node ever changes: it neither moves nor enters nor leaves.
    pub fn is_still(&self) -> bool {
        self.legs.is_empty() && self.present.is_empty()
    }

    /// Whether the node's radio is on at `time`.
    pub fn is_present(&self, time: Time) -> bool {
        let on = |(enters, leaves): &(Time, Time)| *enters <= time && time < *leaves;
        self.present.is_empty() || self.present.iter().any(on)
    }
}

impl Leg {
    /// Position in metres at `time`, which may lie outside of the leg.
    pub fn position(&self, time: Time) -> (f64, f64) {
        if time >= self.end {
            return self.to;
        }
        let share = time.since(self.start).seconds() / self.end.since(self.start).seconds();
        let between = |from: f64, to: f64| from + (to - from) * share;
        (between(self.from.0, self.to.0), between(self.from.1, self.to.1))
    }
}
