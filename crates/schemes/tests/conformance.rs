//! What every scheme has to keep, over random lists of operations: each scheme runs on a chain
//! of four nodes whose MACs, radios, routes and clocks do what the operations say.

use std::collections::VecDeque;

use multihop_core::{
    Capability, Cx, Duration, Effect, End, Failed, FlowId, Heard, Hop, HopStep, Message,
    NextHeader, NodeId, Outcome, Packet, ParamKind, Params, Payload, Purpose, Rate, Receiver, Rng,
    RouteNews, Rx, Scheme, Tag, Time, Transport, TxRequest, Value, Verdict,
};
use multihop_schemes::{SCHEMES, find};
use proptest::prelude::*;
mod lifo;

const NODES: usize = 4;

/// Every scheme, and the example of CONTRIBUTING.md.
fn schemes() -> impl Iterator<Item = &'static Scheme> {
    SCHEMES.iter().copied().chain([&lifo::SCHEME])
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// An application has a message.
    Write { flow: usize },
    /// The source hands over what the hop protocol admits.
    Send { flow: usize },
    /// The MAC is free.
    Poll { node: usize },
    /// The frame goes on the air: it cannot be withdrawn any more.
    Start { node: usize },
    /// The frame is finished; bit n of `heard` says whether node n decodes it.
    Finish { node: usize, heard: u8 },
    /// The application takes what has arrived.
    Consume { node: usize },
    /// Routing at a node loses the way to another one.
    Lose { node: usize, destination: usize },
    /// Routing at a node finds it again, and gives back what it has held.
    Find { node: usize, destination: usize },
    /// Time passes, and timers run out.
    Wait { micros: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    let node = || 0..NODES;
    prop_oneof![
        2 => (0usize..3).prop_map(|flow| Step::Write { flow }),
        3 => (0usize..3).prop_map(|flow| Step::Send { flow }),
        6 => node().prop_map(|node| Step::Poll { node }),
        2 => node().prop_map(|node| Step::Start { node }),
        6 => (node(), any::<u8>()).prop_map(|(node, heard)| Step::Finish { node, heard }),
        2 => node().prop_map(|node| Step::Consume { node }),
        1 => (node(), node()).prop_map(|(node, destination)| Step::Lose { node, destination }),
        2 => (node(), node()).prop_map(|(node, destination)| Step::Find { node, destination }),
        3 => (0u64..20_000).prop_map(|micros| Step::Wait { micros }),
    ]
}

/// The flows of the chain: both ways, and a short one.
fn flows() -> [FlowId; 3] {
    let flow = |a, b| FlowId::between(NodeId(a), NodeId(b));
    [flow(0, 3), flow(3, 0), flow(1, 2)]
}

struct Below {
    request: TxRequest,
    on_air: bool,
    withdrawals: u32,
}

struct Node {
    hop: Box<dyn Hop>,
    rng: Rng,
    below: Option<Below>,
    inbox: VecDeque<(Packet, NodeId)>,
    /// Whether there is a way to each node.
    routes: [bool; NODES],
    /// What routing holds until there is one.
    held: Vec<Packet>,
    enqueued: usize,
    left: usize,
}

/// One end of a flow. It counts what carries data: messages, and copies of them.
struct FlowEnd {
    transport: Box<dyn Transport>,
    at: usize,
    flow: FlowId,
    outgoing: FlowId,
    written: usize,
    copied: usize,
    arrived: usize,
    sent: usize,
    delivered: usize,
    released: usize,
    dropped: usize,
}

struct Chain {
    nodes: Vec<Node>,
    /// The sources of all flows, and then their destinations.
    ends: Vec<FlowEnd>,
    now: Time,
    /// Whether the scheme's MAC has link acknowledgments.
    acknowledges: bool,
}

impl Chain {
    fn new(scheme: &'static Scheme, seed: u64) -> Self {
        let params = Params::new(scheme, &[], Rate(1_000_000)).expect("the defaults are valid");
        let node = |index| Node {
            hop: (scheme.hop)(&params),
            rng: Rng::stream(seed, NodeId(index), Purpose::Protocol),
            below: None,
            inbox: VecDeque::new(),
            routes: [true; NODES],
            held: Vec::new(),
            enqueued: 0,
            left: 0,
        };
        let end = |flow: FlowId, end: End| FlowEnd {
            transport: (scheme.transport)(&params, flow, end),
            at: if end == End::Source { flow.source } else { flow.destination }.index(),
            flow,
            outgoing: if end == End::Source { flow } else { flow.reverse() },
            written: 0,
            copied: 0,
            arrived: 0,
            sent: 0,
            delivered: 0,
            released: 0,
            dropped: 0,
        };
        let sources = flows().into_iter().map(|flow| end(flow, End::Source));
        let ends = sources.chain(flows().into_iter().map(|flow| end(flow, End::Destination)));
        Chain {
            nodes: (0..NODES as u32).map(node).collect(),
            ends: ends.collect(),
            acknowledges: scheme.mac.offers(Capability::LinkAcknowledgment),
            now: Time::ZERO,
        }
    }

