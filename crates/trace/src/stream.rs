//! A trace that leaves the process while the run goes on: rows of several tables, handed over in
//! batches, so that a long run needs no more memory than a short one.
//!
//! - `tables`: every table and column, with unit and meaning;
//! - `cells`, `words`: how the rows of a batch are kept;
//! - `queues`: how many packets nodes hold;
//! - `routes`: over whom they send;
//! - `series`: flows and nodes in intervals.

mod cells;
mod queues;
mod routes;
mod series;
mod tables;
mod words;

use core::ops::ControlFlow;

use multihop_core::{
    AddressTable, DropCause, Estimate, Fate, Gauge, HostEvent, NodeId, Packet, Reception, Tag,
    Time, Timer, Transmission,
};

use multihop_parquet::Column;

use crate::{Costly, Observation, Observer, ProtocolEvent};
pub use cells::BATCH;
use queues::Lengths;
use routes::NextHops;
use series::Meters;
pub use tables::{ColumnAbout, TABLES, TableAbout};
use tables::{
    Deadline, Drop, Drops, Event, Events, Frame, Frames, Hop, Interval, Position, Positions, Queue,
    Queues, Received, Receptions, Routes, Rows, Series, Timers, nanos,
};
use words::{What, Why};

/// Where the batches of a trace go.
pub trait Sink {
    /// Write rows of `table`: none if it is over and had none left. A sink that cannot breaks, and gets no more.
    fn write(&mut self, table: &'static str, columns: &[(&'static str, Column)])
    -> ControlFlow<()>;
}

/// What a trace has to know of the network.
#[derive(Clone, Debug)]
pub struct Network {
    /// Which node has which address.
    pub addresses: AddressTable,
    /// How many nodes there are.
    pub nodes: usize,
    /// The node of every traffic source.
    pub sources: Vec<NodeId>,
}

/// A node that was somewhere.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// When.
    pub at: Time,
    /// Which node.
    pub node: NodeId,
    /// Where, in m.
    pub x: f64,
    /// Where, in m.
    pub y: f64,
}

/// An observer that writes everything down.
pub struct Stream<S> {
    network: Network,
    out: Out<S>,
    frames: Frames,
    receptions: Receptions,
    drops: Drops,
    queues: Queues,
    timers: Timers,
    routes: Routes,
    positions: Positions,
    series: Series,
    events: Events,
    lengths: Lengths,
    next_hops: NextHops,
    meters: Meters,
    /// Room for a header.
    header: Vec<u8>,
}

/// A sink, as long as it takes what it gets.
struct Out<S> {
    sink: S,
    batch: usize,
    broken: bool,
}

impl<S: Sink> Out<S> {
    /// Another row, and the batch if it is full.
    #[inline]
    fn push<R: Rows>(&mut self, rows: &mut R, row: R::Row) {
        rows.push(row);
        if rows.len() >= self.batch {
            self.flush(rows);
        }
    }

    #[inline(never)]
    fn flush<R: Rows>(&mut self, rows: &mut R) {
        if !self.broken {
            self.broken = self.sink.write(R::NAME, &rows.columns()).is_break();
        }
        rows.clear();
    }
}

/// A number that is not there.
const NONE: i32 = -1;

fn flow_of(tag: Option<Tag>) -> i32 {
    tag.map_or(NONE, |tag| tag.source.cast_signed())
}

fn packet_of(tag: Option<Tag>) -> i32 {
    tag.and_then(Tag::data_number).map_or(NONE, u32::cast_signed)
}

fn control_of(tag: Option<Tag>) -> i32 {
    tag.and_then(Tag::control_number).map_or(NONE, u32::cast_signed)
}

/// An event of which nothing but this is known.
#[inline]
fn event(at: Time, node: NodeId, event: What) -> Event {
    Event {
        time_ns: nanos(at),
        node: node.0.cast_signed(),
        event,
        flow: NONE,
        packet: NONE,
        control: NONE,
        sequence: NONE,
        source: NONE,
        destination: NONE,
        peer: NONE,
        value: f64::NAN,
        duration_ns: i64::from(NONE),
        cause: Why::Unsaid,
    }
}

