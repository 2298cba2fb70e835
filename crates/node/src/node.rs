//! The composition of one node.
//!
//! `flows`: how flows come and go. `queries`: what hosts ask a node.

use std::collections::VecDeque;

use multihop_core::{
    Bytes, Cx, DropCause, Effect, EventKind, Failed, FlowId, FrameId, Heard, Hop, HopStep,
    INITIAL_TTL, Message, NodeId, Outcome, Packet, Protocol, QueueDiscipline, Receiver, Rng, Route,
    RouteNews, Routing, RoutingStep, Rx, Time, TxDone, TxRequest, Verdict,
};

use crate::arp::{Operation, Resolution, Resolver};
use crate::ends::Ends;
use crate::spared::{SparedHop, SparedRouting};
use crate::{Addresses, Input, Transports};

/// How many packets wait for the hop protocol behind their search for a route: more than searches leave.
const ROUTED_LIMIT: usize = 256;

/// The parts of a node.
pub struct Parts {
    /// The node's number.
    pub me: NodeId,
    /// Which life of it this is; see [`Cx::incarnation`].
    pub incarnation: u16,
    /// Its protocol stream.
    pub rng: Rng,
    /// Its hop protocol.
    pub hop: Box<dyn Hop>,
    /// Its routing.
    pub routing: Box<dyn Routing>,
    /// How it knows the MAC addresses of its neighbours.
    pub addresses: Addresses,
    /// Where its transports come from.
    pub transports: Box<dyn Transports>,
    /// How many flows it keeps that others have begun.
    pub most_accepted: usize,
    /// The addresses of the groups to which it belongs. Everyone is one of everyone.
    pub groups: Vec<NodeId>,
}

/// One node of the network. See the crate's documentation for the host's contract.
pub struct Node {
    /// What its parts are called with, and where their effects wait for the host.
    cx: Cx,
    hop: SparedHop,
    routing: SparedRouting,
    ends: Ends,
    transports: Box<dyn Transports>,
    most_accepted: usize,
    /// The addresses of the groups to which it belongs.
    groups: Vec<NodeId>,
    /// Routing packets that wait for the MAC, the next in front. They go before all others.
    control: VecDeque<TxRequest>,
    /// Routing packets on their way down through the link layer, and since when: those that answer
    /// what the MAC said, which takes its next packet from those that wait already.
    crossing: VecDeque<(Time, TxRequest)>,
    /// Packets from here that have waited for a route and wait now for the hop protocol.
    routed: VecDeque<(Packet, NodeId)>,
    /// With [`Addresses::Asked`].
    resolver: Option<Resolver>,
    /// The frames that the MAC has: most have room for one.
    below: Vec<(FrameId, Owner)>,
    /// How many of the effects the host has polled.
    polled: usize,
}

/// Who gave a frame to the MAC.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The node's own queue, for routing and the link layer.
    Node,
    Hop,
}

/// Whether an application that always has data should hand over a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Now.
    Message,
    /// Not before the node has room for it.
    Room,
    /// Not before its transport was called; see [`Node::poll_called`].
    Nothing,
}

mod flows;
mod queries;

#[cfg(test)]
pub use flows::MOST_HELD;

impl Node {
    /// A node of these parts.
    pub fn new(parts: Parts) -> Self {
        Node {
            cx: Cx { incarnation: parts.incarnation, ..Cx::new(parts.me, parts.rng) },
            hop: SparedHop::new(parts.hop),
            routing: SparedRouting::new(parts.routing),
            ends: Ends::new(),
            transports: parts.transports,
            most_accepted: parts.most_accepted,
            groups: parts.groups,
            control: VecDeque::new(),
            crossing: VecDeque::new(),
            routed: VecDeque::new(),
            resolver: (parts.addresses == Addresses::Asked).then(Resolver::default),
            below: Vec::with_capacity(1),
            polled: 0,
        }
    }