    fn call<R>(&mut self, at: usize, handler: impl FnOnce(&mut dyn Hop, &mut Cx) -> R) -> R {
        let node = &mut self.nodes[at];
        let mut effects = Vec::new();
        let mut cx = Cx::new(self.now, NodeId(at as u32), &mut node.rng, &mut effects);
        let result = handler(node.hop.as_mut(), &mut cx);
        let mut withdrawn = None;
        for effect in effects {
            match effect {
                Effect::Release(_) | Effect::Drop(..) => node.left += 1,
                Effect::Withdraw => {
                    let below = node.below.as_mut().expect("nothing to withdraw");
                    below.withdrawals += 1;
                    assert_eq!(below.withdrawals, 1, "one frame was withdrawn twice");
                    if !below.on_air {
                        withdrawn = node.below.take();
                    }
                }
                // A packet of its own: not data.
                Effect::Accept(tag) if !tag.is_data() => node.enqueued += 1,
                Effect::Deliver(_)
                | Effect::Accept(_)
                | Effect::LinkBroken(_)
                | Effect::Gauge(..) => {
                    panic!("that is not for a hop protocol")
                }
                Effect::Trace(..) | Effect::Mark => {}
            }
        }
        if let Some(below) = withdrawn {
            self.done(at, below.request, Outcome::Withdrawn);
        }
        result
    }

    fn done(&mut self, at: usize, request: TxRequest, outcome: Outcome) {
        let done = request.done(outcome, Rate(1_000_000));
        match self.call(at, |hop, cx| hop.on_tx_done(cx, done)) {
            Some(Failed::GivenUp(_)) => self.nodes[at].left += 1,
            // As with AODV: a link that fails breaks the route. With fixed routes it does not.
            Some(Failed::Kept(destination)) if at < 2 => self.lose(at, destination.index()),
            Some(Failed::Kept(_)) | None => {}
        }
    }

    /// The packet goes where the hop protocol or routing sends it.
    fn enqueue(&mut self, at: usize, packet: Packet) {
        let way = self.nodes[at].hop.way(&packet);
        let destination = packet.flow.destination.index();
        if let Some(next) = way {
            assert_eq!(next.index().abs_diff(at), 1, "a way over a node out of reach");
            self.forward(at, packet, next);
        } else if self.nodes[at].routes[destination] {
            let next = if destination > at { at + 1 } else { at - 1 };
            self.forward(at, packet, NodeId(next as u32));
        } else if packet.flow.source.index() == at {
            self.nodes[at].held.push(packet);
        } else {
            self.nodes[at].enqueued += 1;
            self.call(at, |hop, cx| hop.on_unroutable(cx, packet));
        }
    }

    fn forward(&mut self, at: usize, packet: Packet, next: NodeId) {
        self.nodes[at].enqueued += 1;
        self.call(at, |hop, cx| hop.on_enqueue(cx, packet, next));
    }

    fn lose(&mut self, at: usize, destination: usize) {
        if destination != at && std::mem::replace(&mut self.nodes[at].routes[destination], false) {
            self.announce(at, RouteNews::Lost(NodeId(destination as u32)));
        }
    }

    fn find(&mut self, at: usize, destination: usize) {
        if !std::mem::replace(&mut self.nodes[at].routes[destination], true) {
            self.announce(
                at,
                RouteNews::Found { destination: NodeId(destination as u32), hops: 1 },
            );
        }
        let held = std::mem::take(&mut self.nodes[at].held);
        for packet in held {
            let there = packet.flow.destination.index() == destination;
            // What the hop protocol does not admit waits in the node.
            if there && self.nodes[at].hop.admits(packet.flow) {
                self.enqueue(at, packet);
            } else {
                self.nodes[at].held.push(packet);
            }
        }
    }

    fn announce(&mut self, at: usize, news: RouteNews) {
        self.call(at, |hop, cx| hop.on_route(cx, news));
        for end in 0..self.ends.len() {
            if self.ends[end].at == at {
                self.end_call(end, |transport, cx| transport.on_route(cx, news));
            }
        }
    }

