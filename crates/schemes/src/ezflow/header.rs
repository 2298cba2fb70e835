//! Which packet it is.
//!
//! ```text
//!  0       1       2       3
//! +-------+-------+---------------+
//! | next  | length| number        |
//! +-------+-------+---------------+
//! ```
//!
//! Big-endian.
// Deviation: the paper has no header; its packets are told apart by their checksums.

use multihop_core::{Field, HEADER_PREFIX, HeaderFormat, NextHeader, Packet, WireError, fields};

/// The header's number.
pub const EZFLOW: NextHeader = NextHeader::hop(3);

/// Its layout.
pub static FORMAT: HeaderFormat = HeaderFormat {
    kind: EZFLOW,
    message: None,
    name: "ezflow",
    title: "EZ-Flow",
    fields: &[Field::number("number", 16, "which packet of its source it is")],
    rest: "",
};

/// Length of the number in bytes.
const BODY: usize = 2;

/// Length of the header in bytes.
pub(super) const HEADER_LEN: usize = HEADER_PREFIX + BODY;

/// Give `packet` its number.
pub(super) fn write(packet: &mut Packet, number: u16) {
    packet.headers.set(EZFLOW, &number.to_be_bytes());
}

/// The number of `packet`.
///
/// # Errors
/// If it has none, or another length.
pub(super) fn read(packet: &Packet) -> Result<u16, WireError> {
    let body = packet.headers.find(EZFLOW)?;
    fields::<BODY>(body).map(|bytes| u16::from_be_bytes(*bytes))
}
