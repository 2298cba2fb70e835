//! What a node has to know of the IP packets that it carries.

use std::net::Ipv4Addr;
use std::str::FromStr;

use multihop_core::NodeId;
use serde::Deserialize;

const HEADER: usize = 20;

/// The number of UDP.
pub const UDP: u8 = 17;

/// What an IP packet says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpPacket {
    /// From where.
    pub source: Ipv4Addr,
    /// To where.
    pub destination: Ipv4Addr,
    /// TCP is 6, UDP 17, ICMP 1.
    pub protocol: u8,
    /// Over how many routers it may still go.
    pub ttl: u8,
    /// Ports of the source and the destination; zeros where there are none.
    pub ports: (u16, u16),
}

impl IpPacket {
    /// Look at a packet; `None` if it is no IPv4 packet of exactly this length.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let header: &[u8; HEADER] = bytes.first_chunk()?;
        let header_len = usize::from(header[0] & 0x0F) * 4;
        let total = usize::from(u16::from_be_bytes([header[2], header[3]]));
        if header[0] >> 4 != 4 || header_len < HEADER || total < header_len || total != bytes.len()
        {
            return None;
        }
        let quad =
            |at: usize| Ipv4Addr::new(header[at], header[at + 1], header[at + 2], header[at + 3]);
        let protocol = header[9];
        // of a packet in fragments only the first has ports, so none is taken to have them
        let (more, offset) = (header[6] & 0x20 != 0, [header[6] & 0x1F, header[7]]);
        let whole = !more && offset == [0, 0];
        let ports = match (protocol, bytes.get(header_len..header_len + 4)) {
            (6 | 17, Some(&[a, b, c, d])) if whole => {
                (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]))
            }
            _ => (0, 0),
        };
        Some(IpPacket { source: quad(12), destination: quad(16), protocol, ttl: header[8], ports })
    }
}

/// The checksum of the Internet (RFC 1071); zero over what has its own in it.
pub fn checksum(bytes: &[u8]) -> u16 {
    let words = bytes
        .chunks(2)
        .map(|word| u32::from(word[0]) << 8 | word.get(1).map_or(0, |low| u32::from(*low)));
    let mut sum: u32 = words.sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    !sum as u16
}

/// A part of all IP addresses: the bits in front that all have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Subnet {
    network: u32,
    len: u8,
}

impl Subnet {
    /// The bits in which addresses differ.
    const fn mask(self) -> u32 {
        match u32::MAX.checked_shr(self.len as u32) {
            Some(mask) => mask,
            None => 0,
        }
    }

    /// The first address, and how many bits of it count.
    pub fn parts(self) -> (Ipv4Addr, u8) {
        (self.network.into(), self.len)
    }

    /// Whether `address` is one of them.
    pub fn contains(self, address: Ipv4Addr) -> bool {
        u32::from(address) & !self.mask() == self.network
    }
}

impl FromStr for Subnet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text}: it needs a form as 10.0.0.0/8");
        let (address, len) = text.split_once('/').ok_or_else(wrong)?;
        let address: Ipv4Addr = address.parse().map_err(|_| wrong())?;
        let len = len.parse().ok().filter(|len| *len <= 32).ok_or_else(wrong)?;
        let subnet = Subnet { network: address.into(), len };
        if subnet.network & subnet.mask() != 0 {
            return Err(format!("{text}: there are bits behind the first {len}"));
        }
        Ok(subnet)
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
        let (network, len) = self.parts();
        write!(f, "{network}/{len}")
    }
}

/// The addresses of a network's nodes: those of a subnet, in which a node is numbered by its own address in the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Prefix(Subnet);

impl Prefix {
    /// 10.0.0.0/8, the addresses that scenarios give.
    pub const DEFAULT: Self = Prefix(Subnet { network: 0x0A00_0000, len: 8 });

    /// All addresses that nodes could have.
    pub const fn subnet(self) -> Subnet {
        self.0
    }

    /// Whether `address` is that of a group, of everybody, or the last of this network.
    pub fn is_group(self, address: Ipv4Addr) -> bool {
        let last = self.0.network | self.0.mask();
        address.is_multicast() || address.is_broadcast() || u32::from(address) == last
    }

    /// Whether the address of `node` has few enough bits.
    pub const fn fits(self, node: NodeId) -> bool {
        node.0 <= self.0.mask()
    }

    /// The IP address of a node.
    pub fn address(self, node: NodeId) -> Ipv4Addr {
        (self.0.network | node.0 & self.0.mask()).into()
    }

