//! What every scheme has to keep over every routing protocol, over random lists of operations: nodes
//! run on a chain of four whose MACs, radios, routes and clocks do what the operations say. The kit
//! audits every call.

use chain::{NODES, Named, ends, flows, params};
use multihop_core::{
    Duration, End, FlowId, Heard, NextHeader, NodeId, Packet, ParamError, ParamKind, Params,
    Payload, Rate, Receiver, Routing, Scheme, Tag, Time, Value,
};
use multihop_node::Input;
use multihop_routing::{ROUTINGS, RoutingProtocol};
use multihop_schemes::{SCHEMES, find};
use multihop_testkit::{Fate, Links, Net, Queue, Watch, Ways, heard};
use proptest::prelude::*;

mod chain;
mod lifo;

/// Every scheme, one of them also with what is off by default, and the example of CONTRIBUTING.md.
fn schemes() -> impl Iterator<Item = &'static Scheme> {
    chain::schemes().into_iter().chain([&lifo::SCHEME])
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// An application has messages.
    Write { flow: usize },
    /// The MAC is free.
    Poll { node: usize },
    /// The frame goes on the air: it cannot be withdrawn any more.
    Start { node: usize },
    /// The frame is finished; bit n of `heard` says whether node n decodes it, and of `doubted`
    /// whether its acknowledgment is lost.
    Finish { node: usize, heard: u8, doubted: u8 },
    /// An application takes what has arrived and what arrives, or does not.
    Sink { flow: usize, ready: bool },
    /// Routing at a node loses the way to another one.
    Lose { node: usize, destination: usize },
    /// Routing at a node finds it again, and gives back what it has held.
    Find { node: usize, destination: usize },
    /// Time passes, and timers run out.
    Wait { micros: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    let node = || 0..NODES;
    let flow = || 0..flows().len();
    // One acknowledgment of eight is lost.
    let doubted = || (any::<u8>(), any::<u8>(), any::<u8>()).prop_map(|(a, b, c)| a & b & c);
    prop_oneof![
        2 => flow().prop_map(|flow| Step::Write { flow }),
        6 => node().prop_map(|node| Step::Poll { node }),
        2 => node().prop_map(|node| Step::Start { node }),
        6 => (node(), any::<u8>(), doubted())
            .prop_map(|(node, heard, doubted)| Step::Finish { node, heard, doubted }),
        2 => (flow(), any::<bool>()).prop_map(|(flow, ready)| Step::Sink { flow, ready }),
        1 => (node(), node()).prop_map(|(node, destination)| Step::Lose { node, destination }),
        2 => (node(), node()).prop_map(|(node, destination)| Step::Find { node, destination }),
        3 => (0u64..20_000).prop_map(|micros| Step::Wait { micros }),
    ]
}

/// Where the nodes have their routes from.
#[derive(Clone, Copy)]
enum Known {
    /// They lose and find them as the steps say.
    Scripted,
    /// From a routing protocol.
    By(&'static RoutingProtocol),
}

impl Known {
    /// All that `scheme` can go with.
    fn all(scheme: &Scheme) -> impl Iterator<Item = Known> {
        let forwarding = scheme.forwarding;
        let serving = ROUTINGS.iter().copied().filter(move |routing| routing.serves(forwarding));
        serving.map(Known::By).chain([Known::Scripted])
    }

    const fn name(self) -> &'static str {
        match self {
            Known::Scripted => "a script",
            Known::By(protocol) => protocol.name,
        }
    }

    fn routing(self, ways: &Ways, me: NodeId) -> Box<dyn Routing> {
        match self {
            Known::Scripted => ways.routing(me.index()),
            Known::By(protocol) => chain::routing(protocol, me),
        }
    }
}

struct Chain {
    net: Net,
    ways: Ways,
    known: Known,
    written: [u32; 3],
    _named: Named,
}

