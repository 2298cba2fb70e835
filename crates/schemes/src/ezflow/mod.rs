//! EZ-Flow: the contention window follows what the next hop still has.
//!
//! Adel Aziz, David Starobinski, Patrick Thiran, Alaeddine El Fawal: *EZ-Flow: Removing Turbulence in IEEE
//! 802.11 Wireless Mesh Networks without Message Passing*. ACM Conference on Emerging Networking
//! Experiments and Technologies, 2009.
//!
//! A relay hears its successor forward the packets that it got from here, and so knows how many it still
//! has. If these are many, the relay contends with a larger window, and sends less.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | `b`, what the successor still has (buffer occupancy estimator) | `Sent::behind` | packets | |
//! | packets sent to the successor that are remembered | `remembered` | packets | 1000 |
//! | `b` is averaged over so many samples | `samples` | samples | 50 |
//! | `b_min`, `b_max` | `min_backlog`, `max_backlog` | packets | 0.05, 20 |
//! | `cw` (channel access adaptation) | `Access::exponent` | log2 of slots | |
//! | `mincw = 2^4`, `maxcw = 2^15` | `min_exponent`, `max_exponent` | log2 of slots | 4, 15 |
//! | `cw` at first | `first_exponent` | log2 of slots | 5 |
//! | `countup`, `countdown` | `Access::up`, `Access::down` | means | |
//!
//! | Place | Deviation or reading |
//! |---|---|
//! | all constants | reconstructed: the paper itself was not to be had |
//! | how an overheard packet is recognised | by a number in a header of 4 bytes; the paper takes the transport's checksum, which packets without bytes do not have |
//! | `cw` at first | not stated; 2^5, which 802.11b begins with |
//! | several successors | one queue for all, each with its own window; the paper has a queue for each |
//! | windows beyond the MAC's largest | are that (1023 slots unless `mac.cw_max` says otherwise, 2^10 as on the paper's cards) |

mod header;
mod hop;
mod occupancy;
mod parameters;
mod window;

pub use header::{EZFLOW, FORMAT};

use multihop_core::{Capability, Forwarding, Plot, Scheme};

use crate::parts::datagram::{self, Datagram};
use hop::EzFlow;

/// EZ-Flow.
pub static SCHEME: Scheme = Scheme {
    name: "ezflow",
    title: "EZ-Flow",
    paper: "Aziz, Starobinski, Thiran, El Fawal: EZ-Flow: Removing Turbulence in IEEE 802.11 Wireless \
            Mesh Networks without Message Passing. CoNEXT 2009",
    plot: Plot { color: "#5f7a0f", marker: "1" },
    counters: &[],
    words: &[],
    headers: &[&FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast, Capability::LinkAcknowledgment, Capability::Overhearing],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &parameters::PARAMS,
    hop: &|params| Box::new(EzFlow::new(params)),
    transport: &|_, flow, _| Box::new(Datagram::new(flow)),
    carries: datagram::carries,
};
