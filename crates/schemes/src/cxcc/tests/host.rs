//! A small host in virtual time: nodes on a broadcast medium with scripted or random losses, on
//! which nodes within two hops of each other never transmit at the same time.

use std::collections::{BTreeMap, VecDeque};

use multihop_core::{
    AirTime, Cx, Duration, Effect, Event, EventKind, FlowId, Heard, Hop, NodeId, Outcome, Packet,
    Params, Payload, Purpose, Rate, Receiver, Rng, Rx, Tag, Time, TxRequest, Verdict,
};

use crate::cxcc::{Cxcc, Header, Kind};

/// Payload of every packet, as in CXCC 7.
pub const PAYLOAD: u32 = 512;

/// A frame that was on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub at: Time,
    pub from: usize,
    pub to: usize,
    pub kind: Kind,
    pub sequence: u32,
    pub flow: FlowId,
}

/// Decides whether a node fails to decode a frame: frame, receiver, randomness.
pub type Loss = Box<dyn FnMut(&Sent, usize, &mut Rng) -> bool>;

/// The frame below a node.
struct Pending {
    request: TxRequest,
    start: Time,
    end: Option<Time>,
}

struct Node {
    hop: Cxcc,
    rng: Rng,
    air: AirTime,
    pending: Option<Pending>,
    /// What the applications at this node still have to send.
    outbox: VecDeque<Packet>,
    /// What waits for the application at this node, with the neighbour it came from.
    inbox: VecDeque<(Packet, NodeId)>,
    /// The MAC of this node may not start before this time.
    held_until: Time,
    application_ready_at: Time,
    enqueued: usize,
    released: usize,
}

/// The network.
pub struct World {
    nodes: Vec<Node>,
    /// Who decodes whom.
    neighbours: Vec<Vec<usize>>,
    /// The next hop towards each destination.
    routes: Vec<Vec<usize>>,
    rng: Rng,
    loss: Loss,
    pub now: Time,
    pub sent: Vec<Sent>,
    pub events: Vec<(usize, Event)>,
    pub delivered: BTreeMap<FlowId, Vec<u32>>,
}

impl World {
    /// Nodes with these links, and shortest routes.
    pub fn new(neighbours: Vec<Vec<usize>>, params: &Params, seed: u64) -> Self {
        let count = neighbours.len();
        let node = |index: usize| Node {
            hop: Cxcc::new(params),
            rng: Rng::stream(seed, NodeId(index as u32), Purpose::Protocol),
            air: AirTime::default(),
            pending: None,
            outbox: VecDeque::new(),
            inbox: VecDeque::new(),
            held_until: Time::ZERO,
            application_ready_at: Time::ZERO,
            enqueued: 0,
            released: 0,
        };
        World {
            nodes: (0..count).map(node).collect(),
            routes: (0..count).map(|to| routes_to(&neighbours, to)).collect(),
            neighbours,
            rng: Rng::stream(seed, NodeId(u32::MAX), Purpose::Medium),
            loss: Box::new(|_, _, _| false),
            now: Time::ZERO,
            sent: Vec::new(),
            events: Vec::new(),
            delivered: BTreeMap::new(),
        }
    }

    /// A chain, as in CXCC 7.1.
    pub fn line(count: usize, params: &Params, seed: u64) -> Self {
        let near = |at: usize| (0..count).filter(|&other| at.abs_diff(other) == 1).collect();
        World::new((0..count).map(near).collect(), params, seed)
    }

    /// Which frames are not decoded.
    pub fn lose(&mut self, loss: impl FnMut(&Sent, usize, &mut Rng) -> bool + 'static) {
        self.loss = Box::new(loss);
    }

    /// The MAC of `node` gets no chance to transmit until `until`.
    pub fn hold(&mut self, node: usize, until: Time) {
        self.nodes[node].held_until = until;
    }

    /// The applications at `node` take nothing until `until`.
    pub fn application_busy(&mut self, node: usize, until: Time) {
        self.nodes[node].application_ready_at = until;
    }

    /// `count` more packets for `flow`, numbered from zero.
    pub fn offer(&mut self, flow: FlowId, count: u32) {
        for number in 0..count {
            let tag = Tag { source: 0, number };
            let packet = Packet::new(flow, Payload::Virtual(PAYLOAD), tag);
            self.nodes[flow.source.index()].outbox.push_back(packet);
        }
        self.settle(flow.source.index());
    }

