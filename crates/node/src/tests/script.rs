//! Parts of a node that do as a test says, and write down what they are told.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use multihop_core::{
    AirTime, CarriedBy, Cx, DropCause, End, EventKind, Failed, FlowId, FrameId, Hop, HopStep,
    Message, NodeId, Outcome, Packet, Purpose, QueueDiscipline, Receiver, Rng, Route, RouteNews,
    Routing, RoutingStep, Rx, Time, Transport, TxDone, TxRequest, Verdict,
};

use super::{INWARD, ME, NEXT, OUTWARD};
use crate::{Addresses, Input, Node, Parts, Transports};

/// What the parts were told, in order.
pub(super) type Diary = Arc<Mutex<Vec<String>>>;

/// What the test has decided that the parts say.
#[derive(Clone)]
pub(super) struct Script {
    pub(super) diary: Diary,
    pub(super) verdict: Verdict,
    pub(super) route: Route,
    /// Packets that the hop admits, in all.
    pub(super) admits: usize,
    /// What routing wants next, the last first.
    pub(super) steps: Arc<Mutex<Vec<RoutingStep>>>,
    /// What the hop wants next, the last first.
    pub(super) hop_steps: Arc<Mutex<Vec<HopStep>>>,
    /// The length of every route that routing knows.
    pub(super) hops: Option<u32>,
    /// How routing's messages wait.
    pub(super) discipline: QueueDiscipline,
    /// The next hop that the hop knows itself.
    pub(super) way: Option<NodeId>,
    /// Whether the hop keeps packets that the MAC could not deliver or routing cannot route.
    pub(super) keeps: Keeps,
    /// How the node knows its neighbours' addresses.
    pub(super) addresses: Addresses,
    /// When hop, transports, and routing want to be called.
    pub(super) deadlines: [Time; 3],
    /// The flows that the host has opened.
    pub(super) flows: Vec<FlowId>,
    /// What carries a flow of which the node knows nothing, and how many such flows it keeps.
    pub(super) carrier: Option<CarriedBy>,
    pub(super) most_accepted: usize,
    /// How many frames of the hop may be below.
    pub(super) most_below: usize,
    /// The groups to which the node belongs.
    pub(super) groups: Vec<NodeId>,
    /// How often the hop was asked whether it admits a packet, and a transport for a packet or for
    /// its deadline.
    pub(super) questions: Arc<AtomicUsize>,
    /// What the hop was told of the radio's time, with the last frame.
    pub(super) air: Arc<Mutex<AirTime>>,
}

/// Whether a hop keeps packets that cannot go on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeps {
    Nothing,
    Everything,
}

impl Script {
    pub(super) fn new() -> Self {
        Script {
            diary: Diary::default(),
            verdict: Verdict::Accept,
            route: Route::Via(NEXT),
            admits: usize::MAX,
            steps: Arc::default(),
            hop_steps: Arc::default(),
            hops: None,
            discipline: QueueDiscipline::NewestFirst(3),
            way: None,
            keeps: Keeps::Nothing,
            addresses: Addresses::Known,
            deadlines: [Time::NEVER; 3],
            flows: vec![INWARD, OUTWARD],
            carrier: None,
            most_accepted: 2,
            most_below: 1,
            groups: Vec::new(),
            questions: Arc::default(),
            air: Arc::default(),
        }
    }

    pub(super) fn node(&self) -> Node {
        let mut node = Node::new(Parts {
            me: ME,
            incarnation: 0,
            rng: Rng::stream(1, ME, Purpose::Protocol),
            hop: Box::new(Queue { script: self.clone(), waiting: Vec::new(), handed: 0 }),
            routing: Box::new(Routes(self.clone())),
            addresses: self.addresses,
            transports: Box::new(self.clone()),
            most_accepted: self.most_accepted,
            groups: self.groups.clone(),
        });
        for flow in self.flows.iter().copied() {
            node.handle(Time::ZERO, Input::Open { flow, carried_by: CarriedBy::Scheme });
        }
        node
    }

    fn write(&self, line: String) {
        self.diary.lock().expect("no test panics while writing").push(line);
    }

    /// What the parts were told since the last call.
    pub(super) fn told(&self) -> Vec<String> {
        std::mem::take(&mut *self.diary.lock().expect("no test panics while writing"))
    }
}

impl Transports for Script {
    fn make(&self, flow: FlowId, _end: End, _carried_by: CarriedBy) -> Box<dyn Transport> {
        Box::new(Pipe { script: self.clone(), flow, waiting: Vec::new() })
    }

    fn carrier(&self, _packet: &Packet) -> Option<CarriedBy> {
        self.carrier
    }
}

impl Script {
    fn asked(&self) {
        self.questions.fetch_add(1, Ordering::Relaxed);
    }

    /// How many questions were asked since the last call.
    pub(super) fn questions(&self) -> usize {
        self.questions.swap(0, Ordering::Relaxed)
    }
}

struct Queue {
    script: Script,
    waiting: Vec<(Packet, NodeId)>,
    /// How many frames it has handed over, of several that may be below.
    handed: u16,
}

impl Hop for Queue {
    fn admits(&self, _flow: FlowId) -> bool {
        self.script.asked();
        self.waiting.len() < self.script.admits
    }

    fn way(&self, _packet: &Packet) -> Option<NodeId> {
        self.script.way
    }

