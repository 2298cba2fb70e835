//! A list that all nodes of a simulation have in common. No node of a real network has such a one: it is an oracle
//! (ADR 0163).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::NodeId;

/// A packet, by its source and the source's number for it.
type Name = (NodeId, u32);

/// Packets whose sources wait for an acknowledgment, and how many nodes have marked each of them. Clones are the same list;
/// two lists are equal only if they are the same.
#[derive(Clone, Debug, Default)]
pub struct CommonList(Arc<Mutex<BTreeMap<Name, u32>>>);

impl PartialEq for CommonList {
    fn eq(&self, other: &CommonList) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl CommonList {
    /// The packet is on the list, without a mark.
    pub fn open(&self, name: Name) {
        self.packets().insert(name, 0);
    }

    /// It is on it no longer.
    pub fn close(&self, name: Name) {
        self.packets().remove(&name);
    }

    /// One more node has marked it, if it is on the list.
    pub fn mark(&self, name: Name) {
        if let Some(marks) = self.packets().get_mut(&name) {
            *marks = marks.saturating_add(1);
        }
    }

    /// A node that had marked it takes that back.
    pub fn unmark(&self, name: Name) {
        if let Some(marks) = self.packets().get_mut(&name) {
            *marks = marks.saturating_sub(1);
        }
    }

    /// Whether any node has marked it.
    pub fn is_marked(&self, name: Name) -> bool {
        self.packets().get(&name).is_some_and(|marks| *marks > 0)
    }

    fn packets(&self) -> MutexGuard<'_, BTreeMap<Name, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_marked_as_long_as_it_is_on_the_list_and_a_node_marks_it() {
        let (list, name) = (CommonList::default(), (NodeId(1), 7));
        let same = list.clone();
        list.mark(name);
        assert!(!same.is_marked(name), "it was not on the list");
        list.open(name);
        list.mark(name);
        list.mark(name);
        same.unmark(name);
        assert!(list.is_marked(name) && !list.is_marked((NodeId(2), 7)));
        same.unmark(name);
        same.unmark(name);
        assert!(!list.is_marked(name));
        list.mark(name);
        list.close(name);
        assert!(!same.is_marked(name));
        assert_eq!((list == same, list == CommonList::default()), (true, false));
    }
}