    /// How many packets are anywhere in the network or in front of it.
    pub fn remaining(&self) -> usize {
        let of = |node: &Node| node.hop.backlog() + node.outbox.len() + node.inbox.len();
        self.nodes.iter().map(of).sum()
    }

    /// The most packets that one node's hop protocol holds.
    pub fn largest_backlog(&self) -> usize {
        self.nodes.iter().map(|node| node.hop.backlog()).max().unwrap_or(0)
    }

    pub fn refused(&self) -> u64 {
        self.nodes.iter().map(|node| node.hop.refused()).sum()
    }

    /// The edges of the wait graph (3.3).
    pub fn waits(&self) -> Vec<((FlowId, usize), (FlowId, usize))> {
        let of = |(at, node): (usize, &Node)| {
            let edge = |(flow, next): (FlowId, NodeId)| ((flow, at), (flow, next.index()));
            node.hop.waits().map(edge).collect::<Vec<_>>()
        };
        self.nodes.iter().enumerate().flat_map(of).collect()
    }

    /// How often `node` traced `kind`.
    pub fn count(&self, node: usize, kind: EventKind) -> usize {
        self.events.iter().filter(|(at, event)| *at == node && event.kind == kind).count()
    }

    /// Go on to the next event, if it lies before `until`.
    pub fn step(&mut self, until: Time) -> bool {
        let next = |node: &Node| {
            let mac = node.pending.as_ref().map_or(Time::NEVER, |p| p.end.unwrap_or(p.start));
            let application =
                if node.inbox.is_empty() { Time::NEVER } else { node.application_ready_at };
            mac.min(node.hop.deadline()).min(application)
        };
        let times = self.nodes.iter().map(next).enumerate();
        let (at, time) = times.min_by_key(|(_, time)| *time).expect("there are nodes");
        if time >= until {
            return false;
        }
        self.now = self.now.max(time);
        let node = &self.nodes[at];
        match node.pending.as_ref().map(|p| (p.end, p.start)) {
            Some((Some(end), _)) if end <= self.now => self.end(at),
            Some((None, start)) if start <= self.now => self.start(at),
            _ if node.hop.deadline() <= self.now => {
                self.call(at, Hop::on_timeout);
                assert!(self.nodes[at].hop.deadline() > self.now, "a deadline in the past");
            }
            _ => {}
        }
        self.settle(at);
        self.check(at);
        true
    }

    /// Run until `until`, or until nothing is left to happen.
    pub fn run(&mut self, until: Time) {
        while self.step(until) {}
    }

    /// Every packet given to the hop protocol has left it once, or is still there.
    fn check(&self, at: usize) {
        let node = &self.nodes[at];
        assert_eq!(node.enqueued, node.released + node.hop.backlog(), "books of node {at}");
        assert_eq!(self.refused(), 0, "back-pressure did not hold a packet back");
    }

    fn call(&mut self, at: usize, handler: impl FnOnce(&mut Cxcc, &mut Cx)) {
        let node = &mut self.nodes[at];
        let mut effects = Vec::new();
        let mut cx = Cx {
            now: self.now,
            me: NodeId(at as u32),
            rng: &mut node.rng,
            air: &node.air,
            incarnation: 0,
            effects: &mut effects,
        };
        handler(&mut node.hop, &mut cx);
        let mut withdraw = false;
        for effect in effects {
            match effect {
                Effect::Release(_) => node.released += 1,
                Effect::Withdraw => withdraw = true,
                Effect::Trace(event, _) => self.events.push((at, event)),
                Effect::Drop(packet, cause) => panic!("{packet:?} was dropped: {cause:?}"),
                other => panic!("{other:?} is not for a hop protocol"),
            }
        }
        if withdraw && node.pending.as_ref().is_some_and(|pending| pending.end.is_none()) {
            let pending = node.pending.take().expect("just seen");
            self.done(at, pending.request, Outcome::Withdrawn);
        }
    }

    fn done(&mut self, at: usize, request: TxRequest, outcome: Outcome) {
        let done = request.done(outcome, Rate(1_000_000));
        self.call(at, |hop, cx| assert_eq!(hop.on_tx_done(cx, done), None));
    }

