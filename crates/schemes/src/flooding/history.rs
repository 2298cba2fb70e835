//! What a node has heard.

use std::collections::{BTreeSet, VecDeque};

use super::header::Name;

/// How many packets a node remembers. The oldest gives way to the newest.
const MOST: usize = 4_096;

/// The packets that a node has heard or sent, up to [`MOST`].
#[derive(Debug, Default)]
pub(super) struct History {
    known: BTreeSet<Name>,
    /// The same in the order in which they came.
    order: VecDeque<Name>,
}

impl History {
    /// Remember a packet. Returns whether it is a new one.
    pub(super) fn add(&mut self, name: Name) -> bool {
        if !self.known.insert(name) {
            return false;
        }
        self.order.push_back(name);
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }

    /// How many packets it remembers.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::NodeId;

    use super::*;

    #[test]
    fn a_packet_is_new_once_until_many_others_have_come() {
        let mut history = History::default();
        let name = |number| (NodeId(7), number);
        assert!(history.add(name(0)) && !history.add(name(0)));
        assert!(history.add((NodeId(8), 0)), "of another source");
        for number in 1..MOST as u32 {
            assert!(history.add(name(number)));
        }
        assert_eq!(history.len(), MOST);
        assert!(!history.add(name(1)), "not so long ago");
        assert!(history.add(name(0)), "it was forgotten");
        assert_eq!(history.len(), MOST);
    }
}
