//! A trace that leaves the process while the run goes on: rows of several tables, handed over in
//! batches, so that a long run needs no more memory than a short one.
//!
//! - `tables`: every table and column, with unit and meaning;
//! - `rows`: what an observation is in their words, for the table of events in memory as well;
//! - `cells`, `words`: how the rows of a batch are kept;
//! - `queues`: how many packets nodes hold;
//! - `routes`: over whom they send;
//! - `series`: flows and nodes in intervals.

mod cells;
mod queues;
mod routes;
mod rows;
mod series;
mod tables;
mod words;

use core::ops::ControlFlow;

use multihop_core::{Fate, Gauge, NodeId, Packet, Reception, Time, Timer, Transmission};

use multihop_parquet::Column;

use crate::{Costly, Observation, Observer};
pub use cells::BATCH;
pub(crate) use cells::{HeaderPlace, Word};
use queues::Lengths;
use routes::NextHops;
pub(crate) use rows::NONE;
pub use rows::Network;
use series::Meters;
pub use tables::{ColumnAbout, TABLES, TableAbout};
use tables::{
    Deadline, Drops, Events, Frames, Hop, Interval, Mpdus, Position, Positions, Queue, Queues,
    Receptions, Routes, Rows, Series, Timers, nanos,
};
pub(crate) use tables::{Drop, Event, Frame, Received};

/// Where the batches of a trace go.
pub trait Sink {
    /// Write rows of `table`: none if it is over and had none left. A sink that cannot breaks, and gets no more.
    fn write(&mut self, table: &'static str, columns: &[(&'static str, Column)])
    -> ControlFlow<()>;
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
    mpdus: Mpdus,
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

impl<S: Sink> Stream<S> {
    /// A trace of `network` into `sink`, in batches of so many rows, at most [`BATCH`].
    pub fn new(network: Network, sink: S, batch: usize) -> Self {
        let meters = Meters::new(network.nodes, network.sources.len(), network.end);
        Stream {
            network,
            out: Out { sink, batch: batch.clamp(1, BATCH), broken: false },
            frames: Frames::room(),
            mpdus: Mpdus::room(),
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
        out.flush(&mut self.mpdus);
        out.flush(&mut self.receptions);
        out.flush(&mut self.drops);
        out.flush(&mut self.queues);
        out.flush(&mut self.timers);
        out.flush(&mut self.routes);
        out.flush(&mut self.positions);
        out.flush(&mut self.series);
        out.flush(&mut self.events);
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
        for (class, packet) in frame.packets() {
            if self.network.sources.get(packet.tag.source as usize) == Some(&frame.from) {
                self.meters.on_sent(at, class, packet);
            }
        }
        if !frame.joined().is_empty() {
            self.on_aggregate(frame);
        }
        if let Some((destination, next)) = self.next_hops.on_frame(frame) {
            self.route(at, frame.from, destination, next.0.cast_signed());
        }
        self.header.clear();
        if let Some(packet) = frame.packet {
            write_header(&mut self.header, packet);
        }
        let header = self.frames.header.place(frame.from.index(), &self.header);
        let row = self.network.frame(at, frame, header);
        self.out.push(&mut self.frames, row);
    }

    #[cold]
    fn on_aggregate(&mut self, frame: &Transmission) {
        for (place, (class, packet)) in (0..).zip(frame.packets()) {
            let row = self.network.mpdu(frame, place, (class, packet));
            self.out.push(&mut self.mpdus, row);
        }
    }

    fn route(&mut self, at: Time, node: NodeId, address: NodeId, next: i32) {
        let destination = self.network.number(address);
        let row = Hop { time_ns: nanos(at), node: node.0.cast_signed(), destination, next };
        self.out.push(&mut self.routes, row);
    }

    fn on_broken(&mut self, at: Time, node: NodeId, next: NodeId) {
        for destination in self.next_hops.on_broken(node, next) {
            self.route(at, node, destination, NONE);
        }
    }

    fn on_receptions(&mut self, known: &[Reception]) {
        for found in known.iter().filter(|found| found.fate != Fate::Sensed) {
            let row = Network::received(found);
            self.out.push(&mut self.receptions, row);
        }
    }

    fn on_timer(&mut self, at: Time, node: NodeId, timer: Timer, due: Time) {
        let due_ns = if due == Time::NEVER { i64::from(NONE) } else { nanos(due) };
        let row = Deadline { time_ns: nanos(at), node: node.0.cast_signed(), timer, due_ns };
        self.out.push(&mut self.timers, row);
    }

    /// What has a row among the events, and whatever else of the trace it changes.
    fn on_event(&mut self, at: Time, what: &Observation) {
        let Some(mut row) = self.network.event(at, what) else { return };
        match *what {
            Observation::Offer { node, message, .. } => {
                self.lengths.change(node, message.tag, 1);
                self.meters.on_offered(at, message.tag);
            }
            Observation::Delivery { node, packet } => {
                self.lengths.change(node, packet.tag, -1);
                let delay = self.meters.on_delivered(at, packet.tag, packet.payload.len());
                row.duration_ns =
                    delay.map_or(i64::from(NONE), |delay| delay.nanos().cast_signed());
            }
            Observation::Gauge { source, gauge: Gauge::Window(_), .. } => {
                self.meters.on_window(source, row.value);
            }
            Observation::LinkBroken { node, next, .. } => self.on_broken(at, node, next),
            _ => {}
        }
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
            if self.meters.end() <= at {
                self.close_interval(at);
            }
            return;
        }
        while self.meters.end() <= at {
            // Nobody tells of the air on wires.
            self.close_interval(self.meters.end());
        }
        match *what {
            Observation::Transmission(frame) => self.on_transmission(at, &frame),
            Observation::Receptions(known) => self.on_receptions(known),
            Observation::Drop { node, packet, cause } => {
                self.lengths.change(node, packet.tag, -1);
                let row = self.network.dropped(at, node, packet, cause);
                self.out.push(&mut self.drops, row);
            }
            Observation::Acceptance { node, tag } => self.lengths.change(node, tag, 1),
            Observation::Release { node, tag } => self.lengths.change(node, tag, -1),
            Observation::Timer { node, timer, due } => self.on_timer(at, node, timer, due),
            Observation::End { .. } => self.close_interval(at),
            _ => self.on_event(at, what),
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
