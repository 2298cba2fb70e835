//! What every scheme has to keep, over random lists of operations: each scheme runs on a chain
//! of four nodes whose MACs, radios and clocks do what the operations say.

use std::collections::VecDeque;

use multihop_core::{
    Cx, Duration, Effect, FlowId, Heard, Hop, Message, NodeId, Outcome, Packet, ParamKind, Params,
    Payload, Purpose, Rate, Receiver, Rng, Rx, Scheme, Tag, Time, Transport, TxDone, TxRequest,
    Value, Verdict,
};
use multihop_schemes::{SCHEMES, find};
use proptest::prelude::*;

const NODES: usize = 4;

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
    enqueued: usize,
    left: usize,
}

/// A flow's sending end.
struct Source {
    transport: Box<dyn Transport>,
    written: usize,
    sent: usize,
    dropped: usize,
}

struct Chain {
    nodes: Vec<Node>,
    sources: Vec<Source>,
    now: Time,
}

impl Chain {
    fn new(scheme: &'static Scheme, seed: u64) -> Self {
        let params = Params::new(scheme, &[], Rate(1_000_000)).expect("the defaults are valid");
        let node = |index| Node {
            hop: (scheme.hop)(&params),
            rng: Rng::stream(seed, NodeId(index), Purpose::Protocol),
            below: None,
            inbox: VecDeque::new(),
            enqueued: 0,
            left: 0,
        };
        let source = |flow| Source {
            transport: (scheme.transport)(&params, flow),
            written: 0,
            sent: 0,
            dropped: 0,
        };
        Chain {
            nodes: (0..NODES as u32).map(node).collect(),
            sources: flows().into_iter().map(source).collect(),
            now: Time::ZERO,
        }
    }

