//! The loop: wake the node whose time has come, carry frames down and packets up.

mod feed;
mod observe;
mod outer;
mod restart;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

use multihop_compose::fixed_routes;
use multihop_core::{
    Deadlines, DropCause, Duration, FlowId, NodeId, Packet, Rx, Schedule, Time, TxDone,
};
use multihop_medium::mac::Action;
use multihop_medium::{Below, Carrier, MANY, WireReport};
use multihop_node::record::{Line, Recorder};
use multihop_node::{Input, Node, Output};
use multihop_pages::HugePages;
use multihop_routing::{FixedRoutes, Life};
use multihop_setup::Setup;
use multihop_setup::{self as setup, Medium};
use multihop_trace::{EventTable, Observation, Observer};

use crate::observers::Observers;
use crate::results::Tables;
use crate::traffic::{Source, SourcesAt};
use crate::wakes::Wakes;
pub use outer::OuterRun;
use restart::Restarts;

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
    /// What reaches a node.
    pub packets: Packets,
}

/// In which form packets reach a node. The results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packets {
    /// As the neighbour has handed them over.
    #[default]
    Whole,
    /// As bytes, read anew at every reception: nothing passes that is not in the headers.
    Bytes,
}

/// What goes into a node and comes out of it: of which, until it restarts.
type Recording = (Option<NodeId>, Recorder<Vec<u8>>);

/// One run of a scenario, and those who watch it.
pub struct Simulation<'o> {
    setup: Setup,
    now: Time,
    steps: u64,
    nodes: Vec<Node>,
    carrier: Carrier,
    observers: Observers<'o>,
    /// When parts of nodes want to be woken, as far as it was told; empty if nobody wants to know.
    timers: Vec<Deadlines>,
    /// When somebody wants to be told again who senses whom.
    sensing_due: Time,
    wakes: Wakes,
    /// How often nodes were told something.
    inputs: u64,
    sources: Vec<Source>,
    /// The sources at each node.
    sources_at: Vec<SourcesAt>,
    /// The number of the source of every flow.
    source_of: BTreeMap<FlowId, usize>,
    link_layer_delay: Duration,
    /// How much later than now the packet that the current node was told of reaches its MAC.
    lag: Duration,
    /// Whether any source sends whenever its transport wants data.
    any_bulk: bool,
    /// Whether any node asks what its radio does with its time.
    watches_air: bool,
    /// Whether any node does, or wants to overhear others, as long as it listens.
    listeners: bool,
    actions: Vec<(NodeId, Action)>,
    wires: Vec<WireReport>,
    recording: Option<Recording>,
    packets: Packets,
    restarts: Restarts,
    /// When to tell again what radios do with their time.
    air_due: Time,
    /// When the next node restarts, somebody must be told of the air, or the run is over.
    stop: Time,
}

/// What carries frames gets, of the fields of a simulation.
macro_rules! below {
    ($simulation:ident) => {
        Below {
            now: $simulation.now,
            lag: $simulation.lag,
            alarm: &mut $simulation.wakes,
            actions: &mut $simulation.actions,
            wires: &mut $simulation.wires,
        }
    };
}

impl<'o> Simulation<'o> {
    /// A run of `setup`, about to begin.
    ///
    /// # Panics
    /// If it lasts for 36 years, which `multihop-scenario` refuses.
    pub fn new(setup: Setup, options: Options) -> Self {
        let carrier = Carrier::new(&setup);
        Self::on(carrier, setup, options)
    }

