//! On which paths a node reaches others: `BaseChatMesh.cpp`.

use std::collections::BTreeMap;

use multihop_core::{NodeId, Time};

use super::firmware::MAX_CONTACTS;
use super::path::Path;

/// The paths to other nodes.
#[derive(Debug, Default)]
pub(super) struct Contacts(BTreeMap<NodeId, (Path, Time)>);

impl Contacts {
    /// How many it knows.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The path to `node`, if it is known.
    pub(super) fn path(&self, node: NodeId) -> Option<Path> {
        self.0.get(&node).map(|(path, _)| *path)
    }

    /// This is the path to `node`. If there are too many, that which was learned first gives way.
    pub(super) fn learn(&mut self, node: NodeId, path: Path, now: Time) {
        if self.0.len() >= MAX_CONTACTS
            && !self.0.contains_key(&node)
            && let Some(oldest) = self.0.iter().min_by_key(|(_, (_, since))| *since)
        {
            let oldest = *oldest.0;
            self.0.remove(&oldest);
        }
        self.0.insert(node, (path, now));
    }

    /// The path to `node` is not known any more.
    pub(super) fn forget(&mut self, node: NodeId) {
        self.0.remove(&node);
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::Duration;

    use super::*;

    #[test]
    fn the_path_that_was_learned_first_gives_way() {
        let mut contacts = Contacts::default();
        let at = |ms| Time::ZERO + Duration::from_millis(ms);
        for node in 0..MAX_CONTACTS as u32 {
            contacts.learn(NodeId(node), Path::empty(1), at(node.into()));
        }
        contacts.learn(NodeId(0), Path::empty(2), at(1_000));
        contacts.learn(NodeId(9_999), Path::empty(1), at(1_001));
        assert_eq!(contacts.len(), MAX_CONTACTS);
        assert_eq!(contacts.path(NodeId(0)), Some(Path::empty(2)));
        assert_eq!(contacts.path(NodeId(1)), None);
        contacts.forget(NodeId(0));
        assert_eq!(contacts.path(NodeId(0)), None);
    }
}
