//! CXCC for LoRa: frames that take a second, of which the preamble and the headers are a large part.
//!
//! No paper. The rules of [CXCC](super) with five changes; each has a parameter that takes it back.
//!
//! | CXCC | here | in the code |
//! |---|---|---|
//! | the frame that passes a packet on is its only implicit acknowledgment (3.2) | the next frames of the node name the packet, too, whatever they carry | `echoes`, `echo_times` |
//! | an explicit ACK is a frame (3.2) | it rides in a data frame that is to be sent anyway, as an echo | `echoes` |
//! | after a timeout an RFA (5.2) | an RFA only for a packet that takes the medium for longer than request and answer; else the packet again | `ask` |
//! | `TO = 3 T_P`, `T_P` without preamble and waits (4.3) | a multiple of all that the hop takes on an idle medium; time in which this radio is deaf does not count | `timeout_exchanges` |
//! | the next packet goes as soon as the last one was overheard (3.2) | the next one keeps clear of it for the time of two more hops: WAKE's rule 2, by a timer; a hold at relays is possible, too | `spacing`, `hold` |
//!
//! An echo is a hash of 16 bits and a bit. The bit says that the packet was passed on or consumed: that is what an overheard
//! packet says in the paper, and it acknowledges. Without it the packet has been received and waits there: its timeout
//! begins anew, and what would have been sent again is taken back. So a blocked next hop is not asked.
//!
//! As in the paper, a node has one packet of a flow in custody that the next hop has not passed on, and takes a second one
//! only after that. A node keeps its queue for a flow as long as packets wait there, so that each flow is held back by
//! its own way alone.
//!
//! `timeout_exchanges`, `timeout_growth` and `echo_times` are those with which most messages arrived in networks that no claim
//! is judged in (`python -m multihop_papers.lora.tuning`). A short timeout repeats what waits in a busy neighbourhood. So is
//! `spacing` (`python -m multihop_papers.lora.spacing`): the hop after the next one is not disturbed then.
//!
//! # What to know
//!
//! - A hash acknowledges a packet that it does not mean in one of 65,536 cases, of those in which the next hop names
//!   another packet while ours is lost. That packet is lost without a trace of its cause, as if the next hop had dropped it.
//! - The last packet of each flow is named, 256 flows at most (`echoes`); the one that was received first gives way.
//! - A frame names what an answer is due for first, then what was passed on, the newest first, then what waits.

use multihop_core::{
    Alternative, Capability, Choice, Count, Counter, Counts, Duration, EventKind, Forwarding,
    Number, Params, Plot, Scheme, Span, Vocabulary, While,
};

use super::echoes::{Echoes, MOST};
use super::settings::{Asking, Clock, Settings, TimeoutUnit};
use super::spacing::Spacing;
use super::state::Cxcc;
use super::words::{ECHO_HELD, ECHOED, REQUEST, WITHDRAWN};
use super::{COUNTERS, FORMAT};
use crate::parts::probing;
use crate::parts::reliable::{self, RELIABLE, REPORT_INTERVAL};

mod echo;
#[cfg(test)]
mod tests;

/// CXCC for LoRa.
pub static SCHEME: Scheme = Scheme {
    name: "cxcc-lora",
    title: "CXCC for LoRa",
    paper: "None; after Scheuermann, Lochert, Mauve: Implicit Hop-by-Hop Congestion Control in Wireless \
            Multihop Networks. Ad Hoc Networks 6(2), 2008",
    plot: Plot { color: "#3a86a8", marker: "." },
    counters: &[
        COUNTERS[0],
        COUNTERS[1],
        COUNTERS[2],
        Counter {
            name: "echoes_acknowledged",
            unit: "packets",
            about: "how often a later frame of the next hop acknowledged a packet, because it named it",
            counts: Counts::Events(EventKind::Declared(&ECHOED)),
        },
        Counter {
            name: "echoes_held",
            unit: "packets",
            about: "how often a frame of the next hop said that a packet waits there",
            counts: Counts::Events(EventKind::Declared(&ECHO_HELD)),
        },
    ],
    words: &[
        Vocabulary::Event(&WITHDRAWN),
        Vocabulary::Event(&ECHOED),
        Vocabulary::Event(&ECHO_HELD),
        Vocabulary::Frame(&REQUEST),
    ],
    headers: &[&FORMAT, &reliable::FORMAT],
    does_itself: &[Capability::LinkAcknowledgment],
    requires: &[Capability::Unicast, Capability::Withdrawal, Capability::AirTime],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &[
        ECHOES.param(),
        ECHO_TIMES.param(),
        ASK.param(),
        TIMEOUT.param(),
        TIMEOUT_JITTER.param(),
        TIMEOUT_GROWTH.param(),
        SPACING.param(),
        HOLD.param(),
        probing::PARAM,
        DUPLICATE_MEMORY.param(),
        RELIABLE.param(),
        REPORT_INTERVAL.param().only_while("reliable", While::Switch(true)),
    ],
    hop: &|params| Box::new(hop(params)),
    transport: &reliable::transport,
    carries: reliable::carries,
};