impl Chain {
    fn new(scheme: &'static Scheme, known: Known, seed: u64) -> Self {
        let ways = Ways::shortest(&Links::line(NODES));
        // As with AODV: a link that fails breaks the route. With fixed routes it does not.
        ways.break_at(0);
        ways.break_at(1);
        let net = chain::net(scheme, seed, |me| known.routing(&ways, me));
        let named = Named(scheme.name, known.name());
        Chain { net, ways, known, written: [0; 3], _named: named }
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Write { flow } => self.write(flow),
            Step::Poll { node } => self.net.poll(node),
            Step::Start { node } => self.net.start(node),
            Step::Finish { node, heard, doubted } => {
                self.net.finish(node, |other| match (heard >> other & 1, doubted >> other & 1) {
                    (0, _) => Fate::Lost,
                    (_, 0) => Fate::Heard,
                    _ => Fate::Unacknowledged,
                });
            }
            Step::Sink { flow, ready } => self.net.sink(flows()[flow], ready),
            Step::Lose { node, destination } => {
                self.ways.lose(node, destination);
                self.net.serve_deadline(node);
            }
            Step::Find { node, destination } => {
                self.ways.find(node, destination);
                self.net.serve_deadline(node);
            }
            Step::Wait { micros } => self.net.wait(Duration::from_micros(micros)),
        }
    }

    /// Bursts, so that buffers do overflow.
    fn write(&mut self, flow: usize) {
        for _ in 0..20 {
            self.net.write(flows()[flow], self.written[flow]);
            self.written[flow] += 1;
        }
    }

    /// From here on everything works: whatever is inside gets out.
    fn drain(&mut self) {
        for flow in flows() {
            self.net.sink(flow, true);
        }
        for _ in 0..20_000 {
            let mut sending = false;
            for node in 0..NODES {
                self.ways.find_all();
                self.net.serve_deadline(node);
                self.net.poll(node);
                sending |= self.net.has_frame(node);
                self.net.finish(node, |_| Fate::Heard);
            }
            if self.net.remaining() == 0 {
                return;
            }
            let mut span = Duration::from_micros(3_000);
            if !sending {
                // A part waits for its timer.
                let next = self.net.deadline();
                assert!(next < Time::NEVER, "nobody sends what waits, over {}", self.known.name());
                span = span.max(next.since(self.net.now) + Duration::from_micros(1));
            }
            self.net.wait(span);
        }
        panic!("{} packets are stuck, over {}", self.net.remaining(), self.known.name());
    }

    /// Frames go to neighbours.
    fn check(&self) {
        for frame in &self.net.log.sent {
            let to = match frame.to {
                Receiver::Node(to) => vec![to],
                Receiver::Pair(pair) => pair.to_vec(),
                Receiver::Broadcast => Vec::new(),
            };
            for to in to {
                assert_eq!(to.index().abs_diff(frame.from), 1, "to a node out of reach");
            }
        }
    }
}

/// A packet with the headers of every scheme that say `bytes`; tidied up, so that they can be read.
fn odd_packet(flow: FlowId, bytes: &[u8], tidy: bool) -> Packet {
    // One of two carries data, whatever its headers say of that.
    let (payload, tag) = match bytes.last().map_or(0, |last| last % 2) {
        0 => (Payload::Virtual(0), Tag::default().control()),
        _ => (Payload::Virtual(9), Tag::default()),
    };
    let mut packet = Packet::new(flow, payload, tag);
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
        hop.truncate(18);
        (hop[0], hop[1]) = (1 + hop[0] % 4, hop[1] & 1);
        for high in [4, 6, 7, 8, 10, 11, 12, 14, 16, 17] {
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
            let flow = flows()[0];
            let links = Links::line(NODES);
            let ways = Ways::shortest(&links);
            for (at, from, flow) in [(0, 1, flow.reverse()), (3, 2, flow)] {
                let mut net = Net::new(links.clone(), 1);
                net.air.acknowledges = false;
                for me in 0..NODES {
                    let header_len = (scheme.hop)(&params(scheme)).header_len();
                    let queue = Watch::new(Box::new(Queue::in_place_of(header_len)));
                    let ends = ends(scheme, NodeId(me as u32));
                    net.add(queue, Watch::new(ways.routing(me)), ends);
                }
                (0..20).for_each(|number| net.write(flows()[0], number));
                for bytes in &headers {
                    let packet = odd_packet(flow, bytes, tidy);
                    let rx = heard(NodeId(from), Heard::ForMe, packet);
                    net.tell(at, Input::Heard(rx));
                    // What it sends gets lost.
                    for sent in 0.. {
                        assert!(sent < 200, "a transport that sends without end");
                        net.poll(at);
                        if !net.has_frame(at) {
                            break;
                        }
                        net.finish(at, |_| Fate::Lost);
                    }
                    prop_assert!(net.node(at).backlog() < 2_000);
                }
            }
        }
    }
}

fn keeps_its_books(seed: u64, steps: &[Step]) {
    for (scheme, known) in schemes().flat_map(|one| Known::all(one).map(move |known| (one, known)))
    {
        let mut chain = Chain::new(scheme, known, seed);
        for step in steps {
            chain.apply(*step);
        }
        chain.drain();
        chain.check();
    }
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..300)
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn every_scheme_keeps_its_books(seed: u64, steps in steps()) {
        keeps_its_books(seed, &steps);
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    #[ignore = "long"]
    fn every_scheme_keeps_its_books_in_many_cases(seed: u64, steps in steps()) {
        keeps_its_books(seed, &steps);
    }
}

#[test]
fn the_example_delivers_everything() {
    let mut chain = Chain::new(&lifo::SCHEME, Known::Scripted, 1);
    chain.write(0);
    assert_eq!(chain.net.node(0).backlog(), 20);
    chain.drain();
    let mut delivered = chain.net.log.delivered(flows()[0]);
    delivered.sort_unstable();
    assert_eq!(delivered, (0..20).collect::<Vec<_>>());
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
            let values = match (param.kind, param.bounds()) {
                (_, Some((min, max))) => vec![min, param.default(), max],
                (ParamKind::Choice(among), None) => (0..among.len()).map(Value::Choice).collect(),
                (ParamKind::Switch(_), None) => vec![Value::Switch(false), Value::Switch(true)],
                (_, None) => vec![param.default()],
            };
            for value in values {
                let given = [(param.name.to_owned(), value)];
                let params = match Params::new(scheme, &given, rate) {
                    Err(ParamError::Contradicts { .. }) => continue,
                    params => params.expect("within its bounds"),
                };
                let _ = (scheme.hop)(&params);
                let _ = (scheme.transport)(&params, flows()[0], End::Destination);
            }
        }
    }
}
