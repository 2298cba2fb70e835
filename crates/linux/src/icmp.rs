//! What a node answers to senders of IP packets that go no further (RFC 792, RFC 1122, RFC 1812; for IPv6 RFC 4443).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use multihop_core::Duration;

use crate::bucket::Bucket;
use crate::ip::{HEADER4, HEADER6, ICMP, ICMP6, IpPacket, checksum, packet4};

const HEADER: usize = 8;
/// An answer is no longer than that, so that nobody has to fragment it (RFC 1812, 4.3.2.3; RFC 4443, 2.4).
const LONGEST4: usize = 576;
const LONGEST6: usize = 1_280;
/// So many answers at once, and one more after each such time (RFC 1812, 4.3.2.8).
const BURST: u32 = 20;
const INTERVAL: Duration = Duration::from_millis(50);
/// Precedence of control (RFC 1812, 4.3.2.5).
const CONTROL: u8 = 0xC0;

/// Why a packet goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It has come over as many hops as its sender wanted.
    TimeExceeded,
    /// No route leads to its destination, or there is no such node.
    Unreachable,
    /// It has more bytes than the next link carries (RFC 1191, RFC 8201).
    TooBig(u16),
}

impl Reason {
    /// Type and code, and what stands behind the checksum.
    fn header4(self) -> ([u8; 2], [u8; 4]) {
        match self {
            Reason::TimeExceeded => ([11, 0], [0; 4]),
            Reason::Unreachable => ([3, 1], [0; 4]),
            Reason::TooBig(mtu) => ([3, 4], u32::from(mtu).to_be_bytes()),
        }
    }

    fn header6(self) -> ([u8; 2], [u8; 4]) {
        match self {
            Reason::TimeExceeded => ([3, 0], [0; 4]),
            Reason::Unreachable => ([1, 3], [0; 4]),
            Reason::TooBig(mtu) => ([2, 0], u32::from(mtu).to_be_bytes()),
        }
    }
}

/// How many answers may be given.
pub const fn courtesy() -> Bucket {
    Bucket::new(BURST, INTERVAL)
}

/// What the node with the address `me` answers to the sender of `packet`; nothing to another such answer, to a fragment
/// other than the first, and where the sender is nobody or many (RFC 1122, 3.2.2; RFC 4443, 2.4).
pub fn answer(me: IpAddr, reason: Reason, packet: &[u8]) -> Option<Vec<u8>> {
    let headers = IpPacket::of(packet)?;
    if headers.is_later_fragment {
        return None;
    }
    match (me, headers.source, headers.destination) {
        (IpAddr::V4(me), IpAddr::V4(source), IpAddr::V4(destination)) => {
            let one = !source.is_unspecified() && !source.is_multicast() && !source.is_broadcast();
            let to_one = !destination.is_multicast() && !destination.is_broadcast();
            // echo and its answer are questions; all others may be answers
            let asks =
                headers.protocol != ICMP || matches!(packet.get(headers.behind), Some(0 | 8));
            (one && to_one && asks).then(|| answer4((me, source), reason, packet))
        }
        (IpAddr::V6(me), IpAddr::V6(source), IpAddr::V6(destination)) => {
            let one = !source.is_unspecified() && !source.is_multicast();
            let to_one = !destination.is_multicast();
            // those of types below 128 are answers
            let asks = headers.protocol != ICMP6
                || packet.get(headers.behind).is_some_and(|kind| *kind >= 128);
            (one && to_one && asks).then(|| answer6((me, source), reason, packet))
        }
        _ => None,
    }
}

fn message((numbers, behind): ([u8; 2], [u8; 4]), quoted: &[u8]) -> Vec<u8> {
    [&numbers[..], &[0, 0], &behind, quoted].concat()
}

fn answer4(ends: (Ipv4Addr, Ipv4Addr), reason: Reason, packet: &[u8]) -> Vec<u8> {
    let quoted = &packet[..packet.len().min(LONGEST4 - HEADER4 - HEADER)];
    let mut message = message(reason.header4(), quoted);
    let sum = checksum(&message).to_be_bytes();
    message[2..4].copy_from_slice(&sum);
    packet4(ends, ICMP, CONTROL, &message)
}

fn answer6((me, to): (Ipv6Addr, Ipv6Addr), reason: Reason, packet: &[u8]) -> Vec<u8> {
    let quoted = &packet[..packet.len().min(LONGEST6 - HEADER6 - HEADER)];
    let mut message = message(reason.header6(), quoted);
    let len = message.len() as u16;
    let ends = [me.octets(), to.octets()].concat();
    // the checksum counts addresses, length and protocol, too (RFC 8200, 8.1)
    let counted = [&ends[..], &u32::from(len).to_be_bytes(), &[0, 0, 0, ICMP6], &message].concat();
    let sum = checksum(&counted).to_be_bytes();
    message[2..4].copy_from_slice(&sum);
    let mut bytes = vec![0x60 | CONTROL >> 4, CONTROL << 4, 0, 0];
    bytes.extend(len.to_be_bytes());
    bytes.extend([ICMP6, 64]);
    bytes.extend(ends);
    bytes.extend(message);
    bytes
}

#[cfg(test)]
mod tests;
