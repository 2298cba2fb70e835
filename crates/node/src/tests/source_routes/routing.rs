//! Source routing at one node.

use std::collections::VecDeque;

use multihop_core::{
    Cx, DropCause, FlowId, Heard, NextHeader, NodeId, Packet, Payload, Protocol, Receiver, Route,
    RouteNews, Routing, RoutingStep, Rx, Time,
};

/// The header: the nodes on the way, both ends included, four bytes each.
const WAY: NextHeader = NextHeader::routing(7);

fn bytes(way: &[NodeId]) -> Vec<u8> {
    way.iter().flat_map(|node| node.0.to_be_bytes()).collect()
}

fn nodes(bytes: &[u8]) -> Vec<NodeId> {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|word| NodeId(u32::from_be_bytes(*word))).collect()
}

fn way_of(packet: &Packet) -> Vec<NodeId> {
    packet.headers.get(WAY).map(nodes).unwrap_or_default()
}

/// What a node knows.
pub(super) struct SourceRoutes {
    me: NodeId,
    /// Ways from this node.
    known: Vec<Vec<NodeId>>,
    steps: VecDeque<RoutingStep>,
    /// When it has something to say by itself.
    due: Time,
}

impl SourceRoutes {
    pub(super) fn new(me: NodeId, known: Vec<Vec<NodeId>>) -> Self {
        let found = |way: &Vec<NodeId>| {
            let (destination, hops) = (way[way.len() - 1], way.len() as u32 - 1);
            RoutingStep::Announce(RouteNews::Found { destination, hops })
        };
        let steps = known.iter().map(found).collect();
        SourceRoutes { me, known, steps, due: Time::ZERO }
    }

    fn way_to(&self, destination: NodeId) -> Option<&Vec<NodeId>> {
        self.known.iter().find(|way| way.last() == Some(&destination))
    }

    /// Write the way from here into `packet`.
    fn write(&self, packet: &mut Packet) -> Option<NodeId> {
        let way = self.way_to(packet.flow.destination)?;
        packet.headers.set(WAY, &bytes(way));
        way.get(1).copied()
    }

    /// Another way for `packet`, if this node knows one.
    fn salvage(&mut self, cx: &mut Cx, mut packet: Packet, cause: DropCause) {
        match self.write(&mut packet) {
            Some(next) => self.steps.push_back(RoutingStep::Forward(packet, next)),
            None => cx.drop(packet, cause),
        }
    }

    /// `from` has passed on a packet for another node, and this one comes later on its way: tell `from`,
    /// if it is the source.
    fn shorten(&mut self, rx: &Rx) {
        let way = way_of(&rx.packet);
        let later = way.iter().position(|node| *node == self.me).filter(|at| *at > 1);
        if let Some(at) = later.filter(|_| way.first() == Some(&rx.from)) {
            let shorter = [&[rx.from], &way[at..]].concat();
            let flow = FlowId::between(self.me, rx.from);
            let packet = Packet::message(flow, NextHeader::ROUTING, bytes(&shorter));
            self.steps.push_back(RoutingStep::Transmit(packet, Receiver::Node(rx.from)));
        }
    }

    fn learn(&mut self, way: Vec<NodeId>) {
        let Some((&destination, before)) = way.split_last() else { return };
        let hops = before.len() as u32;
        self.known.retain(|known| known.last() != Some(&destination));
        self.known.push(way);
        self.steps.push_back(RoutingStep::Announce(RouteNews::Changed { destination, hops }));
    }
}

impl Routing for SourceRoutes {
    fn route(&mut self, _cx: &mut Cx, packet: &mut Packet) -> Route {
        let next = if packet.flow.source == self.me {
            self.write(packet)
        } else {
            let mut behind = way_of(packet).into_iter().skip_while(|node| *node != self.me);
            behind.nth(1)
        };
        next.map_or(Route::Unreachable, Route::Via)
    }

    fn promiscuous(&self) -> bool {
        true
    }

    fn on_heard(&mut self, _cx: &mut Cx, rx: &Rx) {
        match (rx.heard, rx.packet.protocol(), &rx.packet.payload) {
            (Heard::Overheard, Protocol::Scheme, _) => self.shorten(rx),
            (Heard::ForMe, Protocol::Routing, Payload::Real(body)) => self.learn(nodes(body)),
            _ => {}
        }
    }

    fn on_link_failure(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.known.retain(|way| way.get(1) != Some(&next));
        self.steps.push_back(RoutingStep::LinkBroken(next));
        self.salvage(cx, packet, DropCause::RetriesSpent);
    }

    fn on_unsent(&mut self, cx: &mut Cx, packet: Packet, _next: NodeId) {
        self.salvage(cx, packet, DropCause::RouteBroken);
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<RoutingStep> {
        self.steps.pop_front()
    }

    fn on_deadline(&mut self, _cx: &mut Cx) {
        self.due = Time::NEVER;
    }

    fn deadline(&self) -> Time {
        self.due
    }

    fn backlog(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, RoutingStep::Forward(..))).count()
    }
}
