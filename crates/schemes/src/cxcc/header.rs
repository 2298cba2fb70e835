//! CXCC 3.2, 4.1, 5.2: what a frame has to say.
//!
//! A longer payload is written as 16,383. The flow stands in the network header before it. CXCC 3.2: "this requires no
//! additional, piggybacked header fields. If it has a unique ID, the packet is sufficient as-is":
//! the ID is the flow and the sequence number. The echoes behind these fields are [`super::lora`]'s.

use multihop_core::{
    FrameClass, HEADER_PREFIX, NextHeader, Packet, WireError, header, header_words,
};

use super::echoes::{Echo, emit, parse};
use super::words;

/// The header's number.
pub const CXCC: NextHeader = NextHeader::hop(0);

/// Length of the header in bytes.
pub const HEADER_LEN: usize = HEADER_PREFIX + Header::LEN;

header_words! {
    /// What a frame is.
    pub enum Kind {
        /// A packet of the flow.
        Data = 0 "data",
        /// Request for acknowledgment (5.2): "all the important header information from the data
        /// packet, but not the payload".
        Rfa = 1 "rfa",
        /// Explicit acknowledgment (3.2, 4.1).
        Ack = 2 "ack",
        /// Negative acknowledgment (5.2): the packet that an RFA asked about has not been received.
        Nack = 3 "nack",
    }
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

header! {
    /// The header of every CXCC frame. Its payload is what stands behind this header in the packet: in an RFA, in the
    /// packet that it is about; nothing in an ACK and a NACK. Its number is that of the packet that it is, or is about.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Header, FORMAT = "cxcc" "CXCC", CXCC, None, rest "echoes", by rewrite => {
        kind: Kind = "kind" 2 "what the frame is",
        payload_len: u16 = "payload" 14 "length of the payload in bytes",
        sequence: u32 = "sequence" 32 "sequence number",
    }
}

impl Header {
    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or the frame has data and is no data frame.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        let (header, echoes) = packet.headers.find(CXCC).and_then(Self::split)?;
        if !echoes.is_empty() {
            parse(echoes)?;
        }
        if header.kind != Kind::Data {
            packet.expect_data(false)?;
        }
        Ok(header)
    }

    /// The echoes in the header of `packet`.
    ///
    /// # Errors
    /// If the header is missing, or cannot be read.
    pub(super) fn echoes_of(packet: &Packet) -> Result<Vec<Echo>, WireError> {
        parse(packet.headers.find(CXCC).and_then(Self::split)?.1)
    }

    /// Write it into `packet`, with these echoes.
    pub(super) fn write_with(self, echoes: &[Echo], packet: &mut Packet) {
        packet.headers.set(CXCC, &[&self.emit()[..], &emit(echoes)].concat());
    }

    /// Write it into `packet`, without echoes.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(CXCC, &self.emit());
    }
}

fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
    let (header, echoes) = Header::split(body).ok()?;
    Some([&header.emit()[..], &emit(&parse(echoes).ok()?)].concat())
}
