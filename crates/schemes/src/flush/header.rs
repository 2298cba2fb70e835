//! What every packet says of the node that sends it.
//!
//! In units of 32 us, at most 2.097 s: a longer time is written as that.
// Deviation: the paper's fields are one byte each.

use multihop_core::{Duration, HEADER_PREFIX, NextHeader, Packet, WireError, header};

/// The header's number.
pub const FLUSH: NextHeader = NextHeader::hop(4);

header! {
    /// Times in units.
    pub(crate) struct Units, FORMAT = "flush" "Flush", FLUSH, None => {
        delivery: u16 = "delivery" 16 "delta: how long a packet takes to the next hop, in 32 us",
        interference: u16 = "interference" 16 "f: how long forwarders disturb it, in 32 us",
        interval: u16 = "interval" 16 "D: from packet to packet, in 32 us",
    }
}

/// Length of the header in bytes.
pub(super) const HEADER_LEN: usize = HEADER_PREFIX + Units::LEN;

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
    pub fn emit(&self) -> [u8; Units::LEN] {
        let units = |span: Duration| u16::try_from(span / UNIT).unwrap_or(u16::MAX);
        let Header { delivery, interference, interval } = *self;
        let (delivery, interference) = (units(delivery), units(interference));
        Units { delivery, interference, interval: units(interval) }.emit()
    }

    /// Read what [`Header::emit`] writes.
    ///
    /// # Errors
    /// If `body` has another length.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let Units { delivery, interference, interval } = Units::parse(body)?;
        let span = |units: u16| UNIT * u64::from(units);
        let (delivery, interference) = (span(delivery), span(interference));
        Ok(Header { delivery, interference, interval: span(interval) })
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
