//! What a frame says, as long as the firmware's (`Packet.h`, `Mesh.cpp`).
//!
//! The firmware's frame has a byte for its kind, one for the length of its path, the path, and a payload, which is mostly
//! encrypted. Here the prefix of the header stands for the first two bytes, and its fields and zeros for what a payload
//! has besides the user's data: hashes, codes, times, signatures, and the rest of the last block of the cipher.

use multihop_core::{
    HEADER_PREFIX, LONGEST_HEADER, NETWORK_HEADER_LEN, NextHeader, NodeId, Packet, WireError,
    header, header_words,
};

use super::firmware::{
    ADVERT_SIZE, CIPHER_BLOCK_SIZE, CIPHER_MAC_SIZE, MAX_PATH_SIZE, MAX_TEXT_LEN, REGION_CODES,
    RETURN_BLOB, TEXT_HEADER,
};
use super::path::Path;

/// The number of the header.
pub const MESHCORE: NextHeader = NextHeader::hop(8);

/// The number of what a returned path says.
pub const RETURN: NextHeader = NextHeader::path(3);

header_words! {
    /// What a packet is.
    pub enum Kind {
        /// A text for one node.
        Text = 0 "text",
        /// A text for everyone, or for a group.
        Channel = 1 "channel",
        /// An acknowledgment of a text.
        Ack = 2 "ack",
        /// A path that was found, mostly with an acknowledgment.
        Path = 3 "path",
        /// Who a node is.
        Advert = 4 "advert",
    }
}

header! {
    /// The fields on the air.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Fields, FORMAT = "meshcore" "MeshCore", MESHCORE, None,
        rest "path_and_zeros", by Header::rewrite => {
        kind: Kind = "kind" 3 "what it is",
        direct: bool = "direct" 1 "its path names the relays to come, and not those of the flood until here",
        scoped: bool = "scoped" 1 "it carries region codes",
        hash_size: u8 = "hash_size" 2 "bytes of a hash in the path",
        hops: u8 = "hops" 6 "hashes in the path",
        attempt: u8 = "attempt" 2 "which attempt it is to send or acknowledge a text",
        id: u32 = "id" 17 "which packet of its source it is, or which text it acknowledges",
    }
}

header! {
    /// The fields of a returned path.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ReturnFields, RETURN_FORMAT = "meshcore_path" "MeshCore returned path", RETURN, None,
        rest "path_and_zeros", by Return::rewrite => {
        acknowledges: bool = "acknowledges" 1 "it acknowledges a text, too",
        ignored 4,
        hash_size: u8 = "hash_size" 2 "bytes of a hash in the returned path",
        hops: u8 = "hops" 6 "hashes in it",
        attempt: u8 = "attempt" 2 "which attempt it acknowledges",
        id: u32 = "id" 17 "which text it acknowledges",
    }
}

/// The longest body of a header.
const LONGEST_BODY: usize = LONGEST_HEADER - HEADER_PREFIX;

/// Ids come again after so many.
pub(super) const IDS: u32 = 1 << 17;

/// Bytes that a payload of so many bytes has once it is encrypted.
const fn encrypted(data: usize) -> usize {
    CIPHER_MAC_SIZE + data.next_multiple_of(CIPHER_BLOCK_SIZE)
}

/// The longest header of a text as long as the firmware allows: path and codes, and what stands around its letters.
pub(super) const LONGEST: usize = LONGEST_HEADER - MAX_TEXT_LEN;

// A frame has room for the longest text with the longest path.
const _: () = assert!(
    HEADER_PREFIX + REGION_CODES + MAX_PATH_SIZE + 2 + encrypted(TEXT_HEADER + MAX_TEXT_LEN) <= 255
);

/// The firmware's bytes besides the data of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Bytes of the name in front of each channel message.
    pub(super) sender_name: usize,
    /// Bytes of an acknowledgment.
    pub(super) ack: usize,
}

impl Sizes {
    /// Bytes of a payload with so many of data, its own header left out.
    fn payload(&self, kind: Kind, data: usize) -> usize {
        match kind {
            Kind::Text => 2 + encrypted(TEXT_HEADER + data),
            Kind::Channel => 1 + encrypted(TEXT_HEADER + self.sender_name + ": ".len() + data),
            Kind::Advert => ADVERT_SIZE + data,
            Kind::Ack => self.ack,
            Kind::Path => Fields::LEN,
        }
    }

    /// Zeros of a header of this kind before so many bytes of data.
    pub(super) fn zeros(&self, kind: Kind, scoped: bool, data: usize) -> usize {
        let codes = if scoped { REGION_CODES } else { 0 };
        codes + self.payload(kind, data).saturating_sub(Fields::LEN + data)
    }

    /// Zeros behind a returned path.
    fn behind(&self, returned: &Return) -> usize {
        let extra = if returned.acknowledges.is_some() { self.ack } else { RETURN_BLOB };
        let path = returned.path.bytes().len();
        let own = Fields::LEN + HEADER_PREFIX + ReturnFields::LEN + path;
        (2 + encrypted(1 + path + 1 + extra)).saturating_sub(own)
    }
}

