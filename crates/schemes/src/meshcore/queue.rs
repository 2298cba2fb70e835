//! Packets that wait to be sent, and frames that are held before they are looked at: `StaticPoolPacketManager.cpp`.

use multihop_core::{NodeId, Packet, Time};

use super::header::Header;

/// When a packet is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// The smallest number is sent first.
    pub(super) priority: u8,
    /// Of equal ones the earliest in the queue.
    order: u64,
    /// Not before this time.
    due: Time,
}

impl Turn {
    /// What is compared.
    fn rank(&self) -> (u8, u64) {
        (self.priority, self.order)
    }
}

/// A packet that waits to be sent, and its turn.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) turn: Turn,
    pub(super) packet: Packet,
}

/// The packets that wait to be sent.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Those that wait for their time.
    early: Vec<Waiting>,
    /// Those that wait for the MAC.
    ready: Vec<Waiting>,
    /// How many have come.
    pushed: u64,
}

impl Queue {
    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.early.len() + self.ready.len()
    }

    /// One more, which is sent at `due` or later.
    pub(super) fn push(&mut self, packet: Packet, priority: u8, (now, due): (Time, Time)) {
        let turn = Turn { priority, order: self.pushed, due };
        self.pushed += 1;
        let all = if due <= now { &mut self.ready } else { &mut self.early };
        all.push(Waiting { turn, packet });
    }

    /// Those that wait.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Waiting> {
        self.early.iter().chain(&self.ready)
    }

    /// The first of those of which `is_it` holds waits no longer.
    pub(super) fn remove(&mut self, is_it: impl Fn(&Packet) -> bool) -> Option<Packet> {
        for all in [&mut self.early, &mut self.ready] {
            if let Some(at) = all.iter().position(|waiting| is_it(&waiting.packet)) {
                return Some(all.swap_remove(at).packet);
            }
        }
        None
    }

    /// The MAC gives one back: it has its place again.
    pub(super) fn put_back(&mut self, waiting: Waiting) {
        self.ready.push(waiting);
    }

    /// When the next one becomes ready.
    pub(super) fn due(&self) -> Time {
        self.early.iter().map(|waiting| waiting.turn.due).min().unwrap_or(Time::NEVER)
    }

    /// The time of some may have come.
    pub(super) fn get_ready(&mut self, now: Time) {
        self.ready.extend(self.early.extract_if(.., |waiting| waiting.turn.due <= now));
    }

    /// Which of those that are ready is the next.
    fn next(&self) -> Option<usize> {
        let ranks = self.ready.iter().map(|waiting| waiting.turn.rank()).enumerate();
        ranks.min_by_key(|(_, rank)| *rank).map(|(at, _)| at)
    }

    /// Whether one is ready that is sent before one of this turn.
    pub(super) fn overtakes(&self, turn: &Turn) -> bool {
        self.ready.iter().any(|waiting| waiting.turn.priority < turn.priority)
    }

    /// The next one for the MAC.
    pub(super) fn take(&mut self) -> Option<Waiting> {
        self.next().map(|at| self.ready.swap_remove(at))
    }
}

/// A frame that is held before it is looked at.
#[derive(Debug)]
pub(super) struct HeldFrame {
    pub(super) packet: Packet,
    pub(super) header: Header,
    pub(super) from: NodeId,
    pub(super) due: Time,
}

/// A held frame whose time has come.
pub(super) fn take_due(held: &mut Vec<HeldFrame>, now: Time) -> Option<HeldFrame> {
    let due = held.iter().enumerate().filter(|(_, held)| held.due <= now);
    let (at, _) = due.min_by_key(|(_, held)| held.due)?;
    Some(held.remove(at))
}

/// When the next held frame is looked at.
pub(super) fn next_due(held: &[HeldFrame]) -> Time {
    held.iter().map(|held| held.due).min().unwrap_or(Time::NEVER)
}

#[cfg(test)]
mod tests {
    use multihop_core::{Duration, FlowId, Payload, Tag};

    use super::*;

    fn packet(number: u32) -> Packet {
        let flow = FlowId::between(NodeId(1), NodeId::BROADCAST);
        Packet::new(flow, Payload::Virtual(20), Tag { source: 0, number })
    }

    fn order(queue: &mut Queue) -> Vec<u32> {
        std::iter::from_fn(|| queue.take()).map(|waiting| waiting.packet.tag.number).collect()
    }

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn among_those_that_are_due_the_smallest_priority_number_goes_first() {
        let mut queue = Queue::default();
        for (number, priority, due) in [(1, 3, 0), (2, 0, 9), (3, 1, 0), (4, 1, 5), (5, 0, 10)] {
            queue.push(packet(number), priority, (at(0), at(due)));
        }
        assert_eq!((queue.due(), queue.len()), (at(5), 5));
        assert_eq!(order(&mut queue), [3, 1]);
        queue.get_ready(at(9));
        assert_eq!((order(&mut queue), queue.due()), (vec![2, 4], at(10)));
    }

    #[test]
    fn what_comes_back_has_its_place_again() {
        let mut queue = Queue::default();
        for number in 1..4 {
            queue.push(packet(number), 1, (at(0), at(0)));
        }
        let first = queue.take().expect("three wait");
        assert!(!queue.overtakes(&first.turn), "equals do not overtake");
        queue.push(packet(4), 0, (at(0), at(0)));
        assert!(queue.overtakes(&first.turn));
        queue.put_back(first);
        assert_eq!(order(&mut queue), [4, 1, 2, 3]);
    }

    #[test]
    fn held_frames_come_in_the_order_of_their_times() {
        let path = super::super::path::Path::empty(1);
        let kind = super::super::header::Kind::Channel;
        let header =
            Header { kind, direct: false, scoped: false, attempt: 0, id: 0, path, zeros: 0 };
        let mut held: Vec<HeldFrame> = [5, 3, 9]
            .map(|ms| HeldFrame { packet: packet(ms), header, from: NodeId(1), due: at(ms.into()) })
            .into();
        assert_eq!(next_due(&held), at(3));
        let next =
            |held: &mut Vec<HeldFrame>| take_due(held, at(5)).map(|held| held.packet.tag.number);
        assert_eq!([next(&mut held), next(&mut held), next(&mut held)], [Some(3), Some(5), None]);
    }
}
