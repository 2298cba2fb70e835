//! The loop: wake the node whose time has come, carry frames down and packets up.

use std::sync::atomic::{AtomicBool, Ordering};

use multihop_core::{
    DropCause, Event, EventKind, FlowId, NodeId, Purpose, Rng, Tag, Time, Transport,
};
use multihop_node::record::{Line, Recorder};
use multihop_node::{Input, Node, Output, Parts};
use multihop_routing::{FixedRoutes, Neighbours};
use multihop_scenario::Setup;
use multihop_scenario::setup::Medium;
use multihop_trace::{EventRow, EventTable, Fingerprint, What};

use crate::books::{Books, RetransmissionReason};
use crate::carrier::{Below, Carrier, Transmission, WireReport};
use crate::channel::Channel;
use crate::mac::{Action, Profile, Station};
use crate::radio::RadioCarrier;
use crate::results::{NodeCount, Tables, tables};
use crate::schedule::Wakes;
use crate::traffic::Source;
use crate::wired::WiredCarrier;

/// The run was stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the run was interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// What to keep of a run beyond its statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Write the event trace.
    pub trace: bool,
    /// Record what goes into this node; see [`multihop_node::record`].
    pub record: Option<NodeId>,
}

/// One run of a scenario.
pub struct Simulation {
    pub(crate) setup: Setup,
    pub(crate) now: Time,
    pub(crate) steps: u64,
    pub(crate) nodes: Vec<Node>,
    pub(crate) carrier: Carrier,
    pub(crate) books: Books,
    pub(crate) counts: Vec<NodeCount>,
    pub(crate) transmissions: u64,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) events: Option<EventTable>,
    pub(crate) paths: Vec<Vec<NodeId>>,
    wakes: Wakes,
    /// How often nodes were told something.
    inputs: u64,
    sources: Vec<Source>,
    /// The sources at each node.
    sources_at: Vec<Vec<usize>>,
    /// How many hops from its source a node is, for every source and node.
    positions: Vec<Vec<u8>>,
    actions: Vec<(NodeId, Action)>,
    wires: Vec<WireReport>,
    recording: Option<(NodeId, Recorder<Vec<u8>>)>,
}

/// What carries frames gets, of the fields of a simulation.
macro_rules! below {
    ($simulation:ident) => {
        Below {
            now: $simulation.now,
            wakes: &mut $simulation.wakes,
            actions: &mut $simulation.actions,
            wires: &mut $simulation.wires,
        }
    };
}

/// Not on the route.
const OFF_ROUTE: u8 = u8::MAX;

impl Simulation {
    /// A run of `setup`, about to begin.
    ///
    /// # Panics
    /// If there is no route between the ends of a flow, which [`Setup`] excludes.
    pub fn new(setup: Setup, options: Options) -> Self {
        let (carrier, routes) = carrier(&setup);
        let paths: Vec<Vec<NodeId>> = setup
            .sources
            .iter()
            .map(|source| {
                FixedRoutes::path(&routes, source.flow.source, source.flow.destination)
                    .expect("the scenario's check has found a route for every flow")
            })
            .collect();
        let count = setup.nodes.len();
        let nodes = routes
            .into_iter()
            .enumerate()
            .map(|(node, routes)| node_of(&setup, NodeId(node as u32), routes));
        let mut simulation = Simulation {
            now: Time::ZERO,
            steps: 0,
            nodes: nodes.collect(),
            carrier,
            books: Books::new(setup.sources.len(), setup.warmup, setup.series_interval),
            counts: vec![NodeCount::default(); count],
            transmissions: 0,
            fingerprint: Fingerprint::default(),
            events: options.trace.then(EventTable::default),
            wakes: Wakes::new(count),
            inputs: 0,
            sources: (0u32..)
                .zip(&setup.sources)
                .map(|(index, source)| Source::new(index, source, setup.seed))
                .collect(),
            sources_at: vec![Vec::new(); count],
            positions: paths.iter().map(|path| positions(path, count)).collect(),
            paths,
            actions: Vec::new(),
            wires: Vec::new(),
            recording: options.record.map(|node| (node, Recorder::new(Vec::new()))),
            setup,
        };
        simulation.start(options);
        simulation
    }

    fn start(&mut self, options: Options) {
        for (index, source) in self.sources.iter().enumerate() {
            self.sources_at[source.flow.source.index()].push(index);
        }
        if let Carrier::Radio(radio) = &mut self.carrier {
            for (station, node) in radio.stations.iter_mut().zip(&self.nodes) {
                station.set_promiscuous(node.promiscuous());
                station.set_tracing(options.trace);
            }
        }
        for node in 0..self.nodes.len() {
            self.reschedule(NodeId(node as u32));
        }
    }

