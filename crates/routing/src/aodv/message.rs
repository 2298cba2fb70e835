//! Message formats (RFC 3561, section 5).

use std::sync::Arc;

use multihop_core::{FrameClass, NextHeader, NodeId, Serial, WireError, address, header};

/// The type field of a route request.
const REQUEST: u8 = 1;
/// The type field of a route reply.
const REPLY: u8 = 2;
/// The type field of a route error.
const ERROR: u8 = 3;

header! {
    /// RFC 3561, 5.1.
    pub(super) struct RequestFields, REQUEST_FORMAT =
        "aodv_rreq" "AODV route request", NextHeader::ROUTING, Some(REQUEST), by rewrite => {
        kind: u8 = "type" 8 "1",
        flags: u8 = "flags" 8 "8: the destination's sequence number is not known",
        ignored 8,
        hops: u8 = "hops" 8 "hops from the originator",
        id: u32 = "id" 32 "with the originator, it names the search",
        destination: NodeId = "destination" 32 "who is searched",
        destination_sequence: u32 = "destination_sequence" 32 "its newest known sequence number",
        originator: NodeId = "originator" 32 "who searches",
        originator_sequence: u32 = "originator_sequence" 32 "its sequence number",
        timestamp_us: u32 = "timestamp_us" 32 "when the search began, on the originator's clock",
    }
}

header! {
    /// RFC 3561, 5.2.
    pub(super) struct ReplyFields, REPLY_FORMAT =
        "aodv_rrep" "AODV route reply", NextHeader::ROUTING, Some(REPLY), by rewrite => {
        kind: u8 = "type" 8 "2",
        ignored 16,
        hops: u8 = "hops" 8 "hops to the destination",
        destination: NodeId = "destination" 32 "who was searched",
        destination_sequence: u32 = "destination_sequence" 32 "its sequence number",
        originator: NodeId = "originator" 32 "who searches",
        lifetime_ms: u32 = "lifetime_ms" 32 "how long the route lives, in ms",
        timestamp_us: u32 = "timestamp_us" 32 "when the search began, on the originator's clock",
    }
}

header! {
    /// RFC 3561, 5.3, with the first destination; the others follow as it does.
    pub(super) struct ErrorFields, ERROR_FORMAT =
        "aodv_rerr" "AODV route error", NextHeader::ROUTING, Some(ERROR), rest "destinations", by rewrite => {
        kind: u8 = "type" 8 "3",
        ignored 16,
        count: u8 = "count" 8 "how many destinations",
        destination: NodeId = "destination" 32 "the first that cannot be reached",
        destination_sequence: u32 = "destination_sequence" 32 "its sequence number",
    }
}

fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
    parse(body).ok().map(|message| message.emit().to_vec())
}

/// RFC 3561, 5.1, flag U: the destination sequence number is unknown.
const FLAG_UNKNOWN: u8 = 0x08;

/// The most hops that a message may count: one more would be [`super::table::FAR`].
const MOST_HOPS: u8 = 253;

/// How many destinations fit into one route error (5.3: `DestCount` is one byte).
pub const MOST_UNREACHABLE: usize = u8::MAX as usize;

/// A sequence number (RFC 3561, 6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequence(pub u32);

impl Sequence {
    /// Whether it is newer than `other`: compared as signed 32-bit numbers, so that the numbers
    /// may wrap around.
    pub const fn is_newer_than(self, other: Sequence) -> bool {
        Serial(self.0).is_after(Serial(other.0))
    }

    /// The one that is `count` further.
    #[must_use]
    pub const fn plus(self, count: u32) -> Self {
        Sequence(Serial(self.0).plus(count).0)
    }

    /// The newer of the two.
    #[must_use]
    pub const fn newest(self, other: Sequence) -> Self {
        if other.is_newer_than(self) { other } else { self }
    }
}

/// When a search began, in microseconds modulo 2^32, on the clock of its originator.
///
/// Deviation: RFC 3561 has no such field. ns-2 2.35 puts it behind the fields of RREQ and RREP
/// and measures the latency of a hop with it, which sets the next timeout. It is not an
/// extension in the sense of section 9, whose type and length would cost two more bytes: the
/// messages are as long as ns-2's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timestamp(pub u32);

/// A route request, RREQ (RFC 3561, 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Hops from the originator to the node that transmits this.
    pub hop_count: u8,
    /// RREQ ID: with the originator, it names the search.
    pub id: u32,
    /// Who is searched.
    pub destination: NodeId,
    /// The newest sequence number of the destination that is known; none with flag U.
    pub destination_sequence: Option<Sequence>,
    /// Who searches.
    pub originator: NodeId,
    /// The originator's sequence number.
    pub originator_sequence: Sequence,
    /// When the search began.
    pub timestamp: Timestamp,
}

/// A route reply, RREP (RFC 3561, 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Hops from the node that transmits this to the destination.
    pub hop_count: u8,
    /// Who was searched.
    pub destination: NodeId,
    /// The destination's sequence number.
    pub destination_sequence: Sequence,
    /// Who searches.
    pub originator: NodeId,
    /// How long the route lives, in milliseconds.
    pub lifetime_ms: u32,
    /// [`Request::timestamp`].
    pub timestamp: Timestamp,
}

/// A destination that cannot be reached any more, and its sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable(pub NodeId, pub Sequence);

/// A message of AODV.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// RREQ.
    Request(Request),
    /// RREP.
    Reply(Reply),
    /// RERR (RFC 3561, 5.3).
    Error(Vec<Unreachable>),
}

