//! A radio that is a network interface: frames are broadcasts of the Ethernet type 0x88B5 (IEEE 802, local
//! experiments), so that every node in reach hears all of them.
//!
//! ```text
//!  0          6          12     14  15    16       18     22     26
//! +----------+----------+------+---+-----+--------+------+------+-------
//! | everyone | sender   | 88B5 | 1 | mark| length | from | to   | frame
//! +----------+----------+------+---+-----+--------+------+------+-------
//! ```
//!
//! On Wi-Fi in ad hoc mode a broadcast has no link acknowledgment, no retries and no RTS. The kernel
//! does not say when a frame was on the air: it counts as sent when the kernel has taken it.

use std::collections::VecDeque;
use std::io;
use std::num::NonZeroU32;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use multihop_core::{Bytes, Capability, Duration, Heard, NodeId, Outcome, Rate, Receiver, Time};
use nix::ifaddrs::{InterfaceAddress, getifaddrs};
use nix::net::if_::InterfaceFlags;
use nix::sys::socket::LinkAddr;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, Protocol, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send,
    socket_with, sockopt,
};

use crate::bytes::{Malformed, Reader};
use crate::ether::message::{Done, Reception};
use crate::log;
use crate::reactor::Until;

use super::port::Event;

/// For local experiments.
const ETHER_TYPE: u16 = 0x88B5;
const VERSION: u8 = 1;
const EVERYONE: u32 = u32::MAX;
const ETHERNET: usize = 14;
const HEADER: usize = 12;
/// What waits in the kernel cannot be withdrawn: so little as possible.
const KERNEL_BUFFER: usize = 4_096;
const LONGEST: usize = 65_535 + ETHERNET + HEADER;
/// So long after the interface was lost, and again and again, it is looked for.
const RETRY: Duration = Duration::from_millis(1_000);

/// Whether such a radio can do what a scheme needs.
pub const fn offers(capability: Capability) -> bool {
    // no frame waits here to be withdrawn
    matches!(capability, Capability::Unicast | Capability::Withdrawal | Capability::Overhearing)
}

/// A frame, and what stands before it behind the Ethernet header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framed<'a> {
    /// Who sends it.
    pub from: NodeId,
    /// For whom.
    pub to: Receiver,
    /// Whether it is marked: congestion experienced.
    pub marked: bool,
    /// Its bytes.
    pub frame: &'a [u8],
}

impl<'a> Framed<'a> {
    /// Its bytes behind the Ethernet header.
    pub fn emit(&self) -> Vec<u8> {
        let to = match self.to {
            Receiver::Node(to) | Receiver::Pair([to, _]) => to.0,
            Receiver::Broadcast => EVERYONE,
        };
        let len = u16::try_from(self.frame.len()).unwrap_or(u16::MAX);
        let mut bytes = vec![VERSION, self.marked.into()];
        bytes.extend(len.to_be_bytes());
        bytes.extend(self.from.0.to_be_bytes());
        bytes.extend(to.to_be_bytes());
        bytes.extend(self.frame);
        bytes
    }

    /// Read it. Ethernet makes short frames longer, so there may be more behind it.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut reader = Reader(bytes);
        if reader.u8()? != VERSION {
            return Err(Malformed::Field("version"));
        }
        let marked = match reader.u8()? {
            0 => false,
            1 => true,
            _ => return Err(Malformed::Field("mark")),
        };
        let len = usize::from(reader.u16()?);
        let from = NodeId(reader.u32()?);
        let to = match reader.u32()? {
            EVERYONE => Receiver::Broadcast,
            to => Receiver::Node(NodeId(to)),
        };
        let frame = reader.rest().get(..len).ok_or(Malformed::Truncated)?;
        Ok(Framed { from, to, marked, frame })
    }
}

/// A radio that is a network interface. It is lost when that goes down or is taken away, and comes back with it, or with
/// another one of its name.
pub struct WirePort {
    name: String,
    /// Nothing, while there is no interface, or it is down.
    fd: Option<OwnedFd>,
    /// Why there is none.
    lacking: String,
    retry_at: Time,
    hardware: [u8; 6],
    me: NodeId,
    /// What it is taken to send at, for what wants to know.
    rate: Rate,
    /// What the kernel has no room for yet.
    waiting: Option<Vec<u8>>,
    /// Whether it was said that frames are too long.
    warned: bool,
    events: VecDeque<Event>,
    buffer: Vec<u8>,
}

