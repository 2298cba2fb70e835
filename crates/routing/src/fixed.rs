//! Fixed shortest-path routes (CXCC 7: "static routing with optimal routes with regard to the
//! hop count").

use std::collections::VecDeque;

use multihop_core::{Cx, NodeId, Packet, Route, Routing};

/// Who can reach whom: for every node, its neighbours in ascending order.
pub type Neighbours = Vec<Vec<NodeId>>;

/// The routes of one node: a next hop for each destination that it may be asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixedRoutes {
    next: Vec<(NodeId, NodeId)>,
}

impl FixedRoutes {
    /// The routes of every node to each of `destinations`, with the fewest hops; among routes
    /// of equal length the neighbour with the lowest number wins.
    pub fn shortest(neighbours: &Neighbours, destinations: &[NodeId]) -> Vec<FixedRoutes> {
        let mut routes = vec![FixedRoutes::default(); neighbours.len()];
        let mut destinations = destinations.to_vec();
        destinations.sort_unstable();
        destinations.dedup();
        for destination in destinations {
            let hops = hops_to(neighbours, destination);
            for (node, routes) in routes.iter_mut().enumerate() {
                let closer = |next: &&NodeId| {
                    hops[next.index()].is_some_and(|there| hops[node] == Some(there + 1))
                };
                if let Some(next) = neighbours[node].iter().find(closer) {
                    routes.next.push((destination, *next));
                }
            }
        }
        routes
    }

    /// The next hop towards `destination`.
    pub fn next(&self, destination: NodeId) -> Option<NodeId> {
        let at = self.next.binary_search_by_key(&destination, |(to, _)| *to).ok()?;
        Some(self.next[at].1)
    }

    /// The nodes from `source` to `destination`, both included.
    pub fn path(
        routes: &[FixedRoutes],
        source: NodeId,
        destination: NodeId,
    ) -> Option<Vec<NodeId>> {
        let mut path = vec![source];
        let mut at = source;
        while at != destination {
            at = routes[at.index()].next(destination)?;
            path.push(at);
        }
        Some(path)
    }
}

/// Breadth-first search: how many hops every node is away from `destination`.
fn hops_to(neighbours: &Neighbours, destination: NodeId) -> Vec<Option<u32>> {
    let mut hops = vec![None; neighbours.len()];
    hops[destination.index()] = Some(0);
    let mut frontier = VecDeque::from([(destination, 0)]);
    while let Some((node, distance)) = frontier.pop_front() {
        for next in &neighbours[node.index()] {
            if hops[next.index()].is_none() {
                hops[next.index()] = Some(distance + 1);
                frontier.push_back((*next, distance + 1));
            }
        }
    }
    hops
}

impl Routing for FixedRoutes {
    fn route(&mut self, _cx: &mut Cx, packet: &Packet) -> Route {
        self.next(packet.flow.destination).map_or(Route::Unreachable, Route::Via)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: &[u32]) -> Vec<NodeId> {
        numbers.iter().copied().map(NodeId).collect()
    }

    /// A square 0-1-2-3-0 with a tail 3-4, and a node 5 that nobody reaches.
    fn square() -> Neighbours {
        [&[1, 3][..], &[0, 2], &[1, 3], &[0, 2, 4], &[3], &[]].iter().map(|n| ids(n)).collect()
    }

    #[test]
    fn routes_are_shortest_and_ties_go_to_the_lowest_number() {
        let routes = FixedRoutes::shortest(&square(), &ids(&[2, 4]));
        assert_eq!(FixedRoutes::path(&routes, NodeId(0), NodeId(2)), Some(ids(&[0, 1, 2])));
        assert_eq!(FixedRoutes::path(&routes, NodeId(1), NodeId(4)), Some(ids(&[1, 0, 3, 4])));
        assert_eq!(FixedRoutes::path(&routes, NodeId(4), NodeId(4)), Some(ids(&[4])));
    }

    #[test]
    fn an_unreachable_node_has_no_route() {
        let routes = FixedRoutes::shortest(&square(), &ids(&[5]));
        assert_eq!(FixedRoutes::path(&routes, NodeId(0), NodeId(5)), None);
    }
}