    /// The one door: tell the node what happened.
    #[inline]
    pub fn handle(&mut self, now: Time, input: Input) {
        self.cx.now = now;
        match input {
            Input::Air(air) => return self.cx.air = air,
            Input::Heard(mut rx) => return self.hear(now, &mut rx),
            Input::TxDone(done) => return self.finish(now, &done),
            Input::Open { flow, carried_by } => self.open(flow, carried_by),
            Input::Close { flow } => self.close(flow),
            Input::Message { flow, message } => self.on_message(flow, message),
            Input::Sink { flow, ready } => self.on_sink(flow, ready),
            Input::Deadline => self.on_deadline(),
        }
        self.go_on();
        self.cross();
    }

    /// [`Node::handle`] with [`Input::Heard`], for a host in a hurry: the packet is not moved. If it goes on, it
    /// is changed where it lies.
    pub fn hear(&mut self, now: Time, rx: &mut Rx) {
        self.cx.now = now;
        self.on_heard(rx);
        self.go_on();
        self.cross();
    }

    /// [`Node::handle`] with [`Input::TxDone`], likewise.
    pub fn finish(&mut self, now: Time, done: &TxDone) {
        self.cx.now = now;
        self.on_tx_done(done);
        self.go_on();
    }

    /// What follows from any input.
    #[expect(clippy::inline_always, reason = "it is what every input costs: see ADR 0073")]
    #[inline(always)]
    fn go_on(&mut self) {
        self.admit();
        while let Some(step) = self.hop.poll(&mut self.cx) {
            self.follow_hop(step);
            self.admit();
        }
    }

    /// Whether the host must do something.
    #[inline]
    pub fn has_output(&self) -> bool {
        self.polled < self.cx.effects.len()
    }

    /// The next thing that the host must do, if any.
    #[inline]
    pub fn poll_output(&mut self) -> Option<&Effect> {
        if !self.has_output() {
            self.cx.effects.clear();
            self.polled = 0;
            return None;
        }
        self.polled += 1;
        self.cx.effects.get(self.polled - 1)
    }

    /// The MAC has room: the frame to send next. The hop protocol is asked for as many as it wants to have below.
    pub fn poll_transmit(&mut self, now: Time) -> Option<TxRequest> {
        self.cx.now = now;
        if let Some(mut request) = self.control.pop_front() {
            request.id = FrameId::NODE;
            self.below.push((request.id, Owner::Node));
            return Some(request);
        }
        if !self.below.is_empty() && self.frames_of_hop() >= self.hop.most_below() {
            return None;
        }
        let request = self.hop.poll_transmit(&mut self.cx)?;
        self.below.push((request.id, Owner::Hop));
        Some(request)
    }

    /// The MAC is about to send a packet of this node to the neighbour `to`: the next one for it, of at most `room` bytes,
    /// that goes in the same batch. Packets of routing wait for a frame of their own, and what waits behind them does, too.
    pub fn poll_more(&mut self, now: Time, to: NodeId, room: Bytes) -> Option<TxRequest> {
        let are_mine = self.below.iter().any(|(_, owner)| *owner == Owner::Node);
        if are_mine || !self.control.is_empty() {
            return None;
        }
        self.cx.now = now;
        let request = self.hop.poll_more(&mut self.cx, to, room)?;
        self.below.push((request.id, Owner::Hop));
        Some(request)
    }

    /// How many frames of the hop protocol the MAC has.
    #[cold]
    fn frames_of_hop(&self) -> usize {
        self.below.iter().filter(|(_, owner)| *owner == Owner::Hop).count()
    }

    /// Whose frame the MAC has finished with: of several, that with this number.
    #[inline]
    fn take_below(&mut self, frame: FrameId) -> Owner {
        let only = self.below.len() == 1;
        let at = if only { Some(0) } else { self.below.iter().position(|(id, _)| *id == frame) };
        at.map_or(Owner::Hop, |at| self.below.remove(at).1)
    }

    /// When to call [`Node::handle`] with [`Input::Deadline`]; [`Time::NEVER`] if not at all.
    #[inline]
    pub fn deadline(&self) -> Time {
        let first = self.ends.deadline();
        let crossing = self.crossing.front().map_or(Time::NEVER, |(since, _)| *since);
        first.min(crossing).min(self.hop.deadline()).min(self.routing.deadline())
    }

