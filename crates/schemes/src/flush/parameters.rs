//! What can be set, and what follows from it.

use multihop_core::{Count, Duration, Number, Param, Params, Span};

use crate::parts::batch;
use crate::parts::fifo::QUEUE_LIMIT;

const MARGIN: Number = Number {
    name: "margin",
    about: "A forwarder disturbs a node if it hears it less than this weaker than its predecessor",
    unit: "dB",
    default: 10.0,
    min: 0.0,
    max: 1e3,
};

const CONGESTED_QUEUE: Count = Count {
    name: "congested_queue",
    about: "With more waiting packets of a flow, or as many times a full batch, a node announces twice its delivery time",
    unit: "packets",
    default: 5,
    min: 0,
    max: 1_000_000,
};

const SAMPLES: Count = Count {
    name: "samples",
    about: "The delivery time is a mean in which a new sample weighs one in so many; not known, TCP's",
    unit: "samples",
    default: 8,
    min: 1,
    max: 1_000_000,
};

const MEMORY: Span = Span {
    name: "memory",
    about: "How long what a forwarder was heard to say counts; not stated",
    bare_unit: "s",
    default: Duration::from_millis(1_000),
    min: Duration::ZERO,
    max: Duration::from_millis(1_000_000),
};

pub(super) const PARAMS: [Param; 6] = [
    QUEUE_LIMIT.param(),
    batch::PARAM,
    MARGIN.param(),
    CONGESTED_QUEUE.param(),
    SAMPLES.param(),
    MEMORY.param(),
];

/// The values of the parameters.
#[derive(Debug)]
pub(super) struct Settings {
    pub queue_limit: usize,
    /// How many packets of a flow share a frame at most.
    pub batch: usize,
    /// In dB.
    pub margin: f64,
    /// In packets, of all batches.
    pub congested_queue: usize,
    pub samples: f64,
    pub memory: Duration,
}

impl Settings {
    pub(super) fn new(params: &Params) -> Self {
        let batch = batch::most(params);
        Settings {
            queue_limit: params.get(QUEUE_LIMIT) as usize,
            batch,
            margin: params.get(MARGIN),
            congested_queue: params.get(CONGESTED_QUEUE) as usize * batch,
            samples: params.get(SAMPLES).into(),
            memory: params.get(MEMORY),
        }
    }
}
