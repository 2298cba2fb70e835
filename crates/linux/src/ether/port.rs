//! An Ethernet port of the medium emulator: a TAP device, of which every frame goes over the medium as it is. Whatever runs
//! on Ethernet runs on it, such as another routing daemon, unchanged.
//!
//! The node with the address a.b.c.d in the scenario has the hardware address 02:00:a:b:c:d. A frame to such an address is
//! one to that node, acknowledged and repeated by the MAC; one to a group or to everyone is a broadcast. Only one frame is
//! taken from the device at a time: others wait in its queue, where the kernel drops what is too much.

use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use multihop_core::{FrameClass, Heard, NETWORK_HEADER_LEN, NodeId, Outcome, Receiver, Time};
use serde_json::json;
use tun_rs::{DeviceBuilder, Layer, SyncDevice};

use crate::clock::Clock;
use crate::ip::Prefix;
use crate::log;
use crate::netlink::Netlink;
use crate::node::control::{self, Control};
use crate::node::ether_port::EtherPort;
use crate::node::port::Event;
use crate::node::rights;
use crate::reactor::{self, Until};
use crate::signals::Signals;

use super::message::{FromEther, Hello, LONGEST_FRAME, Offer, ToEther};

/// What stands before the data: receiver, sender, type.
const ETHERNET: usize = 14;
/// So much is read of one file before the others have their turn.
const TURN: usize = 16;

/// What a port is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where the medium emulator listens.
    pub ether: PathBuf,
    /// Which node of its scenario this is.
    pub node: String,
    /// The name of the TAP device.
    pub tap: String,
    /// The most data in a frame.
    pub mtu: u16,
    /// How many frames wait in the device.
    pub queue: u32,
    /// Where to listen for questions.
    pub control: Option<PathBuf>,
}

/// The hardware address of a node.
pub const fn hardware(node: NodeId) -> [u8; 6] {
    let [a, b, c, d] = node.0.to_be_bytes();
    [0x02, 0, a, b, c, d]
}

/// To whom a frame goes; nobody here for a frame to a stranger, or one that is too short.
pub fn receiver(frame: &[u8]) -> Option<Receiver> {
    if frame.len() < ETHERNET {
        return None;
    }
    match *frame {
        [first, ..] if first & 1 == 1 => Some(Receiver::Broadcast),
        [0x02, 0, a, b, c, d, ..] => Some(Receiver::Node(NodeId(u32::from_be_bytes([a, b, c, d])))),
        _ => None,
    }
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames of the device that were given to the radio.
    pub sent: u64,
    /// Those of them that the radio gave up.
    pub failed: u64,
    /// Frames of the device to nobody of the network.
    pub stranger: u64,
    /// Frames that the device got.
    pub received: u64,
    /// Frames that the device did not take.
    pub not_taken: u64,
    /// How often the radio was lost.
    pub radio_lost: u64,
}

/// How frames go between a device and a radio. No file and no socket: who calls carries out the orders.
#[derive(Debug, Default)]
pub struct Bridge {
    /// Whether there is a radio, and whether it has a frame.
    radio: bool,
    busy: bool,
    /// What was counted.
    pub counts: Counts,
    orders: VecDeque<Order>,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Hand this to the radio.
    Send(Offer),
    /// Hand this to the device.
    Deliver(Vec<u8>),
}

impl Bridge {
    /// Whether a frame of the device would be taken.
    pub const fn wants_frame(&self) -> bool {
        self.radio && !self.busy
    }

    /// Whether there is a radio.
    pub const fn has_radio(&self) -> bool {
        self.radio
    }

    /// What is to be done next.
    pub fn poll(&mut self) -> Option<Order> {
        self.orders.pop_front()
    }

    /// The device has a frame, and [`Bridge::wants_frame`].
    pub fn on_frame(&mut self, frame: &[u8]) {
        let Some(to) = receiver(frame) else {
            self.counts.stranger += 1;
            return;
        };
        let mut bytes = frame.to_vec();
        // the medium counts a header of the network in every frame
        bytes.resize(bytes.len().max(NETWORK_HEADER_LEN), 0);
        self.counts.sent += 1;
        self.busy = true;
        let offer =
            Offer { to, rate: None, contention: None, class: FrameClass::Data, frame: bytes };
        self.orders.push_back(Order::Send(offer));
    }

    /// The radio says something. What it refuses is the caller's to say.
    pub fn on_event(&mut self, event: Event) {
        match event {
            Event::On { .. } => (self.radio, self.busy) = (true, false),
            Event::Lost => {
                self.counts.radio_lost += 1;
                (self.radio, self.busy) = (false, false);
            }
            Event::Done(done) => {
                self.counts.failed += u64::from(done.outcome == Outcome::Failed);
                self.busy = false;
            }
            Event::Heard(heard)
                if heard.heard != Heard::Overheard && heard.frame.len() >= ETHERNET =>
            {
                self.counts.received += 1;
                self.orders.push_back(Order::Deliver(heard.frame));
            }
            Event::Heard(_)
            | Event::Refused(_)
            | Event::Foreign
            | Event::NotTaken
            | Event::Air(_) => {}
        }
    }
}

