//! The TUN device: where applications' packets come from and go to.

use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, BorrowedFd};

use tun_rs::{DeviceBuilder, Layer, SyncDevice};

use super::netlink::Netlink;

/// The network of all nodes.
const NETWORK: (Ipv4Addr, u8) = (Ipv4Addr::new(10, 0, 0, 0), 8);

/// A TUN device, which is gone when this is.
pub struct Tun(SyncDevice);

impl Tun {
    /// The device `name` with this address, for packets of at most `mtu` bytes. What goes to any other node
    /// comes here.
    ///
    /// # Errors
    /// If `/dev/net/tun` is missing, or this process may not make devices.
    pub fn new(name: &str, address: Ipv4Addr, mtu: u16) -> io::Result<Self> {
        let device = DeviceBuilder::new().name(name).layer(Layer::L3).build_sync()?;
        device.set_nonblocking(true)?;
        let netlink = Netlink::new()?;
        let index = netlink.index(name)?;
        netlink.add_address(index, address)?;
        netlink.switch_on(index, Some(mtu.into()))?;
        netlink.add_route(index, NETWORK, address)?;
        // in a fresh namespace applications could not reach themselves
        netlink.switch_on(netlink.index("lo")?, None)?;
        Ok(Tun(device))
    }

    /// The next packet into `buffer`: its length, or `None` if there is none now.
    ///
    /// # Errors
    /// If the device is gone.
    pub fn receive(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self.0.recv(buffer) {
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
        self.0.send(packet).map(drop)
    }
}

impl AsFd for Tun {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
