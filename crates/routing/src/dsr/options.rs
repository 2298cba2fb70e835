//! What a packet carries of DSR (RFC 4728, 6; flow state: 7).
//!
//! A header without options is the flow state header (RFC 4728, 7.1): four bytes, of which the last two
//! are the flow's number. Otherwise they tell this packet from the source's others, as IPv4's
//! identification does, which our network header uses for something else.
//!
//! Deviation: route replies, and errors about unknown flows, are as long as ns-2's (5 B and 4 B for
//! every node; 14 and 12 B), which are not as long as the RFC's: a reply lists its first node, too. The
//! number of a flow that is established is an option of four bytes rather than a header of its own.

use multihop_core::{
    FlowId, FrameClass, NextHeader, NodeId, Packet, Protocol, WireError, address, header,
};

use super::path::Path;

/// DSR's header.
pub const DSR: NextHeader = NextHeader::routing(0);

header! {
    /// What stands before the options.
    pub(super) struct Fixed, FORMAT = "dsr" "DSR", DSR, None, rest "options", by rewrite => {
        identification: u16 = "identification" 16 "which packet it is, or its flow's number",
    }
}

fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
    // Between which nodes the packet goes stands in the network header.
    let flow = FlowId::between(NodeId(0), NodeId(2));
    Header::parse(flow, body).ok().map(|header| header.emit(flow))
}

const PAD_MANY: u8 = 0;
const REQUEST: u8 = 1;
const REPLY: u8 = 2;
const ERROR: u8 = 3;
const SOURCE_ROUTE: u8 = 96;
const TIMEOUT: u8 = 128;
/// Not of the RFC, which has a header for it.
const FLOW: u8 = 192;
const PAD: u8 = 224;

const UNREACHABLE: u8 = 1;
const UNKNOWN_FLOW: u8 = 129;
const UNKNOWN_DEFAULT: u8 = 130;

/// How many errors a packet carries at most (ns-2: `MAX_ROUTE_ERRORS`).
pub const MOST_ERRORS: usize = 3;

/// RFC 4728, 6.7: the way that a packet is to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceRoute {
    /// All nodes: from the packet's source, or from who has salvaged it, to its destination.
    pub path: Path,
    /// The place on it to which the packet goes now.
    pub next: usize,
    /// How often it was salvaged.
    pub salvaged: u8,
}

/// RFC 4728, 6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// With the originator, it names the search.
    pub id: u16,
    /// Who is searched.
    pub target: NodeId,
    /// Whom it has passed, from the originator on.
    pub path: Path,
}

/// RFC 4728, 6.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The request that it answers; zero if nobody has asked.
    pub id: u16,
    /// The path, from who is to use it.
    pub path: Path,
}

/// RFC 4728, 6.4.1: a link is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Who has found out.
    pub from: NodeId,
    /// Who cannot be reached from there.
    pub to: NodeId,
    /// Who is to be told; [`NodeId::BROADCAST`] if whoever hears it.
    pub tell: NodeId,
}

/// RFC 4728, 7.3: a node does not know a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Where the flow begins.
    pub source: NodeId,
    /// Where it ends.
    pub destination: NodeId,
    /// Its number; none if it is the default flow.
    pub flow: Option<u16>,
}

/// DSR's header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Tells this packet from the others of who wrote its source route.
    pub identification: u16,
    /// The way that the packet is to take.
    pub route: Option<SourceRoute>,
    /// The flow that is established along the source route, or to which the packet belongs.
    pub flow: Option<u16>,
    /// For how many seconds the flow is established.
    pub lifetime_s: Option<u16>,
    /// A route request.
    pub request: Option<Request>,
    /// A route reply.
    pub reply: Option<Reply>,
    /// Broken links; who is to be told of the last one is told first.
    pub broken: Vec<Broken>,
    /// A flow that is not known.
    pub unknown: Option<Unknown>,
}

