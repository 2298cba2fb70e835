//! Nodes with virtual time and a medium on which a frame takes [`HOP_TIME`], and nothing is lost but
//! what a test wants to be ([`Net::faults`]).

use std::collections::BTreeMap;

use multihop_core::{
    Cx, DropCause, Duration, Effect, EventKind, FlowId, Heard, NextHeader, NodeId, Packet, Payload,
    Protocol, Purpose, Rate, Receiver, Rng, Route, RouteNews, Routing, RoutingStep, Rx, Tag, Time,
};
use multihop_routing::aodv::{Aodv, Message, Settings, parse};

/// How long a frame takes.
pub const HOP_TIME: Duration = Duration::from_millis(1);

/// A message that a node put on the air.
#[derive(Clone, Debug)]
pub struct Sent {
    pub at: Time,
    pub node: u32,
    pub to: Receiver,
    pub ttl: u8,
    pub message: Message,
}

enum Happening {
    Frame(u32, Receiver, Packet),
    Offer(u32, u32, u32),
}

/// What goes wrong, each in so many of 100 cases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// A frame is lost; the MAC of who sent it to one neighbour says that the link failed.
    pub loss: u32,
    /// The frame has arrived, and the MAC says that the link failed.
    pub false_failure: u32,
}

/// The network.
pub struct Net {
    pub faults: Faults,
    chance: Rng,
    settings: Settings,
    pub nodes: Vec<Aodv>,
    pub now: Time,
    /// Messages of AODV, in the order of time.
    pub sent: Vec<Sent>,
    /// Data packets that a node put on the air: when, who, to whom, which.
    pub data: Vec<(Time, u32, NodeId, u32)>,
    /// Data packets that arrived.
    pub delivered: Vec<(Time, u32)>,
    /// Everything else that the nodes said.
    pub effects: Vec<(Time, u32, Effect)>,
    /// Who gave up which neighbour.
    pub broken: Vec<(Time, u32, NodeId)>,
    /// Who gave up what waited for which neighbour.
    pub given_up: Vec<(u32, NodeId)>,
    /// What the nodes were told of their routes.
    pub news: Vec<(u32, RouteNews)>,
    links: Vec<Vec<bool>>,
    contexts: Vec<Cx>,
    happenings: BTreeMap<(Time, u64), Happening>,
    count: u64,
}

/// A point in time, in milliseconds.
pub const fn ms(ms: u64) -> Time {
    Time::from_nanos(ms * 1_000_000)
}

impl Net {
    /// `count` nodes without links.
    pub fn new(count: u32, settings: Settings, seed: u64) -> Self {
        let ids = || (0..count).map(NodeId);
        Net {
            faults: Faults::default(),
            chance: Rng::stream(seed, NodeId(0), Purpose::Other),
            settings,
            nodes: ids().map(|id| Aodv::new(id, settings)).collect(),
            now: Time::ZERO,
            sent: Vec::new(),
            data: Vec::new(),
            delivered: Vec::new(),
            effects: Vec::new(),
            broken: Vec::new(),
            given_up: Vec::new(),
            news: Vec::new(),
            links: vec![vec![false; count as usize]; count as usize],
            contexts: ids()
                .map(|id| Cx::new(id, Rng::stream(seed, id, Purpose::Protocol)))
                .collect(),
            happenings: BTreeMap::new(),
            count: 0,
        }
    }

    /// `count` nodes in a line.
    pub fn line(count: u32) -> Self {
        let mut net = Net::new(count, Settings::default(), 1);
        for node in 1..count {
            net.link(node - 1, node, true);
        }
        net
    }

    /// Make or break the link between two nodes.
    pub fn link(&mut self, a: u32, b: u32, up: bool) {
        self.links[a as usize][b as usize] = up;
        self.links[b as usize][a as usize] = up;
    }

    /// Let `to` hear `from`, and not the other way round.
    pub fn link_one_way(&mut self, from: u32, to: u32) {
        self.links[from as usize][to as usize] = true;
    }

    /// `node` loses its memory, and follows RFC 3561, 6.13.
    pub fn reboot(&mut self, node: u32) {
        self.nodes[node as usize] = Aodv::rebooted(NodeId(node), self.settings, self.now);
    }

