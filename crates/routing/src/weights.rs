//! Routes over nodes whose hops cost what somebody says while the network runs.
//!
//! All nodes know the same weights at the same time, and every route is a cheapest path by them. A hop costs something, so
//! that each hop leads nearer to the destination: there are no loops, whatever the weights are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use multihop_core::{
    AddressTable, Cx, Duration, NodeId, Packet, Route, RouteNews, Routing, RoutingStep, Time,
};

use crate::Neighbours;
use crate::costs::{cheapest_next, costs_to};

/// How many times as much as usual a hop costs, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(u32);

impl Weight {
    /// What hops cost before somebody says something else.
    pub const USUAL: Weight = Weight(1_000);

    /// `times` as much as usual, rounded to thousandths; the least is one of them.
    pub fn of(times: f64) -> Self {
        Weight((times * 1_000.0).round().max(1.0) as u32)
    }
}

/// The links of a network, over which routes go.
#[derive(Clone, Debug)]
pub struct LinkCosts {
    /// Who can reach whom.
    pub neighbours: Neighbours,
    /// For every node, what a hop to each of its neighbours costs at the usual weight; no hop if there is nothing.
    pub costs: Vec<Vec<Option<Duration>>>,
}

impl LinkCosts {
    fn cost(&self, from: NodeId, to: NodeId) -> Option<Duration> {
        let at = self.neighbours[from.index()].binary_search(&to).ok()?;
        self.costs[from.index()][at]
    }
}

/// The weights of all nodes of a run, and the routes by them. Every node of the run has a hand on it.
#[derive(Clone)]
pub struct Weights(Arc<Mutex<Table>>);

struct Table {
    links: LinkCosts,
    addresses: AddressTable,
    /// Where flows begin and end, in ascending order.
    ends: Vec<NodeId>,
    /// By the numbers of nodes.
    weights: Vec<Weight>,
    /// How often a weight has changed.
    changes: u64,
    /// By destination, since the last change: the next hop of every node, and the hops from there on.
    routes: BTreeMap<NodeId, Vec<Option<(NodeId, u32)>>>,
}

impl Weights {
    /// The usual ones, for flows that begin and end at these nodes. All are named by numbers; on the air they have
    /// these addresses.
    pub fn new(links: LinkCosts, ends: Vec<NodeId>, addresses: AddressTable) -> Self {
        let weights = vec![Weight::USUAL; links.neighbours.len()];
        let (mut ends, routes) = (ends, BTreeMap::new());
        ends.sort_unstable();
        ends.dedup();
        Weights(Arc::new(Mutex::new(Table { links, addresses, ends, weights, changes: 0, routes })))
    }

    /// Hops from the node with this address cost so much from now on.
    pub fn set(&self, node: NodeId, weight: Weight) {
        let mut table = self.held();
        let number = table.addresses.number(node);
        if let Some(known) = table.weights.get_mut(number.index())
            && *known != weight
        {
            *known = weight;
            table.changes += 1;
            table.routes.clear();
        }
    }

    /// The routing of the node with this address.
    pub fn routing(&self, me: NodeId) -> Box<dyn Routing> {
        let (weights, known, news) = (self.clone(), BTreeMap::new(), Vec::new());
        Box::new(WeightedRouting { me, weights, known, news, looked: None, began: false })
    }

    /// The next hop from one address to another, and over how many hops the way goes.
    pub fn next(&self, from: NodeId, to: NodeId) -> Option<(NodeId, u32)> {
        self.held().next(from, to)
    }

