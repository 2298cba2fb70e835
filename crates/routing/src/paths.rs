//! Fixed shortest-path routes (CXCC 7: "static routing with optimal routes with regard to the
//! hop count"), and ways that are given.

use std::collections::VecDeque;

use multihop_core::{
    AddressTable, Cx, FlowId, NodeId, Packet, Route, RouteNews, Routing, RoutingStep, Time,
};

/// Who can reach whom: for every node, its neighbours in ascending order.
pub type Neighbours = Vec<Vec<NodeId>>;

/// The routes of one node: a next hop for each flow that it may be asked for. It announces them when the
/// node's life begins; they never change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixedRoutes {
    next: Vec<(Way, Leg)>,
    announced: Announced,
}

/// The rest of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Leg {
    next: NodeId,
    /// How many hops it has.
    hops: u32,
}

/// Which routes were announced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Announced {
    #[default]
    None,
    /// All but these, the last first.
    AllBut(Vec<RouteNews>),
}

/// From where to where, and whether it is the way of acknowledgments: they take the way of the
/// data back.
type Way = (NodeId, NodeId, bool);

const fn way(flow: FlowId) -> Way {
    (flow.source, flow.destination, flow.is_reverse())
}

/// A way as one number, by which it is found: of three, nobody can foresee which one decides.
fn number((source, destination, reverse): Way) -> u128 {
    u128::from(source.0) << 64 | u128::from(destination.0) << 1 | u128::from(reverse)
}

impl FixedRoutes {
    /// The routes of every node for `flows`, with the fewest hops; among routes of equal length
    /// the neighbour with the lowest number wins. A flow without a way has no route.
    pub fn shortest(neighbours: &Neighbours, flows: &[FlowId]) -> Vec<FixedRoutes> {
        Self::along(neighbours, flows.iter().map(|flow| (*flow, &[][..])))
    }

    /// The routes of every node for flows whose nodes are given, from the source to the
    /// destination, and the shortest ones for those of which no node is. Of flows between the
    /// same nodes the first decides.
    pub fn along<'a>(
        neighbours: &Neighbours,
        flows: impl Iterator<Item = (FlowId, &'a [NodeId])>,
    ) -> Vec<FixedRoutes> {
        let mut routes = vec![FixedRoutes::default(); neighbours.len()];
        for (flow, given) in flows {
            let path = match given {
                [] => shortest_path(neighbours, flow),
                given => Some(given.to_vec()),
            };
            let path = path.unwrap_or_default();
            let all = path.len() as u32;
            for (done, hop) in (1..all).zip(path.windows(2)) {
                routes[hop[0].index()].add(flow, Leg { next: hop[1], hops: all - done });
                routes[hop[1].index()].add(flow.reverse(), Leg { next: hop[0], hops: done });
            }
        }
        routes
    }

    fn add(&mut self, flow: FlowId, leg: Leg) {
        if let Err(at) = self.position(flow) {
            self.next.insert(at, (way(flow), leg));
        }
    }

    fn position(&self, flow: FlowId) -> Result<usize, usize> {
        self.next.binary_search_by_key(&number(way(flow)), |(way, _)| number(*way))
    }

    /// The same routes between the addresses of the nodes.
    #[must_use]
    pub fn on_air(self, addresses: &AddressTable) -> Self {
        let named = |((source, destination, reverse), leg): (Way, Leg)| {
            let [source, destination, next] =
                [source, destination, leg.next].map(|number| addresses.address(number));
            ((source, destination, reverse), Leg { next, ..leg })
        };
        let mut next: Vec<_> = self.next.into_iter().map(named).collect();
        next.sort_unstable_by_key(|(way, _)| *way);
        FixedRoutes { next, announced: self.announced }
    }

    /// The next hop of `flow`.
    pub fn next(&self, flow: FlowId) -> Option<NodeId> {
        self.position(flow).ok().map(|at| self.next[at].1.next)
    }

    /// The nodes on the way of `flow`, both ends included.
    pub fn path(routes: &[FixedRoutes], flow: FlowId) -> Option<Vec<NodeId>> {
        let mut path = vec![flow.source];
        let mut at = flow.source;
        while at != flow.destination {
            at = routes[at.index()].next(flow)?;
            path.push(at);
        }
        Some(path)
    }
}

fn shortest_path(neighbours: &Neighbours, flow: FlowId) -> Option<Vec<NodeId>> {
    let hops = hops_to(neighbours, flow.destination, flow.source);
    let mut path = vec![flow.source];
    let mut at = flow.source;
    while at != flow.destination {
        let here = hops[at.index()]?;
        let closer = |next: &&NodeId| hops[next.index()].is_some_and(|there| there + 1 == here);
        at = *neighbours[at.index()].iter().find(closer)?;
        path.push(at);
    }
    Some(path)
}

