//! What TCP-AP can be told.

use multihop_core::{Alternative, Choice, Count, Duration, Number, Param, Span, Switch};

use crate::parts::tcp::{WINDOW_LIMIT, with};

/// How far a packet has to get ahead where the route is shorter than [`REACH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// All the way.
    Hops,
    /// One hop.
    One,
}

pub(super) const NEAR: Choice<Near> = Choice {
    name: "near",
    about: "How far a packet gets ahead of the next one where there are fewer hops than reach",
    among: &[
        Alternative { name: "hops", about: "to the destination" },
        Alternative { name: "one", about: "one hop, as in the authors' code" },
    ],
    values: &[Near::Hops, Near::One],
};

/// What the coefficient of variation is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variation {
    /// Round trips, standard deviation.
    RoundTrips,
    /// Estimates of the four-hop delay, mean deviation.
    Estimates,
}

pub(super) const VARIATION: Choice<Variation> = Choice {
    name: "variation",
    about: "What the coefficient of variation is computed of",
    among: &[
        Alternative { name: "round-trips", about: "round-trip times, by their standard deviation" },
        Alternative {
            name: "estimates",
            about: "estimates of the delay, by their mean deviation, as in the authors' code",
        },
    ],
    values: &[Variation::RoundTrips, Variation::Estimates],
};

pub(super) const TIMER_FAULT: Switch = Switch {
    name: "timer_fault",
    about: "As in the authors' code, a third duplicate acknowledgment while nothing waits for its turn \
            stops the pacing timer until the retransmission timeout",
    default: false,
};

pub(super) const RTO_BACKOFF: Switch = Switch {
    name: "rto_backoff",
    about: "Double the retransmission timeout after each (RFC 6298, 5.5); off, as in the authors' code",
    default: true,
};

pub(super) const REACH: Count = Count {
    name: "reach",
    about: "So many hops a packet gets ahead of the next one: the 4 of 4-hop propagation delay",
    unit: "hops",
    default: 4,
    min: 1,
    max: 64,
};

pub(super) const ALPHA: Number = Number {
    name: "alpha",
    about: "Weight of the old mean in that of the 4-hop propagation delay",
    unit: "",
    default: 0.7,
    min: 0.0,
    max: 0.999,
};

pub(super) const GAMMA: Number = Number {
    name: "gamma",
    about: "Weight of the old mean in that of the queueing delay, as in the authors' code",
    default: 0.5,
    ..ALPHA
};

pub(super) const HISTORY: Count = Count {
    name: "history",
    about: "So many samples make the coefficient of variation",
    unit: "samples",
    default: 50,
    min: 1,
    max: 1_000,
};

pub(super) const FIRST_INTERVAL: Span = Span {
    name: "first_interval",
    about: "The time between two packets before the first round trip, as in the authors' code",
    bare_unit: "ms",
    default: Duration::from_millis(50),
    min: Duration::ZERO,
    max: Duration::from_millis(60_000),
};

pub(super) const DELAY_BOUND: Span = Span {
    name: "delay_bound",
    about: "Estimates of the delay above this do not count, as in the authors' code",
    bare_unit: "ms",
    default: Duration::from_millis(500),
    min: Duration::from_millis(1),
    max: Duration::from_millis(3_600_000),
};

pub(super) const OVERHEAD: Count = Count {
    name: "overhead",
    about: "What a packet has on the air besides its payload, as in the authors' code",
    unit: "bytes",
    default: 112,
    min: 0,
    max: 2_304,
};

pub(super) const PARAMS: [Param; 26] = with(&[
    WINDOW_LIMIT.param(),
    NEAR.param(),
    VARIATION.param(),
    TIMER_FAULT.param(),
    RTO_BACKOFF.param(),
    REACH.param(),
    ALPHA.param(),
    GAMMA.param(),
    HISTORY.param(),
    FIRST_INTERVAL.param(),
    DELAY_BOUND.param(),
    OVERHEAD.param(),
]);
