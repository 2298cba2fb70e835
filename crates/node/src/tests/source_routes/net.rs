//! Nodes with links between some of them, and nothing else: what is sent arrives at once, or never.

use std::sync::{Arc, Mutex};

use multihop_core::{
    CarriedBy, Cx, Duration, End, FlowId, Heard, Message, NodeId, Outcome, Packet, Params, Payload,
    Protocol, Purpose, Rate, Receiver, Rng, RouteNews, Rx, Tag, Time, Transport,
};
use multihop_schemes::parts::datagram::Datagram;
use multihop_schemes::udp;

use super::routing::SourceRoutes;
use crate::{Addresses, Input, Node, Output, Parts, Transports};

const RATE: Rate = Rate(1_000_000);

/// The one flow.
const FLOW: FlowId = FlowId::between(NodeId(0), NodeId(3));

/// A transport that writes down what routing announces.
struct Listener(Datagram, Arc<Mutex<Vec<RouteNews>>>);

impl Transport for Listener {
    fn wants_message(&self, room: bool) -> bool {
        self.0.wants_message(room)
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        self.0.on_message(cx, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        self.0.on_packet(cx, packet);
    }

    fn on_route(&mut self, _cx: &mut Cx, news: RouteNews) {
        self.1.lock().expect("nobody panics while writing").push(news);
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        self.0.poll_send(cx)
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.0.give_up()
    }

    fn backlog(&self) -> usize {
        self.0.backlog()
    }
}

/// Makes the ends of the flow: the source's listens.
struct Ends(Arc<Mutex<Vec<RouteNews>>>);

impl Transports for Ends {
    fn make(&self, flow: FlowId, end: End, _carried_by: CarriedBy) -> Box<dyn Transport> {
        let datagram = Datagram::new(flow);
        match end {
            End::Source => Box::new(Listener(datagram, Arc::clone(&self.0))),
            End::Destination => Box::new(datagram),
        }
    }

    fn carrier(&self, _packet: &Packet) -> Option<CarriedBy> {
        Some(CarriedBy::Datagram)
    }
}

pub(super) struct Net {
    nodes: Vec<Node>,
    links: Vec<(u32, u32)>,
    now: Time,
    news: Arc<Mutex<Vec<RouteNews>>>,
    /// Between whom each packet of the scheme went, and the packets.
    pub(super) hops: Vec<(u32, u32)>,
    pub(super) packets: Vec<Packet>,
    pub(super) delivered: Vec<u32>,
    pub(super) drops: Vec<(u32, &'static str)>,
}

impl Net {
    /// So many nodes with these links, of which some know ways.
    pub(super) fn new(count: u32, links: &[(u32, u32)], known: &[&[u32]]) -> Self {
        let news = Arc::default();
        let node = |me: u32| {
            let mine = known.iter().filter(|way| way[0] == me);
            let ways = mine.map(|way| way.iter().copied().map(NodeId).collect()).collect();
            node(NodeId(me), SourceRoutes::new(NodeId(me), ways), &news)
        };
        let mut net = Net {
            nodes: (0..count).map(node).collect(),
            links: links.to_vec(),
            now: Time::ZERO,
            news: Arc::clone(&news),
            hops: Vec::new(),
            packets: Vec::new(),
            delivered: Vec::new(),
            drops: Vec::new(),
        };
        for at in 0..count {
            assert!(net.nodes[at as usize].promiscuous());
            net.handle(at, Input::Deadline);
        }
        net
    }

    pub(super) fn link(&mut self, one: u32, other: u32) {
        self.links.push((one, other));
    }

    pub(super) fn cut(&mut self, one: u32, other: u32) {
        self.links.retain(|link| *link != (one, other));
    }

    fn linked(&self, one: u32, other: u32) -> bool {
        self.links.contains(&(one, other)) || self.links.contains(&(other, one))
    }

    /// What the transports at the source have learnt.
    pub(super) fn news(&self) -> Vec<RouteNews> {
        self.news.lock().expect("nobody panics while writing").clone()
    }

    pub(super) fn backlogs(&self) -> Vec<usize> {
        self.nodes.iter().map(Node::backlog).collect()
    }

    pub(super) fn send(&mut self, number: u32) {
        let message = Message { payload: Payload::Virtual(100), tag: Tag { source: 0, number } };
        self.handle(0, Input::Message { flow: FLOW, message });
    }

    fn handle(&mut self, at: u32, input: Input) {
        self.now += Duration::from_micros(1);
        let node = &mut self.nodes[at as usize];
        node.handle(self.now, input);
        if node.deadline() <= self.now {
            node.handle(self.now, Input::Deadline);
        }
        while let Some(output) = node.poll_output() {
            match output {
                Output::Deliver(packet) => self.delivered.push(packet.tag.number),
                Output::Drop(packet, cause) => self.drops.push((packet.tag.number, cause.name())),
                _ => {}
            }
        }
    }

    /// Node `at` sends a frame, if it has one.
    pub(super) fn step(&mut self, at: u32) -> bool {
        let Some(request) = self.nodes[at as usize].poll_transmit(self.now) else { return false };
        let to = request.to;
        let mut outcome = Outcome::Failed;
        for other in 0..self.nodes.len() as u32 {
            let mine = to == Receiver::Node(NodeId(other));
            if self.linked(at, other) {
                let heard = if mine { Heard::ForMe } else { Heard::Overheard };
                self.handle(
                    other,
                    Input::Heard(Rx {
                        from: NodeId(at),
                        heard,
                        rate: RATE,
                        signal: None,
                        air_time: Duration::from_micros(300),
                        packet: request.packet.clone(),
                    }),
                );
                outcome = if mine { Outcome::Acknowledged } else { outcome };
            }
        }
        if let (Receiver::Node(next), Protocol::Scheme) = (to, request.packet.protocol())
            && outcome == Outcome::Acknowledged
        {
            self.hops.push((at, next.0));
            self.packets.push(request.packet.clone());
        }
        self.handle(at, Input::TxDone(request.done(outcome, RATE)));
        true
    }

    /// Until nobody has anything to send.
    pub(super) fn run(&mut self) {
        while (0..self.nodes.len() as u32).any(|at| self.step(at)) {}
    }
}

fn node(me: NodeId, routing: SourceRoutes, news: &Arc<Mutex<Vec<RouteNews>>>) -> Node {
    let params = Params::new(&udp::SCHEME, &[], RATE).expect("the defaults are valid");
    let mut node = Node::new(Parts {
        me,
        incarnation: 0,
        rng: Rng::stream(1, me, Purpose::Protocol),
        hop: (udp::SCHEME.hop)(&params),
        routing: Box::new(routing),
        addresses: Addresses::Known,
        transports: Box::new(Ends(Arc::clone(news))),
        most_accepted: 1,
        groups: Vec::new(),
    });
    if me == FLOW.source {
        node.handle(Time::ZERO, Input::Open { flow: FLOW, carried_by: CarriedBy::Datagram });
    }
    node
}
