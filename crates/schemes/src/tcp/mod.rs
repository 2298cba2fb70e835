//! TCP: one-way, in segments, as ns-2's agents have it, over the common stack.
//!
//! RFC 5681 (congestion control), RFC 6298 (timer), RFC 6582 (`NewReno`), RFC 2018 and 6675 (SACK),
//! RFC 3042 (limited transmit), RFC 3168 (ECN), Brakmo and Peterson 1995 (Vegas), Holland and
//! Vaidya 1999 (stand-by while the route is broken, see [`elfn`]; off by default). The papers that
//! this project reproduces ran on ns-2 2.35 or older, so that where ns-2 departs from an RFC this
//! code follows ns-2 and says so.
//!
//! A variant is a file with its [`CongestionControl`] and its `SCHEME`; what all share is in
//! [`connection`].
//!
//! | In the RFCs | In the code | Unit | Default |
//! |---|---|---|---|
//! | SND.UNA | `Connection::unacknowledged` | segments | |
//! | SND.NXT | `Connection::sent`; `Connection::next` after a go-back | segments | |
//! | recover (RFC 6582) | `Connection::recover` | segments | |
//! | cwnd | `Window::cwnd` | segments | 1 until the SYN is acknowledged, then `initial_window` |
//! | IW | `initial_window` | segments | 2 |
//! | rwnd | `window_limit` | segments | 20 |
//! | ssthresh | `Window::threshold` | segments | `initial_threshold`: 20 |
//! | RTO, SRTT, RTTVAR (RFC 6298) | `Timer` | ticks | RTO 3 s before the first sample |
//! | G (RFC 6298) | `tick` | ms | 10 |
//! | lower bound of RTO | `min_rto` | ms | 200 |
//! | `DupThresh` | `DUPLICATES` | acknowledgments | 3 |
//! | RCV.NXT | `Sink::expected` | segments | |
//!
//! Where this departs from the RFCs, as ns-2 does:
//!
//! | Place | Here |
//! |---|---|
//! | RFC 9293, 3.5 handshake | two ways: SYN, segment 0, and its acknowledgment; the SYN goes with the first message |
//! | RFC 5681, 3.1 cwnd | grows with every acknowledgment also while `window_limit` is the limit |
//! | RFC 5681, 3.1 initial ssthresh | 20 whatever the limit, as on ns-2's wireless nodes; the RFC wants it arbitrarily high |
//! | RFC 5681, 3.1 `FlightSize` / 2 | half of min(cwnd, limit), as in ns-2 |
//! | RFC 5681, 4.1 idle | after an RTO without anything on its way cwnd is one segment |
//! | RFC 6298, 2.1, 2.4 | 3 s before the first sample, and at least 0.2 s |
//! | RFC 3168, 6.1.1 negotiation | none: the parameter `ecn` is for both ends |
//!
//! Where it departs from ns-2:
//!
//! | Place | Here |
//! |---|---|
//! | RFC 6298, 3 a segment that was sent twice | never timed; ns-2's Sack1 and Vegas time it on |
//! | the timer of an idle connection | stops after it has run out once; ns-2's goes on and cuts one to one |
//! | ECN-echo of the acknowledgment of a SYN that was sent twice | not taken for a mark |
//! | ACK with SACK blocks | as long as every other; ns-2's grows by 8 bytes per block |
//! | `ecn` | also in Vegas, whose segments ns-2 does not send as ECN-capable |

pub mod connection;
pub mod control;
pub mod elfn;
pub mod header;
pub mod newreno;
pub mod reno;
pub mod sack;
pub mod scoreboard;
pub mod sender;
pub mod sink;
pub mod tahoe;
pub mod timer;
pub mod vegas;
pub mod window;

use multihop_core::{Duration, End, FlowId, Param, ParamKind, Params, Transport};

use crate::fifo::QUEUE_LIMIT;
pub use control::CongestionControl;
use elfn::{ELFN, ELFN_PROBE, Elfn};
use sender::Sender;
use sink::{Policy, Sink};

/// The receiver's window.
pub const WINDOW_LIMIT: Param = Param {
    name: "window_limit",
    unit: "packets",
    about: "The receiver's window: so many packets are on their way at most. The default is ns-2's \
            window_",
    kind: ParamKind::Count { default: 20, min: 1, max: 1_000 },
};

