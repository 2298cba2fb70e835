//! What a node has to know of the IP packets that it carries.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

mod subnet;

pub use subnet::{Prefix, Prefix6, Subnet};

/// The length of IPv4's header without options.
pub const HEADER4: usize = 20;
/// The length of IPv6's header.
pub const HEADER6: usize = 40;

/// The number of UDP.
pub const UDP: u8 = 17;
/// The number of TCP.
pub const TCP: u8 = 6;
/// The number of ICMP.
pub const ICMP: u8 = 1;
/// The number of IGMP.
const IGMP: u8 = 2;
/// The number of ICMP for IPv6.
pub const ICMP6: u8 = 58;

/// More headers than this in front of its protocol no packet of IPv6 has here.
const MOST_EXTENSIONS: usize = 8;

/// Messages of ICMP for IPv6 that a link is for: listeners (RFC 2710, RFC 3810), and neighbours (RFC 4861).
const OF_LINK: [u8; 9] = [130, 131, 132, 133, 134, 135, 136, 137, 143];

/// What a DSCP asks for: to wait for as few others as possible. Expedited Forwarding (RFC 3246), the four classes of Assured
/// Forwarding's highest (RFC 2597), and CS6, of routing (RFC 4594).
const EXPEDITED: [u8; 5] = [46, 34, 36, 38, 48];

/// What an IP packet says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpPacket {
    /// From where.
    pub source: IpAddr,
    /// To where.
    pub destination: IpAddr,
    /// TCP is 6, UDP 17, ICMP 1 and 58.
    pub protocol: u8,
    /// Over how many routers it may still go.
    pub ttl: u8,
    /// What its sender asks of routers (RFC 2474).
    pub dscp: u8,
    /// Ports of the source and the destination; zeros where there are none.
    pub ports: (u16, u16),
    /// Where the bytes of its protocol begin.
    pub behind: usize,
    /// Whether it is a fragment other than the first.
    pub is_later_fragment: bool,
}

impl IpPacket {
    /// Whether its sender asks routers to let it go ahead of others.
    pub fn is_expedited(&self) -> bool {
        EXPEDITED.contains(&self.dscp)
    }

