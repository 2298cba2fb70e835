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

mod destination;
pub mod header;
mod source;

pub use destination::Answering;
pub use header::{FORMAT, HEADER_LEN, UDP_ACK};
pub use source::Asking;

use multihop_core::{
    Bytes, Capability, Count, End, FlowId, Packet, Params, Plot, Scheme, Transport,
};

use crate::fifo::{Fifo, QUEUE_LIMIT};

/// How long an acknowledgment is.
pub const ACKNOWLEDGMENT: Count = Count {
    name: "acknowledgment",
    about: "Length of the acknowledgment of a packet, without the network header (CL 3.1)",
    unit: "B",
    default: 100,
    min: HEADER_LEN as u32,
    max: 65_000,
};

/// UDP with an acknowledgment for every packet.
pub static SCHEME: Scheme = Scheme {
    name: "udp-ack",
    title: "UDP with acknowledgments",
    paper: "CBR-ACK of Varshavsky, Li, de Lara: Cross-Layer Flow Control in Lightly-Loaded \
            Multi-Hop Ad Hoc Networks, section 3.1",
    plot: Plot { color: "#5b7083", marker: "x" },
    counters: &[],
    headers: &[&FORMAT],
    does_itself: &[],
    requires: &[Capability::Unicast],
    params: &[ACKNOWLEDGMENT.param(), QUEUE_LIMIT.param()],
    hop: &|params| Box::new(Fifo::new(params)),
    transport: &transport,
    carries,
};

/// The transport of one end of `flow`.
pub fn transport(params: &Params, flow: FlowId, end: End) -> Box<dyn Transport> {
    match end {
        End::Source => Box::new(Asking::new(flow)),
        End::Destination => Box::new(Answering::new(flow, Bytes(params.get(ACKNOWLEDGMENT)))),
    }
}

/// Whether [`Asking`] has sent `packet`.
pub fn carries(packet: &Packet) -> bool {
    packet.headers.get(UDP_ACK).is_some()
}
