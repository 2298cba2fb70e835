//! RFC 9293, 3.1; RFC 3168, 6.1; RFC 2018, 3: what a segment has to say.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-------+---------------+-------------------------------+
//! | flags | blocks| window        | sequence number               |
//! +-------+-------+---------------+-------------------------------+
//! | three blocks: distance from the sequence number, length       |
//! ```
//!
//! Big-endian, and zeros up to the length that the parameter `header` asks for. Sequence numbers
//! and blocks count segments, not bytes: one-way TCP, as in ns-2. In an acknowledgment the sequence
//! number is that of the next segment expected.

use core::ops::Range;

use multihop_core::{HeaderBytes, WireError};

/// Length of the fields in bytes.
pub const HEADER_LEN: usize = 20;

/// RFC 2018, 3: how many blocks an acknowledgment reports at most.
pub const MOST_BLOCKS: usize = 3;

const SYN: u8 = 1;
const ACK: u8 = 2;
const ECE: u8 = 4;
const CWR: u8 = 8;

/// What a segment is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The first one, without data.
    Syn,
    /// Data.
    #[default]
    Data,
    /// An acknowledgment, without data.
    Ack,
}

/// Segments beyond the cumulative acknowledgment that have arrived without a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// How far the first lies above the acknowledgment's sequence number.
    pub distance: u16,
    /// How many; no block at all if zero.
    pub len: u16,
}

/// The header of every segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// What the segment is.
    pub kind: Kind,
    /// RFC 3168, 6.1.3: the receiver echoes a congestion mark.
    pub echo: bool,
    /// RFC 3168, 6.1.2: the sender has reduced its window.
    pub reduced: bool,
    /// The sender's window in segments, for a receiver that thins acknowledgments.
    pub window: u16,
    /// Which segment this is, or which one is expected next.
    pub sequence: u32,
    /// RFC 2018: what has arrived out of order, the newest first.
    pub blocks: [Block; MOST_BLOCKS],
}

impl Header {
    /// The blocks as ranges of sequence numbers.
    pub fn ranges(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.blocks.iter().filter(|block| block.len > 0).map(|block| {
            let start = self.sequence.saturating_add(u32::from(block.distance));
            start..start.saturating_add(u32::from(block.len))
        })
    }

    /// Its bytes, `len` of them.
    ///
    /// # Panics
    /// If `len` is less than [`HEADER_LEN`] or more than 40; the parameter's bounds exclude that.
    pub fn emit(&self, len: usize) -> HeaderBytes<40> {
        let mut bytes = [0u8; 40];
        bytes[0] = match self.kind {
            Kind::Syn => SYN,
            Kind::Data => 0,
            Kind::Ack => ACK,
        };
        bytes[0] |= if self.echo { ECE } else { 0 } | if self.reduced { CWR } else { 0 };
        bytes[1] = self.blocks.iter().take_while(|block| block.len > 0).count() as u8;
        bytes[2..4].copy_from_slice(&self.window.to_be_bytes());
        bytes[4..8].copy_from_slice(&self.sequence.to_be_bytes());
        for (block, at) in self.blocks.iter().zip((8..).step_by(4)) {
            bytes[at..at + 2].copy_from_slice(&block.distance.to_be_bytes());
            bytes[at + 2..at + 4].copy_from_slice(&block.len.to_be_bytes());
        }
        assert!(len >= HEADER_LEN, "the fields need {HEADER_LEN} bytes");
        HeaderBytes::new(&bytes[..len]).expect("at most forty bytes")
    }

    /// Read a header.
    ///
    /// # Errors
    /// If `bytes` is not exactly what [`Header::emit`] writes for some header.
    pub fn parse(bytes: &[u8]) -> Result<Self, WireError> {
        let truncated = WireError::Truncated { need: HEADER_LEN, have: bytes.len() };
        let (header, padding) = bytes.split_first_chunk::<HEADER_LEN>().ok_or(truncated)?;
        let field = |name, value: u8| WireError::Field { name, value: u32::from(value) };
        if let Some(byte) = padding.iter().find(|byte| **byte != 0) {
            return Err(field("padding", *byte));
        }
        let kind = match header[0] & !(ECE | CWR) {
            SYN => Kind::Syn,
            0 => Kind::Data,
            ACK => Kind::Ack,
            other => return Err(field("flags", other)),
        };
        let pair = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
        let block = |at: usize| Block { distance: pair(at), len: pair(at + 2) };
        let blocks = [block(8), block(12), block(16)];
        let used = usize::from(header[1]);
        let full = |at: usize| blocks[at].len > 0;
        if used > MOST_BLOCKS || !(0..MOST_BLOCKS).all(|at| full(at) == (at < used)) {
            return Err(field("blocks", header[1]));
        }
        Ok(Header {
            kind,
            echo: header[0] & ECE != 0,
            reduced: header[0] & CWR != 0,
            window: pair(2),
            sequence: u32::from_be_bytes([header[4], header[5], header[6], header[7]]),
            blocks,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn header() -> impl Strategy<Value = Header> {
        let kind = prop_oneof![Just(Kind::Syn), Just(Kind::Data), Just(Kind::Ack)];
        let block = (any::<u16>(), 1u16..).prop_map(|(distance, len)| Block { distance, len });
        let blocks = prop::collection::vec(block, 0..=MOST_BLOCKS);
        (kind, any::<bool>(), any::<bool>(), any::<u16>(), any::<u32>(), blocks).prop_map(
            |(kind, echo, reduced, window, sequence, some)| {
                let mut blocks = [Block::default(); MOST_BLOCKS];
                blocks[..some.len()].copy_from_slice(&some);
                Header { kind, echo, reduced, window, sequence, blocks }
            },
        )
    }

    proptest! {
        #[test]
        fn a_header_survives_the_wire(header in header(), len in HEADER_LEN..=40) {
            let bytes = header.emit(len);
            prop_assert_eq!(bytes.len(), len);
            prop_assert_eq!(Header::parse(bytes.as_slice()), Ok(header));
            for cut in 0..HEADER_LEN {
                prop_assert!(Header::parse(&bytes.as_slice()[..cut]).is_err());
            }
        }

        #[test]
        fn arbitrary_bytes_are_read_exactly_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..=40)
        ) {
            if let Ok(header) = Header::parse(&bytes) {
                let again = header.emit(bytes.len());
                prop_assert_eq!(again.as_slice(), &bytes[..]);
            }
        }
    }
}