    #[inline]
    fn on_heard(&mut self, rx: &mut Rx) {
        self.routing.on_heard(&mut self.cx, rx);
        match rx.packet.protocol() {
            Protocol::Routing => self.follow_routing(),
            Protocol::Arp => self.on_arp(rx),
            Protocol::Scheme => self.on_heard_by_hop(rx),
        }
    }

    /// A packet of the scheme from a neighbour, which routing has heard already.
    #[inline]
    fn on_heard_by_hop(&mut self, rx: &mut Rx) {
        if rx.heard == Heard::Overheard && !self.hop.promiscuous() {
            return self.follow_routing();
        }
        let verdict = self.hop.on_heard(&mut self.cx, rx);
        if rx.heard != Heard::Overheard && verdict != Verdict::Done {
            if rx.packet.flow.destination.is_group() || verdict == Verdict::Deliver {
                return self.take(rx, verdict);
            }
            self.cx.want(|| Effect::Accept(rx.packet.tag));
            match verdict {
                Verdict::Refuse(cause) => self.cx.drop(rx.packet.clone(), cause),
                _ if rx.packet.flow.destination == self.cx.me => {
                    self.arrive(rx.packet.clone(), rx.from);
                }
                // Routing is asked then, and followed.
                _ => return self.forward(&mut rx.packet),
            }
        }
        self.follow_routing();
    }

    fn on_tx_done(&mut self, done: &TxDone) {
        let to = done.to;
        let failed = match self.take_below(done.id) {
            Owner::Hop => self.hop.on_tx_done(&mut self.cx, done),
            Owner::Node => {
                (done.outcome == Outcome::Failed).then_some(Failed::GivenUp(done.packet.clone()))
            }
        };
        let (Some(failed), Receiver::Node(next)) = (failed, to) else { return };
        match failed {
            Failed::GivenUp(packet) if packet.protocol() == Protocol::Arp => {
                self.cx.drop(packet, DropCause::RetriesSpent);
            }
            Failed::GivenUp(packet) => {
                self.routing.on_link_failure(&mut self.cx, packet, next);
            }
            Failed::Kept(destination) => {
                self.routing.on_link_lost(&mut self.cx, destination, next);
            }
        }
        self.follow_routing();
    }

    fn on_message(&mut self, flow: FlowId, message: Message) {
        if let Some(at) = self.ends.of_flow(flow) {
            self.ends.call(at, |end| end.on_message(&mut self.cx, message));
        } else {
            let packet = Packet::new(flow, message.payload, message.tag);
            self.cx.drop(packet, DropCause::UnknownFlow);
        }
    }

    fn on_sink(&mut self, flow: FlowId, ready: bool) {
        let Some(at) = self.ends.of_flow(flow) else { return };
        self.ends.end_mut(at).ready = ready;
        while self.ends.end(at).ready
            && let Some((packet, from)) = self.ends.end_mut(at).held.pop_front()
        {
            self.consume(at, packet, from);
        }
    }

    fn on_deadline(&mut self) {
        if self.routing.deadline() <= self.cx.now {
            self.routing.on_deadline(&mut self.cx);
            self.follow_routing();
            self.routing.look_again();
        }
        let mut from = 0;
        while let Some(at) = self.ends.next_due(from, self.cx.now) {
            self.ends.call(at, |end| end.on_deadline(&mut self.cx));
            from = at + 1;
        }
        if self.hop.deadline() <= self.cx.now {
            self.hop.on_deadline(&mut self.cx);
        }
    }

    /// The packet that was heard goes on. It changes where it lies, and is copied once. Whatever its sender
    /// says, it has come over a hop, so that nobody takes it for one that begins here.
    fn forward(&mut self, packet: &mut Packet) {
        packet.ttl = packet.ttl.min(INITIAL_TTL).saturating_sub(1);
        if packet.ttl == 0 {
            self.cx.drop(packet.clone(), DropCause::TtlExpired);
            return;
        }
        let route = self.route(packet);
        self.follow_route(route, packet.clone());
    }

    fn enqueue(&mut self, mut packet: Packet) {
        let route = self.route(&mut packet);
        self.follow_route(route, packet);
    }