impl Message {
    /// Its bytes.
    pub fn emit(&self) -> Arc<[u8]> {
        match self {
            Message::Request(request) => Arc::from(emit_request(request)),
            Message::Reply(reply) => Arc::from(emit_reply(reply)),
            Message::Error(unreachable) => Arc::from(emit_error(unreachable)),
        }
    }

    /// What kind of frame a message travels in, by its type field.
    pub fn class(bytes: &[u8]) -> FrameClass {
        match bytes.first() {
            Some(&REQUEST) => FrameClass::RouteRequest,
            Some(&REPLY) => FrameClass::RouteReply,
            Some(&ERROR) => FrameClass::RouteError,
            _ => FrameClass::Routing,
        }
    }
}

fn emit_request(request: &Request) -> [u8; RequestFields::LEN] {
    let fields = RequestFields {
        kind: REQUEST,
        flags: if request.destination_sequence.is_none() { FLAG_UNKNOWN } else { 0 },
        hops: request.hop_count,
        id: request.id,
        destination: request.destination,
        destination_sequence: request.destination_sequence.unwrap_or_default().0,
        originator: request.originator,
        originator_sequence: request.originator_sequence.0,
        timestamp_us: request.timestamp.0,
    };
    fields.emit()
}

fn emit_reply(reply: &Reply) -> [u8; ReplyFields::LEN] {
    let fields = ReplyFields {
        kind: REPLY,
        hops: reply.hop_count,
        destination: reply.destination,
        destination_sequence: reply.destination_sequence.0,
        originator: reply.originator,
        lifetime_ms: reply.lifetime_ms,
        timestamp_us: reply.timestamp.0,
    };
    fields.emit()
}

fn emit_error(unreachable: &[Unreachable]) -> Vec<u8> {
    let listed = &unreachable[..unreachable.len().min(MOST_UNREACHABLE)];
    let mut bytes = Vec::with_capacity(4 + 8 * listed.len());
    bytes.extend_from_slice(&[ERROR, 0, 0, listed.len() as u8]);
    for Unreachable(destination, sequence) in listed {
        bytes.extend_from_slice(&address::emit(*destination));
        bytes.extend_from_slice(&sequence.0.to_be_bytes());
    }
    bytes
}

/// Read a message.
///
/// # Errors
/// If `bytes` is not exactly one message of a known type.
pub fn parse(bytes: &[u8]) -> Result<Message, WireError> {
    match bytes.first() {
        Some(&REQUEST) => Ok(Message::Request(parse_request(exactly(bytes, RequestFields::LEN)?)?)),
        Some(&REPLY) => Ok(Message::Reply(parse_reply(exactly(bytes, ReplyFields::LEN)?)?)),
        Some(&ERROR) => parse_error(bytes),
        Some(&other) => Err(WireError::Field { name: "type", value: u32::from(other) }),
        None => Err(WireError::Truncated { need: 1, have: 0 }),
    }
}

fn parse_request(bytes: &[u8]) -> Result<Request, WireError> {
    let fields = RequestFields::parse(bytes)?;
    let known = fields.flags & FLAG_UNKNOWN == 0;
    Ok(Request {
        hop_count: hop_count(fields.hops)?,
        id: fields.id,
        destination: fields.destination,
        destination_sequence: known.then_some(Sequence(fields.destination_sequence)),
        originator: fields.originator,
        originator_sequence: Sequence(fields.originator_sequence),
        timestamp: Timestamp(fields.timestamp_us),
    })
}

fn parse_reply(bytes: &[u8]) -> Result<Reply, WireError> {
    let fields = ReplyFields::parse(bytes)?;
    Ok(Reply {
        hop_count: hop_count(fields.hops)?,
        destination: fields.destination,
        destination_sequence: Sequence(fields.destination_sequence),
        originator: fields.originator,
        lifetime_ms: fields.lifetime_ms,
        timestamp: Timestamp(fields.timestamp_us),
    })
}

fn parse_error(bytes: &[u8]) -> Result<Message, WireError> {
    let count = usize::from(*bytes.get(3).ok_or(too_short(bytes, 4))?);
    if count == 0 {
        return Err(WireError::Field { name: "destination count", value: 0 });
    }
    let (pairs, _) = exactly(bytes, 4 + 8 * count)?[4..].as_chunks();
    let listed = pairs.iter().map(|[a, b, c, d, sequence @ ..]: &[u8; 8]| {
        let destination = address::parse([*a, *b, *c, *d])?;
        Ok(Unreachable(destination, Sequence(u32::from_be_bytes(*sequence))))
    });
    Ok(Message::Error(listed.collect::<Result<_, _>>()?))
}

const fn too_short(bytes: &[u8], need: usize) -> WireError {
    WireError::Truncated { need, have: bytes.len() }
}

/// The bytes of a message of this length.
fn exactly(bytes: &[u8], length: usize) -> Result<&[u8], WireError> {
    match bytes.len() {
        have if have < length => Err(too_short(bytes, length)),
        have if have > length => Err(WireError::Field { name: "length", value: have as u32 }),
        _ => Ok(bytes),
    }
}

fn hop_count(count: u8) -> Result<u8, WireError> {
    if count > MOST_HOPS {
        return Err(WireError::Field { name: "hop count", value: u32::from(count) });
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_sequence_numbers_the_newer_one_counts_around_the_circle() {
        let (before, behind) = (Sequence(u32::MAX), Sequence(1));
        assert!(behind.is_newer_than(before) && !before.is_newer_than(behind));
        assert_eq!((before.newest(behind), behind.newest(before)), (behind, behind));
        assert_eq!(
            (Sequence(3).newest(Sequence(7)), Sequence(7).newest(Sequence(3))),
            (Sequence(7), Sequence(7))
        );
        assert_eq!(before.plus(2), behind);
        assert!(!behind.is_newer_than(behind));
    }
}
