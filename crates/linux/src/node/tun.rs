//! The TUN device: where applications' packets come from and go to, and the route that leads them there.

use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, BorrowedFd};

use tun_rs::{DeviceBuilder, Layer, SyncDevice};

use crate::ip::{Prefix, Subnet};
use crate::netlink::{Netlink, News};

/// How the device stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// What applications send to nodes comes here.
    Ready,
    /// Somebody has switched it off.
    Down,
    /// The network's packets leave the machine by another device, or not at all.
    NoRoute,
}

impl Standing {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Standing::Ready => "ready",
            Standing::Down => "down",
            Standing::NoRoute => "no route leads to it",
        }
    }
}

/// A TUN device, which is gone when this is, and with it its address and route.
pub struct Tun {
    device: SyncDevice,
    netlink: Netlink,
    news: News,
    index: u32,
    address: Ipv4Addr,
    /// The network, and those behind other nodes: what leads here.
    routes: Vec<Subnet>,
    /// Another address of the network, whose packets have to come here.
    other: Ipv4Addr,
}

impl Tun {
    /// The device `name` with this address, for packets of at most `mtu` bytes. What goes to any other node of the
    /// network comes here, and what goes to the networks `elsewhere`, behind other nodes.
    ///
    /// # Errors
    /// If `/dev/net/tun` is missing, this process may not make devices, or the machine has a route to exactly this
    /// of these, which stays as it is.
    pub fn new(
        name: &str,
        address: Ipv4Addr,
        prefix: Prefix,
        elsewhere: Vec<Subnet>,
        mtu: u16,
    ) -> io::Result<Self> {
        let device = DeviceBuilder::new().name(name).layer(Layer::L3).build_sync()?;
        device.set_nonblocking(true)?;
        let (netlink, news) = (Netlink::new()?, News::new()?);
        let index = netlink.index(name)?;
        netlink.switch_on(index, Some(mtu.into()))?;
        let (network, _) = prefix.subnet().parts();
        let first = Ipv4Addr::from(u32::from(network) + 1);
        let other = if first == address { Ipv4Addr::from(u32::from(network) + 2) } else { first };
        let routes = std::iter::once(prefix.subnet()).chain(elsewhere).collect();
        let tun = Tun { device, netlink, news, index, address, routes, other };
        tun.netlink.add_address(index, address)?;
        for route in &tun.routes {
            tun.lead_here(*route).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => io::Error::other(format!(
                    "the machine has a route to {route} already (ip route show {route}), which stays as it is; remove \
                     it, or give all nodes another --network, or other --networks"
                )),
                _ => error,
            })?;
        }
        // in a fresh namespace applications could not reach themselves
        tun.netlink.switch_on(tun.netlink.index("lo")?, None)?;
        Ok(tun)
    }

    fn lead_here(&self, route: Subnet) -> io::Result<()> {
        self.netlink.add_route(self.index, route.parts(), self.address)
    }

    /// Where news of it come.
    pub fn news(&self) -> BorrowedFd<'_> {
        self.news.as_fd()
    }

    /// Whether there are any, which may be about other devices.
    pub fn has_news(&self) -> bool {
        self.news.take()
    }

    /// How it stands. An address or a route that somebody has removed is restored, unless the device is off.
    pub fn look_after(&self) -> Standing {
        if !self.netlink.is_on(self.index).unwrap_or(false) {
            return Standing::Down;
        }
        // if that fails, the next question says how it is
        if !self.is_led_here() {
            let _ = self.netlink.add_address(self.index, self.address);
        }
        for route in &self.routes {
            let _ = self.lead_here(*route);
        }
        if self.is_led_here() { Standing::Ready } else { Standing::NoRoute }
    }

    fn is_led_here(&self) -> bool {
        let leaving = self.netlink.route(self.other);
        leaving.is_ok_and(|leaving| leaving.is_some_and(|leaving| leaving.index == self.index))
    }

    /// The next packet into `buffer`: its length, or `None` if there is none now.
    ///
    /// # Errors
    /// If the device is gone.
    pub fn receive(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self.device.recv(buffer) {
            Ok(len) => Ok(Some(len)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Hand `packet` to the applications.
    ///
    /// # Errors
    /// If the kernel does not take it.
    pub fn send(&self, packet: &[u8]) -> io::Result<()> {
        self.device.send(packet).map(drop)
    }
}

impl AsFd for Tun {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}
