//! Who reaches whom: neighbourhood, connected parts, and hop counts.

use std::collections::BTreeMap;

use crate::setup::Node;

/// A grid of squares, each as wide as the range, so that a node's neighbours lie in its own
/// square and the eight around it: 100,000 nodes have too many pairs to look at all of them.
type Squares = BTreeMap<(i64, i64), Vec<usize>>;

/// Which nodes are neighbours.
pub(crate) struct Reach<'a> {
    nodes: &'a [Node],
    range: f64,
    squares: Squares,
}

/// The distance between two nodes in m.
pub(crate) fn distance(a: &Node, b: &Node) -> f64 {
    let (dx, dy) = (a.x - b.x, a.y - b.y);
    libm::sqrt(dx * dx + dy * dy)
}

impl<'a> Reach<'a> {
    pub(crate) fn new(nodes: &'a [Node], range: f64) -> Self {
        let mut reach = Reach { nodes, range, squares: Squares::new() };
        for (index, node) in nodes.iter().enumerate() {
            let square = reach.square(node);
            reach.squares.entry(square).or_default().push(index);
        }
        reach
    }

    fn square(&self, node: &Node) -> (i64, i64) {
        (libm::floor(node.x / self.range) as i64, libm::floor(node.y / self.range) as i64)
    }

    /// At most so many pairs of nodes are neighbours: those in one square, or in adjacent ones.
    pub(crate) fn most_pairs(&self) -> u64 {
        let len = |square: &(i64, i64)| self.squares.get(square).map_or(0, Vec::len) as u64;
        let around = |&(column, row): &(i64, i64)| -> u64 {
            (column - 1..=column + 1)
                .flat_map(|column| (row - 1..=row + 1).map(move |row| (column, row)))
                .map(|square| len(&square))
                .sum()
        };
        self.squares.keys().map(|square| len(square) * around(square)).sum()
    }

    /// Breadth first from `source` over the nodes still in `squares`, taking them out: every
    /// node reached, and its distance from `source` in hops.
    fn sweep(&self, squares: &mut Squares, source: usize) -> Vec<(usize, u32)> {
        if let Some(square) = squares.get_mut(&self.square(&self.nodes[source])) {
            square.retain(|&node| node != source);
        }
        let mut found = vec![(source, 0)];
        let mut next = 0;
        while let Some(&(from, hops)) = found.get(next) {
            next += 1;
            let (column, row) = self.square(&self.nodes[from]);
            let around =
                (column - 1..=column + 1).flat_map(|c| (row - 1..=row + 1).map(move |r| (c, r)));
            for square in around {
                let Some(square) = squares.get_mut(&square) else { continue };
                square.retain(|&to| {
                    let near = distance(&self.nodes[from], &self.nodes[to]) <= self.range;
                    if near {
                        found.push((to, hops + 1));
                    }
                    !near
                });
            }
        }
        found
    }

    /// For every node the number of the connected part that it belongs to.
    pub(crate) fn parts(&self) -> Parts {
        let mut squares = self.squares.clone();
        let mut parts = Parts { of: vec![usize::MAX; self.nodes.len()], sizes: Vec::new() };
        for node in 0..self.nodes.len() {
            if parts.of[node] == usize::MAX {
                let found = self.sweep(&mut squares, node);
                for (member, _) in &found {
                    parts.of[*member] = parts.sizes.len();
                }
                parts.sizes.push(found.len());
            }
        }
        parts
    }

    /// Whether every node reaches every other.
    pub(crate) fn connected(&self) -> bool {
        self.nodes.is_empty() || self.sweep(&mut self.squares.clone(), 0).len() == self.nodes.len()
    }

    /// Whether the shortest path between two nodes of a connected network has at least
    /// `least` hops.
    pub(crate) fn at_least(&self, from: usize, to: usize, least: u32) -> bool {
        // a hop covers at most the range, which spares most searches
        let covered = self.range * f64::from(least.saturating_sub(1));
        if least <= 1 || distance(&self.nodes[from], &self.nodes[to]) > covered {
            return true;
        }
        let found = self.sweep(&mut self.squares.clone(), from);
        found.iter().all(|&(node, hops)| node != to || hops >= least)
    }

    /// The node nearest to `node`, and how far it is.
    pub(crate) fn nearest(&self, node: usize) -> Option<(usize, f64)> {
        let others = self.nodes.iter().enumerate().filter(|(other, _)| *other != node);
        others
            .map(|(other, place)| (other, distance(&self.nodes[node], place)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// The connected parts of a network.
pub(crate) struct Parts {
    of: Vec<usize>,
    sizes: Vec<usize>,
}

impl Parts {
    /// Whether there is a path between two nodes.
    pub(crate) fn joined(&self, a: usize, b: usize) -> bool {
        self.of[a] == self.of[b]
    }

    /// The first node without any neighbour.
    pub(crate) fn lonely(&self) -> Option<usize> {
        self.of.iter().position(|&part| self.sizes[part] == 1)
    }
}
