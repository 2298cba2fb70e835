//! What the ends say to each other.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-------+---------------+-------------------------------+
//! | kind  | blocks| room          | sequence number               |
//! +-------+-------+---------------+-------------------------------+
//! | serial number                 | 1 / R in microseconds         |
//! +-------------------------------+-------------------------------+
//! ```
//!
//! Big-endian. Blocks, room and rate are zero in what the sender says. The SACK blocks are the
//! payload of a feedback: distance from the sequence number and length, two bytes each, in ascending
//! order and not touching. Sequence numbers and blocks count packets.

use std::sync::Arc;

use multihop_core::{HeaderBytes, WireError};

/// Length of the header in bytes.
pub const HEADER_LEN: usize = 16;

/// How many blocks a feedback reports at most.
pub const MOST_BLOCKS: usize = 20;

const BLOCK_LEN: usize = 4;

/// What a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Data.
    Data = 0,
    /// Asks for a rate; without data.
    Probe = 1,
    /// The receiver's report on an epoch.
    Feedback = 2,
    /// The same, in answer to a probe.
    Answer = 3,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Data, Kind::Probe, Kind::Feedback, Kind::Answer];

    /// Whether the receiver says it.
    pub const fn is_report(self) -> bool {
        matches!(self, Kind::Feedback | Kind::Answer)
    }
}

/// The header of every packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the packet is.
    pub kind: Kind,
    /// How many SACK blocks the payload has.
    pub blocks: u8,
    /// How many packets from the sequence number on the receiver can keep.
    pub room: u16,
    /// Which packet this is; in a probe the first one that is not acknowledged; in a report the
    /// next one expected: all before it have arrived.
    pub sequence: u32,
    /// Which transmission of the sender this is; in a report, the highest that has arrived.
    pub serial: u32,
    /// The inverse of the rate, the receiver's mean of D; zero if it is not known.
    pub interval_us: u32,
}

impl Header {
    /// A packet of the sender.
    pub const fn outward(kind: Kind, sequence: u32, serial: u32) -> Self {
        Header { kind, blocks: 0, room: 0, sequence, serial, interval_us: 0 }
    }

    /// Its bytes.
    ///
    /// # Panics
    /// Never: sixteen bytes fit into forty.
    pub fn emit(&self) -> HeaderBytes<40> {
        let mut bytes = [0; HEADER_LEN];
        bytes[0] = self.kind as u8;
        bytes[1] = self.blocks;
        bytes[2..4].copy_from_slice(&self.room.to_be_bytes());
        bytes[4..8].copy_from_slice(&self.sequence.to_be_bytes());
        bytes[8..12].copy_from_slice(&self.serial.to_be_bytes());
        bytes[12..].copy_from_slice(&self.interval_us.to_be_bytes());
        HeaderBytes::new(&bytes).expect("sixteen bytes fit into forty")
    }

    /// Read a header.
    ///
    /// # Errors
    /// If `bytes` is not exactly what [`Header::emit`] writes for some header.
    pub fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        let bytes: &[u8; HEADER_LEN] = bytes
            .try_into()
            .map_err(|_| WireError::Truncated { need: HEADER_LEN, have: bytes.len() })?;
        let field = |name, value: u32| WireError::Field { name, value };
        let word = |at: usize| {
            u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let kind = Kind::ALL.into_iter().find(|kind| *kind as u8 == bytes[0]);
        let kind = kind.ok_or_else(|| field("kind", u32::from(bytes[0])))?;
        let header = Header {
            kind,
            blocks: bytes[1],
            room: u16::from_be_bytes([bytes[2], bytes[3]]),
            sequence: word(4),
            serial: word(8),
            interval_us: word(12),
        };
        if usize::from(header.blocks) > MOST_BLOCKS {
            return Err(field("blocks", u32::from(header.blocks)));
        }
        if !kind.is_report() && header != Header::outward(kind, header.sequence, header.serial) {
            return Err(field("report", u32::from(header.blocks)));
        }
        Ok(header)
    }
}

/// Packets beyond the cumulative acknowledgment that have arrived without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// How far the first lies above the feedback's sequence number; at least one.
    pub distance: u16,
    /// How many; at least one.
    pub len: u16,
}

/// The payload of a report with these blocks.
pub fn emit_blocks(blocks: &[Block]) -> Arc<[u8]> {
    let pairs = blocks.iter().flat_map(|block| [block.distance, block.len]);
    pairs.flat_map(u16::to_be_bytes).collect()
}

/// Read the payload of a report that is said to have `count` blocks.
///
/// # Errors
/// If `bytes` is not that many blocks, in ascending order and not touching.
pub fn parse_blocks(bytes: &[u8], count: u8) -> Result<Vec<Block>, WireError> {
    let (need, have) = (usize::from(count) * BLOCK_LEN, bytes.len());
    if have < need {
        return Err(WireError::Truncated { need, have });
    }
    if have > need || usize::from(count) > MOST_BLOCKS {
        return Err(WireError::Field { name: "blocks", value: u32::from(count) });
    }
    let mut blocks = Vec::with_capacity(usize::from(count));
    let mut end = 0;
    for bytes in bytes.chunks_exact(BLOCK_LEN) {
        let distance = u16::from_be_bytes([bytes[0], bytes[1]]);
        let len = u16::from_be_bytes([bytes[2], bytes[3]]);
        if u32::from(distance) <= end || len == 0 {
            return Err(WireError::Field { name: "block", value: u32::from(distance) });
        }
        end = u32::from(distance) + u32::from(len);
        blocks.push(Block { distance, len });
    }
    Ok(blocks)
}
