//! RFC 9293, 3.1; RFC 3168, 6.1; RFC 2018, 3: what a segment has to say.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-------+---------------+-------------------------------+
//! | next  | length| flags, window | sequence number               |
//! +-------+-------+---------------+-------------------------------+
//! | three blocks: distance from the sequence number, length       |
//! ```
//!
//! The flags and the number of blocks take the six upper bits, the window ten; a larger one is written
//! as 1,023. Big-endian, and zeros up to the length that the parameter `header` asks for. Sequence numbers
//! and blocks count segments, not bytes: one-way TCP, as in ns-2. In an acknowledgment the sequence
//! number is that of the next segment expected.

use core::ops::Range;

use multihop_core::{HEADER_PREFIX, NextHeader, Packet, WireError};

/// The header's number.
pub const TCP: NextHeader = NextHeader::transport(0);

/// Length of the fields in bytes.
const FIELDS: usize = 18;

/// Length of the shortest header in bytes.
pub const HEADER_LEN: usize = HEADER_PREFIX + FIELDS;

/// Length of the longest header in bytes.
pub const LONGEST: usize = 40;

/// The largest window that can be written down.
const MOST_WINDOW: u16 = 0x3FF;

/// RFC 2018, 3: how many blocks an acknowledgment reports at most.
pub const MOST_BLOCKS: usize = 3;

const SYN: u16 = 1;
const ACK: u16 = 2;
const ECE: u16 = 4;
const CWR: u16 = 8;

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
    /// The sender's window in segments, up to 1,023, for a receiver that thins acknowledgments.
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

    /// The fields on the air.
    pub fn emit(&self) -> [u8; FIELDS] {
        let kind = match self.kind {
            Kind::Syn => SYN,
            Kind::Data => 0,
            Kind::Ack => ACK,
        };
        let flags = kind | if self.echo { ECE } else { 0 } | if self.reduced { CWR } else { 0 };
        let blocks = self.blocks.iter().take_while(|block| block.len > 0).count() as u16;
        let first = flags << 12 | blocks << 10 | self.window.min(MOST_WINDOW);
        let mut bytes = [0u8; FIELDS];
        bytes[..2].copy_from_slice(&first.to_be_bytes());
        bytes[2..6].copy_from_slice(&self.sequence.to_be_bytes());
        for (block, place) in self.blocks.iter().zip(bytes[6..].chunks_exact_mut(4)) {
            place[..2].copy_from_slice(&block.distance.to_be_bytes());
            place[2..].copy_from_slice(&block.len.to_be_bytes());
        }
        bytes
    }

    /// Read what [`Header::emit`] writes, and zeros behind it.
    ///
    /// # Errors
    /// If `body` is not exactly that for some header.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let truncated = WireError::Truncated { need: FIELDS, have: body.len() };
        let (header, padding) = body.split_first_chunk::<FIELDS>().ok_or(truncated)?;
        let field = |name, value: u16| WireError::Field { name, value: u32::from(value) };
        if let Some(byte) = padding.iter().find(|byte| **byte != 0) {
            return Err(field("padding", u16::from(*byte)));
        }
        let half = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
        let (flags, used) = (half(0) >> 12, usize::from(half(0) >> 10 & 0b11));
        let kind = match flags & !(ECE | CWR) {
            SYN => Kind::Syn,
            0 => Kind::Data,
            ACK => Kind::Ack,
            other => return Err(field("flags", other)),
        };
        let block = |at: usize| Block { distance: half(at), len: half(at + 2) };
        let blocks = [block(6), block(10), block(14)];
        let full = |at: usize| blocks[at].len > 0;
        if !(0..MOST_BLOCKS).all(|at| full(at) == (at < used)) {
            return Err(field("blocks", used as u16));
        }
        Ok(Header {
            kind,
            echo: flags & ECE != 0,
            reduced: flags & CWR != 0,
            window: half(0) & MOST_WINDOW,
            sequence: u32::from(half(2)) << 16 | u32::from(half(4)),
            blocks,
        })
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        packet.headers.find(TCP).and_then(Self::parse)
    }

    /// Write it into `packet`, with zeros up to `len` bytes in all.
    ///
    /// # Panics
    /// If `len` is less than [`HEADER_LEN`] or more than [`LONGEST`]; the parameter's bounds exclude
    /// that.
    pub fn write(&self, packet: &mut Packet, len: usize) {
        let mut body = [0; LONGEST - HEADER_PREFIX];
        body[..FIELDS].copy_from_slice(&self.emit());
        packet.headers.set(TCP, &body[..len - HEADER_PREFIX]);
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{FlowId, NodeId, Payload, Tag};
    use proptest::prelude::*;

    use super::*;

    fn header() -> impl Strategy<Value = Header> {
        let kind = prop_oneof![Just(Kind::Syn), Just(Kind::Data), Just(Kind::Ack)];
        let block = (any::<u16>(), 1u16..).prop_map(|(distance, len)| Block { distance, len });
        let blocks = prop::collection::vec(block, 0..=MOST_BLOCKS);
        (kind, any::<bool>(), any::<bool>(), 0..=MOST_WINDOW, any::<u32>(), blocks).prop_map(
            |(kind, echo, reduced, window, sequence, some)| {
                let mut blocks = [Block::default(); MOST_BLOCKS];
                blocks[..some.len()].copy_from_slice(&some);
                Header { kind, echo, reduced, window, sequence, blocks }
            },
        )
    }

    proptest! {
        #[test]
        fn a_header_survives_the_wire(header in header(), len in HEADER_LEN..=LONGEST) {
            let flow = FlowId::between(NodeId(0), NodeId(1));
            let mut packet = Packet::new(flow, Payload::Virtual(0), Tag::NONE);
            header.write(&mut packet, len);
            prop_assert_eq!(packet.headers.len(), len);
            prop_assert_eq!(Header::of(&packet), Ok(header));
            for cut in 0..FIELDS {
                prop_assert!(Header::parse(&header.emit()[..cut]).is_err());
            }
        }

        #[test]
        fn arbitrary_bytes_are_read_exactly_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..=40)
        ) {
            if let Ok(header) = Header::parse(&bytes) {
                let zeros = vec![0; bytes.len() - FIELDS];
                prop_assert_eq!([&header.emit()[..], &zeros].concat(), bytes);
            }
        }
    }
}
