//! Texts to one node whose acknowledgment is awaited: `companion_radio/MyMesh.cpp`, and the app above it.

use multihop_core::{NodeId, Packet, Time};

use super::firmware::EXPECTED_ACKS;

/// A text whose acknowledgment is awaited.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) destination: NodeId,
    pub(super) id: u32,
    /// How often it was sent.
    pub(super) attempts: u32,
    /// The packet, as long as the node may send it again.
    pub(super) packet: Option<Packet>,
    /// When the wait for the last attempt's acknowledgment is over.
    pub(super) due: Time,
}

/// All of them, the oldest in front.
#[derive(Debug, Default)]
pub(super) struct Unacknowledged(Vec<Pending>);

impl Unacknowledged {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many packets they hold.
    pub(super) fn packets(&self) -> usize {
        self.0.iter().filter(|pending| pending.packet.is_some()).count()
    }

    /// One more. If there are too many, the oldest one is given up.
    pub(super) fn add(&mut self, pending: Pending) -> Option<Pending> {
        let lost = (self.0.len() >= EXPECTED_ACKS).then(|| self.0.remove(0));
        self.0.push(pending);
        lost
    }

    /// One is acknowledged.
    pub(super) fn remove(&mut self, destination: NodeId, id: u32) -> Option<Pending> {
        let is_it = |pending: &Pending| pending.destination == destination && pending.id == id;
        self.0.iter().position(is_it).map(|at| self.0.remove(at))
    }

    /// One whose wait is over. It has no time any more.
    pub(super) fn take_due(&mut self, now: Time) -> Option<&mut Pending> {
        let due = self.0.iter_mut().find(|pending| pending.due <= now)?;
        due.due = Time::NEVER;
        Some(due)
    }

    /// It was sent once more with a copy of this packet; that wait is over at this time.
    pub(super) fn await_again(
        &mut self,
        destination: NodeId,
        id: u32,
        (packet, due): (Packet, Time),
    ) {
        let is_it = |pending: &&mut Pending| pending.destination == destination && pending.id == id;
        if let Some(pending) = self.0.iter_mut().find(is_it) {
            pending.attempts += 1;
            (pending.packet, pending.due) = (Some(packet), due);
        }
    }

    /// When the next wait is over.
    pub(super) fn due(&self) -> Time {
        self.0.iter().map(|pending| pending.due).min().unwrap_or(Time::NEVER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_of_eight_gives_way() {
        let mut all = Unacknowledged::default();
        let pending = |id| Pending {
            destination: NodeId(1),
            id,
            attempts: 1,
            packet: None,
            due: Time::NEVER,
        };
        assert!((0..8).all(|id| all.add(pending(id)).is_none()));
        assert_eq!(all.add(pending(8)).map(|lost| lost.id), Some(0));
        assert!(all.remove(NodeId(1), 0).is_none() && all.remove(NodeId(2), 1).is_none());
        assert!(all.remove(NodeId(1), 1).is_some());
        assert_eq!((all.len(), all.packets(), all.due()), (7, 0, Time::NEVER));
    }
}
