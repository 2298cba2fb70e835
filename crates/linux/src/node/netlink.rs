//! Addresses and routes of a network device, by the kernel's netlink (rtnetlink(7)).

use std::io;
use std::net::Ipv4Addr;
use std::os::fd::OwnedFd;

use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, bind, connect, recv, send,
    socket_with,
};

const REQUEST: u16 = 0x001;
const ACKNOWLEDGE: u16 = 0x004;
const REPLACE: u16 = 0x100;
const CREATE: u16 = 0x400;
const ERROR: u16 = 2;
const NEW_LINK: u16 = 16;
const NEW_ADDRESS: u16 = 20;
const NEW_ROUTE: u16 = 24;
const IPV4: u8 = 2;
const UP: u32 = 1;
const MTU: u16 = 4;
const LOCAL: u16 = 2;
const DESTINATION: u16 = 1;
const OUTPUT: u16 = 4;
const PREFERRED_SOURCE: u16 = 7;
const MAIN_TABLE: u8 = 254;
const STATIC: u8 = 4;
const SCOPE_LINK: u8 = 253;
const UNICAST: u8 = 1;

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

    /// Give it an address of its own, without a network.
    ///
    /// # Errors
    /// As for the others.
    pub fn add_address(&self, index: u32, address: Ipv4Addr) -> io::Result<()> {
        let mut body = vec![IPV4, 32, 0, 0];
        body.extend(index.to_ne_bytes());
        body.extend(attribute(LOCAL, &address.octets()));
        self.ask(NEW_ADDRESS, CREATE | REPLACE, &body)
    }

    /// What goes to `network` (with a prefix of so many bits) goes out there, from the address `source`.
    ///
    /// # Errors
    /// As for the others.
    pub fn add_route(
        &self,
        index: u32,
        (network, prefix): (Ipv4Addr, u8),
        source: Ipv4Addr,
    ) -> io::Result<()> {
        let mut body =
            vec![IPV4, prefix, 0, 0, MAIN_TABLE, STATIC, SCOPE_LINK, UNICAST, 0, 0, 0, 0];
        body.extend(attribute(DESTINATION, &network.octets()));
        body.extend(attribute(OUTPUT, &index.to_ne_bytes()));
        body.extend(attribute(PREFERRED_SOURCE, &source.octets()));
        self.ask(NEW_ROUTE, CREATE | REPLACE, &body)
    }

    fn ask(&self, kind: u16, flags: u16, body: &[u8]) -> io::Result<()> {
        let len = (16 + body.len()) as u32;
        let mut message = len.to_ne_bytes().to_vec();
        message.extend(kind.to_ne_bytes());
        message.extend((REQUEST | ACKNOWLEDGE | flags).to_ne_bytes());
        message.extend([0; 8]);
        message.extend(body);
        send(&self.fd, &message, SendFlags::empty())?;
        let mut answer = [0; 4_096];
        let (read, _) = recv(&self.fd, &mut answer, RecvFlags::empty())?;
        let kind = answer[..read].get(4..6).and_then(<[u8]>::first_chunk).copied();
        let code = answer[..read].get(16..20).and_then(<[u8]>::first_chunk).copied();
        match (kind.map(u16::from_ne_bytes), code.map(i32::from_ne_bytes)) {
            (Some(ERROR), Some(0)) => Ok(()),
            (Some(ERROR), Some(code)) => Err(io::Error::from_raw_os_error(-code)),
            _ => Err(io::Error::other("the kernel's answer is not understood")),
        }
    }
}
