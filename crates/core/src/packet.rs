//! A packet of the network layer, as it moves between the seams of a node.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::wire::NetworkHeader;
use crate::{Bytes, FlowId, HeaderBytes, NETWORK_HEADER_LEN, WireError};

/// The time to live with which packets start.
pub const INITIAL_TTL: u8 = 64;

/// What a packet carries: a length in the simulator, bytes on a real network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Payload {
    /// So many bytes that nobody looks at.
    Virtual(u32),
    /// These bytes.
    Real(Arc<[u8]>),
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

    /// The tag of a packet that carries none of the source's data, as an acknowledgment.
    #[must_use]
    pub const fn control(self) -> Self {
        Tag { source: self.source, number: u32::MAX }
    }

    /// Whether the packet carries data of a source.
    pub const fn is_data(self) -> bool {
        self.number != u32::MAX
    }
}

/// Which protocol of a node a packet is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Protocol {
    /// The scheme: its hop protocol and its transport.
    #[default]
    Scheme,
    /// The routing protocol. Such packets carry no scheme headers.
    Routing,
    /// Address resolution, below routing. Such packets carry no scheme headers.
    Arp,
}

/// A packet. Scheme headers are bytes; see [`HeaderBytes`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    /// Whose packet it is.
    pub flow: FlowId,
    /// Whom it is for at its destination.
    pub protocol: Protocol,
    /// Hops that are left.
    pub ttl: u8,
    /// RFC 3168: a router on the way was congested.
    pub congestion_experienced: bool,
    /// The hop-by-hop scheme's header.
    pub hop: HeaderBytes<16>,
    /// The transport's header.
    pub transport: HeaderBytes<40>,
    /// What it carries.
    pub payload: Payload,
    /// For measurements only.
    pub tag: Tag,
}

impl Payload {
    /// Its length.
    pub fn len(&self) -> Bytes {
        Bytes(match self {
            Payload::Virtual(len) => *len,
            Payload::Real(bytes) => u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        })
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == Bytes(0)
    }
}

impl Packet {
    /// A packet of `flow` with `payload` and no scheme headers yet.
    pub fn new(flow: FlowId, payload: Payload, tag: Tag) -> Self {
        Packet {
            flow,
            protocol: Protocol::Scheme,
            ttl: INITIAL_TTL,
            congestion_experienced: false,
            hop: HeaderBytes::EMPTY,
            transport: HeaderBytes::EMPTY,
            payload,
            tag,
        }
    }

    /// Length of the whole packet as the MAC sees it: network header, scheme headers, payload.
    pub fn len(&self) -> Bytes {
        let headers = NETWORK_HEADER_LEN + self.hop.len() + self.transport.len();
        Bytes(headers as u32) + self.payload.len()
    }

    /// Never: a packet has at least its network header.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// How many hops it has been forwarded.
    pub const fn hops(&self) -> u8 {
        INITIAL_TTL.saturating_sub(self.ttl)
    }

    /// The packet's bytes, a virtual payload as zeros.
    pub fn emit(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len().0 as usize);
        bytes.extend_from_slice(&NetworkHeader::of(self).emit());
        bytes.extend_from_slice(self.hop.as_slice());
        bytes.extend_from_slice(self.transport.as_slice());
        match &self.payload {
            Payload::Virtual(len) => bytes.resize(bytes.len() + *len as usize, 0),
            Payload::Real(payload) => bytes.extend_from_slice(payload),
        }
        bytes
    }

    /// Read a packet whose scheme headers have the given lengths. A routing packet has none.
    ///
    /// # Errors
    /// If the bytes are cut off or the network header is not valid.
    pub fn parse(bytes: &[u8], hop_len: usize, transport_len: usize) -> Result<Self, WireError> {
        let header = NetworkHeader::parse(bytes)?;
        let (hop_len, transport_len) = match header.protocol {
            Protocol::Scheme => (hop_len, transport_len),
            Protocol::Routing | Protocol::Arp => (0, 0),
        };
        let total = usize::from(header.total_len);
        let need = (NETWORK_HEADER_LEN + hop_len + transport_len).max(total);
        let truncated = WireError::Truncated { need, have: bytes.len() };
        if total < NETWORK_HEADER_LEN + hop_len + transport_len {
            return Err(WireError::Field {
                name: "total length",
                value: u32::from(header.total_len),
            });
        }
        let body = bytes.get(NETWORK_HEADER_LEN..total).ok_or(truncated)?;
        let (hop, rest) = body.split_at_checked(hop_len).ok_or(truncated)?;
        let (transport, payload) = rest.split_at_checked(transport_len).ok_or(truncated)?;
        Ok(Packet {
            flow: header.flow,
            protocol: header.protocol,
            ttl: header.ttl,
            congestion_experienced: header.congestion_experienced,
            hop: HeaderBytes::new(hop).ok_or(truncated)?,
            transport: HeaderBytes::new(transport).ok_or(truncated)?,
            payload: Payload::Real(payload.into()),
            tag: Tag::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeId;

    #[test]
    fn a_packet_survives_the_wire() {
        let mut packet = Packet::new(
            FlowId::between(NodeId(1), NodeId(5)),
            Payload::Real(Arc::from(&b"hello"[..])),
            Tag::default(),
        );
        packet.hop = HeaderBytes::new(&[1, 2, 3]).expect("three bytes fit");
        packet.transport = HeaderBytes::new(&[9; 8]).expect("eight bytes fit");
        let bytes = packet.emit();
        assert_eq!(bytes.len() as u32, packet.len().0);
        assert_eq!(Packet::parse(&bytes, 3, 8), Ok(packet));
        for cut in 0..bytes.len() {
            assert!(Packet::parse(&bytes[..cut], 3, 8).is_err(), "cut at {cut}");
        }
    }
}
