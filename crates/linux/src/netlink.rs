//! Addresses and routes of a network device, by the kernel's netlink (rtnetlink(7)).

use std::io;
use std::net::IpAddr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, bind, connect, recv, send,
    socket_with,
};

use crate::ip::Subnet;

const REQUEST: u16 = 0x001;
const ACKNOWLEDGE: u16 = 0x004;
const REPLACE: u16 = 0x100;
const CREATE: u16 = 0x400;
const EXCLUSIVE: u16 = 0x200;
const ERROR: u16 = 2;
const NEW_LINK: u16 = 16;
const GET_LINK: u16 = 18;
const NEW_ADDRESS: u16 = 20;
const NEW_ROUTE: u16 = 24;
const REMOVE_ROUTE: u16 = 25;
const GET_ROUTE: u16 = 26;
/// Groups of news (`RTMGRP_LINK`, `RTMGRP_IPV4_IFADDR`, `RTMGRP_IPV4_ROUTE`, and the same of IPv6).
const NEWS: u32 = 0x001 | 0x010 | 0x040 | 0x100 | 0x400;
/// Answer with the route that matches, not with what it makes of a packet.
const FIB_MATCH: u32 = 0x2000;
const HEADER: usize = 16;
const ROUTE_HEADER: usize = 12;
const IPV4: u8 = 2;
const IPV6: u8 = 10;
const UP: u32 = 1;
const MTU: u16 = 4;
const QUEUE_LEN: u16 = 13;
const LOCAL: u16 = 2;
const DESTINATION: u16 = 1;
const OUTPUT: u16 = 4;
const PRIORITY: u16 = 6;
const PREFERRED_SOURCE: u16 = 7;
const MAIN_TABLE: u8 = 254;
const STATIC: u8 = 4;
const SCOPE_LINK: u8 = 253;
const SCOPE_UNIVERSE: u8 = 0;
/// An address is used at once, without asking whether others have it (`IFA_F_NODAD`).
const AT_ONCE: u8 = 0x02;
/// What belongs to IPv6 (`IFLA_AF_SPEC`, `AF_INET6`), and that no addresses are made (`IFLA_INET6_ADDR_GEN_MODE`).
const OF_FAMILIES: u16 = 26;
const OF_IPV6: u16 = 10;
const MAKES_ADDRESSES: u16 = 8;
const NONE: u8 = 1;
const UNICAST: u8 = 1;
const LONGEST_ANSWER: usize = 8_192;
/// So many pieces of news are read at a time.
const MOST_NEWS: usize = 256;

/// A conversation with the kernel.
pub struct Netlink {
    fd: OwnedFd,
}

fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
    let len = (4 + value.len()) as u16;
    let mut bytes = [&len.to_ne_bytes()[..], &kind.to_ne_bytes(), value].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