    /// Hand over what the source and the application are ready for; give the MAC a frame.
    fn settle(&mut self, at: usize) {
        if self.now >= self.nodes[at].application_ready_at {
            while let Some((packet, from)) = self.nodes[at].inbox.pop_front() {
                self.delivered.entry(packet.flow).or_default().push(packet.tag.number);
                self.call(at, |hop, cx| hop.on_consumed(cx, &packet, from));
            }
        }
        let mut rest = VecDeque::new();
        while let Some(packet) = self.nodes[at].outbox.pop_front() {
            if self.nodes[at].hop.admits(packet.flow) {
                self.enqueue(at, packet);
            } else {
                rest.push_back(packet);
            }
        }
        self.nodes[at].outbox = rest;
        if self.nodes[at].pending.is_none() {
            let mut request = None;
            self.call(at, |hop, cx| request = hop.poll_transmit(cx));
            let start = self.backoff(self.now.max(self.nodes[at].held_until));
            self.nodes[at].pending = request.map(|request| Pending { request, start, end: None });
        }
    }

    fn backoff(&mut self, from: Time) -> Time {
        from + Duration::from_micros(50 + u64::from(self.rng.below(32)) * 20)
    }

    fn enqueue(&mut self, at: usize, packet: Packet) {
        let next = NodeId(self.routes[packet.flow.destination.index()][at] as u32);
        self.nodes[at].enqueued += 1;
        self.call(at, |hop, cx| hop.on_enqueue(cx, packet, next));
    }

    /// The frame of `at` goes on the air, unless someone within two hops is transmitting.
    fn start(&mut self, at: usize) {
        let near = |other: usize| {
            let common = self.neighbours[at].iter().any(|n| self.neighbours[other].contains(n));
            common || self.neighbours[at].contains(&other)
        };
        let busy = (0..self.nodes.len()).filter(|&other| other != at && near(other));
        let end = |other: usize| self.nodes[other].pending.as_ref().and_then(|p| p.end);
        if let Some(free) = busy.filter_map(end).max() {
            let start = self.backoff(free);
            self.nodes[at].pending.as_mut().expect("it was about to start").start = start;
            return;
        }
        let pending = self.nodes[at].pending.as_mut().expect("it was about to start");
        let packet = &pending.request.packet;
        let header = Header::of(packet).expect("only CXCC frames are sent");
        let Receiver::Node(to) = pending.request.to else { panic!("CXCC sends no broadcast") };
        let air_time = Duration::from_micros(packet.len().bits());
        pending.end = Some(self.now + air_time);
        self.sent.push(Sent {
            at: self.now,
            from: at,
            to: to.index(),
            kind: header.kind,
            sequence: header.sequence,
            flow: packet.flow,
        });
    }

    /// The frame of `at` has been on the air.
    fn end(&mut self, at: usize) {
        let Pending { request, start, .. } =
            self.nodes[at].pending.take().expect("it was on the air");
        let mine = self.sent.iter().rev().find(|sent| sent.from == at);
        let sent = *mine.expect("it was put on the air");
        let air_time = self.now.since(start);
        self.nodes[at].air.sending += air_time;
        self.done(at, request.clone(), Outcome::Sent);
        for receiver in self.neighbours[at].clone() {
            self.nodes[receiver].air.receiving += air_time;
            if !(self.loss)(&sent, receiver, &mut self.rng) {
                let for_me = sent.to == receiver;
                let heard = if for_me { Heard::ForMe } else { Heard::Overheard };
                let packet = request.packet.clone();
                self.hear(
                    receiver,
                    &Rx {
                        rate: Rate(1_000_000),
                        signal: None,
                        from: NodeId(at as u32),
                        heard,
                        air_time,
                        packet,
                    },
                );
                self.settle(receiver);
                self.check(receiver);
            }
        }
    }

    fn hear(&mut self, at: usize, rx: &Rx) {
        let mut verdict = Verdict::Done;
        self.call(at, |hop, cx| verdict = hop.on_heard(cx, rx));
        if verdict == Verdict::Accept {
            let mut packet = rx.packet.clone();
            if packet.flow.destination.index() == at {
                self.nodes[at].inbox.push_back((packet, rx.from));
            } else {
                packet.ttl -= 1;
                self.enqueue(at, packet);
            }
        }
    }
}

/// The next hop of every node towards `destination`, by breadth-first search.
fn routes_to(neighbours: &[Vec<usize>], destination: usize) -> Vec<usize> {
    let mut next = vec![usize::MAX; neighbours.len()];
    let mut border = VecDeque::from([destination]);
    next[destination] = destination;
    while let Some(at) = border.pop_front() {
        for &other in &neighbours[at] {
            if next[other] == usize::MAX {
                next[other] = at;
                border.push_back(other);
            }
        }
    }
    next
}