impl<S: Sink> Stream<S> {
    /// A trace of `network` into `sink`, in batches of so many rows, at most [`BATCH`].
    pub fn new(network: Network, sink: S, batch: usize) -> Self {
        let meters = Meters::new(network.nodes, network.sources.len());
        Stream {
            network,
            out: Out { sink, batch: batch.clamp(1, BATCH), broken: false },
            frames: Frames::room(),
            receptions: Receptions::room(),
            drops: Drops::room(),
            queues: Queues::room(),
            timers: Timers::room(),
            routes: Routes::room(),
            positions: Positions::room(),
            series: Series::room(),
            events: Events::room(),
            lengths: Lengths::default(),
            next_hops: NextHops::default(),
            meters,
            header: Vec::new(),
        }
    }

    /// Where a node is, or will be.
    pub fn place(&mut self, place: Place) {
        let (time_ns, node) = (nanos(place.at), place.node.0.cast_signed());
        let row = Position { time_ns, node, x_m: place.x, y_m: place.y };
        self.out.push(&mut self.positions, row);
    }

    /// Where the batches go, to look at while the run goes on.
    pub const fn sink(&mut self) -> &mut S {
        &mut self.out.sink
    }

    /// Write what is left, and give the sink back. The run may have been cut off.
    pub fn finish(mut self) -> S {
        self.settle(Time::NEVER);
        self.flush();
        self.out.sink
    }

    /// Write the rows that wait for their batch to be full, to look at what there is while the run goes on.
    pub fn flush(&mut self) {
        let out = &mut self.out;
        out.flush(&mut self.frames);
        out.flush(&mut self.receptions);
        out.flush(&mut self.drops);
        out.flush(&mut self.queues);
        out.flush(&mut self.timers);
        out.flush(&mut self.routes);
        out.flush(&mut self.positions);
        out.flush(&mut self.series);
        out.flush(&mut self.events);
    }

    /// The number of the node with this address.
    fn number(&self, address: NodeId) -> i32 {
        let number = self.network.addresses.number(address);
        if number.index() < self.network.nodes { number.0.cast_signed() } else { NONE }
    }

    fn settle(&mut self, at: Time) {
        let Stream { lengths, out, queues, .. } = self;
        lengths.settle(at, |row: Queue| out.push(queues, row));
    }

    fn close_interval(&mut self, now: Time) {
        self.settle(now);
        let Stream { meters, lengths, out, series, .. } = self;
        meters.close(now, lengths, |row: Interval| out.push(series, row));
    }

    fn on_transmission(&mut self, at: Time, frame: &Transmission) {
        let tag = frame.tag();
        if let Some(source) = tag.and_then(|tag| self.network.sources.get(tag.source as usize))
            && *source == frame.from
        {
            self.meters.on_sent(at, frame);
        }
        if let Some((destination, next)) = self.next_hops.on_frame(frame) {
            self.route(at, frame.from, destination, next.0.cast_signed());
        }
        self.header.clear();
        if let Some(packet) = frame.packet {
            write_header(&mut self.header, packet);
        }
        let flow = frame.packet.map(|packet| packet.flow);
        let row = Frame {
            frame: frame.number.cast_signed(),
            start_ns: nanos(at + frame.wait),
            length_ns: frame.air_time.nanos().cast_signed(),
            sender: frame.from.0.cast_signed(),
            receiver: frame.to.map_or(NONE, |to| to.0.cast_signed()),
            class: frame.class,
            flow: flow_of(tag),
            packet: packet_of(tag),
            control: control_of(tag),
            source: flow.map_or(NONE, |flow| self.number(flow.source)),
            destination: flow.map_or(NONE, |flow| self.number(flow.destination)),
            bytes: frame.bytes.0.cast_signed(),
            reserved_ns: frame.reserved.nanos().cast_signed(),
            header: self.frames.header.place(frame.from.index(), &self.header),
        };
        self.out.push(&mut self.frames, row);
    }

