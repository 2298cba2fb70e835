//! Who is whose neighbour where [[link]] says who hears whom, and whether flows have a path.

use std::collections::VecDeque;

use multihop_core::{INITIAL_TTL, NodeId};

use crate::error::Fault;
use crate::reach::distance;
use multihop_setup::Cells;
use multihop_setup::{Carried, Links, Node, Radios, Unlisted};

/// Which nodes routing takes for neighbours.
pub(crate) struct Vicinity<'a> {
    pub(crate) nodes: &'a [Node],
    /// Where links say nothing: they are at most this far apart, in m.
    pub(crate) range: f64,
    pub(crate) links: &'a Links,
    /// Where they differ.
    pub(crate) radios: Option<&'a Radios>,
}

/// The radios of `nodes`, where they differ.
pub(crate) fn radios(medium: &Carried, nodes: &[Node]) -> Option<Radios> {
    let radios = medium.radio().and_then(|radio| Radios::new(radio, nodes));
    radios.filter(|radios| !radios.are_alike())
}

impl Vicinity<'_> {
    /// Whether `a` and `b` are neighbours.
    pub(crate) fn joins(&self, a: usize, b: usize) -> bool {
        let [one, other] = [a, b].map(|node| NodeId(node as u32));
        let apart = || distance(&self.nodes[a], &self.nodes[b]);
        let near = || match self.radios {
            Some(radios) => radios.join(one, other, apart()),
            None => apart() <= self.range,
        };
        self.links.join(one, other).unwrap_or_else(near)
    }

    /// Up to here, in m, nodes may be neighbours.
    fn reach(&self) -> f64 {
        self.radios.map_or(self.range, Radios::reach)
    }

    /// The pairs of nodes of which the second decodes the first by its radio, and the first not the second.
    pub(crate) fn one_way(&self) -> Vec<(usize, usize)> {
        let Some(radios) = self.radios else { return Vec::new() };
        let places = self.nodes.iter().map(|node| (node.x, node.y));
        let cells = Cells::new(places.clone(), self.reach());
        let (mut near, mut found) = (Vec::new(), Vec::new());
        for (from, place) in places.enumerate() {
            cells.near(place, &mut near);
            let alone = |to: &&usize| {
                let [one, other] = [from, **to].map(|node| NodeId(node as u32));
                let apart = distance(&self.nodes[from], &self.nodes[**to]);
                from != **to
                    && !self.links.govern(one, other)
                    && radios.decodes(one, other, apart)
                    && !radios.decodes(other, one, apart)
            };
            found.extend(near.iter().filter(alone).map(|to| (from, *to)));
        }
        found
    }

    /// For every node, its neighbours.
    pub(crate) fn all(&self) -> Vec<Vec<usize>> {
        let listed = |node: usize| {
            let links = self.links.of(NodeId(node as u32)).iter();
            links.filter(|link| link.neighbours).map(|link| link.to.index())
        };
        let mut all: Vec<Vec<usize>> = (0..self.nodes.len()).map(|n| listed(n).collect()).collect();
        if self.links.others == Unlisted::Propagation {
            let places = self.nodes.iter().map(|node| (node.x, node.y));
            let cells = Cells::new(places.clone(), self.reach());
            let mut near = Vec::new();
            for (node, place) in places.enumerate() {
                cells.near(place, &mut near);
                let others = near.iter().filter(|other| **other != node);
                all[node].extend(others.filter(|other| self.joins(node, **other)));
            }
        }
        all
    }

    /// Whether each of `flows` has a path, and none that is too long. `key` names a flow by its
    /// number.
    pub(crate) fn check(
        &self,
        flows: &[(usize, usize)],
        key: impl Fn(usize) -> String,
    ) -> Result<(), Fault> {
        let all = self.all();
        for (index, &(from, to)) in flows.iter().enumerate() {
            let ends = format!("from '{}' to '{}'", self.nodes[from].name, self.nodes[to].name);
            match hops(&all, from, to) {
                None => {
                    let remedy = if self.links.is_empty() {
                        "add a node between them, or raise transmit_power or antenna_gain"
                    } else {
                        "list [[link]] in both directions, or lower radio.neighbour_delivery"
                    };
                    let message = format!(
                        "there is no route {ends}: neighbours are those that decode enough of each \
                         other's frames; {remedy}"
                    );
                    return Err(Fault::new(key(index), message));
                }
                Some(hops) if hops > u32::from(INITIAL_TTL) => {
                    let message = format!(
                        "the route {ends} has {hops} hops, more than a packet's time to live \
                         ({INITIAL_TTL}); bring them closer together, or list [[link]] that shorten it"
                    );
                    return Err(Fault::new(key(index), message));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

/// How many hops it is from a node to another.
pub(crate) fn hops(neighbours: &[Vec<usize>], from: usize, to: usize) -> Option<u32> {
    let mut hops = vec![None; neighbours.len()];
    hops[from] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((node, far)) = queue.pop_front() {
        if node == to {
            return Some(far);
        }
        for &next in &neighbours[node] {
            if hops[next].is_none() {
                hops[next] = Some(far + 1);
                queue.push_back((next, far + 1));
            }
        }
    }
    None
}
