//! A packet that waits to be passed on.

use std::collections::VecDeque;

use multihop_core::{Packet, Time};

use super::header::Name;

/// A packet that waits to be passed on, and what was heard of it meanwhile.
#[derive(Debug)]
pub(super) struct Relay {
    pub(super) name: Name,
    pub(super) packet: Packet,
    /// How many copies of it this node has heard; none of its own packets.
    pub(super) copies: u32,
    /// When it may be sent.
    pub(super) due: Time,
}

/// The packets that wait to be passed on.
#[derive(Debug, Default)]
pub(super) struct Relays {
    /// Those that wait for their time, in its order.
    early: VecDeque<Relay>,
    /// Those that wait for the MAC.
    ready: VecDeque<Relay>,
}

impl Relays {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.early.len() + self.ready.len()
    }

    /// One more.
    pub(super) fn push(&mut self, relay: Relay, now: Time) {
        if relay.due <= now {
            return self.ready.push_back(relay);
        }
        let at = self.early.partition_point(|other| other.due <= relay.due);
        self.early.insert(at, relay);
    }

    /// This one was with the MAC: it is the next again.
    pub(super) fn push_front(&mut self, relay: Relay) {
        self.ready.push_front(relay);
    }

    /// When the next one becomes ready.
    pub(super) fn due(&self) -> Time {
        self.early.front().map_or(Time::NEVER, |relay| relay.due)
    }

    /// The time of some may have come.
    pub(super) fn get_ready(&mut self, now: Time) {
        let due = self.early.partition_point(|relay| relay.due <= now);
        self.ready.extend(self.early.drain(..due));
    }

    /// The next one for the MAC.
    pub(super) fn take(&mut self) -> Option<Relay> {
        self.ready.pop_front()
    }

    /// One that was heard again, if it waits.
    pub(super) fn heard(&mut self, name: Name) -> Option<&mut Relay> {
        self.early.iter_mut().chain(&mut self.ready).find(|relay| relay.name == name)
    }

    /// It waits no longer.
    pub(super) fn remove(&mut self, name: Name) -> Option<Relay> {
        for waiting in [&mut self.early, &mut self.ready] {
            if let Some(at) = waiting.iter().position(|relay| relay.name == name) {
                return waiting.remove(at);
            }
        }
        None
    }
}
