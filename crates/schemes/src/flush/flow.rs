//! What a node knows of one flow, and the interval at which it may send.

use std::collections::VecDeque;

use multihop_core::{Duration, FlowId, NodeId, Packet, Rx, SignalStrength, Time};

use super::header::Header;
use super::parameters::Settings;

/// Of how many forwarders of a flow a node knows something.
const MOST_FORWARDERS: usize = 16;

/// A node nearer to the destination, as it was overheard.
#[derive(Clone, Copy, Debug)]
struct Forwarder {
    node: NodeId,
    says: Header,
    signal: Option<SignalStrength>,
    at: Time,
}

/// One flow at this node.
#[derive(Debug)]
pub(super) struct Flow {
    pub id: FlowId,
    /// What waits here, each with its next hop, without the packet in the MAC.
    pub packets: VecDeque<(Packet, NodeId)>,
    /// To whom the last packet went or goes, and over how many hops it had come.
    next: Option<NodeId>,
    hops: u8,
    /// How strong the predecessor was heard.
    before: Option<SignalStrength>,
    forwarders: Vec<Forwarder>,
    /// How long a packet takes to the successor, on average; nothing before the first.
    pub delivery: Duration,
    /// When the last packet was given to the MAC.
    pub sent: Option<Time>,
    /// When something of it came or went.
    pub seen: Time,
}

impl Flow {
    pub(super) fn new(id: FlowId) -> Self {
        Flow {
            id,
            packets: VecDeque::new(),
            next: None,
            hops: 0,
            before: None,
            forwarders: Vec::new(),
            delivery: Duration::ZERO,
            sent: None,
            seen: Time::ZERO,
        }
    }

    /// Another packet waits to go to `next`.
    pub(super) fn push(&mut self, packet: Packet, next: NodeId) {
        (self.next, self.hops) = (Some(next), packet.hops());
        self.packets.push_back((packet, next));
    }

    /// The head, as it goes to the MAC, and its next hop.
    pub(super) fn take(&mut self, settings: &Settings) -> Option<(Packet, NodeId)> {
        let (mut packet, next) = self.packets.pop_front()?;
        self.says(settings).write(&mut packet);
        Some((packet, next))
    }

    /// The predecessor was heard.
    pub(super) fn on_predecessor(&mut self, rx: &Rx) {
        self.before = rx.signal;
    }

    /// A node was heard to send a packet of this flow to another one.
    pub(super) fn on_overheard(&mut self, now: Time, rx: &Rx, says: Header, memory: Duration) {
        if rx.packet.hops() <= self.hops {
            return;
        }
        self.forwarders.retain(|known| known.node != rx.from && now < known.at + memory);
        if self.forwarders.len() < MOST_FORWARDERS {
            self.forwarders.push(Forwarder { node: rx.from, says, signal: rx.signal, at: now });
        }
    }

    /// `f`: for how long those disturb this node that forward what it has sent.
    fn interference(&self, margin: f64) -> Duration {
        let disturbs = |forwarder: &&Forwarder| {
            Some(forwarder.node) == self.next
                || match (self.before, forwarder.signal) {
                    (Some(before), Some(signal)) => before.dbm() - signal.dbm() < margin,
                    _ => true,
                }
        };
        let times = self.forwarders.iter().filter(disturbs).map(|known| known.says.delivery);
        times.fold(Duration::ZERO, |sum, time| sum + time)
    }

    /// `D`: from one packet to the next. The destination sends nothing, and sets no interval.
    pub(super) fn interval(&self) -> Duration {
        let successor = self.forwarders.iter().find(|known| Some(known.node) == self.next);
        let says = successor.map_or(Header::default(), |known| known.says);
        let own = self.delivery + says.delivery + says.interference;
        own.max(says.interval)
    }

    /// When its head may go.
    pub(super) fn eligible(&self) -> Time {
        if self.packets.is_empty() {
            return Time::NEVER;
        }
        self.sent.map_or(Time::ZERO, |sent| sent + self.interval())
    }

    /// What its packets say of this node.
    pub(super) fn says(&self, settings: &Settings) -> Header {
        let is_congested = self.packets.len() > settings.congested_queue;
        Header {
            delivery: self.delivery * if is_congested { 2 } else { 1 },
            interference: self.interference(settings.margin),
            interval: self.interval(),
        }
    }

    /// The successor has a packet, after so long.
    pub(super) fn on_delivered(&mut self, took: Duration, settings: &Settings) {
        self.delivery = if self.delivery == Duration::ZERO {
            took
        } else {
            let share = |span: Duration| span.scaled(1.0 / settings.samples);
            self.delivery - share(self.delivery) + share(took)
        };
    }

    /// Entries in its tables.
    pub(super) fn footprint(&self) -> usize {
        self.packets.len() + self.forwarders.len()
    }
}
