//! Which packet it is, or whose acknowledgment.
//!
//! ```text
//!  0       1       2       3
//! +-------+-------+---------------+
//! | next  | length| number        |
//! +-------+-------+---------------+
//! ```
//!
//! Big-endian. Numbers begin with one that depends on the life of the sending node, and wrap around.

use multihop_core::{Field, HEADER_PREFIX, HeaderFormat, NextHeader, Packet, WireError};

/// The header's number.
pub const UDP_ACK: NextHeader = NextHeader::transport(2);

/// Its layout.
pub static FORMAT: HeaderFormat = HeaderFormat {
    kind: UDP_ACK,
    message: None,
    name: "udp_ack",
    title: "UDP with acknowledgments",
    fields: &[Field::number("number", 16, "which packet it is, or whose acknowledgment")],
    rest: "",
};

/// Length of the number in bytes.
const FIELDS: usize = 2;

/// Length of the header in bytes.
pub const HEADER_LEN: usize = HEADER_PREFIX + FIELDS;

/// Give `packet` its number.
pub fn write(packet: &mut Packet, number: u16) {
    packet.headers.set(UDP_ACK, &number.to_be_bytes());
}

/// The number of `packet`.
///
/// # Errors
/// If it has none, or another length.
pub fn read(packet: &Packet) -> Result<u16, WireError> {
    let body = packet.headers.find(UDP_ACK)?;
    let body = <[u8; FIELDS]>::try_from(body);
    let number = body.map_err(|_| WireError::Field { name: "length", value: 0 })?;
    Ok(u16::from_be_bytes(number))
}