/// Breadth-first search: how many hops every node that is nearer than `source` is away from
/// `destination`, and `source` itself.
fn hops_to(neighbours: &Neighbours, destination: NodeId, source: NodeId) -> Vec<Option<u32>> {
    let mut hops = vec![None; neighbours.len()];
    hops[destination.index()] = Some(0);
    let mut frontier = VecDeque::from([(destination, 0)]);
    while let Some((node, distance)) = frontier.pop_front() {
        if node == source {
            break;
        }
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
    fn is_settled(&self) -> bool {
        self.next.is_empty()
            || matches!(&self.announced, Announced::AllBut(news) if news.is_empty())
    }

    fn route(&mut self, _cx: &mut Cx, packet: &mut Packet) -> Route {
        self.next(packet.flow).map_or(Route::Unreachable, Route::Via)
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<RoutingStep> {
        match &mut self.announced {
            Announced::None => None,
            Announced::AllBut(news) => news.pop().map(RoutingStep::Announce),
        }
    }

    /// The life of the node begins. Of several ways to one destination the first counts.
    fn on_timeout(&mut self, _cx: &mut Cx) {
        let mut ends: Vec<_> = self.next.iter().map(|(way, leg)| (way.1, leg.hops)).collect();
        ends.sort_by_key(|(destination, _)| *destination);
        ends.dedup_by_key(|(destination, _)| *destination);
        let found = |(destination, hops)| RouteNews::Found { destination, hops };
        self.announced = Announced::AllBut(ends.into_iter().rev().map(found).collect());
    }

    fn deadline(&self) -> Time {
        match self.announced {
            Announced::None if !self.next.is_empty() => Time::ZERO,
            _ => Time::NEVER,
        }
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{Purpose, Rng};

    use super::*;

    fn ids(numbers: &[u32]) -> Vec<NodeId> {
        numbers.iter().copied().map(NodeId).collect()
    }

    /// A square 0-1-2-3-0 with a tail 3-4, and a node 5 that nobody reaches.
    fn square() -> Neighbours {
        [&[1, 3][..], &[0, 2], &[1, 3], &[0, 2, 4], &[3], &[]].iter().map(|n| ids(n)).collect()
    }

    fn flow(source: u32, destination: u32) -> FlowId {
        FlowId::between(NodeId(source), NodeId(destination))
    }

    #[test]
    fn routes_are_shortest_and_ties_go_to_the_lowest_number() {
        let flows = [flow(0, 2), flow(1, 4), flow(2, 0)];
        let routes = FixedRoutes::shortest(&square(), &flows);
        let path = |flow| FixedRoutes::path(&routes, flow);
        assert_eq!(path(flow(0, 2)), Some(ids(&[0, 1, 2])));
        assert_eq!(path(flow(1, 4)), Some(ids(&[1, 0, 3, 4])));
        assert_eq!(path(flow(2, 0)), Some(ids(&[2, 1, 0])));
        assert_eq!(path(flow(4, 1)), None, "nobody asked for it");
    }

    #[test]
    fn acknowledgments_take_the_way_of_the_data_back() {
        let routes = FixedRoutes::shortest(&square(), &[flow(1, 4), flow(4, 1)]);
        let path = |flow| FixedRoutes::path(&routes, flow);
        assert_eq!(path(flow(1, 4).reverse()), Some(ids(&[4, 3, 0, 1])));
        assert_eq!(path(flow(4, 1)), Some(ids(&[4, 3, 0, 1])));
        assert_eq!(path(flow(4, 1).reverse()), Some(ids(&[1, 0, 3, 4])));
    }

    #[test]
    fn a_way_that_is_given_is_taken_forth_and_back() {
        let long = ids(&[0, 3, 2, 1]);
        let flows = [(flow(0, 1), &long[..]), (flow(0, 1), &[][..]), (flow(3, 1), &[][..])];
        let routes = FixedRoutes::along(&square(), flows.into_iter());
        let path = |flow| FixedRoutes::path(&routes, flow);
        assert_eq!(path(flow(0, 1)), Some(long));
        assert_eq!(path(flow(0, 1).reverse()), Some(ids(&[1, 2, 3, 0])));
        assert_eq!(path(flow(3, 1)), Some(ids(&[3, 0, 1])), "the shortest");
    }

    #[test]
    fn an_unreachable_node_has_no_route() {
        let routes = FixedRoutes::shortest(&square(), &[flow(0, 5)]);
        assert_eq!(FixedRoutes::path(&routes, flow(0, 5)), None);
    }

    #[test]
    fn routes_are_announced_with_their_hops_when_a_life_begins() {
        let mut routes = FixedRoutes::shortest(&square(), &[flow(1, 4), flow(0, 2)]).swap_remove(0);
        let mut cx = Cx::new(NodeId(0), Rng::stream(1, NodeId(0), Purpose::Protocol));
        assert_eq!((routes.poll(&mut cx), routes.deadline()), (None, Time::ZERO));
        assert!(!routes.is_settled());
        routes.on_timeout(&mut cx);
        let steps: Vec<_> = std::iter::from_fn(|| routes.poll(&mut cx)).collect();
        let expected = [(1, 1), (2, 2), (4, 2)].map(|(destination, hops)| {
            let destination = NodeId(destination);
            RoutingStep::Announce(RouteNews::Found { destination, hops })
        });
        assert_eq!(steps, expected);
        assert_eq!(routes.deadline(), Time::NEVER, "they do not change");
        assert!(routes.is_settled());
    }
}
