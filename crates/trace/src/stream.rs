//! A trace that leaves the process while the run goes on: rows of several tables, handed over in
//! batches, so that a long run needs no more memory than a short one.
//!
//! - `tables`: every table and column, with unit and meaning;
//! - `cells`: how the rows of a batch are kept;
//! - `queues`: how many packets nodes hold;
//! - `routes`: over whom they send;
//! - `series`: flows and nodes in intervals.

mod cells;
mod queues;
mod routes;
mod series;
mod tables;

use core::ops::ControlFlow;

use multihop_core::{
    AddressTable, DropCause, Estimate, Fate, Gauge, HostEvent, NodeId, Packet, Payload, Tag, Time,
    Transmission,
};

use multihop_parquet::Column;

use crate::{Costly, Observation, Observer, ProtocolEvent};
use queues::Lengths;
use routes::NextHops;
use series::Meters;
pub use tables::{ColumnAbout, TABLES, TableAbout};
use tables::{
    Drop, Drops, Event, Events, Frame, Frames, Hop, Interval, Position, Positions, Queue, Queues,
    Reception, Receptions, Routes, Rows, Series, nanos,
};

/// How many rows a batch has: as many as the processor's caches hold.
pub const BATCH: usize = 1 << 12;

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
    fn push<R: Rows>(&mut self, rows: &mut R, row: R::Row) {
        rows.push(row);
        if rows.len() >= self.batch {
            self.flush(rows);
        }
    }

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
    tag.map_or(NONE, |tag| tag.number.cast_signed())
}

/// An event of which nothing but this is known.
fn event(at: Time, node: NodeId, event: &'static str) -> Event {
    Event {
        time_ns: nanos(at),
        node: node.0.cast_signed(),
        event,
        flow: NONE,
        packet: NONE,
        sequence: NONE,
        source: NONE,
        destination: NONE,
        peer: NONE,
        value: f64::NAN,
        duration_ns: i64::from(NONE),
        cause: "",
    }
}