    fn call<R>(&mut self, at: usize, handler: impl FnOnce(&mut dyn Hop, &mut Cx) -> R) -> R {
        let node = &mut self.nodes[at];
        let mut effects = Vec::new();
        let mut cx = Cx {
            now: self.now,
            me: NodeId(at as u32),
            rng: &mut node.rng,
            deaf: Duration::ZERO,
            effects: &mut effects,
        };
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
                Effect::Deliver(_) | Effect::Accept(_) => panic!("that is not for a hop protocol"),
                Effect::Trace(..) => {}
            }
        }
        if let Some(below) = withdrawn {
            self.done(at, below.request, Outcome::Withdrawn);
        }
        result
    }

    fn done(&mut self, at: usize, request: TxRequest, outcome: Outcome) {
        let TxRequest { to, packet, .. } = request;
        let done = TxDone { to, outcome, attempts: 1, air_time: Duration::ZERO, packet };
        self.call(at, |hop, cx| hop.on_tx_done(cx, done));
    }

    fn enqueue(&mut self, at: usize, packet: Packet) {
        let next = if packet.flow.destination.index() > at { at + 1 } else { at - 1 };
        self.nodes[at].enqueued += 1;
        self.call(at, |hop, cx| hop.on_enqueue(cx, packet, NodeId(next as u32)));
    }

    fn apply(&mut self, step: Step) {
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
                }
            }
            Step::Wait { micros } => {
                self.now += Duration::from_micros(micros);
                for at in 0..NODES {
                    if self.nodes[at].hop.deadline() <= self.now {
                        self.call(at, |hop, cx| hop.on_timeout(cx));
                    }
                    assert!(self.nodes[at].hop.deadline() > self.now, "a deadline in the past");
                }
            }
        }
    }

    fn source_call<R>(
        &mut self,
        flow: usize,
        handler: impl FnOnce(&mut dyn Transport, &mut Cx) -> R,
    ) -> R {
        let source = &mut self.sources[flow];
        let me = flows()[flow].source;
        let mut effects = Vec::new();
        let rng = &mut self.nodes[me.index()].rng;
        let mut cx = Cx { now: self.now, me, rng, deaf: Duration::ZERO, effects: &mut effects };
        let result = handler(source.transport.as_mut(), &mut cx);
        source.dropped += effects.iter().filter(|e| matches!(e, Effect::Drop(..))).count();
        result
    }

    fn write(&mut self, flow: usize) {
        // Bursts, so that buffers do overflow.
        for _ in 0..20 {
            let message = Message { payload: Payload::Virtual(512), tag: Tag::default() };
            self.sources[flow].written += 1;
            self.source_call(flow, |transport, cx| transport.on_message(cx, message));
        }
    }

    fn send(&mut self, flow: usize) {
        let id = flows()[flow];
        let at = id.source.index();
        for _ in 0..60 {
            if !self.nodes[at].hop.admits(id) {
                return;
            }
            let packet = self.source_call(flow, |transport, cx| transport.poll_send(cx));
            let Some(packet) = packet else { return };
            assert_eq!(packet.flow, id);
            self.sources[flow].sent += 1;
            self.enqueue(at, packet);
        }
        assert!(self.nodes[at].hop.backlog() <= 60, "a queue without bound");
    }

    fn finish(&mut self, at: usize, heard_by: u8) {
        let Some(Below { request, .. }) = self.nodes[at].below.take() else { return };
        let Receiver::Node(to) = request.to else { panic!("no broadcast in this chain") };
        let decodes = |node: usize| heard_by >> node & 1 == 1;
        let outcome = match (request.acknowledged, decodes(to.index())) {
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
                self.hear(node, &Rx { from: NodeId(at as u32), heard, air_time, packet });
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
        for source in &self.sources {
            let accounted = source.sent + source.dropped + source.transport.backlog();
            assert_eq!(source.written, accounted, "books of a source");
        }
    }

    /// From here on everything works: whatever is inside gets out.
    fn drain(&mut self) {
        for _ in 0..20_000 {
            for node in 0..NODES {
                self.apply(Step::Consume { node });
                self.apply(Step::Poll { node });
                self.apply(Step::Finish { node, heard: 0xFF });
            }
            for flow in 0..flows().len() {
                self.send(flow);
            }
            self.apply(Step::Wait { micros: 3_000 });
            let inside = self.nodes.iter().map(|node| node.hop.backlog()).sum::<usize>();
            let before = self.sources.iter().map(|source| source.transport.backlog());
            if inside + before.sum::<usize>() == 0 {
                return;
            }
        }
        panic!("packets are stuck");
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
        for scheme in SCHEMES {
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
fn every_scheme_describes_itself() {
    for (at, scheme) in SCHEMES.iter().enumerate() {
        let name = scheme.name;
        assert!(SCHEMES[..at].iter().all(|other| other.name != name), "two are called {name}");
        assert_eq!(find(name).map(|found| found.name), Some(name));
        assert!(!scheme.title.is_empty() && !scheme.paper.is_empty(), "{name}");
        let color = scheme.plot.color.strip_prefix('#').expect("a colour is #rrggbb");
        assert!(color.len() == 6 && u32::from_str_radix(color, 16).is_ok(), "{name}: {color}");
        assert!(
            SCHEMES[..at].iter().all(|other| other.plot != scheme.plot),
            "{name} looks like another scheme"
        );
    }
    assert!(find("no such scheme").is_none());
}

#[test]
fn every_parameter_is_complete_and_its_bounds_work() {
    let rate = Rate(1_000_000);
    for scheme in SCHEMES {
        for (at, param) in scheme.params.iter().enumerate() {
            let name = format!("{}.{}", scheme.name, param.name);
            assert!(scheme.params[..at].iter().all(|other| other.name != param.name), "{name}");
            assert!(param.about.len() > 20 && !param.about.contains("  "), "{name}");
            let values = match param.kind {
                ParamKind::Switch(_) => vec![Value::Switch(false), Value::Switch(true)],
                ParamKind::Number { default, min, max } => {
                    assert!((min..=max).contains(&default), "{name}");
                    vec![Value::Number(min), Value::Number(default), Value::Number(max)]
                }
            };
            for value in values {
                let given = [(param.name.to_owned(), value)];
                let params = Params::new(scheme, &given, rate).expect("within its bounds");
                let _ = (scheme.hop)(&params);
                let _ = (scheme.transport)(&params, flows()[0]);
            }
        }
    }
}
