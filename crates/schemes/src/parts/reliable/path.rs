//! What routers write into every packet.
//!
//! ```text
//!  0       1       2       3       4       5       6       7
//! +-------+-----------------------+-------------------------------+
//! | next  | length| kind  | zero  | D in microseconds             |
//! +-------+-----------------------+-------------------------------+
//! ```
//!
//! Big-endian.

use multihop_core::{Field, HEADER_PREFIX, HeaderFormat, NextHeader, Packet, WireError, fields};

/// The header's number.
pub const ATP_PATH: NextHeader = NextHeader::path(0);

/// Its layout.
pub static PATH_FORMAT: HeaderFormat = HeaderFormat {
    kind: ATP_PATH,
    message: None,
    name: "atp_path",
    title: "ATP, routers",
    fields: &[
        Field::word("kind", 8, &[(0, "any"), (1, "probe")], "what the packet is"),
        Field::zero(8),
        Field::number("delay_us", 32, "the largest delay on the way in microseconds"),
    ],
    rest: "",
};

/// Length of what the header says.
const BODY: usize = 6;

/// Length of the header in bytes.
pub const PATH_HEADER_LEN: usize = HEADER_PREFIX + BODY;

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

    /// What it says on the air.
    pub fn emit(&self) -> [u8; BODY] {
        let [d0, d1, d2, d3] = self.delay_us.to_be_bytes();
        [self.kind as u8, 0, d0, d1, d2, d3]
    }

    /// Read what [`PathHeader::emit`] writes.
    ///
    /// # Errors
    /// If `body` is not exactly that for some header.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let [kind, reserved, delay @ ..] = *fields::<BODY>(body)?;
        let kind = match kind {
            0 => PathKind::Any,
            1 => PathKind::Probe,
            other => return Err(WireError::Field { name: "kind", value: u32::from(other) }),
        };
        if reserved != 0 {
            return Err(WireError::Field { name: "reserved", value: u32::from(reserved) });
        }
        Ok(PathHeader { kind, delay_us: u32::from_be_bytes(delay) })
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        packet.headers.find(ATP_PATH).and_then(Self::parse)
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(ATP_PATH, &self.emit());
    }
}
