//! What a node has to know of the IP packets that it carries.

use std::net::Ipv4Addr;

use multihop_core::NodeId;

/// The first byte of the addresses of nodes.
const NETWORK: u8 = 10;

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
        Some(IpPacket { source: quad(12), destination: quad(16), protocol, ports })
    }
}

/// The node with this IP address, if nodes may have it.
pub fn node(address: Ipv4Addr) -> Option<NodeId> {
    let [first, rest @ ..] = address.octets();
    let [a, b, c] = rest;
    (first == NETWORK).then_some(NodeId(u32::from_be_bytes([0, a, b, c])))
}

/// The IP address of a node.
pub fn address(node: NodeId) -> Ipv4Addr {
    let [_, a, b, c] = node.0.to_be_bytes();
    Ipv4Addr::new(NETWORK, a, b, c)
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
        assert_eq!(node(there), Some(NodeId(0x0001_0203)));
        assert_eq!(address(NodeId(0x0001_0203)), there);
        assert_eq!(node(Ipv4Addr::new(192, 168, 0, 1)), None);
    }
}