impl WirePort {
    /// The interface called `name`, for node `me`, which sends at `rate`.
    ///
    /// # Errors
    /// If it is not of Ethernet's kind, or this process may not use it. One that is down, or not there yet, is waited
    /// for.
    pub fn new(name: &str, me: NodeId, rate: Rate) -> io::Result<Self> {
        let mut port = WirePort {
            name: name.to_owned(),
            fd: None,
            lacking: String::new(),
            retry_at: Time::ZERO,
            hardware: [0; 6],
            me,
            rate,
            waiting: None,
            warned: false,
            events: VecDeque::new(),
            buffer: vec![0; LONGEST],
        };
        match port.open() {
            Ok(()) => Ok(port),
            Err(error) if may_come(&error) => {
                port.lacking = error.to_string();
                Ok(port)
            }
            Err(error) => Err(error),
        }
    }

    /// Be on the interface, if it is up.
    fn open(&mut self) -> io::Result<()> {
        let link = link(&self.name)?;
        self.hardware =
            link.addr().ok_or_else(|| io::Error::other("it has no hardware address"))?;
        let protocol = NonZeroU32::new(u16::to_be(ETHER_TYPE).into()).map(Protocol::from_raw);
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let fd = socket_with(AddressFamily::PACKET, SocketType::RAW, flags, protocol)?;
        sockopt::set_socket_send_buffer_size(&fd, KERNEL_BUFFER)?;
        // the address names no protocol, so the socket's own stays
        nix::sys::socket::bind(fd.as_raw_fd(), &link)?;
        (self.fd, self.retry_at) = (Some(fd), Time::NEVER);
        self.events.push_back(Event::On { time_scale: 1.0 });
        Ok(())
    }

    /// When to call [`WirePort::on_time`] and [`WirePort::poll`] without waiting for its file.
    pub fn deadline(&self) -> Time {
        if self.events.is_empty() { self.retry_at } else { Time::ZERO }
    }

    /// Look for an interface that was lost, if that is due.
    pub fn on_time(&mut self, now: Time) {
        if self.fd.is_some() || self.retry_at > now {
            return;
        }
        if let Err(error) = self.open() {
            (self.lacking, self.retry_at) = (error.to_string(), now + RETRY);
        }
    }

    /// What to wait for, if there is an interface.
    pub fn file(&self) -> Option<(BorrowedFd<'_>, Until)> {
        let until = if self.waiting.is_some() { Until::Writable } else { Until::Readable };
        self.fd.as_ref().map(|fd| (fd.as_fd(), until))
    }

    /// Why there is no radio, if there is none.
    pub fn lacks(&self) -> Option<String> {
        self.fd.is_none().then(|| format!("{}: {}", self.name, self.lacking))
    }

    /// The interface is down, or gone.
    fn lose(&mut self) {
        self.lacking = Errno::NETDOWN.to_string();
        (self.fd, self.waiting, self.retry_at) = (None, None, Time::ZERO);
        self.events.push_back(Event::Lost);
    }

    /// Hand over a frame.
    pub fn send(&mut self, to: Receiver, marked: bool, frame: &[u8]) {
        let framed = Framed { from: self.me, to, marked, frame };
        let mut bytes = vec![0xFF; 6];
        bytes.extend(self.hardware);
        bytes.extend(ETHER_TYPE.to_be_bytes());
        bytes.extend(framed.emit());
        self.waiting = Some(bytes);
        self.flush();
    }

    /// Give the kernel what waits, if it takes it.
    fn flush(&mut self) {
        let (Some(fd), Some(bytes)) = (&self.fd, self.waiting.take()) else { return };
        match send(fd, &bytes, SendFlags::empty()) {
            Err(Errno::AGAIN | Errno::NOBUFS | Errno::INTR) => {
                self.waiting = Some(bytes);
                return;
            }
            Err(Errno::NETDOWN | Errno::NXIO | Errno::NODEV) => return self.lose(),
            Err(Errno::MSGSIZE) => {
                self.events.push_back(Event::Done(Done::failed()));
                return self.warn(bytes.len() - ETHERNET);
            }
            // as good as lost on the air
            Err(_) => self.events.push_back(Event::NotTaken),
            Ok(_) => {}
        }
        let air_time = self.rate.air_time(Bytes((bytes.len() - ETHERNET) as u32));
        self.events.push_back(Event::Done(Done {
            outcome: Outcome::Sent,
            service: Duration::ZERO,
            attempts: 1,
            retries: 0,
            rate: self.rate,
            air_time,
            batch: 1,
            marked: false,
        }));
    }

