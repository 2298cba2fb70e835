//! The TUN device: where applications' packets come from and go to, and the route that leads them there.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use tun_rs::{DeviceBuilder, Layer, SyncDevice};

use crate::ip::Subnet;
use crate::netlink::{Netlink, News, Route};

use super::network::Family;

/// Routes to networks that other nodes announce stand behind all that the machine has of its own.
const BEHIND_ALL: u32 = 1 << 20;

/// So many bits are the same in addresses that only count in a network (RFC 4291, 2.5.6).
const LINK_LOCAL_BITS: u8 = 64;

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
    families: Vec<Family>,
    /// The network, and those behind other nodes in a file: what leads here.
    routes: Vec<Subnet>,
    /// The networks that other nodes announce.
    announced: Vec<Subnet>,
}

impl Tun {
    /// The device `name` with the addresses of `families`, for packets of at most `mtu` bytes. What goes to any other node of
    /// the network comes here, and what goes to the networks `elsewhere`, behind other nodes.
    ///
    /// # Errors
    /// If `/dev/net/tun` is missing, this process may not make devices, or the machine has a route to exactly this
    /// of these, which stays as it is.
    pub fn new(
        name: &str,
        families: Vec<Family>,
        elsewhere: impl Iterator<Item = Subnet>,
        mtu: u16,
    ) -> io::Result<Self> {
        // netlink switches it on, since a service may have no other sockets
        let device = DeviceBuilder::new().name(name).layer(Layer::L3).inherit_enable_state();
        let device = device.build_sync()?;
        device.set_nonblocking(true)?;
        let (netlink, news) = (Netlink::new()?, News::new()?);
        let index = netlink.index(name)?;
        let no_ipv6 = |error: io::Error| {
            io::Error::other(format!(
                "network6 needs IPv6, which this machine has not, or has switched off ({error}): sysctl \
                 net.ipv6.conf.all.disable_ipv6=0"
            ))
        };
        let has_ipv6 = families.iter().any(|family| family.address.is_ipv6());
        if has_ipv6 {
            netlink.make_no_addresses(index).map_err(no_ipv6)?;
        }
        netlink.switch_on(index, Some(mtu.into()))?;
        let routes = families.iter().map(|family| family.network).chain(elsewhere).collect();
        let tun = Tun { device, netlink, news, index, families, routes, announced: Vec::new() };
        for family in &tun.families {
            let added = tun.add_addresses(family);
            if family.address.is_ipv6() { added.map_err(no_ipv6)? } else { added? }
        }
        for route in &tun.routes {
            tun.lead_here(*route, None).map_err(|error| match error.kind() {
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

    fn add_addresses(&self, family: &Family) -> io::Result<()> {
        let bits = if family.address.is_ipv6() { 128 } else { 32 };
        self.netlink.add_address(self.index, family.address, bits)?;
        match family.link_local {
            Some(address) => self.netlink.add_address(self.index, address, LINK_LOCAL_BITS),
            None => Ok(()),
        }
    }

    /// The route by which packets to a network come here, if the node has addresses of its kind.
    fn route(&self, to: Subnet, metric: Option<u32>) -> Option<Route> {
        let mut families = self.families.iter();
        let family = families.find(|family| family.network.is_ipv6() == to.is_ipv6())?;
        Some(Route { to, source: family.address, metric })
    }

    fn lead_here(&self, to: Subnet, metric: Option<u32>) -> io::Result<()> {
        let route = self.route(to, metric).ok_or(io::ErrorKind::Unsupported)?;
        self.netlink.add_route(self.index, &route)
    }

    /// What goes to these networks, which other nodes announce, comes here from now on, unless the machine has another route to
    /// exactly one of them.
    pub fn set_announced(&mut self, announced: Vec<Subnet>) {
        for gone in self.announced.iter().filter(|network| !announced.contains(network)) {
            if let Some(route) = self.route(*gone, Some(BEHIND_ALL)) {
                // somebody may have removed it
                let _ = self.netlink.remove_route(self.index, &route);
            }
        }
        self.announced = announced;
        self.restore_routes();
    }

    /// Whether the machine itself reaches `network`, by another device than this one.
    pub fn reaches(&self, network: Subnet) -> bool {
        self.netlink.reaches(network, Some(self.index)).unwrap_or(false)
    }

    /// Those that are there already stay as they are.
    fn restore_routes(&self) {
        let routes = self.routes.iter().map(|route| (*route, None));
        let announced = self.announced.iter().map(|route| (*route, Some(BEHIND_ALL)));
        for (route, metric) in routes.chain(announced) {
            let _ = self.lead_here(route, metric);
        }
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
        for family in self.families.iter().filter(|family| !self.has_address(family)) {
            let _ = self.add_addresses(family);
        }
        self.restore_routes();
        let all = self.families.iter().all(|family| self.is_led_here(family));
        if all { Standing::Ready } else { Standing::NoRoute }
    }

    /// Without it, the route to its own address is that to the network, or none: IPv6 keeps that one.
    fn has_address(&self, family: &Family) -> bool {
        let all = if family.address.is_ipv6() { 128 } else { 32 };
        let leaving = self.netlink.route(family.address);
        leaving.is_ok_and(|leaving| leaving.is_some_and(|leaving| leaving.bits == all))
    }

    fn is_led_here(&self, family: &Family) -> bool {
        let leaving = self.netlink.route(family.other);
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
