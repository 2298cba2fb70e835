//! Several frames of one node wait at a MAC: a medium with four places at each node sends them in any order, and a hop
//! protocol fills the places, and takes frames back.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use multihop_core::{
    Below, Cx, DropCause, Duration, Failed, FrameClass, FrameId, Heard, Hop, Medium, NodeId,
    Outcome, Packet, Purpose, Rate, Receiver, Report, Rng, Rx, Scheme, Time, Told, Transmission,
    TxDone, TxRequest, Verdict,
};
use multihop_scenario::{Registry, from_toml};
use multihop_schemes::udp;
use proptest::prelude::*;

use crate::Options;
use crate::engine::{Engine, Steps};
use crate::tests::assert_balanced;

/// How many frames a node may have waiting.
const PLACES: usize = 4;
/// How long a frame takes.
const AIR_TIME: Duration = Duration::from_millis(2);
const RATE: Rate = Rate(1_000_000);

/// A frame that waits.
struct Waiting {
    request: TxRequest,
    class: FrameClass,
    since: Time,
}

enum Event {
    Transmits,
    Hears(Rx),
    Done(TxDone),
}

/// Four places at each node, and a chain of nodes that hear the ones beside them, with losses.
struct Slots {
    places: Vec<Vec<Waiting>>,
    events: VecDeque<(NodeId, Event)>,
    sent: Option<(NodeId, TxRequest, FrameClass)>,
    number: u32,
    loss: f64,
    rng: Rng,
}

impl Slots {
    fn new(nodes: usize, loss: f64, seed: u64) -> Self {
        Slots {
            places: (0..nodes).map(|_| Vec::new()).collect(),
            events: VecDeque::new(),
            sent: None,
            number: 0,
            loss,
            rng: Rng::stream(seed, NodeId(0), Purpose::Mac),
        }
    }

    fn beside(&self, node: NodeId) -> Vec<NodeId> {
        let near = [node.0.wrapping_sub(1), node.0 + 1].map(NodeId);
        near.into_iter().filter(|near| near.index() < self.places.len()).collect()
    }
}

impl Medium for Slots {
    fn neighbours(&self) -> Vec<Vec<NodeId>> {
        (0..self.places.len() as u32).map(|node| self.beside(NodeId(node))).collect()
    }

    fn is_free(&self, node: NodeId) -> bool {
        self.places[node.index()].len() < PLACES
    }

    fn offer(
        &mut self,
        node: NodeId,
        request: &TxRequest,
        class: FrameClass,
        below: &mut Below,
    ) -> usize {
        let places = &mut self.places[node.index()];
        assert!(
            places.iter().all(|other| other.request.id != request.id),
            "one number, two frames"
        );
        places.push(Waiting { request: request.clone(), class, since: below.now });
        if places.len() == 1 {
            below.wakes.set_below(node, below.now + AIR_TIME);
        }
        0
    }

    fn withdraw(&mut self, node: NodeId, frame: FrameId, below: &mut Below) -> Option<TxDone> {
        let places = &mut self.places[node.index()];
        let at = places.iter().position(|waiting| waiting.request.id == frame)?;
        let Waiting { request, since, .. } = places.remove(at);
        if places.is_empty() {
            below.wakes.set_below(node, Time::NEVER);
        }
        let done = request.done(Outcome::Withdrawn, RATE);
        Some(TxDone { service: below.now.since(since), attempts: 0, ..done })
    }

    fn on_deadline(&mut self, node: NodeId, below: &mut Below) -> multihop_core::Woken {
        let places = &mut self.places[node.index()];
        let at = self.rng.below(places.len() as u32) as usize;
        let Waiting { request, class, .. } = places.remove(at);
        let next = if places.is_empty() { Time::NEVER } else { below.now + AIR_TIME };
        below.wakes.set_below(node, next);
        self.number += 1;
        self.events.push_back((node, Event::Transmits));
        for to in self.beside(node) {
            if self.rng.chance(self.loss) {
                continue;
            }
            let mine = request.to == Receiver::Node(to);
            let heard = if mine { Heard::ForMe } else { Heard::Overheard };
            let (packet, air_time) = (request.packet.clone(), AIR_TIME);
            let rx = Rx { from: node, heard, rate: RATE, signal: None, air_time, packet };
            self.events.push_back((to, Event::Hears(rx)));
        }
        let done = request.clone().done(Outcome::Sent, RATE);
        self.events.push_back((node, Event::Done(done)));
        self.sent = Some((node, request, class));
        multihop_core::Woken { on_air: false, wins: false, reports: self.events.len() }
    }

    fn transmission(&self) -> Transmission<'_> {
        let (from, request, class) = self.sent.as_ref().expect("a frame was sent");
        Transmission {
            number: self.number - 1,
            from: *from,
            to: None,
            class: *class,
            packet: Some(&request.packet),
            bytes: request.packet.len(),
            rate: multihop_core::Rate(0),
            air_time: AIR_TIME,
            wait: Duration::ZERO,
            reserved: Duration::ZERO,
            sequence: 0,
            aggregate: None,
        }
    }

    fn poll_report(&mut self, _now: Time, told: &mut Told) -> (NodeId, Report) {
        let (node, event) = self.events.pop_front().expect("there is one");
        let report = match event {
            Event::Transmits => Report::Transmits,
            Event::Hears(rx) => {
                told.heard = rx;
                Report::Hears
            }
            Event::Done(done) => {
                told.done = done;
                Report::Done
            }
        };
        (node, report)
    }

    fn restart(&mut self, node: NodeId, below: &mut Below) -> Vec<TxDone> {
        below.wakes.set_below(node, Time::NEVER);
        let frames = self.places[node.index()].drain(..);
        frames.map(|waiting| waiting.request.done(Outcome::Withdrawn, RATE)).collect()
    }
}

