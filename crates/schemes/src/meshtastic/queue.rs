//! What waits to be sent, and in which order: `MeshPacketQueue.cpp`.

use core::cmp::Reverse;
use std::collections::VecDeque;

use multihop_core::{Packet, Time};

use super::firmware::Priority;
use super::header::Name;

/// What decides when a frame is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    pub(super) name: Name,
    pub(super) priority: Priority,
    /// Whether its source is this node.
    pub(super) own: bool,
    /// Signal-to-noise ratio in dB of the copy that is relayed; of own packets none.
    pub(super) snr: Option<f64>,
    /// The hop limit in its header.
    pub(super) hop_limit: u8,
    /// It was moved to the late window.
    pub(super) late: bool,
    /// Not before this time.
    pub(super) after: Time,
    /// It waits as if it were sent, and is not.
    pub(super) is_spent: bool,
}

impl Turn {
    /// A smaller one is sent first: late ones last, high priority first, relayed before own.
    fn rank(&self) -> (bool, Reverse<Priority>, bool) {
        (self.late, Reverse(self.priority), self.own)
    }

    /// Whether it is sent before `other`, which came first.
    pub(super) fn precedes(&self, other: &Turn) -> bool {
        self.rank() < other.rank()
    }
}

/// A packet that waits, and its turn.
#[derive(Debug, PartialEq)]
pub(super) struct Waiting {
    pub(super) turn: Turn,
    pub(super) packet: Packet,
}

/// The packets that wait, the next in front.
#[derive(Debug)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    most: usize,
    /// First come, first served.
    plain: bool,
}