    fn held(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn next(&mut self, from: NodeId, to: NodeId) -> Option<(NodeId, u32)> {
        let [from, to] = [from, to].map(|address| self.addresses.number(address));
        let count = self.weights.len();
        if from.index() >= count || to.index() >= count {
            return None;
        }
        let Table { links, weights, routes, .. } = self;
        let to_there = routes.entry(to).or_insert_with(|| routes_to(links, weights, to));
        let (next, hops) = to_there[from.index()]?;
        Some((self.addresses.address(next), hops))
    }
}

/// The next hop of every node to `destination`, and over how many hops the way goes.
fn routes_to(
    links: &LinkCosts,
    weights: &[Weight],
    destination: NodeId,
) -> Vec<Option<(NodeId, u32)>> {
    let cost = |from: NodeId, to: NodeId| {
        let usual = links.cost(from, to)?.nanos();
        let weighted = usual.saturating_mul(u64::from(weights[from.index()].0)) / 1_000;
        // A hop that costs nothing would lead no nearer.
        Some(Duration::from_nanos(weighted.max(1)))
    };
    let to_end = costs_to(&links.neighbours, destination, cost);
    let nodes = (0..weights.len() as u32).map(NodeId);
    let next: Vec<Option<NodeId>> = nodes
        .map(|node| {
            let is_end = node == destination;
            if is_end { None } else { cheapest_next(&links.neighbours, node, &to_end, cost) }
        })
        .collect();
    let hops = |first: NodeId| {
        let way = std::iter::successors(Some(first), |at| next[at.index()]);
        1 + way.take_while(|at| *at != destination).count() as u32
    };
    next.iter().map(|first| first.map(|first| (first, hops(first)))).collect()
}

/// The routing of one node by weights.
struct WeightedRouting {
    me: NodeId,
    weights: Weights,
    /// The routes that were announced: next hop and hops by destination.
    known: BTreeMap<NodeId, (NodeId, u32)>,
    /// What is to be announced, the first last.
    news: Vec<RouteNews>,
    /// How often weights had changed when it looked.
    looked: Option<u64>,
    /// Whether its life has begun.
    began: bool,
}

impl WeightedRouting {
    /// Find out what has become of routes.
    fn look(&mut self) {
        let mut table = self.weights.held();
        if !self.began || self.looked == Some(table.changes) {
            return;
        }
        self.looked = Some(table.changes);
        let ends: Vec<NodeId> =
            table.ends.iter().map(|end| table.addresses.address(*end)).collect();
        let mut news = Vec::new();
        for destination in ends.into_iter().filter(|end| *end != self.me) {
            let Some(route) = table.next(self.me, destination) else { continue };
            let hops = route.1;
            match self.known.insert(destination, route) {
                None => news.push(RouteNews::Found { destination, hops }),
                Some(before) if before != route => {
                    news.push(RouteNews::Changed { destination, hops });
                }
                Some(_) => {}
            }
        }
        news.reverse();
        self.news.splice(0..0, news);
    }
}

impl Routing for WeightedRouting {
    fn route(&mut self, _cx: &mut Cx, packet: &mut Packet) -> Route {
        let route = self.weights.next(self.me, packet.flow.destination);
        route.map_or(Route::Unreachable, |(next, _)| Route::Via(next))
    }

    fn hops_to(&self, destination: NodeId, _now: Time) -> Option<u32> {
        self.known.get(&destination).map(|(_, hops)| *hops)
    }

    fn poll(&mut self, _cx: &mut Cx) -> Option<RoutingStep> {
        self.look();
        self.news.pop().map(RoutingStep::Announce)
    }

    fn on_deadline(&mut self, _cx: &mut Cx) {
        self.began = true;
    }

