//! Rows of a trace: what an observation is in the words of its tables. Everything that keeps a trace takes its rows
//! from here.

use multihop_core::{
    AddressTable, DropCause, Estimate, FrameClass, Gauge, HostEvent, NodeId, Packet, Reception,
    Tag, Time, Transmission,
};

use super::cells::HeaderPlace;
use super::tables::{Carried, Drop, Event, Frame, Received, nanos};
use super::words::{What, Why};
use crate::{Observation, ProtocolEvent};

/// A number that is not there.
pub(crate) const NONE: i32 = -1;

/// What a trace has to know of the network.
#[derive(Clone, Debug)]
pub struct Network {
    /// Which node has which address.
    pub addresses: AddressTable,
    /// How many nodes there are.
    pub nodes: usize,
    /// The node of every traffic source.
    pub sources: Vec<NodeId>,
    /// When the run ends, at the latest.
    pub end: Time,
}

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
fn blank(at: Time, node: NodeId, event: What) -> Event {
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

/// What a host says about a packet that may not be known any more.
#[inline]
fn tagged(at: Time, node: NodeId, what: HostEvent, tag: Tag) -> Event {
    Event {
        flow: flow_of(Some(tag)),
        packet: packet_of(Some(tag)),
        control: control_of(Some(tag)),
        ..blank(at, node, What::Host(what))
    }
}

fn gauged(at: Time, node: NodeId, source: u32, gauge: Gauge) -> Event {
    let row =
        |name: HostEvent| Event { flow: source.cast_signed(), ..blank(at, node, What::Host(name)) };
    match gauge {
        Gauge::Window(thousandths) => {
            Event { value: f64::from(thousandths) / 1000.0, ..row(HostEvent::Window) }
        }
        Gauge::RoundTrip(time) => {
            Event { duration_ns: time.nanos().cast_signed(), ..row(HostEvent::RoundTrip) }
        }
        Gauge::Acknowledged(segments) => {
            Event { value: f64::from(segments), ..row(HostEvent::Acknowledged) }
        }
    }
}

fn estimated(at: Time, node: NodeId, estimate: Estimate) -> Event {
    let Estimate { interval, free, .. } = estimate;
    Event {
        value: free.seconds() / interval.seconds(),
        duration_ns: interval.nanos().cast_signed(),
        ..blank(at, node, What::Host(HostEvent::Estimate))
    }
}

impl Network {
    /// The number of the node with this address.
    pub(super) fn number(&self, address: NodeId) -> i32 {
        let number = self.addresses.number(address);
        if number.index() < self.nodes { number.0.cast_signed() } else { NONE }
    }

    /// The row of a frame, with the place of its packet's headers.
    pub(crate) fn frame(&self, at: Time, frame: &Transmission, header: HeaderPlace) -> Frame {
        let (tag, flow) = (frame.tag(), frame.packet.map(|packet| packet.flow));
        Frame {
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
            rate_bit_s: frame.rate.0.cast_signed(),
            reserved_ns: frame.reserved.nanos().cast_signed(),
            header,
        }
    }

    /// The row of a packet in this place of a frame that carries several.
    pub(crate) fn mpdu(
        &self,
        frame: &Transmission,
        place: usize,
        (class, packet): (FrameClass, &Packet),
    ) -> Carried {
        let behind = place.checked_sub(1).and_then(|at| frame.joined().get(at));
        let (tag, flow) = (Some(packet.tag), packet.flow);
        Carried {
            frame: frame.number.cast_signed(),
            place: (place as u32).cast_signed(),
            class,
            flow: flow_of(tag),
            packet: packet_of(tag),
            control: control_of(tag),
            source: self.number(flow.source),
            destination: self.number(flow.destination),
            bytes: packet.len().0.cast_signed(),
            sequence: behind.map_or(frame.sequence, |mpdu| mpdu.sequence).cast_signed(),
        }
    }

    /// The row of what became of a frame.
    pub(crate) fn received(found: &Reception) -> Received {
        Received {
            frame: found.frame.cast_signed(),
            node: found.node.0.cast_signed(),
            end_ns: nanos(found.end),
            outcome: found.fate,
            other: found.by.map_or(NONE, u32::cast_signed),
        }
    }

    /// The row of a packet that was given up.
    pub(crate) fn dropped(
        &self,
        at: Time,
        node: NodeId,
        packet: &Packet,
        cause: DropCause,
    ) -> Drop {
        Drop {
            time_ns: nanos(at),
            node: node.0.cast_signed(),
            flow: flow_of(Some(packet.tag)),
            packet: packet_of(Some(packet.tag)),
            control: control_of(Some(packet.tag)),
            source: self.number(packet.flow.source),
            destination: self.number(packet.flow.destination),
            cause,
        }
    }

    /// An event about a packet.
    #[inline]
    fn about(&self, at: Time, node: NodeId, what: HostEvent, packet: &Packet) -> Event {
        Event {
            source: self.number(packet.flow.source),
            destination: self.number(packet.flow.destination),
            ..tagged(at, node, what, packet.tag)
        }
    }

    fn protocol(&self, at: Time, told: &ProtocolEvent) -> Event {
        let flow = told.event.flow;
        Event {
            flow: flow_of(Some(told.tag)),
            packet: packet_of(Some(told.tag)),
            control: control_of(Some(told.tag)),
            sequence: told.event.sequence.cast_signed(),
            source: self.number(flow.source),
            destination: self.number(flow.destination),
            cause: told.reason.map_or(Why::Unsaid, Why::Reason),
            ..blank(at, told.node, What::Protocol(told.event.kind))
        }
    }

    /// The row of what is neither a frame, nor what became of one, nor a drop; `None` of what has no row.
    #[inline]
    pub(crate) fn event(&self, at: Time, what: &Observation) -> Option<Event> {
        let host = |node, event| blank(at, node, What::Host(event));
        Some(match *what {
            Observation::Offer { node, message, .. } => {
                tagged(at, node, HostEvent::Offer, message.tag)
            }
            Observation::Delivery { node, packet } => {
                self.about(at, node, HostEvent::Deliver, packet)
            }
            Observation::ServiceStart { node, packet } => {
                self.about(at, node, HostEvent::ServiceStart, packet)
            }
            Observation::ServiceEnd { node, done } => Event {
                value: f64::from(done.retries),
                duration_ns: done.service.nanos().cast_signed(),
                cause: Why::Outcome(done.outcome),
                ..self.about(at, node, HostEvent::ServiceEnd, &done.packet)
            },
            Observation::Gauge { node, source, gauge, .. } => gauged(at, node, source, gauge),
            Observation::Estimate { node, estimate } => estimated(at, node, estimate),
            Observation::Protocol(told) => self.protocol(at, &told),
            Observation::LinkBroken { node, next, reach } => Event {
                peer: next.0.cast_signed(),
                cause: Why::Reach(reach),
                ..host(node, HostEvent::LinkBroken)
            },
            Observation::CongestionPotential { node, value } => {
                Event { value: value as f64, ..host(node, HostEvent::CongestionPotential) }
            }
            Observation::Restart { node } => host(node, HostEvent::Restart),
            _ => return None,
        })
    }
}
