//! Custody of floods, a proposal of this project: a source has one flood at a time on its way, and its periodic messages
//! wait for a calm channel.
//!
//! CXCC ("CXCC: Cooperative cross-layer congestion control") lets a node send the next packet of a flow once it overhears
//! that the next hop has sent on the last one. A flood has no next hop, but its source hears it twice: its neighbours relay
//! it, and their neighbours relay it again.
//!
//! - *One flood at a time.* The next text to everyone waits until a copy of the last one was heard that had been relayed
//!   twice, and for three mean relays at least. Without such a copy it waits as long as an acknowledgment is awaited.
//! - *Back-pressure on periodic messages.* An announcement or report waits while anything else waits, and while more than
//!   [`super::DUPLICATES`] of the air time that was received carried duplicates. A newer one takes the place of the oldest.

use std::collections::VecDeque;

use multihop_core::{Duration, Packet, Time};

use super::firmware::{MAX_TX_QUEUE, UTILISATION_PERIOD, UTILISATION_PERIODS};
use super::header::Header;
use crate::parts::sliding::Sliding;

/// So often a source hears its flood relayed before the next one begins.
const RELAYS: u8 = 2;
/// And for so many mean relays it waits at least.
pub(super) const MEAN_RELAYS: u64 = 3;
/// Periodic messages that wait at most.
const MOST_PERIODIC: usize = 4;

/// The last flood of a source.
#[derive(Clone, Copy, Debug)]
struct Wave {
    id: u32,
    /// The next one begins not before this time, and at the latest at that.
    earliest: Time,
    latest: Time,
    went_on: bool,
}

/// What a source keeps.
#[derive(Debug)]
pub(super) struct Custody {
    on: bool,
    most_duplicates: f64,
    wave: Option<Wave>,
    texts: VecDeque<Packet>,
    periodic: VecDeque<Packet>,
    /// When periodic messages are looked at again.
    look: Time,
    heard: Sliding<UTILISATION_PERIODS>,
    duplicates: Sliding<UTILISATION_PERIODS>,
}

impl Custody {
    /// Nothing is on its way.
    pub(super) fn new(on: bool, most_duplicates: f64) -> Self {
        Custody {
            on,
            most_duplicates,
            wave: None,
            texts: VecDeque::new(),
            periodic: VecDeque::new(),
            look: Time::NEVER,
            heard: Sliding::new(UTILISATION_PERIOD),
            duplicates: Sliding::new(UTILISATION_PERIOD),
        }
    }

    /// Whether it is used.
    pub(super) const fn is_on(&self) -> bool {
        self.on
    }

    /// How many packets it keeps.
    pub(super) fn len(&self) -> usize {
        self.texts.len() + self.periodic.len()
    }

    /// When it has to be asked again.
    pub(super) fn due(&self) -> Time {
        let wave = self.wave.map(|wave| if wave.went_on { wave.earliest } else { wave.latest });
        let text = wave.filter(|_| !self.texts.is_empty()).unwrap_or(Time::NEVER);
        text.min(self.look)
    }

    /// A text waits for the last flood. Returns it if there is no room for it.
    pub(super) fn keep_text(&mut self, packet: Packet) -> Option<Packet> {
        if self.texts.len() >= MAX_TX_QUEUE as usize {
            return Some(packet);
        }
        self.texts.push_back(packet);
        None
    }

    /// A periodic message waits for a calm channel. Returns the one in whose place it waits.
    pub(super) fn keep_periodic(&mut self, packet: Packet, now: Time) -> Option<Packet> {
        self.periodic.push_back(packet);
        self.look = self.look.min(now + UTILISATION_PERIOD);
        if self.periodic.len() > MOST_PERIODIC { self.periodic.pop_front() } else { None }
    }

    /// A flood of this node begins, of which a relay and its wait take `relay` on average; without news of it the next one
    /// begins after `patience`.
    pub(super) fn begin(&mut self, id: u32, now: Time, (relay, patience): (Duration, Duration)) {
        let earliest = now + relay * MEAN_RELAYS;
        let latest = earliest.max(now + patience);
        self.wave = Some(Wave { id, earliest, latest, went_on: false });
    }

    /// A copy of a packet of this node was heard.
    pub(super) fn hear_own(&mut self, header: &Header) {
        let taken = header.hop_start.saturating_sub(header.hop_limit);
        if let Some(wave) = self.wave.as_mut().filter(|wave| wave.id == header.id) {
            wave.went_on |= taken >= RELAYS.min(header.hop_start);
        }
    }

