//! From a set-up to its nodes, as every host runs them: the simulator, and whatever drives a node
//! by itself.
//!
//! ```text
//! neighbours --fixed_routes--> routes of every node
//! Setup, routes -----node----> Node
//! ```
//!
//! Who is whose neighbour only the host knows: its medium says so.

use multihop_core::{FlowId, NodeId, Purpose, Rng, Transport};
use multihop_node::{Addresses, Node, Parts, end_at};
use multihop_routing::{FixedRoutes, Neighbours, Place};
use multihop_scenario::Setup;
use multihop_scenario::setup::{self, CarriedBy, Source};
use multihop_schemes::datagram::Datagram;

/// The fixed routes of every node: for each flow of `setup` the way that is given, or else the
/// shortest one over `neighbours`.
pub fn fixed_routes(setup: &Setup, neighbours: &Neighbours) -> Vec<FixedRoutes> {
    let flows = setup.sources.iter().map(|source| (source.flow, &source.way[..]));
    FixedRoutes::along(neighbours, flows)
}

/// Node `me` of `setup`: its hop protocol, its routing (with its `routes` if they are known), and the
/// transports of the flows that start or end at it.
pub fn node(setup: &Setup, me: NodeId, routes: FixedRoutes) -> Node {
    let here = |source: &&Source| source.flow.source == me || source.flow.destination == me;
    let transport = |source: &Source| -> (FlowId, Box<dyn Transport>) {
        let flow = source.flow;
        let transport = match source.carried_by {
            CarriedBy::Scheme => (setup.scheme.transport)(&setup.params, flow, end_at(flow, me)),
            CarriedBy::Datagram => Box::new(Datagram::new(flow)),
        };
        (flow, transport)
    };
    let place = Place { me, known: routes };
    Node::new(Parts {
        me,
        incarnation: 0,
        rng: Rng::stream(setup.seed, me, Purpose::Protocol),
        hop: (setup.scheme.hop)(&setup.params),
        routing: (setup.routing.protocol.make)(&setup.routing.values, place),
        addresses: match setup.arp {
            setup::Arp::Off => Addresses::Known,
            setup::Arp::Ns2 => Addresses::Asked,
        },
        transports: setup.sources.iter().filter(here).map(transport).collect(),
    })
}
