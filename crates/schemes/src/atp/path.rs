//! What routers write into every packet.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-----------------------+-------------------------------+
//! | kind  | zero                  | D in microseconds             |
//! +-------+-----------------------+-------------------------------+
//! ```
//!
//! Big-endian.

use multihop_core::{HeaderBytes, WireError};

/// Length of the header in bytes.
pub const PATH_HEADER_LEN: usize = 8;

/// What a router has to know of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum PathKind {
    /// Any packet.
    #[default]
    Any = 0,
    /// A probe, for which idle nodes project the contention of the flow that it announces.
    Probe = 1,
}

/// The header that routers write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathHeader {
    /// What the packet is.
    pub kind: PathKind,
    /// D, the largest delay of the nodes on the way, in microseconds; zero while no node has
    /// known its own.
    pub delay_us: u32,
}

impl PathHeader {
    /// The header with which a packet starts.
    pub const fn new(kind: PathKind) -> Self {
        PathHeader { kind, delay_us: 0 }
    }

    /// Its bytes.
    ///
    /// # Panics
    /// Never: eight bytes fit into sixteen.
    pub fn emit(&self) -> HeaderBytes<16> {
        let mut bytes = [0; PATH_HEADER_LEN];
        bytes[0] = self.kind as u8;
        bytes[4..].copy_from_slice(&self.delay_us.to_be_bytes());
        HeaderBytes::new(&bytes).expect("eight bytes fit into sixteen")
    }

    /// Read a header.
    ///
    /// # Errors
    /// If `bytes` is not exactly what [`PathHeader::emit`] writes for some header.
    pub fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        let field = |name, value: u32| WireError::Field { name, value };
        let bytes: &[u8; PATH_HEADER_LEN] = bytes.try_into().map_err(|_| {
            let have = bytes.len();
            WireError::Truncated { need: PATH_HEADER_LEN, have }
        })?;
        let kind = match bytes[0] {
            0 => PathKind::Any,
            1 => PathKind::Probe,
            other => return Err(field("kind", u32::from(other))),
        };
        if let Some(byte) = bytes[1..4].iter().find(|byte| **byte != 0) {
            return Err(field("reserved", u32::from(*byte)));
        }
        let delay_us = u32::from_be_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        Ok(PathHeader { kind, delay_us })
    }
}
