//! RFC 9293, 3.1; RFC 3168, 6.1: what a segment has to say.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-------+-------+-------------------------------+-------+
//! | next  | length| flags | sequence number               | options
//! +-------+-------+-------+-------------------------------+-------+
//! ```
//!
//! The flags take the four upper bits, zeros the others. Big-endian, and zeros up to the length that the
//! parameter `header` asks for: with 20 bytes there are 13 for [options](super::options). Sequence numbers
//! count segments, not bytes: one-way TCP, as in ns-2. They begin at that of the SYN, which depends on the
//! life of the sending node, and wrap around. In an acknowledgment the sequence number is that of the next
//! segment expected.

use multihop_core::{Field, HEADER_PREFIX, HeaderFormat, NextHeader, Packet, WireError};

use super::options::{MOST, Options};

/// The header's number.
pub const TCP: NextHeader = NextHeader::transport(0);

/// Its layout.
pub static FORMAT: HeaderFormat = HeaderFormat {
    kind: TCP,
    message: None,
    name: "tcp",
    title: "TCP",
    fields: &[
        Field::number("reduced", 1, "the sender has reduced its window"),
        Field::number("echo", 1, "the receiver echoes a congestion mark"),
        Field::word("kind", 2, &[(0, "data"), (1, "syn"), (2, "ack"), (3, "reset")], "what it is"),
        Field::zero(4),
        Field::number("sequence", 32, "which segment it is, or which one is expected next"),
    ],
    rest: "options",
};

/// Length of the fields in bytes.
const FIELDS: usize = 5;

/// Length of the shortest header in bytes.
pub const HEADER_LEN: usize = 20;

/// Length of the longest header in bytes (RFC 9293, 3.1).
pub const LONGEST: usize = HEADER_PREFIX + FIELDS + MOST;

const SYN: u8 = 1 << 4;
const ACK: u8 = 2 << 4;
const ECE: u8 = 4 << 4;
const CWR: u8 = 8 << 4;
const RESET: u8 = SYN | ACK;

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
    /// RFC 9293, 3.5.3: the receiver knows nothing of the connection that a segment with this number
    /// is of, or the sender nothing of the one whose receiver expects this number.
    Reset,
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
    /// Which segment this is, or which one is expected next.
    pub sequence: u32,
    /// What the halves of the congestion control say to each other.
    pub options: Options,
}

/// An acknowledgment as the sender understands it: with numbers that count from the SYN.
#[derive(Clone, Copy, Debug)]
pub struct Ack {
    /// Which segment is expected next.
    pub sequence: u64,
    /// RFC 3168, 6.1.3: the receiver echoes a congestion mark.
    pub echo: bool,
    /// What the receiver's half of the congestion control says.
    pub options: Options,
}

impl Header {
    fn flags(&self) -> u8 {
        let kind = match self.kind {
            Kind::Syn => SYN,
            Kind::Data => 0,
            Kind::Ack => ACK,
            Kind::Reset => RESET,
        };
        kind | if self.echo { ECE } else { 0 } | if self.reduced { CWR } else { 0 }
    }

    /// Read what [`Header::write`] writes behind the prefix.
    ///
    /// # Errors
    /// If `body` is not exactly that for some header.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let truncated = WireError::Truncated { need: FIELDS, have: body.len() };
        let (fields, options) = body.split_first_chunk::<FIELDS>().ok_or(truncated)?;
        let [flags, sequence @ ..] = *fields;
        let kind = match flags & !(ECE | CWR) {
            SYN => Kind::Syn,
            0 => Kind::Data,
            ACK => Kind::Ack,
            RESET => Kind::Reset,
            other => return Err(WireError::Field { name: "flags", value: u32::from(other) }),
        };
        Ok(Header {
            kind,
            echo: flags & ECE != 0,
            reduced: flags & CWR != 0,
            sequence: u32::from_be_bytes(sequence),
            options: Options::parse(options)?,
        })
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or the packet has data and is no data segment, or the
    /// other way round.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        let header = packet.headers.find(TCP).and_then(Self::parse)?;
        packet.expect_data(header.kind == Kind::Data)?;
        Ok(header)
    }

    /// Write it into `packet`, with zeros up to `len` bytes in all.
    ///
    /// # Panics
    /// If the options leave no room in `len`, or it is more than [`LONGEST`]; the parameter's bounds and
    /// the lengths that the halves ask for exclude that.
    pub fn write(&self, packet: &mut Packet, len: usize) {
        let mut body = [0; LONGEST - HEADER_PREFIX];
        let (fields, behind) = body.split_at_mut(FIELDS);
        fields[0] = self.flags();
        fields[1..].copy_from_slice(&self.sequence.to_be_bytes());
        let options = self.options.as_slice();
        behind[..options.len()].copy_from_slice(options);
        let len = len - HEADER_PREFIX;
        assert!(FIELDS + options.len() <= len, "the halves say how much room they need");
        packet.headers.set(TCP, &body[..len]);
    }
}

#[cfg(test)]
mod tests;