    /// The same on this `carrier`.
    fn on(carrier: Carrier, setup: Setup, options: Options) -> Self {
        assert!(setup.end < Schedule::HORIZON, "no scenario is that long");
        let routes = fixed_routes(&setup, &carrier.neighbours());
        let paths: Vec<Vec<NodeId>> = setup
            .sources
            .iter()
            .map(|source| FixedRoutes::path(&routes, source.flow).unwrap_or_default())
            .collect();
        let count = setup.nodes.len();
        let restarts = Restarts::new(&setup, &routes);
        let nodes = (0u32..).zip(routes).map(|(node, routes)| {
            multihop_compose::node(&setup, NodeId(node), routes, Life::default())
        });
        let sources: Vec<Source> = (0u32..)
            .zip(&setup.sources)
            .map(|(index, source)| {
                let flow = setup.addresses.flow(source.flow);
                Source::new(index, &setup::Source { flow, ..source.clone() }, setup.seed)
            })
            .collect();
        let mut simulation = Simulation {
            now: Time::ZERO,
            steps: 0,
            nodes: nodes.collect(),
            carrier,
            observers: Observers::new(&setup, &paths, options.trace.then(EventTable::default)),
            timers: Vec::new(),
            sensing_due: Time::NEVER,
            wakes: Wakes::new(count),
            inputs: 0,
            sources_at: sources_at(&setup.sources, &sources, count),
            any_bulk: sources.iter().any(Source::is_bulk),
            source_of: sources.iter().map(|source| source.flow).zip(0..).collect(),
            sources,
            link_layer_delay: match &setup.medium {
                Medium::Radio(_, mac) => mac.link_layer_delay,
                Medium::Wired(_) => Duration::ZERO,
            },
            lag: Duration::ZERO,
            watches_air: false,
            listeners: false,
            actions: Vec::new(),
            wires: Vec::new(),
            recording: options.record.map(|node| (Some(node), Recorder::new(Vec::new()))),
            packets: options.packets,
            air_due: Time::NEVER,
            stop: setup.end.min(restarts.next()),
            restarts,
            setup,
        };
        simulation.start();
        if count >= MANY {
            simulation.ask_for_huge_pages();
        }
        simulation
    }

    /// `observer` watches the run, too.
    #[must_use]
    pub fn watched_by(mut self, observer: &'o mut dyn Observer) -> Self {
        self.observers.push(observer);
        self
    }

    /// What it keeps of nodes is to lie on huge pages.
    fn ask_for_huge_pages(&self) {
        let mut pages = HugePages::default();
        pages.add(&self.nodes);
        self.carrier.add_to(&mut pages);
        pages.ask();
    }

    fn start(&mut self) {
        if let Carrier::Radio(radio) = &mut self.carrier {
            for (station, node) in radio.stations.iter_mut().zip(&self.nodes) {
                station.set_promiscuous(node.promiscuous());
            }
        }
        for node in 0..self.nodes.len() {
            self.open(NodeId(node as u32));
        }
        for node in 0..self.nodes.len() {
            if self.nodes[node].watches_air() {
                self.carrier.watch_air(NodeId(node as u32));
                self.watches_air = true;
            }
            if self.nodes[node].watches_air() || self.nodes[node].promiscuous() {
                self.listeners = true;
                self.follow_listening(NodeId(node as u32));
            }
            self.reschedule(NodeId(node as u32));
        }
    }

    /// Open the flows that start at `node`.
    fn open(&mut self, node: NodeId) {
        let mut indices = self.sources_at[node.index()].indices().to_vec();
        indices.sort_by_key(|index| self.setup.sources[*index].flow);
        for index in indices {
            let carried_by = self.setup.sources[index].carried_by;
            self.handle(node, Input::Open { flow: self.sources[index].flow, carried_by });
        }
    }

    /// Run to the end of the scenario.
    ///
    /// # Errors
    /// If `cancel` becomes true.
    pub fn run(mut self, cancel: &AtomicBool) -> Result<Tables, Interrupted> {
        self.tell_start();
        loop {
            let (at, node) = self.wakes.next();
            if at >= self.stop {
                if self.stop == self.setup.end {
                    break;
                }
                self.pause();
                continue;
            }
            self.advance(at);
            self.steps += 1;
            if self.steps.is_multiple_of(4096) && cancel.load(Ordering::Relaxed) {
                self.tell_fates();
                return Err(Interrupted);
            }
            self.step(node);
        }
        Ok(self.tables())
    }