/// The address of the node called `name` in the scenario of the medium emulator at `ether`.
///
/// # Errors
/// If nobody listens there, or there is no such node; the message is for the user.
pub fn address(ether: &Path, name: &str) -> Result<NodeId, String> {
    let path = ether.display();
    let answer = control::ask(ether, ToEther::AskStatus.emit())
        .map_err(|error| format!("{path}: {error}; start multihop-ether there first"))?;
    let status = match FromEther::parse(&answer) {
        Ok(FromEther::Status(status)) => serde_json::from_str::<serde_json::Value>(&status).ok(),
        _ => None,
    };
    let status = status.ok_or_else(|| format!("{path}: this is no multihop-ether"))?;
    let nodes = status["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let found = nodes.iter().find(|node| node["name"] == name);
    let address =
        found.and_then(|node| Prefix::DEFAULT.node(node["address"].as_str()?.parse().ok()?));
    address.ok_or_else(|| {
        let names: Vec<_> =
            nodes.iter().take(10).filter_map(|node| node["name"].as_str()).collect();
        format!("{path}: its scenario has no node '{name}'; it has {}", names.join(", "))
    })
}

/// A port as a process.
pub struct Port {
    settings: Settings,
    address: NodeId,
    device: SyncDevice,
    radio: EtherPort,
    bridge: Bridge,
    control: Option<Control>,
    clock: Clock,
    /// Whether it was said that there is no radio.
    refused: bool,
    buffer: Vec<u8>,
}

impl Port {
    /// The port that `settings` describe, with its device; its radio is not on yet.
    ///
    /// # Errors
    /// With a message for the user.
    pub fn new(settings: Settings) -> Result<Self, String> {
        let address = address(&settings.ether, &settings.node)?;
        let device = device(&settings, address)
            .map_err(|error| format!("the TAP device {} cannot be made: {error}", settings.tap))?;
        let control = settings
            .control
            .as_deref()
            .map(|path| Control::new(path).map_err(|error| format!("{}: {error}", path.display())));
        let hello = Hello { address, promiscuous: false, watches_air: false };
        let radio = EtherPort::new(settings.ether.clone(), hello);
        rights::keep(rights::none())
            .map_err(|error| format!("rights cannot be given up: {error}"))?;
        Ok(Port {
            address,
            device,
            radio,
            bridge: Bridge::default(),
            control: control.transpose()?,
            clock: Clock::new(1.0),
            refused: false,
            buffer: vec![0; LONGEST_FRAME],
            settings,
        })
    }

    /// Run until a signal asks for the end.
    ///
    /// # Errors
    /// If the device is gone.
    pub fn run(&mut self, signals: &mut Signals) -> Result<(), String> {
        reactor::be_punctual();
        let gone = |error: io::Error| format!("the TAP device is gone: {error}");
        loop {
            let now = self.clock.now();
            self.radio.on_time(now);
            self.listen(now);
            self.read().map_err(gone)?;
            self.wait(signals, now).map_err(|error| error.to_string())?;
            if signals.take().map_err(|error| error.to_string())?.is_some() {
                return Ok(());
            }
        }
    }

    /// Wait until something is to be done, and answer who asks.
    fn wait(&mut self, signals: &Signals, now: Time) -> io::Result<()> {
        let device = if self.bridge.wants_frame() { Until::Readable } else { Until::Nothing };
        let mut files = vec![(signals.as_fd(), Until::Readable), (self.device.as_fd(), device)];
        files.extend(self.radio.file());
        let questions = files.len();
        files.extend(self.control.iter().flat_map(|control| control.files(now)));
        let asked = self.control.as_ref().map_or(Time::NEVER, |control| control.deadline(now));
        let timeout = self.clock.wait(now, self.radio.deadline().min(asked));
        let ready = reactor::wait(&files, timeout)?;
        if ready[questions..].contains(&true)
            && let Some(mut control) = self.control.take()
        {
            control.serve(now, |question| match question {
                "status" => self.status(),
                _ => "status?".to_owned(),
            });
            self.control = Some(control);
        }
        Ok(())
    }

    /// The radio says something.
    fn listen(&mut self, now: Time) {
        for _ in 0..TURN {
            let Some(event) = self.radio.poll(now) else { break };
            if let Event::Refused(reason) = &event
                && !std::mem::replace(&mut self.refused, true)
            {
                // an earlier process of this node may not be forgotten yet
                log::warn(&format!(
                    "there is no radio for {}: {reason}; trying again",
                    self.settings.node
                ));
            }
            self.bridge.on_event(event);
            self.obey();
        }
    }

    /// The device may have a frame.
    fn read(&mut self) -> io::Result<()> {
        while self.bridge.wants_frame() {
            match self.device.recv(&mut self.buffer) {
                Ok(len) => self.bridge.on_frame(&self.buffer[..len]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            self.obey();
        }
        Ok(())
    }

    fn obey(&mut self) {
        while let Some(order) = self.bridge.poll() {
            match order {
                // a radio that is gone says so when it is listened to
                Order::Send(offer) => drop(self.radio.say(&ToEther::Offer(offer))),
                Order::Deliver(frame) => {
                    self.bridge.counts.not_taken += u64::from(self.device.send(&frame).is_err());
                }
            }
        }
    }

    fn status(&self) -> String {
        let Counts { sent, failed, stranger, received, not_taken, radio_lost } = self.bridge.counts;
        json!({
            "node": self.settings.node,
            "address": Prefix::DEFAULT.address(self.address).to_string(),
            "device": self.settings.tap,
            "radio": self.bridge.has_radio(),
            "counters": {
                "frames_sent": sent,
                "frames_failed": failed,
                "frames_heard": received,
                "stranger": stranger,
                "not_taken": not_taken,
                "radio_lost": radio_lost,
            },
        })
        .to_string()
    }
}

fn device(settings: &Settings, address: NodeId) -> io::Result<SyncDevice> {
    let name = settings.tap.as_str();
    let builder = DeviceBuilder::new().name(name).layer(Layer::L2).mac_addr(hardware(address));
    let device = builder.build_sync()?;
    device.set_nonblocking(true)?;
    let netlink = Netlink::new()?;
    let index = netlink.index(name)?;
    netlink.add_address(index, Prefix::DEFAULT.address(address).into(), 32)?;
    netlink.set_queue(index, settings.queue)?;
    netlink.switch_on(index, Some(settings.mtu.into()))?;
    netlink.switch_on(netlink.index("lo")?, None)?;
    Ok(device)
}

#[cfg(test)]
mod tests {
    use multihop_core::{Duration, Rate};

    use super::super::message::{Done, Reception};
    use super::*;

    fn frame(to: [u8; 6], len: usize) -> Vec<u8> {
        let mut bytes = to.to_vec();
        bytes.resize(len, 7);
        bytes
    }

    fn heard(heard: Heard, frame: Vec<u8>) -> Event {
        let (from, rate, air_time) = (NodeId(1), Rate(1_000_000), Duration::ZERO);
        Event::Heard(Reception { from, heard, rate, signal: None, air_time, marked: false, frame })
    }

    #[test]
    fn hardware_addresses_are_nodes_and_groups_are_everyone() {
        let node = NodeId(0x0001_0203);
        assert_eq!(hardware(node), [2, 0, 0, 1, 2, 3]);
        assert_eq!(receiver(&frame(hardware(node), 14)), Some(Receiver::Node(node)));
        for group in [[0xFF; 6], [0x33, 0x33, 0, 0, 0, 0xFB], [1, 0, 0x5E, 0, 0, 0xFB]] {
            assert_eq!(receiver(&frame(group, 60)), Some(Receiver::Broadcast));
        }
        assert_eq!(receiver(&frame([0x52, 0x54, 0, 0, 0, 1], 60)), None, "a stranger");
        assert_eq!(receiver(&frame(hardware(node), 13)), None, "too short");
    }

    #[test]
    fn one_frame_is_on_its_way_at_a_time_and_those_for_others_are_not_delivered() {
        let mut bridge = Bridge::default();
        assert!(!bridge.wants_frame(), "there is no radio");
        bridge.on_event(Event::On { time_scale: 1.0 });
        bridge.on_frame(&frame([0x52; 6], 60));
        assert!(bridge.wants_frame() && bridge.counts.stranger == 1);
        bridge.on_frame(&frame(hardware(NodeId(2)), 15));
        assert!(!bridge.wants_frame());
        let Some(Order::Send(offer)) = bridge.poll() else { panic!("it is to be sent") };
        assert_eq!((offer.to, offer.frame.len()), (Receiver::Node(NodeId(2)), NETWORK_HEADER_LEN));
        bridge.on_event(Event::Done(Done::failed()));
        assert!(bridge.wants_frame() && bridge.counts.failed == 1);
        bridge.on_event(heard(Heard::Overheard, frame([1; 6], 60)));
        bridge.on_event(heard(Heard::ForMe, vec![0; 5]));
        assert_eq!(bridge.poll(), None);
        bridge.on_event(heard(Heard::Broadcast, frame([0xFF; 6], 60)));
        assert_eq!(bridge.poll(), Some(Order::Deliver(frame([0xFF; 6], 60))));
        bridge.on_frame(&frame([0xFF; 6], 60));
        bridge.on_event(Event::Lost);
        assert!(!bridge.wants_frame() && bridge.counts.radio_lost == 1);
        bridge.on_event(Event::On { time_scale: 1.0 });
        assert!(bridge.wants_frame(), "what the radio had is lost");
    }
}