    /// Run to the end of the scenario.
    ///
    /// # Errors
    /// If `cancel` becomes true.
    pub fn run(mut self, cancel: &AtomicBool) -> Result<Tables, Interrupted> {
        self.run_until(self.setup.end, cancel)?;
        Ok(tables(self))
    }

    /// Run up to `until`, at the latest to the end of the scenario; [`Simulation::run`] goes on
    /// from there.
    ///
    /// # Errors
    /// If `cancel` becomes true.
    pub fn run_until(&mut self, until: Time, cancel: &AtomicBool) -> Result<(), Interrupted> {
        let until = until.min(self.setup.end);
        loop {
            let (at, node) = self.wakes.next();
            if at >= until {
                break;
            }
            if self.now < self.setup.warmup && at >= self.setup.warmup {
                self.begin_measuring();
            }
            self.now = at.max(self.now);
            self.steps += 1;
            if self.steps.is_multiple_of(4096) && cancel.load(Ordering::Relaxed) {
                return Err(Interrupted);
            }
            self.step(node);
        }
        self.now = self.now.max(until);
        Ok(())
    }

    /// Mobility: `node` is at (`x`, `y`), in m, from now on.
    pub fn move_node(&mut self, node: NodeId, x: f64, y: f64) {
        if let Carrier::Radio(radio) = &mut self.carrier {
            radio.channel.move_node(node, x, y);
        }
    }

    /// Everything that is due at `node` now.
    fn step(&mut self, node: NodeId) {
        let (now, inputs) = (self.now, self.inputs);
        if self.wakes.is_above_due(node, now) {
            for at in 0..self.sources_at[node.index()].len() {
                let index = self.sources_at[node.index()][at];
                while self.sources[index].next <= now {
                    self.send(node, index);
                }
            }
            if self.nodes[node.index()].deadline() <= now {
                self.handle(node, Input::Deadline);
            }
        }
        if self.wakes.is_below_due(node, now) {
            let (carrier, below) = (&mut self.carrier, &mut below!(self));
            carrier.on_deadline(node, below);
            self.report(node);
        }
        // A node that was told nothing has nothing new to send, and its deadline stands.
        if self.inputs != inputs {
            self.serve(node);
            self.reschedule(node);
        }
    }

    /// Source number `index`, at `node`, sends a message.
    fn send(&mut self, node: NodeId, index: usize) {
        let message = self.sources[index].send();
        let flow = self.sources[index].flow;
        self.books.offer(message.tag, self.now);
        self.handle(node, Input::Message { flow, message });
    }

    /// Deal with what happened below the nodes while `current` was served.
    fn report(&mut self, current: NodeId) {
        if self.actions.is_empty() && self.wires.is_empty() {
            return;
        }
        let mut actions = std::mem::take(&mut self.actions);
        for (node, action) in actions.drain(..) {
            self.on_action(node, action);
            if node != current {
                self.serve(node);
                self.reschedule(node);
            }
        }
        debug_assert!(self.actions.is_empty(), "whoever makes a station act reports it");
        self.actions = actions;
        for report in std::mem::take(&mut self.wires) {
            self.on_wire(report);
        }
    }

    fn on_action(&mut self, node: NodeId, action: Action) {
        let Carrier::Radio(radio) = &self.carrier else { return };
        match action {
            Action::Transmit(frame) => {
                let transmission = radio.transmission(&frame);
                self.on_transmission(&transmission);
            }
            Action::Receive(frame) => {
                let rx = radio.rx(node, &frame);
                self.handle(node, Input::Heard(rx));
            }
            Action::Done { outcome, attempts, air_time, job } => {
                let done = radio.done(job, outcome, attempts, air_time);
                self.handle(node, Input::TxDone(done));
            }
            Action::Heard(frame) => {
                self.trace_frame(What::Receive, node, &radio.transmission(&frame), "");
            }
            Action::Lost(frame, cause) => {
                self.trace_frame(What::Loss, node, &radio.transmission(&frame), cause.name());
            }
        }
    }

    fn on_wire(&mut self, report: WireReport) {
        match report {
            WireReport::Heard(node, rx) => {
                let tag = rx.packet.tag;
                self.handle(node, Input::Heard(rx));
                self.books.released(tag);
            }
            WireReport::Done(node, done) => self.handle(node, Input::TxDone(done)),
            WireReport::Transmits(transmission) => {
                self.on_transmission(&transmission);
                if let Some(tag) = transmission.tag {
                    self.books.in_transit(tag);
                }
            }
            WireReport::QueueFull(node, packet) => {
                self.dropped(node, packet.tag, DropCause::QueueFull);
            }
        }
    }