impl Netlink {
    /// Begin one.
    ///
    /// # Errors
    /// If the kernel does not talk.
    pub fn new() -> io::Result<Self> {
        let flags = SocketFlags::CLOEXEC;
        // protocol 0 is NETLINK_ROUTE
        let fd = socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, None)?;
        bind(&fd, &SocketAddrNetlink::new(0, 0))?;
        connect(&fd, &SocketAddrNetlink::new(0, 0))?;
        Ok(Netlink { fd })
    }

    /// The number of the device called `name`.
    ///
    /// # Errors
    /// If there is none.
    pub fn index(&self, name: &str) -> io::Result<u32> {
        Ok(rustix::net::netdevice::name_to_index(&self.fd, name)?)
    }

    /// Switch device number `index` on, for packets of at most `mtu` bytes if that is to change.
    ///
    /// # Errors
    /// If this process may not, or the device cannot, as for the others.
    pub fn switch_on(&self, index: u32, mtu: Option<u32>) -> io::Result<()> {
        let mut body = vec![0, 0, 0, 0];
        body.extend(index.to_ne_bytes());
        body.extend(UP.to_ne_bytes());
        body.extend(UP.to_ne_bytes());
        body.extend(mtu.iter().flat_map(|mtu| attribute(MTU, &mtu.to_ne_bytes())));
        self.ask(NEW_LINK, 0, &body)
    }

    /// So many packets wait at most until device number `index` takes them.
    ///
    /// # Errors
    /// As for the others.
    pub fn set_queue(&self, index: u32, packets: u32) -> io::Result<()> {
        let mut body = vec![0, 0, 0, 0];
        body.extend(index.to_ne_bytes());
        body.extend([0; 8]);
        body.extend(attribute(QUEUE_LEN, &packets.to_ne_bytes()));
        self.ask(NEW_LINK, 0, &body)
    }

    /// The kernel gives device number `index` no addresses of IPv6 by itself.
    ///
    /// # Errors
    /// As for the others; also where the machine has no IPv6.
    pub fn make_no_addresses(&self, index: u32) -> io::Result<()> {
        let mut body = vec![0, 0, 0, 0];
        body.extend(index.to_ne_bytes());
        body.extend([0; 8]);
        let none = attribute(MAKES_ADDRESSES, &[NONE]);
        body.extend(attribute(OF_FAMILIES, &attribute(OF_IPV6, &none)));
        self.ask(NEW_LINK, 0, &body)
    }

    /// Give it an address of its own, with so many bits of a network.
    ///
    /// # Errors
    /// As for the others.
    pub fn add_address(&self, index: u32, address: IpAddr, bits: u8) -> io::Result<()> {
        let (family, octets) = parts(address);
        let flags = if family == IPV6 { AT_ONCE } else { 0 };
        let mut body = vec![family, bits, flags, 0];
        body.extend(index.to_ne_bytes());
        body.extend(attribute(LOCAL, &octets));
        self.ask(NEW_ADDRESS, CREATE | REPLACE, &body)
    }

    /// Packets go out as `route` says.
    ///
    /// # Errors
    /// As for the others; `AlreadyExists` if the machine has a route to exactly this network, as near as this one.
    pub fn add_route(&self, index: u32, route: &Route) -> io::Result<()> {
        self.ask(NEW_ROUTE, CREATE | EXCLUSIVE, &route.message(index))
    }

    /// They do so no more.
    ///
    /// # Errors
    /// As for the others; also if there is no such route.
    pub fn remove_route(&self, index: u32, route: &Route) -> io::Result<()> {
        self.ask(REMOVE_ROUTE, 0, &route.message(index))
    }

    /// Whether device number `index` is up.
    ///
    /// # Errors
    /// If there is none.
    pub fn is_on(&self, index: u32) -> io::Result<bool> {
        let body = [&[0; 4][..], &index.to_ne_bytes(), &[0; 8]].concat();
        let answer = self.request(GET_LINK, REQUEST, &body)?;
        let flags = answer.get(HEADER + 8..).and_then(<[u8]>::first_chunk).copied();
        Ok(flags.is_some_and(|flags| u32::from_ne_bytes(flags) & UP != 0))
    }

    /// The route that packets to `to` take, if there is one.
    ///
    /// # Errors
    /// If the kernel does not say.
    pub fn route(&self, to: IpAddr) -> io::Result<Option<Leaving>> {
        let (family, octets) = parts(to);
        let mut body = vec![family, octets.len() as u8 * 8, 0, 0, 0, 0, 0, 0];
        body.extend(FIB_MATCH.to_ne_bytes());
        body.extend(attribute(DESTINATION, &octets));
        let answer = match self.request(GET_ROUTE, REQUEST, &body) {
            Err(error) if is_unreachable(&error) => return Ok(None),
            answer => answer?,
        };
        let bits = answer.get(HEADER + 1).copied().unwrap_or_default();
        let attributes = answer.get(HEADER + ROUTE_HEADER..).unwrap_or_default();
        let output = find(attributes, OUTPUT).and_then(<[u8]>::first_chunk).copied();
        Ok(output.map(|index| Leaving { index: u32::from_ne_bytes(index), bits }))
    }

    /// Whether the machine reaches `network`, by another device than number `own`. By the default route it reaches the
    /// default route's own network only.
    ///
    /// # Errors
    /// If the kernel does not say.
    pub fn reaches(&self, network: Subnet, own: Option<u32>) -> io::Result<bool> {
        let (_, bits) = network.parts();
        let leaving = self.route(network.sample())?.filter(|leaving| Some(leaving.index) != own);
        Ok(leaving.is_some_and(|leaving| leaving.bits > 0 || bits == 0))
    }

    fn ask(&self, kind: u16, flags: u16, body: &[u8]) -> io::Result<()> {
        self.request(kind, REQUEST | ACKNOWLEDGE | flags, body).map(drop)
    }

    /// The kernel's answer to a message.
    fn request(&self, kind: u16, flags: u16, body: &[u8]) -> io::Result<Vec<u8>> {
        let len = (HEADER + body.len()) as u32;
        let mut message = len.to_ne_bytes().to_vec();
        message.extend(kind.to_ne_bytes());
        message.extend(flags.to_ne_bytes());
        message.extend([0; 8]);
        message.extend(body);
        send(&self.fd, &message, SendFlags::empty())?;
        let mut answer = vec![0; LONGEST_ANSWER];
        let (read, _) = recv(&self.fd, &mut answer[..], RecvFlags::empty())?;
        answer.truncate(read);
        let kind = answer.get(4..6).and_then(<[u8]>::first_chunk).copied();
        let code = answer.get(HEADER..).and_then(<[u8]>::first_chunk).copied();
        match (kind.map(u16::from_ne_bytes), code.map(i32::from_ne_bytes)) {
            (Some(ERROR), Some(code)) if code != 0 => Err(io::Error::from_raw_os_error(-code)),
            (Some(_), Some(_)) => Ok(answer),
            _ => Err(io::Error::other("the kernel's answer is not understood")),
        }
    }
}