    /// Do what the hop protocols want.
    fn settle(&mut self) {
        for at in 0..NODES {
            for steps in 0.. {
                assert!(steps < 500, "a hop protocol that wants something without end");
                match self.call(at, |hop, cx| hop.poll(cx)) {
                    None => break,
                    Some(HopStep::Reroute(packet)) => {
                        self.nodes[at].left += 1;
                        self.enqueue(at, packet);
                    }
                    Some(HopStep::HandUp(packet)) => self.arrive(at, packet),
                }
            }
        }
    }

    fn apply(&mut self, step: Step) {
        self.act(step);
        self.settle();
    }

    fn act(&mut self, step: Step) {
        match step {
            Step::Write { flow } => self.write(flow),
            Step::Send { flow } => self.send(flow),
            Step::Poll { node } => {
                if self.nodes[node].below.is_none() {
                    let request = self.call(node, |hop, cx| hop.poll_transmit(cx));
                    let below = |request| Below { request, on_air: false, withdrawals: 0 };
                    self.nodes[node].below = request.map(below);
                }
            }
            Step::Start { node } => {
                if let Some(below) = &mut self.nodes[node].below {
                    below.on_air = true;
                }
            }
            Step::Finish { node, heard } => self.finish(node, heard),
            Step::Consume { node } => {
                if let Some((packet, from)) = self.nodes[node].inbox.pop_front() {
                    self.call(node, |hop, cx| hop.on_consumed(cx, &packet, from));
                    self.arrive(node, packet);
                }
            }
            Step::Lose { node, destination } => self.lose(node, destination),
            Step::Find { node, destination } => self.find(node, destination),
            Step::Wait { micros } => {
                self.now += Duration::from_micros(micros);
                for at in 0..NODES {
                    if self.nodes[at].hop.deadline() <= self.now {
                        self.call(at, |hop, cx| hop.on_timeout(cx));
                    }
                    assert!(self.nodes[at].hop.deadline() > self.now, "a deadline in the past");
                }
                for end in 0..self.ends.len() {
                    if self.ends[end].transport.deadline() <= self.now {
                        self.end_call(end, |transport, cx| transport.on_timeout(cx));
                    }
                    let deadline = self.ends[end].transport.deadline();
                    assert!(deadline > self.now, "a deadline in the past");
                }
            }
        }
    }

    fn end_call<R>(
        &mut self,
        end: usize,
        handler: impl FnOnce(&mut dyn Transport, &mut Cx) -> R,
    ) -> R {
        let end = &mut self.ends[end];
        let mut effects = Vec::new();
        let rng = &mut self.nodes[end.at].rng;
        let me = NodeId(end.at as u32);
        let mut cx = Cx::new(self.now, me, rng, &mut effects);
        let result = handler(end.transport.as_mut(), &mut cx);
        for effect in effects {
            match effect {
                Effect::Deliver(packet) => {
                    assert!(packet.tag.is_data(), "the application gets data");
                    end.delivered += 1;
                }
                Effect::Drop(packet, _) => end.dropped += usize::from(packet.tag.is_data()),
                Effect::Release(tag) => end.released += usize::from(tag.is_data()),
                Effect::Accept(tag) => end.copied += usize::from(tag.is_data()),
                Effect::Gauge(flow, _) => assert_eq!(flow, end.flow, "of the data's direction"),
                Effect::Trace(..) => {}
                Effect::Withdraw | Effect::Mark | Effect::LinkBroken(_) => {
                    panic!("that is not for a transport")
                }
            }
        }
        result
    }

    fn write(&mut self, flow: usize) {
        // Bursts, so that buffers do overflow.
        for _ in 0..20 {
            let message = Message { payload: Payload::Virtual(512), tag: Tag::default() };
            self.ends[flow].written += 1;
            self.end_call(flow, |transport, cx| transport.on_message(cx, message));
        }
    }

    /// The hop protocol pulls from both ends of the flow what it admits.
    fn send(&mut self, flow: usize) {
        for end in [flow, flow + flows().len()] {
            let (id, at) = (self.ends[end].outgoing, self.ends[end].at);
            for sent in 0.. {
                assert!(sent < 200, "a transport that sends without end");
                if !self.nodes[at].hop.admits(id) {
                    break;
                }
                let packet = self.end_call(end, |transport, cx| transport.poll_send(cx));
                let Some(packet) = packet else { break };
                assert_eq!(packet.flow, id);
                let own = self.ends[end].transport.header_len();
                let most = own + self.nodes[at].hop.header_len();
                assert!((own..=most).contains(&packet.headers.len()) || !packet.tag.is_data());
                self.ends[end].sent += usize::from(packet.tag.is_data());
                self.enqueue(at, packet);
            }
            assert!(self.nodes[at].hop.backlog() <= 60, "a queue without bound");
        }
    }