    fn route(&mut self, at: Time, node: NodeId, address: NodeId, next: i32) {
        let destination = self.number(address);
        let row = Hop { time_ns: nanos(at), node: node.0.cast_signed(), destination, next };
        self.out.push(&mut self.routes, row);
    }

    fn on_drop(&mut self, at: Time, node: NodeId, packet: &Packet, cause: DropCause) {
        self.lengths.change(node, packet.tag, -1);
        let row = Drop {
            time_ns: nanos(at),
            node: node.0.cast_signed(),
            flow: flow_of(Some(packet.tag)),
            packet: packet_of(Some(packet.tag)),
            control: control_of(Some(packet.tag)),
            source: self.number(packet.flow.source),
            destination: self.number(packet.flow.destination),
            cause,
        };
        self.out.push(&mut self.drops, row);
    }

    /// An event about a packet.
    #[inline]
    fn packet_event(&self, at: Time, node: NodeId, what: HostEvent, packet: &Packet) -> Event {
        Event {
            flow: flow_of(Some(packet.tag)),
            packet: packet_of(Some(packet.tag)),
            control: control_of(Some(packet.tag)),
            source: self.number(packet.flow.source),
            destination: self.number(packet.flow.destination),
            ..event(at, node, What::Host(what))
        }
    }

    fn on_protocol(&self, at: Time, told: &ProtocolEvent) -> Event {
        let flow = told.event.flow;
        Event {
            flow: flow_of(Some(told.tag)),
            packet: packet_of(Some(told.tag)),
            control: control_of(Some(told.tag)),
            sequence: told.event.sequence.cast_signed(),
            source: self.number(flow.source),
            destination: self.number(flow.destination),
            cause: told.reason.map_or(Why::Unsaid, Why::Reason),
            ..event(at, told.node, What::Protocol(told.event.kind))
        }
    }

    fn on_gauge(&mut self, at: Time, node: NodeId, source: u32, gauge: Gauge) -> Event {
        let blank = |name: HostEvent| Event {
            flow: source.cast_signed(),
            ..event(at, node, What::Host(name))
        };
        match gauge {
            Gauge::Window(thousandths) => {
                let value = f64::from(thousandths) / 1000.0;
                let row = Event { value, ..blank(HostEvent::Window) };
                self.meters.on_window(source, value);
                row
            }
            Gauge::RoundTrip(time) => {
                Event { duration_ns: time.nanos().cast_signed(), ..blank(HostEvent::RoundTrip) }
            }
            Gauge::Acknowledged(segments) => {
                Event { value: f64::from(segments), ..blank(HostEvent::Acknowledged) }
            }
        }
    }

    fn on_broken(&mut self, at: Time, node: NodeId, next: NodeId) {
        for destination in self.next_hops.on_broken(node, next) {
            self.route(at, node, destination, NONE);
        }
    }

    fn on_receptions(&mut self, known: &[Reception]) {
        for found in known.iter().filter(|found| found.fate != Fate::Sensed) {
            let row = Received {
                frame: found.frame.cast_signed(),
                node: found.node.0.cast_signed(),
                end_ns: nanos(found.end),
                outcome: found.fate,
                other: found.by.map_or(NONE, u32::cast_signed),
            };
            self.out.push(&mut self.receptions, row);
        }
    }

    fn on_timer(&mut self, at: Time, node: NodeId, timer: Timer, due: Time) {
        let due_ns = if due == Time::NEVER { i64::from(NONE) } else { nanos(due) };
        let row = Deadline { time_ns: nanos(at), node: node.0.cast_signed(), timer, due_ns };
        self.out.push(&mut self.timers, row);
    }

