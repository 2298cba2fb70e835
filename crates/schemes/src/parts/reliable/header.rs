//! What the ends say to each other.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-------+---------------+-------------------------------+
//! | next  | length| kind, room    | sequence number               |
//! +-------+-------+---------------+-------------------------------+
//! | serial number                 | 1 / R in microseconds         |
//! +-------------------------------+-------------------------------+
//! | SACK blocks of a report: distance from the sequence number, length
//! ```
//!
//! Big-endian. The kind takes the two upper bits, the room fourteen. Room and rate are zero in what the
//! sender says, which has no blocks, but for a probe that ends a connection of an earlier life: its room is 1,
//! and in place of the rate stands the number that the receiver expects in vain. Data that opens a connection,
//! where no rate has to be asked for first, has a room of 1, too. A report without room is a refusal: the
//! receiver knows nothing of the packet whose numbers it has. The blocks stand in ascending order and do not
//! touch. Sequence numbers and blocks count packets; they and the serial numbers begin with one that depends on
//! the life of the sending node, and wrap around.

use multihop_core::{Field, HEADER_PREFIX, HeaderFormat, NextHeader, Packet, WireError};

/// The header's number.
pub const ATP: NextHeader = NextHeader::transport(1);

/// Its layout.
pub static FORMAT: HeaderFormat = HeaderFormat {
    kind: ATP,
    message: None,
    name: "atp",
    title: "ATP",
    fields: &[
        Field::word(
            "kind",
            2,
            &[(0, "data"), (1, "probe"), (2, "feedback"), (3, "answer")],
            "what the packet is",
        ),
        Field::number("room", 14, "how many packets the receiver can keep"),
        Field::number("sequence", 32, "which packet it is, or the next one expected"),
        Field::number("serial", 32, "which transmission it is, or the highest that has arrived"),
        Field::number("interval_us", 32, "the inverse of the rate in microseconds"),
    ],
    rest: "blocks",
};

/// Length of the fields in bytes.
const FIELDS: usize = 14;

/// Length of the header in bytes, without blocks.
pub const HEADER_LEN: usize = HEADER_PREFIX + FIELDS;

/// How many blocks a feedback reports at most.
pub const MOST_BLOCKS: usize = 20;

/// The most packets that a receiver can say to keep.
pub const MOST_ROOM: u16 = 0x3FFF;

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
    /// How many packets from the sequence number on the receiver can keep, up to [`MOST_ROOM`]; see
    /// [`Header::refuses`], [`Header::ends`] and [`Header::opens`].
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
        Header { kind, room: 0, sequence, serial, interval_us: 0 }
    }

    /// A probe that ends the connection whose receiver expects `number`.
    #[must_use]
    pub const fn ending(self, number: u32) -> Self {
        Header { room: 1, interval_us: number, ..self }
    }

    /// Data that opens a connection.
    #[must_use]
    pub const fn opening(self) -> Self {
        Header { room: 1, ..self }
    }

    /// Whether this is such data.
    pub fn opens(&self) -> bool {
        self.kind == Kind::Data && self.room == 1
    }

    /// The number that the receiver of a connection expects of which the sender knows nothing.
    pub fn ends(&self) -> Option<u32> {
        (self.kind == Kind::Probe && self.room == 1).then_some(self.interval_us)
    }

    /// Whether the receiver knows nothing of the connection.
    pub const fn refuses(&self) -> bool {
        self.kind.is_report() && self.room == 0
    }

    /// What it says on the air.
    pub fn emit(&self) -> [u8; FIELDS] {
        let kind_and_room = (self.kind as u16) << 14 | self.room.min(MOST_ROOM);
        let mut bytes = [0; FIELDS];
        bytes[..2].copy_from_slice(&kind_and_room.to_be_bytes());
        bytes[2..6].copy_from_slice(&self.sequence.to_be_bytes());
        bytes[6..10].copy_from_slice(&self.serial.to_be_bytes());
        bytes[10..].copy_from_slice(&self.interval_us.to_be_bytes());
        bytes
    }

    /// Read what [`Header::write`] writes.
    ///
    /// # Errors
    /// If `body` is not exactly that for some header and blocks.
    pub fn parse(body: &[u8]) -> Result<(Self, Vec<Block>), WireError> {
        let truncated = WireError::Truncated { need: FIELDS, have: body.len() };
        let (fields, blocks) = body.split_first_chunk::<FIELDS>().ok_or(truncated)?;
        let half = |at: usize| u16::from_be_bytes([fields[at], fields[at + 1]]);
        let word = |at: usize| u32::from(half(at)) << 16 | u32::from(half(at + 2));
        let kind = match half(0) >> 14 {
            0 => Kind::Data,
            1 => Kind::Probe,
            2 => Kind::Feedback,
            _ => Kind::Answer,
        };
        let header = Header {
            kind,
            room: half(0) & MOST_ROOM,
            sequence: word(2),
            serial: word(6),
            interval_us: word(10),
        };
        let plain = Header::outward(kind, header.sequence, header.serial);
        let opening = kind == Kind::Data && header == plain.opening();
        let outward = header == plain || opening || header.ends().is_some();
        if !(kind.is_report() || outward && blocks.is_empty()) {
            return Err(WireError::Field { name: "report", value: u32::from(header.room) });
        }
        Ok((header, parse_blocks(blocks)?))
    }

    /// The header of `packet`, and its blocks.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or the packet has data and is of another kind, or the
    /// other way round.
    pub fn of(packet: &Packet) -> Result<(Self, Vec<Block>), WireError> {
        let (header, blocks) = packet.headers.find(ATP).and_then(Self::parse)?;
        packet.expect_data(header.kind == Kind::Data)?;
        Ok((header, blocks))
    }

    /// Write it into `packet`, with these blocks.
    ///
    /// # Panics
    /// If there are more than [`MOST_BLOCKS`].
    pub fn write(&self, packet: &mut Packet, blocks: &[Block]) {
        assert!(blocks.len() <= MOST_BLOCKS, "the parameter's bounds exclude more");
        let mut body = [0; FIELDS + MOST_BLOCKS * BLOCK_LEN];
        body[..FIELDS].copy_from_slice(&self.emit());
        let pairs = blocks.iter().flat_map(|block| [block.distance, block.len]);
        for (place, number) in body[FIELDS..].chunks_exact_mut(2).zip(pairs) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        packet.headers.set(ATP, &body[..FIELDS + blocks.len() * BLOCK_LEN]);
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

/// Read the blocks behind the fields: in ascending order, and not touching.
fn parse_blocks(bytes: &[u8]) -> Result<Vec<Block>, WireError> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK_LEN>();
    if !rest.is_empty() || blocks.len() > MOST_BLOCKS {
        return Err(WireError::Field { name: "blocks", value: bytes.len() as u32 });
    }
    let mut end = 0;
    let read = |[d0, d1, l0, l1]: &[u8; BLOCK_LEN]| {
        let (distance, len) = (u16::from_be_bytes([*d0, *d1]), u16::from_be_bytes([*l0, *l1]));
        if u32::from(distance) <= end || len == 0 {
            return Err(WireError::Field { name: "block", value: u32::from(distance) });
        }
        end = u32::from(distance) + u32::from(len);
        Ok(Block { distance, len })
    };
    blocks.iter().map(read).collect()
}
