//! CXCC: implicit hop-by-hop congestion control.
//!
//! Björn Scheuermann, Christian Lochert, Martin Mauve: *Implicit Hop-by-Hop Congestion Control
//! in Wireless Multihop Networks*. Ad Hoc Networks 6(2), 2008. doi:10.1016/j.adhoc.2007.01.001
//!
//! A node passes a flow's next packet on only after it has overheard the next hop forwarding
//! the previous one. That is the acknowledgment and the back-pressure at once.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | RFA mechanism (5.2) | `rfa` | switch | on; off is "basic CXCC" (4) |
//! | `T_P = s_P / B` (4.3) | `Settings::packet_time` | time | packet length / data rate |
//! | the 3 in `TO = 3 T_P ± j` (4.3) | `timeout_packet_times` | `T_P` | 3 |
//! | j (4.3) | `timeout_jitter` | `T_P` | 0.1 |
//! | TO (4.3) | `state::Timer` | time | |
//! | "exponential backoff schemes for repeated retransmissions" (4.3) | `timeout_growth` | | 1: none |
//! | "optionally, [...] preservation of packet ordering and/or reliability" (6) | `reliable`, `report_interval` | switch, s | off |
//! | "for some time" (4.2, duplicate detection) | `duplicate_memory` | s | 30 |
//! | "forwarded but ... not yet acknowledged" (4.2) | `Queue::forwarded` | | |
//! | "must not be forwarded until an acknowledgment" (4.2) | `Queue::waiting` | | |
//! | blocked (3.2) | `Standing::Blocked` | | |
//! | queue waits for queue (3.3) | `Cxcc::waits` | | |
//!
//! [`lora`] is a variant for frames of a second, [`batches`] one for frames of several packets.
//!
//! What the paper leaves open, and where this code departs from it:
//!
//! | Place | Here |
//! |---|---|
//! | 4.3 j | uniform in ± `timeout_jitter` `T_P`; drawn anew for each transmission |
//! | 4.3 `s_P`, "thus the medium time needed" | the packet: network header, CXCC header and payload. `T_P` is `s_P / B`, as 4.3 writes it, without what the MAC and the radio add. Who reads 4.3 as all of the medium time sets a larger `timeout_packet_times`: 3.29 for the 540 B of figures 1 to 21, 14.4 for the 60 B of figure 22, whose set-up does |
//! | 4.3 timer | wall-clock time, as in the paper; `count_deaf_time = false` stops it while this radio cannot overhear (not in the paper) |
//! | 4.1 retries | without limit: "single-hop reliability" (7) needs that, and static routes do not break; with `longest_probe` ever more rarely ([`probing`]) |
//! | 5.2 RFA, timer | after an RFA the timer of the data packet, `3 T_P` of its full length, starts again |
//! | 5.2 NACK, "as soon as possible" | the packet takes part in the choice of 4.2 at once, without priority over other flows |
//! | 5.2 NACK | not sent while there is no room for the packet: it would ask for what must be refused |
//! | 3.2 overhearing a *later* packet of the flow from the next hop | acknowledges nothing: it may have come by another way |
//! | 4.2 priority of ACKs | NACKs likewise: both are answers that a neighbour waits for |
//! | 4.1 a packet for which routing knows no way | dropped, and an RFA for it answered with an ACK: nobody here will forward it |
//! | 4.2 answers | at most one waits per flow and neighbour; the newest stands |
//! | 6 no interface queue | one frame may wait for its air time, but is withdrawn as soon as it is needless, or an answer wants to go first |
//! | 4.2 a packet that finds its queue full | refused without an answer; it cannot happen while all neighbours keep the rules |
//! | 3.2 "a unique ID" | the flow and a number; a source counts the packets of all its flows together, so that it remembers none |
//! | 4.1, 4.2 a source that restarts | begins at another number in every life, so that no neighbour takes its packets for duplicates; a relay or destination that restarts answers a request with a NACK, and gets the packet again |
//! | 4.1 a neighbour to which routing has no way any more | what waits for it is routing's again, and counts as passed on |
//! | 4.1 a packet that is not the last one received | new: "only a duplicate of the last received packet is possible" |

pub mod batches;
mod below;
mod echoes;
mod forward;
mod header;
mod hop;
pub mod lora;
mod memory;
mod recover;
mod settings;
mod spacing;
mod state;
#[cfg(test)]
mod tests;
pub mod words;

pub use echoes::Echo;
pub use header::{CXCC, FORMAT, HEADER_LEN, Header, Kind};
pub use state::Cxcc;

use multihop_core::{
    Capability, Counter, Counts, Duration, EventKind, Forwarding, Number, Params, Plot, Scheme,
    Span, Switch, Vocabulary, While,
};

