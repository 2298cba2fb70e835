//! What a node answers to senders of IP packets that go no further (RFC 792, RFC 1122, RFC 1812).

use std::net::Ipv4Addr;

use multihop_core::Duration;

use crate::bucket::Bucket;
use crate::ip::{IpPacket, checksum};

/// The number of ICMP.
const ICMP: u8 = 1;
const HEADER: usize = 20;
/// An answer is no longer than that, so that nobody has to fragment it (RFC 1812, 4.3.2.3).
const LONGEST: usize = 576;
/// So many answers at once, and one more after each such time (RFC 1812, 4.3.2.8).
const BURST: u32 = 20;
const INTERVAL: Duration = Duration::from_millis(50);

/// Why a packet goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It has come over as many hops as its sender wanted.
    TimeExceeded,
    /// No route leads to its destination, or there is no such node.
    Unreachable,
}

impl Reason {
    /// Type and code.
    const fn numbers(self) -> [u8; 2] {
        match self {
            Reason::TimeExceeded => [11, 0],
            Reason::Unreachable => [3, 1],
        }
    }
}

/// How many answers may be given.
pub const fn courtesy() -> Bucket {
    Bucket::new(BURST, INTERVAL)
}

/// What the node with the address `me` answers to the sender of `packet`; nothing to another such answer, to a fragment
/// other than the first, and where the sender is nobody or many (RFC 1122, 3.2.2).
pub fn answer(me: Ipv4Addr, reason: Reason, packet: &[u8]) -> Option<Vec<u8>> {
    let headers = IpPacket::of(packet)?;
    let [source, destination] = [headers.source, headers.destination];
    let first = [packet[6] & 0x1F, packet[7]] == [0, 0];
    let one = !source.is_unspecified() && !source.is_multicast() && !source.is_broadcast();
    if !first || !one || destination.is_multicast() || destination.is_broadcast() {
        return None;
    }
    let header_len = usize::from(packet[0] & 0x0F) * 4;
    // echo and its answer are questions; all others may be answers
    if headers.protocol == ICMP && !matches!(packet.get(header_len), Some(0 | 8)) {
        return None;
    }
    let quoted = &packet[..packet.len().min(LONGEST - HEADER - 8)];
    let mut message = reason.numbers().to_vec();
    message.extend([0; 6]);
    message.extend(quoted);
    let sum = checksum(&message).to_be_bytes();
    message[2..4].copy_from_slice(&sum);
    let total = (HEADER + message.len()) as u16;
    // precedence of control (RFC 1812, 4.3.2.5)
    let mut bytes = vec![0x45, 0xC0, 0, 0, 0, 0, 0, 0, 64, ICMP, 0, 0];
    bytes[2..4].copy_from_slice(&total.to_be_bytes());
    bytes.extend(me.octets());
    bytes.extend(source.octets());
    let sum = checksum(&bytes).to_be_bytes();
    bytes[10..12].copy_from_slice(&sum);
    bytes.extend(message);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(protocol: u8, behind: &[u8]) -> Vec<u8> {
        let mut bytes =
            vec![0x45, 0, 0, 0, 0, 0, 0, 0, 1, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 4];
        bytes.extend(behind);
        let len = bytes.len() as u16;
        bytes[2..4].copy_from_slice(&len.to_be_bytes());
        bytes
    }

    const ME: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);

    #[test]
    fn an_answer_quotes_what_it_answers() {
        let asked = packet(17, &[7; 1_000]);
        let answer = answer(ME, Reason::TimeExceeded, &asked).expect("it is one");
        assert_eq!(answer.len(), LONGEST);
        let headers = IpPacket::of(&answer).expect("it is a packet");
        assert_eq!((headers.source, headers.destination), (ME, Ipv4Addr::new(10, 0, 0, 1)));
        assert_eq!((checksum(&answer[..20]), checksum(&answer[20..])), (0, 0));
        assert_eq!(answer[20..22], [11, 0]);
        assert_eq!(answer[28..], asked[..LONGEST - 28]);
    }

    #[test]
    fn answers_fragments_and_groups_are_not_answered() {
        let of = |packet: &[u8]| answer(ME, Reason::Unreachable, packet);
        assert!(of(&packet(1, &[8, 0, 0, 0])).is_some(), "an echo");
        assert_eq!(of(&packet(1, &[3, 1, 0, 0])), None, "an answer");
        assert_eq!(of(&packet(1, &[])), None, "who knows?");
        let mut later = packet(17, &[0; 8]);
        later[7] = 1;
        assert_eq!(of(&later), None, "a later fragment");
        let mut nobody = packet(17, &[0; 8]);
        nobody[12..16].fill(0);
        assert_eq!(of(&nobody), None, "of nobody");
        let mut group = packet(17, &[0; 8]);
        group[16] = 224;
        assert_eq!(of(&group), None, "to a group");
        for len in 0..28 {
            assert_eq!(of(&packet(17, &[0; 8])[..len]), None, "{len}");
        }
    }
}