impl Queue {
    /// A queue for so many packets; a `plain` one knows no priorities.
    pub(super) fn new(most: usize, plain: bool) -> Self {
        Queue { waiting: VecDeque::new(), most, plain }
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// One more, besides `below` that the MAC has. Returns one that finds no room: the new one, or one of lower
    /// priority in whose place it waits.
    pub(super) fn push(&mut self, new: Waiting, below: usize) -> Option<Waiting> {
        let mut lost = None;
        if self.len() + below >= self.most {
            match self.least().filter(|_| !self.plain) {
                Some(at) if self.waiting[at].turn.priority < new.turn.priority => {
                    lost = self.waiting.remove(at);
                }
                _ => return Some(new),
            }
        }
        let plain = self.plain;
        let at = self.waiting.partition_point(|other| plain || !new.turn.precedes(&other.turn));
        self.waiting.insert(at, new);
        lost
    }

    /// The last of those that are not late: the first to give way.
    fn least(&self) -> Option<usize> {
        self.waiting.iter().rposition(|waiting| !waiting.turn.late)
    }

    /// One that the MAC gives back goes before all of its rank.
    pub(super) fn put_back(&mut self, back: Waiting) {
        let plain = self.plain;
        let at = self.waiting.partition_point(|other| !plain && other.turn.precedes(&back.turn));
        self.waiting.insert(at, back);
    }

    /// The next one for the MAC, if its time has come.
    pub(super) fn take(&mut self, now: Time) -> Option<Waiting> {
        let ready = self.waiting.front().is_some_and(|front| front.turn.after <= now);
        if ready { self.waiting.pop_front() } else { None }
    }

    /// When the front may be sent, if not yet.
    pub(super) fn due(&self) -> Time {
        let front = self.waiting.front().map(|front| front.turn.after);
        front.filter(|after| *after > Time::ZERO).unwrap_or(Time::NEVER)
    }

    /// The time of some may have come.
    pub(super) fn get_ready(&mut self, now: Time) {
        for waiting in self.waiting.iter_mut().filter(|waiting| waiting.turn.after <= now) {
            waiting.turn.after = Time::ZERO;
        }
    }

    /// The turn of this packet, if it waits.
    pub(super) fn find(&mut self, name: Name) -> Option<&mut Turn> {
        let found = self.waiting.iter_mut().find(|waiting| waiting.turn.name == name);
        found.map(|waiting| &mut waiting.turn)
    }

    /// It waits no longer.
    pub(super) fn remove(&mut self, name: Name) -> Option<Waiting> {
        let at = self.waiting.iter().position(|waiting| waiting.turn.name == name)?;
        self.waiting.remove(at)
    }

    /// It waits for the late window instead, which begins `after`.
    pub(super) fn delay(&mut self, name: Name, after: Time) {
        if let Some(mut waiting) = self.remove(name) {
            waiting.turn.late = true;
            waiting.turn.after = after;
            let at = self.waiting.partition_point(|other| !waiting.turn.precedes(&other.turn));
            self.waiting.insert(at, waiting);
        }
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{FlowId, NodeId, Payload, Tag};

    use super::*;

    fn waiting(id: u32, priority: Priority, own: bool) -> Waiting {
        let turn = Turn {
            name: (NodeId(1), id),
            priority,
            own,
            snr: None,
            hop_limit: 3,
            late: false,
            after: Time::ZERO,
            is_spent: false,
        };
        let flow = FlowId::between(NodeId(1), NodeId::BROADCAST);
        Waiting { turn, packet: Packet::new(flow, Payload::Virtual(20), Tag::default()) }
    }

    fn order(queue: &mut Queue) -> Vec<u32> {
        std::iter::from_fn(|| queue.take(Time::ZERO)).map(|waiting| waiting.turn.name.1).collect()
    }

    #[test]
    fn acknowledgments_texts_and_the_rest_in_this_order_and_relayed_before_own() {
        let given = [
            (1, Priority::Background, true),
            (2, Priority::Default, true),
            (3, Priority::Default, false),
            (4, Priority::High, true),
            (5, Priority::High, false),
            (6, Priority::Ack, true),
            (7, Priority::High, false),
        ];
        for (plain, expected) in [(false, [6, 5, 7, 4, 3, 2, 1]), (true, [1, 2, 3, 4, 5, 6, 7])] {
            let mut queue = Queue::new(16, plain);
            for (id, priority, own) in given {
                assert_eq!(queue.push(waiting(id, priority, own), 0), None);
            }
            assert_eq!(order(&mut queue), expected);
        }
    }

    #[test]
    fn a_full_queue_takes_what_is_of_higher_priority_than_its_last() {
        let mut queue = Queue::new(3, false);
        queue.push(waiting(1, Priority::High, false), 1);
        queue.push(waiting(2, Priority::Background, true), 1);
        let lost = queue.push(waiting(3, Priority::Background, true), 1).expect("it is full");
        assert_eq!(lost.turn.name.1, 3);
        let lost = queue.push(waiting(4, Priority::Ack, true), 1).expect("it is full");
        assert_eq!(lost.turn.name.1, 2);
        assert_eq!(order(&mut queue), [4, 1]);
    }

    #[test]
    fn what_is_late_goes_last_and_not_before_its_time() {
        let mut queue = Queue::new(16, false);
        let after = Time::from_nanos(5);
        for id in [1, 2] {
            queue.push(waiting(id, Priority::Ack, false), 0);
        }
        queue.delay((NodeId(1), 1), after);
        queue.push(waiting(3, Priority::Background, true), 0);
        assert_eq!(order(&mut queue), [2, 3]);
        assert_eq!((queue.due(), queue.len()), (after, 1));
        queue.get_ready(after);
        assert_eq!((queue.due(), order(&mut queue)), (Time::NEVER, vec![1]));
    }

    #[test]
    fn what_comes_back_goes_before_its_equals() {
        let mut queue = Queue::new(16, false);
        for (id, priority) in [(1, Priority::High), (2, Priority::Ack)] {
            queue.push(waiting(id, priority, false), 0);
        }
        queue.put_back(waiting(3, Priority::High, false));
        assert_eq!(order(&mut queue), [2, 3, 1]);
    }
}
