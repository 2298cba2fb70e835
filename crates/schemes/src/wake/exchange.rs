//! The packets that the MAC has: one, or those of a batch, which is one exchange.
//!
//! A MAC reports the packets of a batch one by one, those that arrived as those that it gives up; it repeats the rest, with
//! others that have joined. The rules count each of these exchanges once.

use multihop_core::{FlowId, Time};

use super::flow::Below;

/// How the exchange of the packets that the MAC has gets on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exchange {
    /// How many packets have gone to the MAC.
    taken: u64,
    /// The turn of the first of those that it has.
    pub first: u64,
    /// Whose packets they are.
    flow: Option<FlowId>,
    /// Since when the first of them that has had no exchange could have gone.
    since: Time,
    /// When a packet of them was passed on last.
    passed: Option<Time>,
    /// When a packet of them was given up last, and until when such packets pause.
    pause: Option<(Time, Time)>,
    /// Whether the packets that start with it go in a wave; `None` before the first.
    pub in_wave: Option<bool>,
}

impl Exchange {
    /// One more packet goes to the MAC: its turn.
    pub fn take(&mut self) -> u64 {
        self.taken += 1;
        self.taken
    }

    /// The MAC has had none, and gets `below`.
    pub fn begin(&mut self, below: &Below) {
        let &Below { turn, flow, since, .. } = below;
        let Exchange { taken, in_wave, .. } = *self;
        let (passed, pause) = (None, None);
        *self = Exchange { taken, first: turn, flow: Some(flow), since, passed, pause, in_wave };
    }

    /// A packet is passed on. If it is the first of its exchange, since when that could have begun.
    pub fn passed_on(&mut self, now: Time, below: &Below) -> Option<Time> {
        if self.flow != Some(below.flow) {
            return Some(below.since);
        }
        if self.passed == Some(now) {
            return None;
        }
        (self.passed, self.in_wave) = (Some(now), None);
        Some(std::mem::replace(&mut self.since, now))
    }

    /// Whether some of its packets have arrived, so that the rest is repeated.
    pub fn is_repeated(&self) -> bool {
        self.passed.is_some()
    }

    /// A packet is given up. If another one of its exchange was, until when they pause.
    pub fn gave_up(&self, now: Time, below: &Below) -> Option<Time> {
        let pause = self.pause.filter(|(at, _)| *at == now && self.flow == Some(below.flow));
        pause.map(|(_, until)| until)
    }

    /// The packets of its exchange that are given up pause until then.
    pub fn pauses(&mut self, now: Time, below: &Below, until: Time) {
        if self.flow == Some(below.flow) {
            self.pause = Some((now, until));
        }
    }
}
