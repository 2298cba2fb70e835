//! The table of events in memory: the rows of a trace in one table, in the order of time.

use multihop_core::{Duration, Fate, Gauge, HostEvent, LossCause, Reception, Time};

use crate::stream::{Drop, Event, Frame, HeaderPlace, NONE, Network, Received, Word};
use crate::{Column, Costly, Observation, Observer, Table};

/// A row of a trace.
#[derive(Clone, Debug)]
enum Row {
    Frame(Frame),
    Drop(Drop),
    /// What a node, a MAC or a protocol tells; of an estimate also the bytes that links carry in a second, which no
    /// column of the trace has.
    Event(Event, u32),
    /// What became of a frame, the place of the frame's row, and when it was certain.
    Reception(Received, usize, Time),
}

/// How what is told later stands among what happens at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Before,
    AsTold,
    Behind,
}

/// The events of a run, in the order in which they were told.
#[derive(Clone, Debug)]
pub struct EventTable {
    network: Network,
    rows: Vec<Row>,
    /// Where the row of every frame is, by the frame's number.
    frames: Vec<usize>,
}

impl Observer for EventTable {
    fn wants(&self, costly: Costly) -> bool {
        matches!(costly, Costly::Receptions | Costly::Sensed)
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        match *what {
            Observation::Transmission(frame) => {
                self.frames.push(self.rows.len());
                // the table has no headers
                let row = self.network.frame(at, &frame, HeaderPlace::default());
                self.rows.push(Row::Frame(row));
            }
            Observation::Receptions(known) => known.iter().for_each(|found| self.received(found)),
            Observation::Drop { node, packet, cause } => {
                self.rows.push(Row::Drop(self.network.dropped(at, node, packet, cause)));
            }
            Observation::Estimate { estimate, .. } => self.happened(at, what, estimate.throughput),
            // The tables of flows count these.
            Observation::Offer { .. }
            | Observation::Gauge { gauge: Gauge::Acknowledged(_), .. } => {}
            _ => self.happened(at, what, 0),
        }
    }
}

impl EventTable {
    /// No events of `network` yet.
    pub const fn new(network: Network) -> Self {
        EventTable { network, rows: Vec::new(), frames: Vec::new() }
    }

    fn happened(&mut self, at: Time, what: &Observation, throughput: u32) {
        let row = self.network.event(at, what);
        self.rows.extend(row.map(|row| Row::Event(row, throughput)));
    }

    fn received(&mut self, found: &Reception) {
        let sent = self.frames[found.frame as usize];
        self.rows.push(Row::Reception(Network::received(found), sent, found.certain));
    }

    fn line(&self, row: &Row) -> Line {
        match row {
            Row::Frame(row) => row.into(),
            Row::Drop(row) => row.into(),
            Row::Event(row, throughput) => Line { bytes: (*throughput).into(), ..Line::from(row) },
            Row::Reception(row, sent, certain) => {
                Line::received(row, *certain, self.line(&self.rows[*sent]))
            }
        }
    }

    /// The table, sorted by time; events of the same time keep their order.
    pub fn into_table(self) -> Table {
        let mut lines: Vec<Line> = self.rows.iter().map(|row| self.line(row)).collect();
        lines.sort_by_key(|line| (line.time_ns, line.order));
        let seconds = |ns: i64| Duration::from_nanos(ns.max(0).cast_unsigned()).seconds();
        let floats =
            |value: &dyn Fn(&Line) -> f64| Column::Float(lines.iter().map(value).collect());
        let labels =
            |value: fn(&Line) -> &'static str| Column::Label(lines.iter().map(value).collect());
        vec![
            ("time_s", floats(&|line| seconds(line.time_ns))),
            ("node", integers(&lines, |line| line.node)),
            ("event", labels(|line| line.event)),
            ("frame", labels(|line| line.frame)),
            ("peer", integers(&lines, |line| line.peer)),
            ("flow", integers(&lines, |line| line.flow)),
            ("packet", integers(&lines, |line| line.packet)),
            ("control", integers(&lines, |line| line.control)),
            ("bytes", integers(&lines, |line| line.bytes)),
            ("duration_s", floats(&|line| seconds(line.duration_ns))),
            ("value", floats(&|line| line.value)),
            ("cause", labels(|line| line.cause)),
        ]
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
struct Line {
    time_ns: i64,
    order: Rank,
    node: i32,
    event: &'static str,
    /// Kind of frame; empty if the event is not about a frame.
    frame: &'static str,
    /// The addressee of a transmission, the transmitter of a reception or loss.
    peer: i32,
    flow: i32,
    packet: i32,
    control: i32,
    bytes: i64,
    duration_ns: i64,
    value: f64,
    cause: &'static str,
}

impl From<&Frame> for Line {
    fn from(row: &Frame) -> Self {
        Line {
            time_ns: row.start_ns,
            order: Rank::AsTold,
            node: row.sender,
            event: HostEvent::TransmitStart.name(),
            frame: row.class.name(),
            peer: row.receiver,
            flow: row.flow,
            packet: row.packet,
            control: row.control,
            bytes: row.bytes.into(),
            duration_ns: row.length_ns,
            value: f64::NAN,
            cause: "",
        }
    }
}

impl From<&Drop> for Line {
    fn from(row: &Drop) -> Self {
        Line {
            time_ns: row.time_ns,
            order: Rank::AsTold,
            node: row.node,
            event: HostEvent::Drop.name(),
            frame: "",
            peer: NONE,
            flow: row.flow,
            packet: row.packet,
            control: row.control,
            bytes: 0,
            duration_ns: 0,
            value: f64::NAN,
            cause: row.cause.name(),
        }
    }
}

impl From<&Event> for Line {
    fn from(row: &Event) -> Self {
        Line {
            time_ns: row.time_ns,
            order: Rank::AsTold,
            node: row.node,
            event: row.event.name(),
            frame: "",
            peer: row.peer,
            flow: row.flow,
            packet: row.packet,
            control: row.control,
            bytes: 0,
            duration_ns: row.duration_ns,
            value: row.value,
            cause: row.cause.name(),
        }
    }
}

impl Line {
    /// The row of what became of the frame of `sent`.
    fn received(row: &Received, certain: Time, sent: Line) -> Self {
        let (event, order, cause) = match row.outcome {
            Fate::Decoded(_) => (HostEvent::Receive, Rank::Before, ""),
            // It is told before the transmission that destroys it.
            Fate::Lost(LossCause::Transmitting) => {
                (HostEvent::Loss, Rank::Before, row.outcome.name())
            }
            Fate::Lost(_) | Fate::Sensed => (HostEvent::Loss, Rank::Behind, row.outcome.name()),
        };
        let time_ns = certain.nanos().cast_signed();
        let (event, node, peer) = (event.name(), row.node, sent.node);
        Line { time_ns, order, node, event, peer, cause, ..sent }
    }
}

fn integers<T: Into<i64>>(lines: &[Line], value: fn(&Line) -> T) -> Column {
    Column::Integer(lines.iter().map(|line| value(line).into()).collect())
}

#[cfg(test)]
mod tests;