    /// The run is over: what is left of it.
    fn tables(mut self) -> Tables {
        self.advance(self.setup.end);
        self.tell_end();
        let recording = self.take_recording();
        Tables { recording, ..self.observers.tables(&self.setup) }
    }

    /// What stands between two events: a restart, or that somebody must be told of the air.
    #[cold]
    fn pause(&mut self) {
        if self.air_due <= self.restarts.next() {
            self.advance(self.air_due);
            self.tell_air_times();
        } else {
            self.restart();
        }
        self.stop = self.setup.end.min(self.restarts.next()).min(self.air_due);
    }

    /// Something happens at `at`.
    #[inline]
    fn advance(&mut self, at: Time) {
        if self.now < self.setup.warmup && at >= self.setup.warmup {
            self.tell_measuring();
        }
        self.now = at.max(self.now);
    }

    /// Everything that is due at `node` now.
    fn step(&mut self, node: NodeId) {
        let (now, inputs) = (self.now, self.inputs);
        if self.nodes.len() >= MANY {
            self.read_ahead(node);
        }
        if self.wakes.is_above_due(node, now) {
            let mut from = 0;
            while let Some(at) = self.sources_at[node.index()].due(from, now) {
                self.on_source_due(node, at);
                from = at + 1;
            }
            if self.nodes[node.index()].deadline() <= now {
                self.handle(node, Input::Deadline);
            }
        }
        if self.wakes.is_below_due(node, now) {
            let (carrier, below) = (&mut self.carrier, &mut below!(self));
            let on_air = carrier.on_deadline(node, below);
            self.report(node);
            if on_air {
                self.transmit(node);
            }
        }
        // A node that was told nothing has nothing new to send, and its deadline stands.
        if self.inputs != inputs {
            self.settle(node);
        }
    }

    /// Read from memory, all at once, what `node` may need now, before one waits for the other.
    #[inline(never)]
    fn read_ahead(&self, node: NodeId) {
        black_box(self.nodes[node.index()].deadline());
        self.carrier.read_ahead(node);
    }

    /// `node` puts its frame on the air: the other radios learn of it at once.
    fn transmit(&mut self, node: NodeId) {
        let Carrier::Radio(radio) = &mut self.carrier else { return };
        radio.transmit(node, &mut below!(self));
        // The frame has gone around; what stations tell is dealt with in the order of their numbers.
        self.actions.sort_by_key(|(node, _)| *node);
        let frame = radio.transmission(node, radio.number());
        self.observers.tell(self.now, Observation::Transmission(frame));
        if let Some(fates) = radio.due_fates() {
            self.observers.tell_fates(self.now, fates);
        }
        self.report(node);
    }

    /// A node was told something: what it has to send goes to its MAC, and when it must be told
    /// something again may have changed.
    fn settle(&mut self, node: NodeId) {
        if self.any_bulk && self.sources_at[node.index()].any_bulk() {
            self.feed(node);
        }
        self.serve(node);
        self.lag = Duration::ZERO;
        if self.listeners {
            self.follow_listening(node);
        }
        self.reschedule(node);
    }

    /// `node` may have begun to listen, or stopped; it listens where an observer asks what radios do with their time.
    fn follow_listening(&mut self, node: NodeId) {
        let on = self.air_due != Time::NEVER || self.nodes[node.index()].listens();
        let (carrier, below) = (&mut self.carrier, &mut below!(self));
        carrier.set_listening(node, on, below);
    }

    /// Deal with what happened below the nodes while `current` was served: mostly nothing.
    #[inline]
    fn report(&mut self, current: NodeId) {
        if !self.actions.is_empty() {
            self.report_actions(current);
        }
        if !self.wires.is_empty() {
            self.report_wires();
        }
    }

