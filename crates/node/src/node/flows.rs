//! Flows come and go: the host opens and closes them, and what arrives of an unknown one opens its
//! other end.

use multihop_core::{CarriedBy, DropCause, FlowId, NodeId, Packet, Room, RouteNews, Rx, Verdict};

use super::Node;
use crate::ends::{FlowEnd, Origin, end_at};

/// How many packets wait for an application that takes none: more than any window.
pub const MOST_HELD: usize = 1_024;

impl Node {
    /// The host opens the end of `flow` that is here.
    pub(super) fn open(&mut self, flow: FlowId, carried_by: CarriedBy) {
        if flow.source != self.cx.me && flow.destination != self.cx.me {
            return;
        }
        match self.ends.of_flow(flow) {
            Some(at) => self.ends.open(at),
            None => {
                self.add(flow, carried_by, Origin::Opened);
            }
        }
    }

    fn add(&mut self, flow: FlowId, carried_by: CarriedBy, origin: Origin) -> usize {
        let end = end_at(flow, self.cx.me);
        let transport = self.transports.make(flow, end, carried_by);
        let mut end = FlowEnd::new(flow, end, transport, origin);
        // What was announced before it was there.
        let destination = end.outgoing.destination;
        if let Some(hops) = self.routing.hops_to(destination, self.cx.now) {
            end.transport.on_route(&mut self.cx, RouteNews::Found { destination, hops });
        }
        self.ends.add(end)
    }

    /// The host closes the end of `flow` that is here. What has left its transport goes on its way.
    pub(super) fn close(&mut self, flow: FlowId) {
        let Some(mut end) = self.ends.remove(flow) else { return };
        for (packet, from) in end.held.drain(..) {
            self.refuse(packet, from, DropCause::FlowClosed);
        }
        while let Some(packet) = end.transport.give_up() {
            self.cx.drop(packet, DropCause::FlowClosed);
        }
    }

    /// A packet was heard that is for several nodes, or that goes no farther. If this node is one of them, it is
    /// delivered here; unless the hop protocol keeps it from that, it also goes on. Each of the two has a copy.
    pub(super) fn take(&mut self, rx: &mut Rx, verdict: Verdict) {
        if let Verdict::Refuse(cause) = verdict {
            self.cx.copy(rx.packet.tag);
            self.cx.drop(rx.packet.clone(), cause);
        } else {
            self.arrive_copy(rx.packet.clone(), rx.from);
        }
        if verdict == Verdict::Accept {
            self.cx.copy(rx.packet.tag);
            return self.forward(&mut rx.packet);
        }
        self.follow_routing();
    }

    /// A copy of a packet is delivered here, if this node is one of those that it is for.
    pub(super) fn arrive_copy(&mut self, packet: Packet, from: NodeId) {
        if self.is_addressed(&packet) {
            self.cx.copy(packet.tag);
            self.arrive(packet, from);
        }
    }

    fn is_addressed(&self, packet: &Packet) -> bool {
        let FlowId { source, destination, .. } = packet.flow;
        let everyone = destination == NodeId::BROADCAST && source != self.cx.me;
        destination == self.cx.me || everyone || self.groups.contains(&destination)
    }

    /// A packet has reached its destination, this node.
    pub(super) fn arrive(&mut self, packet: Packet, from: NodeId) {
        let known = self.ends.of_packet(packet.flow);
        let at = match known.map_or_else(|| self.accept(&packet), Ok) {
            Ok(at) => at,
            Err(cause) => return self.refuse(packet, from, cause),
        };
        let end = self.ends.end_mut(at);
        end.seen = self.cx.now;
        if end.ready {
            self.consume(at, packet, from);
        } else if end.held.len() < MOST_HELD {
            end.held.push_back((packet, from));
        } else {
            self.refuse(packet, from, DropCause::DestinationBufferFull);
        }
    }

    /// The number of a new end for the flow of `packet`, which nobody has announced; or why there is
    /// none.
    fn accept(&mut self, packet: &Packet) -> Result<usize, DropCause> {
        let flow = packet.flow;
        // What comes back, or from nowhere, begins nothing.
        let begins = !flow.is_reverse() && ![self.cx.me, NodeId::BROADCAST].contains(&flow.source);
        let carried_by = begins.then(|| self.transports.carrier(packet)).flatten();
        let carried_by = carried_by.ok_or(DropCause::UnknownFlow)?;
        match self.ends.room(self.most_accepted, flow.source, self.cx.now) {
            Room::Free => {}
            Room::InPlaceOf(number) => {
                let idle = self.ends.nth_accepted(number).ok_or(DropCause::TooManyFlows)?;
                self.close(idle);
            }
            Room::Refused => return Err(DropCause::TooManyFlows),
        }
        Ok(self.add(flow, carried_by, Origin::Accepted))
    }

    /// This node, the destination, does not want the packet. To the hop protocol that is as good as an
    /// application that has taken it: nobody is to send it again.
    fn refuse(&mut self, packet: Packet, from: NodeId, cause: DropCause) {
        self.hop.on_consumed(&mut self.cx, &packet, from);
        self.cx.drop(packet, cause);
    }

    /// The application takes the packet, and the hop protocol learns of it (CXCC 3.2: the
    /// acknowledgment is delayed until the packet can be passed up).
    pub(super) fn consume(&mut self, end: usize, packet: Packet, from: NodeId) {
        self.hop.on_consumed(&mut self.cx, &packet, from);
        self.ends.call(end, |end| end.on_packet(&mut self.cx, packet));
    }
}
