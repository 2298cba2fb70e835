//! Message formats (RFC 3561, section 5).

use std::sync::Arc;

use multihop_core::{
    Field, FrameClass, HeaderFormat, NextHeader, NodeId, Serial, WireError, address,
};

/// The type field of a route request.
const REQUEST: u8 = 1;
/// The type field of a route reply.
const REPLY: u8 = 2;
/// The type field of a route error.
const ERROR: u8 = 3;

/// The layouts of the messages.
pub static FORMATS: [HeaderFormat; 3] = [
    HeaderFormat {
        kind: NextHeader::ROUTING,
        message: Some(REQUEST),
        name: "aodv_rreq",
        title: "AODV route request",
        fields: &[
            Field::number("type", 8, "1"),
            Field::number("flags", 8, "8: the destination's sequence number is not known"),
            Field::zero(8),
            Field::number("hops", 8, "hops from the originator"),
            Field::number("id", 32, "with the originator, it names the search"),
            Field::address("destination", "who is searched"),
            Field::number("destination_sequence", 32, "its newest known sequence number"),
            Field::address("originator", "who searches"),
            Field::number("originator_sequence", 32, "its sequence number"),
            Field::number("timestamp_us", 32, "when the search began, on the originator's clock"),
        ],
        rest: "",
    },
    HeaderFormat {
        kind: NextHeader::ROUTING,
        message: Some(REPLY),
        name: "aodv_rrep",
        title: "AODV route reply",
        fields: &[
            Field::number("type", 8, "2"),
            Field::zero(16),
            Field::number("hops", 8, "hops to the destination"),
            Field::address("destination", "who was searched"),
            Field::number("destination_sequence", 32, "its sequence number"),
            Field::address("originator", "who searches"),
            Field::number("lifetime_ms", 32, "how long the route lives, in ms"),
            Field::number("timestamp_us", 32, "when the search began, on the originator's clock"),
        ],
        rest: "",
    },
    HeaderFormat {
        kind: NextHeader::ROUTING,
        message: Some(ERROR),
        name: "aodv_rerr",
        title: "AODV route error",
        fields: &[
            Field::number("type", 8, "3"),
            Field::zero(16),
            Field::number("count", 8, "how many destinations"),
            Field::address("destination", "the first that cannot be reached"),
            Field::number("destination_sequence", 32, "its sequence number"),
        ],
        rest: "destinations",
    },
];

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

fn emit_request(request: &Request) -> [u8; 28] {
    let mut bytes = [0; 28];
    let unknown = request.destination_sequence.is_none();
    bytes[0] = REQUEST;
    bytes[1] = if unknown { FLAG_UNKNOWN } else { 0 };
    bytes[3] = request.hop_count;
    bytes[4..8].copy_from_slice(&request.id.to_be_bytes());
    bytes[8..12].copy_from_slice(&address::emit(request.destination));
    let sequence = request.destination_sequence.unwrap_or_default();
    bytes[12..16].copy_from_slice(&sequence.0.to_be_bytes());
    bytes[16..20].copy_from_slice(&address::emit(request.originator));
    bytes[20..24].copy_from_slice(&request.originator_sequence.0.to_be_bytes());
    bytes[24..28].copy_from_slice(&request.timestamp.0.to_be_bytes());
    bytes
}

fn emit_reply(reply: &Reply) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[0] = REPLY;
    bytes[3] = reply.hop_count;
    bytes[4..8].copy_from_slice(&address::emit(reply.destination));
    bytes[8..12].copy_from_slice(&reply.destination_sequence.0.to_be_bytes());
    bytes[12..16].copy_from_slice(&address::emit(reply.originator));
    bytes[16..20].copy_from_slice(&reply.lifetime_ms.to_be_bytes());
    bytes[20..24].copy_from_slice(&reply.timestamp.0.to_be_bytes());
    bytes
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
        Some(&REQUEST) => Ok(Message::Request(parse_request(Fields::of(bytes, 28)?)?)),
        Some(&REPLY) => Ok(Message::Reply(parse_reply(Fields::of(bytes, 24)?)?)),
        Some(&ERROR) => parse_error(bytes),
        Some(&other) => Err(WireError::Field { name: "type", value: u32::from(other) }),
        None => Err(WireError::Truncated { need: 1, have: 0 }),
    }
}

fn parse_request(fields: Fields) -> Result<Request, WireError> {
    let known = fields.0[1] & FLAG_UNKNOWN == 0;
    Ok(Request {
        hop_count: fields.hop_count()?,
        id: fields.word(4),
        destination: fields.node(8)?,
        destination_sequence: known.then_some(Sequence(fields.word(12))),
        originator: fields.node(16)?,
        originator_sequence: Sequence(fields.word(20)),
        timestamp: Timestamp(fields.word(24)),
    })
}

fn parse_reply(fields: Fields) -> Result<Reply, WireError> {
    Ok(Reply {
        hop_count: fields.hop_count()?,
        destination: fields.node(4)?,
        destination_sequence: Sequence(fields.word(8)),
        originator: fields.node(12)?,
        lifetime_ms: fields.word(16),
        timestamp: Timestamp(fields.word(20)),
    })
}

fn parse_error(bytes: &[u8]) -> Result<Message, WireError> {
    let count = usize::from(*bytes.get(3).ok_or(too_short(bytes, 4))?);
    if count == 0 {
        return Err(WireError::Field { name: "destination count", value: 0 });
    }
    let fields = Fields::of(bytes, 4 + 8 * count)?;
    let listed = (0..count)
        .map(|at| Ok(Unreachable(fields.node(4 + 8 * at)?, Sequence(fields.word(8 + 8 * at)))));
    Ok(Message::Error(listed.collect::<Result<_, _>>()?))
}

const fn too_short(bytes: &[u8], need: usize) -> WireError {
    WireError::Truncated { need, have: bytes.len() }
}

/// The bytes of a message whose length has been checked.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn of(bytes: &'a [u8], length: usize) -> Result<Self, WireError> {
        match bytes.len() {
            have if have < length => Err(too_short(bytes, length)),
            have if have > length => Err(WireError::Field { name: "length", value: have as u32 }),
            _ => Ok(Fields(bytes)),
        }
    }

    fn word(self, at: usize) -> u32 {
        u32::from_be_bytes([self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]])
    }

    fn node(self, at: usize) -> Result<NodeId, WireError> {
        address::parse(self.word(at).to_be_bytes())
    }

    fn hop_count(self) -> Result<u8, WireError> {
        match self.0[3] {
            count if count > MOST_HOPS => {
                Err(WireError::Field { name: "hop count", value: u32::from(count) })
            }
            count => Ok(count),
        }
    }
}
