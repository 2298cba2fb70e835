//! The event trace of a run.

use multihop_core::{Bytes, Duration, EventKind, NodeId, Tag, Time};

use crate::{Column, Table};

/// What an event row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A radio began to transmit a frame.
    TransmitStart,
    /// A radio decoded a frame.
    Receive,
    /// A radio lost a frame that it sensed.
    Loss,
    /// The application at the destination got a packet.
    Deliver,
    /// A packet, or a copy of it, was given up.
    Drop,
    /// A packet came to its node's MAC and began to contend for the medium.
    ServiceStart,
    /// The MAC has finished with a packet: its staying time, and how often it tried again.
    ServiceEnd,
    /// How many nodes within sensing range, itself included, have a packet in their MAC.
    CongestionPotential,
    /// A transport's congestion window in packets.
    Window,
    /// A transport's sample of the round-trip time.
    RoundTrip,
    /// Routing takes the link to a neighbour for broken.
    LinkBroken,
    /// A protocol's own event.
    Protocol(EventKind),
}

impl What {
    const fn name(self) -> &'static str {
        match self {
            What::TransmitStart => "transmit_start",
            What::Receive => "receive",
            What::Loss => "loss",
            What::Deliver => "deliver",
            What::Drop => "drop",
            What::ServiceStart => "service_start",
            What::ServiceEnd => "service_end",
            What::CongestionPotential => "congestion_potential",
            What::Window => "window",
            What::RoundTrip => "round_trip",
            What::LinkBroken => "link_broken",
            What::Protocol(kind) => kind.name(),
        }
    }
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventRow {
    /// When.
    pub at: Time,
    /// Where.
    pub node: NodeId,
    /// What.
    pub what: What,
    /// Kind of frame; empty if the event is not about a frame.
    pub frame: &'static str,
    /// The addressee of a transmission, the transmitter of a reception or loss.
    pub peer: Option<NodeId>,
    /// The packet, if the event is about one.
    pub tag: Option<Tag>,
    /// Bytes of the frame.
    pub bytes: Bytes,
    /// How long: air time of the frame, staying time, round-trip time.
    pub duration: Duration,
    /// How much, where an event has a measure: window, retries, congestion potential.
    pub value: f64,
    /// Why, for losses and drops.
    pub cause: &'static str,
}

impl EventRow {
    /// An event that is not about a frame.
    pub const fn new(at: Time, node: NodeId, what: What) -> Self {
        EventRow {
            at,
            node,
            what,
            frame: "",
            peer: None,
            tag: None,
            bytes: Bytes(0),
            duration: Duration::ZERO,
            value: f64::NAN,
            cause: "",
        }
    }
}

/// The event trace of a run, in the order in which it was written.
#[derive(Clone, Debug, Default)]
pub struct EventTable {
    rows: Vec<EventRow>,
}

impl EventTable {
    /// Write one event.
    pub fn push(&mut self, row: EventRow) {
        self.rows.push(row);
    }

    /// The rows, as they were written.
    pub fn rows(&self) -> &[EventRow] {
        &self.rows
    }

    /// The table, sorted by time; events of the same time keep their order.
    pub fn into_table(mut self) -> Table {
        self.rows.sort_by_key(|row| row.at);
        let known = |value: &u32| *value != u32::MAX;
        let number = |value: Option<u32>| value.filter(known).map_or(-1, i64::from);
        let integers = |value: &dyn Fn(&EventRow) -> i64| {
            Column::Integer(self.rows.iter().map(value).collect())
        };
        let floats =
            |value: &dyn Fn(&EventRow) -> f64| Column::Float(self.rows.iter().map(value).collect());
        let labels = |value: &dyn Fn(&EventRow) -> &'static str| {
            Column::Label(self.rows.iter().map(value).collect())
        };
        vec![
            ("time_s", floats(&|row| row.at.seconds())),
            ("node", integers(&|row| i64::from(row.node.0))),
            ("event", labels(&|row| row.what.name())),
            ("frame", labels(&|row| row.frame)),
            ("peer", integers(&|row| number(row.peer.map(|node| node.0)))),
            ("flow", integers(&|row| number(row.tag.map(|tag| tag.source)))),
            ("packet", integers(&|row| number(row.tag.map(|tag| tag.number)))),
            ("bytes", integers(&|row| i64::from(row.bytes.0))),
            ("duration_s", floats(&|row| row.duration.seconds())),
            ("value", floats(&|row| row.value)),
            ("cause", labels(&|row| row.cause)),
        ]
    }
}
