//! Datagrams, each of which the destination answers with an acknowledgment that changes nothing: nothing is sent again.

mod destination;
pub mod header;
mod source;

pub use destination::Answering;
pub use header::{FORMAT, HEADER_LEN, UDP_ACK};
pub use source::Asking;

use multihop_core::{Bytes, Count, End, FlowId, Packet, Params, Transport};

/// How long an acknowledgment is.
pub const ACKNOWLEDGMENT: Count = Count {
    name: "acknowledgment",
    about: "Length of the acknowledgment of a packet, without the network header (CL 3.1)",
    unit: "B",
    default: 100,
    min: HEADER_LEN as u32,
    max: 65_000,
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
