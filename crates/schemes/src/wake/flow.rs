//! What a node knows of one flow: its packets, and how they get on.

use std::collections::VecDeque;

use multihop_core::{Duration, FlowId, NodeId, Numbering, Packet, Time};

use super::parameters::Settings;
use super::source::Source;
use crate::parts::probing::Probing;

/// A packet in this node's custody (rule 1).
#[derive(Debug)]
pub(super) struct InCustody {
    pub packet: Packet,
    /// To whom it goes.
    pub next: NodeId,
    pub sequence: u16,
    /// Whether it goes in a wave: relays hold it (rule 2).
    pub in_wave: bool,
    /// Packets of its train that follow it.
    pub left: u8,
    /// Whether other flows keep clear of it (rule 9).
    pub goes_first: bool,
    /// Before, it may not contend.
    pub ready: Time,
    /// Since when it could have gone, once it was offered to the MAC.
    pub since: Option<Time>,
    /// How often the MAC has given it up.
    pub failures: u32,
    /// Which of the packets that went to the MAC it was, if it came back.
    pub turn: u64,
}

/// A packet that the MAC has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Below {
    /// Which of the packets that went to the MAC it is.
    pub turn: u64,
    pub flow: FlowId,
    pub next: NodeId,
    pub sequence: u16,
    pub in_wave: bool,
    pub left: u8,
    pub goes_first: bool,
    pub since: Time,
    pub failures: u32,
}

impl Below {
    /// It comes back, and may contend from `ready` on.
    pub(super) fn back(self, packet: Packet, ready: Time) -> InCustody {
        let Below { next, sequence, in_wave, left, goes_first, since, failures, turn, .. } = self;
        InCustody {
            packet,
            next,
            sequence,
            in_wave,
            left,
            goes_first,
            ready,
            since: Some(since),
            failures,
            turn,
        }
    }
}

/// One flow at this node.
#[derive(Debug)]
pub(super) struct Flow {
    pub id: FlowId,
    /// Waiting, without the one in the MAC.
    pub packets: VecDeque<InCustody>,
    /// To whom the last packet went, or goes.
    pub next: Option<NodeId>,
    /// Hops from here to the destination, if known.
    pub to_go: Option<u8>,
    /// The numbers of the last packets taken from neighbours: one, or as many as a batch may bring again.
    taken: VecDeque<u16>,
    /// How many packets have started here.
    started: u64,
    /// When the last packet was passed on.
    pub served: Time,
    /// When something of it came or went.
    pub seen: Time,
    /// Until when it keeps clear (rules 2 and 3).
    pub clear_until: Time,
    /// Since when the packet that the MAC has could have gone.
    pub in_mac_since: Option<Time>,
    /// Smoothed time from "may go" to the link acknowledgment (rule 3).
    service: Option<Duration>,
    /// A new sample weighs one in so many in it.
    samples: u64,
    /// The period that the path can bear from the next hop on (rule 3).
    pub ahead: Duration,
    /// What only its source does.
    pub source: Source,
    /// Since when routing has a packet of it to search with.
    pub searching: Option<Time>,
    /// Whether its route was lost.
    pub is_lost: bool,
}

impl Flow {
    pub(super) fn new(id: FlowId) -> Self {
        Flow {
            id,
            packets: VecDeque::new(),
            next: None,
            to_go: None,
            taken: VecDeque::new(),
            started: 0,
            served: Time::ZERO,
            seen: Time::ZERO,
            clear_until: Time::ZERO,
            in_mac_since: None,
            service: None,
            samples: 0,
            ahead: Duration::ZERO,
            source: Source::default(),
            searching: None,
            is_lost: false,
        }
    }

    /// A number for a packet that starts here.
    pub(super) fn number(&mut self, incarnation: u16) -> u16 {
        self.started += 1;
        Numbering::of_life(incarnation).write(self.started).0 as u16
    }