    #[inline(never)]
    fn report_actions(&mut self, current: NodeId) {
        let mut next = 0;
        while let (Some((node, action)), Carrier::Radio(radio)) =
            (self.actions.get(next), &self.carrier)
        {
            let node = *node;
            match action {
                Action::Receive { frame, power } => {
                    let rx = radio.rx(node, frame, *power);
                    self.hear(node, rx);
                }
                Action::Done(ended) => {
                    let done = radio.done(ended, self.now);
                    self.service_ended(node, &done);
                    self.finish(node, &done);
                }
            }
            if node != current {
                self.settle(node);
            }
            next += 1;
        }
        debug_assert_eq!(self.actions.len(), next, "a station acts only when its time has come");
        self.actions.clear();
    }

    #[inline(never)]
    fn report_wires(&mut self) {
        for report in std::mem::take(&mut self.wires) {
            self.on_wire(report);
        }
    }

    fn on_wire(&mut self, report: WireReport) {
        match report {
            WireReport::Heard(arrival) => {
                self.tell_wire_arrival(&arrival);
                let tag = arrival.rx.packet.tag;
                self.hear(arrival.node, arrival.rx);
                self.observers.tell(self.now, Observation::WireLeft(tag));
            }
            WireReport::Done(node, done) => self.finish(node, &done),
            WireReport::Transmits(frame) => {
                self.tell_transmission(frame.transmission());
                self.observers.tell(self.now, Observation::WireEntered(frame.packet.tag));
            }
            WireReport::QueueFull(node, packet) => {
                // The copy for the wire; the sender's own goes when its MAC is done with the packet.
                self.observers.tell(self.now, Observation::WireEntered(packet.tag));
                self.dropped(node, &packet, DropCause::QueueFull);
            }
        }
    }

    /// A frame reaches a node.
    fn hear(&mut self, node: NodeId, mut rx: Rx) {
        if self.packets == Packets::Bytes {
            let read = Packet::parse(&rx.packet.emit()).expect("what a node sends can be read");
            rx.packet = read.named_as(&rx.packet);
        }
        self.begin(node, self.link_layer_delay * 2, || Input::Heard(rx.clone()));
        self.nodes[node.index()].hear(self.now, &mut rx);
        self.drain(node);
    }

    /// The MAC of `node` has finished with its frame.
    fn finish(&mut self, node: NodeId, done: &TxDone) {
        self.begin(node, Duration::ZERO, || Input::TxDone(done.clone()));
        self.nodes[node.index()].finish(self.now, done);
        self.drain(node);
    }

    /// Tell a node something, and do what it answers.
    fn handle(&mut self, node: NodeId, input: Input) {
        self.begin(node, self.lag.max(self.link_layer_delay), || input.clone());
        self.nodes[node.index()].handle(self.now, input);
        self.drain(node);
    }

    /// A node is about to be told `input`. What it answers reaches an idle MAC by `lag` later: a packet goes up
    /// through the link layer, and down again. A packet that has waited in the queue is there already.
    #[inline]
    fn begin(&mut self, node: NodeId, lag: Duration, input: impl FnOnce() -> Input) {
        if self.watches_air {
            self.tell_air(node);
        }
        self.inputs += 1;
        self.lag = lag;
        let at = self.now;
        record(&mut self.recording, node, || Line::Handle { at, input: input() });
    }

    /// Tell a node that asks for it what its radio has done with its time.
    #[inline(never)]
    fn tell_air(&mut self, node: NodeId) {
        if self.nodes[node.index()].watches_air() {
            let (at, input) = (self.now, Input::Air(self.carrier.air(node, self.now)));
            record(&mut self.recording, node, || Line::Handle { at, input: input.clone() });
            self.nodes[node.index()].handle(at, input);
        }
    }

    #[inline]
    fn drain(&mut self, node: NodeId) {
        if self.nodes[node.index()].has_output() {
            self.drain_all(node);
        }
    }

