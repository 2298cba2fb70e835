//! Which packets a node has heard: `PacketHistory.cpp`.

use std::collections::BTreeMap;

use multihop_core::Time;

use super::firmware::NUM_RELAYERS;
use super::header::{Header, Name};
use super::recent::Recent;

/// What is known of one packet.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// When a copy was heard or sent last.
    seen: Time,
    /// The largest hop limit of all copies.
    highest: u8,
    /// The hop limit with which this node has sent it, if it has.
    sent: Option<u8>,
    /// Which node the first copy named as the only relay.
    next_hop: u8,
    /// The last bytes of nodes that have relayed it after this one.
    relayers: [u8; NUM_RELAYERS],
    /// How many copies were heard.
    copies: u32,
    /// By the rules of Meshtasticator: the entry of this node is marked as acknowledged.
    acknowledged: bool,
}

/// What Meshtasticator's list says of a packet at one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The node has none.
    Missing,
    /// It has one that was not marked before.
    Open,
    /// It has one that is marked.
    Acknowledged,
}

/// What the history says of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It is the first.
    New,
    /// There were others.
    Again(Again),
}

/// What the history says of a copy that is not the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Again {
    /// How many copies were heard, this one included.
    pub(super) copies: u32,
    /// It may be relayed more often than all before.
    pub(super) upgraded: bool,
    /// The first copy named this node as its only relay.
    pub(super) asked: bool,
    /// The first copy named another node, this one names none, and this node has not sent it.
    pub(super) fallback: bool,
}

/// Who has relayed a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Relayers {
    /// The node in question has, after this one.
    pub(super) other: bool,
    /// This one has.
    pub(super) own: bool,
    /// No other node has.
    pub(super) alone: bool,
}

/// The packets that a node has heard or sent.
#[derive(Debug)]
pub(super) struct History {
    known: BTreeMap<Name, Record>,
    recent: Recent<Name>,
    /// How many it remembers. The one of which the last copy is the oldest gives way.
    most: usize,
}

impl History {
    /// An empty history of at most so many packets.
    pub(super) fn new(most: usize) -> Self {
        History { known: BTreeMap::new(), recent: Recent::new(most), most }
    }

    /// How many packets it remembers.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// A copy was heard by the node with the last byte `me`.
    pub(super) fn hear(&mut self, name: Name, header: &Header, (me, now): (u8, Time)) -> Seen {
        self.recent.see(name, now, |name| Some(self.known.get(&name)?.seen));
        let Some(record) = self.known.get_mut(&name) else {
            let new = Record { copies: 1, ..Record::of(header, now) };
            self.insert(name, new);
            return Seen::New;
        };
        record.copies = record.copies.saturating_add(1);
        record.seen = now;
        let again = Again {
            copies: record.copies,
            upgraded: record.highest < header.hop_limit,
            asked: record.next_hop == me,
            fallback: ![0, me].contains(&record.next_hop)
                && header.next_hop == 0
                && record.sent.is_none(),
        };
        record.highest = record.highest.max(header.hop_limit);
        let heard_us = |sent: u8| header.hop_limit == sent || header.hop_limit + 1 == sent;
        if record.sent.is_some_and(heard_us) {
            record.add_relayer(header.relay);
        }
        Seen::Again(again)
    }

    /// This node sends it with this header.
    pub(super) fn send(&mut self, name: Name, header: &Header, now: Time) {
        self.recent.see(name, now, |name| Some(self.known.get(&name)?.seen));
        if !self.known.contains_key(&name) {
            self.insert(name, Record::of(header, now));
        }
        if let Some(record) = self.known.get_mut(&name) {
            record.seen = now;
            record.sent = Some(header.hop_limit);
        }
    }

    /// Who has relayed it: this node, and that with the last byte `other`.
    pub(super) fn relayers(&self, name: Name, other: u8) -> Relayers {
        let Some(record) = self.known.get(&name) else { return Relayers::default() };
        Relayers {
            other: record.relayers.contains(&other),
            own: record.sent.is_some(),
            alone: record.sent.is_some() && record.relayers == [0; NUM_RELAYERS],
        }
    }

