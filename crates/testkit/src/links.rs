//! Who hears whom.

use std::collections::VecDeque;

/// Who hears whom: links are the same both ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    near: Vec<Vec<bool>>,
}

impl Links {
    /// `count` nodes that hear nobody.
    pub fn none(count: usize) -> Self {
        Links { near: vec![vec![false; count]; count] }
    }

    /// A chain, as in CXCC 7.1.
    pub fn line(count: usize) -> Self {
        let mut links = Links::none(count);
        for at in 1..count {
            links.set(at - 1, at, true);
        }
        links
    }

    /// Make or break the link between two nodes.
    pub fn set(&mut self, a: usize, b: usize, up: bool) {
        self.near[a][b] = up;
        self.near[b][a] = up;
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.near.len()
    }

    /// Whether two nodes hear each other.
    pub fn are_near(&self, a: usize, b: usize) -> bool {
        self.near[a][b]
    }

    /// Whether a third node hears both, or they each other.
    pub fn disturb(&self, a: usize, b: usize) -> bool {
        self.near[a][b] || (0..self.nodes()).any(|third| self.near[a][third] && self.near[b][third])
    }

    /// The next hop of every node towards `destination` on a shortest way.
    pub fn ways_to(&self, destination: usize) -> Vec<Option<usize>> {
        let mut next = vec![None; self.nodes()];
        let mut border = VecDeque::from([destination]);
        next[destination] = Some(destination);
        while let Some(at) = border.pop_front() {
            for (other, next) in next.iter_mut().enumerate() {
                if self.near[at][other] && next.is_none() {
                    *next = Some(at);
                    border.push_back(other);
                }
            }
        }
        next
    }
}
