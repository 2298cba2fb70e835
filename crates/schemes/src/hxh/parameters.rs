//! What can be set.

use multihop_core::{Count, Duration, Number, Param, Params, Span, Switch};

use super::rate::Pace;
use crate::parts::batch;
use crate::parts::probing;

const QUEUE_LIMIT: Count = Count {
    name: "queue_limit",
    about: "Packets of one flow that one node keeps (3.2.1); advertised as full at half of \
            that (3.3)",
    unit: "packets",
    default: 20,
    min: 2,
    max: 10_000,
};

const QUANTUM: Count = Count {
    name: "quantum",
    about: "How many bytes a flow may send in its turn of the round robin (3.2.2), for each packet that a frame may carry",
    unit: "bytes",
    default: 1_500,
    min: 64,
    max: 1_000_000,
};

const IDLE_TIMEOUT: Span = Span {
    name: "idle_timeout",
    about: "A flow's state is removed when the flow was inactive for so long (3.2.1)",
    bare_unit: "s",
    default: Duration::from_millis(2_000),
    min: Duration::from_millis(10),
    max: Duration::from_millis(1_000_000_000),
};

const STOPPED_FACTOR: Number = Number {
    name: "stopped_factor",
    about: "A flow without credits sends one packet after so many average delays between \
            the next hop's transmissions (3.3)",
    unit: "",
    default: 5.0,
    min: 0.0,
    max: 1e6,
};

const PASSIVE_ACKS: Switch = Switch {
    name: "passive_acks",
    about: "Acknowledgments travel on overheard data (3.4.1); off, the destination \
            acknowledges every packet explicitly (figure 4.6)",
    default: true,
};

const ACK_INTERVAL: Span = Span {
    name: "ack_interval",
    about: "The least time between two explicit acknowledgments that were asked for (3.4.2)",
    bare_unit: "ms",
    default: Duration::from_millis(100),
    min: Duration::ZERO,
    max: Duration::from_millis(1_000_000),
};

const NACK_TIMEOUT: Span = Span {
    name: "nack_timeout",
    about: "The least time before the destination repeats a NACK (3.4.3)",
    bare_unit: "ms",
    default: Duration::from_millis(200),
    min: Duration::from_millis(1),
    max: Duration::from_millis(1_000_000),
};

const WINDOW_LIMIT: Count = Count {
    name: "window_limit",
    about: "How many packets may be unacknowledged: the memory of both ends of a flow, not \
            a congestion control",
    unit: "packets",
    default: 1_000,
    min: 1,
    max: 10_000,
};

const MIN_RTO: Span = Span {
    name: "min_rto",
    about: "The least retransmission timeout of the source (3.4.1: as TCP; RFC 6298, 2.4)",
    bare_unit: "ms",
    default: Duration::from_millis(200),
    min: Duration::ZERO,
    max: Duration::from_millis(60_000),
};

const HEADER: Count = Count {
    name: "header",
    about: "Length of the whole HxH header of every packet (figure 3.1)",
    unit: "bytes",
    default: 40,
    min: 20,
    max: 255,
};

const RATE_LIMIT: Switch = Switch {
    name: "rate_limit",
    about: "Every node limits its rate so that packets are sent on their first attempt \
            (5.1.2, with a method of our own)",
    default: false,
};

/// No packet has more bytes.
const LONGEST_PACKET: u32 = u16::MAX as u32;

/// All of them.
pub(super) const PARAMS: [Param; 13] = [
    QUEUE_LIMIT.param(),
    batch::PARAM,
    QUANTUM.param(),
    IDLE_TIMEOUT.param(),
    STOPPED_FACTOR.param(),
    PASSIVE_ACKS.param(),
    ACK_INTERVAL.param(),
    NACK_TIMEOUT.param(),
    WINDOW_LIMIT.param(),
    MIN_RTO.param(),
    HEADER.param(),
    RATE_LIMIT.param(),
    probing::PARAM,
];

/// Where acknowledgments come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feedback {
    /// Overheard data, and explicit ones on request (3.4.1, 3.4.2).
    Passive,
    /// One explicit acknowledgment for every packet (4.1.1, figure 4.6).
    Explicit,
}

/// The values of the parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) queue_limit: usize,
    /// How many packets of a flow share a frame at most.
    pub(super) batch: usize,
    pub(super) quantum: u32,
    pub(super) idle_timeout: Duration,
    pub(super) stopped_factor: f64,
    pub(super) feedback: Feedback,
    pub(super) ack_interval: Duration,
    pub(super) nack_timeout: Duration,
    pub(super) window_limit: u32,
    pub(super) min_rto: Duration,
    /// Length of the header of every packet in bytes.
    pub(super) header: usize,
    pub(super) pace: Pace,
}

impl Settings {
    pub(super) fn new(params: &Params) -> Self {
        Settings {
            queue_limit: params.get(QUEUE_LIMIT) as usize,
            batch: batch::most(params),
            quantum: params.get(QUANTUM),
            idle_timeout: params.get(IDLE_TIMEOUT),
            stopped_factor: params.get(STOPPED_FACTOR),
            feedback: if params.get(PASSIVE_ACKS) { Feedback::Passive } else { Feedback::Explicit },
            ack_interval: params.get(ACK_INTERVAL),
            nack_timeout: params.get(NACK_TIMEOUT),
            window_limit: params.get(WINDOW_LIMIT),
            min_rto: params.get(MIN_RTO),
            header: params.get(HEADER) as usize,
            pace: if params.get(RATE_LIMIT) { Pace::Limited } else { Pace::Unlimited },
        }
    }

    /// 3.3: "the HxH protocol considers a node's queue to be full at its halfway point".
    pub(super) fn half(&self) -> usize {
        self.queue_limit / 2
    }

    /// What a flow may send in its turn, in bytes, that has so much left of the turns before: with batches, a turn is a frame, and
    /// no more than one is saved.
    pub(super) fn in_turn(&self, left: u32) -> u32 {
        let turn = self.quantum.saturating_mul(self.batch as u32);
        let saved = if self.batch > 1 { left.min(turn.max(LONGEST_PACKET)) } else { left };
        saved.saturating_add(turn)
    }
}
