//! Which packet it is.
// Deviation: the paper has no header; its packets are told apart by their checksums.

use multihop_core::{HEADER_PREFIX, NextHeader, Packet, WireError, header};

/// The header's number.
pub const EZFLOW: NextHeader = NextHeader::hop(3);

header! {
    /// Which packet it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Header, FORMAT = "ezflow" "EZ-Flow", EZFLOW, None => {
        number: u16 = "number" 16 "which packet of its source it is",
    }
}

/// Length of the header in bytes.
pub(super) const HEADER_LEN: usize = HEADER_PREFIX + Header::LEN;

/// Give `packet` its number.
pub(super) fn write(packet: &mut Packet, number: u16) {
    packet.headers.set(EZFLOW, &Header { number }.emit());
}

/// The number of `packet`.
///
/// # Errors
/// If it has none, or another length.
pub(super) fn read(packet: &Packet) -> Result<u16, WireError> {
    packet.headers.find(EZFLOW).and_then(Header::parse).map(|header| header.number)
}
