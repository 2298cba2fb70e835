//! A node's radio in the ether: it is lost when the ether is, and comes back with it.

use std::io;
use std::os::fd::AsFd;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;

use multihop_core::{Capability, Duration, FrameClass, Receiver, Time, TxRequest};

use crate::ether::message::{FromEther, Hello, LONGEST_MESSAGE, Offer, ToEther};
use crate::reactor::Until;
use crate::seqpacket::Link;

use super::port::Event;

/// So long after a failure the node tries again.
const RETRY: Duration = Duration::from_millis(200);

/// Whether a radio in the ether can do that: what the medium's can, but for frames for two, and for what only
/// nodes in one process share.
pub const fn offers(capability: Capability) -> bool {
    !matches!(capability, Capability::TwoReceivers | Capability::CommonList)
}

/// A radio in the ether that listens at a path.
pub struct EtherPort {
    path: PathBuf,
    hello: Hello,
    link: Option<Link>,
    retry_at: Time,
    on: bool,
    buffer: Vec<u8>,
}

impl EtherPort {
    /// The radio of the node that says `hello` to the ether at `path`. Nobody is called yet.
    pub fn new(path: PathBuf, hello: Hello) -> Self {
        EtherPort {
            path,
            hello,
            link: None,
            retry_at: Time::ZERO,
            on: false,
            buffer: vec![0; LONGEST_MESSAGE],
        }
    }

    /// When to call [`EtherPort::on_time`].
    pub fn deadline(&self) -> Time {
        if self.link.is_some() { Time::NEVER } else { self.retry_at }
    }

    /// Call the ether, if that is due.
    pub fn on_time(&mut self, now: Time) {
        if self.deadline() > now {
            return;
        }
        self.retry_at = now + RETRY;
        if let Ok(mut link) = Link::connect(&self.path)
            && link.send(ToEther::Hello(self.hello).emit()).is_ok()
        {
            self.link = Some(link);
        }
    }

    /// Why there is no radio, if there is none.
    pub fn lacks(&self) -> Option<String> {
        let path = self.path.display();
        (!self.on)
            .then(|| format!("{path}: no multihop-ether answers there with a radio for this node"))
    }

    /// What to wait for, if there is a connection.
    pub fn file(&self) -> Option<(BorrowedFd<'_>, Until)> {
        let link = self.link.as_ref()?;
        let until = if link.is_waiting() { Until::Writable } else { Until::Readable };
        Some((link.as_fd(), until))
    }

    /// What the radio says, one by one, until it has nothing more to say.
    pub fn poll(&mut self, now: Time) -> Option<Event> {
        let read = {
            let link = self.link.as_mut()?;
            link.flush().and_then(|()| link.receive(&mut self.buffer))
        };
        match read {
            Ok(None) => None,
            Ok(Some(len)) => match FromEther::parse(&self.buffer[..len]) {
                Ok(message) => Some(self.event(now, message)),
                // it speaks another version
                Err(error) => {
                    Some(self.refused(now, format!("the ether is not understood: {error}")))
                }
            },
            Err(_) => self.lose(now),
        }
    }

    fn event(&mut self, now: Time, message: FromEther) -> Event {
        match message {
            FromEther::Welcome { time_scale, .. } => {
                self.on = true;
                Event::On { time_scale }
            }
            FromEther::Refused(reason) => self.refused(now, reason),
            FromEther::Done(done) => Event::Done(done),
            FromEther::Heard(heard) => Event::Heard(heard),
            FromEther::Air(air) => Event::Air(air),
            FromEther::Status(_) | FromEther::Captured(_) => {
                self.refused(now, "the ether answers what nobody asked".to_owned())
            }
        }
    }

    fn refused(&mut self, now: Time, reason: String) -> Event {
        self.lose(now);
        Event::Refused(reason)
    }

    /// The connection is gone. A node that had no radio has lost none.
    fn lose(&mut self, now: Time) -> Option<Event> {
        self.link = None;
        self.retry_at = now + RETRY;
        std::mem::take(&mut self.on).then_some(Event::Lost)
    }

    /// Hand over a frame.
    ///
    /// # Errors
    /// If the ether is gone, as for the others.
    pub fn send(
        &mut self,
        request: &TxRequest,
        class: FrameClass,
        frame: Vec<u8>,
    ) -> io::Result<()> {
        let TxRequest { to, rate, contention, .. } = *request;
        self.say(&ToEther::Offer(Offer { to, rate, contention, class, frame }))
    }

    /// Hand over a frame for everyone that is none of the protocols.
    ///
    /// # Errors
    /// If the ether is gone.
    pub fn broadcast(&mut self, frame: Vec<u8>) -> io::Result<()> {
        let (to, class) = (Receiver::Broadcast, FrameClass::Control);
        self.say(&ToEther::Offer(Offer { to, rate: None, contention: None, class, frame }))
    }

    /// Say something else.
    ///
    /// # Errors
    /// If the ether is gone.
    pub fn say(&mut self, message: &ToEther) -> io::Result<()> {
        let link = self.link.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        link.send(message.emit())
    }
}
