//! A packet of the network layer, as it moves between the seams of a node.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::wire::NetworkHeader;
use crate::{Bytes, FlowId, Headers, NETWORK_HEADER_LEN, NextHeader, WireError};

/// The time to live with which packets start.
pub const INITIAL_TTL: u8 = 64;

/// What a packet carries: a length in the simulator, bytes on a real network.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Payload {
    /// So many bytes that nobody looks at.
    Virtual(u32),
    /// These bytes.
    Real(Arc<[u8]>),
    /// What a hop protocol has made of two packets.
    Coded(Arc<Coded>),
}

/// Two packets in one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coded {
    /// Its bytes on the air.
    pub bytes: Arc<[u8]>,
    /// The measuring instruments' names for both, which travel beside the bytes as every packet's does.
    pub tags: [Tag; 2],
}

/// The measuring instruments' name for a packet. It is never on the air, and no protocol may
/// base a decision on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// Index of the traffic source in the scenario.
    pub source: u32,
    /// Number of the packet within that source.
    pub number: u32,
}

impl Tag {
    /// A packet that belongs to no source: a routing packet.
    pub const NONE: Tag = Tag { source: u32::MAX, number: u32::MAX };

    /// From this number on, packets carry none of the source's data.
    const CONTROL: u32 = 1 << 31;

    /// The tag of a packet that carries none of the source's data, as an acknowledgment, before its node has
    /// numbered it.
    #[must_use]
    pub const fn control(self) -> Self {
        Tag { source: self.source, number: u32::MAX }
    }

    /// The tag of the packet without data that its end of the flow sends as number `count`.
    #[must_use]
    pub const fn numbered_control(self, count: u32) -> Self {
        Tag { source: self.source, number: Self::CONTROL | count }
    }

    /// Whether the packet carries data of a source.
    pub const fn is_data(self) -> bool {
        self.number < Self::CONTROL
    }

    /// The number of a packet of data within its source.
    pub fn data_number(self) -> Option<u32> {
        self.is_data().then_some(self.number)
    }

    /// The number of a packet without data among those of its end of the flow, once it is numbered.
    pub fn control_number(self) -> Option<u32> {
        let numbered = !self.is_data() && self.number != u32::MAX;
        numbered.then_some(self.number & !Self::CONTROL)
    }
}

/// Which protocol of a node a packet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The scheme: its hop protocol and its transport.
    Scheme,
    /// The routing protocol.
    Routing,
    /// Address resolution, below routing.
    Arp,
}

/// A packet.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    /// Whose packet it is.
    pub flow: FlowId,
    /// Hops that are left.
    pub ttl: u8,
    /// RFC 3168: a router on the way was congested.
    pub congestion_experienced: bool,
    /// The headers behind the network header.
    pub headers: Headers,
    /// What it carries.
    pub payload: Payload,
    /// For measurements only.
    pub tag: Tag,
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}

impl Clone for Payload {
    fn clone(&self) -> Self {
        match self {
            Payload::Virtual(len) => Payload::Virtual(*len),
            Payload::Real(bytes) => Payload::Real(Arc::clone(bytes)),
            Payload::Coded(coded) => Payload::Coded(Arc::clone(coded)),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Payload::Virtual(mine), Payload::Virtual(len)) => *mine = *len,
            _ => *self = other.clone(),
        }
    }
}

impl Payload {
    /// Its length.
    pub fn len(&self) -> Bytes {
        Bytes(match self {
            Payload::Virtual(len) => *len,
            Payload::Real(bytes) => length(bytes),
            Payload::Coded(coded) => length(&coded.bytes),
        })
    }

    /// Its bytes, where somebody looks at them.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Payload::Virtual(_) => None,
            Payload::Real(bytes) => Some(bytes),
            Payload::Coded(coded) => Some(&coded.bytes),
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == Bytes(0)
    }
}

/// Copied over another one, a packet is written where it stays, and not moved there (ADR 0073).
impl Clone for Packet {
    fn clone(&self) -> Self {
        let Packet { flow, ttl, congestion_experienced, tag, .. } = *self;
        let (headers, payload) = (self.headers.clone(), self.payload.clone());
        Packet { flow, ttl, congestion_experienced, headers, payload, tag }
    }