    /// A frame of so many bytes is longer than the interface can carry.
    fn warn(&mut self, bytes: usize) {
        if !std::mem::replace(&mut self.warned, true) {
            log::warn(&format!(
                "frames of {bytes} bytes are too long for {}, and fail: give it a larger MTU, or the \
                 nodes a smaller --mtu",
                self.name
            ));
        }
    }

    /// What it says, one by one, until it has nothing more to say.
    pub fn poll(&mut self) -> Option<Event> {
        self.flush();
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            let fd = self.fd.as_ref()?;
            match recv(fd, &mut self.buffer[..], RecvFlags::empty()) {
                Ok((len, _)) => self.hear(len),
                Err(Errno::INTR) => {}
                Err(Errno::NETDOWN) => self.lose(),
                Err(_) => return None,
            }
        }
    }

    fn hear(&mut self, len: usize) {
        let bytes = self.buffer.get(ETHERNET..len).unwrap_or_default();
        // others may use this type, too
        let Ok(Framed { from, to, marked, frame }) = Framed::parse(bytes) else {
            return self.events.push_back(Event::Foreign);
        };
        if from == self.me {
            let reason = "another node has this address".to_owned();
            self.events.push_back(Event::Refused(reason));
            return;
        }
        let heard = match to {
            Receiver::Broadcast => Heard::Broadcast,
            Receiver::Node(to) if to == self.me => Heard::ForMe,
            Receiver::Node(_) | Receiver::Pair(_) => Heard::Overheard,
        };
        let air_time = self.rate.air_time(Bytes(bytes.len() as u32));
        let (rate, signal, frame) = (self.rate, None, frame.to_vec());
        let reception = Reception { from, heard, rate, signal, air_time, marked, frame };
        self.events.push_back(Event::Heard(reception));
    }
}

/// The address of the interface called `name` below IP, if it is up.
fn link(name: &str) -> io::Result<LinkAddr> {
    let mut addresses = getifaddrs()?.filter(|address| address.interface_name == name);
    let of = |address: InterfaceAddress| Some((*address.address?.as_link_addr()?, address.flags));
    let found = addresses.find_map(of);
    let absent = || io::Error::new(io::ErrorKind::NotFound, "there is no such network interface");
    let (link, flags) = found.ok_or_else(absent)?;
    if flags.contains(InterfaceFlags::IFF_UP) { Ok(link) } else { Err(Errno::NETDOWN.into()) }
}

/// Whether the interface may be there later.
fn may_come(error: &io::Error) -> bool {
    let down = [Errno::NETDOWN, Errno::NXIO, Errno::NODEV].map(Errno::raw_os_error);
    error.kind() == io::ErrorKind::NotFound
        || error.raw_os_error().is_some_and(|code| down.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_survives_ethernet_and_its_padding() {
        for to in [Receiver::Node(NodeId(70_000)), Receiver::Broadcast] {
            for marked in [false, true] {
                let framed = Framed { from: NodeId(3), to, marked, frame: b"some bytes" };
                let mut bytes = framed.emit();
                assert_eq!(Framed::parse(&bytes), Ok(framed));
                bytes.resize(46, 0);
                assert_eq!(Framed::parse(&bytes), Ok(framed));
                for len in 0..HEADER + 10 {
                    assert!(Framed::parse(&bytes[..len]).is_err(), "{len}");
                }
            }
        }
    }

    #[test]
    fn what_is_of_somebody_else_is_none() {
        let framed =
            Framed { from: NodeId(3), to: Receiver::Broadcast, marked: false, frame: b"x" };
        let good = framed.emit();
        for (at, value) in [(0, 2), (1, 7)] {
            let mut bad = good.clone();
            bad[at] = value;
            assert!(Framed::parse(&bad).is_err(), "byte {at}");
        }
    }

    #[test]
    fn an_interface_that_is_not_there_is_waited_for_and_named() {
        let port = WirePort::new("nosuchif0", NodeId(1), Rate(1)).expect("it may come");
        let lacking = port.lacks().expect("it is not there");
        assert_eq!(lacking, "nosuchif0: there is no such network interface");
        assert!(port.deadline() < Time::NEVER, "it is looked for");
    }
}
