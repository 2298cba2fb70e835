//! What hosts ask a node.

use multihop_core::{Deadlines, FlowId, FrameClass, Packet, Protocol};

use super::{Node, Wish};
use crate::arp::Resolver;

impl Node {
    /// The deadlines of its parts, for those who watch.
    pub fn deadlines(&self) -> Deadlines {
        [self.ends.deadline(), self.hop.deadline(), self.routing.deadline()]
    }

    /// Whether the node wants to hear frames that are addressed to others.
    pub fn promiscuous(&self) -> bool {
        self.hop.promiscuous() || self.routing.promiscuous()
    }

    /// Whether it wants to know what its radio does with its time ([`Input::Air`](crate::Input::Air)).
    pub fn watches_air(&self) -> bool {
        self.hop.watches_air()
    }

    /// Whether what it overhears, and what its radio does with its time, matters from now on.
    pub fn listens(&self) -> bool {
        self.hop.listens() || self.routing.promiscuous()
    }

    /// What kind of frame `packet` travels in, for measurements.
    pub fn frame_class(&self, packet: &Packet) -> FrameClass {
        match packet.protocol() {
            Protocol::Scheme => self.hop.frame_class(packet),
            Protocol::Routing => self.routing.frame_class(packet),
            Protocol::Arp => FrameClass::AddressResolution,
        }
    }

    /// Whether an application that always has data for `flow` should hand over a message.
    pub fn wish(&self, flow: FlowId) -> Wish {
        let Some(end) = self.ends.of_flow(flow).map(|at| self.ends.end(at)) else {
            return Wish::Nothing;
        };
        // What waits for a route or an address would only be replaced.
        let waiting = self.routing.backlog() + self.resolver.as_ref().map_or(0, Resolver::backlog);
        let room = waiting == 0 && self.hop.has_room(end.outgoing);
        if end.transport.wants_message(room) {
            Wish::Message
        } else if !room && end.transport.wants_message(true) {
            Wish::Room
        } else {
            Wish::Nothing
        }
    }

    /// Whether the transport of `flow` has something that has not gone, or was not acknowledged where it promises that.
    pub fn holds(&self, flow: FlowId) -> bool {
        self.ends.of_flow(flow).is_some_and(|at| self.ends.end(at).transport.backlog() > 0)
    }

    /// A flow whose transport was called since the last time: its [`Node::wish`] may be another.
    pub fn poll_called(&mut self) -> Option<FlowId> {
        self.ends.poll_called()
    }

    /// How many packets are inside this node, for the books.
    pub fn backlog(&self) -> usize {
        let held = self.resolver.as_ref().map_or(0, Resolver::backlog);
        held + self.hop.backlog() + self.routing.backlog() + self.routed.len() + self.ends.backlog()
    }

    /// How many entries the packets of others have made in the node's tables and queues. Whatever
    /// arrives, there is a bound (ADR 0038).
    pub fn footprint(&self) -> usize {
        let waiting = self.control.len() + self.crossing.len() + self.routed.len();
        let known = self.resolver.as_ref().map_or(0, Resolver::len);
        let ends = self.ends.accepted() + self.ends.backlog();
        waiting + known + ends + self.hop.footprint() + self.routing.footprint()
    }
}
