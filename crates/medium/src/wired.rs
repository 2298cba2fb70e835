//! Duplex links between neighbours, for comparison with the shared medium (CXCC figure 1b).
//!
//! Each direction of a link has its own drop-tail queue, so two opposite streams never meet.

use std::collections::VecDeque;

use multihop_core::TxRequest;
use multihop_core::{
    AddressTable, Duration, FrameClass, Heard, NodeId, Outcome, Packet, Receiver, Rx, Time,
};
use multihop_setup::Cells;
use multihop_setup::{Node, Wired};

use crate::below::{Alarm, Below, WireArrival, WireFrame, WireReport};

/// One direction of a link.
struct Link {
    from: NodeId,
    to: NodeId,
    /// When its transmitter is free.
    free_at: Time,
    /// What was accepted and has not arrived, in order.
    under_way: VecDeque<UnderWay>,
}

struct UnderWay {
    departs: Time,
    arrives: Time,
    packet: Packet,
    number: u32,
    class: FrameClass,
}

/// The links of a network.
pub struct WiredCarrier {
    settings: Wired,
    addresses: AddressTable,
    /// The links into each node.
    into: Vec<Vec<Link>>,
    /// How many frames went into links, or would have.
    transmitted: u32,
}

impl WiredCarrier {
    /// A link in each direction between any two of `nodes`, which have these `addresses`, within range.
    pub fn new(nodes: &[Node], addresses: AddressTable, settings: Wired) -> Self {
        let link =
            |from: NodeId, to| Link { from, to, free_at: Time::ZERO, under_way: VecDeque::new() };
        let into = |(to, from): (usize, Vec<NodeId>)| {
            from.into_iter().map(|from| link(from, NodeId(to as u32))).collect()
        };
        let neighbours = within_range(nodes, settings.neighbour_range);
        let into = neighbours.into_iter().enumerate().map(into).collect();
        WiredCarrier { settings, addresses, into, transmitted: 0 }
    }

    /// For every node, those with a link to it, in ascending order.
    pub fn neighbours(&self) -> Vec<Vec<NodeId>> {
        let from = |links: &Vec<Link>| links.iter().map(|link| link.from).collect();
        self.into.iter().map(from).collect()
    }

    /// Accept a frame at once; it leaves when those before it have left.
    pub fn offer<A: Alarm>(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below<A>,
    ) {
        let targets: Vec<NodeId> = match request.to {
            Receiver::Node(to) => vec![self.addresses.number(to)],
            Receiver::Pair(pair) => pair.map(|to| self.addresses.number(to)).to_vec(),
            Receiver::Broadcast => self.into[node.index()].iter().map(|link| link.from).collect(),
        };
        let bytes = request.packet.len();
        let air_time = self.settings.rate.air_time(bytes);
        for to in targets {
            let (number, packet) = (self.transmitted, request.packet.clone());
            let (from, wait) = (node, Duration::ZERO);
            let mut frame = WireFrame { number, from, to, class, packet, bytes, air_time, wait };
            let Some(wait) = self.send(&frame, below) else {
                below.wires.push(WireReport::QueueFull(node, frame.packet));
                continue;
            };
            frame.wait = wait;
            self.transmitted = number.wrapping_add(1);
            below.wires.push(WireReport::Transmits(frame));
        }
        let outcome = match request.to {
            Receiver::Node(_) | Receiver::Pair(_) => Outcome::Acknowledged,
            Receiver::Broadcast => Outcome::Sent,
        };
        let done = request.clone().done(outcome, self.settings.rate);
        below.wires.push(WireReport::Done(node, done));
    }

    /// How long the frame waits in the link's queue; `None` if that is full.
    fn send<A: Alarm>(&mut self, frame: &WireFrame, below: &mut Below<A>) -> Option<Duration> {
        let now = below.now;
        let into = self.into.get_mut(frame.to.index()).into_iter().flatten();
        let link = into.into_iter().find(|link| link.from == frame.from)?;
        let queued = link.under_way.iter().filter(|packet| packet.departs > now).count();
        if queued >= self.settings.queue {
            return None;
        }
        let begins = link.free_at.max(now);
        let departs = begins + frame.air_time;
        let arrives = departs + self.settings.delay;
        link.free_at = departs;
        let (packet, number, class) = (frame.packet.clone(), frame.number, frame.class);
        link.under_way.push_back(UnderWay { departs, arrives, packet, number, class });
        self.reschedule(frame.to, below);
        Some(begins.since(now))
    }

    /// The time set for `node` has come: what has arrived there is reported.
    pub fn on_deadline<A: Alarm>(&mut self, node: NodeId, below: &mut Below<A>) {
        let (settings, addresses, now) = (&self.settings, &self.addresses, below.now);
        for link in &mut self.into[node.index()] {
            while link.under_way.front().is_some_and(|packet| packet.arrives <= now) {
                let Some(arrived) = link.under_way.pop_front() else { break };
                let UnderWay { packet, number, class, .. } = arrived;
                let (heard, rate) = (Heard::ForMe, settings.rate);
                let (address, air_time) =
                    (addresses.address(link.from), rate.air_time(packet.len()));
                let rx = Rx { from: address, heard, rate, signal: None, air_time, packet };
                let (node, from) = (link.to, link.from);
                let arrival = WireArrival { node, from, rx, number, class };
                below.wires.push(WireReport::Heard(arrival));
            }
        }
        self.reschedule(node, below);
    }

    fn reschedule<A: Alarm>(&self, node: NodeId, below: &mut Below<A>) {
        let first = |link: &Link| link.under_way.front().map(|packet| packet.arrives);
        let earliest = self.into[node.index()].iter().filter_map(first).min();
        below.alarm.set(node, earliest.unwrap_or(Time::NEVER));
    }
}

fn within_range(nodes: &[Node], range: f64) -> Vec<Vec<NodeId>> {
    let place = |node: &Node| (node.x, node.y);
    let cells = Cells::new(nodes.iter().map(place), range);
    let mut candidates = Vec::new();
    let near = |(at, here): (usize, &Node)| {
        cells.near(place(here), &mut candidates);
        let linked = |&other: &usize| {
            let there = &nodes[other];
            let distance = libm::hypot(here.x - there.x, here.y - there.y);
            (other != at && distance <= range).then_some(NodeId(other as u32))
        };
        candidates.iter().filter_map(linked).collect()
    };
    nodes.iter().enumerate().map(near).collect()
}