    fn deadline(&self) -> Time {
        if self.began { Time::NEVER } else { Time::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use multihop_core::{FlowId, Payload, Purpose, Rng, Tag};
    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn weights(joined: &[(u32, u32)], nodes: u32, ends: &[u32]) -> Weights {
        let mut neighbours: Neighbours = vec![Vec::new(); nodes as usize];
        for (a, b) in joined.iter().filter(|(a, b)| a != b) {
            neighbours[*a as usize].push(NodeId(*b));
            neighbours[*b as usize].push(NodeId(*a));
        }
        for near in &mut neighbours {
            near.sort_unstable();
            near.dedup();
        }
        let costs = neighbours.iter().map(|near| vec![Some(MS); near.len()]).collect();
        let ends = ends.iter().copied().map(NodeId).collect();
        Weights::new(LinkCosts { neighbours, costs }, ends, AddressTable::default())
    }

    /// 0 to 3 over 1 or 2.
    fn diamond() -> Weights {
        weights(&[(0, 1), (0, 2), (1, 3), (2, 3)], 4, &[0, 3])
    }

    #[test]
    fn a_weight_moves_routes_and_nodes_say_so() {
        let weights = diamond();
        let mut cx = Cx::new(NodeId(0), Rng::stream(1, NodeId(0), Purpose::Protocol));
        let mut routing = weights.routing(NodeId(0));
        assert_eq!((routing.poll(&mut cx), routing.hops_to(NodeId(3), Time::ZERO)), (None, None));
        assert_eq!(routing.deadline(), Time::ZERO);
        routing.on_deadline(&mut cx);
        assert_eq!(routing.deadline(), Time::NEVER);
        let mut news = || std::iter::from_fn(|| routing.poll(&mut cx)).collect::<Vec<_>>();
        let (destination, hops) = (NodeId(3), 2);
        assert_eq!(news(), [RoutingStep::Announce(RouteNews::Found { destination, hops })]);
        weights.set(NodeId(1), Weight::of(1.5));
        assert_eq!(news(), [RoutingStep::Announce(RouteNews::Changed { destination, hops })]);
        // What is as cheap as before changes nothing, nor does a weight that is told again.
        weights.set(NodeId(1), Weight::of(4.0));
        weights.set(NodeId(1), Weight::of(4.0));
        assert_eq!(news(), []);
        assert_eq!(routing.hops_to(destination, Time::ZERO), Some(2));
        assert!(!routing.is_settled());
        let mut packet = |to| {
            let flow = FlowId::between(NodeId(0), to);
            routing.route(&mut cx, &mut Packet::new(flow, Payload::Virtual(1), Tag::default()))
        };
        assert_eq!(packet(NodeId(3)), Route::Via(NodeId(2)));
        for nowhere in [NodeId(9), NodeId::BROADCAST, NodeId::group(0)] {
            assert_eq!(packet(nowhere), Route::Unreachable);
        }
        weights.set(NodeId(2), Weight::of(4.0));
        assert_eq!(weights.next(NodeId(0), NodeId(3)), Some((NodeId(1), 2)), "the lower number");
    }

    #[test]
    fn weights_are_thousandths_from_one_on() {
        for (times, thousandths) in [(1.0, 1_000), (2.0004, 2_000), (0.0, 1), (1e-9, 1)] {
            assert_eq!(Weight::of(times), Weight(thousandths));
        }
    }

    #[test]
    fn addresses_on_the_air_are_those_of_the_numbers() {
        let known = diamond().held().links.clone();
        let air = AddressTable::new([40, 30, 20, 10].map(NodeId).to_vec());
        let weights = Weights::new(known, vec![NodeId(3)], air);
        assert_eq!(weights.next(NodeId(40), NodeId(10)), Some((NodeId(30), 2)));
        weights.set(NodeId(30), Weight::of(2.0));
        assert_eq!(weights.next(NodeId(40), NodeId(10)), Some((NodeId(20), 2)));
    }

    proptest! {
        #[test]
        fn there_are_no_loops_whatever_the_weights(
            joined in proptest::collection::vec((0u32..12, 0u32..12), 1..40),
            told in proptest::collection::vec((0u32..12, 1e-4f64..1e4), 0..30),
        ) {
            let weights = weights(&joined, 12, &[]);
            let usual = weights.held().links.clone();
            for (node, times) in told {
                weights.set(NodeId(node), Weight::of(times));
            }
            for (from, to) in (0..144).map(|pair| (NodeId(pair / 12), NodeId(pair % 12))) {
                let (mut at, mut left) = (from, weights.next(from, to).map(|(_, hops)| hops));
                let reached = costs_to(&usual.neighbours, to, |a, b| usual.cost(a, b));
                prop_assert_eq!(left.is_some(), from != to && reached[from.index()].is_some());
                while let Some(hops) = left {
                    let (next, known) = weights.next(at, to).expect("it goes on");
                    prop_assert_eq!(known, hops, "each hop leads nearer");
                    prop_assert!(usual.neighbours[at.index()].contains(&next));
                    (at, left) = (next, (hops > 1).then(|| hops - 1));
                }
                prop_assert!(at == to || reached[from.index()].is_none());
            }
        }
    }
}
