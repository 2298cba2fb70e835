//! A frame with two packets (coding).
//!
//! What stands behind WAKE's header, other headers and payload, does not change from hop to hop: the frame carries
//! the exclusive or of both, the shorter one padded with zeros. Its network header is the first packet's. All that a
//! relay changes of either packet stands in the clear, so that those who overhear the frame learn from it what they
//! learn from any other:
//!
//! | Byte | Holds |
//! |---|---|
//! | 0, 1 | as in every header: what follows, and the header's length |
//! | 2 to 9 | the first packet's to go, wave and left, sequence, need and period, as WAKE's header has them |
//! | 10 | what follows WAKE's header in the first packet |
//! | 11, 12 | how long that is, payload included |
//! | 13 to 22 | the second packet's source, destination and label |
//! | 23, 24 | its time to live, and what follows WAKE's header in it |
//! | 25, 26 | how long that is |
//! | 27 to 34 | its to go, wave and left, sequence, need and period |
//!
//! Big-endian.

use std::sync::Arc;

use multihop_core::{
    Coded, Field, FlowId, HeaderFormat, Headers, NETWORK_HEADER_LEN, NetworkHeader, NextHeader,
    Packet, Payload, Tag, WireError, address, fields,
};

use super::header::{HEADER_LEN, Header, WAKE};

/// The header's number.
pub const WAKE_CODED: NextHeader = NextHeader::hop(5);

/// Its layout.
pub static CODED_FORMAT: HeaderFormat = HeaderFormat {
    kind: WAKE_CODED,
    message: None,
    name: "wake_coded",
    title: "WAKE, two packets",
    fields: &[
        Field::number("to_go", 8, "hops to the first packet's destination; 255: not known"),
        Field::number("wave", 1, "it goes in a wave: relays hold it"),
        Field::number("left", 7, "packets of its train that follow it"),
        Field::number("sequence", 16, "which packet of its flow it is"),
        Field::number("need", 16, "the period that its flow needs, in units of 32 us"),
        Field::number("period", 16, "the period that its path can bear, in units of 32 us"),
        Field::number("next", 8, "what follows WAKE's header in the first packet"),
        Field::number("length", 16, "how many of the coded bytes are the first packet's"),
        Field::address("second_source", "where the second packet comes from"),
        Field::address("second_destination", "where it goes"),
        Field::number("second_label", 16, "which of the flows of these two nodes it belongs to"),
        Field::number("second_ttl", 8, "its time to live"),
        Field::number("second_next", 8, "what follows WAKE's header in it"),
        Field::number("second_length", 16, "how many of the coded bytes are its own"),
        Field::number("second_to_go", 8, "hops to its destination; 255: not known"),
        Field::number("second_wave", 1, "it goes in a wave: relays hold it"),
        Field::number("second_left", 7, "packets of its train that follow it"),
        Field::number("second_sequence", 16, "which packet of its flow it is"),
        Field::number("second_need", 16, "the period that its flow needs, in units of 32 us"),
        Field::number("second_period", 16, "the period that its path can bear, in units of 32 us"),
    ],
    rest: "",
};

/// Length of what the header says.
const BODY: usize = 33;

/// What stands in the clear of one of the packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Whose packet it is.
    pub flow: FlowId,
    /// Hops that are left.
    pub ttl: u8,
    /// What follows WAKE's header.
    pub next: NextHeader,
    /// How long that is, with the payload.
    pub len: u16,
    /// WAKE's header.
    pub header: Header,
}

/// What stands behind WAKE's header, which has to be the first; nothing in a packet that cannot be coded.
pub fn tail(packet: &Packet) -> Option<Vec<u8>> {
    let is_usual = packet.headers.first() == WAKE && !packet.congestion_experienced;
    is_usual.then(|| packet.emit().split_off(NETWORK_HEADER_LEN + HEADER_LEN))
}

/// The exclusive or, as long as the longer one.
fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    let len = a.len().max(b.len());
    let padded =
        |bytes: &[u8]| bytes.iter().copied().chain(std::iter::repeat(0)).take(len).collect();
    let (mut coded, other): (Vec<u8>, Vec<u8>) = (padded(a), padded(b));
    coded.iter_mut().zip(other).for_each(|(byte, other)| *byte ^= other);
    coded
}

impl Part {
    /// Of a packet with a `tail`.
    fn of(packet: &Packet, tail: &[u8]) -> Option<Self> {
        let next = NextHeader(*packet.headers.as_slice().first()?);
        let (len, header) = (u16::try_from(tail.len()).ok()?, Header::of(packet).ok()?);
        Some(Part { flow: packet.flow, ttl: packet.ttl, next, len, header })
    }

