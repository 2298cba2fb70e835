//! What packets say of themselves.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn packet(protocol: u8, fragment: u16, behind: &[u8]) -> Vec<u8> {
    let mut bytes =
        packet4((Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 1, 4)), protocol, 0, behind);
    bytes[6..8].copy_from_slice(&fragment.to_be_bytes());
    bytes
}

/// A packet of IPv6 whose first header behind IPv6's is of kind `next`.
fn packet6(next: u8, behind: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x60, 0, 0, 0];
    bytes.extend((behind.len() as u16).to_be_bytes());
    bytes.extend([next, 64]);
    for last in [1, 2] {
        bytes.extend(Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0x0A00, last).octets());
    }
    bytes.extend(behind);
    bytes
}

const UDP_HEADER: [u8; 8] = [0x12, 0x34, 0, 80, 0, 8, 0, 0];

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
fn who_asks_to_go_ahead_of_others_is_known_by_the_dscp() {
    let (mut four, mut six) = (packet(17, 0, &UDP_HEADER), packet6(UDP, &UDP_HEADER));
    for dscp in 0..64u8 {
        // the two bits behind it are congestion's
        four[1] = dscp << 2 | 3;
        (six[0], six[1]) = (0x60 | dscp >> 2, dscp << 6 | 0x3F);
        for bytes in [&four, &six] {
            let packet = IpPacket::of(bytes).expect("it is one");
            assert_eq!(packet.dscp, dscp);
            assert_eq!(packet.is_expedited(), [34, 36, 38, 46, 48].contains(&dscp), "{dscp}");
        }
    }
}

#[test]
fn headers_between_ipv6_and_its_protocol_are_passed_over() {
    let of = |next, behind: &[u8]| IpPacket::of(&packet6(next, behind)).expect("it is one");
    let plain = of(UDP, &UDP_HEADER);
    assert_eq!((plain.protocol, plain.behind, plain.ports), (UDP, 40, (0x1234, 80)));
    assert_eq!(plain.destination, Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0x0A00, 2));
    // hop by hop, of 16 bytes, and options for the destination, of 8
    let options = [[60, 1].as_slice(), &[0; 14], &[UDP, 0], &[0; 6], &UDP_HEADER].concat();
    let behind = of(0, &options);
    assert_eq!((behind.protocol, behind.behind, behind.ports), (UDP, 64, (0x1234, 80)));
    let fragment = |offset: u16| {
        let header = [&[UDP, 0][..], &offset.to_be_bytes(), &[0; 4], &UDP_HEADER].concat();
        of(44, &header)
    };
    assert_eq!(fragment(0).ports, (0x1234, 80), "whole, in one fragment");
    assert_eq!((fragment(1).ports, fragment(1).is_later_fragment), ((0, 0), false), "the first");
    assert_eq!((fragment(8).ports, fragment(8).is_later_fragment), ((0, 0), true), "a later one");
    // as far as they are whole
    assert_eq!(of(0, &[UDP, 9, 0, 0, 0, 0, 0, 0]).protocol, 0);
    let endless: Vec<u8> = [60, 0, 0, 0, 0, 0, 0, 0].repeat(100);
    assert_eq!(of(60, &endless).behind, 40 + 8 * MOST_EXTENSIONS);
}

#[test]
fn what_a_link_is_for_is_known() {
    let listener = [&[ICMP6, 0, 5, 2, 0, 0, 1, 0][..], &[143, 0, 0, 0]].concat();
    let is_of_link = |bytes: &[u8]| IpPacket::of(bytes).expect("it is one").is_of_link(bytes);
    assert!(is_of_link(&packet6(0, &listener)), "a report of listeners");
    assert!(is_of_link(&packet6(ICMP6, &[135, 0, 0, 0])), "who is my neighbour?");
    assert!(is_of_link(&packet(IGMP, 0, &[0x22, 0, 0, 0])));
    assert!(!is_of_link(&packet6(ICMP6, &[128, 0, 0, 0])), "an echo");
    assert!(!is_of_link(&packet6(ICMP6, &[])));
    assert!(!is_of_link(&packet(ICMP, 0, &[135, 0, 0, 0])));
}

#[test]
fn packets_of_senders_that_take_marks_are_marked() {
    for ecn in 0..4u8 {
        let (mut ipv4, mut ipv6) = (packet(UDP, 0, &UDP_HEADER), packet6(UDP, &UDP_HEADER));
        ipv4[1] = 0xB8 | ecn;
        ipv6[1] = ecn << 4 | 0x03;
        let takes = ecn == 1 || ecn == 2;
        assert_eq!((mark_congestion(&mut ipv4), mark_congestion(&mut ipv6)), (takes, takes));
        let now = if takes { 3 } else { ecn };
        assert_eq!((ipv4[1], ipv6[1]), (0xB8 | now, now << 4 | 0x03), "{ecn}");
        assert!(!takes || checksum(&ipv4[..HEADER4]) == 0);
    }
    assert!(!mark_congestion(&mut []) && !mark_congestion(&mut [0x45, 2]));
}

#[test]
fn what_is_no_packet_is_none() {
    for good in [packet(17, 0, &[0; 8]), packet6(17, &[0; 8])] {
        assert!(IpPacket::of(&good).is_some());
        for len in 0..good.len() {
            assert_eq!(IpPacket::of(&good[..len]), None, "{len}");
        }
        assert_eq!(IpPacket::of(&[&good[..], &[0]].concat()), None);
        let mut other = good.clone();
        other[0] ^= 0x10;
        assert_eq!(IpPacket::of(&other), None);
    }
    let mut short = packet(17, 0, &[0; 8]);
    short[0] = 0x44;
    assert_eq!(IpPacket::of(&short), None);
}

proptest! {
    /// No header leads out of its packet.
    #[test]
    fn bytes_behind_ipv6_could_be_anything(next in any::<u8>(), behind in vec(any::<u8>(), 0..300)) {
        let bytes = packet6(next, &behind);
        let read = IpPacket::of(&bytes).expect("it has its length");
        prop_assert!(read.behind <= bytes.len());
        let _ = read.is_of_link(&bytes);
        let mut marked = bytes.clone();
        prop_assert!(!mark_congestion(&mut marked) || IpPacket::of(&marked) == Some(read));
    }
}
