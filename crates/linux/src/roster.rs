//! Who is a member of a network: a numbered roster, which the network's authority signs, and which has the network's key for
//! each member. It goes over the air in parts, in frames that are not sealed.
//!
//! ```text
//!  0        4      12      14      15      16
//! +--------+------+-------+-------+-------+------------------+--------------+
//! | number | draw | grace | index | count | 1 to 8 entries   | signature 64 |
//! +--------+------+-------+-------+-------+------------------+--------------+
//! entry: member 4, encapsulated key 32, encrypted network key 48
//! ```
//!
//! Each part is signed alone (Ed25519), so that no byte of a stranger is kept until a roster is whole. The network's key is
//! encrypted for each member with HPKE (RFC 9180: X25519, HKDF-SHA256, ChaCha20-Poly1305); edition and member are its
//! associated data.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::{Deserializable, Kem, OpModeR, OpModeS, Serializable};
use multihop_core::NodeId;

use crate::bytes::{Malformed, Reader};
use crate::seal::NetworkKey;

/// The most members of a network.
pub const MOST_MEMBERS: usize = MOST_PARTS * MEMBERS_A_PART;
/// The most parts of a roster.
pub const MOST_PARTS: usize = 128;
/// The most members in one part.
pub const MEMBERS_A_PART: usize = 8;
/// The most bytes of a part.
pub const LONGEST_PART: usize = HEAD + MEMBERS_A_PART * ENTRY + SIGNATURE;

const HEAD: usize = 16;
const ENTRY: usize = 84;
const ENCAPSULATED: usize = 32;
const SIGNATURE: usize = 64;

/// How a frame begins that is not sealed. No sealed frame does, since no life of a node has this number.
const CLEAR: [u8; 4] = [0xFF; 4];
const SUMMARY: u8 = 1;
const PART: u8 = 2;

/// In front of what is signed and of what is encrypted, so that no other use of the keys makes such bytes.
const CONTEXT: &[u8] = b"multihop roster 1";

type MemberKem = X25519HkdfSha256;

/// Which roster it is. The one that is greater counts, and ends the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edition {
    /// The authority counts its rosters, from 1 on.
    pub number: u32,
    /// Drawn for each, so that two rosters that have one number by mistake are not mixed.
    pub draw: u64,
}

impl Edition {
    fn emit(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..4].copy_from_slice(&self.number.to_be_bytes());
        bytes[4..].copy_from_slice(&self.draw.to_be_bytes());
        bytes
    }

    fn read(reader: &mut Reader) -> Result<Self, Malformed> {
        Ok(Edition { number: reader.u32()?, draw: reader.u64()? })
    }

    /// What an entry of `member` is bound to.
    fn binds(self, member: NodeId) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..12].copy_from_slice(&self.emit());
        bytes[12..].copy_from_slice(&member.0.to_be_bytes());
        bytes
    }
}

/// The secret key by which a node reads its entries (X25519). It is overwritten when it is dropped.
pub struct Identity(<MemberKem as Kem>::PrivateKey);

impl Identity {
    /// The identity with these 32 secret bytes, which may be any.
    ///
    /// # Panics
    /// Never: 32 bytes are a key.
    pub fn new(secret: &[u8; 32]) -> Self {
        Identity(Deserializable::from_bytes(secret).expect("32 bytes are a key"))
    }

    /// Its public key.
    pub fn public(&self) -> [u8; 32] {
        MemberKem::sk_to_pk(&self.0).to_bytes().into()
    }
}

/// The public key of a network's authority (Ed25519).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority(VerifyingKey);

impl Authority {
    /// The authority whose public key this is, if it is one.
    pub fn new(public: &[u8; 32]) -> Option<Self> {
        VerifyingKey::from_bytes(public).ok().filter(|key| !key.is_weak()).map(Authority)
    }
}

/// The secret key of a network's authority (Ed25519). It is overwritten when it is dropped.
pub struct Signatory(SigningKey);

impl Signatory {
    /// The authority with these 32 secret bytes, which may be any.
    pub fn new(secret: &[u8; 32]) -> Self {
        Signatory(SigningKey::from_bytes(secret))
    }

    /// Its public key.
    pub fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    /// What nodes know of it.
    pub fn authority(&self) -> Authority {
        Authority(self.0.verifying_key())
    }
}

/// What a roster says.
pub struct Draft<'a> {
    /// Which roster it is.
    pub edition: Edition,
    /// For so many seconds after a roster is complete, a node seals with the key of before.
    pub grace_s: u16,
    /// The network's key.
    pub key: &'a NetworkKey,
    /// The members and their public keys, each member once; 1 to [`MOST_MEMBERS`].
    pub members: &'a [(NodeId, [u8; 32])],
}

impl Draft<'_> {
    /// The parts of the roster.
    ///
    /// # Errors
    /// The member whose public key is none.
    ///
    /// # Panics
    /// If there are no members, or too many, or the machine has no random numbers.
    pub fn sign(&self, by: &Signatory) -> Result<Vec<Vec<u8>>, NodeId> {
        assert!((1..=MOST_MEMBERS).contains(&self.members.len()), "a roster has members");
        let groups = self.members.chunks(MEMBERS_A_PART);
        let count = groups.len() as u8;
        (0..).zip(groups).map(|(index, members)| self.part(by, [index, count], members)).collect()
    }

    fn part(
        &self,
        by: &Signatory,
        place: [u8; 2],
        members: &[(NodeId, [u8; 32])],
    ) -> Result<Vec<u8>, NodeId> {
        let mut bytes = self.edition.emit().to_vec();
        bytes.extend(self.grace_s.to_be_bytes());
        bytes.extend(place);
        for (member, public) in members {
            bytes.extend(member.0.to_be_bytes());
            bytes.extend(self.entry(*member, public).ok_or(*member)?);
        }
        let signature = by.0.sign(&[CONTEXT, &bytes].concat());
        bytes.extend(signature.to_bytes());
        Ok(bytes)
    }

    fn entry(&self, member: NodeId, public: &[u8; 32]) -> Option<Vec<u8>> {
        let public = Deserializable::from_bytes(public).ok()?;
        let (encapsulated, encrypted) =
            hpke::single_shot_seal::<ChaCha20Poly1305, HkdfSha256, MemberKem>(
                &OpModeS::Base,
                &public,
                CONTEXT,
                &self.key.0,
                &self.edition.binds(member),
            )
            .ok()?;
        let mut entry = encapsulated.to_bytes().to_vec();
        entry.extend(encrypted);
        Some(entry)
    }
}

