//! The network header: the same wire on every host.

use crate::{FlowId, NextHeader, WireError, address};

/// Length of the network header: an IPv4 header without options (RFC 791, section 3.1), so that
/// Wireshark and every other tool of the field can read it.
pub const NETWORK_HEADER_LEN: usize = 20;

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

/// The fields of the network header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkHeader {
    /// Source, destination and label (the identification field).
    pub flow: FlowId,
    /// What follows it.
    pub next: NextHeader,
    /// Time to live.
    pub ttl: u8,
    /// Congestion experienced (RFC 3168).
    pub congestion_experienced: bool,
    /// Length of the whole packet, this header included.
    pub total_len: u16,
}

impl NetworkHeader {
    /// Its bytes.
    pub fn emit(&self) -> [u8; NETWORK_HEADER_LEN] {
        let mut bytes = [0u8; NETWORK_HEADER_LEN];
        bytes[0] = 0x45;
        bytes[1] = if self.congestion_experienced { 0b11 } else { 0b10 };
        bytes[2..4].copy_from_slice(&self.total_len.to_be_bytes());
        bytes[4..6].copy_from_slice(&self.flow.label.to_be_bytes());
        bytes[8] = self.ttl;
        bytes[9] = self.next.0;
        bytes[12..16].copy_from_slice(&address::emit(self.flow.source));
        bytes[16..20].copy_from_slice(&address::emit(self.flow.destination));
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
        let sum = checksum(header);
        if sum != 0 {
            return Err(WireError::Field { name: "checksum", value: u32::from(sum) });
        }
        let quad = |at: usize| [header[at], header[at + 1], header[at + 2], header[at + 3]];
        Ok(NetworkHeader {
            flow: FlowId {
                source: address::parse(quad(12))?,
                destination: address::parse_receiver(quad(16))?,
                label: u16::from_be_bytes([header[4], header[5]]),
            },
            next: NextHeader(header[9]),
            ttl: header[8],
            congestion_experienced: header[1] & 0b11 == 0b11,
            total_len: u16::from_be_bytes([header[2], header[3]]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeId;

    #[test]
    fn the_network_header_survives_the_wire() {
        let header = NetworkHeader {
            flow: FlowId { source: NodeId(3), destination: NodeId(70_000), label: 9 },
            next: NextHeader::ROUTING,
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
            next: NextHeader::DATA,
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
