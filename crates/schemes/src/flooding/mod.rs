//! Flooding: every node that hears a packet for the first time passes it on, unless a draw or the copies that it hears
//! keep it from that.
//!
//! S.-Y. Ni, Y.-C. Tseng, Y.-S. Chen, J.-P. Sheu, "The Broadcast Storm Problem in a Mobile Ad Hoc Network",
//! `MobiCom` 1999, pp. 151-162.
//!
//! | in the paper | in the code | unit | default |
//! |---|---|---|---|
//! | P, 3.1: probability to rebroadcast | [`PROBABILITY`] | - | 1 (plain flooding) |
//! | C, 3.2: counter threshold | [`COPIES`] | copies | 0: none (plain flooding; the paper finds 3 or 4 good) |
//! | 0 to 31 slots of 20 us, 4.1 | [`DELAY`] | time | 620 us |
//!
//! `hop`: what a node does. `relay`: a packet that waits to be passed on. `history`: what it has heard before.
//!
//! # What the paper leaves open
//!
//! - *One scheme or two.* The paper draws (3.1) or counts (3.2). Both parameters hold here together: at P = 1 the node
//!   counts, at C = 0 it draws. With both, a node draws first, and counts if it is to pass the packet on.
//! - *The wait.* The paper waits a whole number of slots; here the wait is uniform in time. The draw of 3.1 waits,
//!   too, as in 3.1's remark on collisions.
//! - *What waits below.* A copy that the MAC has, but that was not on the air, is withdrawn where the MAC can do that,
//!   as in step S4 of 3.2; elsewhere it is sent.
//! - *The source.* It sends its packet at once, and does not count.
//! - *How a packet is known.* By its source and a number of 32 bits. The paper says "source ID and sequence number".
//! - *Packets for one node.* They are flooded like all others; the destination does not pass them on. The paper has
//!   broadcasts only.
//! - *The queue.* A drop-tail queue of [`QUEUE_LIMIT`] packets in front of the MAC. The paper names none.
//! - *An end.* The time to live of packets bounds their way to 64 hops.

mod header;
mod history;
mod hop;
mod relay;
#[cfg(test)]
mod tests;
pub mod words;

use multihop_core::{
    Count, Counter, Counts, Duration, EventKind, Forwarding, Number, Plot, Scheme, Span, Vocabulary,
};

use crate::parts::datagram::{self, Datagram};
use crate::parts::fifo::QUEUE_LIMIT;
pub use header::{FLOODING, FORMAT, Header};
use hop::Flooding;
use words::SUPPRESSED;

/// With which probability a node passes a packet on.
pub const PROBABILITY: Number = Number {
    name: "probability",
    about: "P, the probability with which a node passes on a packet that it hears for the first time (section 3.1); \
            1 for all, as in plain flooding",
    unit: "",
    default: 1.0,
    min: 0.0,
    max: 1.0,
};

/// How many copies keep a node from passing a packet on.
pub const COPIES: Count = Count {
    name: "copies",
    about: "C: a node that has heard so many copies of a packet before its own is on the air does not send it \
            (section 3.2, which finds 3 or 4 good); 0 for never, as in plain flooding",
    unit: "copies",
    default: 0,
    min: 0,
    max: 1_000,
};

/// How long a node waits before it passes a packet on.
pub const DELAY: Span = Span {
    name: "delay",
    about: "A node waits up to so long, uniformly, before it hands a packet to the MAC, and counts copies meanwhile; \
            the paper's 31 slots of 20 us (section 4.1)",
    bare_unit: "",
    default: Duration::from_micros(620),
    min: Duration::ZERO,
    max: Duration::from_millis(60_000),
};

/// Flooding.
pub static SCHEME: Scheme = Scheme {
    name: "flooding",
    title: "Flooding",
    paper: "S.-Y. Ni, Y.-C. Tseng, Y.-S. Chen, J.-P. Sheu, \"The Broadcast Storm Problem in a Mobile Ad Hoc Network\", \
            MobiCom 1999",
    plot: Plot { color: "#3b6e8f", marker: "4" },
    counters: &[Counter {
        name: "suppressed",
        unit: "packets",
        about: "how often a node kept silent about a packet: a draw said so, or it had heard enough copies (3.1, 3.2)",
        counts: Counts::Events(EventKind::Declared(&SUPPRESSED)),
    }],
    words: &[Vocabulary::Event(&SUPPRESSED), Vocabulary::Cause(&SUPPRESSED)],
    headers: &[&FORMAT],
    does_itself: &[],
    requires: &[],
    forwarding: Forwarding::Flood,
    heeds_class: false,
    params: &[PROBABILITY.param(), COPIES.param(), DELAY.param(), QUEUE_LIMIT.param()],
    hop: &|params| Box::new(Flooding::new(params)),
    transport: &|_, flow, _| Box::new(Datagram::new(flow)),
    carries: datagram::carries,
};