impl Header {
    /// Of a packet that follows a flow.
    pub fn of_flow(flow: u16) -> Self {
        Header { flow: Some(flow), ..Header::default() }
    }

    /// The header of `packet`, if it has one.
    ///
    /// # Errors
    /// If the header cannot be read, or does not fit the packet.
    pub fn of(packet: &Packet) -> Result<Option<Self>, WireError> {
        let body = packet.headers.get(DSR);
        body.map(|body| Self::parse(packet.flow, body)).transpose()
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        let bytes = self.emit(packet.flow);
        packet.headers.set(DSR, &bytes);
    }

    /// Whether it carries nothing but a flow's number.
    const fn is_flow_only(&self) -> bool {
        self.flow.is_some() && self.route.is_none()
    }

    /// What stands behind the prefix, in a packet of `flow`.
    pub fn emit(&self, flow: FlowId) -> Vec<u8> {
        if self.is_flow_only() {
            return self.flow.unwrap_or_default().to_be_bytes().to_vec();
        }
        let mut bytes = Fixed { identification: self.identification }.emit().to_vec();
        if let Some(request) = &self.request {
            emit_request(request, &mut bytes);
        }
        if let Some(reply) = &self.reply {
            emit_reply(reply, &mut bytes);
        }
        for broken in &self.broken {
            emit_broken(broken, &mut bytes);
        }
        if let Some(unknown) = &self.unknown {
            emit_unknown(unknown, &mut bytes);
        }
        if let Some(number) = self.flow {
            bytes.extend_from_slice(&[FLOW, 2]);
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        if let Some(seconds) = self.lifetime_s {
            bytes.extend_from_slice(&[TIMEOUT, 2]);
            bytes.extend_from_slice(&seconds.to_be_bytes());
        }
        if let Some(route) = &self.route {
            emit_route(route, flow, &mut bytes);
        }
        // RFC 4728, 6.1: the options fill words of four bytes; ours stand behind two.
        while bytes.len() % 4 != 2 {
            bytes.push(PAD);
        }
        bytes
    }

    /// Read what stands behind the prefix, in a packet of `flow`.
    ///
    /// # Errors
    /// If an option is cut off, of no known type or length, comes twice or alone; if a path has a loop, or
    /// too many nodes; if a request, which is flooded, has a route to take. What is left always fits a header, with
    /// another node in its request, too.
    pub fn parse(flow: FlowId, body: &[u8]) -> Result<Self, WireError> {
        let (Fixed { identification: number }, mut rest) = Fixed::split(body)?;
        if rest.is_empty() {
            return Ok(Header::of_flow(number));
        }
        let mut header = Header { identification: number, ..Header::default() };
        while let [kind, behind @ ..] = rest {
            if *kind == PAD {
                rest = behind;
                continue;
            }
            let truncated = WireError::Truncated { need: 2, have: rest.len() };
            let (len, behind) = behind.split_first().ok_or(truncated)?;
            let need = usize::from(*len);
            let truncated = WireError::Truncated { need, have: behind.len() };
            let (data, behind) = behind.split_at_checked(need).ok_or(truncated)?;
            header.take(flow, *kind, data)?;
            rest = behind;
        }
        let of_flow = header.flow.is_some() || header.lifetime_s.is_some();
        let says_something = header != Header { identification: number, ..Header::default() };
        if header.request.is_some() && header.route.is_some() {
            return Err(field("request with a route", REQUEST));
        }
        if says_something && (header.route.is_some() || !of_flow) {
            Ok(header)
        } else {
            Err(field("options of a flow without a route", body.len() as u8))
        }
    }

    /// Take the option of type `kind`.
    fn take(&mut self, flow: FlowId, kind: u8, data: &[u8]) -> Result<(), WireError> {
        let again = match kind {
            PAD_MANY => false,
            SOURCE_ROUTE => self.route.replace(parse_route(flow, data)?).is_some(),
            REQUEST => self.request.replace(parse_request(flow, data)?).is_some(),
            REPLY => self.reply.replace(parse_reply(data)?).is_some(),
            ERROR if data.first() == Some(&UNREACHABLE) => {
                self.broken.push(parse_broken(data)?);
                self.broken.len() > MOST_ERRORS
            }
            ERROR => self.unknown.replace(parse_unknown(data)?).is_some(),
            FLOW => self.flow.replace(parse_number(data)?).is_some(),
            TIMEOUT => self.lifetime_s.replace(parse_number(data)?).is_some(),
            _ => return Err(field("option", kind)),
        };
        if again { Err(field("option twice", kind)) } else { Ok(()) }
    }

    /// What kind of frame a message of routing travels in.
    pub fn class(packet: &Packet) -> FrameClass {
        match packet.headers.get(DSR).and_then(|body| body.get(2)) {
            Some(&REQUEST) => FrameClass::RouteRequest,
            Some(&REPLY) => FrameClass::RouteReply,
            Some(&ERROR) => FrameClass::RouteError,
            _ => FrameClass::Routing,
        }
    }

    /// The same as a message of its own, from `from` to `to`.
    pub fn message(&self, from: NodeId, to: NodeId) -> Packet {
        let mut packet = Packet::message(FlowId::between(from, to), NextHeader::ROUTING, []);
        self.write(&mut packet);
        packet
    }

    /// Whether `packet` is a message of DSR rather than somebody's data.
    pub fn is_message(packet: &Packet) -> bool {
        packet.protocol() == Protocol::Routing
    }
}

const fn field(name: &'static str, value: u8) -> WireError {
    WireError::Field { name, value: value as u32 }
}

fn option(kind: u8, len: usize, bytes: &mut Vec<u8>) {
    let len = u8::try_from(len).expect("sixteen addresses are shorter than an option may be");
    bytes.extend_from_slice(&[kind, len]);
}

fn addresses(nodes: &[NodeId], bytes: &mut Vec<u8>) {
    for node in nodes {
        bytes.extend_from_slice(&address::emit(*node));
    }
}

fn emit_request(request: &Request, bytes: &mut Vec<u8>) {
    let passed = request.path.get(1..).unwrap_or_default();
    option(REQUEST, 6 + 4 * passed.len(), bytes);
    bytes.extend_from_slice(&request.id.to_be_bytes());
    addresses(&[request.target], bytes);
    addresses(passed, bytes);
}

fn emit_reply(reply: &Reply, bytes: &mut Vec<u8>) {
    option(REPLY, 3 + 4 * reply.path.len(), bytes);
    bytes.push(0);
    bytes.extend_from_slice(&reply.id.to_be_bytes());
    addresses(&reply.path, bytes);
}

fn emit_broken(broken: &Broken, bytes: &mut Vec<u8>) {
    option(ERROR, 14, bytes);
    bytes.extend_from_slice(&[UNREACHABLE, 0]);
    addresses(&[broken.from, broken.tell, broken.to], bytes);
}

fn emit_unknown(unknown: &Unknown, bytes: &mut Vec<u8>) {
    option(ERROR, if unknown.flow.is_some() { 12 } else { 10 }, bytes);
    bytes.extend_from_slice(&[
        if unknown.flow.is_some() { UNKNOWN_FLOW } else { UNKNOWN_DEFAULT },
        0,
    ]);
    addresses(&[unknown.source, unknown.destination], bytes);
    if let Some(flow) = unknown.flow {
        bytes.extend_from_slice(&flow.to_be_bytes());
    }
}

/// RFC 4728, 6.7: the source and the destination stand in the network header; who has salvaged the
/// packet stands first. ns-2 does not count these four bytes.
fn emit_route(route: &SourceRoute, flow: FlowId, bytes: &mut Vec<u8>) {
    let last = route.path.len().saturating_sub(1);
    let first = usize::from(route.path.first() == Some(&flow.source) && route.salvaged == 0);
    let listed = route.path.get(first..last).unwrap_or_default();
    option(SOURCE_ROUTE, 2 + 4 * listed.len(), bytes);
    let left = last.saturating_sub(route.next);
    bytes.extend_from_slice(&(u16::from(route.salvaged) << 6 | left as u16).to_be_bytes());
    addresses(listed, bytes);
}

fn nodes(bytes: &[u8]) -> Result<impl Iterator<Item = NodeId>, WireError> {
    let (words, rest) = bytes.as_chunks();
    if !rest.is_empty() {
        return Err(WireError::Field { name: "length of addresses", value: bytes.len() as u32 });
    }
    let nodes: Result<Vec<NodeId>, _> = words.iter().map(|word| address::parse(*word)).collect();
    Ok(nodes?.into_iter())
}

/// The path over these nodes.
fn path(nodes: impl Iterator<Item = NodeId>) -> Result<Path, WireError> {
    let path = Path::of(nodes).ok_or(field("nodes of a path", u8::MAX))?;
    if path.is_simple() { Ok(path) } else { Err(field("loop in a path", path.len() as u8)) }
}

fn split<const N: usize>(data: &[u8]) -> Result<(&[u8; N], &[u8]), WireError> {
    data.split_first_chunk().ok_or(WireError::Truncated { need: N, have: data.len() })
}

fn parse_route(flow: FlowId, data: &[u8]) -> Result<SourceRoute, WireError> {
    let (flags, listed) = split::<2>(data)?;
    let flags = u16::from_be_bytes(*flags);
    let (salvaged, left) = ((flags >> 6 & 0xF) as u8, usize::from(flags & 0x3F));
    let source = (salvaged == 0).then_some(flow.source);
    let all = source.into_iter().chain(nodes(listed)?).chain([flow.destination]);
    let path = path(all)?;
    let next = path.hops() as usize - left.min(path.hops() as usize);
    if flags >> 10 != 0 || next == 0 {
        return Err(WireError::Field { name: "segments left", value: flags.into() });
    }
    Ok(SourceRoute { path, next, salvaged })
}

fn parse_request(flow: FlowId, data: &[u8]) -> Result<Request, WireError> {
    let (id, rest) = split::<2>(data)?;
    let (target, listed) = split::<4>(rest)?;
    let path = path([flow.source].into_iter().chain(nodes(listed)?))?;
    Ok(Request { id: u16::from_be_bytes(*id), target: address::parse(*target)?, path })
}

fn parse_reply(data: &[u8]) -> Result<Reply, WireError> {
    let ([flags, id @ ..], listed) = split::<3>(data)?;
    let path = path(nodes(listed)?)?;
    if *flags != 0 || path.hops() == 0 {
        return Err(field("route reply", *flags));
    }
    Ok(Reply { id: u16::from_be_bytes(*id), path })
}

fn parse_broken(data: &[u8]) -> Result<Broken, WireError> {
    let (_, rest) = split::<2>(data)?;
    let (from, rest) = split::<4>(rest)?;
    let (tell, to) = split::<4>(rest)?;
    let (from, to) = (address::parse(*from)?, address::parse(*multihop_core::fields::<4>(to)?)?);
    Ok(Broken { from, to, tell: address::parse_receiver(*tell)? })
}

fn parse_unknown(data: &[u8]) -> Result<Unknown, WireError> {
    let ([kind, _], rest) = split::<2>(data)?;
    let (source, rest) = split::<4>(rest)?;
    let (destination, number) = split::<4>(rest)?;
    let flow = match *kind {
        UNKNOWN_FLOW => Some(parse_number(number)?),
        UNKNOWN_DEFAULT if number.is_empty() => None,
        _ => return Err(field("error type", *kind)),
    };
    let (source, destination) = (address::parse(*source)?, address::parse(*destination)?);
    Ok(Unknown { source, destination, flow })
}

fn parse_number(data: &[u8]) -> Result<u16, WireError> {
    multihop_core::fields::<2>(data).map(|bytes| u16::from_be_bytes(*bytes))
}