    /// Marks the entry of this node for a packet, which it has while the packet waits or was sent. Returns what it was.
    pub(super) fn acknowledge(&mut self, name: Name) -> Entry {
        let Some(record) = self.known.get_mut(&name).filter(|record| record.sent.is_some()) else {
            return Entry::Missing;
        };
        if std::mem::replace(&mut record.acknowledged, true) {
            Entry::Acknowledged
        } else {
            Entry::Open
        }
    }

    /// The packet was dropped before it was sent, and its entry with it. Returns whether that was marked.
    pub(super) fn remove_entry(&mut self, name: Name) -> bool {
        let Some(record) = self.known.get_mut(&name) else { return false };
        record.sent = None;
        std::mem::take(&mut record.acknowledged)
    }

    fn insert(&mut self, name: Name, record: Record) {
        if self.known.len() >= self.most {
            let seen = |name| Some(self.known.get(&name)?.seen);
            if let Some(oldest) = self.recent.take_oldest(seen) {
                self.known.remove(&oldest);
            }
        }
        self.known.insert(name, record);
    }
}

impl Record {
    fn of(header: &Header, now: Time) -> Self {
        Record {
            seen: now,
            highest: header.hop_limit,
            sent: None,
            next_hop: header.next_hop,
            relayers: [0; NUM_RELAYERS],
            copies: 0,
            acknowledged: false,
        }
    }

    /// The newest stands first, and the oldest falls out.
    fn add_relayer(&mut self, relay: u8) {
        if relay != 0 && !self.relayers.contains(&relay) {
            self.relayers.rotate_right(1);
            self.relayers[0] = relay;
        }
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{Duration, NodeId};

    use super::*;

    const HEADER: Header =
        Header { id: 1, hop_limit: 3, want_ack: false, hop_start: 3, next_hop: 0, relay: 9 };

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn the_packet_whose_last_copy_is_the_oldest_gives_way() {
        let mut history = History::new(2);
        let name = |id| (NodeId(7), id);
        for (id, ms) in [(1, 0), (2, 1), (1, 2), (3, 3)] {
            history.hear(name(id), &HEADER, (5, at(ms)));
        }
        assert_eq!(history.len(), 2);
        assert_eq!([1, 2, 3].map(|id| history.known.contains_key(&name(id))), [true, false, true]);
    }

    #[test]
    fn relayers_are_those_that_heard_this_node_and_six_at_most() {
        let mut history = History::new(10);
        let name = (NodeId(7), 1);
        history.hear(name, &HEADER, (5, at(0)));
        history.send(name, &Header { hop_limit: 2, ..HEADER }, at(1));
        assert_eq!(history.relayers(name, 9), Relayers { other: false, own: true, alone: true });
        for relay in 10..20 {
            history.hear(name, &Header { hop_limit: 1, relay, ..HEADER }, (5, at(2)));
        }
        let known: Vec<u8> =
            (0..=255).filter(|relay| *relay != 0 && history.relayers(name, *relay).other).collect();
        assert_eq!(known, (14..20).collect::<Vec<_>>());
        assert!(!history.relayers(name, 19).alone);
        history.hear(name, &Header { hop_limit: 0, relay: 30, ..HEADER }, (5, at(3)));
        assert!(!history.relayers(name, 30).other, "two hops on, it need not have heard this node");
    }

    #[test]
    fn a_later_copy_may_upgrade_or_fall_back_to_flooding() {
        let mut history = History::new(10);
        let (name, directed) = ((NodeId(7), 1), Header { hop_limit: 1, next_hop: 8, ..HEADER });
        assert_eq!(history.hear(name, &directed, (5, at(0))), Seen::New);
        let again = Again { copies: 2, upgraded: true, asked: false, fallback: true };
        assert_eq!(history.hear(name, &HEADER, (5, at(1))), Seen::Again(again));
        history.send(name, &Header { hop_limit: 2, ..HEADER }, at(2));
        let again = Again { copies: 3, upgraded: false, asked: false, fallback: false };
        assert_eq!(history.hear(name, &HEADER, (5, at(3))), Seen::Again(again));
    }
}