/// A part of a roster, of which nothing is known yet but its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// Of which roster it is.
    pub edition: Edition,
    /// For so many seconds after a roster is complete, a node seals with the key of before.
    pub grace_s: u16,
    /// Which part it is, from 0 on.
    pub index: u8,
    /// How many parts the roster has.
    pub count: u8,
    /// All its bytes.
    pub bytes: &'a [u8],
    entries: &'a [[u8; ENTRY]],
    signature: &'a [u8; SIGNATURE],
}

impl<'a> Part<'a> {
    /// Read it.
    ///
    /// # Errors
    /// If it has another form.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let (signed, signature) = bytes.split_last_chunk().ok_or(Malformed::Truncated)?;
        let mut reader = Reader(signed);
        let edition = Edition::read(&mut reader)?;
        let grace_s = reader.u16()?;
        let [index, count] = [reader.u8()?, reader.u8()?];
        let (entries, rest) = reader.rest().as_chunks();
        if !rest.is_empty() || !(1..=MEMBERS_A_PART).contains(&entries.len()) {
            return Err(Malformed::Field("length"));
        }
        if index >= count || usize::from(count) > MOST_PARTS {
            return Err(Malformed::Field("index"));
        }
        Ok(Part { edition, grace_s, index, count, bytes, entries, signature })
    }

    /// Whether `authority` has signed it. Nothing is allocated for this.
    pub fn is_signed(&self, authority: &Authority) -> bool {
        let signed = self.bytes.len() - SIGNATURE;
        let mut message = [0; CONTEXT.len() + LONGEST_PART - SIGNATURE];
        message[..CONTEXT.len()].copy_from_slice(CONTEXT);
        let message = &mut message[..CONTEXT.len() + signed];
        message[CONTEXT.len()..].copy_from_slice(&self.bytes[..signed]);
        authority.0.verify_strict(message, &Signature::from_bytes(self.signature)).is_ok()
    }

    /// Its members.
    pub fn members(&self) -> impl Iterator<Item = NodeId> {
        self.entries.iter().map(member_of)
    }

    /// The network's key for `member`, if it has an entry here; an error if that is for another identity.
    ///
    /// # Errors
    /// If the entry cannot be read with this identity.
    pub fn key(&self, member: NodeId, identity: &Identity) -> Option<Result<NetworkKey, NotMine>> {
        let entry = self.entries.iter().find(|entry| member_of(entry) == member)?;
        let (encapsulated, encrypted) = entry[4..].split_at(ENCAPSULATED);
        let key = Deserializable::from_bytes(encapsulated).and_then(|encapsulated| {
            hpke::single_shot_open::<ChaCha20Poly1305, HkdfSha256, MemberKem>(
                &OpModeR::Base,
                &identity.0,
                &encapsulated,
                CONTEXT,
                encrypted,
                &self.edition.binds(member),
            )
        });
        let key = key.ok().and_then(|key| key.try_into().ok());
        Some(key.map(NetworkKey).ok_or(NotMine))
    }
}

fn member_of(entry: &[u8; ENTRY]) -> NodeId {
    NodeId(u32::from_be_bytes([entry[0], entry[1], entry[2], entry[3]]))
}

/// An entry is for another identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotMine;

/// What a node has of the newest roster that it knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Which roster that is.
    pub edition: Edition,
    /// Bit n is set if it has part n.
    pub held: u128,
}

/// What a frame that is not sealed says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clear<'a> {
    /// What its sender has.
    Summary(Summary),
    /// A part of a roster.
    Part(Part<'a>),
}

impl<'a> Clear<'a> {
    /// Whether a frame is of this kind, and not sealed.
    pub fn is_one(frame: &[u8]) -> bool {
        frame.starts_with(&CLEAR)
    }

    /// Read a frame.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn parse(frame: &'a [u8]) -> Result<Self, Malformed> {
        let mut reader = Reader(frame.strip_prefix(&CLEAR).ok_or(Malformed::Field("mark"))?);
        match reader.u8()? {
            SUMMARY => {
                let edition = Edition::read(&mut reader)?;
                let held = u128::from(reader.u64()?) << 64 | u128::from(reader.u64()?);
                reader.end()?;
                Ok(Clear::Summary(Summary { edition, held }))
            }
            PART => Part::parse(reader.rest()).map(Clear::Part),
            _ => Err(Malformed::Field("kind")),
        }
    }

    /// Its bytes.
    pub fn emit(&self) -> Vec<u8> {
        match self {
            Clear::Summary(Summary { edition, held }) => {
                [&CLEAR[..], &[SUMMARY], &edition.emit(), &held.to_be_bytes()].concat()
            }
            Clear::Part(part) => [&CLEAR[..], &[PART], part.bytes].concat(),
        }
    }
}

#[cfg(test)]
mod tests;
