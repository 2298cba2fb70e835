//! What a handler gets, and what it gives back.

use serde::{Deserialize, Serialize};

use crate::{
    AirTime, DropCause, Duration, Event, EventKind, FlowId, FrameId, Message, NodeId, Packet, Rng,
    Tag, Time,
};

/// What a node wants its host to do, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Hand the packet to the application at this node.
    Deliver(Packet),
    /// Give the packet up.
    Drop(Packet, DropCause),
    /// The next hop has the packet: this node's copy is gone.
    Release(Tag),
    /// The node has taken responsibility for a copy of a packet: a neighbour sent it, or a
    /// transport makes a further one.
    Accept(Tag),
    /// Take back this frame, which waits for its air time, and tell the node so with
    /// [`crate::Outcome::Withdrawn`]. If the frame is on the air already, do nothing.
    Withdraw(FrameId),
    /// Set the congestion-experienced bit of this frame, from its next attempt on. What is
    /// on the air already does not change.
    Mark(FrameId),
    /// The MAC is not to acknowledge the frame that was heard last: for this node it is as if it had not
    /// come. Only a MAC with [`crate::Capability::TwoReceivers`] has to heed it.
    Decline,
    /// Routing takes the link to this neighbour for broken.
    LinkBroken(NodeId),
    /// A transport's state has changed.
    Gauge(FlowId, Gauge),
    /// A station has estimated what it can have.
    Estimate(Estimate),
    /// Write this about a packet into the trace.
    Trace(Event, Tag),
}

/// What a transport shows of itself, for measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gauge {
    /// The congestion window, in thousandths of a packet.
    Window(u32),
    /// A sample of the round-trip time.
    RoundTrip(Duration),
    /// So many segments of data were acknowledged.
    Acknowledged(u32),
}

/// What a station has found of the medium around it in an interval, for measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estimate {
    /// How long it was.
    pub interval: Duration,
    /// How much of it the medium was free for this station.
    pub free: Duration,
    /// What its links carry while they have the medium, in bytes per second.
    pub throughput: u32,
}

/// The context of a node's calls: the time, the node, its randomness, and a place for effects.
#[derive(Clone, Debug)]
pub struct Cx {
    /// Now.
    pub now: Time,
    /// The node that is called.
    pub me: NodeId,
    /// The node's protocol stream.
    pub rng: Rng,
    /// What this radio has done with its time until now, if the hop protocol
    /// [asks for it](crate::Hop::watches_air); else nothing.
    pub air: AirTime,
    /// Which life of the node this is: another number after every restart, so that nobody takes what it
    /// says for a part of what it said before. Hosts that keep nothing draw it at random.
    pub incarnation: u16,
    /// Where effects go.
    pub effects: Vec<Effect>,
}

impl Cx {
    /// The context of node `me` with the protocol stream `rng`, in its first life, before anything has happened.
    pub fn new(me: NodeId, rng: Rng) -> Self {
        let (now, air) = (Time::ZERO, AirTime::default());
        Cx { now, me, rng, air, incarnation: 0, effects: Vec::new() }
    }

    /// One effect more, made where it stays. It has room for a packet, and mostly says a tag: moved, all of it would be
    /// read right after a few bytes of it were written, for which a processor waits (ADR 0073).
    #[inline]
    pub fn want(&mut self, effect: impl FnOnce() -> Effect) {
        self.effects.extend(core::iter::once_with(effect));
    }

    /// Hand `packet` to the application.
    pub fn deliver(&mut self, packet: Packet) {
        self.want(|| Effect::Deliver(packet));
    }

    /// Give `packet` up.
    pub fn drop(&mut self, packet: Packet, cause: impl Into<DropCause>) {
        let cause = cause.into();
        self.want(|| Effect::Drop(packet, cause));
    }

    /// There is no room for what the application wants to send over `flow`.
    pub fn refuse(&mut self, flow: FlowId, message: Message) {
        let packet = Packet::new(flow, message.payload, message.tag);
        self.drop(packet, DropCause::SourceBufferFull);
    }

    /// The next hop has taken responsibility for `packet`.
    pub fn release(&mut self, packet: &Packet) {
        self.want(|| Effect::Release(packet.tag));
    }

    /// A further copy of the packet `tag` goes on its way: a transport retransmits.
    pub fn copy(&mut self, tag: Tag) {
        self.want(|| Effect::Accept(tag));
    }

    /// Mark this frame, which waits for its successful transmission.
    pub fn mark(&mut self, frame: FrameId) {
        self.want(|| Effect::Mark(frame));
    }

    /// The frame that is just heard is not to be acknowledged.
    pub fn decline(&mut self) {
        self.want(|| Effect::Decline);
    }

    /// Show a state of the transport of `flow`.
    pub fn gauge(&mut self, flow: FlowId, gauge: Gauge) {
        self.want(|| Effect::Gauge(flow, gauge));
    }

    /// Show what this station estimates that it can have.
    pub fn estimate(&mut self, estimate: Estimate) {
        self.want(|| Effect::Estimate(estimate));
    }

    /// Take back this frame, if it still waits for its air time.
    pub fn withdraw(&mut self, frame: FrameId) {
        self.want(|| Effect::Withdraw(frame));
    }

    /// Write an event about a packet into the trace.
    #[inline]
    pub fn trace(&mut self, kind: impl Into<EventKind>, flow: FlowId, sequence: u32, tag: Tag) {
        let kind = kind.into();
        self.want(|| Effect::Trace(Event { kind, flow, sequence }, tag));
    }
}
