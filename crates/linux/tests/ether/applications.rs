//! IP packets, as applications send them.

use std::net::{Ipv4Addr, Ipv6Addr};

use multihop_core::NodeId;
use multihop_linux::ip::{HEADER6, Prefix, Prefix6, UDP};

/// What stands before the payload of a UDP packet.
pub const HEADERS: usize = 28;

/// A UDP packet of `len` bytes in all from one node to another, which carries `number`.
pub fn datagram(from: u32, to: u32, number: u32, len: usize) -> Vec<u8> {
    let [source, destination] =
        [from, to].map(|node| Prefix::DEFAULT.address(NodeId(node)).octets());
    let mut bytes = vec![0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 17, 0, 0];
    bytes.extend(source);
    bytes.extend(destination);
    bytes.extend([0x12, 0x34, 0, 9, 0, 0, 0, 0]);
    bytes.extend(number.to_be_bytes());
    bytes.extend((bytes.len()..len).map(|at| (at as u32 ^ number) as u8));
    bytes[2..4].copy_from_slice(&(len as u16).to_be_bytes());
    bytes
}

/// The addresses of IPv6 that nodes have here.
pub fn prefix6() -> Prefix6 {
    "fd6d:6873::/64".parse().expect("it is one")
}

/// The address of IPv6 of a node.
pub fn address6(node: u32) -> Ipv6Addr {
    prefix6().address(Prefix::DEFAULT.address(NodeId(node)))
}

/// A UDP packet of IPv6 of `len` bytes in all from one address to another, which may go over `hops` routers.
pub fn datagram6((from, to): (Ipv6Addr, Ipv6Addr), hops: u8, len: usize) -> Vec<u8> {
    let behind = (len - HEADER6) as u16;
    let mut bytes = vec![0x60, 0, 0, 0];
    bytes.extend(behind.to_be_bytes());
    bytes.extend([UDP, hops]);
    bytes.extend([from, to].map(|address| address.octets()).concat());
    bytes.extend([0x12, 0x34, 0, 9]);
    bytes.extend(behind.to_be_bytes());
    bytes.resize(len, 7);
    bytes
}

/// The same from another port.
pub fn from_port(port: u16, mut packet: Vec<u8>) -> Vec<u8> {
    packet[20..22].copy_from_slice(&port.to_be_bytes());
    packet
}

/// The number that a packet carries, if it is what [`datagram`] made.
pub fn number(packet: &[u8]) -> u32 {
    let at = |from: usize| {
        Ipv4Addr::new(packet[from], packet[from + 1], packet[from + 2], packet[from + 3])
    };
    let node = |from| Prefix::DEFAULT.node(at(from)).expect("it is a node's address").0;
    let number =
        packet[HEADERS..HEADERS + 4].try_into().map(u32::from_be_bytes).expect("it is long enough");
    assert_eq!(packet, datagram(node(12), node(16), number, packet.len()), "every byte");
    number
}
