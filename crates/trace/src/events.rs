//! The event trace of a run.

use multihop_core::{
    Bytes, Duration, Estimate, Fate, Gauge, HostEvent, LossCause, NodeId, Reception, Tag, Time,
    Transmission,
};

use crate::{Column, Costly, Observation, Observer, Table};

/// How what is told later stands among what happens at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Before,
    AsTold,
    Behind,
}

/// One event.
#[derive(Clone, Copy, Debug)]
struct EventRow {
    at: Time,
    order: Order,
    node: NodeId,
    event: &'static str,
    /// Kind of frame; empty if the event is not about a frame.
    frame: &'static str,
    /// The addressee of a transmission, the transmitter of a reception or loss.
    peer: Option<NodeId>,
    /// The packet, if the event is about one.
    tag: Option<Tag>,
    /// Bytes of the frame.
    bytes: Bytes,
    /// How long: air time of the frame, staying time, round-trip time.
    duration: Duration,
    /// How much, where an event has a measure: window, retries, congestion potential.
    value: f64,
    /// Why, for losses and drops; how it ended, for a service.
    cause: &'static str,
}

impl EventRow {
    /// An event that is not about a frame.
    const fn new(at: Time, node: NodeId, event: &'static str) -> Self {
        EventRow {
            at,
            order: Order::AsTold,
            node,
            event,
            frame: "",
            peer: None,
            tag: None,
            bytes: Bytes(0),
            duration: Duration::ZERO,
            value: f64::NAN,
            cause: "",
        }
    }

    /// An event about a packet.
    const fn about(self, tag: Tag) -> Self {
        EventRow { tag: Some(tag), ..self }
    }

    /// An event about a frame, from or to `peer`.
    fn framed(self, frame: &Transmission, peer: Option<NodeId>) -> Self {
        EventRow {
            frame: frame.class.name(),
            peer,
            tag: frame.tag(),
            bytes: frame.bytes,
            duration: frame.air_time,
            ..self
        }
    }

    const fn because(self, cause: &'static str) -> Self {
        EventRow { cause, ..self }
    }

    /// The row about `what`, if it has one.
    fn of(at: Time, what: &Observation) -> Option<Self> {
        let row = |node, event: HostEvent| EventRow::new(at, node, event.name());
        Some(match *what {
            Observation::Transmission(frame) => {
                row(frame.from, HostEvent::TransmitStart).framed(&frame, frame.to)
            }
            Observation::Delivery { node, packet } => {
                row(node, HostEvent::Deliver).about(packet.tag)
            }
            Observation::Drop { node, packet, cause } => {
                row(node, HostEvent::Drop).about(packet.tag).because(cause.name())
            }
            Observation::ServiceStart { node, packet } => {
                row(node, HostEvent::ServiceStart).about(packet.tag)
            }
            Observation::ServiceEnd { node, done } => EventRow {
                value: f64::from(done.retries),
                duration: done.service,
                ..row(node, HostEvent::ServiceEnd)
                    .about(done.packet.tag)
                    .because(done.outcome.name())
            },
            Observation::Gauge { node, source, gauge, .. } => {
                let tag = Tag { source, number: 0 }.control();
                match gauge {
                    Gauge::Window(window) => EventRow {
                        value: f64::from(window) / 1000.0,
                        ..row(node, HostEvent::Window).about(tag)
                    },
                    Gauge::RoundTrip(duration) => {
                        EventRow { duration, ..row(node, HostEvent::RoundTrip).about(tag) }
                    }
                    Gauge::Acknowledged(_) => return None,
                }
            }
            Observation::Estimate { node, estimate } => {
                let Estimate { interval, free, throughput } = estimate;
                EventRow {
                    duration: interval,
                    value: free.seconds() / interval.seconds(),
                    bytes: Bytes(throughput),
                    ..row(node, HostEvent::Estimate)
                }
            }
            Observation::Protocol(told) => {
                let cause = told.reason.map_or("", |reason| reason.name());
                EventRow::new(at, told.node, told.event.kind.name()).about(told.tag).because(cause)
            }
            Observation::LinkBroken { node, next, reach } => EventRow {
                peer: Some(next),
                ..row(node, HostEvent::LinkBroken).because(reach.name())
            },
            Observation::CongestionPotential { node, value } => {
                EventRow { value: value as f64, ..row(node, HostEvent::CongestionPotential) }
            }
            Observation::Restart { node } => row(node, HostEvent::Restart),
            Observation::Offer { .. }
            | Observation::Acceptance { .. }
            | Observation::Release { .. }
            | Observation::WireEntered(_)
            | Observation::WireLeft(_)
            | Observation::Receptions(_)
            | Observation::Sensing(_)
            | Observation::Air(_)
            | Observation::Timer { .. }
            | Observation::MeasuringBegins(_)
            | Observation::End { .. } => return None,
        })
    }
}

/// The event trace of a run, in the order in which it was written.
#[derive(Clone, Debug, Default)]
pub struct EventTable {
    rows: Vec<EventRow>,
    /// Where the transmission of every frame stands, by the frame's number.
    frames: Vec<usize>,
}

impl Observer for EventTable {
    fn wants(&self, costly: Costly) -> bool {
        matches!(costly, Costly::Receptions | Costly::Sensed)
    }

    fn observe(&mut self, at: Time, what: &Observation) {
        match what {
            Observation::Transmission(_) => self.frames.push(self.rows.len()),
            Observation::Receptions(known) => {
                for reception in *known {
                    self.on_reception(reception);
                }
            }
            _ => {}
        }
        self.rows.extend(EventRow::of(at, what));
    }
}

impl EventTable {
    fn on_reception(&mut self, reception: &Reception) {
        let Reception { node, frame, certain, fate, .. } = *reception;
        let sent = self.rows[self.frames[frame as usize]];
        let (event, order, cause) = match fate {
            Fate::Decoded(_) => (HostEvent::Receive, Order::Before, ""),
            // It is told before the transmission that destroys it.
            Fate::Lost(LossCause::Transmitting) => (HostEvent::Loss, Order::Before, fate.name()),
            Fate::Lost(_) | Fate::Sensed => (HostEvent::Loss, Order::Behind, fate.name()),
        };
        let (event, peer) = (event.name(), Some(sent.node));
        self.rows.push(EventRow { at: certain, order, node, event, peer, cause, ..sent });
    }

    /// The table, sorted by time; events of the same time keep their order.
    pub fn into_table(mut self) -> Table {
        self.rows.sort_by_key(|row| (row.at, row.order));
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
            ("event", labels(&|row| row.event)),
            ("frame", labels(&|row| row.frame)),
            ("peer", integers(&|row| number(row.peer.map(|node| node.0)))),
            ("flow", integers(&|row| number(row.tag.map(|tag| tag.source)))),
            ("packet", integers(&|row| number(row.tag.and_then(Tag::data_number)))),
            ("control", integers(&|row| number(row.tag.and_then(Tag::control_number)))),
            ("bytes", integers(&|row| i64::from(row.bytes.0))),
            ("duration_s", floats(&|row| row.duration.seconds())),
            ("value", floats(&|row| row.value)),
            ("cause", labels(&|row| row.cause)),
        ]
    }
}