    /// Since when its source has had nothing to send, if it ever had, for a packet that starts (rule 9).
    pub(super) fn silent_since(&self) -> Option<Time> {
        (self.started > 0).then_some(self.seen)
    }

    /// The packet with this number has come from a neighbour: whether it is a new one.
    pub(super) fn takes(&mut self, sequence: u16, settings: &Settings) -> bool {
        if self.taken.contains(&sequence) {
            return false;
        }
        if self.taken.len() == settings.remembered {
            self.taken.pop_front();
        }
        self.taken.push_back(sequence);
        true
    }

    /// The packet comes back from the MAC: before all others, but behind those that went with it and before it, since the turn
    /// `first`, and came back as well.
    pub(super) fn put_back(&mut self, held: InCustody, first: u64) {
        let before = |other: &&InCustody| first <= other.turn && other.turn < held.turn;
        let at = self.packets.iter().take_while(before).count();
        self.packets.insert(at, held);
    }

    /// Its packets go to `next` now, with `hops` to go where that is known.
    pub(super) fn goes_to(&mut self, next: NodeId) {
        if self.next != Some(next) {
            (self.next, self.to_go, self.ahead) = (Some(next), None, Duration::ZERO);
        }
        if next == self.id.destination {
            self.to_go = Some(1);
        }
    }

    /// How many hops in a row cannot send at once: `k`.
    fn reuse(&self, settings: &Settings) -> u64 {
        self.to_go.map_or(settings.reuse, |hops| hops.clamp(1, settings.reuse)).into()
    }

    /// Whether there are more than three hops from here on, as far as is known.
    pub(super) fn is_long(&self) -> bool {
        self.to_go.is_none_or(|hops| hops > 3)
    }

    /// When its head may go.
    pub(super) fn eligible(&self) -> Time {
        let Some(head) = self.packets.front() else { return Time::NEVER };
        head.ready.max(self.clear_until).max(self.source.reverse.held_until)
    }

    /// Since when its first packet, in the MAC or before it, could have gone.
    pub(super) fn could_go(&self) -> Option<Time> {
        let head = self.packets.front();
        let since = head.map(|head| head.since.unwrap_or(head.ready.max(self.clear_until)));
        self.in_mac_since.or(since)
    }

    /// The period that it needs here (rule 3). What waits for a neighbour that is silent is helped by nobody's pause.
    pub(super) fn need(&self, now: Time, settings: &Settings, probing: &Probing) -> Duration {
        let service = self.service.unwrap_or(Duration::ZERO);
        let could_go =
            self.could_go().filter(|_| !self.next.is_some_and(|next| probing.is_silent(next)));
        let waits = could_go.map_or(Duration::ZERO, |since| now.since(since));
        service.max(waits.scaled(settings.waiting)) * self.reuse(settings)
    }

    /// Its period at its source without any other traffic: `k T + (k - 1) h`, `hop` being T.
    pub(super) fn natural(&self, hop: Duration, settings: &Settings) -> Duration {
        let hold = if self.is_long() { settings.hold } else { Duration::ZERO };
        hop * self.reuse(settings) + hold * (self.reuse(settings) - 1)
    }

    /// For how long it keeps clear once a packet was passed on in `hop` (rule 2).
    pub(super) fn clearance(&self, hop: Duration, settings: &Settings) -> Duration {
        (hop + settings.hold).scaled(settings.clearance) * (self.reuse(settings) - 1)
    }

    /// The next hop has a packet that could have gone since `since`; without contention that takes `hop`.
    pub(super) fn passed_on(&mut self, now: Time, since: Time, hop: Duration, settings: &Settings) {
        (self.served, self.seen) = (now, now);
        self.clear_until = self.clear_until.max(now + self.clearance(hop, settings));
        let mean = self.service.unwrap_or(hop + settings.hold);
        self.samples = (self.samples + 1).clamp(settings.samples, settings.most_samples);
        let share = |span: Duration| span.scaled(1.0 / self.samples as f64);
        self.service = Some(mean - share(mean) + share(now.since(since)));
    }
}
