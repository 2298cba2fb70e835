//! Which packets a node has heard or sent: `SimpleMeshTables.h`.

use std::collections::VecDeque;

use super::firmware::MAX_PACKET_HASHES;

/// The newest packets that a node has heard or sent.
#[derive(Debug)]
pub(super) struct Ring(VecDeque<u64>);

impl Ring {
    /// An empty one.
    pub(super) fn new() -> Self {
        Ring(VecDeque::with_capacity(MAX_PACKET_HASHES))
    }

    /// How many packets it remembers.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Remember a packet, unless it is known. Returns whether it is a new one. The oldest gives way.
    pub(super) fn add(&mut self, name: u64) -> bool {
        if self.0.contains(&name) {
            return false;
        }
        if self.0.len() == MAX_PACKET_HASHES {
            self.0.pop_front();
        }
        self.0.push_back(name);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_of_160_gives_way() {
        let mut ring = Ring::new();
        assert!(ring.add(0) && !ring.add(0), "once");
        assert!((1..160).all(|name| ring.add(name)) && !ring.add(0));
        assert!(ring.add(160) && ring.add(0), "it was forgotten");
        assert_eq!(ring.len(), 160);
    }
}