impl<S: Sink> Stream<S> {
    /// A trace of `network` into `sink`, in batches of so many rows.
    pub fn new(network: Network, sink: S, batch: usize) -> Self {
        let meters = Meters::new(network.nodes, network.sources.len());
        Stream {
            network,
            out: Out { sink, batch, broken: false },
            frames: Frames::room(batch),
            receptions: Receptions::room(batch),
            drops: Drops::room(batch),
            queues: Queues::room(batch),
            routes: Routes::room(batch),
            positions: Positions::room(batch),
            series: Series::room(batch),
            events: Events::room(batch),
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

    /// Write what is left, and give the sink back. The run may have been cut off.
    pub fn finish(mut self) -> S {
        self.settle(Time::NEVER);
        let out = &mut self.out;
        out.flush(&mut self.frames);
        out.flush(&mut self.receptions);
        out.flush(&mut self.drops);
        out.flush(&mut self.queues);
        out.flush(&mut self.routes);
        out.flush(&mut self.positions);
        out.flush(&mut self.series);
        out.flush(&mut self.events);
        self.out.sink
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
            class: frame.class.name(),
            flow: flow_of(tag),
            packet: packet_of(tag),
            source: flow.map_or(NONE, |flow| self.number(flow.source)),
            destination: flow.map_or(NONE, |flow| self.number(flow.destination)),
            bytes: frame.bytes.0.cast_signed(),
            header: self.frames.header.place(&self.header),
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
            source: self.number(packet.flow.source),
            destination: self.number(packet.flow.destination),
            cause: cause.name(),
        };
        self.out.push(&mut self.drops, row);
    }

    /// An event about a packet.
    fn packet_event(&self, at: Time, node: NodeId, what: HostEvent, packet: &Packet) -> Event {
        Event {
            flow: flow_of(Some(packet.tag)),
            packet: packet_of(Some(packet.tag)),
            source: self.number(packet.flow.source),
            destination: self.number(packet.flow.destination),
            ..event(at, node, what.name())
        }
    }

    fn on_protocol(&self, at: Time, told: &ProtocolEvent) -> Event {
        let flow = told.event.flow;
        Event {
            flow: flow_of(Some(told.tag)),
            packet: packet_of(Some(told.tag)),
            sequence: told.event.sequence.cast_signed(),
            source: self.number(flow.source),
            destination: self.number(flow.destination),
            cause: told.reason.map_or("", |reason| reason.name()),
            ..event(at, told.node, told.event.kind.name())
        }
    }

    fn on_gauge(&mut self, at: Time, node: NodeId, source: u32, gauge: Gauge) -> Event {
        let blank =
            |name: HostEvent| Event { flow: source.cast_signed(), ..event(at, node, name.name()) };
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

    /// The row of `events` about `what`, if it has one.
    fn event_of(&mut self, at: Time, what: &Observation) -> Option<Event> {
        Some(match *what {
            Observation::Offer { node, message, .. } => Event {
                flow: flow_of(Some(message.tag)),
                packet: packet_of(Some(message.tag)),
                ..event(at, node, HostEvent::Offer.name())
            },
            Observation::Delivery { node, packet } => {
                let delay = self.meters.on_delivered(at, packet.tag, packet.payload.len());
                let duration_ns =
                    delay.map_or(i64::from(NONE), |delay| delay.nanos().cast_signed());
                Event { duration_ns, ..self.packet_event(at, node, HostEvent::Deliver, packet) }
            }
            Observation::ServiceStart { node, packet } => {
                self.packet_event(at, node, HostEvent::ServiceStart, packet)
            }
            Observation::ServiceEnd { node, done } => Event {
                value: f64::from(done.retries),
                duration_ns: done.service.nanos().cast_signed(),
                cause: done.outcome.name(),
                ..self.packet_event(at, node, HostEvent::ServiceEnd, &done.packet)
            },
            Observation::Gauge { node, source, gauge, .. } => {
                self.on_gauge(at, node, source, gauge)
            }
            Observation::Estimate { node, estimate } => {
                let Estimate { interval, free, .. } = estimate;
                Event {
                    value: free.seconds() / interval.seconds(),
                    duration_ns: interval.nanos().cast_signed(),
                    ..event(at, node, HostEvent::Estimate.name())
                }
            }
            Observation::Protocol(told) => self.on_protocol(at, &told),
            Observation::LinkBroken { node, next, reach } => {
                self.on_broken(at, node, next);
                let (peer, cause) = (next.0.cast_signed(), reach.name());
                Event { peer, cause, ..event(at, node, HostEvent::LinkBroken.name()) }
            }
            Observation::CongestionPotential { node, value } => Event {
                value: value as f64,
                ..event(at, node, HostEvent::CongestionPotential.name())
            },
            Observation::Restart { node } => event(at, node, HostEvent::Restart.name()),
            _ => return None,
        })
    }
}

impl<S: Sink> Observer for Stream<S> {
    fn wants(&self, costly: Costly) -> bool {
        matches!(costly, Costly::Receptions | Costly::Air)
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
            Observation::Receptions(known) => {
                for found in known.iter().filter(|found| found.fate != Fate::Sensed) {
                    let row = Reception {
                        frame: found.frame.cast_signed(),
                        node: found.node.0.cast_signed(),
                        end_ns: nanos(found.end),
                        outcome: found.fate.name(),
                        other: found.by.map_or(NONE, u32::cast_signed),
                    };
                    self.out.push(&mut self.receptions, row);
                }
            }
            Observation::Drop { node, packet, cause } => self.on_drop(at, node, packet, cause),
            Observation::Offer { node, message, .. } => self.lengths.change(node, message.tag, 1),
            Observation::Acceptance { node, tag } => self.lengths.change(node, tag, 1),
            Observation::Release { node, tag } => self.lengths.change(node, tag, -1),
            Observation::Delivery { node, packet } => self.lengths.change(node, packet.tag, -1),
            Observation::End { .. } => self.close_interval(at),
            _ => {}
        }
        if let Some(row) = self.event_of(at, what) {
            self.out.push(&mut self.events, row);
        }
    }
}

/// The bytes of `packet` up to a payload that nobody looks at.
fn write_header(header: &mut Vec<u8>, packet: &Packet) {
    header.extend_from_slice(&packet.network_header().emit());
    header.extend_from_slice(packet.headers.as_slice());
    if let Payload::Real(body) = &packet.payload {
        header.extend_from_slice(body);
    }
}
