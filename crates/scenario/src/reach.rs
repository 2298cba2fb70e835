//! Who reaches whom: neighbourhood, connected parts, and hop counts.

use std::ops::Range;

use multihop_setup::Cells;
use multihop_setup::Node;

/// Sums of distances are rounded by less than this share.
const ROUNDING: f64 = 1e-6;

/// Which nodes are neighbours.
pub(crate) struct Reach {
    /// Where the nodes are, in m: searches go around a large network by nothing else.
    places: Vec<Point>,
    range: f64,
    /// As wide as the range.
    cells: Cells,
    /// For every node, the cells in which its neighbours are.
    around: Vec<[Range<usize>; 3]>,
}

/// x and y in m.
type Point = (f64, f64);

/// How a search goes on at a node that it has found.
enum Next {
    /// To the neighbours of the node.
    Onward,
    /// Not from this node.
    Elsewhere,
    /// Not at all.
    Stop,
}

/// The nodes that a search has not found yet, cell by cell.
struct Left {
    members: Vec<usize>,
    /// How many are left in every cell; they stand first.
    counts: Vec<usize>,
}

fn apart(a: Point, b: Point) -> f64 {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    libm::sqrt(dx * dx + dy * dy)
}

/// The distance between two nodes in m.
pub(crate) fn distance(a: &Node, b: &Node) -> f64 {
    apart((a.x, a.y), (b.x, b.y))
}

impl Reach {
    pub(crate) fn new(nodes: &[Node], range: f64) -> Self {
        let places: Vec<Point> = nodes.iter().map(|node| (node.x, node.y)).collect();
        let cells = Cells::new(places.iter().copied(), range);
        let around = places.iter().map(|place| cells.around(*place)).collect();
        Reach { places, range, cells, around }
    }

    fn distance(&self, a: usize, b: usize) -> f64 {
        apart(self.places[a], self.places[b])
    }

    fn everybody(&self) -> Left {
        let counts = (0..self.cells.cells()).map(|cell| self.cells.range(cell).len()).collect();
        Left { members: self.cells.members().to_vec(), counts }
    }

    /// At most so many pairs of nodes are neighbours: those in one cell, or in cells that touch.
    pub(crate) fn most_pairs(&self) -> u64 {
        let near = self.around.iter().flatten();
        near.map(|cells| self.cells.count(cells) as u64).sum()
    }

    /// Breadth first from `source` over the nodes that are left, taking them out, as `next` says
    /// of nodes and their distances: every node reached, and its distance from `source` in hops.
    fn sweep(
        &self,
        left: &mut Left,
        source: usize,
        next: impl Fn(usize, u32) -> Next,
    ) -> Vec<(usize, u32)> {
        let mut found = vec![(source, 0)];
        let mut looked_at = 0;
        while let Some(&(from, hops)) = found.get(looked_at) {
            looked_at += 1;
            match next(from, hops) {
                Next::Onward => {}
                Next::Elsewhere => continue,
                Next::Stop => break,
            }
            for cell in self.around[from].iter().cloned().flatten() {
                let begin = self.cells.range(cell).start;
                let mut at = begin;
                while at < begin + left.counts[cell] {
                    let to = left.members[at];
                    if to == source {
                        left.remove(cell, begin, at);
                    } else if self.distance(from, to) <= self.range {
                        found.push((to, hops + 1));
                        left.remove(cell, begin, at);
                    } else {
                        at += 1;
                    }
                }
            }
        }
        found
    }

    /// For every node the number of the connected part that it belongs to.
    pub(crate) fn parts(&self) -> Parts {
        let mut left = self.everybody();
        let mut parts = Parts { of: vec![usize::MAX; self.places.len()], sizes: Vec::new() };
        for node in 0..self.places.len() {
            if parts.of[node] == usize::MAX {
                let found = self.sweep(&mut left, node, |_, _| Next::Onward);
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
        let all = self.places.len();
        all == 0 || self.sweep(&mut self.everybody(), 0, |_, _| Next::Onward).len() == all
    }

    /// Whether the shortest path between two nodes of a connected network has at least
    /// `least` hops.
    pub(crate) fn at_least(&self, from: usize, to: usize, least: u32) -> bool {
        let most = least.saturating_sub(1);
        // A hop covers at most the range, which spares most searches, and most of the others.
        if least <= 1 || self.distance(from, to) > self.range * f64::from(most) {
            return true;
        }
        if self.walks(from, to, most) || self.walks(to, from, most) {
            return false;
        }
        let next = |node, hops| match node {
            _ if node == to => Next::Stop,
            _ if self.distance(node, to) > self.farthest(most, hops) => Next::Elsewhere,
            _ => Next::Onward,
        };
        let found = self.sweep(&mut self.everybody(), from, next);
        found.iter().all(|&(node, hops)| node != to || hops >= least)
    }

    /// How far it can be, in m, for a path of at most `most` hops of which `hops` are gone.
    fn farthest(&self, most: u32, hops: u32) -> f64 {
        self.range * f64::from(most.saturating_sub(hops)) * (1.0 + ROUNDING)
    }

    /// Whether one comes to `to` in at most `most` hops by always going to the neighbour that is
    /// nearest to it. Where there are no gaps one does, and where one gets stuck the way back may not:
    /// few searches are left.
    fn walks(&self, from: usize, to: usize, most: u32) -> bool {
        let mut at = from;
        for _ in 0..most {
            if self.distance(at, to) <= self.range {
                return true;
            }
            let near = self.around[at].iter().cloned().flatten();
            let near = near.flat_map(|cell| &self.cells.members()[self.cells.range(cell)]);
            let neighbours = near.filter(|next| self.distance(at, **next) <= self.range);
            let left = |next: usize| self.distance(next, to);
            match neighbours.copied().min_by(|a, b| left(*a).total_cmp(&left(*b))) {
                Some(next) if left(next) < left(at) => at = next,
                _ => return false,
            }
        }
        false
    }

    /// The node nearest to `node`, and how far it is.
    pub(crate) fn nearest(&self, node: usize) -> Option<(usize, f64)> {
        let others = (0..self.places.len()).filter(|other| *other != node);
        let far = others.map(|other| (other, self.distance(node, other)));
        far.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

impl Left {
    /// The node at `at`, of a cell that starts at `begin`, is found.
    fn remove(&mut self, cell: usize, begin: usize, at: usize) {
        self.counts[cell] -= 1;
        self.members.swap(at, begin + self.counts[cell]);
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
