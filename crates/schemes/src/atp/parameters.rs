//! What can be set.

use multihop_core::{Number, Param};

use crate::parts::fifo::QUEUE_LIMIT;
use crate::parts::reliable::ENDS;

pub(super) const ALPHA: Number = Number {
    name: "alpha",
    about: "Weight of the old mean in a node's queueing and transmission delay; reconstructed",
    unit: "",
    default: 0.75,
    min: 0.0,
    max: 0.999,
};

pub(super) const ETA: Number = Number {
    name: "eta",
    about: "By how much an idle node multiplies its delay for a probe, for the contention that \
            the flow will bring; reconstructed, with low confidence",
    unit: "",
    default: 3.0,
    min: 1.0,
    max: 100.0,
};

/// All of them.
pub(super) const PARAMS: [Param; 14] = {
    let [epoch, kappa, phi, increase, blocks, silence, missed, interval, longest, grace, buffer] =
        ENDS;
    [
        epoch,
        ALPHA.param(),
        kappa,
        phi,
        increase,
        ETA.param(),
        blocks,
        silence,
        missed,
        interval,
        longest,
        grace,
        buffer,
        QUEUE_LIMIT.param(),
    ]
};
