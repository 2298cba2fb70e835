//! CXCC 3.2, 4.1, 5.2: what a frame has to say.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-------+---------------+-------------------------------+
//! | kind  |version| payload length| sequence number               |
//! +-------+-------+---------------+-------------------------------+
//! ```
//!
//! Big-endian. The flow stands in the network header before it. CXCC 3.2: "this requires no
//! additional, piggybacked header fields. If it has a unique ID, the packet is sufficient as-is":
//! the ID is the flow and the sequence number.

use multihop_core::{HeaderBytes, WireError};

/// Length of the header in bytes.
pub const HEADER_LEN: usize = 8;

const VERSION: u8 = 0;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A packet of the flow.
    Data = 1,
    /// Request for acknowledgment (5.2): "all the important header information from the data
    /// packet, but not the payload".
    Rfa = 2,
    /// Explicit acknowledgment (3.2, 4.1).
    Ack = 3,
    /// Negative acknowledgment (5.2): the packet that an RFA asked about has not been received.
    Nack = 4,
}

impl Kind {
    /// Its name in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Data => "data",
            Kind::Rfa => "rfa",
            Kind::Ack => "ack",
            Kind::Nack => "nack",
        }
    }
}

/// The header of every CXCC frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the frame is.
    pub kind: Kind,
    /// Bytes behind this header in the packet: in an RFA, in the packet that it is about; zero
    /// in an ACK and a NACK.
    pub payload_len: u16,
    /// Which packet of the flow the frame is, or is about.
    pub sequence: u32,
}

impl Header {
    /// Its bytes.
    ///
    /// # Panics
    /// Never: eight bytes fit into sixteen.
    pub fn emit(&self) -> HeaderBytes<16> {
        let mut bytes = [0u8; HEADER_LEN];
        bytes[0] = self.kind as u8;
        bytes[1] = VERSION;
        bytes[2..4].copy_from_slice(&self.payload_len.to_be_bytes());
        bytes[4..8].copy_from_slice(&self.sequence.to_be_bytes());
        HeaderBytes::new(&bytes).expect("eight bytes fit into sixteen")
    }

    /// Read a header.
    ///
    /// # Errors
    /// If `bytes` is not exactly what [`Header::emit`] writes for some header.
    pub fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        let truncated = WireError::Truncated { need: HEADER_LEN, have: bytes.len() };
        let (header, rest) = bytes.split_first_chunk::<HEADER_LEN>().ok_or(truncated)?;
        if !rest.is_empty() {
            let value = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            return Err(WireError::Field { name: "header length", value });
        }
        let [kind, version, len @ .., s0, s1, s2, s3] = *header;
        if version != VERSION {
            return Err(WireError::Field { name: "version", value: u32::from(version) });
        }
        let kind = match kind {
            1 => Kind::Data,
            2 => Kind::Rfa,
            3 => Kind::Ack,
            4 => Kind::Nack,
            other => return Err(WireError::Field { name: "kind", value: u32::from(other) }),
        };
        Ok(Header {
            kind,
            payload_len: u16::from_be_bytes(len),
            sequence: u32::from_be_bytes([s0, s1, s2, s3]),
        })
    }
}

/// Whether `sequence` comes after `other`, on a circle (RFC 1982).
pub(super) const fn is_later(sequence: u32, other: u32) -> bool {
    matches!(sequence.wrapping_sub(other), 1..0x8000_0000)
}
