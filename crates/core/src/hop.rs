//! The seam of hop-by-hop protocols: queues, scheduling, overhearing.

use crate::{
    Bytes, Cx, DropCause, FlowId, FrameClass, NodeId, Packet, RouteNews, Rx, Time, TxDone,
    TxRequest,
};

/// What becomes of a frame that a hop protocol has heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This node takes the packet of a frame for it or for everyone: it is delivered here or forwarded; a packet
    /// for several nodes is both. Every node that takes the packet of a broadcast has a copy of its own.
    Accept,
    /// This node takes the packet for itself alone: it is delivered here if this node is one of those that it is for,
    /// and goes no farther from here.
    Deliver,
    /// This node takes the packet of such a frame, as the neighbour knows already, and has to give it up.
    Refuse(DropCause),
    /// The hop protocol has dealt with it (control frame, duplicate, frame for another node).
    Done,
}

/// A packet that the MAC could not deliver to its next hop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The hop protocol gives it up: routing decides what becomes of it.
    GivenUp(Packet),
    /// The hop protocol keeps it, and will try again. Routing learns of the link that failed on
    /// the way to this destination.
    Kept(NodeId),
}

/// What a hop protocol wants its node to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HopStep {
    /// Hand a packet to the transport at this node, as if it had just arrived.
    HandUp(Packet),
    /// Deliver a copy of a packet that this node has heard from this neighbour, as after [`Verdict::Deliver`]: at a
    /// node that it is for, it opens its end of the flow. The copy is a new one.
    Arrive(Packet, NodeId),
    /// A packet has come out of a frame that was heard: it is as if it had been heard alone.
    Hear(Rx),
    /// Ask routing for the next hop of a packet that this protocol had accepted for another one.
    Reroute(Packet),
}

/// A hop-by-hop protocol at one node.
///
/// Every packet given to [`Hop::on_enqueue`], or kept by [`Hop::on_unroutable`], leaves by exactly
/// one of [`Cx::release`] (the next hop has it), [`Cx::drop`], [`Failed::GivenUp`],
/// [`Hop::on_neighbour_lost`] and [`HopStep::Reroute`].
pub trait Hop: Send {
    /// Whether it only ever answers what it is told: it has no step to [`Hop::poll`], no [`Hop::deadline`] and no
    /// [`Hop::way`] of its own, now and later. A node asks once, when it is made, and spares itself these calls.
    fn is_passive(&self) -> bool {
        false
    }

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

    /// Whether it reads [`Cx::air`]. A host counts that for those who ask.
    fn watches_air(&self) -> bool {
        false
    }

    /// Whether frames for other nodes, and what the radio does with its time, matter from now on. While they
    /// do not, a host may leave these frames out, and let [`Cx::air`] stand still.
    fn listens(&self) -> bool {
        true
    }

    /// The next hop of `packet`, if this protocol knows it better than routing: for what goes back
    /// on the way that a flow has come.
    fn way(&self, _packet: &Packet) -> Option<NodeId> {
        None
    }

    /// Forward `packet` to `next`, which is [`NodeId::BROADCAST`] after [`Route::Flood`](crate::Route::Flood).
    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId);

    /// Routing knows no next hop for `packet`, which is on its way through this node.
    fn on_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        cx.drop(packet, DropCause::NoRoute);
    }

    /// A packet of the link layer (ARP) is to wait its turn. A protocol without a queue in the order of
    /// arrival gives it back, and it goes before everything that waits.
    fn on_link_packet(&mut self, _cx: &mut Cx, request: TxRequest) -> Option<TxRequest> {
        Some(request)
    }

    /// A frame was decoded.
    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict;

    /// The application at this node, the destination, has taken `packet`, which came from
    /// the neighbour `from`; or the node has refused it for good.
    fn on_consumed(&mut self, _cx: &mut Cx, _packet: &Packet, _from: NodeId) {}

    /// The MAC has finished with a frame of this protocol, [`TxDone::id`] of those that it has had. If it has failed, and the next hop must be
    /// taken for lost, routing learns of it.
    #[must_use]
    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed>;

    /// The neighbour `next` is lost, or has no routes any more. What waits for it goes back to routing,
    /// unless this protocol keeps it.
    #[must_use]
    fn on_neighbour_lost(&mut self, _cx: &mut Cx, _next: NodeId) -> Vec<Packet> {
        Vec::new()
    }

    /// The way to a destination is lost, found, or another one.
    fn on_route(&mut self, _cx: &mut Cx, _news: RouteNews) {}

    /// What to do next; asked until there is nothing, after every call that may change that.
    fn poll(&mut self, _cx: &mut Cx) -> Option<HopStep> {
        None
    }

    /// The time given by [`Hop::deadline`] has come.
    fn on_deadline(&mut self, _cx: &mut Cx) {}

    /// When to call [`Hop::on_deadline`]; [`Time::NEVER`] if not at all.
    fn deadline(&self) -> Time {
        Time::NEVER
    }

    /// How many frames of this protocol the MAC may have at a time, if it has room for them. Each that it has at a time
    /// has another [`TxRequest::id`].
    fn most_below(&self) -> usize {
        1
    }

    /// The MAC has room: which frame next?
    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest>;

    /// The MAC has a packet of this protocol for the neighbour `to`, and is about to send it: the next packet for this
    /// neighbour, if it is no longer than `room`, goes in the same batch. It is asked until there is none, and each
    /// packet comes back by [`Hop::on_tx_done`]. A protocol that answers none sends each packet alone.
    fn poll_more(&mut self, _cx: &mut Cx, _to: NodeId, _room: Bytes) -> Option<TxRequest> {
        None
    }

    /// How many packets this hop is responsible for, for the books.
    fn backlog(&self) -> usize;

    /// How many entries the packets of others have made in its tables and queues. Whatever arrives, there
    /// is a bound.
    fn footprint(&self) -> usize {
        self.backlog()
    }

    /// What kind of frame `packet` travels in, for measurements.
    fn frame_class(&self, _packet: &Packet) -> FrameClass {
        FrameClass::Data
    }

    /// Length in bytes of the header that this protocol puts on every packet.
    fn header_len(&self) -> usize {
        0
    }
}