    fn clone_from(&mut self, other: &Self) {
        let Packet { flow, ttl, congestion_experienced, headers, payload, tag } = other;
        (self.flow, self.ttl, self.tag) = (*flow, *ttl, *tag);
        self.congestion_experienced = *congestion_experienced;
        self.headers.clone_from(headers);
        self.payload.clone_from(payload);
    }
}

impl Packet {
    /// A packet of `flow` with `payload` and no headers yet.
    pub const fn new(flow: FlowId, payload: Payload, tag: Tag) -> Self {
        Packet {
            flow,
            ttl: INITIAL_TTL,
            congestion_experienced: false,
            headers: Headers::none(NextHeader::DATA),
            payload,
            tag,
        }
    }

    /// A message of routing or address resolution, which no source has sent: `carried` says which,
    /// and `body` is what it says.
    pub fn message(flow: FlowId, carried: NextHeader, body: impl Into<Arc<[u8]>>) -> Self {
        let packet = Packet::new(flow, Payload::Real(body.into()), Tag::NONE);
        Packet { headers: Headers::none(carried), ..packet }
    }

    /// Whom it is for at its destination.
    #[inline]
    pub fn protocol(&self) -> Protocol {
        match self.headers.carried() {
            NextHeader::ROUTING => Protocol::Routing,
            NextHeader::ARP => Protocol::Arp,
            _ => Protocol::Scheme,
        }
    }

    /// Length of the whole packet as the MAC sees it: network header, other headers, payload.
    pub fn len(&self) -> Bytes {
        Bytes((NETWORK_HEADER_LEN + self.headers.len()) as u32) + self.payload.len()
    }

    /// Refuse a packet that has no data although its kind `carries` some, or has some although its
    /// kind does not.
    ///
    /// # Errors
    /// With the length of the payload.
    pub fn expect_data(&self, carries: bool) -> Result<(), WireError> {
        let Bytes(value) = self.payload.len();
        if carries == (value > 0) {
            Ok(())
        } else {
            Err(WireError::Field { name: "payload", value })
        }
    }

    /// Never: a packet has at least its network header.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// How many hops it has been forwarded.
    pub const fn hops(&self) -> u8 {
        INITIAL_TTL.saturating_sub(self.ttl)
    }

    /// Its network header.
    pub fn network_header(&self) -> NetworkHeader {
        NetworkHeader {
            flow: self.flow,
            next: self.headers.first(),
            ttl: self.ttl,
            congestion_experienced: self.congestion_experienced,
            total_len: u16::try_from(self.len().0).unwrap_or(u16::MAX),
        }
    }

    /// The packet's bytes, a virtual payload as zeros.
    pub fn emit(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len().0 as usize);
        bytes.extend_from_slice(&self.network_header().emit());
        bytes.extend_from_slice(self.headers.as_slice());
        match &self.payload {
            Payload::Virtual(len) => bytes.resize(bytes.len() + *len as usize, 0),
            Payload::Real(payload) => bytes.extend_from_slice(payload),
            Payload::Coded(coded) => bytes.extend_from_slice(&coded.bytes),
        }
        bytes
    }

    /// The same packet with the measuring instruments' names of `other`, which travel beside the bytes of both.
    #[must_use]
    pub fn named_as(self, other: &Packet) -> Self {
        let payload = match (&other.payload, self.payload) {
            (Payload::Coded(coded), Payload::Real(bytes)) => {
                Payload::Coded(Arc::new(Coded { bytes, tags: coded.tags }))
            }
            (_, payload) => payload,
        };
        Packet { tag: other.tag, payload, ..self }
    }

    /// Read a packet. Headers of unknown protocols are kept as they came.
    ///
    /// # Errors
    /// If the bytes are cut off, or the network header or the order of the others is not valid.
    pub fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        let header = NetworkHeader::parse(bytes)?;
        let total = usize::from(header.total_len);
        if total < NETWORK_HEADER_LEN {
            return Err(WireError::Field { name: "total length", value: total as u32 });
        }
        let truncated = WireError::Truncated { need: total, have: bytes.len() };
        let behind = bytes.get(NETWORK_HEADER_LEN..total).ok_or(truncated)?;
        let (headers, payload) = Headers::parse(header.next, behind)?;
        Ok(Packet {
            flow: header.flow,
            ttl: header.ttl,
            congestion_experienced: header.congestion_experienced,
            headers,
            payload: match payload {
                [] => Payload::Virtual(0),
                payload => Payload::Real(payload.into()),
            },
            tag: Tag::default(),
        })
    }
}

#[cfg(test)]
mod tests;