    #[inline]
    fn route(&mut self, packet: &mut Packet) -> Route {
        match self.hop.way(packet) {
            Some(next) => Route::Via(next),
            None => self.routing.route(&mut self.cx, packet),
        }
    }

    #[inline]
    fn follow_route(&mut self, route: Route, packet: Packet) {
        match route {
            Route::Via(next) => self.send(packet, next),
            // It has no one receiver whose MAC address could be unknown.
            Route::Flood => self.pass_down(packet, NodeId::BROADCAST),
            Route::Discovering => self.routing.hold(&mut self.cx, packet),
            Route::Unreachable => self.hop.on_unroutable(&mut self.cx, packet),
        }
        self.follow_routing();
    }

    /// Do what the hop protocol wants.
    fn follow_hop(&mut self, step: HopStep) {
        match step {
            HopStep::Hear(mut rx) => self.on_heard(&mut rx),
            HopStep::Reroute(packet) => self.enqueue(packet),
            HopStep::Arrive(packet, from) => self.arrive_copy(packet, from),
            HopStep::HandUp(packet) => match self.ends.of_packet(packet.flow) {
                Some(at) => self.ends.call(at, |end| end.on_packet(&mut self.cx, packet)),
                None => self.cx.drop(packet, DropCause::UnknownFlow),
            },
        }
    }

    /// Do what the routing protocol wants.
    #[inline]
    fn follow_routing(&mut self) {
        if self.routing.has_settled() {
            debug_assert_eq!(self.routing.poll(&mut self.cx), None, "it has settled");
        } else {
            self.follow_steps();
        }
    }

    fn follow_steps(&mut self) {
        while let Some(step) = self.routing.poll(&mut self.cx) {
            match step {
                RoutingStep::Forward(packet, next) => {
                    if !self.starts_here(&packet) || self.hop.admits(packet.flow) {
                        self.send(packet, next);
                    } else if self.routed.len() < ROUTED_LIMIT {
                        self.routed.push_back((packet, next));
                    } else {
                        self.cx.drop(packet, DropCause::RouteBufferFull);
                    }
                }
                RoutingStep::Transmit(packet, Receiver::Node(next)) => self.send(packet, next),
                RoutingStep::Transmit(packet, to @ (Receiver::Pair(_) | Receiver::Broadcast)) => {
                    self.crossing.push_back((self.cx.now, TxRequest::new(to, packet)));
                }
                RoutingStep::LinkBroken(next) => {
                    self.cx.want(|| Effect::LinkBroken(next));
                    self.give_back(next);
                }
                RoutingStep::GiveUp(next) => self.give_back(next),
                RoutingStep::Announce(news) => self.on_route(news),
            }
        }
    }

    /// What waits for `next` is routing's again: its own messages first, which go first, and the oldest of them
    /// before the others.
    fn give_back(&mut self, next: NodeId) {
        let lost = |request: &TxRequest| {
            request.to == Receiver::Node(next) && request.packet.protocol() == Protocol::Routing
        };
        loop {
            let oldest = match self.routing.queue_discipline() {
                QueueDiscipline::NewestFirst(_) => self.control.iter().rposition(lost),
                QueueDiscipline::InOrder(_) => self.control.iter().position(lost),
            };
            let Some(request) = oldest.and_then(|at| self.control.remove(at)) else { break };
            self.routing.on_unsent(&mut self.cx, request.packet, next);
        }
        for packet in self.hop.on_neighbour_lost(&mut self.cx, next) {
            self.routing.on_unsent(&mut self.cx, packet, next);
        }
    }

    /// `packet` goes to `next`, once its MAC address is known.
    #[inline]
    fn send(&mut self, packet: Packet, next: NodeId) {
        match &mut self.resolver {
            None => self.pass_down(packet, next),
            Some(resolver) => {
                let resolution = resolver.resolve(next, packet);
                self.follow_resolution(resolution, next);
            }
        }
    }

