//! The seam of hop-by-hop protocols: queues, scheduling, overhearing.

use crate::{Cx, FlowId, NodeId, Packet, Rx, Time, TxDone, TxRequest};

/// What becomes of a frame that a hop protocol has heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This node takes the packet: it is delivered here or forwarded.
    Accept,
    /// The hop protocol has dealt with it (control frame, duplicate, overheard frame).
    Done,
}

/// A hop-by-hop protocol at one node.
///
/// Every packet given to [`Hop::on_enqueue`] leaves by exactly one of [`Cx::release`] (the next
/// hop has it), [`Cx::drop`], and the return value of [`Hop::on_tx_done`].
pub trait Hop: Send {
    /// Back-pressure: whether the source may hand over another packet of `flow`.
    fn admits(&self, _flow: FlowId) -> bool {
        true
    }

    /// Whether another packet of `flow` would not be lost for want of room, for sources that can
    /// wait.
    fn has_room(&self, flow: FlowId) -> bool {
        self.admits(flow)
    }

    /// Whether [`Hop::on_heard`] wants the frames that are addressed to other nodes.
    fn promiscuous(&self) -> bool {
        true
    }

    /// Forward `packet` to `next`.
    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId);

    /// A frame was decoded.
    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict;

    /// The application at this node, the destination, has taken `packet`, which came from
    /// the neighbour `from`.
    fn on_consumed(&mut self, _cx: &mut Cx, _packet: &Packet, _from: NodeId) {}

    /// The MAC has finished with this node's frame. If it has failed and this protocol gives the
    /// packet up, it returns it: routing decides what becomes of it.
    #[must_use]
    fn on_tx_done(&mut self, cx: &mut Cx, done: TxDone) -> Option<Packet>;

    /// The neighbour `next` is lost, or has no routes any more: what waits for it is given up.
    fn on_neighbour_lost(&mut self, _cx: &mut Cx, _next: NodeId) {}

    /// The time given by [`Hop::deadline`] has come.
    fn on_timeout(&mut self, _cx: &mut Cx) {}

    /// When to call [`Hop::on_timeout`]; [`Time::NEVER`] if not at all.
    fn deadline(&self) -> Time {
        Time::NEVER
    }

    /// The MAC is free: which frame next?
    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest>;

    /// How many packets this hop is responsible for, for the books.
    fn backlog(&self) -> usize;

    /// What kind of frame `packet` travels in, for traces: `data`, or a control frame's name.
    fn label(&self, _packet: &Packet) -> &'static str {
        "data"
    }

    /// Length in bytes of the header that this protocol puts on every packet.
    fn header_len(&self) -> usize {
        0
    }
}