    fn on_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        if self.script.keeps == Keeps::Everything {
            self.script.write(format!("unroutable {}", packet.tag.number));
        } else {
            cx.drop(packet, DropCause::NoRoute);
        }
    }

    fn on_route(&mut self, _cx: &mut Cx, news: RouteNews) {
        self.script.write(format!("hop: {news:?}"));
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<HopStep> {
        self.script.hop_steps.lock().expect("no test panics while polling").pop()
    }

    fn on_enqueue(&mut self, _cx: &mut Cx, packet: Packet, next: NodeId) {
        self.script.write(format!("enqueue {} ttl {} to {next}", packet.tag.number, packet.ttl));
        self.waiting.push((packet, next));
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        *self.script.air.lock().expect("no test panics while noting") = cx.air;
        self.script.write(format!("heard {} from {}", rx.packet.tag.number, rx.from));
        cx.trace(EventKind::ImplicitAcknowledgment, rx.packet.flow, 7, rx.packet.tag);
        self.script.verdict
    }

    fn on_consumed(&mut self, cx: &mut Cx, packet: &Packet, from: NodeId) {
        self.script.write(format!("consumed {} from {from}", packet.tag.number));
        cx.trace(EventKind::ExplicitAcknowledgment, packet.flow, 8, packet.tag);
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        let of = match done.id {
            FrameId::ONLY => String::new(),
            FrameId(number) => format!(" of frame {number}"),
        };
        self.script.write(format!("done {:?}{of}", done.outcome));
        if done.outcome == Outcome::Failed && self.script.keeps == Keeps::Everything {
            return Some(Failed::Kept(done.packet.flow.destination));
        }
        if done.outcome == Outcome::Failed {
            return Some(Failed::GivenUp(done.packet.clone()));
        }
        cx.release(&done.packet);
        None
    }

    fn on_neighbour_lost(&mut self, _cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        let lost = self.waiting.extract_if(.., |(_, to)| *to == next);
        lost.map(|(packet, _)| packet).collect()
    }

    fn on_deadline(&mut self, _cx: &mut Cx) {
        self.script.write("hop timeout".to_owned());
    }

    fn deadline(&self) -> Time {
        self.script.deadlines[0]
    }

    fn most_below(&self) -> usize {
        self.script.most_below
    }

    fn poll_transmit(&mut self, _cx: &mut Cx) -> Option<TxRequest> {
        if self.waiting.is_empty() {
            return None;
        }
        let (packet, next) = self.waiting.remove(0);
        let id = FrameId(if self.script.most_below > 1 { self.handed } else { 0 });
        self.handed += 1;
        Some(TxRequest { id, ..TxRequest::new(Receiver::Node(next), packet) })
    }

    fn backlog(&self) -> usize {
        self.waiting.len()
    }
}

struct Pipe {
    script: Script,
    flow: FlowId,
    waiting: Vec<Message>,
}

impl Transport for Pipe {
    fn wants_message(&self, _room: bool) -> bool {
        self.waiting.is_empty()
    }

    fn on_message(&mut self, _cx: &mut Cx, message: Message) {
        self.waiting.push(message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        self.script.write(format!("{} gets {}", self.flow, packet.tag.number));
        cx.deliver(packet);
    }

    fn on_route(&mut self, _cx: &mut Cx, news: RouteNews) {
        self.script.write(format!("{}: {news:?}", self.flow));
    }

    fn on_deadline(&mut self, _cx: &mut Cx) {
        self.script.write(format!("{} timeout", self.flow));
    }

    fn deadline(&self) -> Time {
        self.script.asked();
        if self.flow == OUTWARD { self.script.deadlines[1] } else { Time::NEVER }
    }

    fn poll_send(&mut self, _cx: &mut Cx) -> Option<Packet> {
        self.script.asked();
        self.give_up()
    }

    fn give_up(&mut self) -> Option<Packet> {
        let message = (!self.waiting.is_empty()).then(|| self.waiting.remove(0))?;
        Some(Packet::new(self.flow, message.payload, message.tag))
    }

    fn backlog(&self) -> usize {
        self.waiting.len()
    }
}

struct Routes(Script);

impl Routing for Routes {
    fn route(&mut self, _cx: &mut Cx, _packet: &mut Packet) -> Route {
        self.0.route
    }

    fn hops_to(&self, _destination: NodeId, _now: Time) -> Option<u32> {
        self.0.hops
    }

    fn queue_discipline(&self) -> QueueDiscipline {
        self.0.discipline
    }

    fn on_heard(&mut self, _cx: &mut Cx, rx: &Rx) {
        self.0.write(format!("routing heard {}", rx.packet.tag.number));
    }

    fn on_link_failure(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.0.write(format!("routing lost {} on the way to {next}", packet.tag.number));
        cx.drop(packet, DropCause::RetriesSpent);
    }

    fn on_link_lost(&mut self, _cx: &mut Cx, destination: NodeId, next: NodeId) {
        self.0.write(format!("routing lost the link to {next} on the way to {destination}"));
    }

    fn hold(&mut self, _cx: &mut Cx, packet: Packet) {
        self.0.write(format!("routing holds {}", packet.tag.number));
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<RoutingStep> {
        self.0.steps.lock().expect("no test panics while polling").pop()
    }

    fn on_deadline(&mut self, _cx: &mut Cx) {
        self.0.write("routing timeout".to_owned());
    }

    fn deadline(&self) -> Time {
        self.0.deadlines[2]
    }
}
