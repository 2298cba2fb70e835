//! From a set-up to its nodes, as every host runs them: the simulator, and whatever drives a node
//! by itself.
//!
//! ```text
//! neighbours --fixed_routes--> routes of every node
//! Setup, routes -----node----> Node
//! ```
//!
//! [`record`] writes down what a host tells a node and what the node answers, and compares that with another node.
//!
//! Who is whose neighbour only the host knows: its medium says so.

pub mod record;

use std::sync::Arc;

use multihop_core::{
    CarriedBy, Duration, End, FlowId, Medium, NodeId, Packet, Purpose, Rng, Transport,
};
use multihop_node::{Addresses, Node, Parts, Transports};
use multihop_routing::fixed::{self, Metric};
use multihop_routing::{
    FixedRoutes, Life, LinkCosts, Neighbours, Routes, RoutingNode, Ties, Weights, cheapest_path,
};
use multihop_schemes::parts::datagram::{self, Datagram};
use multihop_schemes::parts::latest::Latest;
use multihop_setup as setup;
use multihop_setup::{MakeEnd, SchemeParts, Setup, SourceQueue};

/// The fixed routes of every node: for each flow of `setup` the way that is given, or else the
/// shortest one over `neighbours`, or the one of the least air time on `medium`.
pub fn fixed_routes(
    setup: &Setup,
    neighbours: &Neighbours,
    medium: &(impl Medium + ?Sized),
) -> Vec<FixedRoutes> {
    let to_one = setup.sources.iter().filter(|source| !source.flow.destination.is_group());
    let flows: Vec<(FlowId, Vec<NodeId>)> = to_one
        .map(|source| match &source.way[..] {
            [] => (source.flow, cheapest_way(setup, source.flow, neighbours, medium)),
            given => (source.flow, given.to_vec()),
        })
        .collect();
    let flows = flows.iter().map(|(flow, way)| (*flow, &way[..]));
    FixedRoutes::along(neighbours, flows, ties(setup))
}

/// The nodes on the way of `flow` that has the least air time, where `setup` asks for that; none where it asks for the
/// fewest hops.
pub fn cheapest_way(
    setup: &Setup,
    flow: FlowId,
    neighbours: &Neighbours,
    medium: &(impl Medium + ?Sized),
) -> Vec<NodeId> {
    let cost = |from, to| medium.air_time_metric(from, to);
    if by_air_time(setup) {
        cheapest_path(neighbours, flow, cost).unwrap_or_default()
    } else {
        Vec::new()
    }
}

/// Whether fixed routes are those of the least air time.
fn by_air_time(setup: &Setup) -> bool {
    setup.routing.protocol.routes == Routes::Known
        && setup.routing.values.get(fixed::METRIC) == Metric::AirTime
}

/// The weights of hops in `setup`, all as usual: what a hop costs is what its fixed routes are the fewest of.
///
/// # Errors
/// If its routes do not follow weights: why, and the remedy.
pub fn weights(
    setup: &Setup,
    neighbours: Neighbours,
    medium: &(impl Medium + ?Sized),
) -> Result<Weights, String> {
    if setup.routing.protocol.routes != Routes::Known {
        return Err(format!(
            "weights are of fixed routes, and the routing is '{}'; set routing.kind = \"fixed\"",
            setup.routing.protocol.name
        ));
    }
    if let Some(source) = setup.sources.iter().find(|source| !source.way.is_empty()) {
        return Err(format!(
            "flow '{}' has a way of its own, which no weight changes; leave its nodes between out",
            source.name
        ));
    }
    let hop = |from, to| {
        if by_air_time(setup) { medium.air_time_metric(from, to) } else { Some(A_HOP) }
    };
    let all = (0..).map(NodeId).zip(&neighbours);
    let costs = all.map(|(from, near)| near.iter().map(|to| hop(from, *to)).collect()).collect();
    let ends = setup.sources.iter().flat_map(|one| [one.flow.source, one.flow.destination]);
    let ends = ends.filter(|end| !end.is_group()).collect();
    Ok(Weights::new(LinkCosts { neighbours, costs }, ends, setup.addresses.clone()))
}

/// What a hop costs at the usual weight where hops are counted.
const A_HOP: Duration = Duration::from_millis(1);

/// How ties between shortest paths are broken in `setup`.
pub fn ties(setup: &Setup) -> Ties {
    match setup.routing.protocol.routes {
        Routes::Known => Ties { broken: setup.routing.values.get(fixed::TIES), seed: setup.seed },
        Routes::Searched | Routes::None => Ties::default(),
    }
}

/// How many flows that others have begun a node keeps, whatever arrives: more than a network has in
/// which anything else works.
pub const MOST_ACCEPTED: usize = 1_024;

/// Node `number` of `setup` in this `life`: its hop protocol, and its routing (with its `routes` if they
/// are known). Its flows the host opens, or they arrive.
pub fn node(setup: &Setup, number: NodeId, routes: FixedRoutes, life: Life) -> Node {
    let me = setup.addresses.address(number);
    let incarnation = life.incarnation;
    let place = RoutingNode { me, known: routes.on_air(&setup.addresses), life };
    let scheme = setup.scheme_of(number);
    // another life draws other numbers
    let seed = setup.seed ^ u64::from(incarnation) << 48;
    let weights = setup.routing.weights.clone();
    let own = SchemeParts::of(me, scheme, setup.params_of(number).clone());
    let own = SchemeParts { weights, ..own };
    let own = match setup.steered.get(&number) {
        Some(steer) => Arc::clone(steer).take(own),
        None => own,
    };
    Node::new(Parts {
        me,
        incarnation,
        rng: Rng::stream(seed, number, Purpose::Protocol),
        hop: own.hop,
        routing: match &setup.routing.weights {
            Some(weights) => weights.routing(me),
            None => (setup.routing.protocol.make)(&setup.routing.values, place),
        },
        addresses: match setup.arp {
            setup::Arp::Off => Addresses::Known,
            setup::Arp::Ns2 => Addresses::Asked,
        },
        transports: Box::new(Carriers {
            transport: own.transport,
            carries: scheme.carries,
            latest: latest(setup, number),
        }),
        most_accepted: MOST_ACCEPTED.max(setup.sources.len()),
        groups: setup.groups_of(number),
    })
}

/// The transports of a node: those of its scheme, and datagrams.
struct Carriers {
    transport: MakeEnd,
    /// Whether that transport has sent a packet.
    carries: fn(&Packet) -> bool,
    /// The flows from here that send the newest message only.
    latest: Vec<FlowId>,
}

/// The flows of `node` of which only the newest message waits.
fn latest(setup: &Setup, node: NodeId) -> Vec<FlowId> {
    let own = setup.sources.iter().filter(|source| source.flow.source == node);
    own.filter(|source| source.queue == SourceQueue::Latest).map(|source| source.flow).collect()
}

impl Transports for Carriers {
    fn make(&self, flow: FlowId, end: End, carried_by: CarriedBy) -> Box<dyn Transport> {
        let transport = match carried_by {
            CarriedBy::Scheme => (self.transport)(flow, end),
            CarriedBy::Datagram => Box::new(Datagram::new(flow)),
        };
        let is_latest = end == End::Source && self.latest.contains(&flow);
        if is_latest { Box::new(Latest::new(flow, transport)) } else { transport }
    }

    fn carrier(&self, packet: &Packet) -> Option<CarriedBy> {
        if (self.carries)(packet) {
            Some(CarriedBy::Scheme)
        } else {
            datagram::carries(packet).then_some(CarriedBy::Datagram)
        }
    }
}

#[cfg(test)]
mod tests;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
