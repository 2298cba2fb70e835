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
    match parse_receiver(bytes)? {
        NodeId::BROADCAST => Err(no_address(bytes)),
        node => Ok(node),
    }
}

/// The node with this address, or [`NodeId::BROADCAST`].
///
/// # Errors
/// If it is neither.
pub fn parse_receiver(bytes: [u8; 4]) -> Result<NodeId, WireError> {
    let [network, node @ ..] = bytes;
    if network == 0x0A {
        let [high, middle, low] = node;
        Ok(NodeId(u32::from_be_bytes([0, high, middle, low])))
    } else {
        Err(no_address(bytes))
    }
}

fn no_address(bytes: [u8; 4]) -> WireError {
    WireError::Field { name: "address", value: u32::from_be_bytes(bytes) }
}
