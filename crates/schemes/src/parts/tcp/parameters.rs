//! What all TCPs can be told.

use multihop_core::{Count, Duration, Heeded, Param, Params, Span, Switch, While};

use super::elfn::{ELFN, ELFN_PROBE, Elfn};
use super::header::LONGEST;
use super::policy::{ACK_THINNING, DELAYED_ACK, Policy};
use crate::parts::fifo::{ACKNOWLEDGMENTS_FIRST, QUEUE_LIMIT};

/// The receiver's window.
pub const WINDOW_LIMIT: Count = Count {
    name: "window_limit",
    about: "The receiver's window: so many packets are on their way at most. The default is ns-2's \
            window_",
    unit: "packets",
    default: 20,
    min: 1,
    max: 1_000,
};

const INITIAL_WINDOW: Count = Count {
    name: "initial_window",
    about: "The congestion window after the first acknowledgment (RFC 5681, 3.1)",
    unit: "packets",
    default: 2,
    min: 1,
    max: 1_000,
};

const INITIAL_THRESHOLD: Count = Count {
    name: "initial_threshold",
    about: "The slow-start threshold before the first loss (RFC 5681, 3.1). The default is what \
            ns-2's wireless nodes have, whatever their window_",
    unit: "packets",
    default: 20,
    min: 2,
    max: 1_000_000,
};

const MIN_RTO: Span = Span {
    name: "min_rto",
    about: "The least retransmission timeout (RFC 6298, 2.4). The default is ns-2's minrto_",
    bare_unit: "ms",
    default: Duration::from_millis(200),
    min: Duration::ZERO,
    max: Duration::from_millis(60_000),
};

const TICK: Span = Span {
    name: "tick",
    about: "The granularity of the clock that times round trips (RFC 6298, 2)",
    bare_unit: "ms",
    default: Duration::from_millis(10),
    min: Duration::from_micros(1),
    max: Duration::from_millis(1_000),
};

const HEADER: Count = Count {
    name: "header",
    about: "Length of the transport's header on every packet; 20 is that of TCP without options",
    unit: "bytes",
    default: 20,
    min: 20,
    max: 40,
};

const ECN: Switch = Switch {
    name: "ecn",
    about: "React to congestion marks as to a loss, once per window of data (RFC 3168, 6.1.2)",
    default: true,
};

const COUNT_SEGMENTS: Switch = Switch {
    name: "count_segments",
    about: "The window grows for each acknowledged segment (RFC 3465); off, for each \
            acknowledgment, as in ns-2. It matters where acknowledgments are delayed or thinned",
    default: false,
};

const HEED_ACK_MARKS: Switch = Switch {
    name: "heed_ack_marks",
    about: "A congestion mark on an acknowledgment counts like one on data; off, acknowledgments \
            are not ECN-capable (RFC 3168, 6.1.4), as in ns-2",
    default: false,
};

/// What all TCPs can be told, besides [`WINDOW_LIMIT`].
pub const COMMON: [Param; 14] = [
    INITIAL_WINDOW.param(),
    INITIAL_THRESHOLD.param(),
    MIN_RTO.param(),
    TICK.param(),
    DELAYED_ACK.param().only_while("ack_thinning", While::Switch(false)),
    ACK_THINNING.param(),
    HEADER.param(),
    Param { heeded: UNMARKED, ..ECN.param() },
    COUNT_SEGMENTS.param(),
    Param { heeded: UNMARKED, ..HEED_ACK_MARKS.param() },
    ELFN.param(),
    ELFN_PROBE.param().only_while("elfn", While::Switch(true)),
    QUEUE_LIMIT.param(),
    ACKNOWLEDGMENTS_FIRST.param(),
];

/// Of what heeds congestion marks, over queues that make none.
const UNMARKED: Heeded = Heeded::Never("whose queues mark no packet");

/// The same parameters over queues that mark packets.
pub const fn marked<const ALL: usize>(params: [Param; ALL]) -> [Param; ALL] {
    heeding(params, &[ECN.name, HEED_ACK_MARKS.name], Heeded::Always)
}

/// The same parameters, of which those of these names have an effect then.
pub const fn heeding<const ALL: usize>(
    mut params: [Param; ALL],
    names: &[&str],
    heeded: Heeded,
) -> [Param; ALL] {
    let mut at = 0;
    while at < ALL {
        let mut number = 0;
        while number < names.len() {
            if same(params[at].name, names[number]) {
                params[at].heeded = heeded;
            }
            number += 1;
        }
        at += 1;
    }
    params
}

/// Whether two names are the same, for constants.
const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The parameters of every TCP.
pub const PARAMS: [Param; 15] = with(&[WINDOW_LIMIT.param()]);

/// The parameters `own`, and those that are common to all TCPs.
///
/// # Panics
/// At compile time, if `ALL` is not the sum of both lengths.
pub const fn with<const ALL: usize>(own: &[Param]) -> [Param; ALL] {
    assert!(ALL == own.len() + COMMON.len(), "one place for every parameter");
    let mut all = [WINDOW_LIMIT.param(); ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = if at < own.len() { own[at] } else { COMMON[at - own.len()] };
        at += 1;
    }
    all
}

/// The values of the common parameters.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub(super) window_limit: u32,
    pub(super) initial_window: f64,
    pub(super) initial_threshold: u32,
    pub(super) min_rto: Duration,
    pub(super) tick: Duration,
    pub(super) policy: Policy,
    pub(super) header: usize,
    pub(super) ecn: bool,
    pub(super) count_segments: bool,
    pub(super) heed_ack_marks: bool,
    pub(super) elfn: Elfn,
}

impl Settings {
    /// Of these parameters.
    pub fn new(params: &Params) -> Self {
        Settings {
            window_limit: params.get(WINDOW_LIMIT),
            initial_window: f64::from(params.get(INITIAL_WINDOW)),
            initial_threshold: params.get(INITIAL_THRESHOLD),
            min_rto: params.get(MIN_RTO),
            tick: params.get(TICK),
            policy: Policy::new(params),
            header: params.get(HEADER) as usize,
            ecn: params.get(ECN),
            count_segments: params.get(COUNT_SEGMENTS),
            heed_ack_marks: params.get(HEED_ACK_MARKS),
            elfn: Elfn::new(params),
        }
    }

    /// The same for an end that writes options of so many bytes.
    ///
    /// # Panics
    /// If no header has room for them.
    pub(super) fn with_options(self, len: usize) -> Self {
        let header = self.header + len;
        assert!(header <= LONGEST, "a variant has {} bytes for its options", LONGEST - self.header);
        Settings { header, ..self }
    }
}
