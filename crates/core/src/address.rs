//! How nodes are written on the air.

use crate::{NodeId, WireError};

/// The IPv4 address of `node`.
pub fn emit(node: NodeId) -> [u8; 4] {
    (0x0A00_0000 | (node.0 & 0x00FF_FFFF)).to_be_bytes()
}

/// The node with this address.
///
/// # Errors
/// If it is not that of one node.
pub fn parse(bytes: [u8; 4]) -> Result<NodeId, WireError> {
    let value = u32::from_be_bytes(bytes);
    let node = NodeId(value & 0x00FF_FFFF);
    if value >> 24 == 0x0A && node != NodeId::BROADCAST {
        Ok(node)
    } else {
        Err(WireError::Field { name: "address", value })
    }
}