    /// The node with this IP address, if it is one of this network.
    pub fn node(self, address: Ipv4Addr) -> Option<NodeId> {
        self.0.contains(address).then_some(NodeId(u32::from(address) & self.0.mask()))
    }
}

impl FromStr for Prefix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let subnet: Subnet = text.parse().map_err(|error| format!("network = {error}"))?;
        if !(8..=30).contains(&subnet.len) {
            return Err(format!("network = {text}: it needs 8 to 30 bits"));
        }
        Ok(Prefix(subnet))
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
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(protocol: u8, fragment: u16, behind: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, protocol, 0, 0];
        bytes.extend([10, 0, 0, 1, 10, 0, 1, 4]);
        bytes.extend(behind);
        let len = bytes.len() as u16;
        bytes[2..4].copy_from_slice(&len.to_be_bytes());
        bytes[6..8].copy_from_slice(&fragment.to_be_bytes());
        bytes
    }

    #[test]
    fn ports_are_those_of_whole_packets_of_tcp_and_udp() {
        let ports = |protocol, fragment, behind: &[u8]| {
            IpPacket::of(&packet(protocol, fragment, behind)).map(|packet| packet.ports)
        };
        let behind = [0x12, 0x34, 0, 80, 9, 9];
        assert_eq!(ports(6, 0, &behind), Some((0x1234, 80)));
        assert_eq!(ports(17, 0x4000, &behind), Some((0x1234, 80)), "not to be fragmented");
        assert_eq!(ports(17, 0x2000, &behind), Some((0, 0)), "the first fragment");
        assert_eq!(ports(17, 0x0010, &behind), Some((0, 0)), "a later one");
        assert_eq!(ports(1, 0, &behind), Some((0, 0)));
        assert_eq!(ports(6, 0, &[1, 2]), Some((0, 0)));
    }

    #[test]
    fn what_is_no_packet_is_none() {
        let good = packet(17, 0, &[0; 8]);
        assert!(IpPacket::of(&good).is_some());
        for len in 0..good.len() {
            assert_eq!(IpPacket::of(&good[..len]), None, "{len}");
        }
        assert_eq!(IpPacket::of(&[&good[..], &[0]].concat()), None);
        let mut six = good.clone();
        six[0] = 0x65;
        assert_eq!(IpPacket::of(&six), None);
        let mut short = good;
        short[0] = 0x44;
        assert_eq!(IpPacket::of(&short), None);
    }

    #[test]
    fn nodes_are_addresses_of_their_network() {
        let there = Ipv4Addr::new(10, 1, 2, 3);
        let ten = Prefix::DEFAULT;
        assert_eq!(ten.node(there), Some(NodeId(0x0001_0203)));
        assert_eq!(ten.address(NodeId(0x0001_0203)), there);
        assert_eq!(ten.node(Ipv4Addr::new(192, 168, 0, 1)), None);
        let small: Prefix = "172.20.4.0/22".parse().expect("it is one");
        assert_eq!(small.address(NodeId(0x0203)), Ipv4Addr::new(172, 20, 6, 3));
        assert_eq!(small.node(Ipv4Addr::new(172, 20, 6, 3)), Some(NodeId(0x0203)));
        assert_eq!(small.node(Ipv4Addr::new(172, 20, 8, 3)), None);
        assert!(small.fits(NodeId(1_023)) && !small.fits(NodeId(1_024)));
        assert_eq!(small.to_string(), "172.20.4.0/22");
    }

    #[test]
    fn subnets_are_of_any_length() {
        let all: Subnet = "0.0.0.0/0".parse().expect("it is one");
        assert!(all.contains(Ipv4Addr::LOCALHOST) && all.contains(Ipv4Addr::BROADCAST));
        let one: Subnet = "192.168.7.1/32".parse().expect("it is one");
        assert!(
            one.contains(Ipv4Addr::new(192, 168, 7, 1))
                && !one.contains(Ipv4Addr::new(192, 168, 7, 0))
        );
        for text in ["1.2.3.4/33", "1.2.3.5/31", "1.2.3.4", "1.2.3/24", "::/0", "1.2.3.4/-1"] {
            let wrong = text.parse::<Subnet>();
            assert!(wrong.is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for text in ["", "10.0.0.0", "10.0.0.0/31", "0.0.0.0/0", "10.0.0.1/8", "10.0.0/8", "::/64"]
        {
            assert!(text.parse::<Prefix>().is_err(), "{text}");
        }
    }
}
