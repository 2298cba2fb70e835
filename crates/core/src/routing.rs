//! The seam of routing protocols.

use crate::{Cx, NodeId, Packet, Rx, Time, TxDone};

/// Where a packet goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// To this neighbour.
    Via(NodeId),
    /// Nowhere.
    Unreachable,
}

/// A routing protocol at one node.
pub trait Routing: Send {
    /// The next hop of `packet`.
    fn route(&mut self, cx: &mut Cx, packet: &Packet) -> Route;

    /// A frame was decoded.
    fn on_heard(&mut self, _cx: &mut Cx, _rx: &Rx) {}

    /// The MAC has finished with a frame of this node.
    fn on_tx_done(&mut self, _cx: &mut Cx, _done: &TxDone) {}

    /// The time given by [`Routing::deadline`] has come.
    fn on_timeout(&mut self, _cx: &mut Cx) {}

    /// When to call [`Routing::on_timeout`]; [`Time::NEVER`] if not at all.
    fn deadline(&self) -> Time {
        Time::NEVER
    }
}
