//! Fixed shortest-path routes (CXCC 7: "static routing with optimal routes with regard to the
//! hop count"), and ways that are given.

use multihop_core::{
    AddressTable, Cx, FlowId, NodeId, Packet, Purpose, Rng, Route, RouteNews, Routing, RoutingStep,
    Time,
};

/// Who can reach whom: for every node, its neighbours in ascending order.
pub type Neighbours = Vec<Vec<NodeId>>;

/// Which of several neighbours on shortest paths is the next hop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieBreak {
    /// The one with the lowest number.
    #[default]
    Lowest,
    /// Any of them, equally likely, drawn at each node for each flow.
    Random,
}

/// How ties between shortest paths are broken in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// The rule.
    pub broken: TieBreak,
    /// The seed of the run, which random ties are drawn with.
    pub seed: u64,
}

impl Ties {
    /// The choices on the path of `flow`, if they are random: flows between the same nodes have the same.
    fn draws(self, flow: FlowId) -> Option<Rng> {
        let seed = self.seed ^ u64::from(flow.destination.0) << 32;
        let random = self.broken == TieBreak::Random;
        random.then(|| Rng::stream(seed, flow.source, Purpose::Ties))
    }
}

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
        let flows = flows.iter().map(|flow| (*flow, &[][..]));
        Self::along(neighbours, flows, Ties::default())
    }

    /// The routes of every node for flows whose nodes are given, from the source to the
    /// destination, and the shortest ones for those of which no node is, with `ties` broken as it
    /// says. Of flows between the same nodes the first decides.
    pub fn along<'a>(
        neighbours: &Neighbours,
        flows: impl Iterator<Item = (FlowId, &'a [NodeId])>,
        ties: Ties,
    ) -> Vec<FixedRoutes> {
        let mut routes = vec![FixedRoutes::default(); neighbours.len()];
        let near = Near::of(neighbours);
        for (flow, given) in flows {
            let path = match given {
                [] => near.shortest_path(flow, ties),
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

/// Who can reach whom, for searches, which in a large network wait for memory: in one piece, and with the nodes
/// in the order of a breadth-first search, so that neighbours stand near each other.
struct Near {
    /// The nodes in that order, and where in it each stands.
    nodes: Vec<NodeId>,
    places: Vec<usize>,
    /// The places of the neighbours of all nodes, each node's in ascending order of their numbers.
    neighbours: Vec<u32>,
    /// Where those of every place begin, and where the last ones end.
    begins: Vec<usize>,
}

impl Near {
    fn of(neighbours: &Neighbours) -> Self {
        let all = neighbours.len();
        let mut near = Near {
            nodes: Vec::with_capacity(all),
            places: vec![usize::MAX; all],
            neighbours: Vec::new(),
            begins: vec![0],
        };
        let mut next = 0;
        for first in 0..all as u32 {
            near.add(NodeId(first));
            while let Some(node) = near.nodes.get(next) {
                neighbours[node.index()].iter().for_each(|node| near.add(*node));
                next += 1;
            }
        }
        for node in &near.nodes {
            let to = neighbours[node.index()].iter();
            near.neighbours.extend(to.map(|to| near.places[to.index()] as u32));
            near.begins.push(near.neighbours.len());
        }
        near
    }

    /// Unless it is there, `node` is the next.
    fn add(&mut self, node: NodeId) {
        let place = &mut self.places[node.index()];
        if *place == usize::MAX {
            *place = self.nodes.len();
            self.nodes.push(node);
        }
    }

    fn to(&self, place: usize) -> impl Iterator<Item = usize> + Clone {
        let neighbours = &self.neighbours[self.begins[place]..self.begins[place + 1]];
        neighbours.iter().map(|place| *place as usize)
    }

    /// The shortest path of `flow`; where there are several, `ties` decides at each node.
    fn shortest_path(&self, flow: FlowId, ties: Ties) -> Option<Vec<NodeId>> {
        let [mut at, end] = [flow.source, flow.destination].map(|node| self.places[node.index()]);
        let hops = self.hops_to(end, at)?;
        let mut path = vec![flow.source];
        let mut draws = ties.draws(flow);
        while at != end {
            let mut nearer = self.to(at).filter(|next| hops[*next] == hops[at] - 1);
            at = match &mut draws {
                None => nearer.next()?,
                Some(rng) => {
                    let among = nearer.clone().count() as u32;
                    nearer.nth(rng.below(among) as usize)?
                }
            };
            path.push(self.nodes[at]);
        }
        Some(path)
    }

    /// How many hops the nodes are away from `destination` that are on any shortest path from `source` to it;
    /// `None` without a path. Breadth-first from both ends until the searches meet, which spares
    /// half of the nodes, and from there on to the source over what is on such a path.
    fn hops_to(&self, destination: usize, source: usize) -> Option<Vec<u32>> {
        let all = self.nodes.len();
        let (mut forth, mut back) = (Search::from(source, all), Search::from(destination, all));
        let mut met = source == destination;
        while !met {
            let smaller = forth.border.len() < back.border.len();
            let (this, other) = if smaller { (&mut forth, &back) } else { (&mut back, &forth) };
            this.grow(self, |_| true);
            if this.border.is_empty() {
                return None;
            }
            met = this.border.iter().any(|place| other.hops[*place] != UNKNOWN);
        }
        for left in (0..forth.radius).rev() {
            back.grow(self, |place| forth.hops[place] == left);
        }
        Some(back.hops)
    }
}

/// It stands for the distance of a node that a search has not found.
const UNKNOWN: u32 = u32::MAX;

/// A breadth-first search over places.
struct Search {
    /// How far it has come, in hops.
    radius: u32,
    /// The places that are so far away.
    border: Vec<usize>,
    /// How far every place is that it has found.
    hops: Vec<u32>,
}

impl Search {
    /// From place `begin` of `all`.
    fn from(begin: usize, all: usize) -> Self {
        let mut hops = vec![UNKNOWN; all];
        hops[begin] = 0;
        Search { radius: 0, border: vec![begin], hops }
    }

    /// One hop farther, to those places that are `wanted`.
    fn grow(&mut self, near: &Near, wanted: impl Fn(usize) -> bool) {
        self.radius += 1;
        for place in std::mem::take(&mut self.border) {
            for next in near.to(place) {
                if self.hops[next] == UNKNOWN && wanted(next) {
                    self.hops[next] = self.radius;
                    self.border.push(next);
                }
            }
        }
    }
}

impl Routing for FixedRoutes {
    fn is_settled(&self) -> bool {
        self.next.is_empty()
            || matches!(&self.announced, Announced::AllBut(news) if news.is_empty())
    }

    fn route(&mut self, _cx: &mut Cx, packet: &mut Packet) -> Route {
        self.next(packet.flow).map_or(Route::Unreachable, Route::Via)
    }

    fn hops_to(&self, destination: NodeId, _now: Time) -> Option<u32> {
        if self.announced == Announced::None {
            return None;
        }
        self.next.iter().find(|((_, to, _), _)| *to == destination).map(|(_, leg)| leg.hops)
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<RoutingStep> {
        match &mut self.announced {
            Announced::None => None,
            Announced::AllBut(news) => news.pop().map(RoutingStep::Announce),
        }
    }

    /// The life of the node begins. Of several ways to one destination the first counts.
    fn on_deadline(&mut self, _cx: &mut Cx) {
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

    /// The path of `flow` by its definition, from how far everybody is from its destination.
    fn by_definition(neighbours: &Neighbours, flow: FlowId) -> Option<Vec<NodeId>> {
        let mut hops = vec![None; neighbours.len()];
        hops[flow.destination.index()] = Some(0);
        for far in 1..neighbours.len() {
            let found =
                |near: &Vec<NodeId>| near.iter().any(|to| hops[to.index()] == Some(far - 1));
            let found: Vec<bool> = neighbours.iter().map(found).collect();
            for (hops, found) in hops.iter_mut().zip(found) {
                *hops = hops.or(found.then_some(far));
            }
        }
        let mut path = vec![flow.source];
        for left in (0..hops[flow.source.index()]?).rev() {
            let near = &neighbours[path[path.len() - 1].index()];
            path.extend(near.iter().filter(|next| hops[next.index()] == Some(left)).min());
        }
        Some(path)
    }

    #[test]
    fn what_two_searches_find_is_what_one_would_find() {
        let mut rng = Rng::stream(1, NodeId(0), Purpose::Topology);
        let mut lengths = std::collections::BTreeSet::new();
        for _ in 0..60 {
            let nodes = 1 + rng.below(30);
            let mut joined: Vec<(u32, u32)> = Vec::new();
            for _ in 0..rng.below(3 * nodes) {
                let (a, b) = (rng.below(nodes), rng.below(nodes));
                joined.extend([(a, b), (b, a)]);
            }
            joined.sort_unstable();
            joined.dedup();
            let of = |node| joined.iter().filter(move |(a, b)| *a == node && a != b);
            let neighbours: Neighbours =
                (0..nodes).map(|node| of(node).map(|(_, b)| NodeId(*b)).collect()).collect();
            let near = Near::of(&neighbours);
            for pair in 0..nodes * nodes {
                let flow = flow(pair / nodes, pair % nodes);
                let path = near.shortest_path(flow, Ties::default());
                lengths.insert(path.as_ref().map_or(0, Vec::len));
                assert_eq!(path, by_definition(&neighbours, flow), "{flow:?} {neighbours:?}");
            }
        }
        assert!(lengths.is_superset(&(0..10).collect()), "{lengths:?}");
    }

    #[test]
    fn random_ties_spread_flows_over_all_shortest_paths() {
        // A ladder of squares: four shortest paths from 0 to 6, over 1 or 2, then 4 or 5.
        let ladder: Neighbours =
            [&[1, 2][..], &[0, 3], &[0, 3], &[1, 2, 4, 5], &[3, 6], &[3, 6], &[4, 5]]
                .iter()
                .map(|near| ids(near))
                .collect();
        let path = |seed, flow| {
            let ties = Ties { broken: TieBreak::Random, seed };
            let routes = FixedRoutes::along(&ladder, [(flow, &[][..])].into_iter(), ties);
            assert_eq!(
                FixedRoutes::path(&routes, flow.reverse())
                    .map(|back| back.into_iter().rev().collect()),
                FixedRoutes::path(&routes, flow),
                "acknowledgments go the same way back"
            );
            FixedRoutes::path(&routes, flow).expect("there is a path")
        };
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..4_000 {
            *counts.entry(path(seed, flow(0, 6))).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 4, "{counts:?}");
        // A share of 1/4 has a standard error of 27 in 4000 draws.
        assert!(counts.values().all(|count| (890..1_110).contains(count)), "{counts:?}");
        assert_eq!(path(7, flow(0, 6)), path(7, flow(0, 6)), "a seed has one path");
        let same = (0..400).filter(|seed| path(*seed, flow(0, 3))[1] == path(*seed, flow(0, 6))[1]);
        assert!((140..260).contains(&same.count()), "flows of one source draw by themselves");
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
        let routes = FixedRoutes::along(&square(), flows.into_iter(), Ties::default());
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
        assert_eq!(routes.hops_to(NodeId(4), Time::ZERO), None, "it was not announced yet");
        routes.on_deadline(&mut cx);
        let steps: Vec<_> = std::iter::from_fn(|| routes.poll(&mut cx)).collect();
        let expected = [(1, 1), (2, 2), (4, 2)].map(|(destination, hops)| {
            let destination = NodeId(destination);
            RoutingStep::Announce(RouteNews::Found { destination, hops })
        });
        assert_eq!(steps, expected);
        let hops = [1, 3, 4].map(|destination| routes.hops_to(NodeId(destination), Time::ZERO));
        assert_eq!(hops, [Some(1), None, Some(2)]);
        assert_eq!(routes.deadline(), Time::NEVER, "they do not change");
        assert!(routes.is_settled());
    }
}
