//! A path: the nodes from one to another, both included.

use std::ops::Deref;

use multihop_core::NodeId;

/// How many nodes a path has at most, both ends included (ns-2: `MAX_SR_LEN`).
pub const MOST_NODES: usize = 16;

/// The nodes of a path, in their order.
#[derive(Clone, Copy)]
pub struct Path {
    nodes: [NodeId; MOST_NODES],
    len: u8,
}

impl Path {
    /// No nodes.
    pub const EMPTY: Path = Path { nodes: [NodeId::BROADCAST; MOST_NODES], len: 0 };

    /// These nodes; none if they are too many.
    pub fn of(nodes: impl IntoIterator<Item = NodeId>) -> Option<Path> {
        let mut path = Path::EMPTY;
        nodes.into_iter().all(|node| path.push(node)).then_some(path)
    }

    /// Append `node`; whether there was room.
    pub fn push(&mut self, node: NodeId) -> bool {
        let place = self.nodes.get_mut(usize::from(self.len));
        let room = place.is_some();
        if let Some(place) = place {
            *place = node;
            self.len += 1;
        }
        room
    }

    /// Whether it can take no further node.
    pub const fn is_full(&self) -> bool {
        self.len as usize == MOST_NODES
    }

    /// Its first `count` nodes.
    #[must_use]
    pub fn up_to(&self, count: usize) -> Path {
        Path { len: self.len.min(count as u8), ..*self }
    }

    /// The nodes from the place `at` on.
    #[must_use]
    pub fn from(&self, at: usize) -> Path {
        Path::of(self[at..].iter().copied()).unwrap_or(Path::EMPTY)
    }

    /// The same nodes, the last first.
    #[must_use]
    pub fn reversed(&self) -> Path {
        let mut path = *self;
        path.nodes[..usize::from(self.len)].reverse();
        path
    }

    /// Where `node` stands.
    pub fn position(&self, node: NodeId) -> Option<usize> {
        self.iter().position(|other| *other == node)
    }

    /// Where the link between these two begins, in this direction.
    #[inline]
    pub fn link(&self, from: NodeId, to: NodeId) -> Option<usize> {
        let ends = self.iter().skip(1);
        self.iter().zip(ends).position(|link| link == (&from, &to))
    }

    /// Whether it goes over the link between these two, in this direction.
    pub fn uses(&self, from: NodeId, to: NodeId) -> bool {
        self.link(from, to).is_some()
    }

    /// How many nodes it begins with as `other` does.
    #[inline]
    pub fn common(&self, other: &Path) -> usize {
        self.iter().zip(other.iter()).take_while(|(own, theirs)| own == theirs).count()
    }

    /// How many hops it has.
    pub const fn hops(&self) -> u32 {
        self.len.saturating_sub(1) as u32
    }

    /// Whether no node comes twice.
    pub fn is_simple(&self) -> bool {
        self.iter().enumerate().all(|(at, node)| !self[..at].contains(node))
    }

    /// Without the detours that come back to where they began: A B C B D is A B D.
    #[must_use]
    pub fn compressed(&self) -> Path {
        let mut path = Path::EMPTY;
        let mut at = 0;
        while let Some(&node) = self.get(at) {
            path.push(node);
            at = self.iter().rposition(|other| *other == node).unwrap_or(at) + 1;
        }
        path
    }
}

impl Deref for Path {
    type Target = [NodeId];

    #[inline]
    fn deref(&self) -> &[NodeId] {
        &self.nodes[..usize::from(self.len)]
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        **self == **other
    }
}

impl Eq for Path {}

impl std::fmt::Debug for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter().map(|node| node.0)).finish()
    }
}
