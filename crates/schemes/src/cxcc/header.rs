//! CXCC 3.2, 4.1, 5.2: what a frame has to say.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-------+---------------+-------------------------------+
//! | next  | length| kind, payload | sequence number               |
//! +-------+-------+---------------+-------------------------------+
//! ```
//!
//! The kind takes the two upper bits, the payload length fourteen; a longer one is written as 16,383.
//! Big-endian. The flow stands in the network header before it. CXCC 3.2: "this requires no
//! additional, piggybacked header fields. If it has a unique ID, the packet is sufficient as-is":
//! the ID is the flow and the sequence number.

use multihop_core::{
    Field, FrameClass, HEADER_PREFIX, HeaderFormat, NextHeader, Packet, WireError, fields,
};

use super::words;

/// The header's number.
pub const CXCC: NextHeader = NextHeader::hop(0);

/// Its layout.
pub static FORMAT: HeaderFormat = HeaderFormat {
    kind: CXCC,
    message: None,
    name: "cxcc",
    title: "CXCC",
    fields: &[
        Field::word(
            "kind",
            2,
            &[(0, "data"), (1, "rfa"), (2, "ack"), (3, "nack")],
            "what the frame is",
        ),
        Field::number("payload", 14, "length of the payload in bytes"),
        Field::number("sequence", 32, "sequence number"),
    ],
    rest: "",
};

/// Length of what the header says.
const BODY: usize = 6;

/// Length of the header in bytes.
pub const HEADER_LEN: usize = HEADER_PREFIX + BODY;

/// The longest payload length that can be written down.
const MOST_PAYLOAD: u16 = 0x3FFF;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A packet of the flow.
    Data = 0,
    /// Request for acknowledgment (5.2): "all the important header information from the data
    /// packet, but not the payload".
    Rfa = 1,
    /// Explicit acknowledgment (3.2, 4.1).
    Ack = 2,
    /// Negative acknowledgment (5.2): the packet that an RFA asked about has not been received.
    Nack = 3,
}

impl Kind {
    /// What kind of frame it travels in.
    pub const fn class(self) -> FrameClass {
        match self {
            Kind::Data => FrameClass::Data,
            Kind::Rfa => FrameClass::Declared(&words::REQUEST),
            Kind::Ack => FrameClass::Acknowledgment,
            Kind::Nack => FrameClass::NegativeAcknowledgment,
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
    /// What it says on the air.
    pub fn emit(&self) -> [u8; BODY] {
        let kind_and_len = (self.kind as u16) << 14 | self.payload_len.min(MOST_PAYLOAD);
        let ([k, l], [s0, s1, s2, s3]) = (kind_and_len.to_be_bytes(), self.sequence.to_be_bytes());
        [k, l, s0, s1, s2, s3]
    }

    /// Read what [`Header::emit`] writes.
    ///
    /// # Errors
    /// If `body` has another length.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let [k, l, sequence @ ..] = *fields::<BODY>(body)?;
        let kind_and_len = u16::from_be_bytes([k, l]);
        let kind = match kind_and_len >> 14 {
            0 => Kind::Data,
            1 => Kind::Rfa,
            2 => Kind::Ack,
            _ => Kind::Nack,
        };
        let (payload_len, sequence) = (kind_and_len & MOST_PAYLOAD, u32::from_be_bytes(sequence));
        Ok(Header { kind, payload_len, sequence })
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or the frame has data and is no data frame.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        let header = packet.headers.find(CXCC).and_then(Self::parse)?;
        if header.kind != Kind::Data {
            packet.expect_data(false)?;
        }
        Ok(header)
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(CXCC, &self.emit());
    }
}