    fn follow_resolution(&mut self, resolution: Resolution, next: NodeId) {
        match resolution {
            Resolution::Resolved(packet) => self.pass_down(packet, next),
            Resolution::Ask(replaced) => {
                if let Some(replaced) = replaced {
                    self.cx.drop(replaced, DropCause::AddressUnknown);
                }
                let packet = Operation::Request.packet(self.cx.me, next);
                let to = Receiver::Broadcast;
                self.queue(TxRequest::new(to, packet));
            }
            Resolution::Failed(held, packet) => {
                for packet in held.into_iter().chain([packet]) {
                    if packet.protocol() == Protocol::Scheme {
                        self.routing.on_link_failure(&mut self.cx, packet, next);
                    } else {
                        self.routing.on_unresolved(&mut self.cx, packet, next);
                    }
                }
            }
        }
    }

    /// The MAC address of `next` is known.
    #[inline]
    fn pass_down(&mut self, packet: Packet, next: NodeId) {
        match packet.protocol() {
            Protocol::Scheme => self.hop.on_enqueue(&mut self.cx, packet, next),
            Protocol::Routing | Protocol::Arp => {
                let to = Receiver::Node(next);
                self.crossing.push_back((self.cx.now, TxRequest::new(to, packet)));
            }
        }
    }

    /// A packet of the link layer waits for its turn.
    fn queue(&mut self, request: TxRequest) {
        if let Some(request) = self.hop.on_link_packet(&mut self.cx, request) {
            self.crossing.push_back((self.cx.now, request));
        }
    }

    /// A neighbour asks for an address, or says its own.
    fn on_arp(&mut self, rx: &Rx) {
        let (Some(resolver), Heard::ForMe | Heard::Broadcast) = (&mut self.resolver, rx.heard)
        else {
            return;
        };
        let Some(operation) = Operation::of(&rx.packet) else {
            self.cx.trace(EventKind::Malformed, rx.packet.flow, 0, rx.packet.tag);
            return;
        };
        if let Some(packet) = resolver.on_message(rx.from) {
            self.pass_down(packet, rx.from);
        }
        if operation == Operation::Request && rx.packet.flow.destination == self.cx.me {
            let packet = Operation::Reply.packet(self.cx.me, rx.from);
            let to = Receiver::Node(rx.from);
            self.queue(TxRequest::new(to, packet));
        }
    }

    /// Routing packets come out of the link layer, and wait.
    #[inline]
    fn cross(&mut self) {
        if !self.crossing.is_empty() {
            self.cross_all();
        }
    }

    fn cross_all(&mut self) {
        match self.routing.queue_discipline() {
            QueueDiscipline::NewestFirst(limit) => {
                for (_, request) in self.crossing.drain(..) {
                    self.control.push_front(request);
                }
                self.control.truncate(limit);
            }
            QueueDiscipline::InOrder(limit) => {
                self.control.extend(self.crossing.drain(..).map(|(_, request)| request));
                self.control.truncate(limit);
            }
        }
    }

    fn on_route(&mut self, news: RouteNews) {
        self.hop.on_route(&mut self.cx, news);
        for at in 0..self.ends.len() {
            if self.ends.end(at).outgoing.destination == news.destination() {
                self.ends.call(at, |end| end.on_route(&mut self.cx, news));
            }
        }
    }

    fn starts_here(&self, packet: &Packet) -> bool {
        packet.flow.source == self.cx.me
    }

    /// Pull packets from the transports while the hop admits them, after those that have waited
    /// for a route.
    #[inline]
    fn admit(&mut self) {
        if !self.routed.is_empty() || self.ends.any_turn(self.cx.now) {
            self.admit_some();
        }
    }

    fn admit_some(&mut self) {
        let mut at = 0;
        while let Some((packet, _)) = self.routed.get(at) {
            if self.hop.admits(packet.flow)
                && let Some((packet, next)) = self.routed.remove(at)
            {
                self.send(packet, next);
                self.follow_routing();
            } else {
                at += 1;
            }
        }
        let mut from = 0;
        while let Some(at) = self.ends.next_turn(from, self.cx.now) {
            let outgoing = self.ends.end(at).outgoing;
            while self.hop.admits(outgoing) {
                let Some(packet) = self.ends.poll_send(at, &mut self.cx) else { break };
                self.enqueue(packet);
            }
            from = at + 1;
        }
    }
}