    /// A copy was heard that was on the air for so long.
    pub(super) fn hear(&mut self, now: Time, air_time: Duration, is_duplicate: bool) {
        self.heard.add(now, air_time);
        self.duplicates.add(now, if is_duplicate { air_time } else { Duration::ZERO });
    }

    /// Whether the last flood is still on its way.
    pub(super) fn is_under_way(&self, now: Time) -> bool {
        self.wave.is_some_and(|wave| now < if wave.went_on { wave.earliest } else { wave.latest })
    }

    /// Whether the channel carries few duplicates.
    pub(super) fn is_calm(&mut self, now: Time) -> bool {
        self.hear(now, Duration::ZERO, false);
        self.duplicates.share() <= self.most_duplicates * self.heard.share()
    }

    /// A packet that need not wait any longer; periodic ones only where nothing else waits (`idle`).
    pub(super) fn release(&mut self, now: Time, idle: bool) -> Option<Packet> {
        if !self.is_under_way(now)
            && let Some(text) = self.texts.pop_front()
        {
            return Some(text);
        }
        if now < self.look {
            return None;
        }
        let calm = idle && self.texts.is_empty() && self.is_calm(now);
        let packet = if calm { self.periodic.pop_front() } else { None };
        self.look = if self.periodic.is_empty() { Time::NEVER } else { now + UTILISATION_PERIOD };
        packet
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{FlowId, NodeId, Payload, Tag};

    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    fn packet(number: u32) -> Packet {
        let flow = FlowId::between(NodeId(1), NodeId::BROADCAST);
        Packet::new(flow, Payload::Virtual(20), Tag { source: 0, number })
    }

    fn header(id: u32, hop_limit: u8) -> Header {
        Header { id, hop_limit, want_ack: true, hop_start: 3, next_hop: 0, relay: 9 }
    }

    fn number(packet: Option<Packet>) -> Option<u32> {
        packet.map(|packet| packet.tag.number)
    }

    #[test]
    fn the_next_flood_begins_after_a_second_relay_and_three_mean_relays() {
        let mut custody = Custody::new(true, 1.0);
        let times = (Duration::from_millis(100), Duration::from_millis(900));
        custody.begin(7, at(0), times);
        assert!(custody.keep_text(packet(1)).is_none());
        custody.hear_own(&header(7, 2));
        assert_eq!(custody.due(), at(900), "it was relayed once");
        custody.hear_own(&header(8, 1));
        assert_eq!(custody.due(), at(900), "another one was relayed twice");
        custody.hear_own(&header(7, 1));
        assert_eq!((custody.due(), number(custody.release(at(299), true))), (at(300), None));
        assert_eq!(number(custody.release(at(300), true)), Some(1));
        custody.begin(8, at(1_000), times);
        assert!(custody.is_under_way(at(1_899)) && !custody.is_under_way(at(1_900)));
    }

    #[test]
    fn sixteen_texts_wait_and_four_periodic_messages() {
        let mut custody = Custody::new(true, 1.0);
        let refused: Vec<_> =
            (0..17).filter_map(|n| number(custody.keep_text(packet(n)))).collect();
        assert_eq!(refused, [16]);
        let replaced: Vec<_> =
            (0..5).filter_map(|n| number(custody.keep_periodic(packet(n), at(0)))).collect();
        assert_eq!((replaced, custody.len()), (vec![0], 20));
    }

    #[test]
    fn periodic_messages_wait_for_an_idle_node_and_few_duplicates() {
        let (mut custody, second) = (Custody::new(true, 0.5), Duration::from_millis(1_000));
        custody.keep_periodic(packet(1), at(0));
        custody.keep_periodic(packet(2), at(0));
        custody.hear(at(9_000), second, true);
        assert_eq!(number(custody.release(at(10_000), true)), None, "all were duplicates");
        custody.hear(at(15_000), second, false);
        assert_eq!(number(custody.release(at(20_000), false)), None, "something waits");
        assert_eq!(number(custody.release(at(30_000), true)), Some(1));
        assert_eq!((number(custody.release(at(31_000), true)), custody.due()), (None, at(40_000)));
        assert_eq!(
            (number(custody.release(at(40_000), true)), custody.due()),
            (Some(2), Time::NEVER)
        );
    }
}