    /// A packet has come to the node that it is for.
    fn arrive(&mut self, at: usize, packet: Packet) {
        let (flow, reverse) = (packet.flow, packet.flow.reverse());
        let ours = |end: &FlowEnd| end.at == at && (end.flow == flow || end.flow == reverse);
        let end = self.ends.iter().position(ours).expect("both ends of every flow are known");
        self.ends[end].arrived += usize::from(packet.tag.is_data());
        self.end_call(end, |transport, cx| transport.on_packet(cx, packet));
    }

    fn finish(&mut self, at: usize, heard_by: u8) {
        let Some(Below { request, .. }) = self.nodes[at].below.take() else { return };
        let Receiver::Node(to) = request.to else { panic!("no broadcast in this chain") };
        let decodes = |node: usize| heard_by >> node & 1 == 1;
        let outcome = match (self.acknowledges, decodes(to.index())) {
            (false, _) => Outcome::Sent,
            (true, true) => Outcome::Acknowledged,
            (true, false) => Outcome::Failed,
        };
        self.done(at, request.clone(), outcome);
        for node in (0..NODES).filter(|&node| node.abs_diff(at) == 1 && decodes(node)) {
            let for_me = to.index() == node;
            if for_me || self.nodes[node].hop.promiscuous() {
                let heard = if for_me { Heard::ForMe } else { Heard::Overheard };
                let packet = request.packet.clone();
                let air_time = Duration::ZERO;
                self.hear(
                    node,
                    &Rx {
                        rate: Rate(1_000_000),
                        signal: None,
                        from: NodeId(at as u32),
                        heard,
                        air_time,
                        packet,
                    },
                );
            }
        }
    }

    fn hear(&mut self, at: usize, rx: &Rx) {
        if self.call(at, |hop, cx| hop.on_heard(cx, rx)) == Verdict::Accept {
            assert_eq!(rx.heard, Heard::ForMe, "only what is for this node is accepted");
            if rx.packet.flow.destination.index() == at {
                self.nodes[at].inbox.push_back((rx.packet.clone(), rx.from));
            } else {
                self.enqueue(at, rx.packet.clone());
            }
        }
    }

    /// Packets are neither lost without a cause nor made.
    fn check(&self) {
        for (at, node) in self.nodes.iter().enumerate() {
            assert_eq!(node.enqueued, node.left + node.hop.backlog(), "books of node {at}");
        }
        for end in &self.ends {
            let came = end.written + end.copied + end.arrived;
            let went = end.sent + end.dropped + end.released + end.delivered;
            assert_eq!(came, went + end.transport.backlog(), "books of {}", end.outgoing);
        }
    }

    /// From here on everything works: whatever is inside gets out.
    fn drain(&mut self) {
        for _ in 0..20_000 {
            for node in 0..NODES {
                for destination in 0..NODES {
                    self.apply(Step::Find { node, destination });
                }
                self.apply(Step::Consume { node });
                self.apply(Step::Poll { node });
                self.apply(Step::Finish { node, heard: 0xFF });
            }
            for flow in 0..flows().len() {
                self.send(flow);
            }
            let inside = self
                .nodes
                .iter()
                .map(|node| node.hop.backlog() + node.inbox.len() + node.held.len());
            let inside = inside.sum::<usize>();
            let before = self.ends.iter().map(|end| end.transport.backlog()).sum::<usize>();
            if inside + before == 0 {
                return;
            }
            let mut micros = 3_000;
            if inside == 0 {
                // A transport waits for its timer.
                let deadlines = self.ends.iter().map(|end| end.transport.deadline());
                let next = deadlines.min().unwrap_or(Time::NEVER);
                assert!(next < Time::NEVER, "nobody sends what waits");
                micros = micros.max(next.since(self.now).nanos() / 1_000 + 1);
            }
            self.apply(Step::Wait { micros });
        }
        panic!("packets are stuck");
    }
}

/// A packet with the headers of every scheme that say `bytes`; tidied up, so that they can be read.
fn odd_packet(flow: FlowId, bytes: &[u8], tidy: bool) -> Packet {
    let mut packet = Packet::new(flow, Payload::Virtual(9), Tag::default());
    let number = bytes.first().map_or(0, |first| first % 2);
    let mut transport = bytes.to_vec();
    let mut hop = bytes.to_vec();
    if tidy && bytes.len() >= 18 {
        // Flags that a TCP can read, small numbers, and three blocks.
        transport[0] &= 0b1110_0000;
        transport[1..3].fill(0);
        transport[5] = 0x1C;
        transport[18..].fill(0);
        // Kind, flags, and small numbers that HxH can read.
        hop.truncate(16);
        (hop[0], hop[1]) = (1 + hop[0] % 4, hop[1] & 1);
        for high in [4, 6, 7, 8, 10, 11, 12, 14] {
            hop[high] = 0;
        }
    }
    packet.headers.set(NextHeader::transport(number), &transport);
    packet.headers.set(NextHeader::path(0), &bytes[..bytes.len().min(6)]);
    packet.headers.set(NextHeader::hop(number), &hop);
    packet
}

