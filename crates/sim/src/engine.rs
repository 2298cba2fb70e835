//! The loop: wake the node whose time has come, carry frames down and packets up.

mod feed;
mod observe;
mod outer;
mod restart;
mod steps;

use std::collections::BTreeMap;

use multihop_compose::fixed_routes;
use multihop_compose::record::{Line, Recorder};
use multihop_core::{
    BatchRoom, Below, Capability, CommonList, Deadlines, Duration, FlowId, FrameId, HandOver,
    Medium, NodeId, Packet, Report, Rx, Schedule, Time, Told, TxDone, Wakes, Woken,
};
use multihop_node::{Input, Node, Output};
use multihop_routing::{FixedRoutes, Life};
use multihop_setup as setup;
use multihop_setup::Setup;
use multihop_trace::Observation;

use crate::observers::{Observers, Paths};
use crate::options::{Options, Packets};
use crate::results::Tables;
use crate::stream::event_table;
use crate::traffic::{Source, SourcesAt};
pub use outer::OuterRun;
use restart::Restarts;
pub use steps::{Steps, engine};

/// What goes into a node and comes out of it: of which, until it restarts.
type Recording = (Option<NodeId>, Recorder<Vec<u8>>);

/// One run of a scenario on a medium `M`, and those who watch it.
pub struct Engine<'o, M: ?Sized> {
    setup: Setup,
    now: Time,
    steps: u64,
    nodes: Vec<Node>,
    medium: Box<M>,
    /// Where the medium puts what it tells; nothing while that is dealt with.
    told: Option<Box<Told>>,
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
    recording: Option<Recording>,
    packets: Packets,
    restarts: Restarts,
    /// When to tell again what radios do with their time.
    air_due: Time,
    /// When the next node restarts, somebody must be told of the air, or the run is over.
    stop: Time,
}

/// What the medium gets, of the fields of an engine.
macro_rules! below {
    ($engine:ident) => {
        Below { now: $engine.now, lag: $engine.lag, wakes: &mut $engine.wakes }
    };
}