/// What the hop protocols of a run have seen.
#[derive(Debug, Default)]
struct Seen {
    most_below: usize,
    withdrawn: u32,
    out_of_order: u32,
}

/// A hop protocol that keeps as many frames below as there is room for, and takes some back.
struct Eager {
    waiting: VecDeque<(Packet, NodeId)>,
    /// The frames below, in the order in which they were handed over.
    below: Vec<(FrameId, Packet)>,
    next: u16,
    seen: Arc<Mutex<Seen>>,
}

impl Hop for Eager {
    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        if self.waiting.len() >= 20 {
            return cx.drop(packet, DropCause::QueueFull);
        }
        self.waiting.push_back((packet, next));
        // The third of those below makes room for it now and then.
        if let Some((frame, _)) = self.below.get(2)
            && cx.rng.chance(0.3)
        {
            cx.withdraw(*frame);
        }
    }

    fn on_heard(&mut self, _cx: &mut Cx, rx: &Rx) -> Verdict {
        if rx.heard == Heard::ForMe { Verdict::Accept } else { Verdict::Done }
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        let at = self.below.iter().position(|(id, _)| *id == done.id).expect("it was handed over");
        let (_, packet) = self.below.remove(at);
        assert_eq!(packet.tag, done.packet.tag, "another frame");
        let mut seen = self.seen.lock().expect("nobody panicked");
        seen.out_of_order += u32::from(at > 0 && done.outcome == Outcome::Sent);
        match (done.outcome, done.to) {
            (Outcome::Withdrawn, Receiver::Node(next)) => {
                seen.withdrawn += 1;
                self.waiting.push_back((packet, next));
            }
            _ => cx.release(&packet),
        }
        None
    }

    fn most_below(&self) -> usize {
        PLACES
    }

    fn poll_transmit(&mut self, _cx: &mut Cx) -> Option<TxRequest> {
        let (packet, next) = self.waiting.pop_front()?;
        let id = FrameId(self.next);
        self.next = (self.next + 1) % 1_000;
        self.below.push((id, packet.clone()));
        let mut seen = self.seen.lock().expect("nobody panicked");
        seen.most_below = seen.most_below.max(self.below.len());
        Some(TxRequest { id, ..TxRequest::new(Receiver::Node(next), packet) })
    }

    fn backlog(&self) -> usize {
        self.waiting.len() + self.below.len()
    }
}

fn eager(seen: &Arc<Mutex<Seen>>) -> &'static Scheme {
    let seen = Arc::clone(seen);
    let make = move |_: &_| -> Box<dyn Hop> {
        let (waiting, below, seen) = (VecDeque::new(), Vec::new(), Arc::clone(&seen));
        Box::new(Eager { waiting, below, next: 0, seen })
    };
    let hop = Box::leak(Box::new(make));
    Box::leak(Box::new(Scheme { name: "eager", params: &[], hop, ..udp::SCHEME }))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_copy_is_accounted_for_with_four_frames_below(
        seed in 0u64..1_000_000,
        hops in 2u32..6,
        loss in prop::sample::select(vec![0.0, 0.1, 0.5]),
        restarts: bool,
    ) {
        let mut text = format!(
            "seed = {seed}\nwarmup = \"1 s\"\nduration = \"4 s\"\n[topology]\nkind = \"bidirectional-chain\"\n\
             hops = {hops}\n[scheme]\nname = \"eager\"\n[traffic]\nload = \"3 Mbit/s\"\nstart = \"0.2 s\"\n"
        );
        if restarts {
            text += "[[restart]]\nnode = \"n1\"\nat = \"2 s\"\n";
        }
        let seen = Arc::default();
        let registry = Registry::default().with_scheme(eager(&seen));
        let setup = from_toml(&text).and_then(|scenario| scenario.setup_with(&registry));
        let setup = setup.unwrap_or_else(|error| panic!("{error}"));
        let medium = Box::new(Slots::new(setup.nodes.len(), loss, seed));
        let mut engine: Box<dyn Steps> = Box::new(Engine::new(medium, setup, Options::default()));
        engine.begin();
        prop_assert!(engine.proceed(Time::NEVER, u64::MAX), "to the end");
        let tables = engine.into_tables();
        let (_, delivered, lost) = assert_balanced(&tables, &text);
        prop_assert!(delivered > 0);
        prop_assert!(loss < 0.01 || lost > 0);
        let seen = seen.lock().expect("nobody panicked");
        prop_assert_eq!(seen.most_below, PLACES);
        prop_assert!(seen.withdrawn > 0 && seen.out_of_order > 0, "{:?}", seen);
    }
}
