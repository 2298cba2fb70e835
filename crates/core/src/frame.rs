//! Frames on the medium, for those who watch.

use crate::vocabulary;
use crate::vocabulary::open_vocabulary;
use crate::{Bytes, Duration, NodeId, Packet, Rate, Tag, Time};

open_vocabulary! {
    /// What kind of frame travels. Only `Data` counts as data; everything else is control.
    FrameClass {
        Data = "data": "somebody's payload",
        TransportAcknowledgment = "transport_ack":
            "a transport's packet without payload: an acknowledgment, a report, a request",
        Acknowledgment = "ack": "a hop protocol's acknowledgment",
        NegativeAcknowledgment = "nack": "a hop protocol says that a packet has not arrived",
        Control = "control": "another frame of a hop protocol",
        RouteRequest = "rreq": "routing searches for a destination",
        RouteReply = "rrep": "routing answers such a search",
        RouteError = "rerr": "routing announces that a destination cannot be reached",
        Routing = "routing": "another packet of routing",
        AddressResolution = "arp": "a question for a MAC address, or its answer",
        RequestToSend = "rts": "the MAC's request to send",
        ClearToSend = "cts": "the MAC's permission to send",
        LinkAcknowledgment = "link_ack": "the MAC's acknowledgment",
        BlockAcknowledgment = "block_ack": "the MAC says which of several packets have come",
        BlockAcknowledgmentRequest = "block_ack_request": "the MAC asks which of several packets have come",
    }
}

vocabulary! {
    /// For whom a radio decoded a frame.
    Decoded {
        Addressed = "decoded": "it was decoded, and for this node or for everyone",
        Overheard = "overheard": "it was decoded, and for another node",
    }
}

vocabulary! {
    /// Why a radio lost a frame.
    LossCause {
        Collision = "collision": "another frame overlapped",
        CaptureLost = "capture_lost": "the radio was locked on to a much stronger frame",
        BitError = "bit_error": "a bit error",
        TooWeak = "too_weak": "the signal was too weak to decode",
        Undelivered = "undelivered": "it fell to the share that its link does not deliver",
        Transmitting = "transmitting": "the radio was transmitting itself",
    }
}

/// How many frames addressed to a node were lost, by [`LossCause`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses([u64; LossCause::ALL.len()]);

impl Losses {
    /// One more was lost for `cause`.
    pub const fn count_one(&mut self, cause: LossCause) {
        self.0[cause as usize] += 1;
    }

    /// Those of `other` added.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Losses(core::array::from_fn(|cause| self.0[cause] + other.0[cause]))
    }

    /// How many were lost for `cause`.
    pub const fn count(&self, cause: LossCause) -> u64 {
        self.0[cause as usize]
    }
}

/// What became of a frame at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was decoded.
    Decoded(Decoded),
    /// It was lost.
    Lost(LossCause),
    /// It was sensed, too weak to be decoded, and not sent to this node.
    Sensed,
}

impl Fate {
    /// Its name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Fate::Decoded(decoded) => decoded.name(),
            Fate::Lost(cause) => cause.name(),
            Fate::Sensed => LossCause::TooWeak.name(),
        }
    }
}

/// What became of a frame at a node that it reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reception {
    /// The number of the frame.
    pub frame: u32,
    /// Whose radio.
    pub node: NodeId,
    /// When its last bit arrived.
    pub end: Time,
    /// When it was certain what becomes of it: at `end`, or before.
    pub certain: Time,
    /// What became of it.
    pub fate: Fate,
    /// The number of the frame that destroyed it, or that was received instead.
    pub by: Option<u32>,
}

/// A frame that a node puts on the medium.
#[derive(Clone, Copy, Debug)]
pub struct Transmission<'a> {
    /// Which of the run's frames it is, counted from 0.
    pub number: u32,
    /// Who transmits.
    pub from: NodeId,
    /// Whom it is for, the first of them if there are two; `None` if for everyone.
    pub to: Option<NodeId>,
    /// What kind of frame it is.
    pub class: FrameClass,
    /// The packet that it carries or, for an RTS, announces.
    pub packet: Option<&'a Packet>,
    /// Its length, without the preamble.
    pub bytes: Bytes,
    /// The rate of what is behind its preamble; zero where the medium does not say.
    pub rate: Rate,
    /// How long it is on the medium, preamble included.
    pub air_time: Duration,
    /// How much later than it is told the transmission begins: what waits in the queue of a wire.
    pub wait: Duration,
    /// How long it reserves the medium after its end.
    pub reserved: Duration,
    /// The MAC's sequence number, which attempts for one packet have in common; 0 where there is none.
    pub sequence: u32,
    /// Of an A-MPDU and of a block acknowledgment, what they have beyond other frames.
    pub aggregate: Option<&'a Aggregate>,
}

/// What an A-MPDU carries behind its first packet, or what a block acknowledgment says of such packets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aggregate {
    /// Of an A-MPDU: the packets behind the first.
    pub joined: Vec<Mpdu>,
    /// Of a block acknowledgment: which packets have come, from the number in its frame on, the lowest bit first.
    pub came: u64,
}

/// A packet of an A-MPDU, behind the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mpdu {
    /// What it carries.
    pub packet: Packet,
    /// What kind of frame it would be alone.
    pub class: FrameClass,
    /// Its length with the MAC header and FCS, without delimiter and padding.
    pub bytes: Bytes,
    /// The MAC's sequence number.
    pub sequence: u32,
}

impl<'a> Transmission<'a> {
    /// The packets that go with its packet in the same frame.
    #[inline]
    pub fn joined(&self) -> &'a [Mpdu] {
        self.aggregate.map_or(&[], |aggregate| &aggregate.joined)
    }

    /// Its packets in their order, each with what kind of frame it is.
    pub fn packets(&self) -> impl Iterator<Item = (FrameClass, &Packet)> {
        let first = self.packet.map(|packet| (self.class, packet));
        first.into_iter().chain(self.joined().iter().map(|mpdu| (mpdu.class, &mpdu.packet)))
    }

    /// The measuring instruments' name for its packet.
    pub fn tag(&self) -> Option<Tag> {
        self.packet.map(|packet| packet.tag)
    }
}