    #[inline(never)]
    fn drain_all(&mut self, node: NodeId) {
        while let Some(output) = self.nodes[node.index()].poll_output() {
            record(&mut self.recording, node, || Line::Output(output.clone()));
            match *output {
                Output::Deliver(ref packet) => {
                    self.observers.tell(self.now, Observation::Delivery { node, packet });
                }
                Output::Accept(tag) => {
                    self.observers.tell(self.now, Observation::Acceptance { node, tag });
                }
                Output::Release(tag) => {
                    self.observers.tell(self.now, Observation::Release { node, tag });
                }
                Output::Drop(ref packet, cause) => {
                    self.observers.tell(self.now, Observation::Drop { node, packet, cause });
                }
                Output::Withdraw => self.withdraw(node),
                Output::Mark => self.carrier.mark(node),
                Output::Decline => self.carrier.decline(node, &mut below!(self)),
                Output::LinkBroken(next) => self.link_broken(node, next),
                Output::Gauge(flow, gauge) => self.on_gauge(node, flow, gauge),
                Output::Estimate(estimate) => {
                    self.observers.tell(self.now, Observation::Estimate { node, estimate });
                }
                Output::Trace(event, tag) => self.on_event(node, event, tag),
            }
        }
    }

    fn withdraw(&mut self, node: NodeId) {
        let (carrier, below) = (&mut self.carrier, &mut below!(self));
        if let Some(done) = carrier.withdraw(node, below) {
            self.service_ended(node, &done);
            self.finish(node, &done);
        }
    }

    /// The MAC of `node` forgets everything. Returns the frame that it had.
    fn restart_carrier(&mut self, node: NodeId) -> Option<TxDone> {
        let (carrier, below) = (&mut self.carrier, &mut below!(self));
        carrier.restart(node, below)
    }

    /// While the MAC is free, give it the node's next frame.
    fn serve(&mut self, node: NodeId) {
        while self.carrier.is_free(node) {
            let at = self.now;
            let request = self.nodes[node.index()].poll_transmit(at);
            let line = || Line::Transmit { at, request: request.clone() };
            record(&mut self.recording, node, line);
            if let Some(request) = &request {
                // A node may let a packet go in the same call: the MAC has it then.
                self.service_started(node, &request.packet);
            }
            self.drain(node);
            let Some(request) = &request else { break };
            let class = self.nodes[node.index()].frame_class(&request.packet);
            let (carrier, below) = (&mut self.carrier, &mut below!(self));
            let before = below.actions.len();
            carrier.offer(node, request, class, below);
            debug_assert_eq!(self.actions.len(), before, "a station does not act on an offer");
            if !self.wires.is_empty() {
                self.report_wires();
            }
        }
    }

    #[expect(clippy::inline_always, reason = "it is what every input costs: see ADR 0073")]
    #[inline(always)]
    fn reschedule(&mut self, node: NodeId) {
        let source = self.sources_at[node.index()].next();
        let deadline = self.nodes[node.index()].deadline();
        self.wakes.set_above(node, deadline.min(source));
        if !self.timers.is_empty() {
            self.tell_timers(node);
        }
    }

    /// The recording that [`Options::record`] asked for, as text.
    fn take_recording(&mut self) -> Option<String> {
        let (_, recorder) = self.recording.take()?;
        let bytes = recorder.finish().expect("memory needs no flushing");
        Some(String::from_utf8(bytes).expect("JSON is UTF-8"))
    }
}

/// What went into a node, or came out of it, if `recording` is of this one.
#[inline]
fn record(recording: &mut Option<Recording>, node: NodeId, line: impl FnOnce() -> Line) {
    if let Some(recording) = recording {
        write_down(recording, node, line);
    }
}

#[cold]
#[inline(never)]
fn write_down((of, recorder): &mut Recording, node: NodeId, line: impl FnOnce() -> Line) {
    if *of == Some(node) {
        recorder.line(&line()).expect("writing to memory does not fail");
    }
}

/// The sources at each of so many nodes.
fn sources_at(setup: &[setup::Source], sources: &[Source], nodes: usize) -> Vec<SourcesAt> {
    let mut indices = vec![Vec::new(); nodes];
    for (index, source) in setup.iter().enumerate() {
        indices[source.flow.source.index()].push(index);
    }
    indices.into_iter().map(|indices| SourcesAt::new(indices, sources)).collect()
}
