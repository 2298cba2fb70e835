//! What can be set, and what follows from it.

use multihop_core::{Count, Number, Param, Params};

use crate::parts::fifo::QUEUE_LIMIT;

const REMEMBERED: Count = Count {
    name: "remembered",
    about: "So many packets sent to a successor are remembered",
    unit: "packets",
    default: 1_000,
    min: 1,
    max: 1_000,
};

const SAMPLES: Count = Count {
    name: "samples",
    about: "The successor's backlog is averaged over so many samples",
    unit: "samples",
    default: 50,
    min: 1,
    max: 1_000_000,
};

const MIN_BACKLOG: Number = Number {
    name: "min_backlog",
    about: "b_min: with a smaller mean backlog of the successor, the window shrinks",
    unit: "packets",
    default: 0.05,
    min: 0.0,
    max: 1e6,
};

const MAX_BACKLOG: Number = Number {
    name: "max_backlog",
    about: "b_max: with a larger mean backlog of the successor, the window grows",
    unit: "packets",
    default: 20.0,
    min: 0.0,
    max: 1e6,
};

const MIN_EXPONENT: Count = exponent("min_exponent", "The smallest window is 2 to this power", 4);
const MAX_EXPONENT: Count = exponent(
    "max_exponent",
    "The largest window is 2 to this power, but not larger than the MAC's own largest",
    15,
);
const FIRST_EXPONENT: Count = exponent(
    "first_exponent",
    "The window is 2 to this power at first, as far as the smallest and the largest let it; not stated",
    5,
);

const fn exponent(name: &'static str, about: &'static str, default: u32) -> Count {
    Count { name, about, unit: "", default, min: 1, max: 16 }
}

pub(super) const PARAMS: [Param; 8] = [
    QUEUE_LIMIT.param(),
    REMEMBERED.param(),
    SAMPLES.param(),
    MIN_BACKLOG.param().at_most(MAX_BACKLOG.name),
    MAX_BACKLOG.param(),
    MIN_EXPONENT.param().at_most(FIRST_EXPONENT.name),
    MAX_EXPONENT.param(),
    FIRST_EXPONENT.param().at_most(MAX_EXPONENT.name),
];

/// The values of the parameters.
#[derive(Debug)]
pub(super) struct Settings {
    pub remembered: usize,
    pub samples: u32,
    pub min_backlog: f64,
    pub max_backlog: f64,
    pub min_exponent: u32,
    pub max_exponent: u32,
    pub first_exponent: u32,
}

impl Settings {
    pub(super) fn new(params: &Params) -> Self {
        Settings {
            remembered: params.get(REMEMBERED) as usize,
            samples: params.get(SAMPLES),
            min_backlog: params.get(MIN_BACKLOG),
            max_backlog: params.get(MAX_BACKLOG),
            min_exponent: params.get(MIN_EXPONENT),
            max_exponent: params.get(MAX_EXPONENT),
            first_exponent: params.get(FIRST_EXPONENT),
        }
    }
}