    /// Tell a node something, and do what it answers.
    fn handle(&mut self, node: NodeId, input: Input) {
        let at = self.now;
        self.inputs += 1;
        self.record(node, || Line::Handle { at, input: input.clone() });
        self.nodes[node.index()].handle(at, input);
        self.drain(node);
    }

    fn drain(&mut self, node: NodeId) {
        while let Some(output) = self.nodes[node.index()].poll_output() {
            self.record(node, || Line::Output(output.clone()));
            match output {
                Output::Deliver(packet) => {
                    let (tag, payload) = (packet.tag, packet.payload.len());
                    self.fingerprint.mix(self.now.nanos() ^ u64::from(tag.number) << 20);
                    self.books.delivered(tag, payload, self.now);
                    self.trace(node, What::Deliver, tag, "");
                }
                Output::Accept(tag) => {
                    let position = self.position(tag, node);
                    self.books.accepted(tag, position);
                }
                Output::Release(tag) => self.books.released(tag),
                Output::Drop(packet, cause) => self.dropped(node, packet.tag, cause),
                Output::Withdraw => self.withdraw(node),
                Output::Trace(event, tag) => self.on_event(node, event, tag),
            }
        }
    }

    fn withdraw(&mut self, node: NodeId) {
        let (carrier, below) = (&mut self.carrier, &mut below!(self));
        if let Some(done) = carrier.withdraw(node, below) {
            self.handle(node, Input::TxDone(done));
        }
    }

    /// While the MAC is free, give it the node's next frame.
    fn serve(&mut self, node: NodeId) {
        while self.carrier.is_free(node) {
            let at = self.now;
            let request = self.nodes[node.index()].poll_transmit(at);
            self.record(node, || Line::Transmit { at, request: request.clone() });
            self.drain(node);
            let Some(request) = request else { break };
            let label = self.nodes[node.index()].label(&request.packet);
            let (carrier, below) = (&mut self.carrier, &mut below!(self));
            carrier.offer(node, request, label, below);
            self.report(node);
        }
    }

    fn reschedule(&mut self, node: NodeId) {
        let next = |index: &usize| self.sources[*index].next;
        let source = self.sources_at[node.index()].iter().map(next).min();
        let deadline = self.nodes[node.index()].deadline();
        self.wakes.set_above(node, deadline.min(source.unwrap_or(Time::NEVER)));
    }

    fn dropped(&mut self, node: NodeId, tag: Tag, cause: DropCause) {
        self.books.dropped(tag, cause);
        self.trace(node, What::Drop, tag, cause.name());
    }

    fn on_transmission(&mut self, frame: &Transmission) {
        let (node, now) = (frame.from, self.now);
        self.fingerprint.mix(now.nanos() ^ u64::from(node.0) << 48 ^ frame.air_time.nanos() << 16);
        if let Some(tag) = frame.tag {
            let position = self.position(tag, node);
            if position != OFF_ROUTE {
                self.books.sent(tag, position, now);
            }
        }
        if now >= self.setup.warmup {
            self.transmissions += 1;
            self.counts[node.index()].transmitted(frame);
        }
        self.trace_frame(What::TransmitStart, node, frame, "");
    }

    fn on_event(&mut self, node: NodeId, event: Event, tag: Tag) {
        let mut cause = "";
        if event.kind == EventKind::Retransmission {
            let position = self.position(tag, node);
            let reason = self.books.reason(tag, position);
            cause = reason.name();
            if self.now >= self.setup.warmup {
                self.counts[node.index()].retransmissions[reason as usize] += 1;
            }
        }
        self.trace(node, What::Protocol(event.kind), tag, cause);
    }

    fn position(&self, tag: Tag, node: NodeId) -> u8 {
        self.positions[tag.source as usize][node.index()]
    }

    /// The warm-up is over: measurements that stations add up start from here.
    fn begin_measuring(&mut self) {
        let Carrier::Radio(radio) = &self.carrier else { return };
        for (count, station) in self.counts.iter_mut().zip(&radio.stations) {
            count.before = station.air_times(self.setup.warmup);
            count.losses_before = station.losses();
        }
    }

    // ---- traces -------------------------------------------------------------------------