/// The number of an address's kind, and its bytes.
fn parts(address: IpAddr) -> (u8, Vec<u8>) {
    match address {
        IpAddr::V4(address) => (IPV4, address.octets().to_vec()),
        IpAddr::V6(address) => (IPV6, address.octets().to_vec()),
    }
}

/// What goes to a network goes out by a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The network.
    pub to: Subnet,
    /// From which address.
    pub source: IpAddr,
    /// How far behind other routes to the same network it stands; nothing for the kernel's own way.
    pub metric: Option<u32>,
}

impl Route {
    fn message(&self, index: u32) -> Vec<u8> {
        let (first, bits) = self.to.parts();
        let ((family, to), (_, source)) = (parts(first), parts(self.source));
        let scope = if family == IPV4 { SCOPE_LINK } else { SCOPE_UNIVERSE };
        let mut body = vec![family, bits, 0, 0, MAIN_TABLE, STATIC, scope, UNICAST, 0, 0, 0, 0];
        body.extend(attribute(DESTINATION, &to));
        body.extend(attribute(OUTPUT, &index.to_ne_bytes()));
        body.extend(attribute(PREFERRED_SOURCE, &source));
        body.extend(
            self.metric.iter().flat_map(|metric| attribute(PRIORITY, &metric.to_ne_bytes())),
        );
        body
    }
}

/// By which device packets leave, and how many bits of their destination the route looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// The number of the device.
    pub index: u32,
    /// The length of the route's prefix.
    pub bits: u8,
}

fn is_unreachable(error: &io::Error) -> bool {
    let codes = [Errno::NETUNREACH, Errno::HOSTUNREACH].map(Errno::raw_os_error);
    error.raw_os_error().is_some_and(|code| codes.contains(&code))
}

/// The value of the first attribute of a kind.
fn find(mut attributes: &[u8], kind: u16) -> Option<&[u8]> {
    while let Some(([a, b, c, d], _)) = attributes.split_first_chunk() {
        let len = usize::from(u16::from_ne_bytes([*a, *b]));
        let value = attributes.get(4..len)?;
        if u16::from_ne_bytes([*c, *d]) == kind {
            return Some(value);
        }
        attributes = attributes.get(len.next_multiple_of(4)..)?;
    }
    None
}

/// News of the machine's devices, addresses and routes.
pub struct News {
    fd: OwnedFd,
}

impl News {
    /// Listen from now on.
    ///
    /// # Errors
    /// If the kernel tells none.
    pub fn new() -> io::Result<Self> {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let fd = socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, None)?;
        bind(&fd, &SocketAddrNetlink::new(0, NEWS))?;
        Ok(News { fd })
    }

    /// Whether there are any since this was asked the last time. What they are has to be asked for.
    pub fn take(&self) -> bool {
        let mut buffer = [0; 4_096];
        let mut any = false;
        for _ in 0..MOST_NEWS {
            match recv(&self.fd, &mut buffer, RecvFlags::empty()) {
                Err(Errno::AGAIN) => break,
                // those that did not fit are news, too
                Ok(_) | Err(_) => any = true,
            }
        }
        any
    }
}

impl AsFd for News {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_and_broken_ones_are_not() {
        let all =
            [attribute(DESTINATION, &[1, 2, 3]), attribute(OUTPUT, &7u32.to_ne_bytes())].concat();
        assert_eq!(find(&all, OUTPUT), Some(&7u32.to_ne_bytes()[..]));
        assert_eq!(find(&all, DESTINATION), Some(&[1, 2, 3][..]));
        assert_eq!(find(&all, LOCAL), None);
        for len in 0..all.len() {
            assert_eq!(find(&all[..len], OUTPUT), None, "{len}");
        }
        assert_eq!(find(&[0; 8], OUTPUT), None, "one without a length");
    }

    #[test]
    fn the_kernel_says_how_packets_leave() {
        let netlink = Netlink::new().expect("it talks to everybody");
        let lo = netlink.index("lo").expect("there is one");
        let on = netlink.is_on(lo).expect("it is there");
        let to_itself = netlink.route(std::net::Ipv4Addr::LOCALHOST.into()).expect("it says");
        assert_eq!(to_itself.map(|leaving| leaving.index), on.then_some(lo));
        assert!(netlink.is_on(u32::MAX >> 1).is_err(), "there is no such device");
    }
}
