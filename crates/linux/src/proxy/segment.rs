//! What proxies say to each other: segments, each in one UDP packet.
//!
//! ```text
//!  0      1        2      4        8        12     16         24        26     28
//! +------+--------+------+--------+--------+------+----------+---------+------+------
//! | kind | window | port | stream | number | next | received | sending | echo | data
//! +------+--------+------+--------+--------+------+----------+---------+------+------
//! ```
//!
//! Segments that have a number (OPEN, DATA, END) count from 0 in each direction, and on a circle. Every segment says what its sender has
//! got: all numbers below `next`, and of those behind `next` the ones whose bit in `received` is set; and that there is room for
//! `window` from `next` on. `sending` counts what a side has sent, repeated segments anew, and `echo` is that of the segment that
//! its sender has received last: so it is known which sending has arrived.

use std::net::Ipv4Addr;

use multihop_core::Serial;

use crate::bytes::{Malformed, Reader};
use crate::ip::{self, IpPacket};

/// Length of what stands before the data.
pub const HEADER: usize = 28;

/// How many segments may be under way in a direction: as many as `received` has bits.
pub const WINDOW: u32 = 64;

/// What stands before it in an IP packet: the headers of IPv4 and UDP.
pub const CARRIER: usize = 28;

/// What a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A stream begins, to this port.
    Open,
    /// Bytes of the application.
    Data,
    /// The application sends no more.
    End,
    /// Nothing but what stands in every segment.
    Acknowledgment,
    /// The same, and the other side should answer.
    Question,
    /// The stream is broken off.
    Reset,
    /// There is no such stream.
    Gone,
}

const KINDS: [Kind; 7] = [
    Kind::Open,
    Kind::Data,
    Kind::End,
    Kind::Acknowledgment,
    Kind::Question,
    Kind::Reset,
    Kind::Gone,
];

impl Kind {
    /// Whether it has a number.
    pub const fn is_numbered(self) -> bool {
        matches!(self, Kind::Open | Kind::Data | Kind::End)
    }
}

/// A segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What it is.
    pub kind: Kind,
    /// For how many segments from `next` on there is room.
    pub window: u8,
    /// To which port of the receiver the stream leads; 0 but in OPEN.
    pub port: u16,
    /// Which stream of its sender or receiver.
    pub stream: u32,
    /// Its number; 0 for those that have none.
    pub number: u32,
    /// All below have been received.
    pub next: u32,
    /// Which of those behind `next` have been received, the lowest bit for `next + 1`.
    pub received: u64,
    /// Which sending of a segment with a number this is, the first being 1; 0 for those that have none.
    pub sending: u16,
    /// The sending of the segment that was received last; 0 if there was none.
    pub echo: u16,
    /// Bytes of the application.
    pub data: Vec<u8>,
}

impl Segment {
    /// One of stream number `stream` that says nothing but this.
    pub const fn bare(kind: Kind, stream: u32) -> Self {
        Segment {
            kind,
            window: 0,
            port: 0,
            stream,
            number: 0,
            next: 0,
            received: 0,
            sending: 0,
            echo: 0,
            data: Vec::new(),
        }
    }

    /// Whether its sender has received segment `number`.
    pub fn has(&self, number: Serial) -> bool {
        let bit = u32::try_from(i64::from(number.since(Serial(self.next))) - 1);
        Serial(self.next).is_after(number)
            || bit.is_ok_and(|bit| self.received.checked_shr(bit).is_some_and(|bits| bits & 1 == 1))
    }

    /// Its bytes.
    pub fn emit(&self) -> Vec<u8> {
        let kind = KINDS.iter().position(|kind| *kind == self.kind).unwrap_or_default() as u8;
        let mut bytes = vec![kind + 1, self.window];
        bytes.extend(self.port.to_be_bytes());
        for word in [self.stream, self.number, self.next] {
            bytes.extend(word.to_be_bytes());
        }
        bytes.extend(self.received.to_be_bytes());
        bytes.extend(self.sending.to_be_bytes());
        bytes.extend(self.echo.to_be_bytes());
        bytes.extend(&self.data);
        bytes
    }

    /// Read it.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader(bytes);
        let kind = usize::from(reader.u8()?).checked_sub(1).and_then(|kind| KINDS.get(kind));
        let segment = Segment {
            kind: *kind.ok_or(Malformed::Field("kind"))?,
            window: reader.u8()?,
            port: reader.u16()?,
            stream: reader.u32()?,
            number: reader.u32()?,
            next: reader.u32()?,
            received: reader.u64()?,
            sending: reader.u16()?,
            echo: reader.u16()?,
            data: reader.rest().to_vec(),
        };
        match segment.kind {
            Kind::Data if segment.data.is_empty() => Err(Malformed::Truncated),
            Kind::Data => Ok(segment),
            _ if segment.data.is_empty() => Ok(segment),
            _ => Err(Malformed::TooLong),
        }
    }
}

/// The IP packet that carries `segment` from one port to another.
pub fn carry((from, to): (Ipv4Addr, Ipv4Addr), ports: (u16, u16), segment: &Segment) -> Vec<u8> {
    let segment = segment.emit();
    let len = (8 + segment.len()) as u16;
    // the kernel never sees it, so no checksum is looked at but IPv4's
    let header = [ports.0, ports.1, len, 0].map(u16::to_be_bytes).concat();
    ip::packet4((from, to), ip::UDP, 0, &[header, segment].concat())
}

/// What a UDP packet carries that comes from `port` or goes there: its headers, and the bytes behind them. `None` for
/// all other packets.
pub fn carried(bytes: &[u8], port: u16) -> Option<(IpPacket, &[u8])> {
    let packet = IpPacket::of(bytes).filter(|packet| packet.protocol == ip::UDP)?;
    // ports are zeros in fragments
    let ours = port != 0 && (packet.ports.0 == port || packet.ports.1 == port);
    let behind = bytes.get(packet.behind + 8..)?;
    ours.then_some((packet, behind))
}

#[cfg(test)]
mod tests;