    fn trace(&mut self, node: NodeId, what: What, tag: Tag, cause: &'static str) {
        if let Some(events) = &mut self.events {
            let row = EventRow::new(self.now, node, what);
            events.push(EventRow { tag: Some(tag), cause, ..row });
        }
    }

    fn trace_frame(&mut self, what: What, node: NodeId, frame: &Transmission, cause: &'static str) {
        if let Some(events) = &mut self.events {
            events.push(EventRow {
                frame: frame.label,
                peer: if what == What::TransmitStart { frame.to } else { Some(frame.from) },
                tag: frame.tag,
                bytes: frame.bytes,
                air_time: frame.air_time,
                cause,
                ..EventRow::new(self.now, node, what)
            });
        }
    }

    fn record(&mut self, node: NodeId, line: impl FnOnce() -> Line) {
        if let Some((recorded, recorder)) = &mut self.recording
            && *recorded == node
        {
            recorder.line(&line()).expect("writing to memory does not fail");
        }
    }

    /// The recording that [`Options::record`] asked for, as text.
    pub(crate) fn take_recording(&mut self) -> Option<String> {
        let (_, recorder) = self.recording.take()?;
        let bytes = recorder.finish().expect("memory needs no flushing");
        Some(String::from_utf8(bytes).expect("JSON is UTF-8"))
    }
}

impl RetransmissionReason {
    const fn name(self) -> &'static str {
        match self {
            RetransmissionReason::LostData => "lost_data",
            RetransmissionReason::LostAcknowledgment => "lost_acknowledgment",
            RetransmissionReason::EarlyTimeout => "early_timeout",
        }
    }
}

/// Node `me` of `setup`, as the simulation builds it: to run a recording again.
pub fn build_node(setup: &Setup, me: NodeId) -> Node {
    let mut routes = carrier(setup).1;
    node_of(setup, me, routes.swap_remove(me.index()))
}

fn carrier(setup: &Setup) -> (Carrier, Vec<FixedRoutes>) {
    let (carrier, neighbours) = match &setup.medium {
        Medium::Radio(radio, mac) => {
            let channel = Channel::new(&setup.nodes, radio.clone(), setup.seed);
            let neighbours = channel.neighbours();
            let profile = Profile::new(mac.clone(), radio);
            let stations = (0..setup.nodes.len() as u32)
                .map(|node| Station::new(NodeId(node), setup.seed, &profile))
                .collect();
            let radio = RadioCarrier::new(channel, profile, stations);
            (Carrier::Radio(Box::new(radio)), neighbours)
        }
        Medium::Wired(wired) => {
            let neighbours = within_range(setup, wired.neighbour_range);
            let carrier = WiredCarrier::new(&neighbours, wired.clone());
            (Carrier::Wired(carrier), neighbours)
        }
    };
    let destinations: Vec<_> = setup.sources.iter().map(|s| s.flow.destination).collect();
    let routes = FixedRoutes::shortest(&neighbours, &destinations);
    (carrier, routes)
}

fn within_range(setup: &Setup, range: f64) -> Neighbours {
    let nodes = &setup.nodes;
    let near = |(at, here): (usize, &multihop_scenario::setup::Node)| {
        let linked = |(other, there): (usize, &multihop_scenario::setup::Node)| {
            let distance = libm::hypot(here.x - there.x, here.y - there.y);
            (other != at && distance <= range).then_some(NodeId(other as u32))
        };
        nodes.iter().enumerate().filter_map(linked).collect()
    };
    nodes.iter().enumerate().map(near).collect()
}

/// Build node `me` of a scenario, as every host does: its hop protocol, its routes, and the
/// transports of the flows that start or end at it.
fn node_of(setup: &Setup, me: NodeId, routes: FixedRoutes) -> Node {
    let ends_here = |flow: &FlowId| flow.source == me || flow.destination == me;
    let mut flows: Vec<FlowId> =
        setup.sources.iter().map(|source| source.flow).filter(ends_here).collect();
    flows.sort_unstable();
    flows.dedup();
    let transport = |flow| -> (FlowId, Box<dyn Transport>) {
        (flow, (setup.scheme.transport)(&setup.params, flow))
    };
    Node::new(Parts {
        me,
        rng: Rng::stream(setup.seed, me, Purpose::Protocol),
        hop: (setup.scheme.hop)(&setup.params),
        routing: Box::new(routes),
        transports: flows.into_iter().map(transport).collect(),
    })
}

fn positions(path: &[NodeId], nodes: usize) -> Vec<u8> {
    let mut positions = vec![OFF_ROUTE; nodes];
    for (position, node) in path.iter().enumerate() {
        positions[node.index()] = position as u8;
    }
    positions
}
