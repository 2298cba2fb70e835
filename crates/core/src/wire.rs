//! Headers as bytes: the same wire on every host.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{FlowId, NodeId, Packet, Protocol};

/// Length of the network header: an IPv4 header without options (RFC 791, section 3.1), so that
/// Wireshark and every other tool of the field can read it.
pub const NETWORK_HEADER_LEN: usize = 20;

/// RFC 3692: "use for experimentation and testing".
const PROTOCOL_EXPERIMENTAL: u8 = 253;

/// RFC 5498: routing protocols of mobile ad hoc networks.
const PROTOCOL_MANET: u8 = 138;

/// RFC 3692: the second number "for experimentation and testing". ARP has none, because it is not
/// carried by IPv4.
const PROTOCOL_ARP: u8 = 254;

/// Why bytes from the air were refused. Counted and traced; never a panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireError {
    /// Fewer bytes than the header needs.
    Truncated {
        /// How many are needed.
        need: usize,
        /// How many there are.
        have: usize,
    },
    /// A field holds a value that the format does not know.
    Field {
        /// Which field.
        name: &'static str,
        /// What it held.
        value: u32,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::Truncated { need, have } => {
                write!(f, "header cut off: {have} of {need} bytes")
            }
            WireError::Field { name, value } => write!(f, "header field {name} holds {value}"),
        }
    }
}

impl core::error::Error for WireError {}

/// The bytes of one scheme's header, inline: packets move without touching the heap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HeaderBytes<const N: usize> {
    len: u8,
    bytes: [u8; N],
}

impl<const N: usize> HeaderBytes<N> {
    /// No header.
    pub const EMPTY: Self = HeaderBytes { len: 0, bytes: [0; N] };

    /// A header of these bytes, or `None` if they are more than `N`.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let mut header = Self::EMPTY;
        header.bytes.get_mut(..bytes.len())?.copy_from_slice(bytes);
        header.len = u8::try_from(bytes.len()).ok()?;
        Some(header)
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// How many bytes.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no header.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<const N: usize> Default for HeaderBytes<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> fmt::Debug for HeaderBytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02x?}", self.as_slice())
    }
}

impl<const N: usize> Serialize for HeaderBytes<N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for HeaderBytes<N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = Vec::<u8>::deserialize(deserializer)?;
        HeaderBytes::new(&bytes).ok_or_else(|| {
            serde::de::Error::custom(format!("a header of {} bytes, at most {N}", bytes.len()))
        })
    }
}

/// RFC 1071: the one's complement sum over 16-bit words.
fn checksum(header: &[u8]) -> u16 {
    let mut sum: u32 = header
        .chunks(2)
        .map(|word| u32::from(word[0]) << 8 | u32::from(word.get(1).copied().unwrap_or(0)))
        .sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    !(sum as u16)
}

fn address(node: NodeId) -> [u8; 4] {
    (0x0A00_0000 | (node.0 & 0x00FF_FFFF)).to_be_bytes()
}

fn node(bytes: [u8; 4]) -> Result<NodeId, WireError> {
    let value = u32::from_be_bytes(bytes);
    if value >> 24 == 0x0A {
        Ok(NodeId(value & 0x00FF_FFFF))
    } else {
        Err(WireError::Field { name: "address", value })
    }
}

/// The fields of the network header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkHeader {
    /// Source, destination and label (the identification field).
    pub flow: FlowId,
    /// Whom the packet is for at its destination.
    pub protocol: Protocol,
    /// Time to live.
    pub ttl: u8,
    /// Congestion experienced (RFC 3168).
    pub congestion_experienced: bool,
    /// Length of the whole packet, this header included.
    pub total_len: u16,
}

impl NetworkHeader {
    /// The header of `packet`.
    pub fn of(packet: &Packet) -> Self {
        NetworkHeader {
            flow: packet.flow,
            protocol: packet.protocol,
            ttl: packet.ttl,
            congestion_experienced: packet.congestion_experienced,
            total_len: u16::try_from(packet.len().0).unwrap_or(u16::MAX),
        }
    }

    /// Its bytes.
    pub fn emit(&self) -> [u8; NETWORK_HEADER_LEN] {
        let mut bytes = [0u8; NETWORK_HEADER_LEN];
        bytes[0] = 0x45;
        bytes[1] = if self.congestion_experienced { 0b11 } else { 0b10 };
        bytes[2..4].copy_from_slice(&self.total_len.to_be_bytes());
        bytes[4..6].copy_from_slice(&self.flow.label.to_be_bytes());
        bytes[8] = self.ttl;
        bytes[9] = match self.protocol {
            Protocol::Scheme => PROTOCOL_EXPERIMENTAL,
            Protocol::Routing => PROTOCOL_MANET,
            Protocol::Arp => PROTOCOL_ARP,
        };
        bytes[12..16].copy_from_slice(&address(self.flow.source));
        bytes[16..20].copy_from_slice(&address(self.flow.destination));
        let sum = checksum(&bytes);
        bytes[10..12].copy_from_slice(&sum.to_be_bytes());
        bytes
    }

    /// Read a header from the start of `bytes`.
    ///
    /// # Errors
    /// If `bytes` is cut off, or is not a header that [`NetworkHeader::emit`] writes.
    pub fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        let header: &[u8; NETWORK_HEADER_LEN] = bytes
            .first_chunk()
            .ok_or(WireError::Truncated { need: NETWORK_HEADER_LEN, have: bytes.len() })?;
        if header[0] != 0x45 {
            return Err(WireError::Field { name: "version", value: u32::from(header[0]) });
        }
        let protocol = match header[9] {
            PROTOCOL_EXPERIMENTAL => Protocol::Scheme,
            PROTOCOL_MANET => Protocol::Routing,
            PROTOCOL_ARP => Protocol::Arp,
            other => return Err(WireError::Field { name: "protocol", value: u32::from(other) }),
        };
        let sum = checksum(header);
        if sum != 0 {
            return Err(WireError::Field { name: "checksum", value: u32::from(sum) });
        }
        let quad = |at: usize| [header[at], header[at + 1], header[at + 2], header[at + 3]];
        Ok(NetworkHeader {
            flow: FlowId {
                source: node(quad(12))?,
                destination: node(quad(16))?,
                label: u16::from_be_bytes([header[4], header[5]]),
            },
            protocol,
            ttl: header[8],
            congestion_experienced: header[1] & 0b11 == 0b11,
            total_len: u16::from_be_bytes([header[2], header[3]]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_header_survives_the_wire() {
        let header = NetworkHeader {
            flow: FlowId { source: NodeId(3), destination: NodeId(70_000), label: 9 },
            protocol: Protocol::Routing,
            ttl: 61,
            congestion_experienced: true,
            total_len: 540,
        };
        assert_eq!(NetworkHeader::parse(&header.emit()), Ok(header));
    }

    #[test]
    fn a_flipped_bit_is_refused() {
        let header = NetworkHeader {
            flow: FlowId::between(NodeId(0), NodeId(1)),
            protocol: Protocol::Scheme,
            ttl: 64,
            congestion_experienced: false,
            total_len: 20,
        };
        let good = header.emit();
        for bit in 0..NETWORK_HEADER_LEN * 8 {
            let mut bad = good;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(NetworkHeader::parse(&bad).is_err(), "bit {bit}");
        }
    }
}
