//! Address resolution as in ns-2: who wants to send to a neighbour asks for its MAC address first.
//!
//! RFC 826, with ns-2's habits, as far as results show them: one packet is held per neighbour, and a second one
//! replaces it and asks again; there is no timer, so that only another packet repeats a question; the
//! fourth packet without an answer is a link failure, and the count begins anew; who hears a question
//! knows who asked; what is known is never forgotten, unless there is no room for more.

use std::collections::BTreeMap;

use multihop_core::{FlowId, NextHeader, NodeId, Packet, Payload, Protocol, header, header_words};

/// How often a neighbour is asked before its link counts as broken.
const TRIES: u32 = 3;

/// How many neighbours are remembered: more than any radio reaches.
const MOST_NEIGHBOURS: usize = 1_024;

header! {
    /// A message behind the network header, which stands for its addresses: 28 bytes in all.
    pub(crate) struct Message, ARP_FORMAT = "arp" "Address resolution", NextHeader::ARP, None => {
        operation: Operation = "operation" 16 "question or answer",
        zero 32,
        zero 16,
    }
}

/// How a node knows the MAC addresses of its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// It does from the start.
    #[default]
    Known,
    /// It asks for them.
    Asked,
}

header_words! {
    /// What a message says.
    pub(crate) enum Operation {
        /// Who has the address of the packet's destination?
        Request = 1 "request",
        /// Its source has.
        Reply = 2 "reply",
    }
}

impl Operation {
    /// What `packet` says; nothing if it cannot be read.
    pub(crate) fn of(packet: &Packet) -> Option<Self> {
        let Payload::Real(body) = &packet.payload else { return None };
        Message::parse(body).ok().map(|message| message.operation)
    }

    /// The message from `me` to or about `other`.
    pub(crate) fn packet(self, me: NodeId, other: NodeId) -> Packet {
        let body = Message { operation: self }.emit();
        let flow = FlowId::between(me, other);
        Packet { ttl: 1, ..Packet::message(flow, NextHeader::ARP, body) }
    }
}

/// What is to be done with a packet for a neighbour.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// It can go.
    Resolved(Packet),
    /// It is held; the neighbour is to be asked, and this packet, which was held, is lost.
    Ask(Option<Packet>),
    /// The neighbour does not answer: neither can go, the one that was held first.
    Failed(Option<Packet>, Packet),
}

#[derive(Debug)]
enum Neighbour {
    Known,
    Asked { tries: u32, held: Option<Packet> },
}

/// What a node knows of its neighbours' addresses.
#[derive(Debug, Default)]
pub(crate) struct Resolver {
    entries: BTreeMap<NodeId, Neighbour>,
}

impl Resolver {
    /// `packet` is to go to `neighbour`.
    pub(crate) fn resolve(&mut self, neighbour: NodeId, packet: Packet) -> Resolution {
        let forgotten = self.make_room(neighbour);
        let unknown = || Neighbour::Asked { tries: 0, held: None };
        match self.entries.entry(neighbour).or_insert_with(unknown) {
            Neighbour::Known => Resolution::Resolved(packet),
            Neighbour::Asked { tries, held } if *tries < TRIES => {
                *tries += 1;
                Resolution::Ask(held.replace(packet).or(forgotten))
            }
            Neighbour::Asked { tries, held } => {
                *tries = 0;
                Resolution::Failed(held.take(), packet)
            }
        }
    }

    /// Forget a neighbour if there is no room for `neighbour`: one that is known, and can be asked again,
    /// rather than one for which a packet is held. The packet that is lost.
    fn make_room(&mut self, neighbour: NodeId) -> Option<Packet> {
        if self.entries.len() < MOST_NEIGHBOURS || self.entries.contains_key(&neighbour) {
            return None;
        }
        let is_known = |(_, entry): &(&NodeId, &Neighbour)| matches!(entry, Neighbour::Known);
        let known = self.entries.iter().find(is_known).map(|(known, _)| *known);
        let out = known.or(self.entries.keys().next().copied())?;
        match self.entries.remove(&out) {
            Some(Neighbour::Asked { held, .. }) => held,
            Some(Neighbour::Known) | None => None,
        }
    }

    /// `neighbour` has said its address. The packet that was held for it. Nobody forgets another for one
    /// that was not asked.
    pub(crate) fn on_message(&mut self, neighbour: NodeId) -> Option<Packet> {
        if self.entries.len() >= MOST_NEIGHBOURS && !self.entries.contains_key(&neighbour) {
            return None;
        }
        match self.entries.insert(neighbour, Neighbour::Known) {
            Some(Neighbour::Asked { held, .. }) => held,
            Some(Neighbour::Known) | None => None,
        }
    }

    /// How many neighbours are remembered.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many packets of the scheme are held, for the books.
    pub(crate) fn backlog(&self) -> usize {
        let holds = |entry: &&Neighbour| {
            matches!(entry, Neighbour::Asked { held: Some(packet), .. }
                if packet.protocol() == Protocol::Scheme)
        };
        self.entries.values().filter(holds).count()
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::Tag;

    use super::*;

    fn packet(number: u32) -> Packet {
        let tag = Tag { source: 0, number };
        Packet::new(FlowId::between(NodeId(0), NodeId(1)), Payload::Virtual(1), tag)
    }

    #[test]
    fn forged_neighbours_do_not_fill_the_memory() {
        let mut resolver = Resolver::default();
        for number in 0..3 * MOST_NEIGHBOURS as u32 {
            resolver.on_message(NodeId(number));
        }
        assert_eq!(resolver.len(), MOST_NEIGHBOURS);
        let later = NodeId(u32::MAX);
        assert_eq!(resolver.resolve(later, packet(1)), Resolution::Ask(None));
        assert_eq!(resolver.on_message(later), Some(packet(1)), "what was asked is heard");
        assert_eq!(resolver.resolve(later, packet(2)), Resolution::Resolved(packet(2)));
        assert_eq!(resolver.len(), MOST_NEIGHBOURS);
    }

    #[test]
    fn who_does_not_answer_makes_room_with_what_waits_for_it() {
        let mut resolver = Resolver::default();
        for number in 0..MOST_NEIGHBOURS as u32 {
            assert_eq!(resolver.resolve(NodeId(number), packet(number)), Resolution::Ask(None));
        }
        let asked = resolver.resolve(NodeId(u32::MAX), packet(9));
        assert_eq!(asked, Resolution::Ask(Some(packet(0))));
        assert_eq!(resolver.backlog(), MOST_NEIGHBOURS);
    }
}
