//! Parts of all IP addresses, and those that the nodes of a network have.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use multihop_core::NodeId;
use serde::Deserialize;

/// A part of all addresses of IPv4 or IPv6: the bits in front that all have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Subnet {
    first: IpAddr,
    len: u8,
}

/// The bits of an address, from the first of 128 on, and how many there are.
fn bits(address: IpAddr) -> (u128, u8) {
    match address {
        IpAddr::V4(address) => (u128::from(u32::from(address)) << 96, 32),
        IpAddr::V6(address) => (u128::from(address), 128),
    }
}

/// Those in which the addresses of a subnet with `len` bits differ.
const fn rest(len: u8) -> u128 {
    match u128::MAX.checked_shr(len as u32) {
        Some(rest) => rest,
        None => 0,
    }
}

impl Subnet {
    /// All addresses that have the first `len` bits of `first`; `None` if `first` has others behind them, or fewer bits.
    pub fn new(first: IpAddr, len: u8) -> Option<Self> {
        let (network, most) = bits(first);
        let behind = if most == 32 { rest(len) & !rest(32) } else { rest(len) };
        (len <= most && network & behind == 0).then_some(Subnet { first, len })
    }

    /// The first address, and how many bits of it count.
    pub const fn parts(self) -> (IpAddr, u8) {
        (self.first, self.len)
    }

    /// Whether its addresses are IPv6's.
    pub const fn is_ipv6(self) -> bool {
        self.first.is_ipv6()
    }

    /// Whether `address` is one of them.
    pub fn contains(self, address: IpAddr) -> bool {
        self.first.is_ipv6() == address.is_ipv6()
            && (bits(address).0 ^ bits(self.first).0) & !rest(self.len) == 0
    }

    /// Whether all addresses of `other` are among its own.
    pub fn covers(self, other: Self) -> bool {
        self.len <= other.len && self.contains(other.first)
    }

    /// Whether some addresses are of both.
    pub fn overlaps(self, other: Self) -> bool {
        self.covers(other) || other.covers(self)
    }

    /// One of its addresses, to ask the kernel how it is reached. Of all there are, one that nobody has (RFC 5737,
    /// RFC 3849).
    pub fn sample(self) -> IpAddr {
        match (self.first, self.len) {
            (IpAddr::V4(_), 0) => Ipv4Addr::new(192, 0, 2, 1).into(),
            (IpAddr::V6(_), 0) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
            (IpAddr::V4(first), ..=30) => Ipv4Addr::from(u32::from(first) | 1).into(),
            (IpAddr::V6(first), ..=126) => Ipv6Addr::from(u128::from(first) | 1).into(),
            (first, _) => first,
        }
    }
}

impl FromStr for Subnet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text}: it needs a form as 10.0.0.0/8 or fd00::/8");
        let (first, len) = text.split_once('/').ok_or_else(wrong)?;
        let first: IpAddr = first.parse().map_err(|_| wrong())?;
        let len = len.parse().ok().filter(|len| *len <= bits(first).1).ok_or_else(wrong)?;
        Subnet::new(first, len)
            .ok_or_else(|| format!("{text}: there are bits behind the first {len}"))
    }
}

impl TryFrom<String> for Subnet {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::fmt::Display for Subnet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.first, self.len)
    }
}

/// The IPv4 addresses of a network's nodes: those of a subnet, in which a node is numbered by its own address in the
/// scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Prefix {
    network: u32,
    len: u8,
}

impl Prefix {
    /// 10.0.0.0/8, the addresses that scenarios give.
    pub const DEFAULT: Self = Prefix { network: 0x0A00_0000, len: 8 };

    /// All addresses that nodes could have.
    pub const fn subnet(self) -> Subnet {
        Subnet { first: IpAddr::V4(Ipv4Addr::from_bits(self.network)), len: self.len }
    }

    /// The bits in which addresses differ.
    const fn rest(self) -> u32 {
        u32::MAX >> self.len
    }

