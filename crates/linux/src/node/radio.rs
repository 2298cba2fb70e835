//! The radio of a node: in an ether, or a network interface.

use std::io;
use std::os::fd::BorrowedFd;

use multihop_core::{FrameClass, Receiver, Time, TxRequest};

use crate::ether::message::ToEther;
use crate::reactor::Until;

use super::ether_port::EtherPort;
use super::port::Event;
use super::wire::WirePort;

/// The radio of a node.
pub enum Radio {
    /// In an ether.
    Ether(EtherPort),
    /// A network interface.
    Wire(WirePort),
}

impl Radio {
    /// When to call [`Radio::on_time`] and [`Radio::poll`] without waiting for its file.
    pub fn deadline(&self) -> Time {
        match self {
            Radio::Ether(port) => port.deadline(),
            Radio::Wire(port) => port.deadline(),
        }
    }

    /// Time has passed.
    pub fn on_time(&mut self, now: Time) {
        match self {
            Radio::Ether(port) => port.on_time(now),
            Radio::Wire(port) => port.on_time(now),
        }
    }

    /// What to wait for, if there is something.
    pub fn file(&self) -> Option<(BorrowedFd<'_>, Until)> {
        match self {
            Radio::Ether(port) => port.file(),
            Radio::Wire(port) => port.file(),
        }
    }

    /// Why there is no radio, if there is none and the reason is known.
    pub fn lacks(&self) -> Option<String> {
        match self {
            Radio::Ether(port) => port.lacks(),
            Radio::Wire(port) => port.lacks(),
        }
    }

    /// What it says, one by one, until it has nothing more to say.
    pub fn poll(&mut self, now: Time) -> Option<Event> {
        match self {
            Radio::Ether(port) => port.poll(now),
            Radio::Wire(port) => port.poll(),
        }
    }

    /// Hand over a frame.
    ///
    /// # Errors
    /// If the radio is gone, as for the others.
    pub fn send(
        &mut self,
        request: &TxRequest,
        class: FrameClass,
        frame: Vec<u8>,
    ) -> io::Result<()> {
        match self {
            Radio::Ether(port) => port.send(request, class, frame),
            Radio::Wire(port) => {
                let marked = request.packet.congestion_experienced;
                port.send(request.to, marked, &frame);
                Ok(())
            }
        }
    }

    /// Hand over a frame for everyone that is none of the protocols.
    ///
    /// # Errors
    /// If the radio is gone.
    pub fn broadcast(&mut self, frame: Vec<u8>) -> io::Result<()> {
        match self {
            Radio::Ether(port) => port.broadcast(frame),
            Radio::Wire(port) => {
                port.send(Receiver::Broadcast, false, &frame);
                Ok(())
            }
        }
    }

    /// Say something else, which a network interface does not understand.
    ///
    /// # Errors
    /// If the radio is gone.
    pub fn say(&mut self, message: &ToEther) -> io::Result<()> {
        match self {
            Radio::Ether(port) => port.say(message),
            Radio::Wire(_) => Ok(()),
        }
    }
}
