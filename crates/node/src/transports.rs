//! Where the transports of flows come from.

use multihop_core::{CarriedBy, End, FlowId, Packet, Transport};

/// Makes the ends of flows at a node: of those that its host opens, and of those that arrive.
pub trait Transports: Send {
    /// The transport of this end of `flow`.
    fn make(&self, flow: FlowId, end: End, carried_by: CarriedBy) -> Box<dyn Transport>;

    /// What carries the flow of `packet`, of which this node knows nothing yet, as the headers say;
    /// `None` if nothing here does.
    fn carrier(&self, packet: &Packet) -> Option<CarriedBy>;
}