/// What all TCPs can be told, besides [`WINDOW_LIMIT`].
pub const COMMON: [Param; 13] = [
    Param {
        name: "initial_window",
        unit: "packets",
        about: "The congestion window after the first acknowledgment (RFC 5681, 3.1)",
        kind: ParamKind::Count { default: 2, min: 1, max: 1_000 },
    },
    Param {
        name: "initial_threshold",
        unit: "packets",
        about: "The slow-start threshold before the first loss (RFC 5681, 3.1). The default is what \
                ns-2's wireless nodes have, whatever their window_",
        kind: ParamKind::Count { default: 20, min: 2, max: 1_000_000 },
    },
    Param {
        name: "min_rto",
        unit: "ms",
        about: "The least retransmission timeout (RFC 6298, 2.4). The default is ns-2's minrto_",
        kind: ParamKind::Number { default: 200.0, min: 0.0, max: 60_000.0 },
    },
    Param {
        name: "tick",
        unit: "ms",
        about: "The granularity of the clock that times round trips (RFC 6298, 2)",
        kind: ParamKind::Number { default: 10.0, min: 0.001, max: 1_000.0 },
    },
    Param {
        name: "delayed_ack",
        unit: "",
        about: "Acknowledge every second packet, or after 100 ms (RFC 5681, 4.2)",
        kind: ParamKind::Switch(false),
    },
    Param {
        name: "ack_thinning",
        unit: "",
        about: "Two acknowledgments per window of packets (LECN 2), or after 100 ms; takes \
                precedence over delayed_ack",
        kind: ParamKind::Switch(false),
    },
    Param {
        name: "header",
        unit: "bytes",
        about: "Length of the transport's header on every packet; 20 is that of TCP without options",
        kind: ParamKind::Count { default: 20, min: 20, max: 40 },
    },
    Param {
        name: "ecn",
        unit: "",
        about: "React to congestion marks as to a loss, once per window of data (RFC 3168, 6.1.2)",
        kind: ParamKind::Switch(true),
    },
    Param {
        name: "count_segments",
        unit: "",
        about: "The window grows for each acknowledged segment (RFC 3465); off, for each \
                acknowledgment, as in ns-2. It matters where acknowledgments are delayed or thinned",
        kind: ParamKind::Switch(false),
    },
    Param {
        name: "heed_ack_marks",
        unit: "",
        about: "A congestion mark on an acknowledgment counts like one on data; off, acknowledgments \
                are not ECN-capable (RFC 3168, 6.1.4), as in ns-2",
        kind: ParamKind::Switch(false),
    },
    ELFN,
    ELFN_PROBE,
    QUEUE_LIMIT,
];

/// The parameters of every TCP.
pub const PARAMS: [Param; 14] = with(&[WINDOW_LIMIT]);

/// The parameters `own`, and those that are common to all TCPs.
///
/// # Panics
/// At compile time, if `ALL` is not the sum of both lengths.
pub const fn with<const ALL: usize>(own: &[Param]) -> [Param; ALL] {
    assert!(ALL == own.len() + COMMON.len(), "one place for every parameter");
    let mut all = [WINDOW_LIMIT; ALL];
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
    window_limit: u32,
    initial_window: f64,
    initial_threshold: u32,
    min_rto: Duration,
    tick: Duration,
    policy: Policy,
    header: usize,
    ecn: bool,
    count_segments: bool,
    heed_ack_marks: bool,
    elfn: Elfn,
}

impl Settings {
    /// Of these parameters.
    pub fn new(params: &Params) -> Self {
        let millis = |name| Duration::from_seconds(params.number(name) / 1_000.0);
        let policy = match (params.switch("ack_thinning"), params.switch("delayed_ack")) {
            (true, _) => Policy::Thinned,
            (false, true) => Policy::Delayed,
            (false, false) => Policy::Every,
        };
        Settings {
            window_limit: params.count("window_limit"),
            initial_window: f64::from(params.count("initial_window")),
            initial_threshold: params.count("initial_threshold"),
            min_rto: millis("min_rto"),
            tick: millis("tick"),
            policy,
            header: params.count("header") as usize,
            ecn: params.switch("ecn"),
            count_segments: params.switch("count_segments"),
            heed_ack_marks: params.switch("heed_ack_marks"),
            elfn: Elfn::new(params),
        }
    }
}

/// One end of a TCP connection with this congestion control.
pub fn transport<C: CongestionControl + 'static>(
    params: &Params,
    flow: FlowId,
    end: End,
    control: C,
) -> Box<dyn Transport> {
    let settings = Settings::new(params);
    match end {
        End::Source => Box::new(Sender::new(settings, flow, control)),
        End::Destination => Box::new(Sink::new(settings, flow)),
    }
}