/// What a header says behind its prefix.
struct Body {
    bytes: [u8; LONGEST_BODY],
    len: usize,
}

impl Body {
    /// These parts, and so many zeros, as far as there is room.
    fn new(parts: [&[u8]; 2], zeros: usize) -> Self {
        let mut body = Body { bytes: [0; LONGEST_BODY], len: 0 };
        for part in parts {
            let end = body.len + part.len();
            body.bytes[body.len..end].copy_from_slice(part);
            body.len = end;
        }
        body.len = LONGEST_BODY.min(body.len + zeros);
        body
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The header of every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// What it is.
    pub kind: Kind,
    /// Its path names the relays to come.
    pub direct: bool,
    /// It carries region codes.
    pub scoped: bool,
    /// Which attempt it is.
    pub attempt: u8,
    /// Which packet of its source it is.
    pub id: u32,
    /// Its path.
    pub path: Path,
    /// So many zeros follow.
    pub zeros: u8,
}

impl Header {
    fn parse(body: &[u8]) -> Result<Self, WireError> {
        let (fields, rest) = Fields::split(body)?;
        let Fields { kind, direct, scoped, hash_size, hops, attempt, id } = fields;
        let (path, rest) = Path::split(hash_size, hops, rest)?;
        let zeros = u8::try_from(rest.len())
            .map_err(|_| WireError::Field { name: "zeros", value: rest.len() as u32 })?;
        Ok(Header { kind, direct, scoped, attempt, id, path, zeros })
    }

    fn emit(&self) -> Body {
        let Header { kind, direct, scoped, attempt, id, path, zeros } = *self;
        let (hash_size, hops) = (path.size(), path.hops());
        let fields = Fields { kind, direct, scoped, hash_size, hops, attempt, id };
        Body::new([&fields.emit(), path.bytes()], zeros.into())
    }

    fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
        Self::parse(body).ok().map(|header| header.emit().bytes().to_vec())
    }

    /// The header of `packet`.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        packet.headers.find(MESHCORE).and_then(Self::parse)
    }

    /// Write it into `packet`.
    pub fn write(&self, packet: &mut Packet) {
        packet.headers.set(MESHCORE, self.emit().bytes());
    }

    /// What tells the packet from all others of its `source`, whatever its path: what the firmware hashes.
    pub(super) fn name(&self, source: NodeId) -> u64 {
        let within = (u32::from(self.kind as u8) << 19) | u32::from(self.attempt) << 17 | self.id;
        u64::from(source.0) << 32 | u64::from(within)
    }
}

/// What a returned path says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Return {
    /// The text that it acknowledges, if it does: its id and its attempt.
    pub acknowledges: Option<(u32, u8)>,
    /// The path on which a packet of its destination has come to its source.
    pub path: Path,
}

impl Return {
    fn parse(body: &[u8]) -> Result<(Self, usize), WireError> {
        let (fields, rest) = ReturnFields::split(body)?;
        let ReturnFields { acknowledges, hash_size, hops, attempt, id } = fields;
        let (path, rest) = Path::split(hash_size, hops, rest)?;
        let acknowledges = acknowledges.then_some((id, attempt));
        Ok((Return { acknowledges, path }, rest.len()))
    }

    fn emit(&self, zeros: usize) -> Body {
        let (id, attempt) = self.acknowledges.unwrap_or_default();
        let fields = ReturnFields {
            acknowledges: self.acknowledges.is_some(),
            hash_size: self.path.size(),
            hops: self.path.hops(),
            attempt,
            id,
        };
        Body::new([&fields.emit(), self.path.bytes()], zeros)
    }

    fn rewrite(body: &[u8]) -> Option<Vec<u8>> {
        let (returned, zeros) = Self::parse(body).ok()?;
        Some(returned.emit(zeros).bytes().to_vec())
    }

    /// Write it into `packet`, as long as the firmware's.
    pub(super) fn write(&self, packet: &mut Packet, sizes: &Sizes) {
        packet.headers.set(RETURN, self.emit(sizes.behind(self)).bytes());
    }

    /// What `packet` says.
    ///
    /// # Errors
    /// If it is no returned path, cannot be read, or has data.
    pub fn of(packet: &Packet) -> Result<Self, WireError> {
        packet.expect_data(false)?;
        packet.headers.find(RETURN).and_then(Self::parse).map(|(returned, _)| returned)
    }
}

/// Bytes on the air of `packet`, which has this header, without region codes.
pub(super) fn unscoped(packet: &Packet, header: &Header) -> u32 {
    let codes = if header.scoped { REGION_CODES as u32 } else { 0 };
    packet.len().0.saturating_sub(codes)
}

/// Bytes on the air of `packet`.
pub(super) fn on_air(packet: &Packet) -> u32 {
    packet.len().0.saturating_sub(NETWORK_HEADER_LEN as u32)
}