    /// The packet of which it says this, and which has this `tail`.
    fn packet(&self, tail: &[u8]) -> Result<Packet, WireError> {
        let len = NETWORK_HEADER_LEN + HEADER_LEN + tail.len();
        let network = NetworkHeader {
            flow: self.flow,
            next: WAKE,
            ttl: self.ttl,
            congestion_experienced: false,
            total_len: u16::try_from(len).unwrap_or(u16::MAX),
        };
        let mut bytes = network.emit().to_vec();
        bytes.extend([self.next.0, HEADER_LEN as u8]);
        bytes.extend(self.header.emit());
        bytes.extend(tail);
        Packet::parse(&bytes)
    }
}

/// The header of a frame with two packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts(pub [Part; 2]);

impl Parts {
    /// What it says on the air. Flow and time to live of the first packet stand in the network header.
    pub fn emit(&self) -> Vec<u8> {
        let [first, second] = &self.0;
        let mut body = first.header.emit().to_vec();
        body.push(first.next.0);
        body.extend(first.len.to_be_bytes());
        body.extend(address::emit(second.flow.source));
        body.extend(address::emit(second.flow.destination));
        body.extend(second.flow.label.to_be_bytes());
        body.extend([second.ttl, second.next.0]);
        body.extend(second.len.to_be_bytes());
        body.extend(second.header.emit());
        body
    }

    /// Read what [`Parts::emit`] writes, in a packet of `flow` with `ttl`.
    ///
    /// # Errors
    /// If `body` has another length, or names a node that has no address.
    pub fn parse(body: &[u8], flow: FlowId, ttl: u8) -> Result<Self, WireError> {
        let body = fields::<BODY>(body)?;
        let (first, rest) = body.split_at(8);
        let short = |at: usize| u16::from_be_bytes([rest[at], rest[at + 1]]);
        let node = |at: usize| address::parse([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]);
        let second = FlowId { source: node(3)?, destination: node(7)?, label: short(11) };
        Ok(Parts([
            Part {
                flow,
                ttl,
                next: NextHeader(rest[0]),
                len: short(1),
                header: Header::parse(first)?,
            },
            Part {
                flow: second,
                ttl: rest[13],
                next: NextHeader(rest[14]),
                len: short(15),
                header: Header::parse(&rest[17..])?,
            },
        ]))
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        let body = packet.headers.find(WAKE_CODED)?;
        Parts::parse(body, packet.flow, packet.ttl)
    }
}

/// Both packets in one; nothing if one of them cannot be coded.
pub fn encode(packets: [&Packet; 2]) -> Option<Packet> {
    let [first, second] = packets;
    let (a, b) = (tail(first)?, tail(second)?);
    if a.is_empty() && b.is_empty() {
        return None;
    }
    let parts = Parts([Part::of(first, &a)?, Part::of(second, &b)?]);
    let mut headers = Headers::none(NextHeader::DATA);
    headers.set(WAKE_CODED, &parts.emit());
    let coded = Coded { bytes: xor(&a, &b).into(), tags: [first.tag, second.tag] };
    let payload = Payload::Coded(Arc::new(coded));
    Some(Packet { headers, payload, ..first.clone() })
}

/// The packet of `parts` that is not the one whose tail is `known`, number `wanted` of the two.
///
/// # Errors
/// If lengths do not fit, or what comes out is no packet.
pub fn decode(
    coded: &Packet,
    parts: &Parts,
    wanted: usize,
    known: &[u8],
) -> Result<Packet, WireError> {
    let bytes = coded.payload.bytes().unwrap_or_default();
    let part = &parts.0[wanted];
    let other = &parts.0[1 - wanted];
    let lens = [part.len, other.len].map(usize::from);
    if lens.into_iter().max() != Some(bytes.len()) || known.len() != lens[1] {
        return Err(WireError::Field { name: "length", value: part.len.into() });
    }
    let mut tail = xor(bytes, known);
    if tail.drain(lens[0]..).any(|padding| padding != 0) {
        return Err(WireError::Field { name: "padding", value: part.len.into() });
    }
    let tag = match &coded.payload {
        Payload::Coded(coded) => coded.tags[wanted],
        Payload::Real(_) | Payload::Virtual(_) => Tag::NONE,
    };
    let packet = part.packet(&tail)?;
    // What is forged may have lost its data.
    let tag = if packet.payload.is_empty() { tag.control() } else { tag };
    Ok(Packet { tag, ..packet })
}
