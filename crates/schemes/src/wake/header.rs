//! What every data frame says (rule 3).
//!
//! ```text
//!  0       1       2       3       4       5       6       7       8       9
//! +-------+-------+-------+-------+---------------+---------------+---------------+
//! | next  | length| to go |W|left | sequence      | need          | period        |
//! +-------+-------+-------+-------+---------------+---------------+---------------+
//! ```
//!
//! W: the packet goes in a wave, and relays hold it. Need and period in units of 32 us, at most 2.097 s: a longer one is written as that. Big-endian.

use multihop_core::{
    Duration, Field, HEADER_PREFIX, HeaderFormat, NextHeader, Packet, WireError, fields,
};

/// The header's number.
pub const WAKE: NextHeader = NextHeader::hop(2);

/// Its layout.
pub static FORMAT: HeaderFormat = HeaderFormat {
    kind: WAKE,
    message: None,
    name: "wake",
    title: "WAKE",
    fields: &[
        Field::number("to_go", 8, "hops to the destination; 255: not known"),
        Field::number("wave", 1, "it goes in a wave: relays hold it"),
        Field::number("left", 7, "packets of the train that follow this one"),
        Field::number("sequence", 16, "which packet of the flow it is"),
        Field::number("need", 16, "the period that the flow needs, in units of 32 us"),
        Field::number("period", 16, "the period that the path can bear, in units of 32 us"),
    ],
    rest: "",
};

/// Length of what the header says.
const BODY: usize = 8;

/// Length of the header in bytes.
pub const HEADER_LEN: usize = HEADER_PREFIX + BODY;

/// The unit of times.
const UNIT: Duration = Duration::from_micros(32);

/// The longest time that can be written down.
pub const LONGEST: Duration = Duration::from_micros(32 * 0xFFFF);

/// What is written for a distance that is not known.
const UNKNOWN: u8 = u8::MAX;

/// The bit of packets that go in a wave.
const WAVE: u8 = 0x80;

/// The header of every WAKE frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Hops from the sender of this frame to the destination, if it knows.
    pub to_go: Option<u8>,
    /// Whether it goes in a wave: relays hold it (rule 2).
    pub in_wave: bool,
    /// Packets of the train that follow this one, at most 127.
    pub left: u8,
    /// Which packet of the flow it is: two that follow each other have different numbers.
    pub sequence: u16,
    /// The period that the flow needs at the sender.
    pub need: Duration,
    /// The period that the path can bear from the sender on.
    pub period: Duration,
}

fn write_time(span: Duration) -> [u8; 2] {
    ((span.min(LONGEST) / UNIT) as u16).to_be_bytes()
}

fn read_time(bytes: [u8; 2]) -> Duration {
    UNIT * u16::from_be_bytes(bytes).into()
}

impl Header {
    /// What it says on the air.
    pub fn emit(&self) -> [u8; BODY] {
        let to_go = self.to_go.map_or(UNKNOWN, |hops| hops.min(UNKNOWN - 1));
        let left = self.left.min(!WAVE) | if self.in_wave { WAVE } else { 0 };
        let [s0, s1] = self.sequence.to_be_bytes();
        let ([n0, n1], [p0, p1]) = (write_time(self.need), write_time(self.period));
        [to_go, left, s0, s1, n0, n1, p0, p1]
    }

    /// Read what [`Header::emit`] writes.
    ///
    /// # Errors
    /// If `body` has another length.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let [to_go, left, s0, s1, n0, n1, p0, p1] = *fields::<BODY>(body)?;
        Ok(Header {
            to_go: (to_go != UNKNOWN).then_some(to_go),
            in_wave: left & WAVE != 0,
            left: left & !WAVE,
            sequence: u16::from_be_bytes([s0, s1]),
            need: read_time([n0, n1]),
            period: read_time([p0, p1]),
        })
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        packet.headers.find(WAKE).and_then(Self::parse)
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(WAKE, &self.emit());
    }
}
