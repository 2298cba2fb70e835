//! A frame with two packets (coding).
//!
//! What stands behind WAKE's header, other headers and payload, does not change from hop to hop: the frame carries
//! the exclusive or of both, the shorter one padded with zeros. Its network header is the first packet's. All that a
//! relay changes of either packet stands in the clear, so that those who overhear the frame learn from it what they
//! learn from any other.

use std::sync::Arc;

use multihop_core::{
    Coded, FlowId, Headers, NETWORK_HEADER_LEN, NetworkHeader, NextHeader, NodeId, Packet, Payload,
    Tag, WireError, header,
};

use super::header::{self, HEADER_LEN, Header, WAKE};

/// The header's number.
pub const WAKE_CODED: NextHeader = NextHeader::hop(5);

header! {
    /// The fields on the air. Flow and time to live of the first packet stand in the network header.
    pub struct Fields, CODED_FORMAT = "wake_coded" "WAKE, two packets", WAKE_CODED, None => {
        to_go: u8 = "to_go" 8 "hops to the first packet's destination; 255: not known",
        wave: bool = "wave" 1 "it goes in a wave: relays hold it",
        left: u8 = "left" 7 "packets of its train that follow it; 127: it goes first",
        sequence: u16 = "sequence" 16 "which packet of its flow it is",
        need: u16 = "need" 16 "the period that its flow needs, in units of 32 us",
        period: u16 = "period" 16 "the period that its path can bear, in units of 32 us",
        next: u8 = "next" 8 "what follows WAKE's header in the first packet",
        len: u16 = "length" 16 "how many of the coded bytes are the first packet's",
        source: NodeId = "second_source" 32 "where the second packet comes from",
        destination: NodeId = "second_destination" 32 "where it goes",
        label: u16 = "second_label" 16 "which of the flows of these two nodes it belongs to",
        ttl: u8 = "second_ttl" 8 "its time to live",
        second_next: u8 = "second_next" 8 "what follows WAKE's header in it",
        second_len: u16 = "second_length" 16 "how many of the coded bytes are its own",
        second_to_go: u8 = "second_to_go" 8 "hops to its destination; 255: not known",
        second_wave: bool = "second_wave" 1 "it goes in a wave: relays hold it",
        second_left: u8 = "second_left" 7 "packets of its train that follow it; 127: it goes first",
        second_sequence: u16 = "second_sequence" 16 "which packet of its flow it is",
        second_need: u16 = "second_need" 16 "the period that its flow needs, in units of 32 us",
        second_period: u16 = "second_period" 16 "the period that its path can bear, in units of 32 us",
    }
}

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
    /// What it says on the air.
    pub fn emit(&self) -> Vec<u8> {
        let [first, second] = &self.0;
        let (a, b) = (first.header.fields(), second.header.fields());
        let fields = Fields {
            to_go: a.to_go,
            wave: a.wave,
            left: a.left,
            sequence: a.sequence,
            need: a.need,
            period: a.period,
            next: first.next.0,
            len: first.len,
            source: second.flow.source,
            destination: second.flow.destination,
            label: second.flow.label,
            ttl: second.ttl,
            second_next: second.next.0,
            second_len: second.len,
            second_to_go: b.to_go,
            second_wave: b.wave,
            second_left: b.left,
            second_sequence: b.sequence,
            second_need: b.need,
            second_period: b.period,
        };
        fields.emit().to_vec()
    }

    /// Read what [`Parts::emit`] writes, in a packet of `flow` with `ttl`.
    ///
    /// # Errors
    /// If `body` has another length, or names a node that has no address.
    pub fn parse(body: &[u8], flow: FlowId, ttl: u8) -> Result<Self, WireError> {
        let fields = Fields::parse(body)?;
        let Fields { source, destination, label, .. } = fields;
        let first = header::Fields {
            to_go: fields.to_go,
            wave: fields.wave,
            left: fields.left,
            sequence: fields.sequence,
            need: fields.need,
            period: fields.period,
        };
        let second = header::Fields {
            to_go: fields.second_to_go,
            wave: fields.second_wave,
            left: fields.second_left,
            sequence: fields.second_sequence,
            need: fields.second_need,
            period: fields.second_period,
        };
        Ok(Parts([
            Part {
                flow,
                ttl,
                next: NextHeader(fields.next),
                len: fields.len,
                header: Header::of_fields(first),
            },
            Part {
                flow: FlowId { source, destination, label },
                ttl: fields.ttl,
                next: NextHeader(fields.second_next),
                len: fields.second_len,
                header: Header::of_fields(second),
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
