//! What every packet says of the node that sends it.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-------+---------------+---------------+---------------+
//! | next  | length| delivery      | interference  | interval      |
//! +-------+-------+---------------+---------------+---------------+
//! ```
//!
//! In units of 32 us, at most 2.097 s: a longer time is written as that. Big-endian.
// Deviation: the paper's fields are one byte each.

use multihop_core::{
    Duration, Field, HEADER_PREFIX, HeaderFormat, NextHeader, Packet, WireError, fields,
};

/// The header's number.
pub const FLUSH: NextHeader = NextHeader::hop(4);

/// Its layout.
pub static FORMAT: HeaderFormat = HeaderFormat {
    kind: FLUSH,
    message: None,
    name: "flush",
    title: "Flush",
    fields: &[
        Field::number("delivery", 16, "delta: how long a packet takes to the next hop, in 32 us"),
        Field::number("interference", 16, "f: how long forwarders disturb it, in 32 us"),
        Field::number("interval", 16, "D: from packet to packet, in 32 us"),
    ],
    rest: "",
};

/// Length of what the header says.
const BODY: usize = 6;

/// Length of the header in bytes.
pub(super) const HEADER_LEN: usize = HEADER_PREFIX + BODY;

/// The unit of times.
const UNIT: Duration = Duration::from_micros(32);

/// What a node says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// How long a packet takes to its next hop.
    pub delivery: Duration,
    /// For how long forwarders disturb it.
    pub interference: Duration,
    /// At which interval it sends.
    pub interval: Duration,
}

impl Header {
    /// What it says on the air.
    pub fn emit(&self) -> [u8; BODY] {
        let units = |span: Duration| u16::try_from(span / UNIT).unwrap_or(u16::MAX).to_be_bytes();
        let ([d0, d1], [f0, f1]) = (units(self.delivery), units(self.interference));
        let [i0, i1] = units(self.interval);
        [d0, d1, f0, f1, i0, i1]
    }

    /// Read what [`Header::emit`] writes.
    ///
    /// # Errors
    /// If `body` has another length.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let [d0, d1, f0, f1, i0, i1] = *fields::<BODY>(body)?;
        let span = |bytes| UNIT * u64::from(u16::from_be_bytes(bytes));
        Ok(Header {
            delivery: span([d0, d1]),
            interference: span([f0, f1]),
            interval: span([i0, i1]),
        })
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        packet.headers.find(FLUSH).and_then(Self::parse)
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(FLUSH, &self.emit());
    }
}