    /// Look at a packet; `None` if it is no IPv4 or IPv6 packet of exactly this length.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes.first()? >> 4 {
            4 => Self::of_ipv4(bytes),
            6 => Self::of_ipv6(bytes),
            _ => None,
        }
    }

    fn of_ipv4(bytes: &[u8]) -> Option<Self> {
        let header: &[u8; HEADER4] = bytes.first_chunk()?;
        let behind = usize::from(header[0] & 0x0F) * 4;
        let total = usize::from(u16::from_be_bytes([header[2], header[3]]));
        if behind < HEADER4 || total < behind || total != bytes.len() {
            return None;
        }
        let quad =
            |at: usize| Ipv4Addr::new(header[at], header[at + 1], header[at + 2], header[at + 3]);
        let protocol = header[9];
        // of a packet in fragments only the first has ports, so none is taken to have them
        let (more, offset) = (header[6] & 0x20 != 0, [header[6] & 0x1F, header[7]]);
        let is_later_fragment = offset != [0, 0];
        let whole = !more && !is_later_fragment;
        Some(IpPacket {
            source: quad(12).into(),
            destination: quad(16).into(),
            protocol,
            ttl: header[8],
            dscp: header[1] >> 2,
            ports: ports(bytes, protocol, behind).filter(|_| whole).unwrap_or_default(),
            behind,
            is_later_fragment,
        })
    }

    /// The headers between that of IPv6 and the protocol are passed over (RFC 8200, 4), as far as they are whole.
    fn of_ipv6(bytes: &[u8]) -> Option<Self> {
        let header: &[u8; HEADER6] = bytes.first_chunk()?;
        let len = usize::from(u16::from_be_bytes([header[4], header[5]]));
        if HEADER6 + len != bytes.len() {
            return None;
        }
        let address = |at: usize| {
            let octets: Option<&[u8; 16]> = header.get(at..).and_then(<[u8]>::first_chunk);
            octets.map(|octets| Ipv6Addr::from(*octets).into())
        };
        let (mut protocol, mut behind) = (header[6], HEADER6);
        let (mut whole, mut is_later_fragment) = (true, false);
        for _ in 0..MOST_EXTENSIONS {
            let Some([next, words, high, low]) = bytes.get(behind..).and_then(<[u8]>::first_chunk)
            else {
                break;
            };
            let len = match protocol {
                // hop by hop, routing, destination options
                0 | 43 | 60 => usize::from(*words) * 8 + 8,
                // a fragment
                44 => {
                    let offset = u16::from_be_bytes([*high, *low]);
                    is_later_fragment |= offset >> 3 != 0;
                    whole &= offset >> 3 == 0 && offset & 1 == 0;
                    8
                }
                // authentication
                51 => usize::from(*words) * 4 + 8,
                _ => break,
            };
            if behind + len > bytes.len() || is_later_fragment {
                break;
            }
            (protocol, behind) = (*next, behind + len);
        }
        Some(IpPacket {
            source: address(8)?,
            destination: address(24)?,
            protocol,
            ttl: header[7],
            dscp: (header[0] & 0x0F) << 2 | header[1] >> 6,
            ports: ports(bytes, protocol, behind).filter(|_| whole).unwrap_or_default(),
            behind,
            is_later_fragment,
        })
    }

    /// Whether it only concerns the link that it is sent on: who listens to which group, and who the neighbours are.
    pub fn is_of_link(&self, bytes: &[u8]) -> bool {
        let kind = bytes.get(self.behind);
        self.protocol == IGMP
            || self.protocol == ICMP6 && kind.is_some_and(|kind| OF_LINK.contains(kind))
    }
}

fn ports(bytes: &[u8], protocol: u8, behind: usize) -> Option<(u16, u16)> {
    match (protocol, bytes.get(behind..behind + 4)) {
        (TCP | UDP, Some(&[a, b, c, d])) => {
            Some((u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])))
        }
        _ => None,
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

/// Mark a packet as one that has met congestion, if it is one whose sender takes marks (RFC 3168, 5). Whether it was marked.
pub fn mark_congestion(bytes: &mut [u8]) -> bool {
    // the bits of ECN are the last two of the traffic class, which in IPv6 begins in the middle of a byte
    let (at, shift) = match bytes.first().map(|first| first >> 4) {
        Some(4) if bytes.len() >= HEADER4 => (1, 0),
        Some(6) if bytes.len() >= HEADER6 => (1, 4),
        _ => return false,
    };
    let mark = 0b11 << shift;
    if bytes[at] & mark == 0 || bytes[at] & mark == mark {
        return false;
    }
    bytes[at] |= mark;
    if shift == 0 {
        let len = (usize::from(bytes[0] & 0x0F) * 4).clamp(HEADER4, bytes.len());
        bytes[10..12].fill(0);
        let sum = checksum(&bytes[..len]).to_be_bytes();
        bytes[10..12].copy_from_slice(&sum);
    }
    true
}

/// An IPv4 packet of `protocol` with `body`, from one address to another, with the type of service `service`.
pub fn packet4(ends: (Ipv4Addr, Ipv4Addr), protocol: u8, service: u8, body: &[u8]) -> Vec<u8> {
    let total = (HEADER4 + body.len()) as u16;
    // not to be fragmented
    let mut bytes = vec![0x45, service, 0, 0, 0, 0, 0x40, 0, 64, protocol, 0, 0];
    bytes[2..4].copy_from_slice(&total.to_be_bytes());
    bytes.extend(ends.0.octets());
    bytes.extend(ends.1.octets());
    let sum = checksum(&bytes).to_be_bytes();
    bytes[10..12].copy_from_slice(&sum);
    bytes.extend(body);
    bytes
}

#[cfg(test)]
mod tests;
