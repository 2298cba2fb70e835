//! Flush: every node sends as slowly as its successors have to.
//!
//! Sukun Kim, Rodrigo Fonseca, Prabal Dutta, Arsalan Tavakoli, David Culler, Philip Levis, Scott Shenker,
//! Ion Stoica: *Flush: A Reliable Bulk Transport Protocol for Multihop Wireless Networks*. ACM Conference
//! on Embedded Networked Sensor Systems, 2007.
//!
//! Two rules: a node sends only when its successor is free from interference, and not faster than its
//! successor. What both need, a node overhears in its successor's packets. The paper counts nodes from the
//! destination, 0: the successor of `i` is `i - 1`.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | `delta_i`: how long a packet takes to the successor | `Flow::delivery` | s | |
//! | `f_i`: for how long forwarders that `i` hears disturb it | `Flow::interference` | s | |
//! | `d_i = delta_i + (delta_{i-1} + f_{i-1})` (rule 1) | `Flow::interval` | s | |
//! | `D_i = max(d_i, D_{i-1})` (rule 2) | `Flow::interval` | s | |
//! | a forwarder disturbs if it is less than 10 dB weaker than the predecessor | `margin` | dB | 10 |
//! | with a longer queue, `delta_i` is announced twice as long | `congested_queue` | packets | 5 |
//! | weight of a new sample in `delta_i` | `samples` | | 1/8 |
//!
//! | Place | Deviation or reading |
//! |---|---|
//! | rules and constants | reconstructed: the paper itself was not to be had |
//! | end to end | Deviation: datagrams; the paper repeats what negative acknowledgments ask for, after the whole transfer |
//! | fields | Deviation: 16 bits each, 32 us a unit |
//! | several flows | Deviation: each keeps its own interval, and the one served least recently goes first; the paper has one flow at a time |
//! | weight of a sample | not known; TCP's |
//! | how long what was overheard counts | not stated; 1 s, `memory` |
//! | several packets a frame (`batch`) | Deviation, off by default: a batch takes the place of a packet in both rules; `delta_i` is how long a batch takes |
//! | the successor itself | always disturbs: what it sends, its neighbour cannot send over |

mod flow;
mod header;
mod hop;
mod parameters;

pub use header::{FLUSH, FORMAT, Header};

use multihop_core::{Capability, Forwarding, Plot, Scheme};

use crate::parts::datagram::{self, Datagram};
use hop::Flush;

/// Flush's rate control.
pub static SCHEME: Scheme = Scheme {
    name: "flush",
    title: "Flush",
    paper: "Kim, Fonseca, Dutta, Tavakoli, Culler, Levis, Shenker, Stoica: Flush: A Reliable Bulk \
            Transport Protocol for Multihop Wireless Networks. SenSys 2007",
    plot: Plot { color: "#4f6d7a", marker: "3" },
    counters: &[],
    words: &[],
    headers: &[&FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast, Capability::LinkAcknowledgment, Capability::Overhearing],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &parameters::PARAMS,
    hop: &|params| Box::new(Flush::new(params)),
    transport: &|_, flow, _| Box::new(Datagram::new(flow)),
    carries: datagram::carries,
};