    /// The application at `from` has packet number `number` for `to` at time `at`.
    pub fn offer(&mut self, at: Time, from: u32, to: u32, number: u32) {
        self.schedule(at, Happening::Offer(from, to, number));
    }

    /// Let time pass until nothing is left to do up to `until`.
    pub fn run(&mut self, until: Time) {
        loop {
            let timer = self.nodes.iter().map(Routing::deadline).min().unwrap_or(Time::NEVER);
            let next = self.happenings.keys().next().map_or(Time::NEVER, |(time, _)| *time);
            if timer.min(next) > until {
                self.now = until;
                return;
            }
            self.now = timer.min(next);
            if timer <= next {
                let at = self.nodes.iter().position(|node| node.deadline() == timer);
                let node = at.expect("the node with the first deadline") as u32;
                self.call(node, Routing::on_deadline);
                self.follow(node);
            } else if let Some((_, happening)) = self.happenings.pop_first() {
                self.happen(happening);
            }
        }
    }

    fn schedule(&mut self, at: Time, happening: Happening) {
        self.count += 1;
        self.happenings.insert((at, self.count), happening);
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Offer(from, to, number) => {
                let tag = Tag { source: 0, number };
                let flow = FlowId::between(NodeId(from), NodeId(to));
                self.enqueue(from, Packet::new(flow, Payload::Virtual(100), tag));
            }
            Happening::Frame(from, to, packet) => self.frame(from, to, packet),
        }
    }

    /// A frame is over.
    fn frame(&mut self, from: u32, to: Receiver, packet: Packet) {
        let mut failed = false;
        for node in 0..self.nodes.len() as u32 {
            let heard = match to {
                Receiver::Broadcast => Heard::Broadcast,
                Receiver::Node(next) if next.0 == node => Heard::ForMe,
                Receiver::Node(_) | Receiver::Pair(_) => Heard::Overheard,
            };
            let arrives =
                self.links[from as usize][node as usize] && !self.happens(self.faults.loss);
            failed |= heard == Heard::ForMe && !arrives;
            if arrives {
                self.hear(node, from, heard, packet.clone());
            }
        }
        if let Receiver::Node(next) = to
            && (failed || self.happens(self.faults.false_failure))
        {
            self.call(from, |aodv, cx| aodv.on_link_failure(cx, packet, next));
            self.follow(from);
        }
    }

    fn happens(&mut self, percent: u32) -> bool {
        percent > 0 && self.chance.below(100) < percent
    }

    /// A data packet from 0 to 5 with this time to live reaches `node` from `from`.
    pub fn hear_data(&mut self, node: u32, from: u32, ttl: u8) {
        let flow = FlowId::between(NodeId(0), NodeId(5));
        let tag = Tag { source: 0, number: 7 };
        let packet = Packet { ttl, ..Packet::new(flow, Payload::Virtual(100), tag) };
        self.hear(node, from, Heard::ForMe, packet);
    }

    /// A message of AODV reaches `node` from `from`.
    pub fn hear_message(&mut self, node: u32, from: u32, bytes: &[u8]) {
        let flow = FlowId::between(NodeId(from), NodeId::BROADCAST);
        let packet = Packet::message(flow, NextHeader::ROUTING, bytes);
        self.hear(node, from, Heard::Broadcast, packet);
    }

    /// As a node does it.
    fn hear(&mut self, node: u32, from: u32, heard: Heard, mut packet: Packet) {
        let air_time = HOP_TIME;
        let rx = Rx {
            rate: Rate(1_000_000),
            signal: None,
            from: NodeId(from),
            heard,
            air_time,
            packet: packet.clone(),
        };
        self.call(node, |aodv, cx| aodv.on_heard(cx, &rx));
        self.follow(node);
        if packet.protocol() == Protocol::Routing || heard != Heard::ForMe {
            return;
        }
        if packet.flow.destination == NodeId(node) {
            self.delivered.push((self.now, packet.tag.number));
            return;
        }
        packet.ttl -= 1;
        if packet.ttl == 0 {
            let drop = Effect::Drop(packet, DropCause::TtlExpired);
            self.effects.push((self.now, node, drop));
        } else {
            self.enqueue(node, packet);
        }
    }

    fn enqueue(&mut self, node: u32, mut packet: Packet) {
        match self.call(node, |aodv, cx| aodv.route(cx, &mut packet)) {
            Route::Via(next) => self.transmit(node, Receiver::Node(next), packet),
            Route::Discovering => self.call(node, |aodv, cx| aodv.hold(cx, packet)),
            Route::Flood => unreachable!("AODV finds routes"),
            Route::Unreachable => self.call(node, |_, cx| cx.drop(packet, DropCause::NoRoute)),
        }
        self.follow(node);
    }

    fn transmit(&mut self, node: u32, to: Receiver, packet: Packet) {
        match (&packet.payload, to) {
            (Payload::Real(bytes), _) => {
                let message = parse(bytes).expect("a node sends what it can read");
                self.sent.push(Sent { at: self.now, node, to, ttl: packet.ttl, message });
            }
            (Payload::Virtual(_), Receiver::Node(next)) => {
                self.data.push((self.now, node, next, packet.tag.number));
            }
            (_, _) => unreachable!("data goes to one node"),
        }
        self.schedule(self.now + HOP_TIME, Happening::Frame(node, to, packet));
    }

    pub fn call<R>(&mut self, node: u32, with: impl FnOnce(&mut Aodv, &mut Cx) -> R) -> R {
        let cx = &mut self.contexts[node as usize];
        cx.now = self.now;
        let result = with(&mut self.nodes[node as usize], cx);
        self.effects.extend(cx.effects.drain(..).map(|effect| (self.now, node, effect)));
        result
    }

    pub fn follow(&mut self, node: u32) {
        while let Some(step) = self.call(node, Routing::poll) {
            match step {
                RoutingStep::Forward(packet, next) => {
                    self.transmit(node, Receiver::Node(next), packet);
                }
                RoutingStep::Transmit(packet, to) => self.transmit(node, to, packet),
                RoutingStep::Announce(news) => self.news.push((node, news)),
                RoutingStep::GiveUp(next) => self.given_up.push((node, next)),
                RoutingStep::LinkBroken(next) => self.broken.push((self.now, node, next)),
            }
        }
    }

    /// Requests that `node` originated or forwarded: when, and with which time to live.
    pub fn requests(&self, node: u32) -> Vec<(Time, u8)> {
        let of = |sent: &&Sent| sent.node == node && matches!(sent.message, Message::Request(_));
        self.sent.iter().filter(of).map(|sent| (sent.at, sent.ttl)).collect()
    }

    /// The nodes that sent route errors.
    pub fn errors(&self) -> Vec<u32> {
        let of = |sent: &&Sent| matches!(sent.message, Message::Error(_));
        self.sent.iter().filter(of).map(|sent| sent.node).collect()
    }

    /// The nodes that sent or forwarded route replies.
    pub fn replies(&self) -> Vec<u32> {
        let of = |sent: &&Sent| matches!(sent.message, Message::Reply(_));
        self.sent.iter().filter(of).map(|sent| sent.node).collect()
    }

    /// What was dropped, and why.
    pub fn drops(&self) -> Vec<(Time, u32, DropCause)> {
        let drop = |(at, _, effect): &(Time, u32, Effect)| match effect {
            Effect::Drop(packet, cause) if packet.protocol() == Protocol::Scheme => {
                Some((*at, packet.tag.number, *cause))
            }
            _ => None,
        };
        self.effects.iter().filter_map(drop).collect()
    }

    /// Which nodes traced `kind`.
    pub fn traced(&self, kind: EventKind) -> Vec<u32> {
        let of = |(_, node, effect): &(Time, u32, Effect)| match effect {
            Effect::Trace(event, _) if event.kind == kind => Some(*node),
            _ => None,
        };
        self.effects.iter().filter_map(of).collect()
    }

    /// The next hop of `node` towards `to`.
    pub fn next(&self, node: u32, to: u32) -> Option<u32> {
        self.nodes[node as usize].next_hop(NodeId(to), self.now).map(|next| next.0)
    }

    /// Packets that are inside nodes.
    pub fn backlog(&self) -> usize {
        self.nodes.iter().map(Routing::backlog).sum()
    }
}