    /// Whether `address` is that of a group, of everybody, or the last of this network.
    pub fn is_group(self, address: Ipv4Addr) -> bool {
        let last = self.network | self.rest();
        address.is_multicast() || address.is_broadcast() || u32::from(address) == last
    }

    /// Whether the address of `node` has few enough bits.
    pub const fn fits(self, node: NodeId) -> bool {
        node.0 <= self.rest()
    }

    /// The IP address of a node.
    pub fn address(self, node: NodeId) -> Ipv4Addr {
        (self.network | node.0 & self.rest()).into()
    }

    /// The node with this IP address, if it is one of this network.
    pub fn node(self, address: Ipv4Addr) -> Option<NodeId> {
        let bits = u32::from(address);
        (bits & !self.rest() == self.network).then_some(NodeId(bits & self.rest()))
    }
}

impl FromStr for Prefix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let subnet: Subnet = text.parse().map_err(|error| format!("network = {error}"))?;
        match subnet.parts() {
            (IpAddr::V4(network), len @ 8..=30) => Ok(Prefix { network: network.into(), len }),
            (IpAddr::V4(_), _) => Err(format!("network = {text}: it needs 8 to 30 bits")),
            (IpAddr::V6(_), _) => {
                Err(format!("network = {text}: it is one of IPv4; network6 has IPv6's"))
            }
        }
    }
}

impl TryFrom<String> for Prefix {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::fmt::Display for Prefix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.subnet().fmt(f)
    }
}

/// The IPv6 addresses of a network's nodes: a prefix, zeros, and the node's IPv4 address in the last 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Prefix6(Subnet);

/// What stands in front of the addresses that only count on one link (RFC 4291, 2.5.6).
const LINK_LOCAL: Ipv6Addr = Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0);

/// `first` with the bits of `address` as its last.
fn with_last(first: Ipv6Addr, address: Ipv4Addr) -> Ipv6Addr {
    (u128::from(first) | u128::from(u32::from(address))).into()
}

impl Prefix6 {
    /// All addresses that nodes could have.
    pub const fn subnet(self) -> Subnet {
        self.0
    }

    /// The address of the node that has `address` in IPv4.
    pub fn address(self, address: Ipv4Addr) -> Ipv6Addr {
        match self.0.first {
            IpAddr::V6(first) => with_last(first, address),
            IpAddr::V4(_) => address.to_ipv6_mapped(),
        }
    }

    /// The address of the same node that only counts in its network.
    pub fn link_local(address: Ipv4Addr) -> Ipv6Addr {
        with_last(LINK_LOCAL, address)
    }

    /// The IPv4 address of the node that has `address`, of either kind.
    pub fn in_ipv4(self, address: Ipv6Addr) -> Option<Ipv4Addr> {
        let last = Ipv4Addr::from_bits(u128::from(address) as u32);
        let is_one = address == self.address(last) || address == Self::link_local(last);
        is_one.then_some(last)
    }
}

impl FromStr for Prefix6 {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let subnet: Subnet = text.parse().map_err(|error| format!("network6 = {error}"))?;
        let wrong = |why: &str| Err(format!("network6 = {text}: {why}, such as fd6d:6873::/64"));
        match subnet.parts() {
            (IpAddr::V4(_), _) => wrong("it needs a prefix of IPv6"),
            (IpAddr::V6(first), 16..=96)
                if !first.is_multicast() && !first.is_unicast_link_local() =>
            {
                let reserved = first.to_bits() >> 112 == 0;
                if reserved { wrong("these addresses are reserved") } else { Ok(Prefix6(subnet)) }
            }
            (IpAddr::V6(_), 16..=96) => wrong("these are no addresses of single nodes"),
            (IpAddr::V6(_), _) => wrong("it needs 16 to 96 bits"),
        }
    }
}

impl TryFrom<String> for Prefix6 {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::fmt::Display for Prefix6 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests;