    #[inline]
    fn tell(&mut self, row: Event) {
        self.out.push(&mut self.events, row);
    }
}

impl<S: Sink> Observer for Stream<S> {
    fn wants(&self, costly: Costly) -> bool {
        matches!(costly, Costly::Receptions | Costly::Air | Costly::Timers)
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        self.settle(at);
        if let Observation::Air(times) = what {
            self.meters.on_air(times);
            return self.close_interval(at);
        }
        while self.meters.end() <= at {
            // Nobody tells of the air on wires.
            self.close_interval(self.meters.end());
        }
        match *what {
            Observation::Transmission(frame) => self.on_transmission(at, &frame),
            Observation::Receptions(known) => self.on_receptions(known),
            Observation::Drop { node, packet, cause } => self.on_drop(at, node, packet, cause),
            Observation::Acceptance { node, tag } => self.lengths.change(node, tag, 1),
            Observation::Release { node, tag } => self.lengths.change(node, tag, -1),
            Observation::Offer { node, message, .. } => {
                self.lengths.change(node, message.tag, 1);
                self.meters.on_offered(at, message.tag);
                self.tell(Event {
                    flow: flow_of(Some(message.tag)),
                    packet: packet_of(Some(message.tag)),
                    control: control_of(Some(message.tag)),
                    ..event(at, node, What::Host(HostEvent::Offer))
                });
            }
            Observation::Delivery { node, packet } => {
                self.lengths.change(node, packet.tag, -1);
                let delay = self.meters.on_delivered(at, packet.tag, packet.payload.len());
                let duration_ns =
                    delay.map_or(i64::from(NONE), |delay| delay.nanos().cast_signed());
                let row = self.packet_event(at, node, HostEvent::Deliver, packet);
                self.tell(Event { duration_ns, ..row });
            }
            Observation::ServiceStart { node, packet } => {
                self.tell(self.packet_event(at, node, HostEvent::ServiceStart, packet));
            }
            Observation::ServiceEnd { node, done } => self.tell(Event {
                value: f64::from(done.retries),
                duration_ns: done.service.nanos().cast_signed(),
                cause: Why::Outcome(done.outcome),
                ..self.packet_event(at, node, HostEvent::ServiceEnd, &done.packet)
            }),
            Observation::Gauge { node, source, gauge, .. } => {
                let row = self.on_gauge(at, node, source, gauge);
                self.tell(row);
            }
            Observation::Estimate { node, estimate } => {
                let Estimate { interval, free, .. } = estimate;
                self.tell(Event {
                    value: free.seconds() / interval.seconds(),
                    duration_ns: interval.nanos().cast_signed(),
                    ..event(at, node, What::Host(HostEvent::Estimate))
                });
            }
            Observation::Protocol(told) => self.tell(self.on_protocol(at, &told)),
            Observation::LinkBroken { node, next, reach } => {
                self.on_broken(at, node, next);
                let (peer, cause) = (next.0.cast_signed(), Why::Reach(reach));
                let row = event(at, node, What::Host(HostEvent::LinkBroken));
                self.tell(Event { peer, cause, ..row });
            }
            Observation::CongestionPotential { node, value } => {
                let row = event(at, node, What::Host(HostEvent::CongestionPotential));
                self.tell(Event { value: value as f64, ..row });
            }
            Observation::Timer { node, timer, due } => self.on_timer(at, node, timer, due),
            Observation::Restart { node } => {
                self.tell(event(at, node, What::Host(HostEvent::Restart)));
            }
            Observation::End { .. } => self.close_interval(at),
            _ => {}
        }
    }
}

/// The bytes of `packet` up to a payload that nobody looks at.
fn write_header(header: &mut Vec<u8>, packet: &Packet) {
    header.extend_from_slice(&packet.network_header().emit());
    header.extend_from_slice(packet.headers.as_slice());
    if let Some(body) = packet.payload.bytes() {
        header.extend_from_slice(body);
    }
}
