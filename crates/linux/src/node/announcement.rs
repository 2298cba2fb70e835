//! What a node announces: the networks that lie behind it. A packet of IPv4 between nodes, of a protocol number for
//! experiments (RFC 3692), which no application may send.
//!
//! ```text
//!  0   1         2       3   4          6        10     11       12
//! +---+---------+-------+---+----------+--------+------+--------+---------+---
//! | N | version | count | 0 | lifetime | number | kind | length | address | ...
//! +---+---------+-------+---+----------+--------+------+--------+---------+---
//! ```
//!
//! `kind` is 4 or 6, and of the address stand only the bytes in which the `length` bits in front are. Networks ascend, so that
//! there is one way to write an announcement. It is all that the node announces, for `lifetime` seconds.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::bytes::{Malformed, Reader};
use crate::ip::Subnet;

/// The number of the protocol.
pub const PROTOCOL: u8 = 253;
/// A node announces no more networks than this.
pub const MOST: usize = 16;

const MARK: u8 = b'N';
const VERSION: u8 = 1;

/// What a node announces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Announcement {
    /// So many seconds it holds.
    pub lifetime: u16,
    /// It counts rounds of announcements, on a circle, so that none takes the place of a newer one.
    pub number: u32,
    /// The networks, at most [`MOST`].
    pub networks: BTreeSet<Subnet>,
}

impl Announcement {
    /// Its bytes.
    pub fn emit(&self) -> Vec<u8> {
        let mut bytes = vec![MARK, VERSION, self.networks.len() as u8, 0];
        bytes.extend(self.lifetime.to_be_bytes());
        bytes.extend(self.number.to_be_bytes());
        for network in &self.networks {
            let (first, len) = network.parts();
            let (kind, octets) = match first {
                IpAddr::V4(first) => (4, first.octets().to_vec()),
                IpAddr::V6(first) => (6, first.octets().to_vec()),
            };
            bytes.extend([kind, len]);
            bytes.extend(&octets[..usize::from(len).div_ceil(8)]);
        }
        bytes
    }

    /// Read it.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader(bytes);
        if [reader.u8()?, reader.u8()?] != [MARK, VERSION] {
            return Err(Malformed::Field("version"));
        }
        let count = usize::from(reader.u8()?);
        if count > MOST || reader.u8()? != 0 {
            return Err(Malformed::Field("count"));
        }
        let (lifetime, number) = (reader.u16()?, reader.u32()?);
        let mut networks = BTreeSet::new();
        for _ in 0..count {
            let network = network(&mut reader)?;
            if networks.last().is_some_and(|last| *last >= network) {
                return Err(Malformed::Field("order"));
            }
            networks.insert(network);
        }
        reader.end()?;
        Ok(Announcement { lifetime, number, networks })
    }
}

fn network(reader: &mut Reader) -> Result<Subnet, Malformed> {
    let (kind, len) = (reader.u8()?, reader.u8()?);
    let mut octets = [0; 16];
    let most = match kind {
        4 => 4,
        6 => 16,
        _ => return Err(Malformed::Field("kind")),
    };
    let count = usize::from(len).div_ceil(8);
    let given = octets.get_mut(..count).filter(|_| count <= most);
    for octet in given.ok_or(Malformed::Field("length"))? {
        *octet = reader.u8()?;
    }
    let first: IpAddr = match octets {
        [a, b, c, d, ..] if kind == 4 => Ipv4Addr::new(a, b, c, d).into(),
        _ => Ipv6Addr::from(octets).into(),
    };
    Subnet::new(first, len).ok_or(Malformed::Field("address"))
}

#[cfg(test)]
mod tests;