const ECHOES: Count = Count {
    name: "echoes",
    about: "How many packets a frame names besides its own, of those that its node has received; 0 switches echoes off",
    unit: "packets",
    default: 4,
    min: 0,
    max: MOST as u32,
};

const ECHO_TIMES: Count = Count {
    name: "echo_times",
    about: "How many frames name a packet after it was passed on; while it waits, all do",
    unit: "frames",
    default: 2,
    min: 1,
    max: 1_000,
};

const ASK: Choice<Asking> = Choice {
    name: "ask",
    about: "For which packets a timeout permits a request for acknowledgment (5.2); the others are sent again",
    among: &[
        Alternative {
            name: "where-cheaper",
            about: "For those that take the medium for longer than a request and its answer",
        },
        Alternative { name: "always", about: "For all, as CXCC with RFA" },
        Alternative { name: "never", about: "For none, as basic CXCC" },
    ],
    values: &[Asking::WhereCheaper, Asking::Always, Asking::Never],
};

const TIMEOUT: Number = Number {
    name: "timeout_exchanges",
    about: "The retransmission timeout as a multiple of the time that a hop takes for the packet on an idle medium, \
            with preamble and mean wait",
    unit: "hops",
    default: 12.0,
    min: 0.0,
    max: 1e6,
};

const TIMEOUT_JITTER: Number = Number {
    name: "timeout_jitter",
    about: "The largest deviation of the timeout to either side",
    unit: "hops",
    default: 0.5,
    min: 0.0,
    max: 1e6,
};

const TIMEOUT_GROWTH: Number = Number {
    name: "timeout_growth",
    about: "What each repetition of a packet, or request for it, multiplies the next timeout by, ten times at most and \
            until an answer or an echo comes",
    unit: "",
    default: 1.5,
    min: 1.0,
    max: 10.0,
};

const SPACING: Number = Number {
    name: "spacing",
    about: "For how many times the time of a hop a flow keeps clear once the next hop has passed its last packet on, so that the \
            hop after that is not disturbed; not where the next hop is the destination (WAKE's rule 2)",
    unit: "hops",
    default: 2.0,
    min: 0.0,
    max: 1_000.0,
};

const HOLD: Number = Number {
    name: "hold",
    about: "For how many times the time of a hop a relay holds a packet before it passes it on; not where the next hop is the \
            destination (WAKE's rule 2)",
    unit: "hops",
    default: 0.0,
    min: 0.0,
    max: 1_000.0,
};

const DUPLICATE_MEMORY: Span = Span {
    name: "duplicate_memory",
    about: "How long after its last frame a flow's last packet is remembered, to detect duplicates (4.2)",
    bare_unit: "s",
    default: Duration::from_millis(1_800_000),
    min: Duration::ZERO,
    max: Duration::from_millis(1_000_000_000),
};

/// The hop protocol with these parameters.
fn hop(params: &Params) -> Cxcc {
    let echoes = Echoes::new(params.get(ECHOES) as usize, params.get(ECHO_TIMES));
    let spacing = Spacing::new(params.get(SPACING), params.get(HOLD));
    Cxcc::with(settings(params), (echoes, spacing), params)
}

/// What the parameters mean.
fn settings(params: &Params) -> Settings {
    Settings {
        asking: params.get(ASK),
        unit: TimeoutUnit::Exchange,
        timeout: params.get(TIMEOUT),
        timeout_jitter: params.get(TIMEOUT_JITTER),
        timeout_growth: params.get(TIMEOUT_GROWTH),
        clock: Clock::Overhearing,
        duplicate_memory: params.get(DUPLICATE_MEMORY),
        link: params.link,
    }
}
