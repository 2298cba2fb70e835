//! RFC 9293, 3.1; RFC 3168, 6.1: what a segment has to say.
//!
//! Options stand behind the fields, and zeros up to the length that the
//! parameter `header` asks for: with 20 bytes there are 13 for [options](super::options). Sequence numbers
//! count segments, not bytes: one-way TCP, as in ns-2. They begin at that of the SYN, which depends on the
//! life of the sending node, and wrap around. In an acknowledgment the sequence number is that of the next
//! segment expected.

use multihop_core::{HEADER_PREFIX, NextHeader, Packet, WireError, header, header_words};

use super::options::{MOST, Options};

/// The header's number.
pub const TCP: NextHeader = NextHeader::transport(0);

header! {
    /// The fields on the air.
    pub(super) struct Fields, FORMAT = "tcp" "TCP", TCP, None, rest "options", by rewrite => {
        reduced: bool = "reduced" 1 "the sender has reduced its window",
        echo: bool = "echo" 1 "the receiver echoes a congestion mark",
        kind: Kind = "kind" 2 "what it is",
        zero 4,
        sequence: u32 = "sequence" 32 "which segment it is, or which one is expected next",
    }
}

fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
    let header = Header::parse(body).ok()?;
    let Header { kind, echo, reduced, sequence, options } = header;
    let fields = Fields { reduced, echo, kind, sequence }.emit();
    let mut again = [&fields, options.as_slice()].concat();
    again.resize(body.len().max(again.len()), 0);
    Some(again)
}

/// Length of the shortest header in bytes.
pub const HEADER_LEN: usize = 20;

/// Length of the longest header in bytes (RFC 9293, 3.1).
pub const LONGEST: usize = HEADER_PREFIX + Fields::LEN + MOST;

header_words! {
    /// What a segment is.
    #[derive(Default)]
    pub enum Kind {
        /// Data.
        #[default]
        Data = 0 "data",
        /// The first one, without data.
        Syn = 1 "syn",
        /// An acknowledgment, without data.
        Ack = 2 "ack",
        /// RFC 9293, 3.5.3: the receiver knows nothing of the connection that a segment with this number
        /// is of, or the sender nothing of the one whose receiver expects this number.
        Reset = 3 "reset",
    }
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
    /// Read what [`Header::write`] writes behind the prefix.
    ///
    /// # Errors
    /// If `body` is not exactly that for some header.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let (Fields { reduced, echo, kind, sequence }, options) = Fields::split(body)?;
        Ok(Header { kind, echo, reduced, sequence, options: Options::parse(options)? })
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
        let Header { kind, echo, reduced, sequence, .. } = *self;
        let mut body = [0; LONGEST - HEADER_PREFIX];
        let (fields, behind) = body.split_at_mut(Fields::LEN);
        fields.copy_from_slice(&Fields { reduced, echo, kind, sequence }.emit());
        let options = self.options.as_slice();
        behind[..options.len()].copy_from_slice(options);
        let len = len - HEADER_PREFIX;
        assert!(Fields::LEN + options.len() <= len, "the halves say how much room they need");
        packet.headers.set(TCP, &body[..len]);
    }
}

#[cfg(test)]
mod tests;