proptest! {
    #[test]
    fn no_header_makes_a_transport_panic(
        headers in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..=40), 1..50),
        tidy: bool,
    ) {
        for scheme in schemes() {
            for (end, flow) in [(0, flows()[0].reverse()), (flows().len(), flows()[0])] {
                let mut chain = Chain::new(scheme, 1);
                chain.write(0);
                for bytes in &headers {
                    let packet = odd_packet(flow, bytes, tidy);
                    chain.ends[end].arrived += 1;
                    chain.end_call(end, |transport, cx| transport.on_packet(cx, packet));
                    // An acknowledgment that carries data is nobody's.
                    while chain.end_call(end, |transport, cx| transport.poll_send(cx)).is_some() {}
                    prop_assert!(chain.ends[end].transport.backlog() < 2_000);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn every_scheme_keeps_its_books(
        seed: u64, steps in prop::collection::vec(step(), 1..300)
    ) {
        for scheme in schemes() {
            let mut chain = Chain::new(scheme, seed);
            for step in &steps {
                chain.apply(*step);
                chain.check();
            }
            chain.drain();
            chain.check();
        }
    }
}

#[test]
fn the_example_delivers_everything() {
    let mut chain = Chain::new(&lifo::SCHEME, 1);
    chain.write(0);
    chain.send(0);
    assert_eq!(chain.nodes[0].hop.backlog(), 20);
    chain.drain();
    assert_eq!(chain.ends[flows().len()].delivered, 20);
}

#[test]
fn every_scheme_describes_itself() {
    for (at, scheme) in SCHEMES.iter().enumerate() {
        let name = scheme.name;
        assert!(SCHEMES[..at].iter().all(|other| other.name != name), "two are called {name}");
        assert_eq!(find(name).map(|found| found.name), Some(name));
        assert!(!scheme.title.is_empty() && !scheme.paper.is_empty(), "{name}");
        let color = scheme.plot.color.strip_prefix('#').expect("a colour is #rrggbb");
        assert!(color.len() == 6 && u32::from_str_radix(color, 16).is_ok(), "{name}: {color}");
        assert!(
            SCHEMES[..at].iter().all(|Scheme { plot, .. }| {
                plot.color != scheme.plot.color && plot.marker != scheme.plot.marker
            }),
            "{name} looks like another scheme"
        );
    }
    assert!(find("no such scheme").is_none());
}

#[test]
fn every_parameter_is_complete_and_its_bounds_work() {
    let rate = Rate(1_000_000);
    for scheme in schemes() {
        for (at, param) in scheme.params.iter().enumerate() {
            let name = format!("{}.{}", scheme.name, param.name);
            assert!(scheme.params[..at].iter().all(|other| other.name != param.name), "{name}");
            assert!(param.about.len() > 20 && !param.about.contains("  "), "{name}");
            if let ParamKind::Count { default, .. } = param.kind {
                let half = [(param.name.to_owned(), Value::Number(f64::from(default) + 0.5))];
                let refused = Params::new(scheme, &half, rate).expect_err("half of one");
                assert!(refused.to_string().contains(param.name), "{refused}");
            }
            if let ParamKind::Number { .. } = param.kind {
                assert_ne!(param.unit, "bytes", "{name}: there is no half of one");
                assert!(!["s", "ms"].contains(&param.unit), "{name} is a span");
            }
            let values: Vec<Value> = match (param.kind, param.bounds()) {
                (_, Some((min, max))) => vec![min, param.default(), max],
                (ParamKind::Choice(among), None) => (0..among.len()).map(Value::Choice).collect(),
                (ParamKind::Switch(_), None) => vec![Value::Switch(false), Value::Switch(true)],
                (_, None) => vec![param.default()],
            };
            for value in values.into_iter().map(|value| [(param.name.to_owned(), value)]) {
                let params = Params::new(scheme, &value, rate).expect("within its bounds");
                let _ = (scheme.hop)(&params);
                let _ = (scheme.transport)(&params, flows()[0], End::Destination);
            }
        }
    }
}
