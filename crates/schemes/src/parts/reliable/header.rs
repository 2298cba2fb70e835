//! What the ends say to each other.
//!
//! Behind the fields stand the SACK blocks of a report: the distance from the sequence number, and the length. Room and rate are zero in what the
//! sender says, which has no blocks, but for a probe that ends a connection of an earlier life: its room is 1,
//! and in place of the rate stands the number that the receiver expects in vain. Data that opens a connection,
//! where no rate has to be asked for first, has a room of 1, too. A report without room is a refusal: the
//! receiver knows nothing of the packet whose numbers it has. The blocks stand in ascending order and do not
//! touch. Sequence numbers and blocks count packets; they and the serial numbers begin with one that depends on
//! the life of the sending node, and wrap around.

use multihop_core::{HEADER_PREFIX, NextHeader, Packet, WireError, header, header_words};

/// The header's number.
pub const ATP: NextHeader = NextHeader::transport(1);

/// Length of the header in bytes, without blocks.
pub const HEADER_LEN: usize = HEADER_PREFIX + Header::LEN;

/// How many blocks a feedback reports at most.
pub const MOST_BLOCKS: usize = 20;

/// The most packets that a receiver can say to keep.
pub const MOST_ROOM: u16 = 0x3FFF;

const BLOCK_LEN: usize = 4;

header_words! {
    /// What a packet is.
    pub enum Kind {
        /// Data.
        Data = 0 "data",
        /// Asks for a rate; without data.
        Probe = 1 "probe",
        /// The receiver's report on an epoch.
        Feedback = 2 "feedback",
        /// The same, in answer to a probe.
        Answer = 3 "answer",
    }
}

impl Kind {
    /// Whether the receiver says it.
    pub const fn is_report(self) -> bool {
        matches!(self, Kind::Feedback | Kind::Answer)
    }
}

header! {
    /// The header of every packet. Its room counts from the sequence number on; see [`Header::refuses`],
    /// [`Header::ends`] and [`Header::opens`]. A probe has the number of the first packet that is not acknowledged; a
    /// report that of the next one expected, and the highest transmission that has arrived. The interval is the
    /// receiver's mean of D; zero if it is not known.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Header, FORMAT = "atp" "ATP", ATP, None, rest "blocks", by rewrite => {
        kind: Kind = "kind" 2 "what the packet is",
        room: u16 = "room" 14 "how many packets the receiver can keep",
        sequence: u32 = "sequence" 32 "which packet it is, or the next one expected",
        serial: u32 = "serial" 32 "which transmission it is, or the highest that has arrived",
        interval_us: u32 = "interval_us" 32 "the inverse of the rate in microseconds",
    }
}

fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
    let (header, blocks) = Header::parse_with_blocks(body).ok()?;
    Some(header.body(&blocks))
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

    /// Read what [`Header::write`] writes.
    ///
    /// # Errors
    /// If `body` is not exactly that for some header and blocks.
    pub fn parse_with_blocks(body: &[u8]) -> Result<(Self, Vec<Block>), WireError> {
        let (header, blocks) = Header::split(body)?;
        let kind = header.kind;
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
        let (header, blocks) = packet.headers.find(ATP).and_then(Self::parse_with_blocks)?;
        packet.expect_data(header.kind == Kind::Data)?;
        Ok((header, blocks))
    }

    /// Write it into `packet`, with these blocks.
    ///
    /// # Panics
    /// If there are more than [`MOST_BLOCKS`].
    pub fn write(&self, packet: &mut Packet, blocks: &[Block]) {
        packet.headers.set(ATP, &self.body(blocks));
    }

    fn body(&self, blocks: &[Block]) -> Vec<u8> {
        assert!(blocks.len() <= MOST_BLOCKS, "the parameter's bounds exclude more");
        let mut body = self.emit().to_vec();
        let pairs = blocks.iter().flat_map(|block| [block.distance, block.len]);
        body.extend(pairs.flat_map(u16::to_be_bytes));
        body
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