impl<M: Medium + ?Sized> Engine<'_, M> {
    /// A run of `setup` on this `medium`, about to begin.
    ///
    /// # Panics
    /// If it lasts for 36 years, which `multihop-scenario` refuses.
    pub fn new(medium: Box<M>, mut setup: Setup, options: Options) -> Self {
        assert!(setup.end < Schedule::HORIZON, "no scenario is that long");
        if setup.medium.mac.can(Capability::CommonList) {
            setup.share(&CommonList::default());
        }
        let neighbours = medium.neighbours();
        let routes = fixed_routes(&setup, &neighbours, &*medium);
        let paths: Vec<Vec<NodeId>> = setup
            .sources
            .iter()
            .map(|source| FixedRoutes::path(&routes, source.flow).unwrap_or_default())
            .collect();
        let paths = Paths { paths, neighbours };
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
        let mut engine = Engine {
            now: Time::ZERO,
            steps: 0,
            nodes: nodes.collect(),
            observers: Observers::new(&setup, &paths, options.trace.then(|| event_table(&setup))),
            timers: Vec::new(),
            sensing_due: Time::NEVER,
            wakes: Wakes::new(count),
            inputs: 0,
            sources_at: sources_at(&setup.sources, &sources, count),
            any_bulk: sources.iter().any(Source::is_bulk),
            source_of: sources.iter().map(|source| source.flow).zip(0..).collect(),
            sources,
            link_layer_delay: medium.link_layer_delay(),
            medium,
            told: Some(Box::default()),
            lag: Duration::ZERO,
            watches_air: false,
            listeners: false,
            recording: options.record.map(|node| (Some(node), Recorder::new(Vec::new()))),
            packets: options.packets,
            air_due: Time::NEVER,
            stop: setup.end.min(restarts.next()),
            restarts,
            setup,
        };
        engine.start();
        engine
    }

    fn start(&mut self) {
        for (number, node) in (0..).map(NodeId).zip(&self.nodes) {
            self.medium.set_promiscuous(number, node.promiscuous());
        }
        for node in 0..self.nodes.len() {
            self.open(NodeId(node as u32));
        }
        for node in 0..self.nodes.len() {
            if self.nodes[node].watches_air() {
                self.medium.watch_air(NodeId(node as u32));
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

    /// What happens before `until`, but at most so many events. Returns whether none is left before the end.
    fn go_on(&mut self, until: Time, events: u64) -> bool {
        let last = self.steps.saturating_add(events);
        let mut limit = self.stop.min(until);
        while self.steps < last {
            let (at, node) = self.wakes.next();
            if at >= limit {
                if limit == self.setup.end {
                    return true;
                }
                if limit < self.stop {
                    return false;
                }
                self.pause();
                limit = self.stop.min(until);
                continue;
            }
            self.advance(at);
            self.steps += 1;
            self.step(node);
        }
        false
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
            let mut woken = self.medium.on_deadline(node, &mut below!(self));
            if woken.wins {
                woken = self.gather(node);
            }
            if woken.reports > 0 {
                self.report(node, woken.reports);
            }
            if woken.on_air {
                self.transmit(node);
            }
        }
        // A node that was told nothing has nothing new to send, and its deadline stands.
        if self.inputs != inputs {
            self.settle(node);
        }
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
        self.medium.set_listening(node, on, &mut below!(self));
    }

    /// The radio of `node` puts its frame on the air, and the others learn of it at once.
    #[inline]
    fn transmit(&mut self, node: NodeId) {
        let reports = self.medium.transmit(node, &mut below!(self));
        self.observers.tell(self.now, Observation::Transmission(self.medium.transmission()));
        if self.observers.are_watching() {
            self.tell_receptions(HandOver::IfMany);
        }
        if reports > 0 {
            self.report(node, reports);
        }
    }

    /// Deal with so many reports of the medium while `current` is served.
    #[inline(never)]
    fn report(&mut self, current: NodeId, reports: usize) {
        let mut told = self.told.take().unwrap_or_default();
        for _ in 0..reports {
            let (node, report) = self.medium.poll_report(self.now, &mut told);
            match report {
                Report::Hears => self.hear(node, &mut told.heard),
                Report::Done => {
                    if self.medium.shares_air() {
                        self.service_ended(node, &told.done);
                    }
                    self.finish(node, &told.done);
                }
                Report::Transmits => {
                    let frame = self.medium.transmission();
                    self.observers.tell(self.now, Observation::Transmission(frame));
                }
                Report::Keeps(tag) => self.observers.tell(self.now, Observation::WireEntered(tag)),
                Report::Leaves(tag) => self.observers.tell(self.now, Observation::WireLeft(tag)),
                Report::Received(known) => {
                    self.observers.tell(self.now, Observation::Receptions(&[known]));
                }
                Report::Drops(cause) => self.dropped(node, &told.done.packet, cause),
            }
            if node != current {
                self.settle(node);
            }
        }
        self.told = Some(told);
    }

    /// A frame reaches a node.
    fn hear(&mut self, node: NodeId, rx: &mut Rx) {
        if self.packets == Packets::Bytes {
            let read = Packet::parse(&rx.packet.emit()).expect("what a node sends can be read");
            rx.packet = read.named_as(&rx.packet);
        }
        self.begin(node, self.link_layer_delay * 2, || Input::Heard(rx.clone()));
        self.nodes[node.index()].hear(self.now, rx);
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
            let (at, input) = (self.now, Input::Air(self.medium.air(node, self.now)));
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
                Output::Withdraw(frame) => self.withdraw(node, frame),
                Output::Mark(frame) => self.medium.mark(node, frame),
                Output::Decline => self.medium.decline(node, &mut below!(self)),
                Output::LinkBroken(next) => self.link_broken(node, next),
                Output::Gauge(flow, gauge) => self.on_gauge(node, flow, gauge),
                Output::Estimate(estimate) => {
                    self.observers.tell(self.now, Observation::Estimate { node, estimate });
                }
                Output::Trace(event, tag) => self.on_event(node, event, tag),
            }
        }
    }

    fn withdraw(&mut self, node: NodeId, frame: FrameId) {
        if let Some(done) = self.medium.withdraw(node, frame, &mut below!(self)) {
            self.service_ended(node, &done);
            self.finish(node, &done);
        }
    }

    /// The MAC of `node` forgets everything. Returns the frames that it had.
    fn restart_medium(&mut self, node: NodeId) -> Vec<TxDone> {
        self.medium.restart(node, &mut below!(self))
    }

    /// While the MAC has room, give it the node's next frame.
    fn serve(&mut self, node: NodeId) {
        while self.medium.is_free(node) {
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
            let reports = self.medium.offer(node, request, class, &mut below!(self));
            if reports > 0 {
                self.report(node, reports);
            }
        }
    }

    /// The MAC of `node` is about to send: while it has room, give it more for the same neighbour.
    #[cold]
    fn gather(&mut self, node: NodeId) -> Woken {
        let at = self.now;
        while let Some(BatchRoom { to, bytes }) = self.medium.room(node) {
            let request = self.nodes[node.index()].poll_more(at, to, bytes);
            let line = || Line::Join { at, to, room: bytes, request: request.clone() };
            record(&mut self.recording, node, line);
            if let Some(request) = &request {
                self.service_started(node, &request.packet);
            }
            self.drain(node);
            let Some(request) = &request else { break };
            let class = self.nodes[node.index()].frame_class(&request.packet);
            self.medium.join(node, request, class, &mut below!(self));
        }
        // A scheme may set a timer for what it has handed over.
        self.reschedule(node);
        self.medium.depart(node, &mut below!(self))
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
