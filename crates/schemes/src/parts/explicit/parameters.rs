//! What can be set of XCP, and with other defaults of WXCP.

use multihop_core::{Duration, Number, Span, Switch};

/// α.
pub const ALPHA: Number = Number {
    name: "alpha",
    about: "α: which part of the spare bandwidth is given away in one interval (XCP 3.5)",
    unit: "",
    default: 0.4,
    min: 0.0,
    max: 10.0,
};

/// β.
pub const BETA: Number = Number {
    name: "beta",
    about: "β: which part of the persistent queue is taken away in one interval (XCP 3.5)",
    unit: "",
    default: 0.226,
    min: 0.0,
    max: 10.0,
};

/// γ.
pub const GAMMA: Number = Number {
    name: "gamma",
    about: "γ: which part of the traffic changes hands at least in every interval, so that flows \
            converge to fairness also without spare bandwidth (XCP 3.5)",
    unit: "",
    default: 0.1,
    min: 0.0,
    max: 1.0,
};

/// Whether what is left is counted.
pub const RESIDUE: Switch = Switch {
    name: "residue",
    about: "What a station hands out in one interval stays within the aggregate, whichever packets \
            come, as in draft-falk-xcp-spec-03 and ns-2; off, every packet gets its share (XCP 3.5 and \
            WXCP 3.3 have no such limit)",
    default: true,
};

/// T, before a round trip is known.
pub const INITIAL_INTERVAL: Span = Span {
    name: "initial_interval",
    about: "The control interval while no packet has said a round trip; the default is that of \
            ns-2's XCP",
    bare_unit: "ms",
    default: Duration::from_millis(50),
    min: Duration::from_millis(1),
    max: Duration::from_millis(60_000),
};

/// The least T.
pub const LEAST_INTERVAL: Span = Span {
    name: "least_interval",
    about: "No control interval is shorter; the default is that of ns-2's XCP",
    bare_unit: "ms",
    default: Duration::from_millis(1),
    min: Duration::from_micros(10),
    max: Duration::from_millis(60_000),
};

/// The longest T.
pub const LONGEST_INTERVAL: Span = Span {
    name: "longest_interval",
    about: "No control interval is longer, and no packet's round trip counts for more; the default \
            is that of ns-2's XCP",
    bare_unit: "ms",
    default: Duration::from_millis(1_000),
    min: Duration::from_millis(1),
    max: Duration::from_millis(60_000),
};

/// How long what is known counts.
pub const FORGET_AFTER: Span = Span {
    name: "forget_after",
    about: "A station without traffic for so long starts afresh, and so long an average of a \
            neighbour is kept to which nothing goes; our choice: as long as an unused route of AODV",
    bare_unit: "s",
    default: Duration::from_millis(10_000),
    min: Duration::from_millis(10),
    max: Duration::from_millis(3_600_000),
};

/// Whether stations on the way back count.
pub const ACK_FEEDBACK: Switch = Switch {
    name: "ack_feedback",
    about: "Acknowledgments carry the state of their flow, and stations on the way back may lower \
            its feedback; off, they carry an echo only",
    default: false,
};

/// Whether duplicates count.
pub const DUPLICATE_FEEDBACK: Switch = Switch {
    name: "duplicate_feedback",
    about: "A duplicate acknowledgment's feedback changes the window, too; off, only that of new \
            acknowledgments (XCP 3.3, WXCP 3.4)",
    default: false,
};
