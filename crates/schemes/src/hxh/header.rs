//! HxH 3.1, figure 3.1: the packet header.
//!
//! Zeros stand behind the fields, up to the length that the parameter `header` gives. All numbers wrap around. The incarnation says which life of the source the flow's
//! numbers are of, upstream too. The copies of addresses and ports that
//! figure 3.1 has stand in the network header here, whose destination stays that of the flow.

use multihop_core::{
    FrameClass, HEADER_PREFIX, LONGEST_HEADER, NextHeader, Packet, Serial, WireError, header,
    header_words,
};

/// The header's number.
pub const HXH: NextHeader = NextHeader::hop(1);

header! {
    /// The fields on the air.
    pub(super) struct Fields, FORMAT = "hxh" "HxH", HXH, None, rest "zeros", by rewrite => {
        kind: Kind = "kind" 8 "what the packet is",
        zero 7,
        request: bool = "request" 1 "an explicit acknowledgment is asked for",
        buffer: u16 = "buffer" 16 "buffer value",
        range_len: u16 = "range_length" 16 "how many packets the range has",
        ack: u32 = "ack" 32 "ACK value",
        sequence: u32 = "sequence" 32 "sequence number",
        range_back: u16 = "range_back" 16 "how far the range begins before the sequence number",
        incarnation: u16 = "incarnation" 16 "which life of the source the numbers are of",
    }
}

fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
    let header = Header::parse(body).ok()?;
    let mut again = header.emit().to_vec();
    again.resize(body.len(), 0);
    Some(again)
}

/// Whether HxH's own transport has sent `packet`: one header is that of the scheduling layer and of the
/// transport.
pub fn carries(packet: &Packet) -> bool {
    Header::of(packet).is_ok_and(|header| header.kind != Kind::Datagram)
}

/// Length in bytes of the shortest header.
pub const HEADER_LEN: usize = HEADER_PREFIX + Fields::LEN;

header_words! {
    /// What a packet is.
    pub enum Kind {
        /// Data of a flow.
        Data = 1 "data",
        /// Explicit acknowledgment (3.4.2).
        Ack = 2 "ack",
        /// Negative acknowledgment (3.4.3).
        Nack = 3 "nack",
        /// Data of a flow that has another transport: scheduled and credited, but not acknowledged.
        Datagram = 4 "datagram",
    }
}

impl Kind {
    /// What kind of frame it travels in.
    pub const fn class(self) -> FrameClass {
        match self {
            Kind::Data | Kind::Datagram => FrameClass::Data,
            Kind::Ack => FrameClass::Acknowledgment,
            Kind::Nack => FrameClass::NegativeAcknowledgment,
        }
    }

    /// Whether it goes upstream, against the data.
    pub const fn goes_upstream(self) -> bool {
        matches!(self, Kind::Ack | Kind::Nack)
    }
}

/// A range of sequence numbers that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first number.
    pub first: u32,
    /// How many.
    pub len: u16,
}

impl Range {
    /// From `first` up to, but without `end`, or `None` if that is empty or does not fit.
    pub fn new(first: u32, end: u32) -> Option<Self> {
        let len = u16::try_from(Serial(end).since(Serial(first))).ok().filter(|len| *len > 0)?;
        Some(Range { first, len })
    }

    /// The number behind the last.
    pub const fn end(&self) -> u32 {
        self.first.wrapping_add(self.len as u32)
    }

    /// What of it is not in `other`: a part before, and a part behind.
    pub fn without(&self, other: Option<Range>) -> [Option<Range>; 2] {
        let Some(other) = other else { return [Some(*self), None] };
        let begins = Serial(other.first).since(Serial(self.first)).clamp(0, self.len.into());
        let ends = Serial(other.end()).since(Serial(self.first)).clamp(0, self.len.into());
        let at = |offset: i32| self.first.wrapping_add(offset.cast_unsigned());
        [Range::new(self.first, at(begins)), Range::new(at(ends), self.end())]
    }

    /// Whether `sequence` is in it.
    pub const fn contains(&self, sequence: u32) -> bool {
        sequence.wrapping_sub(self.first) < self.len as u32
    }
}

