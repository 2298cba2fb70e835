//! UDP with an acknowledgment for every packet: the source sends at the rate of its application,
//! and the destination answers each packet with a short one of its own.
//!
//! It is the CBR-ACK of CL, section 3.1: "the source sends packets with a constant bit rate, and the
//! destination upon receipt of the data packet sends a 100B ACK back to the source. This traffic
//! pattern may be used by UDP-based applications that require reliable packet delivery." Nothing is
//! sent again here, as there.
//!
//! | In the paper | In the code | Unit | Default |
//! |---|---|---|---|
//! | 100B ACK | `acknowledgment` | B | 100 |
//!
//! What the paper leaves open:
//!
//! | Place | Here |
//! |---|---|
//! | what an acknowledgment says | the number of the packet, in a header of 4 B that data has too; in the acknowledgment it counts among the 100 B |
//! | what is acknowledged | a packet whose answer has come back counts once |
//!
//! // Deviation: data is 4 B longer than ns-2's, whose acknowledgments are matched by nobody.

use multihop_core::{Capability, Forwarding, Plot, Scheme};

use crate::parts::acknowledged::{self, ACKNOWLEDGMENT};
use crate::parts::fifo::{Fifo, QUEUE_LIMIT};

/// UDP with an acknowledgment for every packet.
pub static SCHEME: Scheme = Scheme {
    name: "udp-ack",
    title: "UDP with acknowledgments",
    paper: "CBR-ACK of Varshavsky, Li, de Lara: Cross-Layer Flow Control in Lightly-Loaded \
            Multi-Hop Ad Hoc Networks, section 3.1",
    plot: Plot { color: "#5b7083", marker: "x" },
    counters: &[],
    words: &[],
    headers: &[&acknowledged::FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    forwarding: Forwarding::NextHop,
    heeds_class: false,
    params: &[ACKNOWLEDGMENT.param(), QUEUE_LIMIT.param()],
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &acknowledged::transport,
    carries: acknowledged::carries,
};