use self::settings::{Asking, Clock, Settings, TimeoutUnit};
use crate::parts::probing;
use crate::parts::reliable::{self, RELIABLE, REPORT_INTERVAL};

/// CXCC.
pub static SCHEME: Scheme = Scheme {
    name: "cxcc",
    title: "CXCC",
    paper: "Scheuermann, Lochert, Mauve: Implicit Hop-by-Hop Congestion Control in Wireless \
            Multihop Networks. Ad Hoc Networks 6(2), 2008",
    plot: Plot { color: "#1f77b4", marker: "o" },
    counters: &COUNTERS,
    words: &[Vocabulary::Event(&words::WITHDRAWN), Vocabulary::Frame(&words::REQUEST)],
    headers: &[&FORMAT, &reliable::FORMAT],
    does_itself: &[Capability::LinkAcknowledgment],
    requires: &[Capability::Unicast, Capability::Withdrawal],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &[
        RFA.param(),
        TIMEOUT_PACKET_TIMES.param(),
        TIMEOUT_JITTER.param(),
        TIMEOUT_GROWTH.param(),
        probing::PARAM,
        COUNT_DEAF_TIME.param().needing(false, Capability::AirTime),
        DUPLICATE_MEMORY.param(),
        RELIABLE.param(),
        REPORT_INTERVAL.param().only_while("reliable", While::Switch(true)),
    ],
    hop: &|params| Box::new(Cxcc::new(params)),
    transport: &reliable::transport,
    carries: reliable::carries,
};

const RFA: Switch = Switch {
    name: "rfa",
    about: "Ask for an acknowledgment before the payload is repeated (5.2); off is basic \
            CXCC (4)",
    default: true,
};

const TIMEOUT_PACKET_TIMES: Number = Number {
    name: "timeout_packet_times",
    about: "The retransmission timeout as a multiple of the packet's time on the air, the \
            3 in TO = 3 T_P ± j (4.3)",
    unit: "packet times",
    default: 3.0,
    min: 0.0,
    max: 1e6,
};

const TIMEOUT_JITTER: Number = Number {
    name: "timeout_jitter",
    about: "The largest deviation of the timeout to either side, the j in \
            TO = 3 T_P ± j (4.3)",
    unit: "packet times",
    default: 0.1,
    min: 0.0,
    max: 1e6,
};

const TIMEOUT_GROWTH: Number = Number {
    name: "timeout_growth",
    about: "What each repetition of a packet, or request for it, multiplies the next timeout by, ten times at \
            most and until a NACK comes; 1 is the paper's, which found exponential backoff no better (4.3)",
    unit: "",
    default: 1.0,
    min: 1.0,
    max: 10.0,
};

const COUNT_DEAF_TIME: Switch = Switch {
    name: "count_deaf_time",
    about: "Whether the timeout also runs while this radio cannot overhear its \
            neighbours, as in 4.3",
    default: true,
};

const DUPLICATE_MEMORY: Span = Span {
    name: "duplicate_memory",
    about: "How long after its last frame a flow's last packet is remembered, to detect \
            duplicates (4.2)",
    bare_unit: "s",
    default: Duration::from_millis(30_000),
    min: Duration::ZERO,
    max: Duration::from_millis(1_000_000_000),
};

/// 4.1: why packets are retransmitted, in the words of the host, which sees both ends.
const COUNTERS: [Counter; 3] = [
    retransmissions(
        "retransmissions_lost_data",
        "retransmissions because the next hop had not received the data (CXCC 4.1)",
        "lost_data",
    ),
    retransmissions(
        "retransmissions_lost_acknowledgment",
        "retransmissions because the implicit or explicit acknowledgment was lost",
        "lost_acknowledgment",
    ),
    retransmissions(
        "retransmissions_early_timeout",
        "retransmissions although the next hop merely had not forwarded the packet yet",
        "early_timeout",
    ),
];

const fn retransmissions(name: &'static str, about: &'static str, reason: &'static str) -> Counter {
    Counter {
        name,
        unit: "frames",
        about,
        counts: Counts::EventsFor(EventKind::Retransmission, reason),
    }
}

/// What the paper's parameters mean.
fn settings(params: &Params) -> Settings {
    Settings {
        asking: if params.get(RFA) { Asking::Always } else { Asking::Never },
        unit: TimeoutUnit::Bits,
        timeout: params.get(TIMEOUT_PACKET_TIMES),
        timeout_jitter: params.get(TIMEOUT_JITTER),
        timeout_growth: params.get(TIMEOUT_GROWTH),
        clock: if params.get(COUNT_DEAF_TIME) { Clock::Wall } else { Clock::Overhearing },
        duplicate_memory: params.get(DUPLICATE_MEMORY),
        link: params.link,
    }
}