/// The fields of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the packet is.
    pub kind: Kind,
    /// 3.4.2: the source, or the last hop, asks the destination for an explicit acknowledgment.
    pub asks: bool,
    /// 3.3: how much space the transmitting node has for the flow, in packets, "if the
    /// transmission fails".
    pub buffer: u16,
    /// 3.4.1: the destination has every packet before this one.
    pub ack: u32,
    /// The packet's number within the flow; zero in what goes upstream.
    pub sequence: u32,
    /// 3.4.3: in a NACK, what is missing; in data, "a range of sequence numbers that should not be
    /// `NACKed`", which lies before the packet.
    pub range: Option<Range>,
    /// Which life of the flow's source the numbers are of.
    pub incarnation: u16,
}

impl Header {
    /// Of a packet without anything but its kind and number.
    pub const fn new(kind: Kind, sequence: u32) -> Self {
        Header { kind, asks: false, buffer: 0, ack: 0, sequence, range: None, incarnation: 0 }
    }

    /// The fields on the air.
    pub fn emit(&self) -> [u8; HEADER_LEN - HEADER_PREFIX] {
        let Header { kind, asks, buffer, ack, .. } = *self;
        let (sequence, distance, len) = match self.range {
            None => (self.sequence, 0, 0),
            Some(range) if kind == Kind::Nack => (range.first, 0, range.len),
            // A range that is too far back to be written down is left out.
            Some(range) => match u16::try_from(self.sequence.wrapping_sub(range.first)) {
                Ok(distance) if distance >= range.len => (self.sequence, distance, range.len),
                _ => (self.sequence, 0, 0),
            },
        };
        let (range_back, range_len, incarnation) = (distance, len, self.incarnation);
        let request = asks;
        Fields { kind, request, buffer, range_len, ack, sequence, range_back, incarnation }.emit()
    }

    /// Read what [`Header::emit`] writes, and zeros behind it.
    ///
    /// # Errors
    /// If `body` is not exactly that for some header.
    pub fn parse(body: &[u8]) -> Result<Self, WireError> {
        let (fields, padding) = Fields::split(body)?;
        if let Some(byte) = padding.iter().find(|byte| **byte != 0) {
            return Err(WireError::Field { name: "padding", value: u32::from(*byte) });
        }
        let Fields { kind, request, buffer, range_len, ack, range_back, incarnation, .. } = fields;
        let range = range(kind, fields.sequence, range_back, range_len)?;
        let sequence = if kind == Kind::Nack { 0 } else { fields.sequence };
        if kind == Kind::Ack && sequence > 0 {
            return Err(WireError::Field { name: "sequence number", value: sequence });
        }
        if request && kind != Kind::Data {
            return Err(WireError::Field { name: "flags", value: 1 });
        }
        Ok(Header { kind, asks: request, buffer, ack, sequence, range, incarnation })
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or the packet has data that its kind does not carry, or
    /// none although it does.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        let header = packet.headers.find(HXH).and_then(Self::parse)?;
        if header.kind != Kind::Datagram {
            packet.expect_data(header.kind == Kind::Data)?;
        }
        Ok(header)
    }

    /// Write it into `packet`, with zeros up to `len` bytes in all.
    ///
    /// # Panics
    /// If `len` is less than [`HEADER_LEN`] or more than [`LONGEST_HEADER`]; the parameter's bounds
    /// exclude that.
    pub fn write(&self, packet: &mut Packet, len: usize) {
        let mut body = [0; LONGEST_HEADER];
        body[..Fields::LEN].copy_from_slice(&self.emit());
        packet.headers.set(HXH, &body[..len - HEADER_PREFIX]);
    }
}

/// The range that these fields stand for.
fn range(kind: Kind, sequence: u32, distance: u16, len: u16) -> Result<Option<Range>, WireError> {
    let first = match (kind, len) {
        (Kind::Nack, 1..) if distance == 0 => Some(sequence),
        (Kind::Data, 1..) if distance >= len => Some(sequence.wrapping_sub(u32::from(distance))),
        (Kind::Data | Kind::Ack | Kind::Datagram, 0) if distance == 0 => return Ok(None),
        _ => None,
    };
    let first = first.ok_or(WireError::Field { name: "range", value: u32::from(len) })?;
    Ok(Some(Range { first, len }))
}
