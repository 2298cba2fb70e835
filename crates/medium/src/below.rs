//! What carriers and their host say to each other.

use multihop_core::{Bytes, Duration, FrameClass, NodeId, Packet, Rx, Time, Transmission, TxDone};

use crate::mac::Action;

/// What happened on the wires.
pub enum WireReport {
    /// A packet arrived at a node.
    Heard(WireArrival),
    /// A node's frame was accepted.
    Done(NodeId, TxDone),
    /// A frame goes into a link.
    Transmits(WireFrame),
    /// A link's queue was full.
    QueueFull(NodeId, Packet),
}

/// A packet that arrived at a node.
pub struct WireArrival {
    /// Where.
    pub node: NodeId,
    /// Whence.
    pub from: NodeId,
    /// What the node hears.
    pub rx: Rx,
    /// The number of its frame.
    pub number: u32,
    /// What kind of frame it was.
    pub class: FrameClass,
}

impl WireArrival {
    /// It, as observers see it.
    pub fn transmission(&self) -> Transmission<'_> {
        Transmission {
            number: self.number,
            from: self.from,
            to: Some(self.node),
            class: self.class,
            packet: Some(&self.rx.packet),
            bytes: self.rx.packet.len(),
            air_time: self.rx.air_time,
            wait: Duration::ZERO,
            reserved: Duration::ZERO,
            sequence: 0,
        }
    }
}

/// A frame that goes into a link.
pub struct WireFrame {
    /// Which of the run's frames it is, counted from 0.
    pub number: u32,
    /// The transmitter.
    pub from: NodeId,
    /// The other end of the link.
    pub to: NodeId,
    /// What kind of frame it is.
    pub class: FrameClass,
    /// What it carries.
    pub packet: Packet,
    /// Its length.
    pub bytes: Bytes,
    /// How long it takes to send it.
    pub air_time: Duration,
    /// How long it waits in the link's queue before.
    pub wait: Duration,
}

impl WireFrame {
    /// It, as observers see it.
    pub fn transmission(&self) -> Transmission<'_> {
        Transmission {
            number: self.number,
            from: self.from,
            to: Some(self.to),
            class: self.class,
            packet: Some(&self.packet),
            bytes: self.bytes,
            air_time: self.air_time,
            wait: self.wait,
            reserved: Duration::ZERO,
            sequence: 0,
        }
    }
}

/// The host's schedule.
pub trait Alarm {
    /// [`Carrier::on_deadline`](crate::Carrier::on_deadline) is due for `node` at `at`, and not when was said before.
    fn set(&mut self, node: NodeId, at: Time);
}

/// What a call gets.
pub struct Below<'a, A> {
    /// Now.
    pub now: Time,
    /// How much later than now a frame that is offered reaches the MAC.
    pub lag: Duration,
    /// Where deadlines go.
    pub alarm: &'a mut A,
    /// What stations did.
    pub actions: &'a mut Vec<(NodeId, Action)>,
    /// What happened on the wires.
    pub wires: &'a mut Vec<WireReport>,
}
